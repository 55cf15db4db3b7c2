package experiments

import (
	"fmt"
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
	staged   bool          // see stage
	watch    *lab.Recorder // likewise
	syncs    bool          // all ranks wait for each other when a plan has ended, before a broadcast
	chains   bool          // interfaces begin sends that wait for receives
	stages   map[int]*stage
	halls    map[int]*hall
}

// blocked is how often a send was held up by a rank that had not arrived, and held up others, so far.
func (t *theatre) blocked() (n uint64) {
	for _, s := range t.stages {
		n += s.blocked
	}
	return n
}

// newTheatre takes from a job what a stage has to know: where ranks are, rails, and whether ranks of a node
// share memory.
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
	return &theatre{plans: plans, surround: c, casts: job.Casts, syncs: job.Syncs, stages: map[int]*stage{}, halls: halls(c.Nodes)}
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
		var err error
		if t.stages[size], err = t.stage(c); err != nil {
			return nil, err
		}
	}
	lens := c.Lens()
	bufs := plan.Bufs{In: make([]byte, lens.In), Out: make([]byte, lens.Out)}
	p, err := t.stages[size].join(k, bufs)
	if err != nil {
		return nil, err
	}
	play := p.play
	if t.syncs {
		play = func() error {
			if err := p.play(); err != nil {
				return err
			}
			return p.sync(t.halls[c.Nodes[p.rank]], k.Gate)
		}
	}
	if !t.casts {
		return measure.Together(k, play), nil
	}
	call := measure.CastCall{First: play, Memory: bufs.Out}
	if !k.Lead() {
		call.Memory = make([]byte, c.Ranks*size)
	} else if memory := p.gathered(); memory != nil {
		call.Memory, call.Meanwhile = memory, p.catchUp
	}
	return measure.CastAfter(k, call)
}

// stage makes that of a case.
func (t *theatre) stage(c coll.Case) (*stage, error) {
	plans, err := t.plans(c)
	if err != nil {
		return nil, err
	}
	var chain chained
	if t.chains {
		if c.Rails > 1 {
			return nil, fmt.Errorf("%s: an event is good for one write, so chains use one rail, not %d", plans[0].Name, c.Rails)
		}
		if chain, err = chainAll(plans); err != nil {
			return nil, err
		}
		plans = chain.plans
	}
	s, err := newStage(plans, c.Rails)
	if err != nil {
		return nil, err
	}
	s.chain, s.staged, s.watch = chain, t.staged, t.watch
	return s, nil
}

// copyPlans is Direct for blocks that are copied, for a stage that copies what is sent to memory that the
// interface knows: every block is written to such memory of its receiver, which everybody knows, and copied
// to where it belongs when all have come. By arrival a rank begins with the one before it and goes
// downwards, first to those whose block has come, then to the rest.
func copyPlans(byArrival bool) planner {
	return func(c coll.Case) ([]*plan.Plan, error) {
		plans := make([]*plan.Plan, c.Ranks)
		for rank := range plans {
			plans[rank] = copyPlan(c, rank, byArrival)
		}
		return plans, nil
	}
}

func copyPlan(c coll.Case, rank int, byArrival bool) *plan.Plan {
	b := plan.NewBuilder("copied", rank, c.Ranks)
	n, own := c.Bytes, c.Lens().In
	slots, in := b.Tmp(own), b.Tmp(c.Ranks*n)
	block := func(peer int) plan.Span { return plan.Span{Buf: plan.In, Off: peer * n % own, Len: n} }
	result := func(peer int) plan.Span { return plan.Span{Buf: plan.Out, Off: peer * n, Len: n} }
	before := func(d int) int { return (rank - d + c.Ranks) % c.Ranks }
	var came []int
	for d := 1; d < c.Ranks; d++ {
		came = append(came, b.Recv(before(d), in.Sub(before(d)*n, n)))
	}
	source := block
	ready := plan.None
	if own == n { // the same for all: one copy serves
		ready = b.Copy(slots, block(0))
		source = func(int) plan.Span { return slots }
	}
	if byArrival {
		b.ByArrival()
	}
	for d := 1; d < c.Ranks; d++ {
		peer := (rank + d) % c.Ranks
		if byArrival {
			peer = before(d)
		}
		b.Send(peer, source(peer), ready)
	}
	b.Copy(result(rank), block(rank))
	all := b.Gate(came...)
	for d := 1; d < c.Ranks; d++ {
		b.Copy(result(before(d)), in.Sub(before(d)*n, n), all)
	}
	return b.Build()
}
