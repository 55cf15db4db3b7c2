package soft_test

import (
	"flag"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

var seed = flag.Uint64("seed", 1, "of everything random in the conformance tests")

// opener opens devices of one configuration.
func opener(cfg soft.Config) verbstest.Opener {
	return func(tb testing.TB, n int) []verbs.Device {
		tb.Helper()
		var devs []verbs.Device
		for range n {
			d, err := soft.Open(cfg)
			if err != nil {
				tb.Fatalf("soft.Open: %v", err)
			}
			devs = append(devs, d)
		}
		return devs
	}
}

var (
	ip4 = []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	ip6 = []netip.Addr{netip.IPv6Loopback()}
)

// TestConform holds the device to all that the seam promises.
func TestConform(t *testing.T) {
	verbstest.Run(t, opener(soft.Config{Rails: ip4}), verbstest.Options{Big: !testing.Short(), Seed: *seed})
}

// TestConformConfigs does so for the ways to configure a device that matter to each type of queue pair.
func TestConformConfigs(t *testing.T) {
	if testing.Short() {
		t.Skip("the plain device is enough for a short run")
	}
	key := []byte("a key that the processes of a job share")
	rc, dgram := []verbs.Type{verbs.RC}, []verbs.Type{verbs.UD, verbs.RD}
	for _, row := range []struct {
		name  string
		cfg   soft.Config
		types []verbs.Type
	}{
		{"IPv6", soft.Config{Rails: ip6}, nil},
		{"no CRC", soft.Config{Rails: ip4, NoCRC: true}, rc},
		{"keyed", soft.Config{Rails: ip4, Key: key}, rc},
		{"encrypted", soft.Config{Rails: ip4, Key: key, Encrypt: true}, nil},
		{"keyed datagrams", soft.Config{Rails: ip4, Key: key, KeyedDatagrams: true}, dgram},
		{"markers", soft.Config{Rails: ip4, Markers: true}, rc},
		{"small FPDUs", soft.Config{Rails: ip4, MaxFPDU: 256}, rc},
		{"shared sockets", soft.Config{Rails: ip4, ShareSockets: true}, dgram},
		{"small datagrams", soft.Config{Rails: ip4, Datagram: 1472}, dgram},
		{"no offload", soft.Config{Rails: ip4, Datagram: 1472, NoOffload: true}, dgram},
	} {
		t.Run(row.name, func(t *testing.T) {
			verbstest.Run(t, opener(row.cfg), verbstest.Options{Types: row.types, Brief: true, Allocates: row.cfg.Markers,
				Seed: *seed})
		})
	}
}

// TestConformOneDevice has both ends of everything on one device.
func TestConformOneDevice(t *testing.T) {
	if testing.Short() {
		t.Skip("two devices are enough for a short run")
	}
	verbstest.Run(t, func(tb testing.TB, n int) []verbs.Device {
		d := opener(soft.Config{Rails: ip4})(tb, 1)[0]
		devs := make([]verbs.Device, n)
		for i := range devs {
			devs[i] = d
		}
		return devs
	}, verbstest.Options{Brief: true, Seed: *seed})
}

// TestConformFaulty loses, doubles, delays and damages datagrams. RD does not let its users notice; UD lets them
// notice only that messages are missing, double or late. Patience is shorter than what the device takes to forget an
// idle peer, so that a retransmission that only comes about by that is noticed.
func TestConformFaulty(t *testing.T) {
	faulty := verbs.FaultConfig{Seed: *seed, Drop: 0.05, Duplicate: 0.05, Reorder: 0.05, ReorderBy: 2_000_000, Corrupt: 0.02}
	for _, row := range []struct {
		name string
		cfg  soft.Config
	}{
		{"own sockets", soft.Config{Rails: ip4}},
		{"small datagrams", soft.Config{Rails: ip4, Datagram: 1472}},
		{"shared sockets", soft.Config{Rails: ip4, ShareSockets: true}},
		{"encrypted", soft.Config{Rails: ip4, Datagram: 1472, Key: []byte("a key that the processes of a job share"), Encrypt: true}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if testing.Short() && (row.cfg.ShareSockets || row.cfg.Encrypt) {
				t.Skip("one is enough for a short run")
			}
			did := map[string]uint64{}
			open := func(tb testing.TB, n int) []verbs.Device {
				tb.Helper()
				devs := opener(row.cfg)(tb, n)
				for i, d := range devs {
					cfg := faulty
					cfg.Seed += uint64(i)
					f, err := verbs.Fault(d, cfg)
					if err != nil {
						tb.Fatal(err)
					}
					devs[i] = f
					tb.Cleanup(func() {
						for name, n := range f.Counters() {
							did[name] += n
						}
					})
				}
				return devs
			}
			verbstest.Run(t, open, verbstest.Options{Types: []verbs.Type{verbs.UD, verbs.RD}, Lossy: true,
				Brief: true, Allocates: true, Patience: 8 * time.Second, Seed: *seed})
			for _, name := range []string{"fault_dropped", "fault_duplicated", "fault_reordered", "fault_corrupted"} {
				if did[name] == 0 {
					t.Errorf("%s is 0: nothing was put to the test", name)
				}
			}
		})
	}
}
