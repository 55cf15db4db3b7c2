package window

import (
	"github.com/weft-mpi/weft/internal/wire"
)

// transfer is one block of a put or get that a device moves. Everything in this file needs the loop's lock.
type transfer struct {
	w      *Window
	f      *flight
	verb   wire.Verb
	target int
	block  wire.Block
	user   []byte // the user's buffer
	bounce []byte // ours, through which it goes; nil if it does not
}

// farBlock is how long a block of a layout has to be, on average, to be worth a device's while.
const farBlock = 1 << 10

// goesFar tells whether a device should move a put or get.
func (w *Window) goesFar(a *access) bool {
	far := a.p.reach.Far
	n, most := a.bytes(), w.limits.Get
	if a.verb == wire.RMAPut {
		most = w.limits.Put
	}
	return far != nil && n > most && n/len(a.blocks()) >= min(farBlock, n) && far.Moves(a.p.proc)
}

// sendFar has the device move every block.
func (w *Window) sendFar(a *access, f *flight) {
	done := 0
	for _, b := range a.blocks() {
		t := &transfer{w: w, f: f, verb: a.verb, target: a.target, block: b}
		if a.verb == wire.RMAPut {
			t.user = a.src[done : done+b.Len]
		} else {
			t.user = a.dst[done : done+b.Len]
		}
		done += b.Len
		w.add(f)
		w.move(a.p, t)
	}
}

// move starts a transfer: short ones through a buffer that is registered already, unless the user's is used
// so often that it is worth registering, long ones straight.
func (w *Window) move(p *part, t *transfer) {
	buf := t.user
	if n := len(buf); n <= w.limits.Copy && !p.reach.Far.Frequent(buf) {
		t.bounce = w.bounce()
		buf = t.bounce[:n]
		if t.verb == wire.RMAPut {
			copy(buf, t.user)
			w.loop.Copied(n)
		}
		w.loop.RMA().Copies++
	} else {
		w.loop.RMA().ZeroCopies++
	}
	if t.verb == wire.RMAPut {
		w.loop.StartWrite(p.proc, p.key(t.block), buf, t)
	} else if !w.loop.StartRead(p.proc, p.key(t.block), buf, t) {
		w.detour(t)
	}
}

// Ended tells that the device is done.
func (t *transfer) Ended(err error) {
	w := t.w
	if err != nil {
		if err = w.loop.Failed(t.f.p.proc); err == nil {
			w.detour(t) // the peer is there: packets reach it
			return
		}
	}
	if t.bounce != nil && t.verb == wire.RMAGet && err == nil {
		copy(t.user, t.bounce)
		w.loop.Copied(len(t.user))
	}
	w.giveBack(t)
	w.land(t.f, err)
}

// detour sends as packets what a device could not move.
func (w *Window) detour(t *transfer) {
	a := access{op: "detour", verb: t.verb, target: t.target, p: t.f.p, one: [1]wire.Block{t.block}, elem: 1}
	if t.verb == wire.RMAPut {
		a.src = t.user
	} else {
		a.dst = t.user
	}
	w.giveBack(t)
	w.sendPackets(&a, t.f)
	if t.f.p.dirty && t.verb == wire.RMAPut {
		w.sendFlush(t.f.p, t.f) // a flush that was answered before does not speak for it
	}
	w.land(t.f, nil)
}

// keptBounces is how many buffers a window keeps.
const keptBounces = 32

func (w *Window) bounce() []byte {
	if n := len(w.bounces); n > 0 {
		b := w.bounces[n-1]
		w.bounces = w.bounces[:n-1]
		return b
	}
	return make([]byte, w.limits.Copy)
}

func (w *Window) giveBack(t *transfer) {
	if t.bounce != nil && len(w.bounces) < keptBounces {
		w.bounces = append(w.bounces, t.bounce)
	}
	t.bounce = nil
}
