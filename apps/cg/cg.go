// Package cg is the benchmark CG, conjugate gradients: the smallest eigenvalue of a large sparse matrix by inverse
// iteration. The ranks form a grid of rows and columns, each with a block of the matrix; they send long messages
// to near ranks and many of 8 bytes, for a latency that can be felt.
package cg

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
)

// App is the benchmark.
var App = apps.App{Name: "cg", About: "an eigenvalue by conjugate gradients", Classes: "SWABC", Ranks: "1, 2, 4, 8 and so on ranks",
	Fits: apps.PowerOfTwo, Run: run,
	Steps: func(class string) int { return classes[class].steps }}

const inner = 25 // iterations of conjugate gradients in an outer step

// class is a size of the problem: order of the matrix, random elements in a row, outer steps, shift of the
// diagonal, and the official eigenvalue.
type class struct {
	n, nonzeros, steps int
	shift, zeta        float64
}

var classes = map[string]class{
	"S": {1400, 7, 15, 10, 8.5971775078648},
	"W": {7000, 8, 15, 12, 10.362595087124},
	"A": {14000, 11, 15, 20, 17.130235054029},
	"B": {75000, 13, 75, 60, 22.712745482631},
	"C": {150000, 15, 75, 110, 28.973605592845},
}

func (c class) operations() float64 {
	z := float64(c.nonzeros * (c.nonzeros + 1))
	return 2 * float64(c.steps) * float64(c.n) * (6 + z + inner*(5+z))
}

func run(e *apps.Env) (apps.Result, error) {
	c := classes[e.Class]
	c.steps = e.Limit(c.steps)
	s := newSolver(e, c)
	if _, err := s.step(); err != nil { // for the caches; not timed
		return apps.Result{}, err
	}
	s.begin()
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	zeta := math.NaN()
	for range c.steps {
		xz, err := s.step()
		if err != nil {
			return apps.Result{}, err
		}
		zeta = c.shift + 1/xz
	}
	seconds, err := e.Stop()
	return apps.Result{
		Size: fmt.Sprintf("%d rows", c.n), Iterations: c.steps, Seconds: seconds, Mops: apps.Rate(c.operations(), seconds),
		Checks: []apps.Check{{What: "zeta", Got: zeta, Want: c.zeta, Tolerance: 1e-10}},
	}, err
}

// solver is one rank's part: a block of the matrix, and the parts of the vectors that belong to its columns. The
// ranks of a column of the grid have the same parts.
type solver struct {
	*apps.Env
	class
	place         place
	a             matrix
	x, z, p, q, r []float64
	w, other      []float64 // the product of the block, by rows; what another rank has of it
	sum, theirs   []float64 // of all dot products
}

func newSolver(e *apps.Env, c class) *solver {
	at := locate(e.Comm.Rank(), e.Comm.Size(), c.n)
	rows, columns := at.rows.len(), at.columns.len()
	s := &solver{Env: e, class: c, place: at, w: make([]float64, rows), other: make([]float64, rows), sum: make([]float64, 2), theirs: make([]float64, 2)}
	s.Work(0, func() { s.a = generate(c, at.rows, at.columns) }) // before the time is taken
	for _, v := range []*[]float64{&s.x, &s.z, &s.p, &s.q, &s.r} {
		*v = make([]float64, columns)
	}
	s.begin()
	return s
}

func (s *solver) begin() {
	for i := range s.x {
		s.x[i] = 1
	}
}

// step solves A z = x, makes x the z of length 1, and returns the product of the old x and z.
func (s *solver) step() (xz float64, err error) {
	if _, err := s.solve(); err != nil {
		return 0, err
	}
	sums, err := s.reduce(s.product(s.x, s.z), s.product(s.z, s.z))
	if err != nil {
		return 0, err
	}
	xz, scale := sums[0], 1/math.Sqrt(sums[1])
	s.vectors(1, func() {
		for i, z := range s.z {
			s.x[i] = z * scale
		}
	})
	return xz, nil
}

// solve approximates the z of A z = x, and returns the length of x - A z.
func (s *solver) solve() (residual float64, err error) {
	clear(s.z)
	copy(s.r, s.x)
	copy(s.p, s.x)
	rho, err := s.dot(s.r, s.r)
	if err != nil {
		return 0, err
	}
	for range inner {
		if err := s.multiply(s.p); err != nil {
			return 0, err
		}
		d, err := s.dot(s.p, s.q)
		if err != nil {
			return 0, err
		}
		alpha := rho / d
		s.vectors(4, func() {
			for i, p := range s.p {
				s.z[i] += alpha * p
				s.r[i] -= alpha * s.q[i]
			}
		})
		before := rho
		if rho, err = s.dot(s.r, s.r); err != nil {
			return 0, err
		}
		beta := rho / before
		s.vectors(2, func() {
			for i, r := range s.r {
				s.p[i] = r + beta*s.p[i]
			}
		})
	}
	if err := s.multiply(s.z); err != nil {
		return 0, err
	}
	s.vectors(1, func() {
		for i, x := range s.x {
			s.r[i] = x - s.q[i]
		}
	})
	square, err := s.dot(s.r, s.r)
	return math.Sqrt(square), err
}

// Tags of messages.
const (
	tagSum = iota
	tagRows
	tagTranspose
)

func (s *solver) dot(v, w []float64) (float64, error) {
	sums, err := s.reduce(s.product(v, w))
	if err != nil {
		return 0, err
	}
	return sums[0], nil
}

// product is this rank's part of a dot product.
func (s *solver) product(v, w []float64) (sum float64) {
	s.vectors(2, func() {
		for i, x := range v {
			sum += x * w[i]
		}
	})
	return sum
}

// vectors computes with vectors: so many operations at every place.
func (s *solver) vectors(operations float64, compute func()) {
	s.Work(operations*float64(len(s.x)), compute)
}

// reduce adds up numbers over the ranks of a row of the grid, which have all parts of the vectors: by pairs, the
// farthest first.
func (s *solver) reduce(numbers ...float64) ([]float64, error) {
	sum, theirs := s.sum[:len(numbers)], s.theirs[:len(numbers)]
	copy(sum, numbers)
	for far := s.place.across / 2; far > 0; far /= 2 {
		if err := meter.Exchange(s.Comm, sum, theirs, s.Comm.Rank()^far, tagSum); err != nil {
			return nil, err
		}
		for i, x := range theirs {
			sum[i] += x
		}
	}
	return sum, nil
}

// multiply makes q the product of the matrix and a vector. The blocks of a row of the grid add up theirs, the
// nearest first; then each rank trades what it has of the sum for what belongs to its columns.
func (s *solver) multiply(v []float64) error {
	nonzeros := float64(s.nonzeros*(s.nonzeros+1)) * float64(len(s.w)) * float64(len(s.x)) / float64(s.n) // as the original estimates them
	s.Work(2*nonzeros, func() { s.a.multiply(v, s.w) })
	if s.place.across == 1 {
		copy(s.q, s.w)
		return nil
	}
	keep := s.place.keep
	for near := 1; near < s.place.across; near *= 2 {
		out := keep
		if near == 1 && keep.len() < len(s.w) { // the peer keeps the other half, and the rest is about mine
			if out = (span{0, keep.from}); keep.from == 0 {
				out = span{keep.to, len(s.w)}
			}
		}
		in := s.other[keep.from:keep.to]
		if err := meter.Exchange(s.Comm, s.w[out.from:out.to], in, s.Comm.Rank()^near, tagRows); err != nil {
			return err
		}
		s.Work(float64(len(in)), func() {
			for i, x := range in {
				s.w[keep.from+i] += x
			}
		})
	}
	return meter.Exchange(s.Comm, s.w[keep.from:keep.to], s.q, s.place.transpose, tagTranspose)
}

// span is a range of rows or columns.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// place is where a rank is in the grid.
type place struct {
	across        int  // ranks in a row of the grid
	rows, columns span // of the matrix
	keep          span // of its rows: whose sum it makes
	transpose     int  // the rank that has its columns as rows, and wants its rows as columns
}

// locate finds the place of a rank in a grid that is square, or has twice as many columns as rows.
func locate(me, ranks, n int) place {
	log := bits.Len(uint(ranks)) - 1
	down := 1 << (log / 2)
	across := ranks / down
	p := place{across: across, rows: split(n, down, me/across)}
	p.keep = span{0, p.rows.len()}
	if across == down {
		p.columns = split(n, down, me%across)
		p.transpose = me%down*down + me/down
		return p
	}
	p.columns = split(n, down, me%across/2).half(me % 2)
	p.keep = p.keep.half(me % 2)
	p.transpose = 2*(me/2%down*down+me/2/down) + me%2
	return p
}

// split is the part of a rank in n things that are dealt out evenly; the first ranks get one more.
func split(n, ranks, rank int) span {
	each, more := n/ranks, n%ranks
	from := rank*each + min(rank, more)
	to := from + each
	if rank < more {
		to++
	}
	return span{from, to}
}

// half is the first, larger half of a span, or the second.
func (s span) half(which int) span {
	middle := s.from + (s.len()+1)/2
	if which == 0 {
		return span{s.from, middle}
	}
	return span{middle, s.to}
}
