package iwarp

import (
	"fmt"
	"strings"
)

// StartSize is the size of a start-up frame without private data, MaxPrivate how much of that there may be, the
// enhancedSize bytes of an enhanced frame included. MaxStart is the longest frame.
const (
	StartSize    = 20
	MaxPrivate   = 512
	MaxStart     = StartSize + MaxPrivate
	enhancedSize = 4
)

// Unnegotiated in place of a number of Reads leaves the matter to the layer above.
const Unnegotiated = 0x3fff

const (
	keySize    = 16
	requestKey = "MPA ID Req Frame"
	replyKey   = "MPA ID Rep Frame"

	startMarkers  byte = 0x80
	startCRC      byte = 0x40
	startReject   byte = 0x20
	startEnhanced byte = 0x10

	maxRevision = 2

	wordPeerToPeer uint16 = 0x8000 // in the word of IRD
	wordRTRSend    uint16 = 0x4000
	wordRTRWrite   uint16 = 0x8000 // in the word of ORD
	wordRTRRead    uint16 = 0x4000
	wordReads      uint16 = 0x3fff
)

// RTRKind is a set of messages that can be the first of a peer-to-peer connection, "ready to receive".
type RTRKind uint8

// The ready-to-receive messages, all of length zero; RTRAll is any of them.
const (
	RTRSend RTRKind = 1 << iota
	RTRWrite
	RTRRead

	RTRAll = RTRSend | RTRWrite | RTRRead
)

// String lists the messages.
func (k RTRKind) String() string {
	var names []string
	for i, name := range []string{"Send", "Write", "Read"} {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, "+")
}

// StartFrame is what both sides of a TCP connection send before their first FPDU: the initiator a request, the
// responder a reply (RFC 5044 §7.1, RFC 6581).
type StartFrame struct {
	Reply    bool
	Markers  bool  // "send me markers"
	CRC      bool  // both sides use the CRC if either asks for it
	Reject   bool  // in a reply; to be ignored in a request
	Revision uint8 // 1 or 2

	Enhanced   bool    // revision 2 only: what follows here is on the wire
	PeerToPeer bool    // the initiator's first FPDU is a ready-to-receive message
	RTR        RTRKind // with PeerToPeer: the messages that would do
	IRD, ORD   uint16  // 14 bits: Reads to be served at a time, Reads to be asked for at a time

	Private []byte // of the layer above
}

// check says why the frame cannot be sent.
func (f *StartFrame) check() error {
	switch room := f.room(); {
	case f.Revision < 1 || f.Revision > maxRevision:
		return fmt.Errorf("%w: revision %d, only 1 and 2 exist", ErrStart, f.Revision)
	case f.Enhanced && f.Revision < 2:
		return fmt.Errorf("%w: the enhanced form needs revision 2", ErrStart)
	case f.PeerToPeer && !f.Enhanced:
		return fmt.Errorf("%w: peer-to-peer needs the enhanced form", ErrStart)
	case f.Enhanced && (f.IRD > wordReads || f.ORD > wordReads):
		return fmt.Errorf("%w: IRD %d, ORD %d, the limit is %d", ErrStart, f.IRD, f.ORD, wordReads)
	case len(f.Private) > room:
		return fmt.Errorf("%w: %d bytes of private data, there is room for %d", ErrStart, len(f.Private), room)
	}
	return nil
}

// room is how much private data the frame can take.
func (f *StartFrame) room() int {
	if f.Enhanced {
		return MaxPrivate - enhancedSize
	}
	return MaxPrivate
}

// Append adds the frame to b, or says what about it cannot be sent.
func (f *StartFrame) Append(b []byte) ([]byte, error) {
	if err := f.check(); err != nil {
		return b, err
	}
	key, length := requestKey, len(f.Private)
	if f.Reply {
		key = replyKey
	}
	if f.Enhanced {
		length += enhancedSize
	}
	b = append(b, key...)
	b = append(b, bit(f.Markers, startMarkers)|bit(f.CRC, startCRC)|bit(f.Reject, startReject)|
		bit(f.Enhanced, startEnhanced), f.Revision)
	b = be.AppendUint16(b, uint16(length))
	if f.Enhanced {
		ird, ord := f.IRD, f.ORD
		if f.PeerToPeer {
			ird |= wordPeerToPeer | bit(f.RTR&RTRSend != 0, wordRTRSend)
			ord |= bit(f.RTR&RTRWrite != 0, wordRTRWrite) | bit(f.RTR&RTRRead != 0, wordRTRRead)
		}
		b = be.AppendUint16(be.AppendUint16(b, ird), ord)
	}
	return append(b, f.Private...), nil
}

// ParseStart reads the frame that begins b and says how long it is; Private aliases b. The error is ErrShort while
// more bytes could make b a good frame, and wraps ErrStart as soon as they cannot.
func ParseStart(b []byte) (f StartFrame, n int, err error) {
	length, err := startLength(b)
	if err != nil {
		return f, 0, err
	}
	flags, body := b[keySize], b[StartSize:StartSize+length:StartSize+length]
	f = StartFrame{
		Reply:   b[keySize-7] == replyKey[keySize-7], // the "p" of "Rep"
		Markers: flags&startMarkers != 0, CRC: flags&startCRC != 0, Reject: flags&startReject != 0,
		Revision: b[keySize+1], Private: body,
	}
	if enhanced(b) {
		f.Enhanced = true
		f.setWords(be.Uint16(body), be.Uint16(body[2:]))
		f.Private = body[enhancedSize:]
	}
	return f, StartSize + length, nil
}

// startLength checks all of the frame except the private data and returns the length of that.
func startLength(b []byte) (int, error) {
	if key := string(b[:min(len(b), keySize)]); !strings.HasPrefix(requestKey, key) && !strings.HasPrefix(replyKey, key) {
		return 0, fmt.Errorf("%w: it begins with %q, is this an iWARP peer?", ErrStart, key)
	}
	if len(b) > keySize+1 && (b[keySize+1] < 1 || b[keySize+1] > maxRevision) {
		return 0, fmt.Errorf("%w: revision %d, only 1 and 2 are known", ErrStart, b[keySize+1])
	}
	if len(b) < StartSize {
		return 0, ErrShort
	}
	length := int(be.Uint16(b[keySize+2:]))
	switch {
	case length > MaxPrivate:
		return 0, fmt.Errorf("%w: %d bytes of private data, the limit is %d", ErrStart, length, MaxPrivate)
	case enhanced(b) && length < enhancedSize:
		return 0, fmt.Errorf("%w: enhanced, but only %d bytes of private data", ErrStart, length)
	case len(b) < StartSize+length:
		return 0, ErrShort
	}
	return length, nil
}

// enhanced says whether IRD and ORD begin the private data of the frame b; in revision 1 that bit is reserved.
func enhanced(b []byte) bool { return b[keySize]&startEnhanced != 0 && b[keySize+1] >= 2 }

// setWords fills the enhanced part from its two words.
func (f *StartFrame) setWords(ird, ord uint16) {
	f.IRD, f.ORD = ird&wordReads, ord&wordReads
	if f.PeerToPeer = ird&wordPeerToPeer != 0; !f.PeerToPeer {
		return
	}
	f.RTR = bit(ird&wordRTRSend != 0, RTRSend) | bit(ord&wordRTRWrite != 0, RTRWrite) | bit(ord&wordRTRRead != 0, RTRRead)
}
