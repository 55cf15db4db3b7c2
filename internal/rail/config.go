package rail

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Channel says where frames of a stream land.
type Channel uint8

// The channels.
const (
	SRQ      Channel = iota // receives shared by all connections
	SR                      // receives of each connection
	ArdmaSR                 // as SR, and rings for peers that send much
	ArdmaSRQ                // as SRQ, and rings for peers that send much
	UD                      // datagrams, made reliable here
	RD                      // datagrams that the device makes reliable
	Hybrid                  // as UD, and connections as SRQ for peers that send much
	lastChannel
)

var channelNames = [...]string{"srq", "sr", "ardma-sr", "ardma-srq", "ud", "rd", "hybrid"}

func (c Channel) String() string { return channelNames[c] }

func (c Channel) rings() bool     { return c == ArdmaSR || c == ArdmaSRQ }
func (c Channel) ownRecvs() bool  { return c == SR || c == ArdmaSR }
func (c Channel) datagrams() bool { return c == UD || c == RD || c == Hybrid }
func (c Channel) connects() bool  { return c != UD && c != RD }

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
	Options
}
