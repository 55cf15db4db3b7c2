package rail

import (
	"errors"
	"unsafe"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// A buffer that is used often is registered, and its payload leaves from where the user has it: a frame is
// then a header in memory of ours and a piece of the user's, gathered by the device. The user lends that
// piece. It is returned when the device has no work request left that reads it; what the peer has not
// acknowledged by then is copied into the frame's own buffer, for it may have to be sent again: a late
// copy, made while the bytes are on their way.

// loan is the payload of a packet that is sent from where the user has it. A peer has one at most, because
// a packet that was taken in part, or is not returned yet, is offered again before any other.
type loan struct {
	entry  *registrar.Entry // covers the payload; nil if there is no loan
	frames int              // whose payload is not returned
	taken  bool             // all frames of it are made

	// A buffer that the table wanted to be lent by a packet that may only be taken whole: the packet that comes in its
	// place is not counted again. A number, because it must not keep memory alive.
	addr uintptr
	size int
}

// choose decides how the payload of a packet leaves, once for each packet: when there is room for its first
// frame. False means that it should be lent, but that the packet may only be taken whole: then a loan that
// is not returned at once could not be told from a packet that found no room. The caller offers another
// packet in its place, which can wait.
func (p *peer) choose(pk *wire.Packet) bool {
	if len(pk.Data) == 0 {
		return true
	}
	l := p.link
	if !p.frequent(pk) {
		l.Counters.Copies++
		return true
	}
	if pk.Whole {
		p.loan.addr, p.loan.size = addressOf(pk.Data), len(pk.Data)
		return false
	}
	e, err := l.mem.Acquire(pk.Data, 0)
	if err != nil {
		l.mem.Table.Refuse(pk.Data)
		l.Counters.Copies++
		return true
	}
	p.loan.entry = e
	l.Counters.ZeroCopies++
	return true
}

// frequent asks the table whether the payload comes from a buffer that is used often, unless it was asked
// just before. Where frames are complete only when the peer has them (RD), a loan would make every short
// message as slow as a long one.
func (p *peer) frequent(pk *wire.Packet) bool {
	l := p.link
	if l.mem.Table == nil || p.holdsUp(pk) || pk.Kind != wire.Eager && pk.Kind != wire.Sync || l.traits.reliable {
		return false
	}
	asked := p.loan.size == len(pk.Data) && p.loan.addr == addressOf(pk.Data)
	p.loan.addr, p.loan.size = 0, 0
	if asked {
		return true
	}
	path := reuse.NonFast
	if p.ring.out.slots > 0 && pk.Kind == wire.Eager && headerSize+wire.MaxSize+len(pk.Data) <= p.ring.out.size {
		path = reuse.Fast
	}
	return l.mem.Frequent(pk.Data, path)
}

// holdsUp tells that a program which waits for its buffer would wait longer without the copy: where a
// device is done with memory only when the peer's has answered, a trip to and fro takes longer than to
// copy what fits a frame.
func (p *peer) holdsUp(pk *wire.Packet) bool {
	l := p.link
	fits := headerSize+pk.Size()+len(pk.Data) <= p.whole
	return pk.Waited && pk.Kind == wire.Eager && fits && l.caps.PeerAck && !l.cfg.Reuse.Waits
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// thin exchanges the buffer of a frame whose payload is lent for a small one if that will never be in it.
func (p *peer) thin(b *buffer) *buffer {
	pool := p.link.sending[0]
	if p.replays() || b.pool == pool {
		return b
	}
	small := pool.get()
	if small == nil {
		return b
	}
	b.pool.put(b)
	return small
}

// replays tells whether frames that are sent to the peer now may have to be sent again.
func (p *peer) replays() bool { return !p.link.cfg.NoReconnect || p.express == nil }

// fill gives a frame its payload, behind n bytes of headers: a copy of it, or word of where the user has it.
func (p *peer) fill(b *buffer, n int, payload []byte) {
	p.leaves(len(payload))
	if p.loan.entry == nil {
		b.n = n + copy(b.mem[n:], payload)
		p.link.spend(clock.Copy, len(payload))
		return
	}
	b.n, b.user, b.userKey, b.to = n, payload, p.loan.entry.LKey(), p
	p.loan.frames++
}

// handed: all frames of the packet are made and on their way. It tells whether the payload is the user's alone.
func (p *peer) handed() bool {
	if p.loan.entry == nil {
		return true
	}
	p.loan.taken = true
	if p.loan.frames > 0 {
		p.link.hearReturns()
	}
	p.endLoan()
	return p.loan.entry == nil
}

// endLoan gives the registration back once nothing of the payload is lent any more.
func (p *peer) endLoan() {
	if n := &p.loan; n.taken && n.frames == 0 {
		p.link.mem.Release(n.entry)
		n.entry, n.taken = nil, false
	}
}

// abandonLoan: no packet will be offered any more.
func (p *peer) abandonLoan() {
	p.loan.taken = p.loan.entry != nil
	p.endLoan()
}

// hearReturns looks for frames that the device is done with whose payload is lent. All else that has come is left for
// Poll. Devices that hand short frames on within PostSend have reported them by now.
func (l *Link) hearReturns() {
	switch n := len(l.found); {
	case l.borrowed && (l.busy || l.at < n): // what is lent is being used
	case l.at == n:
		l.look()
	case n < cap(l.found):
		l.found = l.found[:n+l.cq.Poll(l.found[n:cap(l.found)])]
	}
	for i := l.at; i < len(l.found); i++ {
		c := &l.found[i]
		l.borrowed = l.borrowed || c.Data != nil
		if c.ID&idWhat != idSend || c.Status != verbs.OK {
			continue
		}
		if b := l.bufferOf(c.ID); b != nil && b.user != nil {
			l.sendDone(c)
			c.ID, c.Op = 0, 0 // handled
		}
	}
	for l.at < len(l.found) && l.found[l.at].Op == 0 {
		l.at++
	}
}

// giveBack returns the payload of a frame to the user: neither the device nor a queue of ours needs it any
// more. What the peer may not have is copied, unless it will never be sent again.
func (b *buffer) giveBack() {
	p := b.to
	switch {
	case b.acked:
	case p.replays() && len(b.user) <= len(b.mem)-b.n:
		b.n += copy(b.mem[b.n:], b.user)
		p.link.spend(clock.Copy, len(b.user))
		p.link.Counters.LateCopies++
	default:
		b.bare = true
	}
	b.user = nil
	p.loan.frames--
	p.endLoan()
}

var (
	errEnded = errors.New("ended the connection")
	errBare  = errors.New("the connection broke, and nothing is kept to be sent again (WEFT_LAB_RECONNECT=off)")
)

// endsWith tells whether the peer is lost because a lane that stood has ended with err: if connections are
// not made again, unless the peer has gone in order and has all that was sent.
func (p *peer) endsWith(err error) bool {
	return p.link.cfg.NoReconnect && (p.needed() || !errors.Is(err, errEnded))
}
