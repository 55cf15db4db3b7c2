package simtest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Options say what cases have in common; what is empty, the seed decides.
type Options struct {
	Channel    string
	Rendezvous string
	Faults     string // of one kind, "none", or a mixture
	// Programs: "duels" are long messages that cross the receives posted for them, "claims" such of which
	// some are claimed and received late, "unasked" long messages to a rank whose receives are there in
	// time, or not, "collectives" calls that an algorithm serves: Algorithm, or one that the seed chooses,
	// "windows" operations on other ranks' memory, "impatient" calls whose contexts end, "shapes" data apart,
	// two groups, calls that are made once and messages in parts.
	Programs  string
	Algorithm string // full name
	Nodes     string // even or uneven, see Nodes
	Ranks     int
	Profile   string
	Settings  []string // WEFT_NAME=value
}

// Channels and Rendezvous are the choices of a seed, Programs those of whoever runs it.
var (
	Programs   = []string{"duels", "claims", "unasked", "collectives", "windows", "impatient", "shapes"}
	Channels   = []string{"srq", "sr", "ardma-sr", "ardma-srq", "ud", "hybrid"}
	Rendezvous = []string{"rget", "rput", "speculative"}
	profiles   = []string{"ne020", "connectx-ddr", "ib-sdr", "mt25204", "myri10g-mx", "qsnet2", "10ge", "roce-100g", "ndr"}
)

// shape makes the job of a seed. Limits are small, so that what happens at them happens soon.
func (g *generator) shape(o Options) Shape {
	s := Shape{Ranks: 2 + g.up(10), Rails: 1, Profile: one(g, profiles...)}
	if g.chance(25) {
		s.Rails = 2
	}
	if o.Ranks > 0 {
		s.Ranks = o.Ranks
	}
	s.Nodes = 1 + g.rng.IntN(min(4, s.Ranks))
	if g.chance(60) {
		s.Nodes = min(4, s.Ranks)
	}
	if o.Profile != "" {
		s.Profile = o.Profile
	}
	channel, rendezvous := one(g, Channels...), one(g, Rendezvous...)
	if o.Channel != "" {
		channel = o.Channel
	}
	if o.Rendezvous != "" {
		rendezvous = o.Rendezvous
	}
	s.set("CHANNEL", channel)
	s.set("RNDV", rendezvous)
	s.set("LINKS", one(g, "auto", "rail", "rail"))
	s.set("PROGRESS", one(g, "auto", "wake", "poll"))
	s.set("CHECK", one(g, "on", "off"))
	s.set("STALL", "0")
	g.limitsOf(&s)
	g.timesOf(&s)
	g.memoryOf(&s)
	g.speculationOf(&s)
	aside(g.c.Seed, 1).switchesOf(&s)
	aside(g.c.Seed, 2).asksOf(&s, o)
	aside(g.c.Seed, 4).inlineOf(&s)
	aside(g.c.Seed, 8).unreceivedOf(&s)
	aside(g.c.Seed, 5).unevenOf(&s, o)
	s.Settings = append(s.Settings, o.Settings...)
	return s
}

// set gives a tunable a value.
func (s *Shape) set(name string, value any) {
	s.Settings = append(s.Settings, fmt.Sprintf("WEFT_%s=%v", name, value))
}

// value is what a tunable was set to last, "" if it was not.
func (s *Shape) value(variable string) (v string) {
	for _, e := range s.Settings {
		if name, value, _ := strings.Cut(e, "="); name == variable {
			v = value
		}
	}
	return v
}

// number is the value of a tunable that was set to a number, else 0.
func (s *Shape) number(variable string) int {
	n, err := strconv.Atoi(s.value(variable))
	if err != nil {
		return 0
	}
	return n
}

// limitsOf sets how much of everything there is.
func (g *generator) limitsOf(s *Shape) {
	s.set("NET_EAGER_MAX", one(g, 0, 200, 512, 1024, 4096, 16384, 65536))
	s.set("LAB_VBUF", one(g, 1024, 1024, 2048, 4096, 16384))
	size := one(g, 8, 12, 20, 64, 192)
	s.set("LAB_SRQ_SIZE", size)
	s.set("LAB_SRQ_LIMIT", 1+g.rng.IntN(size/2))
	first := 2 + g.up(3)
	s.set("LAB_SR_FIRST", first)
	s.set("LAB_SR_FULL", first+g.up(30))
	s.set("LAB_RING_AFTER", 1+g.up(10))
	s.set("LAB_RING_PEERS", one(g, 0, 1, 2, 64))
	s.set("LAB_RING_BYTES", one(g, 16384, 20000, 65536, 512000))
	s.set("LAB_RC_RECVS", one(g, 0, 2, 8, 95))
	s.set("LAB_RC_MAX", one(g, 0, 1, 2, 64))
	s.set("LAB_PROMOTE", 1+g.up(12))
	s.set("LAB_SEND_BYTES", one(g, 65536, 100000, 1536<<10))
	s.set("LAB_STRIPE", one(g, 1000, 4096, 65536))
	s.set("LAB_STRIPING", one(g, "rate", "even", "off"))
	s.set("LAB_UD_WINDOW", one(g, 8, 10, 16, 50, 400))
	s.set("LAB_UD_ACK_EVERY", one(g, 1, 2, 5, 50))
	s.set("LAB_UD_RETRY", 1000)
	s.set("LAB_NET_PREFIX", []int{0, 100, 1000, 16384}[g.c.Seed%4])
}

// aside draws from a chance of its own, so that what the seed stands for else stays as it is.
func aside(seed, subject uint64) *generator {
	return &generator{rng: rand.New(rand.NewPCG(seed, 0xa51de+subject))}
}

// switchesOf sets what may be done in more than one way. Sizes are such around which programs have messages.
func (g *generator) switchesOf(s *Shape) {
	if g.chance(20) {
		s.set("LAB_VBUF", one(g, 17<<10, 33<<10))
	}
	alone := one(g, 0, 2*s.number("WEFT_LAB_VBUF"), 2*s.number("WEFT_NET_EAGER_MAX"), 64<<10)
	s.set("LAB_NET_EAGER_ALONE", alone)
	s.set("LAB_UD_PATIENCE", one(g, 2, 8, 64, 1024)) // not 1: copies may then crowd out their own acknowledgements for ever
	s.set("LAB_HOLD", one(g, "0", "5us", "5us", "100us"))
	s.set("LAB_COLL_SCHEME", one(g, "auto", "auto", "copied", "announced"))
	s.set("LAB_COLL_SLIPS", one(g, "on", "on", "off"))
}

// asksOf has half of the jobs run on interfaces that ask programs what becomes of messages. The first
// segment of a Send is longer than a receive, so that longer messages may come unasked.
func (g *generator) asksOf(s *Shape, o Options) {
	if g.chance(50) && o.Programs != "unasked" {
		return
	}
	s.Asks = s.number("WEFT_LAB_VBUF") + one(g, 1, 700, 4096)
	s.set("LAB_NET_UNASKED", one(g, 0, 64<<10, 4<<20, 4<<20))
	s.set("LAB_PLACE", one(g, "on", "on", "on", "on", "off"))
}

// inlineOf has half of the jobs run on interfaces that take long messages inline: some of the frames that
// there are, or all.
func (g *generator) inlineOf(s *Shape) {
	if g.chance(50) {
		s.Inline = one(g, 64, 700, 4096, 64<<10)
	}
}

// unevenOf has half of the jobs run on nodes that are not alike, with more ranks than others and
// mostly with shared memory.
func (g *generator) unevenOf(s *Shape, o Options) {
	ranks := s.Ranks
	if o.Ranks == 0 {
		s.Ranks = 2 + g.rng.IntN(11)
	}
	if g.nodesOf(s, o); s.Spots == nil {
		s.Ranks = ranks
		return
	}
	s.set("LINKS", one(g, "auto", "auto", "rail"))
	s.set("LAB_STRIPING", one(g, s.value("WEFT_LAB_STRIPING"), "auto"))
}

// unreceivedOf bounds the messages that nobody asks for, in a third of the jobs so much that
// senders are held now and then.
func (g *generator) unreceivedOf(s *Shape) {
	if g.chance(33) {
		s.set("UNEXPECTED", one(g, 600, 4096, 32<<10))
	}
}

// timesOf sets how long things may take.
func (g *generator) timesOf(s *Shape) {
	timeout := one(g, time.Millisecond, 10*time.Millisecond, 100*time.Millisecond)
	s.set("LAB_UD_TIMEOUT", timeout)
	s.set("LAB_UD_ACK_DELAY", timeout/one(g, time.Duration(2), 10, 50))
	s.set("LAB_QUIET", one(g, "0", "1ms", "5ms", "30s"))
	s.set("PEER_WAIT", one(g, "1s", "10s"))
	s.set("SILENCE", one(g, "100ms", "1s"))
}

// memoryOf sets how registrations are kept and buffers are used again.
func (g *generator) memoryOf(s *Shape) {
	s.set("LAB_REGCACHE", one(g, 0, 1, 2, 5, 1024))
	s.set("LAB_REGCACHE_BYTES", one(g, 0, 8192, 100000, 64<<20))
	s.set("LAB_REUSE", one(g, "on", "on", "off"))
	s.set("LAB_REUSE_SPEC", one(g, "0", "25%"))
	s.set("LAB_REUSE_ADAPT", one(g, "0", "20%"))
	s.set("LAB_REUSE_TABLE", one(g, "hash", "tree"))
	s.set("LAB_REUSE_COSTS", "paper") // those of the host would be another chance
	s.set("LAB_REUSE_WAITS", "on")
}

// speculationOf sets how long messages announce themselves.
func (g *generator) speculationOf(s *Shape) {
	s.set("LAB_SPEC_THRESHOLD", one(g, "0", "0", "50%", "80%"))
	s.set("LAB_SPEC_SAMPLES", 1+g.up(8))
	s.set("LAB_SPEC_WINDOW", one(g, 1, 4, 8, 64))
	s.set("LAB_SPEC_SCOPE", one(g, "envelope", "process"))
	s.set("LAB_SPEC_UNUSED", 1+g.up(8))
	s.set("LAB_SPEC_RTT", one(g, "1us", "30us"))
	s.set("LAB_SPEC_CHAIN", one(g, "on", "off"))
	s.set("LAB_SPEC_INITIAL", one(g, "on", "off"))
}
