package window

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/wire"
)

// kindOf is the element kind that a byte of a packet stands for; Invalid if none.
func kindOf(b uint8) datatype.Kind {
	if k := datatype.Kind(b); k.Size() > 0 {
		return k
	}
	return datatype.Invalid
}

// wish is a rank that wants our lock.
type wish struct {
	peer  int // process
	alone bool
	id    uint32 // of the answer
}

// lockTable is the lock of our part of a window that is not native: first come, first served. It needs the loop's lock.
type lockTable struct {
	alone  int   // process that holds it alone, -1 for none
	shared []int // processes that hold it with others
	queue  []wish
}

func (t *lockTable) init() { t.alone = -1 }

// want asks for the lock; false if the process has it or has asked already. Who gets it is told.
func (t *lockTable) want(w *Window, x wish) bool {
	if !t.admits(x.peer) {
		return false
	}
	t.queue = append(t.queue, x)
	t.tell(w, t.settle())
	return true
}

// admits tells whether a process may ask: it does not hold the lock, and has not asked.
func (t *lockTable) admits(peer int) bool {
	return t.alone != peer && !slices.Contains(t.shared, peer) && !slices.ContainsFunc(t.queue, func(q wish) bool { return q.peer == peer })
}

// settle gives the lock to those in front of the queue who can have it, and returns them.
func (t *lockTable) settle() (granted []wish) {
	for len(t.queue) > 0 && t.alone < 0 {
		x := t.queue[0]
		if x.alone && len(t.shared) > 0 {
			break
		}
		if x.alone {
			t.alone = x.peer
		} else {
			t.shared = append(t.shared, x.peer)
		}
		t.queue = t.queue[1:]
		granted = append(granted, x)
	}
	return granted
}

// drop takes the lock back from a process, or its wish for it, which it returns.
func (t *lockTable) drop(peer int) (withdrawn []wish) {
	if t.alone == peer {
		t.alone = -1
	}
	t.shared = slices.DeleteFunc(t.shared, func(p int) bool { return p == peer })
	t.queue = slices.DeleteFunc(t.queue, func(x wish) bool {
		if x.peer == peer {
			withdrawn = append(withdrawn, x)
		}
		return x.peer == peer
	})
	return withdrawn
}

// release drops what a process has or wants: the wish is answered too, because the process still waits for that.
func (t *lockTable) release(w *Window, peer int) {
	t.tell(w, append(t.drop(peer), t.settle()...))
}

// tell answers wishes.
func (t *lockTable) tell(w *Window, wishes []wish) {
	for _, x := range wishes {
		done := wire.RMAAnswer{Verb: wire.RMADone, ID: x.id}
		if x.peer == w.parts[w.self].proc {
			w.answered(x.peer, done)
		} else if w.loop.Failed(x.peer) == nil {
			w.send(x.peer, done)
		}
	}
}

// Lock begins a passive epoch with a target: alone, or with others that ask for the same. It returns when
// the lock is held.
func (w *Window) Lock(target int, alone bool, assert Assert) error {
	if err := w.settled("lock", started|used); err != nil {
		return err
	}
	if uint(target) >= uint(len(w.parts)) {
		return w.fail("lock", target, fmt.Errorf("%w: the window has ranks 0 to %d", comm.ErrRank, len(w.parts)-1))
	}
	p := &w.parts[target]
	if w.epoch.Load()&allHeld != 0 || !p.claimed.CompareAndSwap(false, true) {
		return w.fail("lock", target, fmt.Errorf("%w: this rank holds a lock of the target already; call Unlock or UnlockAll first", ErrLock))
	}
	if assert&NoCheck == 0 {
		if err := w.acquire("lock", []*part{p}, alone); err != nil {
			p.claimed.Store(false)
			return w.fail("lock", target, err)
		}
	}
	bits := held
	if alone {
		bits |= exclusive
	}
	if assert&NoCheck != 0 {
		bits |= unchecked
	}
	w.held.Add(1)
	w.epoch.And(^(fenced | used))
	p.open.Or(bits)
	return nil
}

// Unlock ends the epoch that Lock began. When it returns, all operations on the target are over, there too.
func (w *Window) Unlock(target int) error {
	if err := w.settled("unlock", 0); err != nil {
		return err
	}
	if uint(target) >= uint(len(w.parts)) {
		return w.fail("unlock", target, fmt.Errorf("%w: the window has ranks 0 to %d", comm.ErrRank, len(w.parts)-1))
	}
	p := &w.parts[target]
	bits := p.open.Load()
	if bits&held == 0 || !p.open.CompareAndSwap(bits, bits&^(held|exclusive|unchecked)) {
		return w.fail("unlock", target, fmt.Errorf("%w: the target is not locked; call Lock first", ErrEpoch))
	}
	w.held.Add(-1)
	err := w.giveUp("unlock", p, bits)
	p.claimed.Store(false)
	if err != nil {
		return w.fail("unlock", target, err)
	}
	return nil
}

// LockAll begins a passive epoch with all targets, shared with others.
func (w *Window) LockAll(assert Assert) error {
	if err := w.settled("lock_all", started|used); err != nil {
		return err
	}
	var all []*part
	for i := range w.parts {
		if p := &w.parts[i]; p.claimed.CompareAndSwap(false, true) {
			all = append(all, p)
		}
	}
	var err error
	if len(all) < len(w.parts) {
		err = fmt.Errorf("%w: this rank holds locks already; call Unlock or UnlockAll first", ErrLock)
	} else if assert&NoCheck == 0 {
		err = w.acquire("lock_all", all, false)
	}
	if err != nil {
		for _, p := range all {
			p.claimed.Store(false)
		}
		return w.fail("lock_all", comm.None, err)
	}
	if assert&NoCheck != 0 {
		for _, p := range all {
			p.open.Or(unchecked)
		}
	}
	w.epoch.And(^(fenced | used))
	w.epoch.Or(allHeld)
	return nil
}

// UnlockAll ends the epoch that LockAll began. When it returns, all operations are over, at their targets too.
func (w *Window) UnlockAll() error {
	if err := w.settled("unlock_all", 0); err != nil {
		return err
	}
	if w.epoch.Load()&allHeld == 0 {
		return w.fail("unlock_all", comm.None, fmt.Errorf("%w: LockAll has not been called", ErrEpoch))
	}
	err := w.flushAll("unlock_all", true)
	w.epoch.And(^allHeld)
	for i := range w.parts {
		p := &w.parts[i]
		bits := p.open.Load()
		p.open.And(^unchecked)
		if gerr := w.giveUp("unlock_all", p, bits); gerr != nil && err == nil {
			err = w.fail("unlock_all", i, gerr)
		}
		p.claimed.Store(false)
	}
	return err
}

// acquire gets the locks of some parts, all or none.
func (w *Window) acquire(op string, parts []*part, alone bool) error {
	if w.native {
		for i, p := range parts {
			if err := w.acquireNative(p.ctl, alone); err != nil {
				for _, q := range parts[:i] {
					w.releaseNative(q.ctl, alone)
				}
				return err
			}
		}
		return nil
	}
	w.loop.Enter()
	defer w.loop.Exit()
	for _, p := range parts {
		f := w.takeOff(p, nil)
		id := w.name(f, nil)
		if err := w.loop.Failed(p.proc); err != nil {
			w.unname(id)
			w.land(f, err)
		} else if p.proc == w.parts[w.self].proc {
			w.locks.want(w, wish{p.proc, alone, id})
		} else {
			w.sendSync(p, wire.RMASync{Verb: wire.RMALock, Exclusive: alone, ID: id})
		}
		w.land(f, nil)
	}
	var failed error
	for _, p := range parts {
		if err := w.flushPart(op, p, false); err != nil && failed == nil {
			failed = err
		}
	}
	if failed != nil {
		for _, p := range parts {
			w.tellUnlock(p, 0)
		}
	}
	return failed
}

// tellUnlock gives a lock back; an answer is asked for if id is not 0. The loop's lock is held.
func (w *Window) tellUnlock(p *part, id uint32) {
	switch {
	case p.proc == w.parts[w.self].proc:
		w.locks.release(w, p.proc)
	case w.loop.Failed(p.proc) == nil:
		w.sendSync(p, wire.RMASync{Verb: wire.RMAUnlock, ID: id})
	}
}

// giveUp completes all operations on a part and gives its lock back.
func (w *Window) giveUp(op string, p *part, bits uint32) error {
	if w.native {
		if bits&unchecked == 0 {
			w.releaseNative(p.ctl, bits&exclusive != 0)
		}
		return nil
	}
	w.loop.Enter()
	defer w.loop.Exit()
	if bits&unchecked != 0 {
		return w.flushPart(op, p, true)
	}
	if p.proc == w.parts[w.self].proc || !p.dirty {
		err := w.flushPart(op, p, true)
		w.tellUnlock(p, 0)
		return err
	}
	if p.flying > 0 { // a device may still write what the lock protects
		if err := w.flushPart(op, p, true); err != nil {
			w.tellUnlock(p, 0)
			return err
		}
		w.tellUnlock(p, 0)
		return nil
	}
	if err := w.loop.Failed(p.proc); err != nil {
		return err
	}
	f := w.takeOff(p, nil) // the answer to the unlock stands for that to a flush
	p.dirty, p.unacked = false, 0
	w.tellUnlock(p, w.name(f, nil))
	w.land(f, nil)
	return w.flushPart(op, p, false)
}

// acquireNative gets a lock that lies in shared memory.
func (w *Window) acquireNative(c *control, alone bool) error {
	w.loop.Touch()
	if !alone {
		for n := 0; !c.tryShared(n > greedyAfter); n++ {
			if err := w.pause(n); err != nil {
				return err
			}
		}
		return nil
	}
	me := -int64(w.self) - 1
	if c.lock.CompareAndSwap(0, me) {
		return nil
	}
	c.waiting.Add(1)
	defer c.waiting.Add(^uint32(0))
	for n := 0; !c.lock.CompareAndSwap(0, me); n++ {
		if err := w.pause(n); err != nil {
			return err
		}
	}
	return nil
}

// greedyAfter is after how many tries a rank that would share the lock no longer lets those go first who
// want it alone: one of them may have died.
const greedyAfter = 1 << 14

func (w *Window) releaseNative(c *control, alone bool) {
	w.loop.Touch()
	if alone {
		c.lock.Store(0)
	} else {
		c.lock.Add(-1)
	}
}
