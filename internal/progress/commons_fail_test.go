package progress_test

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// A loop that fails ends the plans whose flags have been raised, too: what they would post then, nobody would end.
func TestCommonsFailAfterAFlag(t *testing.T) {
	onEveryNode(t, 2, func(t *testing.T, c *crew) {
		b := plan.NewBuilder("waits", 0, 2)
		b.OnNode(0, 0, 1)
		b.Recv(1, plan.Span{Buf: plan.Out, Len: 8}, b.Await(1, 0))
		h := c.loops[0].StartPlan(c.bound(0, 1, b.Build(), nil, make([]byte, 8)), why("shared"))

		b = plan.NewBuilder("raises", 1, 2)
		b.OnNode(0, 0, 1)
		b.Set(0)
		if err := c.run(1, 1, b.Build(), nil, nil); err != nil {
			t.Fatal(err)
		}
		over := errors.New("all is over")
		c.loops[0].Fail(over)
		ended := async(func() {
			if _, errs, err := collect(c.loops[0], progress.Want{Need: 1}, h); err != nil || !errors.Is(errs[0], over) {
				t.Errorf("the plan ended with %v, %v", errs, err)
			}
		})
		within(t, "the plan", ended)
	})
}
