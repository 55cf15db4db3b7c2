// Package bt is the benchmark BT: a flow by implicit steps along one axis after the other, each of which solves
// systems of equations with blocks of 5 x 5 along all lines. Messages are few and long.
package bt

import (
	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/cells"
	"github.com/weft-mpi/weft/apps/cfd"
)

// App is the benchmark.
var App = apps.App{Name: "bt", About: "a flow by block tridiagonal systems", Classes: "SWAB", Ranks: "1, 4, 9, 16 and so on ranks with three points of a side each",
	Fits: fits, Run: run,
	Steps: func(class string) int { return classes[class].Steps }}

var classes = map[string]cells.Problem{
	"S": {N: 12, Steps: 60, Dt: .01,
		Residual: cfd.Vec{.1703428371, 1.297525207e-2, 3.2527926989e-2, 2.6436421275e-2, .19211784132},
		Distance: cfd.Vec{4.9976913346e-4, 4.5195666783e-5, 7.3973765173e-5, 7.3821238632e-5, 8.9269630987e-4}},
	"W": {N: 24, Steps: 200, Dt: .0008,
		Residual: cfd.Vec{112.55904093, 11.800075957, 27.103297678, 24.691749377, 263.84278743},
		Distance: cfd.Vec{4.419655736, .463853126, 1.01155175, .92358787299, 10.180458377}},
	"A": {N: 64, Steps: 200, Dt: .0008,
		Residual: cfd.Vec{108.06346715, 11.319730901, 25.974354512, 23.665622545, 252.78963212},
		Distance: cfd.Vec{4.2348416041, .44390282497, .96692480136, .8830206304, 9.7379901771}},
	"B": {N: 102, Steps: 200, Dt: .0003,
		Residual: cfd.Vec{1423.3597229, 99.33052259, 356.46025645, 324.85447959, 3270.7541255},
		Distance: cfd.Vec{52.969847141, 4.4632896116, 13.122573342, 12.006925324, 124.59576151}},
}

func fits(name string, ranks int) bool { return classes[name].Fits(ranks) }

func run(e *apps.Env) (apps.Result, error) {
	c := classes[e.Class]
	n := float64(c.N)
	operations := 3478.8*n*n*n - 17655.7*n*n + 28023.7*n
	s := newSolver(c.Part(e), operations/(n*n*n))
	return c.Run(e, s.Part, s.step, operations)
}

// What the parts of a step have of its operations, by a profile of class W on one rank: sweeps along one axis.
const (
	partResidual = .18
	partPrepare  = .23 / 3 // the blocks, which the original makes before it waits
	partForward  = .53 / 3
	partBack     = .06 / 3
)

// solver is one rank's part: with what is left above the diagonal, once a line is eliminated, for every cell.
type solver struct {
	*cells.Part
	upper [][]cfd.Block
	cost  float64 // operations of a step at a point
	most  int     // lines of the largest cell, with room for one more each way: messages are as long
}

func newSolver(p *cells.Part, cost float64) *solver {
	s := &solver{Part: p, cost: cost}
	m := p.N/len(p.Cells) + 1
	s.most = m * m
	for _, c := range p.Cells {
		s.upper = append(s.upper, make([]cfd.Block, c.Len()))
	}
	return s
}

func (s *solver) step() error {
	if err := s.Residual(s.Dt, partResidual*s.cost); err != nil {
		return err
	}
	for axis := range 3 {
		if err := s.Sweep(s, axis); err != nil {
			return err
		}
	}
	s.Add()
	return nil
}

// Numbers that a line passes on upwards, and downwards.
const (
	forward = 30
	back    = 5
)

// Sizes is part of cells.Solver.
func (s *solver) Sizes(*cells.Cell, int) (int, int) { return forward * s.most, back * s.most }

// Operations is part of cells.Solver.
func (s *solver) Operations() (prepare, forward, back float64) {
	return partPrepare * s.cost, partForward * s.cost, partBack * s.cost
}

// Prepare is part of cells.Solver: here equations are made one by one, and nothing is left to prepare.
func (s *solver) Prepare(*cells.Cell, int) {}

// Forward eliminates along all lines of a cell. What came from below is put into the border.
func (s *solver) Forward(c *cells.Cell, axis int, in, out []float64) {
	stride, upper := c.Stride[axis], s.upper[c.Number]
	var own, lower cfd.Block
	c.EachLine(&s.Grid, axis, func(first, low, high int) {
		if in != nil {
			in = take(in, &upper[first-stride], &c.W[first-stride])
		}
		for i := low; i < high; i++ {
			at := first + i*stride
			before := at - stride
			s.Own(&own, &c.U[at], axis)
			s.Below(&lower, axis, &c.U[before])
			s.Above(&upper[at], axis, &c.U[at+stride])
			c.W[at].SubMul(1, &lower, &c.W[before])
			own.SubMul(&lower, &upper[before])
			own.SolveBoth(&c.W[at], &upper[at])
		}
		last := first + (c.Size[axis]-1)*stride
		out = give(out, &upper[last], &c.W[last])
	})
}

// Back puts the solution in, downwards.
func (s *solver) Back(c *cells.Cell, axis int, in, out []float64) {
	stride, upper := c.Stride[axis], s.upper[c.Number]
	c.EachLine(&s.Grid, axis, func(first, low, high int) {
		if in != nil {
			in = in[copy(c.W[first+c.Size[axis]*stride][:], in):]
		}
		for i := high - 1; i >= low; i-- {
			at := first + i*stride
			c.W[at].SubMul(1, &upper[at], &c.W[at+stride])
		}
		out = out[copy(out, c.W[first][:]):]
	})
}

// give writes a line's numbers to a message, and returns its rest.
func give(out []float64, upper *cfd.Block, w *cfd.Vec) []float64 {
	for r := range upper {
		out = out[copy(out, upper[r][:]):]
	}
	return out[copy(out, w[:]):]
}

// take is the reverse of give.
func take(in []float64, upper *cfd.Block, w *cfd.Vec) []float64 {
	for r := range upper {
		in = in[copy(upper[r][:], in):]
	}
	return in[copy(w[:], in):]
}
