package rail

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/verbs"
)

// maxPaths is how many pairs of interfaces two peers may use.
const maxPaths = 8

// Config is what a link is made of.
type Config struct {
	Device   verbs.Device
	Self     int
	Size     int                            // ranks of the job
	Address  func(peer int) (string, error) // what the peer's link said its Address is
	Prefixes []netip.Prefix                 // networks of the device's rails
	Route    func(to netip.Addr) int        // rail by which the host would send there, -1 if unknown
	Clock    clock.Clock                    // the rank's time; nil is the host's
	Pages    *pages.Huge                    // told of memory that the device copies from and to; nil: nobody is
	Bell     func()                         // wakes whoever sleeps in the loop; any goroutine may call it. Nil: the link's own
	Rung     func() bool                    // there is something else to do for whoever sleeps at the link's own bell; nil: never
	Options
}
