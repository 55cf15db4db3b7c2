// Package lu is the benchmark LU: a flow found by successive over-relaxation. Each rank owns columns of the grid. A
// sweep crosses it as a wave, plane by plane, with a short message to two neighbours after each plane: tens of
// thousands of them.
package lu

import (
	"fmt"
	"math/bits"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/cfd"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// App is the benchmark.
var App = apps.App{Name: "lu", About: "a flow by successive over-relaxation, in waves", Classes: "SWABC", Ranks: "1, 2, 4, 8 and so on ranks with three points of a side each",
	Fits: fits, Run: run,
	Steps: func(class string) int { return classes[class].steps }}

const omega = 1.2

// class is a size of the problem, and the official results.
type class struct {
	n, steps           int
	dt                 float64
	residual, distance cfd.Vec
	surface            float64
}

var classes = map[string]class{
	"S": {12, 50, .5,
		cfd.Vec{1.6196343211e-2, 2.1976745165e-3, 1.5179927653e-3, 1.5029584436e-3, 3.4264073156e-2},
		cfd.Vec{6.4223319958e-4, 8.4144342047e-5, 5.8588269616e-5, 5.8474222595e-5, 1.3103347914e-3}, 7.8418928866},
	"W": {33, 300, .0015,
		cfd.Vec{12.365116382, 1.3172284778, 2.5501207131, 2.3261877503, 28.267994442},
		cfd.Vec{.48678771442, 5.064652881e-2, 9.281818102e-2, 8.5701265427e-2, 1.0842774178}, 11.61399311},
	"A": {64, 250, 2,
		cfd.Vec{779.02107607, 63.40276526, 194.99249727, 178.4530116, 1838.4760349},
		cfd.Vec{29.964085685, 2.8194576365, 7.3473412699, 6.7139225688, 70.715315688}, 26.030925605},
	"B": {102, 250, 2,
		cfd.Vec{3553.267297, 262.14750795, 883.33721851, 778.12774739, 7308.7969593},
		cfd.Vec{114.0117638, 8.1098963655, 28.480597318, 25.905394568, 260.54907505}, 47.887162703},
	"C": {162, 250, 2,
		cfd.Vec{10376.6980324, 892.212458801, 2562.38814583, 2191.94343858, 17807.8057261},
		cfd.Vec{215.986399717, 15.5789559240, 54.1318863077, 48.2262643154, 455.902910043}, 66.6404553572},
}

func (c class) operations() float64 {
	n := float64(c.n)
	return float64(c.steps) * (1984.77*n*n*n - 10923.3*n*n + 27770.9*n - 144010)
}

func fits(name string, ranks int) bool {
	x, _ := grid(ranks)
	return apps.PowerOfTwo(name, ranks) && classes[name].n/x >= 3
}

// grid is how many ranks there are along x and y.
func grid(ranks int) (x, y int) {
	y = 1 << ((bits.Len(uint(ranks)) - 1) / 2)
	return ranks / y, y
}

func run(e *apps.Env) (apps.Result, error) {
	c := classes[e.Class]
	c.steps = e.Limit(c.steps)
	s := newSolver(e, c)
	if err := s.tell(); err != nil {
		return apps.Result{}, err
	}
	if err := s.residual(); err != nil {
		return apps.Result{}, err
	}
	if _, err := s.mean(s.squares); err != nil {
		return apps.Result{}, err
	}
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	residual, err := s.relax()
	if err != nil {
		return apps.Result{}, err
	}
	seconds, err := e.Stop()
	if err != nil {
		return apps.Result{}, err
	}
	distance, err := s.mean(func() cfd.Vec { return s.box.Errors(&s.Grid, s.u) })
	if err != nil {
		return apps.Result{}, err
	}
	surface, err := s.surface()
	return apps.Result{
		Size: fmt.Sprintf("%d^3 points", s.n), Iterations: s.steps, Seconds: seconds, Mops: apps.Rate(s.operations(), seconds),
		Checks: append(cfd.Checks(residual, s.class.residual, distance, s.distance),
			apps.Check{What: "surface integral", Got: surface, Want: s.class.surface, Tolerance: 1e-8}),
	}, err
}

// solver is one rank's part.
type solver struct {
	*apps.Env
	class
	cfd.Grid
	box           cfd.Box
	u, w, forcing []cfd.Vec
	lines         cfd.Lines
	// The neighbours below and above along x and y; mpi.ProcNull where there are none.
	near  [2][2]int
	edge  []cfd.Vec    // what is sent or received in a sweep
	faces [2][]cfd.Vec // what is sent and received before a residual
}

func newSolver(e *apps.Env, c class) *solver {
	s := &solver{Env: e, class: c, Grid: cfd.NewGrid(c.n, c.dt)}
	x, y := grid(e.Comm.Size())
	at := [2]int{e.Comm.Rank() % x, e.Comm.Rank() / x}
	from, size := [3]int{}, [3]int{2: c.n}
	for ax, ranks := range [2]int{x, y} {
		size[ax], from[ax] = c.n/ranks, at[ax]*(c.n/ranks)+min(at[ax], c.n%ranks)
		if at[ax] < c.n%ranks {
			size[ax]++
		}
		step := [2]int{1, x}[ax]
		s.near[ax] = [2]int{mpi.ProcNull, mpi.ProcNull}
		if at[ax] > 0 {
			s.near[ax][0] = e.Comm.Rank() - step
		}
		if at[ax] < ranks-1 {
			s.near[ax][1] = e.Comm.Rank() + step
		}
	}
	s.box = cfd.NewBox(from, size)
	s.u, s.w, s.forcing = make([]cfd.Vec, s.box.Len()), make([]cfd.Vec, s.box.Len()), make([]cfd.Vec, s.box.Len())
	s.edge = make([]cfd.Vec, max(size[0], size[1]))
	for i := range s.faces {
		s.faces[i] = make([]cfd.Vec, 2*c.n*max(size[0], size[1]))
	}
	s.Work(0, func() { // before the time is taken
		s.box.Fill(&s.Grid, s.u, s.Exact)
		s.lines.Residual(&s.Grid, &s.box, s.u, s.forcing)
		s.box.Fill(&s.Grid, s.u, s.Grid.Start)
	})
	return s
}

// What the parts of a step have of its operations, by a profile of class W on one rank.
const (
	partResidual = .29
	partUp       = .33
	partDown     = .38
)

// perPoint is the operations of a step at a point.
func (c class) perPoint() float64 { return c.operations() / float64(c.steps*c.n*c.n*c.n) }

// mean is the mean over all ranks of squares, of which each makes its own.
func (s *solver) mean(squares func() cfd.Vec) (cfd.Vec, error) {
	var mine cfd.Vec
	s.Work(0, func() { mine = squares() })
	return s.Mean(s.Comm, mine)
}

func (s *solver) squares() cfd.Vec { return s.box.Squares(&s.Grid, s.w) }

// tell passes on what the original reads from a file: two numbers for its output, steps, step, relaxation, limits
// of the residual that nobody asks for here, and the size.
func (s *solver) tell() error {
	for _, x := range []int{1, s.steps, s.steps} {
		if err := meter.Bcast(s.Comm, []int32{int32(x)}); err != nil {
			return err
		}
	}
	for _, x := range [][]float64{{s.dt}, {omega}, make([]float64, 5)} {
		if err := meter.Bcast(s.Comm, x); err != nil {
			return err
		}
	}
	for range 3 {
		if err := meter.Bcast(s.Comm, []int32{int32(s.n)}); err != nil {
			return err
		}
	}
	return nil
}

// relax makes all steps, and returns the residual after them. Of the last it finds how much it changed, as the
// original does.
func (s *solver) relax() (residual cfd.Vec, err error) {
	for step := range s.steps {
		s.Work(0, func() { // counted with the residual
			for i := range s.w {
				for c := range 5 {
					s.w[i][c] *= s.dt
				}
			}
		})
		if err := s.sweep(up); err != nil {
			return residual, err
		}
		if err := s.sweep(down); err != nil {
			return residual, err
		}
		s.Work(0, func() {
			s.box.EachInner(&s.Grid, func(at int) {
				for c := range 5 {
					s.u[at][c] += s.w[at][c] / (omega * (2 - omega))
				}
			})
		})
		if step == s.steps-1 {
			if _, err := s.mean(s.squares); err != nil {
				return residual, err
			}
		}
		if err := s.residual(); err != nil {
			return residual, err
		}
	}
	return s.mean(s.squares)
}

// residual makes w what the state lacks to be a solution.
func (s *solver) residual() error {
	if err := s.halo(); err != nil {
		return err
	}
	s.Work(partResidual*s.perPoint()*float64(s.box.Size[0]*s.box.Size[1]*s.n), func() {
		s.lines.Residual(&s.Grid, &s.box, s.u, s.w)
		s.box.EachInner(&s.Grid, func(at int) {
			for c := range 5 {
				s.w[at][c] -= s.forcing[at][c]
			}
		})
	})
	return nil
}

// surface is the integral of the pressure over six faces of a box inside the grid: the sum of the four corners of
// each cell, so that a point counts as often as it is a corner.
func (s *solver) surface() (float64, error) {
	low, high := [3]int{1, 1, 2}, [3]int{s.n - 2, s.n - 3, s.n - 2}
	total := 0.
	for ax := 2; ax >= 0; ax-- {
		mine := 0.
		for _, layer := range []int{low[ax], high[ax]} {
			l, h := low, high
			l[ax], h[ax] = layer, layer
			s.Work(0, func() { mine += s.corners(ax, l, h) })
		}
		all := []float64{0}
		if err := meter.Allreduce(s.Comm, []float64{mine}, all, mpi.Sum); err != nil {
			return 0, err
		}
		total += all[0]
	}
	h := 1 / float64(s.n-1)
	return .25 * h * h * total, nil
}

// corners adds up the pressure at this rank's points of a face from low to high, across an axis.
func (s *solver) corners(across int, low, high [3]int) (sum float64) {
	var from, to [3]int
	for ax := range 3 {
		from[ax], to[ax] = max(low[ax], s.box.From[ax]), min(high[ax]+1, s.box.From[ax]+s.box.Size[ax])
	}
	cells := func(ax, at int) float64 { // beside a point, along an axis of the face
		if ax == across || at == low[ax] || at == high[ax] {
			return 1
		}
		return 2
	}
	for k := from[2]; k < to[2]; k++ {
		for j := from[1]; j < to[1]; j++ {
			for i := from[0]; i < to[0]; i++ {
				u := &s.u[s.box.At(i-s.box.From[0], j-s.box.From[1], k-s.box.From[2])]
				sum += u.Pressure() * cells(0, i) * cells(1, j) * cells(2, k)
			}
		}
	}
	return sum
}
