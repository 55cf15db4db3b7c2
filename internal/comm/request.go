package comm

import (
	"context"
	"errors"

	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
)

// Request is an operation in flight, one that is over already, one that can be started again and again, or
// nothing at all (the zero value). It is so short that it travels in registers.
type Request struct {
	h     progress.Handle
	over  *ending // complete from the start: a short send, or an operation with ProcNull
	again *persistent
}

// ending is how a request was complete from the start.
type ending struct{ err error }

// fine is that of all that did not fail.
var fine = new(ending)

// current returns the operation in flight.
func (r *Request) current() *Request {
	if r.again != nil {
		return &r.again.now
	}
	return r
}

// comm is the communicator of a request in flight.
func (r *Request) comm() *Comm { return homeOf(r.h) }

func homeOf(h progress.Handle) *Comm { return h.R.Home().(*Comm) }

// Failed returns a request that is complete, with an error unless that is nil.
func Failed(err error) Request {
	if err == nil {
		return Request{over: fine}
	}
	return Request{over: &ending{err}}
}

// Refused is why an operation was never begun; nil if it was.
func (r *Request) Refused() error {
	if r.over != nil {
		return r.over.err
	}
	return nil
}

// Want says what Collect waits for and takes; see progress.Want.
type Want = progress.Want

// Active tells whether the request stands for an operation that nobody has waited for. A copy of
// one that was over from the start does not know.
func (r *Request) Active() bool {
	r = r.current()
	return r.over != nil || r.h.Live()
}

// One waits for a single request, or only looks whether it has completed; over tells that it has, or was inactive.
func (r Request) One(waits bool) (st Status, over bool, err error) {
	now := r.current()
	switch {
	case now.over != nil:
		st, err = nullStatus, now.over.err
		*now = Request{}
		return st, true, err
	case now.h.R == nil:
		return st, true, nil
	}
	c := now.comm()
	if waits && c.endable() {
		return r.oneEndable()
	}
	if p := c.env.Profile; p != nil {
		defer p.End(p.Begin(oneName(waits), calls.Nobody, 0))
	}
	got, bad, over, err := c.env.Loop.One(now.h, waits)
	switch {
	case err != nil:
		return st, false, c.fault("wait", None, None, err)
	case !over:
		return st, false, nil
	}
	*now = Request{}
	if bad != nil {
		st, err = c.outcome(got, bad)
		return st, true, err
	}
	st, err = c.received(got)
	return st, true, err
}

// oneName is what the profile calls a wait for one request, or a look at it.
func oneName(waits bool) string {
	if waits {
		return "wait"
	}
	return "test"
}

// oneEndable waits for a request whose wait a context may end.
func (r Request) oneEndable() (st Status, over bool, err error) {
	_, failed := Collect([]Request{r}, Want{Need: 1}, func(_ int, s Status, e error) { st, over, err = s, true, e })
	return st, over, errors.Join(failed, err)
}

// Collect waits until want.Need of the active requests have completed, then calls take for completed ones, which are
// inactive from then on. active is how many were active. The requests must all belong to one rank.
func Collect(reqs []Request, want Want, take func(int, Status, error)) (active int, err error) {
	if len(reqs) <= len(few{}) {
		return collect(reqs, new(few)[:len(reqs)], want, take)
	}
	return collectMany(reqs, want, take)
}

// Handles of so many requests fit on the stack; to clear room for many is too dear for a wait for few.
type (
	few  [8]progress.Handle
	many [128]progress.Handle
)

//go:noinline
func collectMany(reqs []Request, want Want, take func(int, Status, error)) (active int, err error) {
	var room many
	hs := room[:0]
	if len(reqs) > len(room) {
		hs = make([]progress.Handle, len(reqs))
	}
	return collect(reqs, hs[:len(reqs)], want, take)
}

// someName is what the profile calls a wait for several requests, or a look at them.
func someName(want Want, n int) string {
	switch {
	case want.All:
		return "testall"
	case want.First && want.Need == 0:
		return "testany"
	case want.First:
		return "waitany"
	case want.Need == 0 && n > 0:
		return "testsome"
	case want.Need < n:
		return "waitsome"
	}
	return "waitall"
}

// collect is Collect with room for the handles of the requests.
func collect(reqs []Request, hs []progress.Handle, want Want, take func(int, Status, error)) (active int, err error) {
	asked := want
	c, ctx, done, err := survey(reqs, hs)
	if err != nil {
		return 0, err
	}
	if done > 0 && !want.All {
		takeDone(reqs, want.First, take)
		if want.First {
			return done, nil
		}
		want.Need = max(want.Need-done, 0)
	}
	left := 0
	if c != nil {
		if p := c.env.Profile; p != nil {
			defer p.End(p.Begin(someName(asked, len(reqs)), calls.Nobody, 0))
		}
		active, left, err = c.collect(ctx, hs, want, func(i int, st Status, err error) {
			*reqs[i].current() = Request{}
			take(i, st, err)
		})
		if err != nil {
			err = c.fault("wait", None, None, err)
		}
	}
	if want.All && left == 0 {
		takeDone(reqs, false, take)
	}
	return active + done, err
}

// survey counts the requests that are done from the start, and of the others fills in the handles
// and finds a communicator and the first context that can end the wait.
func survey(reqs []Request, hs []progress.Handle) (c *Comm, ctx context.Context, done int, err error) {
	var last *Comm // most belong to the same as the one before
	for i := range hs {
		r := reqs[i].current()
		if hs[i] = r.h; r.h.R == nil {
			if r.over != nil {
				done++
			}
			continue
		}
		home := r.comm()
		if home == last {
			continue
		}
		last = home
		if c == nil {
			c = home
		} else if home.env != c.env {
			return nil, nil, 0, c.fail("wait", errors.New("the requests belong to different ranks"))
		}
		if ctx == nil && home.endable() {
			ctx = home.goctx
		}
	}
	return c, ctx, done, nil
}

// takeDone takes the requests that were over from the start, or the first of them.
func takeDone(reqs []Request, first bool, take func(int, Status, error)) {
	for i := range reqs {
		if r := reqs[i].current(); r.over != nil {
			err := r.over.err
			*r = Request{}
			if take(i, nullStatus, err); first {
				return
			}
		}
	}
}

// outcome turns what a request ended with into the user's terms.
func outcome(res *progress.Request) (Status, error) {
	c := res.Home().(*Comm)
	if bad := res.Bad(); bad != nil {
		return c.outcome(res.Status, bad)
	}
	return c.received(res.Status)
}

// received is the outcome of a request that ended well.
func (c *Comm) received(got engine.Status) (Status, error) {
	st := c.status(got)
	if c.label != 0 {
		if err := compareTypes(got, c.label); err != nil {
			return st, c.fault("irecv", st.Source, st.Tag, err)
		}
	}
	return st, nil
}

// outcome is that of a request that did not end well.
func (c *Comm) outcome(got engine.Status, bad *progress.Bad) (Status, error) {
	st := c.status(got)
	if s := c.state.Load(); bad.Cancelled && s != givenUp && s != revoked {
		st.Cancelled = true
		return st, nil // MPI: a cancelled request completes without error
	}
	return st, c.failed(bad.Wait, c.cause(bad.Err))
}

// failed is the error of a request.
func (c *Comm) failed(w progress.Wait, err error) error {
	peer := w.Peer
	if peer >= 0 {
		peer = c.peers.Rank(peer)
	}
	return c.fault(w.Op, peer, w.Tag, err)
}

// Cancel asks to withdraw the request. It still has to be waited for; its status tells whether it was.
func (r *Request) Cancel() error {
	r = r.current()
	if r.h.R == nil {
		return nil
	}
	c := r.comm()
	if err := c.env.Loop.Cancel(r.h); err != nil {
		return c.fail("cancel", err)
	}
	return nil
}

// Done tells whether the operation has completed, and how, and leaves the request as it is.
func (r Request) Done() (st Status, done bool, err error) {
	now := r.current()
	switch {
	case now.over != nil:
		return nullStatus, true, now.over.err
	case now.h.R == nil:
		return st, true, nil
	}
	c := now.comm()
	got, bad, done, err := c.env.Loop.Done(now.h)
	switch {
	case err != nil:
		return st, false, c.fault("status", None, None, err)
	case !done:
		return st, false, nil
	case bad != nil:
		st, err = c.outcome(got, bad)
	default:
		st, err = c.received(got)
	}
	return st, true, err
}

// Free lets the operation run to its end without anybody waiting, and makes the request inactive. One that
// could be started again cannot any more.
func (r *Request) Free() error {
	if r.again != nil {
		r.again.end()
	}
	r = r.current()
	h := r.h
	*r = Request{}
	if h.R == nil {
		return nil
	}
	c := homeOf(h)
	if err := c.env.Loop.Free(h); err != nil {
		return c.fail("free", err)
	}
	return nil
}
