package comm

import (
	"context"
	"errors"

	"github.com/weft-mpi/weft/internal/progress"
)

// A wait for all of its requests is like a blocking call: when the context of one of them ends,
// that request is taken back, and the wait goes on until all have ended, in one way or the other. A
// wait for some leaves its requests as they are: they are active still, and so are their buffers.

// collect is Collect for requests of which at least one, of communicator c, is in flight.
func (c *Comm) collect(reqs Requests, want Want, take func(int, Status, error)) (active int, err error) {
	hs := progress.Handles{N: reqs.N, At: func(i int) progress.Handle { return reqs.At(i).h }}
	var back []bool // by request: its context has ended, and it was taken back
	var over []*Comm
	for {
		ctx := waitsFor(reqs, back)
		active, err = c.env.Loop.Collect(ctx, hs, want, func(i int, r *progress.Request) {
			st, err := outcome(r)
			if back != nil && back[i] && r.Taken() {
				home, w := r.Home().(*Comm), r.Wait()
				err = home.failed(w, context.Cause(home.goctx))
				if w.Seq >= 0 { // a collective
					over = append(over, home)
				}
			}
			take(i, st, err)
		})
		if err == nil || ctx == nil || ctx.Err() == nil || !errors.Is(err, context.Cause(ctx)) || want.Need < active {
			break
		}
		if back == nil {
			back = make([]bool, reqs.N)
		}
		c.env.Loop.CancelSome(hs, func(i int) bool {
			ended := reqs.At(i).comm().over()
			back[i] = back[i] || ended
			return ended
		})
	}
	for _, c := range over { // not before: the loop's lock was held
		c.giveUp()
	}
	return active, err
}

// waitsFor is the first context that can end the wait for one of the requests, but for those that
// were taken back.
func waitsFor(reqs Requests, back []bool) context.Context {
	for i := range reqs.N {
		if r := reqs.At(i); r.h.R != nil && (back == nil || !back[i]) {
			if ctx := r.comm().goctx; ctx != nil && ctx.Done() != nil {
				return ctx
			}
		}
	}
	return nil
}

// over tells whether the context of the handle has ended.
func (c *Comm) over() bool { return c.goctx != nil && c.goctx.Err() != nil }
