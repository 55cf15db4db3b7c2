package rail

import (
	"errors"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/wire"
)

// Options are what can be chosen of a link. Defaults are those of a job; tune.Auto leaves a length
// to whoever knows the device, and to New in the end.
type Options struct {
	Ports      [2]uint16 // listen on one of these; none: any
	Channel    Channel
	Rendezvous wire.Rendezvous
	EagerMax   int // longest message that travels with its envelope
	EagerAlone int // the same for one that goes to its peer alone, or tune.Auto
	Unasked    int // the longest that follows its RTS unasked, or tune.Auto
	Prefix     int // how many of the first bytes of a longer one do, if it is to be read; at most EagerMax; or tune.Auto
	Vbuf       int // bytes of a frame, or tune.Auto
	Buffers
	Quiet     int64  // a peer with whom nothing is exchanged for so long gives back its connections; 0: never
	Hold      int64  // short messages to a peer that follow each other within so many nanoseconds leave together; 0: each alone
	NoPlace   bool   // payloads land in receives and are copied from there, even if the device could spare that
	SendBytes int    // memory for frames that are not acknowledged
	Stripe    int    // messages from this length on use all paths
	Striping  string // "rate", "even", "off", or "auto", which somebody else turns into one of these
	PeerWait  int64  // a peer that cannot be reached for so long is lost
	// NoReconnect: a connection that breaks loses its peer, and of payloads that were sent without
	// a copy none is kept.
	NoReconnect bool
	Flow        flow.Config
	registrar.Options
}

// Buffers say how much memory short messages land in, and who earns more.
type Buffers struct {
	SRQSize   int // receives that all connections share
	SRQLimit  int // refill when fewer are left; 0: never
	SRFirst   int // receives of a connection at first
	SRFull    int // and when it has earned more
	RCRecvs   int // hybrid: receives that a connection adds
	RCMax     int // hybrid: connections at most
	Promote   int // hybrid: messages after which a peer gets a connection
	RingAfter int // ardma: eager packets after which a peer gets a ring; sr: twice as many of any kind bring the full set
	RingPeers int // ardma: rings at most
	RingBytes int // ardma: size of a ring
}

// Defaults are the options of a job whose user says nothing.
func Defaults() Options {
	return Options{
		EagerMax: 64 << 10, EagerAlone: tune.Auto, Unasked: tune.Auto, Prefix: tune.Auto, Vbuf: tune.Auto,
		Buffers: Buffers{SRQSize: 160, SRQLimit: 30, SRFirst: 3, SRFull: 64, RCRecvs: 95, RCMax: 64, Promote: 16,
			RingAfter: 10, RingPeers: 64, RingBytes: 500 << 10},
		Quiet: 30e9, Hold: 5e3, SendBytes: 1536 << 10, Stripe: 64 << 10, Striping: "auto", PeerWait: 60e9, Flow: flow.Defaults(),
		Options: registrar.Defaults(),
	}
}

// plainVbuf is the length of frames that nobody has an opinion of.
const plainVbuf = 17 << 10

// settle decides what is still open, and what follows from the rest.
func (o *Options) settle() {
	if o.Vbuf == tune.Auto {
		o.Vbuf = plainVbuf
	}
	o.EagerAlone, o.Unasked = max(o.EagerAlone, 0), max(o.Unasked, 0)
	o.Prefix = min(max(o.Prefix, 0), o.EagerMax) // so that a message that nobody waits for takes no more memory than a short one
	if o.NoReconnect {
		o.Quiet = 0 // a peer that had something to say while we closed would be lost
	}
	if carriers[o.Channel].ownRecvs {
		o.Flow.Credit = min(o.SRFirst, o.Flow.Window)
	}
}

// Settings are the options as settings.
func (o *Options) Settings() tune.Group {
	g := tune.Group{About: "between hosts"}
	for _, rows := range [][]tune.Row{o.ways(), o.lengths(), o.buffers(), o.recovery(), o.Options.Rows()} {
		g.Rows = append(g.Rows, rows...)
	}
	return g
}

// rendezvousNames are those of the protocols that a job can have.
var rendezvousNames = []string{wire.Pull.String(), wire.Put.String(), wire.Speculate.String()}

func (o *Options) ways() []tune.Row {
	return []tune.Row{
		tune.Alike(tune.Enum("WEFT_CHANNEL", &o.Channel, channelNames[:], "where short messages land: "+strings.Join(channelNames[:], ", ")+"; see docs/researching/channels.md")),
		tune.Enum("WEFT_RNDV", &o.Rendezvous, rendezvousNames, "how long messages travel: "+strings.Join(rendezvousNames, ", ")+"; see docs/researching/rendezvous.md"),
		{Name: "WEFT_PORTS", Text: "ports to listen on, such as 20000-20100; empty: any", Get: o.formatPorts, Set: o.parsePorts},
		tune.Alike(tune.Bytes("WEFT_LAB_STRIPE", &o.Stripe, 1, 1<<40, "messages from this length on use all rails at a time")),
		tune.Word("WEFT_LAB_STRIPING", &o.Striping, "how a message is cut over rails: rate (by what each was measured to carry), even, off (whole messages in turn), auto (rate, but off when ranks outnumber processors)",
			"auto", "rate", "even", "off"),
	}
}

func (o *Options) lengths() []tune.Row {
	return []tune.Row{
		tune.Bytes("WEFT_NET_EAGER_MAX", &o.EagerMax, 0, 16<<20, "longest message between hosts that travels with its envelope"),
		tune.BytesOrAuto("WEFT_LAB_NET_EAGER_ALONE", &o.EagerAlone, 0, 16<<20, "the same for a message that goes to its peer alone: all that was sent there before has arrived; 0: no longer ones, auto: over sockets 96K, 128K where ranks outnumber processors, none where adapters are simulated"),
		tune.BytesOrAuto("WEFT_LAB_NET_UNASKED", &o.Unasked, 0, 1<<30, "longest message that follows its offer (rget) unasked, once the peer's receives are there in time; 0: none, auto: 4M over sockets, none where adapters are simulated"),
		tune.BytesOrAuto("WEFT_LAB_NET_PREFIX", &o.Prefix, 0, 16<<20, "how many first bytes of a longer message travel with its offer (rget), at most WEFT_NET_EAGER_MAX; 0: none, auto: 16K over sockets, none where adapters are simulated"),
		tune.Alike(tune.BytesOrAuto("WEFT_LAB_VBUF", &o.Vbuf, 1024, 1<<20, "bytes of a buffer for short messages, headers included; auto: 33K over sockets on the channel srq, else 17K")),
		tune.Time("WEFT_LAB_HOLD", &o.Hold, "short messages to a peer that follow each other this closely leave together, at the latest after 500us; 0: each alone"),
		tune.Unless("WEFT_LAB_PLACE", &o.NoPlace, "a short message that a receive waits for goes straight there, past the buffers of the link, where the device can do that: on, off"),
	}
}

func (o *Options) buffers() []tune.Row {
	return []tune.Row{
		tune.Count("WEFT_LAB_SRQ_SIZE", &o.SRQSize, 8, 1<<15, "receive buffers that all peers share, at most"),
		tune.Count("WEFT_LAB_SRQ_LIMIT", &o.SRQLimit, 0, 1<<15, "low watermark: more shared receive buffers are given when fewer are left; 0: never, as many as at first have to do"),
		tune.Count("WEFT_LAB_SR_FIRST", &o.SRFirst, 2, 4096, "channels sr: receive buffers of a connection at first"),
		tune.Count("WEFT_LAB_SR_FULL", &o.SRFull, 2, 4096, "channels sr: receive buffers of a connection that is used much"),
		tune.Count("WEFT_LAB_RING_AFTER", &o.RingAfter, 1, 1<<30, "channels ardma: eager messages after which a peer gets a ring to write into"),
		tune.Count("WEFT_LAB_RING_PEERS", &o.RingPeers, 0, 1<<20, "channels ardma: peers with a ring, at most"),
		tune.Bytes("WEFT_LAB_RING_BYTES", &o.RingBytes, 16<<10, 1<<30, "channels ardma: size of a ring"),
		tune.Count("WEFT_LAB_RC_RECVS", &o.RCRecvs, 0, 4096, "channel hybrid: receive buffers that every connection adds"),
		tune.Count("WEFT_LAB_RC_MAX", &o.RCMax, 0, 1<<20, "channel hybrid: connections at most; other peers keep to datagrams"),
		tune.Count("WEFT_LAB_PROMOTE", &o.Promote, 1, 1<<30, "channel hybrid: messages after which a peer gets a connection"),
		tune.Bytes("WEFT_LAB_SEND_BYTES", &o.SendBytes, 64<<10, 1<<32, "memory for messages that peers have not acknowledged"),
	}
}

func (o *Options) recovery() []tune.Row {
	f := &o.Flow
	return []tune.Row{
		tune.Time("WEFT_PEER_WAIT", &o.PeerWait, "a peer that cannot be reached for so long is lost"),
		tune.Unless("WEFT_LAB_RECONNECT", &o.NoReconnect, "make broken connections again and send what was lost; off: a broken connection loses its peer, and messages that leave without a copy are never copied: on, off"),
		tune.Time("WEFT_LAB_QUIET", &o.Quiet, "connections to a peer with whom nothing was exchanged for so long are closed, and made again when needed; 0 keeps them"),
		tune.Count("WEFT_LAB_UD_WINDOW", &f.Window, 8, 16384, "messages to a peer that may be unacknowledged"),
		tune.Count("WEFT_LAB_UD_ACK_EVERY", &f.AckEvery, 1, 4096, "messages after which a peer is sent an acknowledgement"),
		tune.Time("WEFT_LAB_UD_ACK_DELAY", &f.AckDelay, "how long an acknowledgement may wait for a message to travel with"),
		tune.Then(tune.Time("WEFT_LAB_UD_TIMEOUT", &f.Timeout, "datagrams: send again at the latest after this long; measured round trips shorten it"),
			func() { f.MinTimeout = f.Timeout / 100 }),
		tune.Count("WEFT_LAB_UD_RETRY", &f.MaxRetry, 1, 32768, "datagrams: a peer that does not answer for so many times WEFT_LAB_UD_TIMEOUT is lost"),
		tune.Count("WEFT_LAB_UD_PATIENCE", &f.Patience, 1, 1024, "datagrams: how many times WEFT_LAB_UD_TIMEOUT the pauses between copies grow to while a peer does not answer; 1: they stay, and several frames are sent each time"),
	}
}

// parsePorts takes "20000-20100", one port, or nothing for any.
func (o *Options) parsePorts(words string) error {
	if words == "" {
		o.Ports = [2]uint16{}
		return nil
	}
	low, high, isRange := strings.Cut(words, "-")
	if !isRange {
		high = low
	}
	var ports [2]uint16
	for i, text := range []string{low, high} {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n == 0 {
			return errors.New("must be ports such as 20000-20100")
		}
		ports[i] = uint16(n)
	}
	if ports[0] > ports[1] {
		return errors.New("must be ports such as 20000-20100: the first is higher than the last")
	}
	o.Ports = ports
	return nil
}

func (o *Options) formatPorts() string {
	low, high := strconv.Itoa(int(o.Ports[0])), strconv.Itoa(int(o.Ports[1]))
	switch {
	case o.Ports == [2]uint16{}:
		return ""
	case low == high:
		return low
	}
	return low + "-" + high
}
