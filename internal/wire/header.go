package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Kind says what a packet is.
type Kind uint8

// The packets. Each has its file with an append and a parse twin.
const (
	Eager        Kind = iota + 1 // envelope and payload
	Sync                         // envelope and payload; the sender waits for an Ack
	RTS                          // ready to send: envelope, length, key of the payload; its first bytes may follow
	CTS                          // clear to send: let the payload of this RTS come to that receive
	RTR                          // ready to receive: a posted receive's envelope, room and key, before any RTS
	RTRAck                       // this RTR is taken: a send writes to its key
	RTSAck                       // this RTS has met a receive that sent no RTR
	FIN                          // the payload of this RTS has been read
	Done                         // the payload has been written to this receive
	Ack                          // this Sync message has been matched
	Data                         // the payload that a CTS asked for
	RTRCancel                    // forget this RTR, if it has not been used
	RTRCancelAck                 // it will not be used any more
	RMA                          // for a window: see Verb
	Announce                     // a receive is there, and wants the message that its sender keeps back at this key
	Renounce                     // forget this Announce, if its message is not on its way; RTRCancelAck answers if it is not
	Hold                         // too many messages wait for receives here: offer what you would send with its envelope
	Release                      // send again what is short
	Withdraw                     // forget this RTS or Sync, if it has met no receive; Withdrawn answers if it has not
	Withdrawn                    // this RTS or Sync is gone: no receive will meet it
	GiveUp                       // a rank of this context's communicator has given a collective up, and so the communicator
	lastKind
)

var kindNames = [...]string{
	Eager: "EAGER", Sync: "SYNC", RTS: "RTS", CTS: "CTS", RTR: "RTR", RTRAck: "RTR_ACK", RTSAck: "RTS_ACK", FIN: "FIN",
	Done: "DONE", Ack: "ACK", Data: "DATA", RTRCancel: "RTR_CANCEL", RTRCancelAck: "RTR_CANCEL_ACK", RMA: "RMA",
	Announce: "ANNOUNCE", Renounce: "RENOUNCE", Hold: "HOLD", Release: "RELEASE", Withdraw: "WITHDRAW", Withdrawn: "WITHDRAWN", GiveUp: "GIVE_UP",
}

// String gives the word used in traces and documents.
func (k Kind) String() string {
	if k > 0 && k < lastKind {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Key names bytes that one process lets a peer read or write. What Addr and Slot mean is the link's business; a link
// that lets nobody write gives the zero key.
type Key struct {
	Addr uint64
	Slot uint32
}

const keySize = 12

func appendKey(b []byte, k Key) []byte { return le.AppendUint32(le.AppendUint64(b, k.Addr), k.Slot) }

func parseKey(b []byte) Key { return Key{Addr: le.Uint64(b), Slot: le.Uint32(b[8:])} }

// Flags ride on RTS, RTS_ACK and FIN.
type Flags uint8

// The flags. All but the last two ride on RTS, those on its answers.
const (
	ByWrite     Flags = 1 << iota // put: there is nothing to read, answer with CTS
	Speculative                   // the sender keeps RTRs: RTS_ACK tells it that this RTS will meet none
	StopRTR                       // send no RTR for this envelope; those sent are void
	ResumeRTR                     // send RTRs again
	AdaptStop                     // too few RTRs are of use: send none for this envelope
	AdaptResume                   // RTRs would be of use again and will come
	Waited                        // FIN: the receive was there before the RTS

	rtsFlags = ByWrite | Speculative | StopRTR | ResumeRTR | AdaptStop
)

func parseFlags(b byte, known Flags) (Flags, error) {
	if f := Flags(b); f&^known == 0 {
		return f, nil
	}
	return 0, fmt.Errorf("%w: flags %#x", ErrRange, b)
}

// Header is the union of all packets' fields; Kind says which of them count.
type Header struct {
	Kind  Kind
	Flags Flags  // RTS, RTSAck, FIN
	Ctx   uint32 // context: which communicator, and which kind of messages; in RMA which window
	Tag   int32
	Send  uint32 // the sender's request: Sync, RTS, and back in CTS, FIN, Ack, RTSAck, in Withdraw and Withdrawn; in RTRCancel and Renounce which attempt it is
	Recv  uint32 // the receiver's request: CTS, RTR, and back in Data, Done, RTRAck
	Len   int    // bytes of the whole message; in CTS and RTR the room for it, in CTS and Data without a prefix
	Key   Key    // RTS, CTS, RTR; of an RTS with a prefix that of the bytes behind it
	Label uint64 // EAGER, SYNC, RTS: what the message is made of and where it was sent, if ranks compare that; 0: nobody says
	// Prefix is how many of the message's first bytes follow an RTS. If that is all of them the key is that
	// of the whole message, for a receiver that has no room for what it did not ask for.
	Prefix int
}

// Packet is a header with its payload on the way out. Data stays the caller's; a link has no claim on it
// once Sent == len(Data) and Send has answered true.
type Packet struct {
	Header
	Peer int    // destination, as the job numbers processes
	Data []byte // payload, nil for packets without one
	// Source packs the payload, from byte At of its packed form on, into whatever the link copies to. nil: the
	// payload is in Data. Otherwise Data is only as long, and memory for a link that has no use for pieces.
	Source Cargo
	At     int
	Sent   int   // bytes the link has taken so far; the link's to write
	Rail   uint8 // the packet should leave by rail Rail-1, modulo those there are; 0: by whichever the link likes
	Waited bool  // the program does nothing until the link needs Data no more
	Whole  bool  // the link takes all of it and needs Data no more, or does nothing: nobody offers it again
	Owner  any   // whom to tell when the packet is gone; the link never looks
	Next   *Packet
}

// Sink takes what a link delivers. Payload slices are only valid during the call.
type Sink interface {
	// Arrive delivers a whole packet.
	Arrive(peer int, h *Header, payload []byte)
	// Begin announces a packet whose payload comes in pieces. The link writes the payload to dst (dropping
	// what does not fit) and then calls End with the token.
	Begin(peer int, h *Header) (dst []byte, token any)
	End(token any)
	// Place is Begin for an eager packet, or the prefix of an RTS, that a receive waits for: it is told
	// before the packet has come whole. For all others it answers no token and has done nothing.
	Place(peer int, h *Header) (dst []byte, token any)
	// ReadDone ends a read that the link was asked for.
	ReadDone(token any, err error)
	// WriteDone ends a write that the link was asked for: the bytes are in place at the peer, and their source is
	// the caller's again. After ErrNoPath the packet behind them does not come either, and no byte is under way.
	WriteDone(token any, err error)
	// Lost tells that nothing will come from or reach a peer any more.
	Lost(peer int, err error)
}

// Found is what a look at what has come from a peer finds.
type Found uint8

// What there may be.
const (
	Nothing Found = iota
	Short         // a short message
	Other         // something that is for Poll to deliver
)

// ErrNoPath ends a read or write that a link cannot do now, or no longer, though packets still reach the peer.
var ErrNoPath = errors.New("the peer's memory cannot be reached")

// Rendezvous says how a long message travels over a link.
type Rendezvous uint8

// The protocols. A link that can neither read nor write a peer's memory says Pull and refuses the read: the payload
// is then pushed through the packets. A link whose answer for a peer can become Speculate says MaySpeculate until then
// and never Pull: what is sent meanwhile decides which of the peer's RTRs are void.
const (
	Pull         Rendezvous = iota // rget: the receiver reads when the offer has met its receive
	Put                            // rput: the receiver answers the offer with a key, the sender writes
	Speculate                      // a receive posted early offers its buffer to the sender; else as Pull
	MaySpeculate                   // as Pull, but the peer may offer buffers already
	Announced                      // of a message, not of a link: its sender keeps silent until the receiver has announced itself
)

var rendezvousNames = [...]string{"rget", "rput", "speculative", "rget for now", "announced"}

// String gives the word used by tunables and documents.
func (r Rendezvous) String() string { return rendezvousNames[r] }

// Errors of the parse twins.
var (
	ErrShort = errors.New("wire: packet is cut short")
	ErrKind  = errors.New("wire: unknown packet kind")
	ErrRange = errors.New("wire: field out of range")
)

var le = binary.LittleEndian

// MaxSize is the largest encoding that Append produces of a packet without a label.
const MaxSize = 1 + rtsSize

// A packet whose kind has this bit has its label in front of its fields.
const (
	labelled  = 0x80
	labelSize = 8
)

// mayHaveLabel tells whether packets of kind k begin a message.
func mayHaveLabel(k Kind) bool { return k == Eager || k == Sync || k == RTS }

var sizes = [lastKind]int{
	Eager: eagerSize, Sync: 4 + eagerSize, RTS: rtsSize, CTS: ctsSize, RTR: rtrSize, RTRAck: rtrAckSize, RTSAck: finSize,
	FIN: finSize, Done: doneSize, Ack: 4, Data: dataSize, RTRCancel: rtrCancelSize, RTRCancelAck: rtrCancelSize, RMA: rmaSize,
	Announce: rtrSize, Renounce: rtrCancelSize, Withdraw: withdrawSize, Withdrawn: 4, GiveUp: 4,
}

// HasPayload tells whether Len bytes follow a packet of kind k.
func HasPayload(k Kind) bool { return k == Eager || k == Sync || k == Data || k == RMA }

// Payload is how many bytes follow the packet.
func (h *Header) Payload() int {
	if HasPayload(h.Kind) {
		return h.Len
	}
	return h.Prefix
}

// Size is how many bytes Append adds for a header of kind k, which must be one of the packets, without a label.
func Size(k Kind) int { return 1 + sizes[k] }

// Size is how many bytes Append adds for h.
func (h *Header) Size() int {
	if h.Label != 0 {
		return labelSize + Size(h.Kind)
	}
	return Size(h.Kind)
}

// Append adds the encoding of h's packet to b.
func Append(b []byte, h *Header) []byte {
	if h.Label == 0 {
		b = append(b, byte(h.Kind))
	} else {
		b = le.AppendUint64(append(b, byte(h.Kind)|labelled), h.Label)
	}
	switch h.Kind {
	case Eager:
		return appendEager(b, h)
	case Sync:
		return appendSync(b, h)
	case RTS:
		return appendRTS(b, h)
	case CTS:
		return appendCTS(b, h)
	case RTR:
		return appendRTR(b, h)
	case RTRAck:
		return appendRTRAck(b, h)
	case RTSAck:
		return appendRTSAck(b, h)
	case FIN:
		return appendFIN(b, h)
	case Done:
		return appendDone(b, h)
	case Ack:
		return appendAck(b, h)
	case Data:
		return appendData(b, h)
	case RTRCancel, RTRCancelAck, Renounce:
		return appendRTRCancel(b, h)
	case RMA:
		return appendRMA(b, h)
	case Announce:
		return appendAnnounce(b, h)
	case Hold, Release: // the kind says it all
		return b
	case Withdraw:
		return appendWithdraw(b, h)
	case Withdrawn:
		return appendWithdrawn(b, h)
	case GiveUp:
		return appendGiveUp(b, h)
	}
	panic("wire: append of " + h.Kind.String())
}

// Parse reads one packet header from b and returns what follows it.
func Parse(b []byte, h *Header) (rest []byte, err error) {
	if len(b) == 0 {
		return nil, ErrShort
	}
	*h = Header{Kind: Kind(b[0])}
	if b = b[1:]; h.Kind&labelled != 0 {
		if b, err = parseLabel(b, h); err != nil {
			return nil, err
		}
	}
	switch h.Kind {
	case Eager:
		return parseEager(b, h)
	case Sync:
		return parseSync(b, h)
	case RTS:
		return parseRTS(b, h)
	case CTS:
		return parseCTS(b, h)
	case RTR:
		return parseRTR(b, h)
	case RTRAck:
		return parseRTRAck(b, h)
	case RTSAck:
		return parseRTSAck(b, h)
	case FIN:
		return parseFIN(b, h)
	case Done:
		return parseDone(b, h)
	case Ack:
		return parseAck(b, h)
	case Data:
		return parseData(b, h)
	case RTRCancel, RTRCancelAck, Renounce:
		return parseRTRCancel(b, h)
	case RMA:
		return parseRMA(b, h)
	case Announce:
		return parseAnnounce(b, h)
	case Hold, Release:
		return b, nil
	case Withdraw:
		return parseWithdraw(b, h)
	case Withdrawn:
		return parseWithdrawn(b, h)
	case GiveUp:
		return parseGiveUp(b, h)
	}
	return nil, fmt.Errorf("%w: %d", ErrKind, h.Kind)
}

// parseLabel reads the label of a packet, and finds out its kind.
func parseLabel(b []byte, h *Header) (rest []byte, err error) {
	h.Kind &^= labelled
	switch {
	case !mayHaveLabel(h.Kind):
		return nil, fmt.Errorf("%w: %d with a label", ErrKind, h.Kind)
	case len(b) < labelSize:
		return nil, ErrShort
	}
	if h.Label = le.Uint64(b); h.Label == 0 {
		return nil, fmt.Errorf("%w: a label that says nothing", ErrRange)
	}
	return b[labelSize:], nil
}

// parseLen reads a 64-bit length that must fit an int.
func parseLen(b []byte) (int, error) {
	n := le.Uint64(b)
	if n > 1<<62 {
		return 0, fmt.Errorf("%w: length %d", ErrRange, n)
	}
	return int(n), nil
}
