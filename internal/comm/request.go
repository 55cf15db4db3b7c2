package comm

import (
	"errors"

	"github.com/weft-mpi/weft/internal/progress"
)

// Want says what Collect waits for and takes; see progress.Want.
type Want = progress.Want

// Active tells whether the request stands for an operation at all.
func (r *Request) Active() bool { return r.null || r.h.R != nil }

// Collect waits until want.Need of the active requests have completed, then calls take for completed ones
// in order. A request that was taken is over: the caller forgets it. active is how many were active.
// The requests must all belong to one rank.
func Collect(reqs []Request, want Want, take func(int, Status, error)) (active int, err error) {
	var scratch [32]progress.Handle
	hs := scratch[:0]
	var loop *progress.Loop
	var c *Comm
	immediate := 0
	for i := range reqs {
		r := &reqs[i]
		hs = append(hs, r.h)
		if r.null {
			immediate++
		}
		if r.h.R == nil {
			continue
		}
		if loop != nil && loop != r.c.env.Loop {
			return 0, &Error{"wait", r.c.name, None, None, errors.New("the requests belong to different ranks")}
		}
		c, loop = r.c, r.c.env.Loop
	}
	if immediate > 0 && !want.All {
		takeImmediate(reqs, want.First, take)
		if want.First {
			return immediate, nil
		}
		want.Need = max(want.Need-immediate, 0)
	}
	if loop != nil {
		active, err = loop.Collect(c.goctx, hs, want, func(i int, res progress.Result) {
			st, err := reqs[i].outcome(res)
			take(i, st, err)
			hs[i] = progress.Handle{}
		})
		if err != nil {
			err = &Error{"wait", c.name, None, None, err}
		}
	}
	if want.All && immediate > 0 && allTaken(reqs, hs) {
		takeImmediate(reqs, false, take)
	}
	return active + immediate, err
}

func allTaken(reqs []Request, hs []progress.Handle) bool {
	for i := range hs {
		if hs[i].R != nil {
			return false
		}
	}
	return true
}

func takeImmediate(reqs []Request, first bool, take func(int, Status, error)) {
	for i := range reqs {
		if reqs[i].null {
			take(i, nullStatus, reqs[i].err)
			if first {
				return
			}
		}
	}
}

// outcome turns the loop's result into the user's terms.
func (r *Request) outcome(res progress.Result) (Status, error) {
	st := r.c.status(res.Status)
	if res.Cancelled {
		st.Cancelled = true
		return st, nil // MPI: a cancelled request completes without error
	}
	if res.Err == nil {
		return st, nil
	}
	var already *Error
	if errors.As(res.Err, &already) {
		return st, res.Err
	}
	return st, &Error{r.op, r.c.name, r.peer, r.tag, res.Err}
}

// Wait waits for one request.
func (r *Request) Wait() (st Status, err error) {
	st = nullStatus
	if _, cerr := Collect([]Request{*r}, Want{Need: 1}, func(_ int, s Status, e error) { st, err = s, e }); cerr != nil {
		return st, cerr
	}
	return st, err
}

// Cancel asks to withdraw the request. It still has to be waited for; its status tells whether it was.
func (r *Request) Cancel() error {
	if r.h.R == nil {
		return nil
	}
	if err := r.c.env.Loop.Cancel(r.h); err != nil {
		return &Error{"cancel", r.c.name, r.peer, r.tag, err}
	}
	return nil
}

// Free lets the operation run to its end without anybody waiting.
func (r *Request) Free() error {
	if r.h.R == nil {
		return nil
	}
	if err := r.c.env.Loop.Free(r.h); err != nil {
		return &Error{"free", r.c.name, r.peer, r.tag, err}
	}
	return nil
}
