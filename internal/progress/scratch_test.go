package progress

import (
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// An idle task keeps little; long scratch is found again by the next task that needs it, whatever was asked
// for in between.
func TestScratch(t *testing.T) {
	const long, rounds = 3 * keptScratch, 40
	l := new(Loop)
	places := map[*byte]bool{}
	for range rounds {
		for _, n := range []int{0, 10, keptScratch, long, long - 1, long / 2, 7} {
			job := l.newTask(&Bound{Plan: &plan.Plan{TmpLen: n}})
			if len(job.bufs.Tmp) != n {
				t.Fatalf("%d bytes of scratch, wanted %d", len(job.bufs.Tmp), n)
			}
			if n == long {
				places[&job.bufs.Tmp[0]] = true
			}
			l.freeTask(job)
			if cap(job.bufs.Tmp) > keptScratch {
				t.Fatalf("an idle task keeps %d bytes", cap(job.bufs.Tmp))
			}
		}
	}
	if len(places) == rounds { // under the race detector a pool forgets some on purpose
		t.Errorf("each of %d long runs had fresh scratch", rounds)
	}
}
