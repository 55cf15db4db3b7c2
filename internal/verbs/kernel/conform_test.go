package kernel_test

import (
	"flag"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

var seed = flag.Uint64("seed", 1, "of everything random in the conformance tests")

var home = kernel.Port{Name: "fake", Number: 1, GID: ibv.GID{10: 0xff, 11: 0xff, 12: 127, 15: 1}, Global: true, Addr: netip.MustParseAddr("127.0.0.1"),
	IPMTU: 1500}

// opener opens devices on one fabric.
func opener(h habits, key string) verbstest.Opener {
	return func(tb testing.TB, n int) []verbs.Device {
		tb.Helper()
		f := newFabric(h)
		var devs []verbs.Device
		for range n {
			d, err := kernel.Open(kernel.Config{Context: f.open(), Ports: []kernel.Port{home}, Key: []byte(key)})
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
		habits
		key string
	}{
		"like rxe":      {habits{}, ""},
		"keyed":         {habits{}, "a key that the processes of a job share"},
		"like hardware": {habits{flushesReceives: true, forgets: true, saysLength: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			verbstest.Run(t, opener(row.habits, row.key), verbstest.Options{Brief: name != "like rxe", Allocates: true, Seed: *seed})
		})
	}
}
