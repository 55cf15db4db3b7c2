package measure

import (
	"errors"
	"fmt"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Collective is a collective operation with blocks of one length.
type Collective string

// The operations that are measured.
const (
	Bcast     Collective = "bcast"
	Scatter   Collective = "scatter"
	Gather    Collective = "gather"
	Allgather Collective = "allgather"
	Alltoall  Collective = "alltoall"
)

// Group is one rank's part of a collective operation, over and over with the same buffers. The root is rank 0.
type Group struct {
	k    *Rank
	op   Collective // empty: no operation of MPI
	call func() error
}

// NewGroup makes the buffers of an operation whose blocks have that many bytes (Bcast: all of it).
func NewGroup(k *Rank, op Collective, size int) (*Group, error) {
	ranks, root := k.World.Size(), k.World.Rank() == 0
	all := func(used bool) []byte {
		if !used {
			return nil
		}
		return buffer(size * ranks)
	}
	g := &Group{k: k, op: op}
	switch op {
	case Bcast:
		data := buffer(size)
		g.call = func() error { return mpi.Bcast(k.World, data, 0) }
	case Scatter:
		in, out := all(root), buffer(size)
		g.call = func() error { return mpi.Scatter(k.World, in, out, 0) }
	case Gather:
		in, out := buffer(size), all(root)
		g.call = func() error { return mpi.Gather(k.World, in, out, 0) }
	case Allgather:
		in, out := buffer(size), all(true)
		g.call = func() error { return mpi.Allgather(k.World, in, out) }
	case Alltoall:
		in, out := all(true), all(true)
		g.call = func() error { return mpi.Alltoall(k.World, in, out) }
	default:
		return nil, fmt.Errorf("there is no collective operation %q", op)
	}
	return g, nil
}

// Once makes one call, which nobody times.
func (g *Group) Once() error { return g.call() }

// Slowest returns the microseconds until the last rank has what it wants, when all begin at the same time.
func (g *Group) Slowest(l Loops) (float64, error) {
	return g.named(l.Warmup+l.Timed, func() (float64, error) { return g.slowest(l) })
}

func (g *Group) slowest(l Loops) (float64, error) {
	sum := 0.0
	for i := range l.Warmup + l.Timed {
		start, err := g.k.together()
		if err != nil {
			return 0, err
		}
		if err := g.call(); err != nil {
			return 0, err
		}
		us := microseconds(g.k.Now() - start)
		if i < l.Warmup {
			continue
		}
		last, err := g.k.largest(us)
		if err != nil {
			return 0, err
		}
		sum += last
	}
	return sum / float64(max(l.Timed, 1)), nil
}

// OneAfterAnother returns the microseconds of one call of many that follow each other without a pause, from
// when all begin until the last rank has ended.
func (g *Group) OneAfterAnother(l Loops) (float64, error) {
	var us float64
	for _, n := range []int{l.Warmup, max(l.Timed, 1)} {
		start, err := g.k.together()
		for i := 0; i < n && err == nil; i++ {
			err = g.call()
		}
		if err != nil {
			return 0, err
		}
		us = microseconds(g.k.Now()-start) / float64(max(n, 1))
	}
	return g.k.largest(us)
}

// WithBarrier returns the microseconds of the operation and a barrier after it, the mean of all ranks.
func (g *Group) WithBarrier(l Loops) (float64, error) {
	return g.named(l.Warmup+l.Timed, func() (float64, error) { return g.withBarrier(l) })
}

func (g *Group) withBarrier(l Loops) (float64, error) {
	each, err := g.k.timed(l, func(n int) error {
		for range n {
			if err := g.call(); err != nil {
				return err
			}
			if err := mpi.Barrier(g.k.World); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return g.k.mean(each)
}

// errNamed is the error of a measurement that was made with another algorithm than the one that its job names.
var errNamed = errors.New("not measured with the algorithm that is named")

// named makes a measurement of so many calls, and sure that the algorithm which the job names has served them all.
func (g *Group) named(calls int, measure func() (float64, error)) (float64, error) {
	want := g.k.Named[string(g.op)]
	if g.k.Counted == nil || want == "" {
		return measure()
	}
	before := g.k.Counted().Runs[want]
	value, err := measure()
	if ran := g.k.Counted().Runs[want] - before; err == nil && ran < uint64(calls) {
		err = fmt.Errorf("%w: %s served %d of %d calls", errNamed, want, ran, calls)
	}
	return value, err
}

// together lets all ranks go on at the same moment, which it returns. Ranks of a bench have one clock.
func (k *Rank) together() (time.Duration, error) {
	const enough = 100 * time.Microsecond // for everybody to know the moment
	last, err := k.largest(float64(k.Now() + enough))
	moment := time.Duration(last)
	k.Compute(moment - k.Now())
	return moment, err
}

// Acquaint has ranks begin together until their connections and rings stand: an appointment that waits for
// these is missed.
func (k *Rank) Acquaint() error {
	for range 60 {
		if _, err := k.together(); err != nil {
			return err
		}
	}
	return nil
}

// largest gives all ranks the largest value of any.
func (k *Rank) largest(value float64) (float64, error) {
	in, out := []float64{value}, []float64{0}
	err := mpi.Allreduce(k.World, in, out, mpi.Max)
	return out[0], err
}
