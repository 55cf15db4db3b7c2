package window

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// Assert is what a caller promises, so that a call can do less.
type Assert uint8

// The assertions of the standard.
const (
	NoCheck   Assert = 1 << iota // the other side of a Post, Start or Lock is ready, or nobody else locks
	NoStore                      // our part was not stored to since the last synchronisation
	NoPut                        // our part will not be put to until the next one
	NoPrecede                    // no operation is to be completed
	NoSucceed                    // no operation will follow
)

// Fence ends the epoch of the last fence and begins another. All ranks call it. When it returns, all
// operations of all ranks before it are over.
func (w *Window) Fence(assert Assert) error {
	if err := w.settled("fence", started|posted|allHeld); err != nil {
		return err
	}
	var err error
	if assert&NoPrecede == 0 {
		err = w.flushAll("fence", true)
	} else if w.epoch.Load()&used != 0 {
		err = errors.Join(w.flushAll("fence", true),
			w.fail("fence", comm.None, fmt.Errorf("%w: NoPrecede was asserted, but operations have begun since the last fence", ErrEpoch)))
	}
	if assert&(NoPrecede|NoSucceed) != NoPrecede|NoSucceed {
		err = errors.Join(err, w.meet("fence"))
	}
	if assert&NoSucceed != 0 {
		w.epoch.And(^(fenced | used))
	} else if w.epoch.Load() != fenced {
		w.epoch.And(^used)
		w.epoch.Or(fenced)
	}
	return err
}

// meetAll is a barrier that ends for all ranks, with an error, when one of them dies: whoever hears of it
// tells the others.
func (w *Window) meetAll(op string) error {
	call := &comm.Call{Op: coll.Barrier, Name: op}
	if w.sharesFate() {
		return w.c.Run(call)
	}
	return w.watch(op, func() comm.Request { return w.c.Start(call) })
}

// meetLast is meetAll before the communicator is left.
func (w *Window) meetLast(op string) error {
	if w.sharesFate() {
		return w.collect(op, []comm.Request{w.c.StartFree()})
	}
	return w.watch(op, w.c.StartFree)
}

// sharesFate tells whether a rank that dies takes the job along, as a process of one host does.
func (w *Window) sharesFate() bool { return w.native && !w.loop.Virtual() }

// watch waits for a barrier as meetAll says.
func (w *Window) watch(op string, start func() comm.Request) error {
	w.loop.Enter()
	err := w.core.lost
	w.loop.Exit()
	if err != nil {
		return w.fail(op, comm.None, err)
	}
	req := start()
	w.watchFence(req.Handle())
	err = w.collect(op, []comm.Request{req})
	w.loop.Enter()
	defer w.loop.Exit()
	w.fence = progress.Handle{}
	if err != nil && w.core.lost != nil {
		err = w.fail(op, comm.None, w.core.lost)
	}
	if errors.Is(err, comm.ErrProcFailed) && !w.told {
		w.told = true
		w.tellLost()
	}
	return err
}

// watchFence has the barrier of a fence end when a rank dies.
func (w *Window) watchFence(h progress.Handle) {
	w.loop.Enter()
	defer w.loop.Exit()
	w.fence = h
	if w.core.lost != nil {
		w.loop.Withdraw(h)
	}
}

// tellLost tells all ranks that one of them has died. The loop's lock is held.
func (w *Window) tellLost() {
	for i := range w.parts {
		if p := &w.parts[i]; i != w.self && w.loop.Failed(p.proc) == nil {
			w.sendSync(p, wire.RMASync{Verb: wire.RMALost})
		}
	}
}

// noteLost takes in that a rank has died. The loop's lock is held.
func (w *Window) noteLost(err error) {
	if w.core.lost == nil {
		w.core.lost = err
	}
	w.loop.Withdraw(w.fence)
	w.abandonMeetings(w.core.lost)
}

// Flush waits until all operations on the target are over, there too.
func (w *Window) Flush(target int) error { return w.flushOne("flush", target, true) }

// FlushLocal waits until the buffers of all operations on the target are the caller's again.
func (w *Window) FlushLocal(target int) error { return w.flushOne("flush_local", target, false) }

func (w *Window) flushOne(op string, target int, remote bool) error {
	p, err := w.aimPassive(op, target)
	if err != nil || !p.touched.Load() {
		return err
	}
	w.loop.Enter()
	defer w.loop.Exit()
	err = w.flushPart(op, p, remote)
	w.settle()
	if err != nil {
		return w.fail(op, target, err)
	}
	return nil
}

// settle forgets the parts that have nothing left to flush. The loop's lock is held.
func (w *Window) settle() {
	keep := w.touched[:0]
	for _, p := range w.touched {
		if p.flying > 0 || p.dirty || p.err != nil {
			keep = append(keep, p)
		} else {
			p.touched.Store(false)
		}
	}
	w.touched = keep
	w.busy.Store(int32(len(keep)))
}

// FlushAll is Flush for all targets.
func (w *Window) FlushAll() error { return w.flushHeld("flush_all", true) }

// FlushLocalAll is FlushLocal for all targets.
func (w *Window) FlushLocalAll() error { return w.flushHeld("flush_local_all", false) }

func (w *Window) flushHeld(op string, remote bool) error {
	if e := w.epoch.Load(); e&freed == 0 && e&allHeld == 0 && w.held.Load() == 0 {
		return w.fail(op, comm.None, fmt.Errorf("%w: it needs a lock; call Lock or LockAll first", ErrEpoch))
	}
	return w.flushAll(op, remote)
}

// Sync makes what others have stored visible to our loads, and the other way round.
func (w *Window) Sync() error {
	if w.epoch.Or(0)&freed != 0 { // an atomic change: what comes after does not move before it
		return w.gone("sync", comm.None)
	}
	return nil
}

// sendFlush asks a target to answer when it has done all that came before, and has f wait for that. The
// loop's lock is held.
func (w *Window) sendFlush(p *part, f *flight) {
	p.dirty, p.unacked = false, 0
	w.sendSync(p, wire.RMASync{Verb: wire.RMAFlush, ID: w.name(f, nil)})
}

func (w *Window) sendSync(p *part, s wire.RMASync) {
	pkt := w.loop.Packet(p.proc, w.id)
	pkt.Data = wire.AppendRMASync(pkt.Data, s)
	w.loop.Post(pkt)
}

// flushPart waits until nothing flies to or from a target, and, if remote, until it has done all. The
// loop's lock is held on entry and exit.
func (w *Window) flushPart(op string, p *part, remote bool) error {
	if err := w.loop.Failed(p.proc); err != nil {
		return err
	}
	if remote && p.dirty {
		f := w.takeOff(p, nil)
		w.sendFlush(p, f)
		w.land(f, nil)
	}
	if p.flying > 0 {
		r := w.loop.Expect(p.proc, 0)
		p.waits = append(p.waits, r)
		if err := w.loop.Await(w.c.Waits(), r, w.c.Why(op)); err != nil {
			return err
		}
	}
	err := p.err
	p.err = nil
	return err
}

// flushAll does the same for all targets.
func (w *Window) flushAll(op string, remote bool) error {
	if w.epoch.Load()&freed != 0 {
		return w.gone(op, comm.None)
	}
	if w.busy.Load() == 0 {
		return nil
	}
	w.loop.Enter()
	defer w.loop.Exit()
	for _, p := range w.touched {
		if remote && p.dirty && w.loop.Failed(p.proc) == nil {
			f := w.takeOff(p, nil)
			w.sendFlush(p, f)
			w.land(f, nil)
		}
	}
	if err := w.loop.Failed(w.parts[w.self].proc); w.flying > 0 && err == nil {
		r := w.loop.Expect(w.parts[w.self].proc, 0)
		w.waits = append(w.waits, r)
		if err := w.loop.Await(w.c.Waits(), r, w.c.Why(op)); err != nil {
			return w.fail(op, comm.None, err)
		}
	}
	var errs []error
	for _, p := range w.touched {
		if p.err != nil {
			errs = append(errs, w.fail(op, w.c.Group().Rank(p.proc), p.err))
			p.err = nil
		}
	}
	w.settle()
	return errors.Join(errs...)
}
