package soft_test

import (
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

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

// TestConform holds the device to the seam's promises.
func TestConform(t *testing.T) {
	verbstest.Run(t, opener(soft.Config{Rails: []netip.Addr{netip.MustParseAddr("127.0.0.1")}}), verbstest.Options{})
}
