package comm

import (
	"context"
	"errors"

	"github.com/weft-mpi/weft/internal/progress"
)

// A wait for all of its requests is like a blocking call: when the context of one of them ends,
// that request is taken back, and the wait goes on until all have ended, in one way or the other. A
// wait for some leaves its requests as they are: they are active still, and so are their buffers.

// collect is Collect for handles of which at least one, of communicator c, is in flight. ctx is the
// first that can end the wait. left is how many requests were active and not taken.
func (c *Comm) collect(ctx context.Context, hs []progress.Handle, want Want, take func(int, Status, error)) (active, left int, err error) {
	var back []bool // by request: its context has ended, and it was taken back
	var over []*Comm
	taken := 0
	for {
		active, err = c.env.Loop.Collect(ctx, hs, want, func(i int, r *progress.Request) {
			taken++
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
			back = make([]bool, len(hs))
		}
		c.env.Loop.CancelSome(hs, func(i int) bool {
			ended := homeOf(hs[i]).over()
			back[i] = back[i] || ended
			return ended
		})
		ctx = waitsFor(hs, back)
	}
	for _, c := range over { // not before: the loop's lock was held
		c.giveUp()
	}
	return active, active - taken, err
}

// waitsFor is the first context that can end the wait for one of the requests, but for those that
// were taken back.
func waitsFor(hs []progress.Handle, back []bool) context.Context {
	for i, h := range hs {
		if h.R != nil && !back[i] && homeOf(h).endable() {
			return homeOf(h).goctx
		}
	}
	return nil
}

// endable tells whether the context of the handle may end.
func (c *Comm) endable() bool { return c.goctx != nil && c.goctx.Done() != nil }

// over tells whether the context of the handle has ended.
func (c *Comm) over() bool { return c.goctx != nil && c.goctx.Err() != nil }
