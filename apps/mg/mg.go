// Package mg is the benchmark MG, multigrid: an approximate solution of the Poisson equation on a periodic cube, by
// cycles over ever coarser grids. Ranks own boxes and trade their surfaces: long ones on fine grids, short ones on
// coarse ones, where most ranks have nothing to do.
package mg

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// App is the benchmark.
var App = apps.App{Name: "mg", About: "the Poisson equation by multigrid", Classes: "SWABC", Ranks: "1, 2, 4, 8 and so on ranks",
	Fits: fits, Run: run,
	Steps: func(class string) int { return classes[class].cycles }}

// class is a size of the problem: points of a side, cycles, smoother and the official residual.
type class struct {
	side, cycles int
	smoother     smoother
	norm         float64
}

var (
	gentle = smoother{-3. / 8, 1. / 32, -1. / 64}
	rough  = smoother{-3. / 17, 1. / 33, -1. / 61}
)

var classes = map[string]class{
	"S": {32, 4, gentle, .5307707005734e-4},
	"W": {128, 4, gentle, .6467329375339e-5},
	"A": {256, 4, gentle, .2433365309069e-5},
	"B": {256, 20, rough, .1800564401355e-5},
	"C": {512, 20, rough, .5706732285740e-6},
}

func fits(name string, ranks int) bool {
	return apps.PowerOfTwo(name, ranks) && boxes(ranks)[2] <= classes[name].side
}

func run(e *apps.Env) (apps.Result, error) {
	c := classes[e.Class]
	c.cycles = e.Limit(c.cycles)
	s := newSolver(e, c)
	// Everything once, for the caches; not timed.
	if err := s.begin(); err != nil {
		return apps.Result{}, err
	}
	if _, err := s.norm(s.v); err != nil {
		return apps.Result{}, err
	}
	if err := s.residual(s.top(), s.v); err != nil {
		return apps.Result{}, err
	}
	if _, err := s.norm(s.top().r); err != nil {
		return apps.Result{}, err
	}
	if err := s.cycle(); err != nil {
		return apps.Result{}, err
	}
	if err := s.begin(); err != nil {
		return apps.Result{}, err
	}
	norm, seconds, err := s.timed(c.cycles)
	n := float64(c.side)
	return apps.Result{
		Size: fmt.Sprintf("%d^3 points", c.side), Iterations: c.cycles, Seconds: seconds, Mops: apps.Rate(58*float64(c.cycles)*n*n*n, seconds),
		Checks: []apps.Check{{What: "norm of the residual", Got: norm, Want: c.norm, Tolerance: 1e-8}},
	}, err
}

// timed makes the cycles, and returns the norm of what is left and the time.
func (s *solver) timed(cycles int) (norm, seconds float64, err error) {
	if err := s.Start(); err != nil {
		return 0, 0, err
	}
	if err := s.residual(s.top(), s.v); err != nil {
		return 0, 0, err
	}
	if _, err := s.norm(s.top().r); err != nil {
		return 0, 0, err
	}
	for range cycles {
		if err := s.cycle(); err != nil {
			return 0, 0, err
		}
	}
	if norm, err = s.norm(s.top().r); err != nil {
		return 0, 0, err
	}
	seconds, err = s.Stop()
	return norm, seconds, err
}

// solver is one rank's part: its box on every level, and the right side of the equation on the finest.
type solver struct {
	*apps.Env
	side     int
	smoother smoother
	levels   []*level // the coarsest, of two points a side, first
	v        []float64
	lines    [2][]float64 // sums of neighbouring lines
}

func newSolver(e *apps.Env, c class) *solver {
	s := &solver{Env: e, side: c.side, smoother: c.smoother}
	s.levels = makeLevels(e.Comm.Rank(), e.Comm.Size(), bits.Len(uint(c.side))-1)
	top := s.top()
	s.v = make([]float64, len(top.u))
	for i := range s.lines {
		s.lines[i] = make([]float64, top.m[0])
	}
	return s
}

func (s *solver) top() *level { return s.levels[len(s.levels)-1] }

// begin makes the solution zero, and the right side what the benchmark wants.
func (s *solver) begin() error {
	clear(s.top().u)
	if err := s.charge(); err != nil {
		return err
	}
	return s.halo(s.top(), s.v)
}

// cycle goes down to the coarsest grid and up again: each grid corrects the finer one.
func (s *solver) cycle() error {
	for k := len(s.levels) - 1; k > 0; k-- {
		coarse, fine := s.levels[k-1], s.levels[k]
		s.Work(perRestricted*coarse.inner(), func() { s.restrict(coarse, fine) })
		if err := s.halo(s.levels[k-1], s.levels[k-1].r); err != nil {
			return err
		}
	}
	for k, l := range s.levels {
		if k < len(s.levels)-1 {
			clear(l.u)
		}
		if k > 0 {
			if err := s.refine(s.levels[k-1], l); err != nil {
				return err
			}
			right := l.r
			if l == s.top() {
				right = s.v
			}
			if err := s.residual(l, right); err != nil {
				return err
			}
		}
		s.Work(perSmoothed*l.inner(), func() { s.smooth(l) })
		if err := s.halo(l, l.u); err != nil {
			return err
		}
	}
	return s.residual(s.top(), s.v)
}

// residual makes r of a level what is left: right - A u.
func (s *solver) residual(l *level, right []float64) error {
	s.Work(perResidual*l.inner(), func() { s.subtract(l, right) })
	return s.halo(l, l.r)
}

// norm is the mean length of a field on the finest grid. The original wants its largest element too.
func (s *solver) norm(field []float64) (float64, error) {
	square, largest := []float64{0}, []float64{0}
	s.Work(2*s.top().inner(), func() {
		s.top().each(func(line, n int) {
			for _, x := range field[line+1 : line+n-1] {
				square[0] += x * x
				largest[0] = max(largest[0], math.Abs(x))
			}
		})
	})
	sum, most := []float64{0}, []float64{0}
	if err := meter.Allreduce(s.Comm, largest, most, mpi.Max); err != nil {
		return 0, err
	}
	err := meter.Allreduce(s.Comm, square, sum, mpi.Sum)
	return math.Sqrt(sum[0] / math.Pow(float64(s.side), 3)), err
}
