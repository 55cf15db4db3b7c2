package simtest

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// element is a type of elements: how to make one of chance, and how they can be combined.
type element[T any] struct {
	of     func(x uint64) T
	reduce map[string]reduction[T]
}

// reduction is the library's operation and our own way to do the same.
type reduction[T any] struct {
	op   mpi.Op
	fold func(a, b T) T
}

// affine is x -> a*x+b. Doing one after the other does not commute, so the order of ranks shows.
type affine struct{ A, B uint32 }

func after(f, g affine) affine { return affine{f.A * g.A, f.A*g.B + f.B} }

type number interface{ int64 | uint8 | float64 }

func ordered[T number](more map[string]reduction[T]) map[string]reduction[T] {
	all := map[string]reduction[T]{
		"sum": {mpi.Sum, func(a, b T) T { return a + b }},
		"min": {mpi.Min, func(a, b T) T { return min(a, b) }},
		"max": {mpi.Max, func(a, b T) T { return max(a, b) }},
	}
	for name, r := range more {
		all[name] = r
	}
	return all
}

func bitwise[T int64 | uint8]() map[string]reduction[T] {
	return ordered(map[string]reduction[T]{
		"prod": {mpi.Prod, func(a, b T) T { return a * b }},
		"band": {mpi.Band, func(a, b T) T { return a & b }},
		"bor":  {mpi.Bor, func(a, b T) T { return a | b }},
		"bxor": {mpi.Bxor, func(a, b T) T { return a ^ b }},
	})
}

var (
	words  = element[int64]{func(x uint64) int64 { return int64(x) }, bitwise[int64]()}
	octets = element[uint8]{func(x uint64) uint8 { return uint8(x) }, bitwise[uint8]()}
	floats = element[float64]{func(x uint64) float64 { return float64(x % 4096) }, ordered[float64](nil)} // whole: every order of sums is exact
	maps   = element[affine]{func(x uint64) affine { return affine{uint32(x) | 1, uint32(x >> 32)} },
		map[string]reduction[affine]{"after": {mpi.NewOp(false, after), after}}}
	halves = element[mpi.Float16]{func(x uint64) mpi.Float16 { return mpi.ToFloat16(float32(x % 16)) }, short(mpi.Float16.Float32, mpi.ToFloat16)}
	brains = element[mpi.BFloat16]{func(x uint64) mpi.BFloat16 { return mpi.ToBFloat16(float32(x % 4)) }, short(mpi.BFloat16.Float32, mpi.ToBFloat16)}
	locs   = element[mpi.Loc[int64]]{func(x uint64) mpi.Loc[int64] { return mpi.Loc[int64]{Value: int64(x % 16), Index: bits.Len64(x)} },
		map[string]reduction[mpi.Loc[int64]]{"minloc": {mpi.MinLoc[int64](), minLoc}, "maxloc": {mpi.MaxLoc[int64](), maxLoc}}}
)

// short is the reductions of floats of 16 bits whose sums are whole and exact.
func short[T any](wide func(T) float32, narrow func(float32) T) map[string]reduction[T] {
	by := func(op mpi.Op, f func(a, b float32) float32) reduction[T] {
		return reduction[T]{op, func(a, b T) T { return narrow(f(wide(a), wide(b))) }}
	}
	return map[string]reduction[T]{
		"sum": by(mpi.Sum, func(a, b float32) float32 { return a + b }),
		"min": by(mpi.Min, func(a, b float32) float32 { return min(a, b) }),
		"max": by(mpi.Max, func(a, b float32) float32 { return max(a, b) }),
	}
}

func minLoc(a, b mpi.Loc[int64]) mpi.Loc[int64] {
	if b.Value < a.Value || b.Value == a.Value && b.Index < a.Index {
		return b
	}
	return a
}

func maxLoc(a, b mpi.Loc[int64]) mpi.Loc[int64] {
	if b.Value > a.Value || b.Value == a.Value && b.Index < a.Index {
		return b
	}
	return a
}

// elements and their reductions, for those who choose. The lists are sorted.
var elements = map[string][]string{
	"int64": names(words.reduce), "uint8": names(octets.reduce), "float64": names(floats.reduce), "affine": names(maps.reduce), "loc": names(locs.reduce),
	"float16": names(halves.reduce), "bfloat16": names(brains.reduce),
}

func names[T any](m map[string]reduction[T]) (all []string) {
	for n := range m {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// reduces tells which collectives combine.
var reduces = []string{"reduce", "allreduce", "scan", "exscan", "reducescatter", "reducescatterv"}

// collectives lists what a program may call, with any communicator of one group.
var collectives = append([]string{"barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv"}, reduces...)

// collective starts a collective, or calls it if the wait is the next step.
func (a *actor) collective(s *step) error {
	switch s.coll.Elem {
	case "uint8":
		return collect(a, s, octets)
	case "float64":
		return collect(a, s, floats)
	case "affine":
		return collect(a, s, maps)
	case "loc":
		return collect(a, s, locs)
	case "float16":
		return collect(a, s, halves)
	case "bfloat16":
		return collect(a, s, brains)
	}
	return collect(a, s, words)
}

// part is one rank's part of a collective: its buffers and what must be in them in the end.
type part[T comparable] struct {
	*collecting
	me, n      int
	of         func(x uint64) T
	fold       func(a, b T) T
	op         mpi.Op
	turn       int // of a call that is started again and again
	root       int // as the call says it
	send, recv []T
	in, out    []int // counts
	want       []T
	own        []T // what send must still be in the end
	inAt       []mpi.Layout
	outAt      []mpi.Layout
	ways
}

func collect[T comparable](a *actor, s *step, e element[T]) error {
	p := &part[T]{collecting: s.coll, me: s.coll.comm.rankOf(a.rank), n: len(s.coll.comm.members), of: e.of, turn: s.turn}
	if slices.Contains(reduces, p.Op) {
		r, ok := e.reduce[p.Reduce]
		if !ok {
			return fmt.Errorf("there is no reduction %q of %s", p.Reduce, p.Elem)
		}
		p.op, p.fold = r.op, r.fold
	}
	if !p.prepare() {
		return fmt.Errorf("there is no collective %q", p.Op)
	}
	if p.Turns > 0 {
		return p.again(a, s)
	}
	p.ways = p.waysOf(a.comm(p.comm, tame))
	if s.block {
		if err := p.call(); err != nil {
			return err
		}
		return p.check(a)
	}
	a.fly(&live{handle: s.handle, legal: s.key + 1, req: p.start(), finish: func(_ mpi.Status, err error) error {
		if err != nil {
			return err
		}
		return p.check(a)
	}})
	return nil
}

// repeated is a call that was made to be started again and again, with its buffers.
type repeated struct {
	req  mpi.Request
	part any
}

// again starts the call that was made at the first turn, with the contents of this one in its buffers.
func (p *part[T]) again(a *actor, s *step) error {
	if p.turn == 0 {
		p.ways = p.waysOf(a.comm(p.comm, tame))
		a.repeats[p.id] = &repeated{p.init(), p}
	}
	kept := a.repeats[p.id]
	q := kept.part.(*part[T]) // its buffers are those of the call
	copy(q.send, p.send)
	copy(q.recv, p.recv)
	q.own, q.want = p.own, p.want
	if err := mpi.Start(kept.req); err != nil {
		return err
	}
	last := p.turn == p.Turns-1
	a.fly(&live{handle: s.handle, legal: s.key + 1, req: kept.req, finish: func(_ mpi.Status, err error) error {
		if err == nil {
			err = q.check(a)
		}
		if err != nil || !last {
			return err
		}
		delete(a.repeats, p.id)
		return kept.req.Free()
	}})
	return nil
}

// check compares the buffers with what must be in them.
func (p *part[T]) check(a *actor) error {
	for i, w := range p.want {
		if p.recv[i] != w {
			return fmt.Errorf("element %d of %d is %v, should be %v", i, len(p.want), p.recv[i], w)
		}
	}
	a.checked += int64(len(p.want)) * int64(reflect.TypeFor[T]().Size())
	for i, w := range p.own {
		if p.send[i] != w {
			return fmt.Errorf("element %d of the send buffer has changed from %v to %v", i, w, p.send[i])
		}
	}
	return nil
}

// value is element i of what rank r contributes.
func (p *part[T]) value(r, i int) T {
	return p.of(mix(uint64(p.id)<<32|uint64(p.turn)<<16|uint64(r), uint64(i)))
}

// values are elements from..from+n of what rank r contributes.
func (p *part[T]) values(r, from, n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = p.value(r, from+i)
	}
	return v
}

// count is how many elements rank r has in the calls in which ranks have different ones; share is that of
// the block that rank r has for rank to.
func (p *part[T]) count(r int) int { return p.share(r, 1<<20) }
func (p *part[T]) share(r, to int) int {
	return int(mix(uint64(p.id)<<32|uint64(r), uint64(to)) % uint64(p.Count+1))
}

// counts are those of the ranks low to high-1, and how many these are in all.
func (p *part[T]) counts(low, high int, of func(r int) int) (counts []int, total int) {
	for r := low; r < high; r++ {
		counts = append(counts, of(r))
		total += of(r)
	}
	return counts, total
}

// folded combines elements from..from+n of the ranks low to high-1.
func (p *part[T]) folded(low, high, from, n int) []T {
	v := p.values(low, from, n)
	for r := low + 1; r < high; r++ {
		for i := range v {
			v[i] = p.fold(v[i], p.value(r, from+i))
		}
	}
	return v
}

// gives sets the send buffer.
func (p *part[T]) gives(v []T) {
	p.send, p.own = v, slices.Clone(v)
}

// gets sets what the receive buffer must hold in the end.
func (p *part[T]) gets(want []T) {
	p.want, p.recv = want, make([]T, len(want))
}
