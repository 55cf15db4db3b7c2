package kernel_test

import (
	"flag"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

var seed = flag.Uint64("seed", 1, "of everything random in the conformance tests")

var home = kernel.Port{Name: "fake", Number: 1, GID: ibv.GID{10: 0xff, 11: 0xff, 12: 127, 15: 1}, Global: true, Addr: netip.MustParseAddr("127.0.0.1"),
	IPMTU: 1500}

// opener opens devices on one fabric.
func opener(h fake.Habits, key string) verbstest.Opener {
	return func(tb testing.TB, n int) []verbs.Device {
		tb.Helper()
		f := fake.New(h)
		var devs []verbs.Device
		for range n {
			cfg := kernel.Config{Context: f.Open(home.GID), IWARP: h.IWARP, Ports: []kernel.Port{home}, Key: []byte(key)}
			if h.IWARP {
				cfg.Connector = f.Connector()
			}
			d, err := kernel.Open(cfg)
			if err != nil {
				tb.Fatalf("kernel.Open: %v", err)
			}
			devs = append(devs, d)
		}
		return devs
	}
}

// TestConform holds the device to all that the seam promises, on drivers that differ in what they do about failures.
func TestConform(t *testing.T) {
	for name, row := range map[string]struct {
		fake.Habits
		key string
	}{
		"like rxe":      {fake.Habits{}, ""},
		"keyed":         {fake.Habits{}, "a key that the processes of a job share"},
		"like siw":      {fake.Habits{IWARP: true, FlushesReceives: true}, "a key that the processes of a job share"},
		"like irdma":    {fake.Habits{IWARP: true, Forgets: true}, ""},
		"like hardware": {fake.Habits{FlushesReceives: true, Forgets: true, SaysLength: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			verbstest.Run(t, opener(row.Habits, row.key), verbstest.Options{Brief: name != "like rxe", Allocates: true, Seed: *seed})
		})
	}
}
