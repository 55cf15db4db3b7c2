package comm

import (
	"errors"

	"github.com/weft-mpi/weft/internal/progress"
)

// Request is an operation in flight, one that is over already, or nothing at all (the zero value).
type Request struct {
	h    progress.Handle
	err  error // done only
	done bool  // complete from the start: a short send, or an operation with ProcNull
}

// comm is the communicator of a request in flight.
func (r *Request) comm() *Comm { return r.h.R.Home().(*Comm) }

// Failed returns a request that is complete, with an error unless that is nil.
func Failed(err error) Request { return Request{done: true, err: err} }

// Ended tells whether the request was complete from the start, and how.
func (r *Request) Ended() (st Status, ended bool, err error) { return nullStatus, r.done, r.err }

// Want says what Collect waits for and takes; see progress.Want.
type Want = progress.Want

// Active tells whether the request stands for an operation that nobody has waited for. A copy of
// one that was over from the start does not know.
func (r *Request) Active() bool { return r.done || r.h.Live() }

// Requests gives access to n requests without copying them.
type Requests struct {
	N  int
	At func(i int) *Request
}

// Collect waits until want.Need of the active requests have completed, then calls take for completed ones.
// A request that was taken is over: the caller forgets it. active is how many were active. The requests must
// all belong to one rank.
func Collect(reqs Requests, want Want, take func(int, Status, error)) (active int, err error) {
	c, done, err := survey(reqs)
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
		active, err = c.collect(reqs, want, func(i int, st Status, err error) {
			take(i, st, err)
			left--
		})
		left += active
		if err != nil {
			err = c.fault("wait", None, None, err)
		}
	}
	if want.All && left == 0 {
		takeDone(reqs, false, take)
	}
	return active + done, err
}

// survey counts the requests that are done from the start and finds a communicator of the others.
func survey(reqs Requests) (c *Comm, done int, err error) {
	for i := range reqs.N {
		r := reqs.At(i)
		if r.done {
			done++
		}
		if r.h.R == nil {
			continue
		}
		if c == nil {
			c = r.comm()
		} else if !c.env.Loop.Owns(r.h) {
			return nil, 0, c.fail("wait", errors.New("the requests belong to different ranks"))
		}
	}
	return c, done, nil
}

func takeDone(reqs Requests, first bool, take func(int, Status, error)) {
	for i := range reqs.N {
		if r := reqs.At(i); r.done {
			take(i, nullStatus, r.err)
			if first {
				return
			}
		}
	}
}

// outcome turns what a request ended with into the user's terms.
func outcome(res *progress.Request) (Status, error) {
	w := res.Wait()
	c := w.Home.(*Comm)
	st := c.status(res.Status)
	if res.Err == nil {
		return st, nil
	}
	if res.Cancelled && c.state.Load() != givenUp {
		st.Cancelled = true
		return st, nil // MPI: a cancelled request completes without error
	}
	return st, c.failed(w, c.cause(res.Err))
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
