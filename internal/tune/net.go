package tune

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Net are the tunables of the links between hosts.
type Net struct {
	Links      string // "auto", "shm", "rail"
	Channel    string
	Rendezvous string // "rget", "rput", "speculative"
	Iface      string
	Ports      [2]uint16
	Rails      int
	EagerMax   int
	EagerAlone int // or Auto
	Unasked    int // or Auto
	Prefix     int // or Auto
	Vbuf       int // or Auto
	SRQSize    int
	SRQLimit   int
	SRFirst    int
	SRFull     int
	RingAfter  int
	RingPeers  int
	RingBytes  int
	RCRecvs    int
	RCMax      int
	Promote    int
	SendBytes  int
	Stripe     int
	Striping   string // "auto", "rate", "even", "off"
	Window     int
	AckEvery   int
	AckDelay   time.Duration
	Hold       time.Duration
	Timeout    time.Duration
	Retries    int
	Patience   int
	Drop       float64 // shares of datagrams that the sender drops, doubles and delays, for tests
	Double     float64
	Delay      float64
	Congestion string // a name of the kernel's, "auto" or "system"
	Silence    time.Duration
	PeerWait   time.Duration
	Quiet      time.Duration
	Reconnect  bool
	Place      bool
	CRC        bool
	RegEntries int
	RegBytes   int
	Reuse      bool
	ReuseSpec  float64
	ReuseAdapt float64
	ReuseTable string // "hash", "tree"
	ReuseCosts string // "measured", "paper"
}

// Auto leaves a number of bytes to the device.
const Auto = -1

// Spec are the tunables of the speculative rendezvous.
type Spec struct {
	Threshold float64
	Samples   int
	Window    int
	Scope     string // "envelope", "process"
	Unused    int
	RoundTrip time.Duration
	Chain     bool
	Initial   bool
}

// congestionName is what the kernel may call such an algorithm; whether it has one of that name is found out where it is used.
var congestionName = regexp.MustCompile(`^[a-z0-9_-]{1,15}$`)

// Makers of setters, for rows of the same kind.

func word(dst func(*Settings) *string, words ...string) func(*Settings, string) error {
	return func(s *Settings, v string) error { return choice(dst(s), v, words...) }
}

func onOff(dst func(*Settings) *bool) func(*Settings, string) error {
	return func(s *Settings, v string) error {
		var w string
		err := choice(&w, v, "on", "off")
		*dst(s) = w == "on"
		return err
	}
}

func size(dst func(*Settings) *int, least, most int) func(*Settings, string) error {
	return func(s *Settings, v string) error {
		n, err := parseBytes(v, most)
		if err == nil && n < least {
			err = fmt.Errorf("must be at least %d bytes", least)
		}
		*dst(s) = n
		return err
	}
}

// sizeOrAuto is size, or Auto for the word auto.
func sizeOrAuto(dst func(*Settings) *int, least, most int) func(*Settings, string) error {
	bytes := size(dst, least, most)
	return func(s *Settings, v string) error {
		if v == "auto" {
			*dst(s) = Auto
			return nil
		}
		return bytes(s, v)
	}
}

func count(dst func(*Settings) *int, least, most int) func(*Settings, string) error {
	return func(s *Settings, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < least || n > most {
			return fmt.Errorf("must be a number from %d to %d", least, most)
		}
		*dst(s) = n
		return nil
	}
}

func share(dst func(*Settings) *float64) func(*Settings, string) error {
	return func(s *Settings, v string) error {
		x, err := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64)
		if strings.HasSuffix(v, "%") {
			x /= 100
		}
		if err != nil || !(x >= 0 && x <= 1) {
			return errors.New("must be a share such as 0.25 or 25%")
		}
		*dst(s) = x
		return nil
	}
}

func duration(dst func(*Settings) *time.Duration) func(*Settings, string) error {
	return func(s *Settings, v string) (err error) {
		*dst(s), err = parseDuration(v)
		return err
	}
}

// checkIface takes a list of names, addresses and networks, with ^ in front or not.
func checkIface(v string) error {
	if v == "" {
		return nil
	}
	for word := range strings.SplitSeq(strings.TrimPrefix(v, "^"), ",") {
		_, noNet := netip.ParsePrefix(word)
		_, noAddr := netip.ParseAddr(word)
		if noNet != nil && noAddr != nil && !interfaceName.MatchString(word) {
			return errors.New("must be names and networks such as eth0,10.0.0.0/8, with ^ in front to leave them out")
		}
	}
	return nil
}

var interfaceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@-]{0,14}$`)

// parsePorts takes "20000-20100", one port, or nothing for any.
func parsePorts(v string) (ports [2]uint16, err error) {
	if v == "" {
		return ports, nil
	}
	low, high, isRange := strings.Cut(v, "-")
	if !isRange {
		high = low
	}
	for i, text := range []string{low, high} {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n == 0 {
			return ports, errors.New("must be ports such as 20000-20100")
		}
		ports[i] = uint16(n)
	}
	if ports[0] > ports[1] {
		return ports, errors.New("the first port is higher than the last")
	}
	return ports, nil
}

// channels as package rail knows them; a test of rail holds both lists together.
var channels = []string{"srq", "sr", "ardma-sr", "ardma-srq", "ud", "rd", "hybrid"}

var netTable = []tunable{
	{"WEFT_LINKS", "auto", "how ranks reach each other: auto (shared memory on a host, the network between hosts), shm, rail (the network everywhere)",
		word(func(s *Settings) *string { return &s.Net.Links }, "auto", "shm", "rail")},
	{"WEFT_CHANNEL", "srq", "where short messages land: " + strings.Join(channels, ", ") + "; see docs/channels.md",
		word(func(s *Settings) *string { return &s.Net.Channel }, channels...)},
	{"WEFT_RNDV", "rget", "how long messages travel between hosts: rget, rput, speculative; see docs/rendezvous.md",
		word(func(s *Settings) *string { return &s.Net.Rendezvous }, "rget", "rput", "speculative")},
	{"WEFT_IFACE", "", "network interfaces by name or network, such as eth0,10.0.0.0/8; with ^ in front: all but these; empty: all that lead outside", func(s *Settings, v string) error {
		s.Net.Iface = v
		return checkIface(v)
	}},
	{"WEFT_PORTS", "", "ports to listen on, such as 20000-20100; empty: any", func(s *Settings, v string) (err error) {
		s.Net.Ports, err = parsePorts(v)
		return err
	}},
	{"WEFT_RAILS", "8", "network interfaces to use at most",
		count(func(s *Settings) *int { return &s.Net.Rails }, 1, 8)},
	{"WEFT_NET_EAGER_MAX", "64K", "longest message between hosts that travels with its envelope",
		size(func(s *Settings) *int { return &s.Net.EagerMax }, 0, 16<<20)},
	{"WEFT_NET_EAGER_ALONE", "auto", "the same for a message that goes to its peer alone: all that was sent there before has arrived; 0: no longer ones, auto: over sockets 96K, 128K where ranks outnumber processors, none where adapters are simulated",
		sizeOrAuto(func(s *Settings) *int { return &s.Net.EagerAlone }, 0, 16<<20)},
	{"WEFT_NET_UNASKED", "auto", "longest message that follows its offer (rget) unasked, once the peer's receives are there in time; 0: none, auto: 4M over sockets, none where adapters are simulated",
		sizeOrAuto(func(s *Settings) *int { return &s.Net.Unasked }, 0, 1<<30)},
	{"WEFT_NET_PREFIX", "auto", "how many first bytes of a longer message travel with its offer (rget), at most WEFT_NET_EAGER_MAX; 0: none, auto: 16K over sockets, none where adapters are simulated",
		sizeOrAuto(func(s *Settings) *int { return &s.Net.Prefix }, 0, 16<<20)},
	{"WEFT_VBUF", "auto", "bytes of a buffer for short messages between hosts, headers included; auto: 33K over sockets on the channel srq, else 17K",
		sizeOrAuto(func(s *Settings) *int { return &s.Net.Vbuf }, 1024, 1<<20)},
	{"WEFT_HOLD", "5us", "short messages to a peer that follow each other this closely leave together, at the latest after 500us; 0: each alone",
		duration(func(s *Settings) *time.Duration { return &s.Net.Hold })},
	{"WEFT_PLACE", "on", "a short message that a receive waits for goes straight there, past the buffers of the link, where the device can do that",
		onOff(func(s *Settings) *bool { return &s.Net.Place })},
	{"WEFT_SRQ_SIZE", "160", "receive buffers that all peers share, at most",
		count(func(s *Settings) *int { return &s.Net.SRQSize }, 8, 1<<15)},
	{"WEFT_SRQ_LIMIT", "30", "low watermark: more shared receive buffers are given when fewer are left",
		count(func(s *Settings) *int { return &s.Net.SRQLimit }, 1, 1<<15)},
	{"WEFT_SR_FIRST", "3", "channels sr: receive buffers of a connection at first",
		count(func(s *Settings) *int { return &s.Net.SRFirst }, 2, 4096)},
	{"WEFT_SR_FULL", "64", "channels sr: receive buffers of a connection that is used much",
		count(func(s *Settings) *int { return &s.Net.SRFull }, 2, 4096)},
	{"WEFT_RING_AFTER", "10", "channels ardma: messages after which a peer gets a ring to write into",
		count(func(s *Settings) *int { return &s.Net.RingAfter }, 1, 1<<30)},
	{"WEFT_RING_PEERS", "64", "channels ardma: peers with a ring, at most",
		count(func(s *Settings) *int { return &s.Net.RingPeers }, 0, 1<<20)},
	{"WEFT_RING_BYTES", "500K", "channels ardma: size of a ring",
		size(func(s *Settings) *int { return &s.Net.RingBytes }, 16<<10, 1<<30)},
	{"WEFT_RC_RECVS", "95", "channel hybrid: receive buffers that every connection adds",
		count(func(s *Settings) *int { return &s.Net.RCRecvs }, 0, 4096)},
	{"WEFT_RC_MAX", "64", "channel hybrid: connections at most; other peers keep to datagrams",
		count(func(s *Settings) *int { return &s.Net.RCMax }, 0, 1<<20)},
	{"WEFT_PROMOTE", "16", "channel hybrid: messages after which a peer gets a connection",
		count(func(s *Settings) *int { return &s.Net.Promote }, 1, 1<<30)},
	{"WEFT_SEND_BYTES", "1536K", "memory for messages that peers have not acknowledged",
		size(func(s *Settings) *int { return &s.Net.SendBytes }, 64<<10, 1<<32)},
	{"WEFT_STRIPE", "64K", "messages from this length on use all rails at a time",
		size(func(s *Settings) *int { return &s.Net.Stripe }, 1, 1<<40)},
	{"WEFT_STRIPING", "auto", "how a message is cut over rails: rate (by what each was measured to carry), even, off (whole messages in turn), auto (rate, but off when ranks outnumber processors)",
		word(func(s *Settings) *string { return &s.Net.Striping }, "auto", "rate", "even", "off")},
	{"WEFT_UD_WINDOW", "400", "messages to a peer that may be unacknowledged",
		count(func(s *Settings) *int { return &s.Net.Window }, 8, 16384)},
	{"WEFT_UD_ACK_EVERY", "50", "messages after which a peer is sent an acknowledgement",
		count(func(s *Settings) *int { return &s.Net.AckEvery }, 1, 4096)},
	{"WEFT_UD_ACK_DELAY", "20ms", "how long an acknowledgement may wait for a message to travel with",
		duration(func(s *Settings) *time.Duration { return &s.Net.AckDelay })},
	{"WEFT_UD_TIMEOUT", "500ms", "datagrams: send again at the latest after this long; measured round trips shorten it",
		duration(func(s *Settings) *time.Duration { return &s.Net.Timeout })},
	{"WEFT_UD_RETRY", "1000", "datagrams: a peer that does not answer for so many times WEFT_UD_TIMEOUT is lost",
		count(func(s *Settings) *int { return &s.Net.Retries }, 1, 32768)},
	{"WEFT_UD_PATIENCE", "64", "datagrams: how many times WEFT_UD_TIMEOUT the pauses between copies grow to while a peer does not answer; 1: they stay, and several frames are sent each time",
		count(func(s *Settings) *int { return &s.Net.Patience }, 1, 1024)},
	{"WEFT_UD_DROP", "0", "datagrams: share that is dropped on purpose, to test what happens then",
		share(func(s *Settings) *float64 { return &s.Net.Drop })},
	{"WEFT_UD_DOUBLE", "0", "datagrams: share that is sent twice on purpose",
		share(func(s *Settings) *float64 { return &s.Net.Double })},
	{"WEFT_UD_DELAY", "0", "datagrams: share that is held back on purpose, so that others overtake it",
		share(func(s *Settings) *float64 { return &s.Net.Delay })},
	{"WEFT_CONGESTION", "auto", "TCP: the kernel's algorithm against congestion on connections between ranks, such as reno or cubic; system: the system's; auto: likewise, but reno where that is bbr",
		func(s *Settings, v string) error {
			if s.Net.Congestion = v; !congestionName.MatchString(v) {
				return errors.New("must be auto, system or a name of /proc/sys/net/ipv4/tcp_available_congestion_control, such as reno or cubic")
			}
			return nil
		}},
	{"WEFT_SILENCE", "5s", "a connection whose peer's host is silent for so long is given up, and made again another way",
		duration(func(s *Settings) *time.Duration { return &s.Net.Silence })},
	{"WEFT_QUIET", "30s", "connections to a peer with whom nothing was exchanged for so long are closed, and made again when needed; 0 keeps them",
		duration(func(s *Settings) *time.Duration { return &s.Net.Quiet })},
	{"WEFT_PEER_WAIT", "60s", "a peer that cannot be reached for so long is lost",
		duration(func(s *Settings) *time.Duration { return &s.Net.PeerWait })},
	{"WEFT_RECONNECT", "on", "make broken connections again and send what was lost; off: a broken connection loses its peer, and messages that leave without a copy are never copied: on, off",
		onOff(func(s *Settings) *bool { return &s.Net.Reconnect })},
	{"WEFT_CRC", "off", "check everything that travels over TCP with a CRC, besides TCP's own checksum: on, off",
		onOff(func(s *Settings) *bool { return &s.Net.CRC })},
	{"WEFT_REGCACHE", "1024", "registrations of user memory that are kept for the next message; 0 keeps none",
		count(func(s *Settings) *int { return &s.Net.RegEntries }, 0, 1<<20)},
	{"WEFT_REGCACHE_BYTES", "64M", "bytes of them",
		size(func(s *Settings) *int { return &s.Net.RegBytes }, 0, 1<<40)},
	{"WEFT_REUSE", "on", "send short messages from where the program has them, without a copy first, if a buffer is used often: on, off",
		onOff(func(s *Settings) *bool { return &s.Net.Reuse })},
	{"WEFT_REUSE_SPEC", "25%", "share of the uses that would pay for a registration after which a buffer counts as used often",
		share(func(s *Settings) *float64 { return &s.Net.ReuseSpec })},
	{"WEFT_REUSE_ADAPT", "20%", "stop looking at new buffers when fewer than this share are used often",
		share(func(s *Settings) *float64 { return &s.Net.ReuseAdapt })},
	{"WEFT_REUSE_TABLE", "hash", "how buffers are remembered: hash, tree",
		word(func(s *Settings) *string { return &s.Net.ReuseTable }, "hash", "tree")},
	{"WEFT_REUSE_COSTS", "measured", "how many uses pay for a registration: measured (on this host, with the first message), paper (as on the platform of the original experiments)",
		word(func(s *Settings) *string { return &s.Net.ReuseCosts }, "measured", "paper")},
	{"WEFT_SPEC_THRESHOLD", "80%", "speculative: share of early offers that must have been of use, else they stop",
		share(func(s *Settings) *float64 { return &s.Spec.Threshold })},
	{"WEFT_SPEC_SAMPLES", "8", "speculative: early offers before that is judged",
		count(func(s *Settings) *int { return &s.Spec.Samples }, 1, 1<<20)},
	{"WEFT_SPEC_WINDOW", "64", "speculative: early offers that are judged together",
		count(func(s *Settings) *int { return &s.Spec.Window }, 1, 64)},
	{"WEFT_SPEC_SCOPE", "envelope", "speculative: judge offers by envelope (peer, tag, communicator) or for the whole process",
		word(func(s *Settings) *string { return &s.Spec.Scope }, "envelope", "process")},
	{"WEFT_SPEC_UNUSED", "8", "speculative: early offers in a row without use after which an envelope makes none for a while",
		count(func(s *Settings) *int { return &s.Spec.Unused }, 1, 1<<20)},
	{"WEFT_SPEC_RTT", "30us", "speculative: how much earlier than its message a receive must be posted for its offer to be of use",
		duration(func(s *Settings) *time.Duration { return &s.Spec.RoundTrip })},
	{"WEFT_SPEC_CHAIN", "on", "speculative and rput: the end of a write is told by the network itself, not by the sender's next call: on, off",
		onOff(func(s *Settings) *bool { return &s.Spec.Chain })},
	{"WEFT_SPEC_INITIAL", "on", "speculative: look for arrived packets before a long message is posted: on, off",
		onOff(func(s *Settings) *bool { return &s.Spec.Initial })},
}
