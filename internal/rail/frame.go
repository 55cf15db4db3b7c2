package rail

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// kind says what a frame is.
type kind uint8

// Frames. Those up to lastNumbered belong to the stream: they have sequence numbers, are kept until acknowledged and
// come in order.
const (
	kWhole   kind = iota + 1 // a packet with all of its payload
	kFirst                   // a packet with the beginning of its payload
	kPiece                   // more of it
	kLast                    // the rest of it
	kRepeat                  // the payload of an eager packet whose envelope is that of the last one
	kLong                    // an RTS with all of its message, past the receive
	kDown                    // this bulk lane is dead: close it, and say what came over it
	kDownAck                 // it is closed, and this is what came over it
	kReq                     // hybrid: let us have a connection
	kRep                     // yes: connect there, or not now
	kCnf                     // connecting
	kKeys                    // the keys of some memory over all rails, where they differ
	lastNumbered

	kAck  // nothing but an acknowledgement
	kRing // here is a ring to write into, or the ring is gone
	kTail // on a bulk lane: the write before it is in place
	lastKind
)

var kindNames = [...]string{kWhole: "WHOLE", kFirst: "FIRST", kPiece: "PIECE", kLast: "LAST", kRepeat: "REPEAT", kLong: "LONG", kDown: "DOWN", kDownAck: "DOWN_ACK",
	kReq: "CONN_REQ", kRep: "CONN_REP", kCnf: "CONN_CNF", kKeys: "KEYS", kAck: "CREDIT", kRing: "ADDR", kTail: "TAIL"}

func (k kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

func (k kind) numbered() bool { return k < lastNumbered }

// word tells that a frame of the stream is no packet, nor a piece of one: links say it to each other about connections.
func (k kind) word() bool { return k >= kDown && k < lastNumbered }

// fUrge is a flag of a frame: the sender is short of buffers, acknowledge at once.
const fUrge = 1

// header is what every frame begins with: kind(1) flags(1) freed(2) from(4) seq(4) ack(4) limit(4).
type header struct {
	kind  kind
	flags uint8
	freed uint16 // ring slots that the sender of the frame has emptied since the ring was made, modulo 2^16
	from  uint32 // rank that sends it
	seq   uint32 // number in the stream
	ack   uint32 // the next number that the sender of the frame waits for
	limit uint32 // the first number that it has no room for yet
}

const headerSize = 20

var le = binary.LittleEndian

func (h *header) put(b []byte) {
	_ = b[headerSize-1]
	b[0], b[1] = byte(h.kind), h.flags
	le.PutUint16(b[2:], h.freed)
	le.PutUint32(b[4:], h.from)
	le.PutUint32(b[8:], h.seq)
	le.PutUint32(b[12:], h.ack)
	le.PutUint32(b[16:], h.limit)
}

var errFrame = errors.New("rail: not a frame")

// parse reads a frame and returns its body.
func (h *header) parse(b []byte) ([]byte, error) {
	if len(b) < headerSize {
		return nil, fmt.Errorf("%w: %d bytes", errFrame, len(b))
	}
	h.kind, h.flags = kind(b[0]), b[1]
	if h.kind == 0 || h.kind >= lastKind || h.kind == lastNumbered {
		return nil, fmt.Errorf("%w: %v", errFrame, h.kind)
	}
	h.freed = le.Uint16(b[2:])
	h.from, h.seq, h.ack, h.limit = le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:]), le.Uint32(b[16:])
	return b[headerSize:], nil
}

// class of a lane.
type class uint8

// A peer has one express lane, and a lane of each other class on each path, made when it is of use.
const (
	express class = iota
	bulk          // reads and writes
	back          // those whose bytes go to the lower rank, once they meet others
	side          // the stream, where packets ask for the path
	classes
)

func (c class) String() string { return [...]string{"express", "bulk", "back", "side"}[c] }

// long tells that lanes of the class carry reads and writes.
func (c class) long() bool { return c == bulk || c == back }

// hello is the private data of a connection request: who asks, for which lane.
type hello struct {
	class    class
	fromRail uint8  // the asker's interface
	toRail   uint8  // the asked one's
	from     uint32 // rank
	to       uint32
	gen      uint32 // number of the lane, counted by the asker
	seen     uint32 // number of the last such lane that the asked one made and the asker has accepted
	expected uint32 // the next frame of the stream that the asker waits for
}

const (
	helloMagic = 0x54464557 // "WEFT"
	helloSize  = 4 + 4 + 5*4
)

func (h *hello) append(b []byte) []byte {
	b = le.AppendUint32(b, helloMagic)
	b = append(b, 1, byte(h.class), h.fromRail, h.toRail)
	b = le.AppendUint32(b, h.from)
	b = le.AppendUint32(b, h.to)
	b = le.AppendUint32(b, h.gen)
	b = le.AppendUint32(b, h.seen)
	return le.AppendUint32(b, h.expected)
}

func (h *hello) parse(b []byte) error {
	if len(b) != helloSize || le.Uint32(b) != helloMagic || b[4] != 1 || b[5] >= uint8(classes) {
		return fmt.Errorf("%w: a connection request of %d bytes that is none of ours", errFrame, len(b))
	}
	h.class, h.fromRail, h.toRail = class(b[5]), b[6], b[7]
	h.from, h.to, h.gen = le.Uint32(b[8:]), le.Uint32(b[12:]), le.Uint32(b[16:])
	h.seen, h.expected = le.Uint32(b[20:]), le.Uint32(b[24:])
	return nil
}

// answer is the private data of an acceptance or a rejection.
type answer struct {
	verdict  verdict
	expected uint32
}

type verdict uint8

const (
	accepted verdict = iota
	crossed          // our own request to you goes first: wait for it
	refused          // we have no use for it
)

const answerSize = 5

func (a *answer) append(b []byte) []byte {
	return le.AppendUint32(append(b, byte(a.verdict)), a.expected)
}

func (a *answer) parse(b []byte) error {
	if len(b) < answerSize || b[0] > uint8(refused) {
		return fmt.Errorf("%w: an answer of %d bytes", errFrame, len(b))
	}
	a.verdict, a.expected = verdict(b[0]), le.Uint32(b[1:])
	return nil
}

// laneName is the body of DOWN and, with a count, of DOWN_ACK: rails as the sender of the frame sees them.
type laneName struct {
	fromRail, toRail uint8
	asked            bool // the sender of the frame asked for the lane
	gen              uint32
	tails            uint32 // DOWN_ACK: how many tails came over the lane
}

const laneNameSize = 11

func (n *laneName) append(b []byte) []byte {
	asked := byte(0)
	if n.asked {
		asked = 1
	}
	b = append(b, n.fromRail, n.toRail, asked)
	b = le.AppendUint32(b, n.gen)
	return le.AppendUint32(b, n.tails)
}

func (n *laneName) parse(b []byte) error {
	if len(b) < laneNameSize {
		return errFrame
	}
	n.fromRail, n.toRail, n.asked = b[0], b[1], b[2] == 1
	n.gen, n.tails = le.Uint32(b[3:]), le.Uint32(b[7:])
	return nil
}

// tail is the body of TAIL: some bytes of a write are in place. The packet to deliver when all are follows.
type tail struct {
	id    uint32 // of the write, counted by its sender
	after uint32 // the stream must have come this far
	n     uint64 // bytes that are in place
	total uint64 // bytes of the write
}

const tailSize = 24

func (t *tail) append(b []byte) []byte {
	b = le.AppendUint32(b, t.id)
	b = le.AppendUint32(b, t.after)
	b = le.AppendUint64(b, t.n)
	return le.AppendUint64(b, t.total)
}

func (t *tail) parse(b []byte) ([]byte, error) {
	if len(b) < tailSize {
		return nil, errFrame
	}
	t.id, t.after, t.n, t.total = le.Uint32(b), le.Uint32(b[4:]), le.Uint64(b[8:]), le.Uint64(b[16:])
	if t.n > t.total {
		return nil, errFrame
	}
	return b[tailSize:], nil
}

// ringOffer is the body of ADDR; no slots means that the ring is gone.
type ringOffer struct {
	addr  uint64
	key   uint32
	slots uint16
	size  uint32
}

const ringOfferSize = 18

func (r *ringOffer) append(b []byte) []byte {
	b = le.AppendUint64(b, r.addr)
	b = le.AppendUint32(b, r.key)
	b = le.AppendUint16(b, r.slots)
	return le.AppendUint32(b, r.size)
}

func (r *ringOffer) parse(b []byte) error {
	if len(b) < ringOfferSize {
		return errFrame
	}
	r.addr, r.key, r.slots, r.size = le.Uint64(b), le.Uint32(b[8:]), le.Uint16(b[12:]), le.Uint32(b[14:])
	return nil
}
