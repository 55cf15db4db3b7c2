package main

import (
	"net/netip"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
)

// TestInfoRDMA: weft info tells of adapters, and whether it can use them.
func TestInfoRDMA(t *testing.T) {
	before := boot.Adapters
	t.Cleanup(func() { boot.Adapters = before })
	text := func() string {
		var b strings.Builder
		printFacts(&b, "rdma", rdmaFacts())
		return b.String()
	}
	boot.Adapters = boot.Hardware{Sys: fstest.MapFS{}}
	if got := text(); !strings.Contains(got, "none") || !strings.Contains(got, "without the tag rdma") {
		t.Errorf("a host without adapters:\n%s", got)
	}
	host := &fake.Host{Devices: map[string]netip.Addr{"mlx5_0": netip.MustParseAddr("192.0.2.1")}, NUMA: map[string]int{"mlx5_0": 1}}
	boot.Adapters = boot.Hardware{Sys: host.Sys(), Open: host.Open}
	for _, want := range []string{"mlx5_0:1", "RoCE, ACTIVE, 100 Gbit/s, GID 0 192.0.2.1 lo, NUMA node 1", "uses libibverbs"} {
		if got := text(); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
