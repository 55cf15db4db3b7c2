package main

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/perf"
)

// TestVerbsAdapter measures between two devices of a driver made of Go, as `weft verbs -d` opens them.
func TestVerbsAdapter(t *testing.T) {
	home := netip.MustParseAddr("127.0.0.1")
	host := &fake.Host{Fabric: fake.New(fake.Habits{}), Devices: map[string]netip.Addr{"mlx5_0": home}}
	adapters := boot.Hardware{Sys: host.Sys(), Open: host.Open}
	d, err := openAdapter(adapters, "mlx5_0", home, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if rails := d.Rails(); len(rails) != 1 || rails[0].Addr != home {
		t.Errorf("rails %+v", rails)
	}
	if most := perf.MaxSizeOf(perf.UD, d.Caps()); most != 1024 {
		t.Errorf("datagrams of %d bytes", most)
	}
	for name, want := range map[string]string{"mlx5_1": "no such device"} {
		if _, err := openAdapter(adapters, name, home, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-d %s: %v", name, err)
		}
	}
	if _, err := openAdapter(adapters, "mlx5_0", netip.MustParseAddr("192.0.2.1"), nil); err == nil {
		t.Error("an address was used that no port has")
	}
	if _, err := openAdapter(boot.Hardware{Sys: host.Sys()}, "mlx5_0", home, nil); err == nil || !strings.Contains(err.Error(), "-tags rdma") {
		t.Errorf("without the tag: %v", err)
	}
}
