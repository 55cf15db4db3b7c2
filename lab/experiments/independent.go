package experiments

import (
	"context"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// apart are allgathers of groups that have one rank on each node and do not know of each other: the first
// of perNode ranks of every node are a group, the second another one, and so on, as many as take part.
type apart struct {
	perNode, groups int
	ring            bool // blocks go around, over one connection; else a rank writes to all others of its group at once
}

// plans are those of all ranks. Who takes no part does nothing.
func (a apart) plans(c coll.Case) ([]*plan.Plan, error) {
	plans := make([]*plan.Plan, c.Ranks)
	for rank := range plans {
		b := plan.NewBuilder("apart", rank, c.Ranks)
		switch {
		case rank%a.perNode >= a.groups:
		case a.ring:
			a.around(b, c, rank)
		default:
			a.toAll(b, c, rank)
		}
		plans[rank] = b.Build()
	}
	return plans, nil
}

// peer is the rank of the same group so many nodes on.
func (a apart) peer(c coll.Case, rank, nodes int) int {
	return (rank + nodes*a.perNode + c.Ranks) % c.Ranks
}

func (a apart) toAll(b *plan.Builder, c coll.Case, rank int) {
	own := plan.Span{Buf: plan.In, Len: c.Bytes}
	for d := 1; d < c.Ranks/a.perNode; d++ {
		b.Recv(a.peer(c, rank, -d), plan.Span{Buf: plan.Out, Off: d * c.Bytes, Len: c.Bytes})
	}
	for d := 1; d < c.Ranks/a.perNode; d++ {
		b.Send(a.peer(c, rank, d), own)
	}
}

func (a apart) around(b *plan.Builder, c coll.Case, rank int) {
	block, came := plan.Span{Buf: plan.In, Len: c.Bytes}, plan.None
	for d := 1; d < c.Ranks/a.perNode; d++ {
		b.Send(a.peer(c, rank, 1), block, came)
		block = plan.Span{Buf: plan.Out, Off: d * c.Bytes, Len: c.Bytes}
		came = b.Recv(a.peer(c, rank, -1), block)
	}
}

// measured adds the MB/s that pass a node's interface, in and out, over sizes: by remote writes to places
// that everybody knows.
func (a apart) measured(ctx context.Context, b *lab.Bench, on lab.Setup, sizes []int, add func(size, rate float64)) error {
	job := lab.Job{On: on, Ranks: 4 * a.perNode, PerNode: a.perNode, Puts: true, Lines: true}
	group := newTheatre(job, coll.Allgather, a.plans).group
	return b.Run(ctx, job, func(k *measure.Rank) error {
		return measure.Sweep(k, sizes, add, func(size int) (float64, error) {
			g, err := group(k, measure.Allgather, size)
			if err != nil {
				return 0, err
			}
			us, err := g.OneAfterAnother(b.Longer(measure.Loops{Warmup: 50, Timed: 200}))
			return float64(2*a.groups*3*size) / us, err
		})
	})
}
