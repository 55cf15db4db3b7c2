package rail

import (
	"errors"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// A frame lands in a receive and its payload is copied from there to where the program wants it. A device
// that tells of the beginning of a message (verbs.RecvHead) spares that copy: the payload of an eager
// message that a receive waits for, or of the first bytes of a long one, goes straight to that receive, and
// so does every piece of one whose first frame has come.

// placeMin is how long a frame must be: shorter ones are copied sooner than told of.
const placeMin = 512

// placed is the frame of a stream that is being put where its payload belongs. It is the next that the stream delivers,
// whatever happens to the lane.
type placed struct {
	on    bool
	lane  *lane // by which it comes
	kind  kind
	n     int // bytes of its body
	off   int // of which the first are a packet's header
	dst   []byte
	token any         // of the packet, if this is its first frame
	head  wire.Header // likewise
}

// place tells the device where the rest of a frame goes whose beginning has come.
func (l *Link) place(c *verbs.Completion) {
	ln := l.lane(c.QP)
	switch {
	case ln == nil: // it is gone
	case c.Len == 0:
		ln.placeLong(c.Data)
	default:
		at, dst := ln.placeOf(c.Data, c.Len)
		if !ln.qp.Place(at, dst) && dst != nil {
			ln.peer.placed.lane = elsewhere // too late: it is copied
		}
	}
}

// elsewhere is where a frame comes from whose place nobody was told.
var elsewhere = &lane{state: closed}

// placeOf is where the rest of a frame goes: the bytes from at on to dst, or nowhere else than to its receive.
func (ln *lane) placeOf(head []byte, size int) (at int, dst []byte) {
	p := ln.peer
	l, h := p.link, &p.link.header
	body, err := h.parse(head)
	if ln.class.long() || p.placed.on || err != nil || int(h.from) != p.rank || h.seq != p.in.Expected() {
		return 0, nil
	}
	n := size - headerSize
	a := placed{on: true, lane: ln, kind: h.kind, n: n}
	switch h.kind {
	case kWhole, kFirst, kRepeat:
		if !p.foresee(&a, body) {
			return 0, nil
		}
		dst = a.dst
	case kPiece, kLast:
		if !p.streaming || p.got+n > p.want || p.got >= len(p.dst) {
			return 0, nil
		}
		dst = p.dst[p.got:]
	default:
		return 0, nil
	}
	p.placed = a
	l.Counters.Placed++
	return headerSize + a.off, dst[:min(len(dst), n-a.off)]
}

// foresee asks where the packet goes that a frame with this body begins with.
func (p *peer) foresee(a *placed, body []byte) bool {
	l := p.link
	if p.streaming {
		return false
	}
	h, ok := &l.arrived, false
	if a.kind == kRepeat {
		*h = wire.Header{Kind: wire.Eager, Ctx: p.lastIn.ctx, Tag: p.lastIn.tag, Len: a.n}
		ok = p.lastIn.set
	} else {
		rest, err := wire.Parse(body, h)
		a.off = len(body) - len(rest)
		size := h.Payload()
		ok = err == nil && (h.Kind == wire.Eager || h.Kind == wire.RTS && size > 0) && size <= announceMax &&
			(size == a.n-a.off) == (a.kind == kWhole) && size >= a.n-a.off
	}
	if !ok {
		return false
	}
	a.head = *h
	a.dst, a.token = l.sink.Place(p.rank, h)
	l.caught = l.caught || a.token != nil && h.Kind == wire.RTS // whose rest is to be asked for
	return a.token != nil
}

var errSwapped = errors.New("rail: a frame that was sent again is not what it was at first")

// midFrame tells whether a connection is bringing a frame straight to where it belongs.
func (p *peer) midFrame() bool { return p.placed.on && p.placed.lane.state == up }

// placing tells whether frame seq is that one. A datagram that is a copy of it must not end its
// receive: the connection would go on to write to memory that is the program's again. So it counts
// as lost. If the connection breaks, the frame is sent again.
func (p *peer) placing(seq uint32) bool { return p.midFrame() && seq == p.in.Expected() }

// deliverPlaced delivers the frame whose place was told to a device. If the lane broke before it was there,
// another one has brought it, and it is copied.
func (p *peer) deliverPlaced(h *header, body []byte, ln *lane) {
	a := p.placed
	p.placed = placed{}
	if h.kind != a.kind || len(body) != a.n {
		p.lose(errSwapped)
		return
	}
	here := a.lane == ln
	if !here && a.lane.class == side {
		a.lane.lostTo() // the peer has given it up, but it may still bring bytes, and the receive ends here
	}
	payload := body[a.off:]
	switch h.kind {
	case kWhole, kRepeat:
		if !here {
			copy(a.dst, payload)
		}
		if a.head.Kind == wire.Eager && a.head.Label == 0 {
			p.lastIn = envelope{a.head.Ctx, a.head.Tag, true}
		}
		p.link.sink.End(a.token)
	case kLong:
		if !here {
			p.lose(errSwapped)
			return
		}
		p.link.sink.End(a.token)
	case kFirst:
		p.dst, p.token = a.dst, a.token
		p.streaming, p.got, p.want = true, 0, a.head.Payload()
		p.piece(payload, here)
	default:
		p.piece(payload, here)
		p.last(h.kind)
	}
}
