package shm

import (
	"runtime"
	"unsafe"
)

// Guests are functions in C that put short messages into our rings, and take such out, under the loop's lock. They
// keep the rules of this package (see putInline, putSmall, deliverPayload and release) with what they find by Rings,
// outbox and inbox, whose first fields are theirs to read and write. Guests follow pointers into the segment and to
// those alone; nothing that the garbage collector looks after lies behind them.

// Rings is where guests find the rings. It lies in C's memory and is C's struct weft_rings.
type Rings struct {
	Outs     unsafe.Pointer // by rank in the segment: *outbox, nil while nothing has been sent there
	Ins      unsafe.Pointer // likewise: *inbox, nil while nothing has come from there
	Bells    unsafe.Pointer // likewise: the word that is not 0 while the rank may sleep: call Ring
	Ranks    uint32
	EagerMax uint32 // longest message that guests may send
}

// guests is a link's side of Rings.
type guests struct {
	outs, ins, bells []unsafe.Pointer
	pins             runtime.Pinner
}

// guestMax is the longest message of guests: it is one piece.
const guestMax = 4 << 10

// Admit has guests find the rings by r, for as long as the process lives. The loop's lock is held.
func (l *Link) Admit(r *Rings) {
	n := l.seg.Ranks
	g := &guests{outs: make([]unsafe.Pointer, n), ins: make([]unsafe.Pointer, n), bells: make([]unsafe.Pointer, n)}
	l.guests = g
	for rank := range n {
		g.bells[rank] = unsafe.Pointer(l.seg.bell(rank))
		if o := l.outs[rank]; o != nil {
			g.meetOut(rank, o)
		}
	}
	for _, in := range l.ins {
		g.meetIn(l.at(in.peer), in)
	}
	for _, table := range [][]unsafe.Pointer{g.outs, g.ins, g.bells} {
		g.pins.Pin(unsafe.SliceData(table))
	}
	*r = Rings{
		Outs: unsafe.Pointer(unsafe.SliceData(g.outs)), Ins: unsafe.Pointer(unsafe.SliceData(g.ins)),
		Bells: unsafe.Pointer(unsafe.SliceData(g.bells)), Ranks: uint32(n), EagerMax: uint32(min(guestMax, l.cfg.Short(true, false))),
	}
}

// meetOut and meetIn show guests a ring. Both do nothing where there are no guests.
func (g *guests) meetOut(rank int, o *outbox) {
	if g != nil {
		g.pins.Pin(o)
		g.outs[rank] = unsafe.Pointer(o)
	}
}

func (g *guests) meetIn(rank int, in *inbox) {
	if g != nil {
		g.pins.Pin(in)
		g.ins[rank] = unsafe.Pointer(in)
	}
}

// At is the rank in the segment of one of the job's; -1 if it is on another host.
func (l *Link) At(peer int) int {
	if l.local == nil {
		return peer
	}
	if peer >= len(l.local) {
		return -1
	}
	return int(l.local[peer])
}

// Ring wakes a rank of the segment if it sleeps. Any thread may call it, with the lock or without.
func (l *Link) Ring(rank int) { l.chimes[rank].ring() }

// GuestLayout is how we lay out what guests share with us, for a test to compare with C: offsets and sizes.
func GuestLayout() []uintptr {
	var c cell
	var p place
	var ctl pairControl
	var o outbox
	var in inbox
	var r Rings
	small, bulk := unsafe.Offsetof(o.small), unsafe.Offsetof(o.bulk)
	return []uintptr{
		unsafe.Sizeof(c), unsafe.Offsetof(c.seq), unsafe.Offsetof(c.kind), unsafe.Offsetof(c.how), unsafe.Offsetof(c.n),
		unsafe.Offsetof(c.ctx), unsafe.Offsetof(c.tag), unsafe.Offsetof(c.body), inlineMax,
		unsafe.Offsetof(p.off), unsafe.Offsetof(p.end), unsafe.Offsetof(p.len), unsafe.Offsetof(p.label),
		unsafe.Offsetof(p.send),
		unsafe.Offsetof(ctl.cellTail), unsafe.Offsetof(ctl.smallTail), unsafe.Offsetof(ctl.bulkTail),
		unsafe.Offsetof(ctl.hungry),
		unsafe.Offsetof(o.cells), unsafe.Offsetof(o.ctl), small + unsafe.Offsetof(o.small.mem),
		small + unsafe.Offsetof(o.small.head), small + unsafe.Offsetof(o.small.tail), bulk + unsafe.Offsetof(o.bulk.mem),
		bulk + unsafe.Offsetof(o.bulk.head), bulk + unsafe.Offsetof(o.bulk.tail), unsafe.Offsetof(o.head), unsafe.Offsetof(o.tail),
		unsafe.Offsetof(in.cells), unsafe.Offsetof(in.ctl), unsafe.Offsetof(in.small), unsafe.Offsetof(in.bulk),
		unsafe.Offsetof(in.head), unsafe.Offsetof(in.given), unsafe.Offsetof(in.smallEnd), unsafe.Offsetof(in.bulkEnd),
		unsafe.Sizeof(r), unsafe.Offsetof(r.Outs), unsafe.Offsetof(r.Ins), unsafe.Offsetof(r.Bells),
		unsafe.Offsetof(r.Ranks), unsafe.Offsetof(r.EagerMax), inSmall, inBulk, smallMax,
	}
}
