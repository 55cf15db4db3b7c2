package window

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// flight is an operation under way: how many answers, reads and writes it waits for. Everything in this
// file needs the loop's lock.
type flight struct {
	p    *part
	left int
	req  *progress.Request // completes with the operation; nil if nobody waits for it alone
	err  error
	then func() // see Operation
	next *flight
}

// answer is what a number in packets stands for.
type answer struct {
	f   *flight
	dst []byte // where data go
}

// takeOff begins an operation. It holds one count of its own, which land gives back when all of it has been sent.
func (w *Window) takeOff(p *part, req *progress.Request) *flight {
	f := w.flights
	if f == nil {
		f = new(flight)
	} else {
		w.flights = f.next
	}
	*f = flight{p: p, req: req}
	w.add(f)
	return f
}

// add makes the operation wait for one thing more.
func (w *Window) add(f *flight) {
	f.left++
	f.p.flying++
	w.flying++
}

// land takes one thing off that the operation waited for. An error that nobody waits for is kept for the next flush.
func (w *Window) land(f *flight, err error) {
	p := f.p
	if err != nil && f.err == nil {
		f.err = err
	}
	if f.left--; f.left == 0 {
		if f.then != nil && f.err == nil {
			f.then()
		}
		if f.req != nil {
			w.loop.Finish(f.req, f.err)
		} else if p.err == nil {
			p.err = f.err
		}
		f.req, f.then, f.next = nil, nil, w.flights
		w.flights = f
	}
	if p.flying--; p.flying == 0 && len(p.waits) > 0 {
		finishAll(w.loop, &p.waits, nil)
	}
	if w.flying--; w.flying == 0 && len(w.waits) > 0 {
		finishAll(w.loop, &w.waits, nil)
	}
}

func finishAll(l *progress.Loop, waits *[]*progress.Request, err error) {
	all := *waits
	*waits = nil
	for _, r := range all {
		l.Finish(r, err)
	}
}

// name gives the operation's next answer a number.
func (w *Window) name(f *flight, dst []byte) uint32 {
	w.add(f)
	a := answer{f, dst}
	if n := len(w.freeIDs); n > 0 {
		id := w.freeIDs[n-1]
		w.freeIDs = w.freeIDs[:n-1]
		w.answers[id-1] = a
		return id
	}
	w.answers = append(w.answers, a)
	return uint32(len(w.answers))
}

// answered takes an answer from a process. What nobody has asked for is refused.
func (w *Window) answered(proc int, a wire.RMAAnswer) {
	if a.Verb == wire.RMAFail && a.ID == 0 {
		for i := range w.parts {
			if p := &w.parts[i]; p.proc == proc && p.err == nil {
				p.err = refusal(a.Data)
			}
		}
		return
	}
	if a.ID == 0 || int(a.ID) > len(w.answers) {
		w.loop.RMA().Refused++
		return
	}
	want := w.answers[a.ID-1]
	if want.f == nil || want.f.p.proc != proc || a.Verb == wire.RMAData && len(a.Data) != len(want.dst) {
		w.loop.RMA().Refused++
		return
	}
	w.unname(a.ID)
	var err error
	switch a.Verb {
	case wire.RMAData:
		copy(want.dst, a.Data)
	case wire.RMAFail:
		err = refusal(a.Data)
	}
	w.land(want.f, err)
}

func (w *Window) unname(id uint32) {
	w.answers[id-1] = answer{}
	w.freeIDs = append(w.freeIDs, id)
}

// refusal is the error of an operation that its target has refused.
func refusal(why []byte) error { return fmt.Errorf("%w: %s", ErrRange, why) }

// Lost ends what waits for a peer of whom nothing will be heard any more.
func (w *Window) Lost(peer int, err error) {
	for i := range w.parts {
		if w.parts[i].proc == peer {
			w.noteLost(err)
			w.loseAnswers(&w.parts[i], err)
			w.locks.release(w, peer)
		}
	}
}

// Fail ends everything: the job has failed, or is over.
func (w *Window) Fail(err error) {
	if errors.Is(err, comm.ErrOver) {
		w.epoch.Or(freed | over)
	}
	w.noteLost(err)
	for i := range w.parts {
		w.loseAnswers(&w.parts[i], err)
	}
	for i := range w.parts { // what a device still moves is no longer waited for
		finishAll(w.loop, &w.parts[i].waits, err)
	}
	finishAll(w.loop, &w.waits, err)
}

// loseAnswers ends the operations that wait for answers from a part. Reads and writes are ended by the link.
func (w *Window) loseAnswers(p *part, err error) {
	p.dirty, p.unacked = false, 0
	if p.err == nil {
		p.err = err
	}
	for i := range w.answers {
		if f := w.answers[i].f; f != nil && f.p == p {
			w.unname(uint32(i + 1))
			w.land(f, err)
		}
	}
}
