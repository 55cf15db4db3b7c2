// Package cells is how the benchmarks BT and SP deal out a grid to q x q ranks: it is cut into q x q x q cells, and
// each rank owns q of them, no two in the same layer along any axis. So a sweep along an axis, which goes from
// layer to layer, keeps all ranks busy all the time.
package cells

import (
	"math"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/cfd"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// Cell is one of a rank's cells: its box, its layer along each axis, the state, and its change.
type Cell struct {
	cfd.Box
	Layer         [3]int
	U, W, forcing []cfd.Vec
	Number        int // among the rank's cells
}

// Part is what a rank owns.
type Part struct {
	*apps.Env
	cfd.Grid
	Cells   []*Cell
	near    [3][2]int       // the ranks that own the cells below and above this rank's, along each axis
	halos   [3][4][]cfd.Vec // out below, out above, in from below, in from above
	lines   cfd.Lines
	in, out []float64 // of sweeps
}

// The ways along an axis.
const (
	below = iota
	above
)

// New is a rank's part of a grid.
func New(e *apps.Env, g cfd.Grid) *Part {
	p := &Part{Env: e, Grid: g}
	q := Side(e.Comm.Size())
	i, j := e.Comm.Rank()%q, e.Comm.Rank()/q
	rank := func(i, j int) int { return (i+q)%q + q*((j+q)%q) }
	p.near = [3][2]int{{rank(i-1, j), rank(i+1, j)}, {rank(i, j-1), rank(i, j+1)}, {rank(i+1, j-1), rank(i-1, j+1)}}
	for c := range q {
		cell := &Cell{Layer: [3]int{(i + c) % q, (j - c + q) % q, c}, Number: c}
		var from, size [3]int
		for ax, layer := range cell.Layer {
			from[ax], size[ax] = layer*(g.N/q)+min(layer, g.N%q), g.N/q
			if layer < g.N%q {
				size[ax]++
			}
		}
		cell.Box = cfd.NewBox(from, size)
		n := cell.Len()
		cell.U, cell.W, cell.forcing = make([]cfd.Vec, n), make([]cfd.Vec, n), make([]cfd.Vec, n)
		p.Work(0, func() { // before the time is taken
			cell.Fill(&p.Grid, cell.U, p.Exact)
			p.lines.Residual(&p.Grid, &cell.Box, cell.U, cell.forcing)
		})
		p.Cells = append(p.Cells, cell)
	}
	for ax := range 3 {
		for k := range p.halos[ax] {
			p.halos[ax][k] = make([]cfd.Vec, p.surface(ax, k%2)) // as much comes from a side as goes there
		}
	}
	return p
}

// Side is how many ranks there are along an axis.
func Side(ranks int) int { return int(math.Sqrt(float64(ranks)) + .5) }

// Begin sets the state that the benchmarks begin with.
func (p *Part) Begin() {
	p.each(0, func(c *Cell) { c.Fill(&p.Grid, c.U, p.Grid.Start) })
}

// edge tells whether a cell has none beside it.
func (p *Part) edge(c *Cell, ax, way int) bool { return c.Layer[ax] == way*(len(p.Cells)-1) }

// surface is how many points lie in two layers of all cells that have others beside them.
func (p *Part) surface(ax, way int) (points int) {
	for _, c := range p.Cells {
		if !p.edge(c, ax, way) {
			points += cfd.Border * c.Size[0] * c.Size[1] * c.Size[2] / c.Size[ax]
		}
	}
	return points
}

// halo gets two layers of the state around all cells: one message from every neighbour.
func (p *Part) halo() error {
	if len(p.Cells) == 1 {
		return nil
	}
	var reqs []mpi.Request
	for ax := range 3 {
		for way := range 2 {
			reqs = append(reqs, meter.Irecv(p.Comm, p.halos[ax][2+way], p.near[ax][way], 2*ax+1-way))
		}
	}
	for ax := range 3 {
		for way := range 2 {
			p.Work(0, func() { p.layers(ax, way, p.halos[ax][way], 0, func(buf, field *cfd.Vec) { *buf = *field }) })
			reqs = append(reqs, meter.Isend(p.Comm, p.halos[ax][way], p.near[ax][way], 2*ax+way))
		}
	}
	if err := meter.Waitall(p.Comm, reqs); err != nil {
		return err
	}
	for ax := range 3 {
		for way := range 2 {
			p.Work(0, func() { p.layers(ax, way, p.halos[ax][2+way], cfd.Border, func(buf, field *cfd.Vec) { *field = *buf }) })
		}
	}
	return nil
}

// layers calls move for the points of two layers on one side of all cells that have others there, so far outside,
// and as many of a buffer.
func (p *Part) layers(ax, way int, buf []cfd.Vec, outside int, move func(buf, field *cfd.Vec)) {
	for _, c := range p.Cells {
		if p.edge(c, ax, way) {
			continue
		}
		from, to := [3]int{}, c.Size
		if way == below {
			from[ax], to[ax] = -outside, cfd.Border-outside
		} else {
			from[ax], to[ax] = c.Size[ax]-cfd.Border+outside, c.Size[ax]+outside
		}
		for k := from[2]; k < to[2]; k++ {
			for j := from[1]; j < to[1]; j++ {
				for i := from[0]; i < to[0]; i++ {
					move(&buf[0], &c.U[c.At(i, j, k)])
					buf = buf[1:]
				}
			}
		}
	}
}

// each does something of so many operations at a point with every cell.
func (p *Part) each(operations float64, f func(c *Cell)) {
	for _, c := range p.Cells {
		p.Work(operations*c.Points(), func() { f(c) })
	}
}

// Points is how many points a cell has.
func (c *Cell) Points() float64 { return float64(c.Size[0] * c.Size[1] * c.Size[2]) }

// Residual makes W what the state lacks to be a solution, times a factor. That takes so many operations at a point.
func (p *Part) Residual(factor, operations float64) error {
	if err := p.halo(); err != nil {
		return err
	}
	p.each(operations, func(c *Cell) {
		p.lines.Residual(&p.Grid, &c.Box, c.U, c.W)
		c.EachInner(&p.Grid, func(at int) {
			for i := range 5 {
				c.W[at][i] = factor * (c.W[at][i] - c.forcing[at][i])
			}
		})
	})
	return nil
}

// Each calls f for the state and its change at every point inside the grid. All cells take that many operations at a point.
func (p *Part) Each(operations float64, f func(u, w *cfd.Vec)) {
	p.each(operations, func(c *Cell) {
		c.EachInner(&p.Grid, func(at int) { f(&c.U[at], &c.W[at]) })
	})
}

// Add adds the change to the state; it is counted with the residual.
func (p *Part) Add() {
	p.each(0, func(c *Cell) {
		c.EachInner(&p.Grid, func(at int) {
			for i := range 5 {
				c.U[at][i] += c.W[at][i]
			}
		})
	})
}

// norms are the means of the residual and of the distance from the exact solution.
func (p *Part) norms() (residual, distance cfd.Vec, err error) {
	var squares, errors cfd.Vec
	p.each(0, func(c *Cell) {
		s, e := c.Squares(&p.Grid, c.W), c.Errors(&p.Grid, c.U)
		for i := range 5 {
			squares[i], errors[i] = squares[i]+s[i], errors[i]+e[i]
		}
	})
	if distance, err = p.Mean(p.Comm, errors); err != nil {
		return residual, distance, err
	}
	residual, err = p.Mean(p.Comm, squares)
	return residual, distance, err
}
