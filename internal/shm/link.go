package shm

import (
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/wire"
)

// Config is what a link is made of.
type Config struct {
	Segment  *Segment
	Self     int         // our rank in the segment
	Members  []int       // how the job numbers the segment's ranks; nil: as the segment does
	EagerMax int         // longest message through the rings; 0 takes the default
	Help     bool        // a waiting sender helps to copy its long messages
	NoCMA    bool        // never read another process's memory, as if the kernel forbade it
	Pages    *pages.Huge // told of memory that is copied from and to; nil: nobody is
}

// Sizes of messages and pieces.
const (
	smallMax      = 512       // longest payload of the small ring, which is small to stay in the cache
	helpEagerMax  = 8 << 10   // above it, one copy by two processes wins
	burstEagerMax = 16 << 10  // the same if more messages are on their way: copies through the ring overlap
	aloneEagerMax = 16 << 10  // above it, one copy by the receiver wins
	ringEagerMax  = 128 << 10 // no single copy: above it, the receiver should have room first
	fetchMax      = 4 << 10   // how much of the next payload's memory is fetched ahead, at most
	announceMax   = 16 << 20  // no message that a peer announces with its envelope is longer
	pollMax       = 32        // cells per peer and Poll
)

// Counters tell what a link has done.
type Counters struct {
	Inline, Small, Pieces uint64 // payloads sent in a cell, in the small ring, in pieces of the bulk ring
	Busy                  uint64 // times a packet found no room
	Pulled, Helped        uint64 // chunks of long messages read by us, written by us for a waiting receiver
	Mapped                uint64 // long messages copied out of the arena
}

// Link is one rank's end of the segment.
type Link struct {
	cfg    Config
	seg    *Segment
	local  []int32 // rank in the segment of each of the job's; nil: the same
	outs   []*outbox
	ins    []*inbox
	inAt   []*inbox  // the same by rank in the segment; nil: it is not open
	chimes []chime   // by rank in the segment
	fresh  []*uint64 // our bitmap words of peers that have talked to us
	seen   []uint64  // the same as far as their inboxes are open
	deaths []death   // peers that are dead and not forgotten
	single
	alloc   arena
	commons arena
	guests  *guests // nil: there are none

	Counters Counters
}

// NewLink attaches a rank to the segment.
func NewLink(cfg Config) *Link {
	seg := cfg.Segment
	l := &Link{cfg: cfg, seg: seg, outs: make([]*outbox, seg.Ranks), inAt: make([]*inbox, seg.Ranks)}
	words := (seg.Ranks + 63) / 64
	l.seen = make([]uint64, words)
	for i := range words {
		l.fresh = append(l.fresh, seg.talkers(cfg.Self, i))
	}
	l.chimes = make([]chime, seg.Ranks)
	for r := range l.chimes {
		l.chimes[r] = chime{word: seg.bell(r), file: -1}
	}
	for i, rank := range cfg.Members {
		for len(l.local) <= rank {
			l.local = append(l.local, -1)
		}
		l.local[rank] = int32(i)
	}
	l.single.init(seg, cfg)
	l.alloc.init(seg, seg.arenasAt()+cfg.Self*seg.Arena, seg.Arena)
	l.commons.init(seg, seg.commonsAt()+cfg.Self*seg.Commons, seg.Commons)
	return l
}

// at is the rank in the segment of one of the job's, which must be a member.
func (l *Link) at(peer int) int {
	if l.local == nil {
		return peer
	}
	return int(l.local[peer])
}

// EagerMax is the longest message that travels with its envelope. Where both sides can copy a long message at
// the same time, that soon beats two copies through the rings; where the kernel does not let us, never.
func (l *Link) EagerMax(peer int) int {
	return l.cfg.Short(l.single.trusts(l.at(peer)), l.single.offers != nil)
}

// Short is the longest message that travels with its envelope to a peer whose memory can be read or not, in
// a burst of messages or not.
func (c *Config) Short(reads, burst bool) int {
	switch {
	case c.EagerMax > 0:
		return c.EagerMax
	case !reads:
		return ringEagerMax
	case c.Help && burst:
		return burstEagerMax
	case c.Help:
		return helpEagerMax
	}
	return aloneEagerMax
}

func (l *Link) outbox(peer int) *outbox {
	peer = l.at(peer)
	o := l.outs[peer]
	if o == nil {
		o = l.seg.outbox(l.cfg.Self, peer)
		o.bell = &l.chimes[peer]
		l.outs[peer] = o
		l.guests.meetOut(peer, o)
		atomic.OrUint64(l.seg.talkers(peer, l.cfg.Self/64), 1<<(l.cfg.Self%64))
	}
	return o
}

// Send puts the packet, or as much of it as there is room for, into the rings.
func (l *Link) Send(p *wire.Packet) bool {
	o := l.outbox(p.Peer)
	if l.put(o, p) {
		return true
	}
	l.Counters.Busy++
	atomic.StoreUint32(&o.ctl.hungry, 1) // then look again: room may have come before the peer could see it
	return l.put(o, p)
}

func (l *Link) put(o *outbox, p *wire.Packet) bool {
	switch n := len(p.Data); {
	case p.Kind == wire.Eager && n <= inlineMax && p.Label == 0:
		return l.putInline(o, p)
	case !wire.HasPayload(p.Kind):
		return putControl(o, p)
	case n <= smallMax:
		return l.putSmall(o, p)
	default:
		return l.putPieces(o, p)
	}
}

func (l *Link) putInline(o *outbox, p *wire.Packet) bool {
	c := o.room()
	if c == nil {
		return false
	}
	l.Counters.Inline++
	c.kind, c.how, c.n, c.ctx, c.tag = wire.Eager, inline, uint16(len(p.Data)), p.Ctx, p.Tag
	if p.Source == nil { // most of them
		copy(c.body[:], p.Data)
	} else {
		p.Load(c.body[:len(p.Data)], 0)
	}
	o.publish(c)
	return true
}

func putControl(o *outbox, p *wire.Packet) bool {
	c := o.room()
	if c == nil {
		return false
	}
	c.kind, c.how = p.Kind, encoded
	c.n = uint16(len(wire.Append(c.body[:0], &p.Header)))
	o.publish(c)
	return true
}

func (l *Link) putSmall(o *outbox, p *wire.Packet) bool {
	c := o.room()
	if c == nil {
		return false
	}
	off, end, ok := o.small.fit(len(p.Data), &o.ctl.smallTail)
	if !ok {
		return false
	}
	l.Counters.Small++
	p.Load(o.small.mem[off:int(off)+len(p.Data)], 0)
	o.small.head = end
	fillHeader(c, &p.Header, inSmall, len(p.Data))
	c.place().off, c.place().end = off, end
	o.publish(c)
	o.small.fetch(len(p.Data))
	return true
}

// fillHeader writes the first cell of a message whose payload is in a byte ring.
func fillHeader(c *cell, h *wire.Header, how uint8, n int) {
	c.kind, c.how, c.n = h.Kind, how, uint16(n)
	c.ctx, c.tag = h.Ctx, h.Tag
	if h.Kind == wire.Data {
		c.ctx = h.Recv
	}
	c.place().len, c.place().send, c.place().label = uint64(h.Len), h.Send, h.Label
}

// pieceSize suits a message of n bytes: both sides copy at the same time, so pieces are short where the
// message is, and long where each costs a cell.
func pieceSize(n int) int {
	switch {
	case n <= 16<<10:
		return 4 << 10
	case n <= 64<<10:
		return 16 << 10
	default:
		return 32 << 10
	}
}

func (l *Link) putPieces(o *outbox, p *wire.Packet) bool {
	size := min(pieceSize(len(p.Data)), len(o.bulk.mem)/4)
	for {
		n := min(size, len(p.Data)-p.Sent)
		c := o.room()
		if c == nil {
			return false
		}
		off, end, ok := o.bulk.fit(n, &o.ctl.bulkTail)
		if !ok {
			return false
		}
		l.Counters.Pieces++
		p.Load(o.bulk.mem[off:int(off)+n], p.Sent)
		o.bulk.head = end
		how := uint8(inBulk)
		if p.Sent > 0 {
			how |= piece
		}
		if p.Sent+n < len(p.Data) {
			how |= more
		}
		fillHeader(c, &p.Header, how, n)
		c.place().off, c.place().end = off, end
		p.Sent += n
		o.publish(c)
		o.bulk.fetch(min(n, fetchMax))
		if p.Sent == len(p.Data) {
			return true
		}
	}
}

// Ready tells whether Poll would find something.
func (l *Link) Ready() bool {
	for _, in := range l.ins {
		if in.full() != nil {
			return true
		}
	}
	for i := range l.fresh {
		if atomic.LoadUint64(l.fresh[i]) != l.seen[i] {
			return true
		}
	}
	return l.single.ready()
}

// Poll delivers what the rings hold and moves a chunk of a long message. A sender helps only if nothing has come:
// what has may be an offer, and who takes the chunk of a peer that is there to take it keeps that peer idle and
// its own read waiting.
func (l *Link) Poll(s wire.Sink) (moved bool) {
	l.meet(s)
	for _, in := range l.ins {
		n := 0
		for most := in.most(); n < most; n++ {
			c := in.full()
			if c == nil {
				break
			}
			if most > 1 { // the next has been written, too, more often than not
				prefetchRead(unsafe.Pointer(&in.cells[(in.head+1)&uint32(len(in.cells)-1)]))
			}
			in.deliver(c, s)
			in.head++
		}
		if n == 0 {
			in.streak = 0
			continue
		}
		moved = true
		in.streak++
		in.release()
	}
	if l.single.move(l, s, !moved) {
		moved = true
	}
	return moved
}

// most is how many cells to take in one Poll. To look at a cell that has not been written costs a trip to the
// sender's cache, so a lone message is taken alone; after a streak of polls that found something, many.
func (in *inbox) most() int {
	if in.streak < 4 {
		return 1
	}
	return pollMax
}

// deliver hands one cell up. What a peer wrote is checked before it is used: a peer that runs wild may send
// nonsense, but must not make us read or write outside its own rings.
func (in *inbox) deliver(c *cell, s wire.Sink) {
	if c.how&where == inline && c.kind == wire.Eager {
		n := min(int(c.n), inlineMax)
		h := &in.h
		h.Kind, h.Ctx, h.Tag, h.Len, h.Label = wire.Eager, c.ctx, c.tag, n, 0
		s.Arrive(in.peer, h, c.body[:n])
		return
	}
	if c.how == encoded {
		if _, err := wire.Parse(c.body[:min(int(c.n), inlineMax)], &in.h); err == nil && !wire.HasPayload(in.h.Kind) {
			s.Arrive(in.peer, &in.h, nil)
		}
		return
	}
	in.deliverPayload(c, s)
}

// deliverPayload hands up a payload, or a piece of one, that lies in a byte ring. The peer may still write to
// the cell, so every field is read once.
func (in *inbox) deliverPayload(c *cell, s wire.Sink) {
	at, kind, how, n := *c.place(), c.kind, c.how, int(c.n)
	ring, end := in.small, &in.smallEnd
	if how&where == inBulk {
		ring, end = in.bulk, &in.bulkEnd
	}
	whole := how&(piece|more) == 0
	if int(at.off)+n > len(ring) || !wire.HasPayload(kind) || at.len > 1<<62 || whole && at.len != uint64(n) {
		return
	}
	payload := ring[at.off : int(at.off)+n]
	if how&piece == 0 {
		h := &in.h
		*h = wire.Header{Kind: kind, Ctx: c.ctx, Tag: c.tag, Send: at.send, Len: int(at.len), Label: at.label}
		if kind == wire.Data {
			h.Recv = h.Ctx
		}
		if whole {
			s.Arrive(in.peer, h, payload)
			*end = at.end
			return
		}
		if kind == wire.Data || h.Len <= announceMax {
			in.dst, in.token = s.Begin(in.peer, h)
			in.target, _ = in.token.(wire.Target)
			in.off, in.streaming = 0, true
		}
	}
	if in.target != nil {
		in.target.Put(payload, in.off)
	} else if in.off < len(in.dst) {
		copy(in.dst[in.off:], payload)
	}
	in.off += n
	*end = at.end
	if how&more == 0 && in.streaming {
		in.streaming = false
		token := in.token
		in.dst, in.token, in.target = nil, nil, nil
		s.End(token)
	}
}

// address returns where b's bytes are.
func address(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
