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
	wait  bool
	call  func(g *group, s step, key uint64) (mpi.Request, func() error)
}

func (s step) String() string {
	return fmt.Sprintf("%s of %d elements, root %d", s.name, s.count, s.root)
}

// kinds are the collectives there are: each starts one and returns how to check it once it has ended.
var kinds = []step{
	{name: "barrier", call: (*group).barrier},
	{name: "bcast", call: (*group).bcast},
	{name: "allreduce", call: (*group).allreduce},
	{name: "allgather", call: (*group).allgather},
	{name: "alltoall", call: (*group).alltoall},
	{name: "alltoallv", call: (*group).alltoallv},
	{name: "reduce_scatter", call: (*group).reduceScatter},
	{name: "reduce", call: (*group).reduce},
	{name: "gather", call: (*group).gather},
	{name: "scatter", call: (*group).scatter},
	{name: "scan", call: (*group).scan},
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
		s.root, s.wait = rng.IntN(g.ranks), rng.IntN(2) == 0
		s.count = randomSize(rng) / 8 / g.ranks
		all = append(all, s)
	}
	return all
}

// run calls the collectives in order: some are waited for at once, the others together at the end.
func (g *group) run() (n int, err error) {
	var flying []mpi.Request
	var checks []func() error
	steps := g.steps()
	for i, s := range steps {
		r, check := s.call(g, s, mix(g.key, uint64(i)))
		named := func() error {
			if err := check(); err != nil {
				return fmt.Errorf("round %d, collective %d (%v) on %d ranks, rank %d: %w", g.round, i, s, g.ranks, g.rank, err)
			}
			return nil
		}
		if !s.wait {
			flying, checks = append(flying, r), append(checks, named)
			continue
		}
		if _, err := r.Wait(); err != nil {
			return i, fmt.Errorf("round %d, collective %d (%v): %w", g.round, i, s, err)
		}
		if err := named(); err != nil {
			return i, err
		}
	}
	if err := mpi.Waitall(flying); err != nil {
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

func nothing() error { return nil }

func (g *group) barrier(step, uint64) (mpi.Request, func() error) { return mpi.Ibarrier(g.c), nothing }

func (g *group) bcast(s step, key uint64) (mpi.Request, func() error) {
	b := make([]uint64, s.count)
	if g.rank == s.root {
		b = g.block(key, s.root, -1, s.count)
	}
	return mpi.Ibcast(g.c, b, s.root), func() error { return g.same(b, key, s.root, -1) }
}

func (g *group) allreduce(s step, key uint64) (mpi.Request, func() error) {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count)
	return mpi.Iallreduce(g.c, in, out, mpi.Sum), func() error { return g.sums(out, key, g.ranks, 0) }
}

func (g *group) reduce(s step, key uint64) (mpi.Request, func() error) {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count)
	return mpi.Ireduce(g.c, in, out, mpi.Sum, s.root), func() error {
		if g.rank != s.root {
			return nil
		}
		return g.sums(out, key, g.ranks, 0)
	}
}

func (g *group) scan(s step, key uint64) (mpi.Request, func() error) {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count)
	return mpi.Iscan(g.c, in, out, mpi.Sum), func() error { return g.sums(out, key, g.rank+1, 0) }
}

func (g *group) reduceScatter(s step, key uint64) (mpi.Request, func() error) {
	in, out := g.block(key, g.rank, -1, s.count*g.ranks), make([]uint64, s.count)
	return mpi.IreduceScatter(g.c, in, out, mpi.Sum), func() error { return g.sums(out, key, g.ranks, g.rank*s.count) }
}

func (g *group) allgather(s step, key uint64) (mpi.Request, func() error) {
	in, out := g.block(key, g.rank, -1, s.count), make([]uint64, s.count*g.ranks)
	return mpi.Iallgather(g.c, in, out), func() error { return g.gathered(out, key, -1, s.count) }
}

func (g *group) gather(s step, key uint64) (mpi.Request, func() error) {
	in, out := g.block(key, g.rank, -1, s.count), []uint64(nil)
	if g.rank == s.root {
		out = make([]uint64, s.count*g.ranks)
	}
	return mpi.Igather(g.c, in, out, s.root), func() error {
		if g.rank != s.root {
			return nil
		}
		return g.gathered(out, key, -1, s.count)
	}
}

// gathered checks one block per rank.
func (g *group) gathered(got []uint64, key uint64, to, count int) error {
	for r := range g.ranks {
		if err := g.same(got[r*count:(r+1)*count], key, r, to); err != nil {
			return err
		}
	}
	return nil
}

func (g *group) scatter(s step, key uint64) (mpi.Request, func() error) {
	var in []uint64
	if g.rank == s.root {
		in = g.outgoing(key, s.count)
	}
	out := make([]uint64, s.count)
	return mpi.Iscatter(g.c, in, out, s.root), func() error { return g.same(out, key, s.root, g.rank) }
}

// outgoing is a block for each rank.
func (g *group) outgoing(key uint64, count int) []uint64 {
	b := []uint64{} // not nil: nil would mean "in place"
	for r := range g.ranks {
		b = append(b, g.block(key, g.rank, r, count)...)
	}
	return b
}

func (g *group) alltoall(s step, key uint64) (mpi.Request, func() error) {
	in, out := g.outgoing(key, s.count), make([]uint64, s.count*g.ranks)
	return mpi.Ialltoall(g.c, in, out), func() error { return g.gathered(out, key, g.rank, s.count) }
}

// alltoallv sends blocks of lengths that depend on both ranks.
func (g *group) alltoallv(s step, key uint64) (mpi.Request, func() error) {
	length := func(from, to int) int { return int(mix(key, uint64(from), uint64(to), 1) % uint64(s.count+1)) }
	in := []uint64{}
	var outgoing, incoming []int
	total := 0
	for r := range g.ranks {
		in = append(in, g.block(key, g.rank, r, length(g.rank, r))...)
		outgoing, incoming = append(outgoing, length(g.rank, r)), append(incoming, length(r, g.rank))
		total += incoming[r]
	}
	out := make([]uint64, total)
	return mpi.Ialltoallv(g.c, in, outgoing, nil, out, incoming, nil), func() error {
		rest := out
		for r, n := range incoming {
			if err := g.same(rest[:n], key, r, g.rank); err != nil {
				return err
			}
			rest = rest[n:]
		}
		return nil
	}
}
