package rank

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// TestBesideKeepsLongMessagesFlowing: there are always some under way, both sides agree on how many there
// were, and none is left over.
func TestBesideKeepsLongMessagesFlowing(t *testing.T) {
	for _, share := range []int{0, 2} {
		s := bench.Step{Size: 8, Iterations: 200, Batches: 3, Warmup: 5, Share: share}
		err := mpi.Run(2, func(world *mpi.Comm) error {
			b := newBeside(world, bench.Case{Test: find(t, "busy_latency"), Steps: []bench.Step{s}})
			row, err := b.latency(s)
			if err != nil {
				return err
			}
			begun, theirs := b.begun[0], b.theirs[0]
			if row.Value <= 0 || share == 0 && begun != 0 || share > 0 && (begun < longAtOnce || begun < theirs) {
				return fmt.Errorf("%d %%: rank %d began %d long messages, its peer %d; row %+v", share, world.Rank(), begun, theirs, row)
			}
			if _, left, err := mpi.Iprobe(world, mpi.AnySource, mpi.AnyTag); err != nil || left {
				return fmt.Errorf("a message is left over, or %w", err)
			}
			return mpi.Barrier(world)
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestBesideEvensOut: a side that has begun fewer long messages than the other begins the rest.
func TestBesideEvensOut(t *testing.T) {
	s := bench.Step{Size: 8, Share: 1}
	for ahead := range 2 {
		err := mpi.Run(2, func(world *mpi.Comm) error {
			b := newBeside(world, bench.Case{Test: find(t, "busy_latency"), Steps: []bench.Step{s}})
			for i := range b.flow {
				b.begin(s, i)
			}
			if world.Rank() == ahead {
				extra := b.extra(s, 3)
				defer func() { _ = mpi.Waitall(extra) }()
			}
			if err := b.drain(s); err != nil {
				return err
			}
			if b.begun[0] != longAtOnce+3 {
				return fmt.Errorf("rank %d began %d messages", world.Rank(), b.begun[0])
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// extra begins n more messages than there are places.
func (b *beside) extra(s bench.Step, n int) []mpi.Request {
	all := make([]mpi.Request, n)
	for i := range all {
		kept := b.flow[0]
		b.begin(s, 0)
		all[i], b.flow[0] = b.flow[0], kept
	}
	return all
}
