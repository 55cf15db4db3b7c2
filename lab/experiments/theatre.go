package experiments

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// planner makes the plans of all ranks for a case.
type planner func(c coll.Case) ([]*plan.Plan, error)

// theatre has the stages of a job, one for each length of blocks.
type theatre struct {
	plans    planner
	surround coll.Case
	casts    bool
	stages   map[int]*stage
}

// newTheatre takes from a job what a stage has to know: where ranks are, rails, and whether ranks of a node share memory.
func newTheatre(job lab.Job, op coll.Op, plans planner) *theatre {
	each := max(job.PerNode, 1)
	c := coll.Case{Op: op, Ranks: job.Ranks, Local: each, Shares: !slices.Contains(job.Settings, onlyNetwork[0]), Scheme: plan.Copied} // nobody has to be told where to write
	for rank := range job.Ranks {
		c.Nodes = append(c.Nodes, rank/each)
	}
	for _, s := range job.Settings {
		if text, ok := strings.CutPrefix(s, "rails="); ok {
			if n, err := strconv.Atoi(text); err == nil {
				c.Rails = n
			}
		}
	}
	return &theatre{plans: plans, surround: c, casts: job.Casts, stages: map[int]*stage{}}
}

// algorithmTheatre plays an algorithm of the library.
func algorithmTheatre(job lab.Job, algorithm string) *theatre {
	a, _ := coll.Find(algorithm) // plansOf says if there is none
	return newTheatre(job, a.Op, func(c coll.Case) ([]*plan.Plan, error) { return plansOf(algorithm, c) })
}

// group makes a rank's part of the operation, which ends with a broadcast of the hardware if the job has one.
func (t *theatre) group(k *measure.Rank, _ measure.Collective, size int) (*measure.Group, error) {
	c := t.surround
	c.Bytes, c.Rank = size, k.World.Rank()
	if c.Rails == 0 {
		c.Rails = k.Puts.Rails()
	}
	if t.stages[size] == nil {
		plans, err := t.plans(c)
		if err != nil {
			return nil, err
		}
		if t.stages[size], err = newStage(plans, c.Rails); err != nil {
			return nil, err
		}
	}
	lens := c.Lens()
	bufs := plan.Bufs{In: make([]byte, lens.In), Out: make([]byte, lens.Out)}
	p, err := t.stages[size].join(k, bufs)
	if err != nil {
		return nil, err
	}
	if !t.casts {
		return measure.Together(k, p.play), nil
	}
	call := measure.CastCall{First: p.play, Memory: bufs.Out}
	if !k.Lead() {
		call.Memory = make([]byte, c.Ranks*size)
	} else if memory := p.gathered(); memory != nil {
		call.Memory, call.Meanwhile = memory, p.catchUp
	}
	return measure.CastAfter(k, call)
}

// copyPlans is Direct for blocks that are copied: every block is copied to memory that the interface knows, written to such memory
// of its receiver, which everybody knows, and copied to where it belongs when all have come. down has a rank begin with the one
// before it instead of the one after it.
func copyPlans(down bool) planner {
	return func(c coll.Case) ([]*plan.Plan, error) {
		plans := make([]*plan.Plan, c.Ranks)
		for rank := range plans {
			plans[rank] = copyPlan(c, rank, down)
		}
		return plans, nil
	}
}

func copyPlan(c coll.Case, rank int, down bool) *plan.Plan {
	b := plan.NewBuilder("copied", rank, c.Ranks)
	n, each := c.Bytes, c.Op == coll.Alltoall // each gets a block of its own
	own, slots := plan.Span{Buf: plan.In, Len: n}, 1
	if each {
		own.Len, slots = c.Ranks*n, c.Ranks
	}
	out, in := b.Tmp(slots*n), b.Tmp(c.Ranks*n)
	block := func(of plan.Span, peer int) plan.Span { return of.Sub(peer%slots*n, n) }
	result := func(peer int) plan.Span { return plan.Span{Buf: plan.Out, Off: peer * n, Len: n} }
	var came []int
	for d := 1; d < c.Ranks; d++ {
		peer := (rank - d + c.Ranks) % c.Ranks
		came = append(came, b.Recv(peer, in.Sub(peer*n, n)))
	}
	copied := plan.None
	for d := 1; d < c.Ranks; d++ {
		peer := (rank + d) % c.Ranks
		if down {
			peer = (rank - d + c.Ranks) % c.Ranks
		}
		if each || d == 1 {
			copied = b.Copy(block(out, peer), block(own, peer))
		}
		b.Send(peer, block(out, peer), copied)
	}
	b.Copy(result(rank), block(own, rank))
	all := b.Gate(came...)
	for d := 1; d < c.Ranks; d++ {
		peer := (rank - d + c.Ranks) % c.Ranks
		b.Copy(result(peer), in.Sub(peer*n, n), all)
	}
	return b.Build()
}
