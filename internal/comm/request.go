package comm

import (
	"context"
	"errors"

	"github.com/weft-mpi/weft/internal/progress"
)

// Request is an operation in flight, one that is over already, or nothing at all (the zero value). It is so short
// that it travels in registers, also as a part of what the face makes of it.
type Request struct {
	h    progress.Handle
	over *ending // complete from the start: a short send, or an operation with ProcNull
}

// ending is how a request was complete from the start.
type ending struct{ err error }

// fine is that of all that did not fail.
var fine = new(ending)

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

// Ended tells whether the request was complete from the start, and how.
func (r *Request) Ended() (st Status, ended bool, err error) {
	if r.over == nil {
		return st, false, nil
	}
	return nullStatus, true, r.over.err
}

// Want says what Collect waits for and takes; see progress.Want.
type Want = progress.Want

// Active tells whether the request stands for an operation that nobody has waited for. A copy of
// one that was over from the start does not know.
func (r *Request) Active() bool { return r.over != nil || r.h.Live() }

// Requests gives access to n requests, wherever they are.
type Requests struct {
	N  int
	At func(i int) *Request
}

// Collect waits until want.Need of the active requests have completed, then calls take for completed ones.
// A request that was taken is over: the caller forgets it. active is how many were active. The requests must
// all belong to one rank.
func Collect(reqs Requests, want Want, take func(int, Status, error)) (active int, err error) {
	if reqs.N <= len(few{}) {
		return collect(reqs, new(few)[:reqs.N], want, take)
	}
	return collectMany(reqs, want, take)
}

// Handles of so many requests fit on the stack; to clear room for many is too dear for a wait for few.
type (
	few  [8]progress.Handle
	many [128]progress.Handle
)

//go:noinline
func collectMany(reqs Requests, want Want, take func(int, Status, error)) (active int, err error) {
	var room many
	hs := room[:0]
	if reqs.N > len(room) {
		hs = make([]progress.Handle, reqs.N)
	}
	return collect(reqs, hs[:reqs.N], want, take)
}

// collect is Collect with room for the handles of the requests.
func collect(reqs Requests, hs []progress.Handle, want Want, take func(int, Status, error)) (active int, err error) {
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
		active, left, err = c.collect(ctx, hs, want, take)
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
func survey(reqs Requests, hs []progress.Handle) (c *Comm, ctx context.Context, done int, err error) {
	var last *Comm // most belong to the same as the one before
	for i := range hs {
		r := reqs.At(i)
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

func takeDone(reqs Requests, first bool, take func(int, Status, error)) {
	for i := range reqs.N {
		if r := reqs.At(i); r.over != nil {
			take(i, nullStatus, r.over.err)
			if first {
				return
			}
		}
	}
}

// outcome turns what a request ended with into the user's terms.
func outcome(res *progress.Request) (Status, error) {
	c := res.Home().(*Comm)
	st := c.status(res.Status)
	if res.Err == nil {
		return st, nil
	}
	if res.Cancelled && c.state.Load() != givenUp {
		st.Cancelled = true
		return st, nil // MPI: a cancelled request completes without error
	}
	return st, c.failed(res.Wait(), c.cause(res.Err))
}

// failed is the error of a request.
func (c *Comm) failed(w progress.Wait, err error) error {
	peer := w.Peer
	if peer >= 0 {
		peer = c.group.Rank(peer)
	}
	return c.fault(w.Op, peer, w.Tag, err)
}

// Cancel asks to withdraw the request. It still has to be waited for; its status tells whether it was.
func (r *Request) Cancel() error {
	if r.h.R == nil {
		return nil
	}
	c := r.comm()
	if err := c.env.Loop.Cancel(r.h); err != nil {
		return c.fail("cancel", err)
	}
	return nil
}

// Free lets the operation run to its end without anybody waiting.
func (r *Request) Free() error {
	if r.h.R == nil {
		return nil
	}
	c := r.comm()
	if err := c.env.Loop.Free(r.h); err != nil {
		return c.fail("free", err)
	}
	return nil
}
