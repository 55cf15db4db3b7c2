package soak

import (
	"fmt"
	"math/rand/v2"

	"github.com/weft-mpi/weft/mpi"
)

// group is one rank's part in the collectives of a round on one communicator.
type group struct {
	c           *mpi.Comm
	key         uint64 // differs between rounds and communicators
	rank, ranks int
	round       int
}

// step is one collective of a plan.
type step struct {
	name  string
	root  int
	count int // elements per rank
	how   how
	part  func(g *group, s step, key uint64) part
}

// how is the form of a call.
type how int

const (
	blocking how = iota
	waited       // started, and waited for at once
	flying       // started, and waited for with others
	hows
)

// part is what a rank does in a collective: the call in both forms, and how to check what came of it.
type part struct {
	run   func() error
	start func() mpi.Request
	check func() error
}

func (s step) String() string {
	return fmt.Sprintf("%s of %d elements, root %d", s.name, s.count, s.root)
}

// kinds are the collectives there are.
var kinds = []step{
	{name: "barrier", part: (*group).barrier},
	{name: "bcast", part: (*group).bcast},
	{name: "allreduce", part: (*group).allreduce},
	{name: "allgather", part: (*group).allgather},
	{name: "alltoall", part: (*group).alltoall},
	{name: "alltoallv", part: (*group).alltoallv},
	{name: "reduce_scatter", part: (*group).reduceScatter},
	{name: "reduce", part: (*group).reduce},
	{name: "gather", part: (*group).gather},
	{name: "scatter", part: (*group).scatter},
	{name: "scan", part: (*group).scan},
	{name: "exscan", part: (*group).exscan},
	{name: "allgatherv", part: (*group).allgatherv},
	{name: "gatherv", part: (*group).gatherv},
	{name: "scatterv", part: (*group).scatterv},
	{name: "reduce_scatterv", part: (*group).reduceScatterv},
}

// newGroup prepares the collectives of a round. key tells this communicator from others.
func newGroup(c *mpi.Comm, key uint64, round int) *group {
	return &group{c: c, key: key, rank: c.Rank(), ranks: c.Size(), round: round}
}

// steps derives the collectives of the round, the same on all ranks.
func (g *group) steps() []step {
	rng := rand.New(rand.NewPCG(g.key, uint64(g.round)))
	var all []step
	for range 1 + rng.IntN(5) {
		s := kinds[rng.IntN(len(kinds))]
		s.root, s.how = rng.IntN(g.ranks), how(rng.IntN(int(hows)))
		s.count = randomSize(rng) / 8 / g.ranks
		all = append(all, s)
	}
	return all
}

// run calls the collectives in order: some are waited for at once, the others together at the end.
func (g *group) run() (n int, err error) { return g.runSteps(g.steps()) }

func (g *group) runSteps(steps []step) (n int, err error) {
	var aloft []mpi.Request
	var checks []func() error
	for i, s := range steps {
		p := s.part(g, s, mix(g.key, uint64(i)))
		named := func(err error) error {
			if err != nil {
				err = fmt.Errorf("round %d, collective %d (%v) on %d ranks, rank %d: %w", g.round, i, s, g.ranks, g.rank, err)
			}
			return err
		}
		switch s.how {
		case blocking:
			err = p.run()
		case waited:
			_, err = p.start().Wait()
		default:
			aloft, checks = append(aloft, p.start()), append(checks, func() error { return named(p.check()) })
			continue
		}
		if err == nil {
			err = p.check()
		}
		if err != nil {
			return i, named(err)
		}
	}
	if err := mpi.Waitall(aloft); err != nil {
		return len(steps), fmt.Errorf("round %d, collectives in the background: %w", g.round, err)
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return len(steps), err
		}
	}
	return len(steps), nil
}

// block is the payload of one rank, for another or (with to < 0) for all.
func (g *group) block(key uint64, from, to, count int) []uint64 {
	b := make([]uint64, count)
	start := g.start(key, from, to)
	for i := range b {
		b[i] = start + uint64(i)*stride
	}
	return b
}

func (g *group) start(key uint64, from, to int) uint64 { return mix(key, uint64(from), uint64(to+1)) }

// same checks a block that came from a rank.
func (g *group) same(got []uint64, key uint64, from, to int) error {
	start := g.start(key, from, to)
	for i, v := range got {
		if want := start + uint64(i)*stride; v != want {
			return fmt.Errorf("element %d from rank %d is %#x, not %#x", i, from, v, want)
		}
	}
	return nil
}

// sums checks the sum over the blocks of ranks below upTo, which is a line because each of them is one. first is the
// number of got's first element.
func (g *group) sums(got []uint64, key uint64, upTo, first int) error {
	var start uint64
	for r := range upTo {
		start += g.start(key, r, -1)
	}
	for i, v := range got {
		if want := start + uint64(first+i)*uint64(upTo)*stride; v != want {
			return fmt.Errorf("element %d of the sum is %#x, not %#x", first+i, v, want)
		}
	}
	return nil
}
