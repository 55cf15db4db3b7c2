package progress_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// A reduction of the program's that does not return ends its rank, also where its plan awaits a flag that nobody raises.
func TestFoldLeavesWhileFlagIsAwaited(t *testing.T) {
	for name, leave := range map[string]func(){"panic": func() { panic("boom") }, "goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			onEveryNode(t, 2, func(t *testing.T, c *crew) {
				b := plan.NewBuilder("folds", 0, 2)
				b.OnNode(0, 0, 1)
				b.Await(1, 0)
				b.Reduce(plan.Span{Buf: plan.Out, Len: 8}, plan.Span{Buf: plan.In, Len: 8}, false)
				bound := c.bound(0, 1, b.Build(), make([]byte, 8), make([]byte, 8))
				bound.Foreign, bound.Combine = progress.Callers, func(dst, src []byte, _ bool) { leave() }
				h := c.loops[0].StartPlan(bound, why("shared"))
				left := async(func() {
					defer func() {
						if p := recover(); p != nil && p != "boom" {
							t.Errorf("the reduction ends with %v", p)
						}
					}()
					_, _, _ = collect(c.loops[0], progress.Want{Need: 1}, h)
				})
				within(t, "the reduction", left)
				again := async(func() {
					if _, errs, err := collect(c.loops[0], progress.Want{Need: 1}, h); err == nil && !errors.Is(errs[0], progress.ErrAborted) {
						t.Errorf("the plan ended with %v, %v", errs, err)
					}
				})
				within(t, "the plan", again)
			})
		})
	}
}
