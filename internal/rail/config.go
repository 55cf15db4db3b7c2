package rail

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
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

// ParseChannel finds a channel by its name.
func ParseChannel(name string) (Channel, error) {
	if i := slices.Index(channelNames[:], name); i >= 0 {
		return Channel(i), nil
	}
	return 0, fmt.Errorf("no channel is called %q; there are %s", name, strings.Join(channelNames[:], ", "))
}

func (c Channel) rings() bool     { return c == ArdmaSR || c == ArdmaSRQ }
func (c Channel) ownRecvs() bool  { return c == SR || c == ArdmaSR }
func (c Channel) datagrams() bool { return c == UD || c == RD || c == Hybrid }
func (c Channel) connects() bool  { return c != UD && c != RD }

// maxPaths is how many pairs of interfaces two peers may use.
const maxPaths = 8

// Config is what a link is made of. Zero values take defaults; where none is wanted (RCRecvs, RCMax, RingPeers), a
// negative value says so.
type Config struct {
	Device   verbs.Device
	Self     int
	Size     int                            // ranks of the job
	Address  func(peer int) (string, error) // what the peer's link said its Address is
	Prefixes []netip.Prefix                 // networks of the device's rails
	Ports    [2]uint16                      // listen on one of these; none: any
	Route    func(to netip.Addr) int        // rail by which the host would send there, -1 if unknown
	Clock    clock.Clock                    // the rank's time; nil is the host's
	Pages    *pages.Huge                    // told of memory that the device copies from and to; nil: nobody is
	Bell     func()                         // wakes whoever sleeps in the loop; any goroutine may call it. Nil: the link's own

	Channel    Channel
	Rendezvous wire.Rendezvous
	EagerMax   int    // longest message that travels with its envelope
	EagerAlone int    // the same for one that goes to its peer alone
	Unasked    int    // the longest that follows its RTS unasked, likewise
	Prefix     int    // how many of the first bytes of a longer one do, if it is to be read; at most EagerMax
	Vbuf       int    // bytes of a frame
	SRQSize    int    // receives that all connections share
	SRQLimit   int    // refill when fewer are left
	SRFirst    int    // receives of a connection at first
	SRFull     int    // and when it has earned more
	RCRecvs    int    // hybrid: receives that a connection adds
	RCMax      int    // hybrid: connections at most
	Promote    int    // hybrid: messages after which a peer gets a connection
	RingAfter  int    // ardma: messages after which a peer gets a ring
	RingPeers  int    // ardma: rings at most
	RingBytes  int    // ardma: size of a ring
	Quiet      int64  // a peer with whom nothing is exchanged for so long gives back its connections; negative: never
	Hold       int64  // short messages to a peer that follow each other within so many nanoseconds leave together; 0: each alone
	NoPlace    bool   // payloads land in receives and are copied from there, even if the device could spare that
	SendBytes  int    // memory for frames that are not acknowledged
	Stripe     int    // messages from this length on use all paths
	Striping   string // "rate", "even", "off"
	PeerWait   int64  // a peer that cannot be reached for so long is lost
	// NoReconnect: a connection that breaks loses its peer, and of payloads that were sent without a copy none is kept.
	NoReconnect bool
	Flow        flow.Config
	Reuse       Reuse
	RegEntries  int
	RegBytes    int
}

// Reuse says how short messages from buffers that are used again and again are sent.
type Reuse struct {
	On      bool
	Spec    float64 // share of the break-even count at which a buffer counts as frequently used
	Adapt   float64 // share of buffers in frequent use below which no more are counted; negative: never
	Buckets int
	Tree    bool
	// Thresholds is asked once how often a buffer must be used to be worth registering; nil measures it.
	Thresholds func() reuse.Thresholds
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// complete fills in defaults: those of the tunables, which docs/channels.md has the table of.
func (c *Config) complete() {
	setDefault(&c.Vbuf, 17<<10)
	setDefault(&c.EagerMax, 64<<10)
	c.Prefix = min(c.Prefix, c.EagerMax) // so that a message that nobody waits for takes no more memory than a short one
	setDefault(&c.SRQSize, 160)
	setDefault(&c.SRQLimit, 30)
	setDefault(&c.SRFirst, 3)
	setDefault(&c.SRFull, 64)
	setDefault(&c.RCRecvs, 95)
	setDefault(&c.RCMax, 64)
	setDefault(&c.Promote, 16)
	setDefault(&c.RingAfter, 10)
	setDefault(&c.RingPeers, 64)
	setDefault(&c.RingBytes, 500<<10)
	if c.NoReconnect {
		c.Quiet = -1 // a peer that had something to say while we closed would be lost
	}
	c.RCRecvs, c.RCMax, c.RingPeers = max(c.RCRecvs, 0), max(c.RCMax, 0), max(c.RingPeers, 0)
	setDefault(&c.Quiet, 30e9)
	setDefault(&c.SendBytes, 1536<<10)
	setDefault(&c.Stripe, 64<<10)
	setDefault(&c.PeerWait, 60e9)
	setDefault(&c.RegEntries, 1024)
	setDefault(&c.RegBytes, 64<<20)
	setDefault(&c.Flow.Window, 400)
	if c.Channel.ownRecvs() {
		c.Flow.Credit = min(c.SRFirst, c.Flow.Window)
	}
	setDefault(&c.Flow.AckEvery, 50)
	setDefault(&c.Flow.AckDelay, 20e6)
	setDefault(&c.Flow.Timeout, 500e6)
	setDefault(&c.Flow.MinTimeout, 5e6)
	setDefault(&c.Flow.MaxRetry, 1000)
	setDefault(&c.Flow.Patience, 64)
	setDefault(&c.Flow.OutOfOrder, 2501)
}
