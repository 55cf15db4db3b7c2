package soft

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Config says how to open a device. The zero value is a device on the loopback interface that talks to everybody
// and uses CRCs.
type Config struct {
	// Rails are the local addresses to use, one per interface, IPv4 or IPv6; none is 127.0.0.1.
	Rails []netip.Addr

	// Key is shared by the processes of a job. With it, both ends of a connection prove to each other that they
	// know it, and strangers get nowhere. Without it, RC is plain iWARP.
	Key []byte

	// KeyedDatagrams has every datagram carry a seal under keys derived from Key, in place of a
	// CRC: those of others, changed ones and repeated ones are dropped. Payloads can be read
	// without Encrypt.
	KeyedDatagrams bool

	// Encrypt makes secret what travels: connections, and datagrams, which are keyed then. It needs Key, and
	// peers that do so too: connections to and from others are refused. Then there are no CRCs on connections.
	Encrypt bool

	// NoCRC leaves out CRCs where the peer of a connection does not ask for them. Datagrams keep
	// theirs, or their seals.
	NoCRC bool

	// MPA settings, for talking to others: revision (default 2), the wish to receive markers, not to ask for
	// peer-to-peer mode, and the longest FPDU (default: what fits a TCP segment, and the most there is between
	// processes of a job).
	Revision     uint8
	Markers      bool
	NoPeerToPeer bool
	MaxFPDU      int

	// NoAlign lets FPDUs to peers of which nothing is known follow each other closely. Otherwise each of them begins
	// a TCP segment, as the standard recommends and some peers need; that costs many short messages some time.
	// Processes of a job with a key do not align.
	NoAlign bool

	// ShareSockets has all UD queue pairs of a rail use one socket, and all RD queue pairs another; the queue
	// pair's number then is part of its address. Otherwise each has a socket of its own. Between two shared sockets RD
	// keeps one order for all: a message that waits for a receive holds up those behind it, whomever they are for.
	ShareSockets bool

	// NoOffload has the kernel neither cut nor join datagrams (UDP_SEGMENT, UDP_GRO).
	NoOffload bool

	// Datagram is the longest UDP payload to send, between 256 and 65507. The default is what fits the rail's
	// MTU; longer ones travel as IP fragments. UD messages can be as long as a datagram.
	Datagram int

	// ReceiveWait is for how long, in nanoseconds, a message on RC waits for a receive to be posted before the
	// connection is ended; default 10 s.
	ReceiveWait int64

	// ConnectWait limits each step of making a connection, in nanoseconds; default 10 s. The first, until
	// the peer's host answers, is limited by Silence too.
	ConnectWait int64

	// Silence is for how long, in nanoseconds, the host of a connection's peer may leave bytes or probes unacknowledged
	// before the connection counts as broken; 0 leaves it to the kernel, which waits for many minutes. A peer that
	// is alive but reads nothing for so long while there is something to read is taken for silent too.
	Silence int64

	// Congestion is the kernel's algorithm against congestion for the TCP connections of the device, such
	// as reno or cubic; "" is the system's choice.
	Congestion string

	// UnprovenConns is how many connections may be at the stage where the peer has not proven anything; when another
	// one comes, the oldest is closed. Default 128.
	UnprovenConns int
}

const (
	maxSGE     = 32
	maxInline  = 1 << 16
	maxDepth   = 1 << 15
	maxReads   = 128
	maxPrivate = 252
	maxMessage = 1<<31 - 1
	second     = int64(1e9)
)

// complete fills in defaults and checks the rest.
func (c *Config) complete() error {
	if len(c.Rails) == 0 {
		c.Rails = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	}
	for _, a := range c.Rails {
		if !a.IsValid() || a.IsUnspecified() || a.IsMulticast() {
			return fmt.Errorf("%w: a rail needs the address of a local interface, not %v", verbs.ErrArgument, a)
		}
	}
	c.KeyedDatagrams = c.KeyedDatagrams || c.Encrypt
	setDefault(&c.Revision, 2)
	setDefault(&c.ReceiveWait, 10*second)
	setDefault(&c.ConnectWait, 10*second)
	setDefault(&c.UnprovenConns, 128)
	switch {
	case c.Revision > 2:
		return fmt.Errorf("%w: MPA revision %d; there are 1 and 2", verbs.ErrArgument, c.Revision)
	case c.MaxFPDU != 0 && (c.MaxFPDU < 128 || c.MaxFPDU > iwarp.MaxULPDU):
		return fmt.Errorf("%w: FPDUs of %d bytes; possible are 128 to %d", verbs.ErrArgument, c.MaxFPDU, iwarp.MaxULPDU)
	case c.Datagram != 0 && (c.Datagram < 256 || c.Datagram > iwarp.MaxDatagram):
		return fmt.Errorf("%w: datagrams of %d bytes; possible are 256 to %d", verbs.ErrArgument, c.Datagram, iwarp.MaxDatagram)
	case c.Encrypt && len(c.Key) == 0:
		return fmt.Errorf("%w: encryption needs a key", verbs.ErrArgument)
	case c.KeyedDatagrams && len(c.Key) == 0:
		return fmt.Errorf("%w: keyed datagrams need a key", verbs.ErrArgument)
	case c.ReceiveWait < 0 || c.ConnectWait < 0 || c.Silence < 0 || c.UnprovenConns < 0:
		return fmt.Errorf("%w: a negative limit", verbs.ErrArgument)
	}
	if c.Congestion != "" {
		if err := c.tcp().Check(); err != nil {
			return fmt.Errorf("%w: %w", verbs.ErrArgument, err)
		}
	}
	return nil
}

// tcp is what the device's TCP sockets are opened with.
func (c *Config) tcp() socket.TCPOptions { return socket.TCPOptions{Congestion: c.Congestion} }

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// wish is what this device would like an MPA connection to be.
func (c *Config) wish(qp *verbs.QPConfig) iwarp.Wish {
	return iwarp.Wish{
		CRC: !c.NoCRC && !c.Encrypt, Markers: c.Markers, Revision: c.Revision,
		PeerToPeer: !c.NoPeerToPeer && c.Revision >= 2, RTR: iwarp.RTRWrite | iwarp.RTRRead | iwarp.RTRSend,
		IRD: qp.ReadsIn, ORD: qp.Reads,
	}
}
