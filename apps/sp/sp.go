// Package sp is the benchmark SP: a flow by implicit steps along one axis after the other, each in variables that
// make it five separate systems of equations, pentadiagonal ones. It sends more and shorter messages than BT for
// its computation.
package sp

import (
	"math"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/cells"
	"github.com/weft-mpi/weft/apps/cfd"
)

// App is the benchmark.
var App = apps.App{Name: "sp", About: "a flow by pentadiagonal systems", Classes: "SWAB", Ranks: "1, 4, 9, 16 and so on ranks with three points of a side each",
	Fits: fits, Run: run,
	Steps: func(class string) int { return classes[class].Steps }}

var classes = map[string]cells.Problem{
	"S": {N: 12, Steps: 100, Dt: .015,
		Residual: cfd.Vec{2.7470315451e-2, 1.0360746705e-2, 1.6235745065e-2, 1.5840557224e-2, 3.4849040609e-2},
		Distance: cfd.Vec{2.7289258557e-5, 1.0364446641e-5, 1.6154798287e-5, 1.5750704994e-5, 3.4177666183e-5}},
	"W": {N: 36, Steps: 400, Dt: .0015,
		Residual: cfd.Vec{1.8932537336e-3, 1.7170754478e-4, 2.7781533509e-4, 2.88747541e-4, 3.1436111612e-3},
		Distance: cfd.Vec{7.5420885995e-5, 6.5128522531e-6, 1.0490922857e-5, 1.1288386715e-5, 1.2128456398e-4}},
	"A": {N: 64, Steps: 400, Dt: .0015,
		Residual: cfd.Vec{2.4799822399, 1.1276337964, 1.5028977889, 1.4217816212, 2.1292113035},
		Distance: cfd.Vec{1.0900140298e-4, 3.7343951769e-5, 5.0092785407e-5, 4.767109394e-5, 1.3621613399e-4}},
	"B": {N: 102, Steps: 400, Dt: .001,
		Residual: cfd.Vec{69.0329358, 30.951344881, 41.03336647, 38.647690096, 56.434822726},
		Distance: cfd.Vec{9.8100061902e-3, 1.0228279057e-3, 1.7205979117e-3, 1.6944794282e-3, 1.847456264e-2}},
}

func fits(name string, ranks int) bool { return classes[name].Fits(ranks) }

func run(e *apps.Env) (apps.Result, error) {
	c := classes[e.Class]
	n := float64(c.N)
	operations := 881.174*n*n*n - 4683.91*n*n + 11484.5*n - 19272.4
	s := newSolver(c.Part(e), operations/(n*n*n))
	return c.Run(e, s.Part, s.step, operations)
}

// What the parts of a step have of its operations, by a profile of class W on one rank: sweeps along one axis, and
// each of the four changes of variables.
const (
	partResidual = .31
	partPrepare  = .2 / 3 // speeds and the equations made of them, which the original makes before it waits
	partForward  = .26 / 3
	partBack     = .15 / 3
	partChange   = .08 / 4
)

// left is what is left of an equation above the diagonal, once it is eliminated: for components 1 to 3, 4 and 5.
type left [3][2]float64

// solver is one rank's part: with the equations of every cell.
type solver struct {
	*cells.Part
	left [][]left
	cost float64 // operations of a step at a point
}

func newSolver(p *cells.Part, cost float64) *solver {
	s := &solver{Part: p, cost: cost}
	for _, c := range p.Cells {
		s.left = append(s.left, make([]left, c.Len()))
	}
	return s
}

func (s *solver) step() error {
	if err := s.Residual(s.Dt, partResidual*s.cost); err != nil {
		return err
	}
	s.Each(partChange*s.cost, begin)
	for axis := range 3 {
		if err := s.Sweep(s, axis); err != nil {
			return err
		}
		s.Each(partChange*s.cost, change[axis])
	}
	s.Add()
	return nil
}

// Numbers that a line passes on upwards, and downwards.
const (
	forward = 22
	back    = 10
)

// Sizes is part of cells.Solver.
func (s *solver) Sizes(c *cells.Cell, axis int) (int, int) {
	lines := 1
	for ax := range 3 {
		if low, high := c.Inner(&s.Grid, ax); ax != axis {
			lines *= high - low
		}
	}
	return forward * lines, back * lines
}

// Operations is part of cells.Solver.
func (s *solver) Operations() (prepare, forward, back float64) {
	return partPrepare * s.cost, partForward * s.cost, partBack * s.cost
}

// Prepare is part of cells.Solver: here equations are made one by one, and nothing is left to prepare.
func (s *solver) Prepare(*cells.Cell, int) {}

// Forward eliminates along all lines of a cell. What came from below is put into the border.
func (s *solver) Forward(c *cells.Cell, axis int, in, out []float64) {
	stride, rest := c.Stride[axis], s.left[c.Number]
	c.EachLine(&s.Grid, axis, func(first, low, high int) {
		if in != nil {
			for _, at := range [2]int{first - 2*stride, first - stride} {
				in = take(in, &rest[at], &c.W[at])
			}
		}
		for i := low; i < high; i++ {
			s.eliminate(c, axis, first+i*stride, c.From[axis]+i)
		}
		last := first + (c.Size[axis]-1)*stride
		for _, at := range [2]int{last - stride, last} {
			out = give(out, &rest[at], &c.W[at])
		}
	})
}

// eliminate makes the equation of a point, number i of its line, one of this point and the two above.
func (s *solver) eliminate(c *cells.Cell, axis, at, i int) {
	stride, rest := c.Stride[axis], s.left[c.Number]
	damping := cfd.Fourth(i, s.N)
	before, own, after := s.speeds(axis, &c.U[at-stride]), s.speeds(axis, &c.U[at]), s.speeds(axis, &c.U[at+stride])
	w, w1, w2 := &c.W[at], &c.W[at-stride], &c.W[at-2*stride]
	for set := range 3 {
		var row [5]float64
		for k, f := range damping {
			row[k] = s.Dt * cfd.Damping * f
		}
		row[1] += s.Dt * (-s.T2*before.wave[set] - s.T1*before.spread)
		row[2] += 1 + 2*s.Dt*s.T1*own.spread
		row[3] += s.Dt * (s.T2*after.wave[set] - s.T1*after.spread)
		l1, l2 := &rest[at-stride][set], &rest[at-2*stride][set]
		row[1] -= row[0] * l2[0]
		row[2] -= row[0]*l2[1] + row[1]*l1[0]
		row[3] -= row[1] * l1[1]
		pivot := 1 / row[2]
		rest[at][set] = [2]float64{row[3] * pivot, row[4] * pivot}
		for _, k := range components[set] {
			w[k] = (w[k] - row[0]*w2[k] - row[1]*w1[k]) * pivot
		}
	}
}

// components are those that have the same equations.
var components = [3][]int{{0, 1, 2}, {3}, {4}}

// speeds are those of the gas along an axis, of sound with it and of sound against it; and how much it spreads.
type speeds struct {
	wave   [3]float64
	spread float64
}

func (s *solver) speeds(axis int, u *cfd.Vec) speeds {
	v, a := u[axis+1]/u[0], sound(u)
	return speeds{[3]float64{v, v + a, v - a}, cfd.Spread[axis] + .196/u[0]}
}

// sound is its speed.
func sound(u *cfd.Vec) float64 { return math.Sqrt(1.4 * u.Pressure() / u[0]) }

// Back puts the solution in, downwards.
func (s *solver) Back(c *cells.Cell, axis int, in, out []float64) {
	stride, rest := c.Stride[axis], s.left[c.Number]
	c.EachLine(&s.Grid, axis, func(first, low, high int) {
		if in != nil {
			end := first + c.Size[axis]*stride
			in = in[copy(c.W[end][:], in):]
			in = in[copy(c.W[end+stride][:], in):]
		}
		for i := high - 1; i >= low; i-- {
			at := first + i*stride
			w, w1, w2 := &c.W[at], &c.W[at+stride], &c.W[at+2*stride]
			for set, l := range rest[at] {
				for _, k := range components[set] {
					w[k] -= l[0]*w1[k] + l[1]*w2[k]
				}
			}
		}
		out = out[copy(out, c.W[first][:]):]
		out = out[copy(out, c.W[first+stride][:]):]
	})
}

// give writes a point's numbers to a message, and returns its rest.
func give(out []float64, l *left, w *cfd.Vec) []float64 {
	for set := range l {
		out = out[copy(out, l[set][:]):]
	}
	return out[copy(out, w[:]):]
}

// take is the reverse of give.
func take(in []float64, l *left, w *cfd.Vec) []float64 {
	for set := range l {
		in = in[copy(l[set][:], in):]
	}
	return in[copy(w[:], in):]
}
