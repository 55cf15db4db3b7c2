package experiments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/wire"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// heldUpTimeline shows one alltoall of 8 KB on four nodes to which rank 1 comes late, by Direct and
// PAP_Direct without copies and by Direct with copies, one above the other. "here" is the word of a
// receiver where it wants its block.
func heldUpTimeline(ctx context.Context, b *lab.Bench) (*lab.Timeline, error) {
	all := &lab.Timeline{Title: "Alltoall of 8 KB, rank 1 comes 60 us late: Direct, PAP_Direct, and Direct with copies"}
	for _, a := range []approach{zeroCopy(measure.Alltoall, "direct_zero"), zeroCopy(measure.Alltoall, "pap_direct"), copied("direct@1", false)} {
		t, err := traceLate(ctx, b, a, 8<<10, 60*time.Microsecond)
		if err != nil {
			return nil, err
		}
		all.Below(t)
	}
	return all, nil
}

// traceLate records one call on four nodes to which rank 1 comes late, once everything stands. Time begins
// with the call.
func traceLate(ctx context.Context, b *lab.Bench, a approach, size int, late time.Duration) (*lab.Timeline, error) {
	const ranks, latecomer = 4, 1
	var rec lab.Recorder
	job := lab.Job{On: b.Setups("IB3")[0], Ranks: ranks, Puts: true, Watch: &rec}
	h := newTheatre(job, coll.Alltoall, a.plans)
	h.staged, h.watch = a.staged, &rec
	var start, end time.Duration
	err := b.Run(ctx, job, func(k *measure.Rank) error {
		g, err := h.group(k, measure.Alltoall, size)
		if err != nil {
			return err
		}
		if _, err := g.Uneven(measure.Arrivals{Calls: 1}, 3); err != nil {
			return err
		}
		if err := mpi.Barrier(k.World); err != nil {
			return err
		}
		const beat = time.Millisecond // longer than ranks are apart after a barrier
		start = k.Now().Truncate(beat) + 2*beat
		k.Compute(start - k.Now())
		if k.World.Rank() == latecomer {
			k.Compute(late)
		}
		left := k.Span("Alltoall")
		if err := g.Once(); err != nil {
			return err
		}
		left()
		end = max(end, k.Now())
		return mpi.Barrier(k.World)
	})
	if err != nil {
		return nil, err
	}
	t := rec.Timeline("")
	t.Cut(int64(start), int64(end)-1)
	t.Arrows = slices.DeleteFunc(t.Arrows, func(a lab.Arrow) bool { return a.What == wire.Eager.String() }) // of the barrier after it
	for rank := range ranks {
		t.Lanes = append(t.Lanes, fmt.Sprintf("%s, rank %d", schemeNames[a.way], rank))
	}
	return t, nil
}
