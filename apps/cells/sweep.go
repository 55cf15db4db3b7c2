package cells

import (
	"slices"

	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// tagSweep and the next are the tags of sweeps, behind those of halos: downwards and upwards.
const tagSweep = 10

// Solver solves equations along all lines of a cell: it eliminates upwards and puts in downwards. What cells need
// of each other is in and out: of the cell before, nil if there is none, and for the next.
type Solver interface {
	Prepare(c *Cell, axis int) // makes the equations, while what they depend on is on its way
	Forward(c *Cell, axis int, in, out []float64)
	Back(c *Cell, axis int, in, out []float64)
	Sizes(c *Cell, axis int) (forward, back int) // of what a cell passes on
	// Operations at a point. What Prepare has is what can be done while messages are on their way.
	Operations() (prepare, forward, back float64)
}

// Sweep solves along an axis: through all layers, and back.
func (p *Part) Sweep(s Solver, axis int) error {
	order := slices.Clone(p.Cells)
	slices.SortFunc(order, func(a, b *Cell) int { return a.Layer[axis] - b.Layer[axis] })
	if err := p.pass(order, s, axis, above); err != nil {
		return err
	}
	slices.Reverse(order)
	return p.pass(order, s, axis, below)
}

// pass goes through the cells of all layers, in a direction.
func (p *Part) pass(order []*Cell, s Solver, axis, way int) error {
	var sent mpi.Request
	prepare, up, down := s.Operations()
	for stage, c := range order {
		n, back := s.Sizes(c, axis)
		if way == below {
			n = back
		}
		var in []float64
		var coming mpi.Request
		if stage > 0 {
			p.in = slices.Grow(p.in[:0], n)
			in = p.in[:n]
			coming = meter.Irecv(p.Comm, in, p.near[axis][1-way], tagSweep+way)
		}
		if way == above {
			p.Work(prepare*c.Points(), func() { s.Prepare(c, axis) })
		}
		if err := meter.Wait(p.Comm, sent); err != nil { // the buffer of what goes out is needed again
			return err
		}
		if err := meter.Wait(p.Comm, coming); err != nil {
			return err
		}
		p.out = slices.Grow(p.out[:0], n)
		if out := p.out[:n]; way == above {
			p.Work(up*c.Points(), func() { s.Forward(c, axis, in, out) })
		} else {
			p.Work(down*c.Points(), func() { s.Back(c, axis, in, out) })
		}
		sent = mpi.Request{}
		if stage < len(order)-1 {
			sent = meter.Isend(p.Comm, p.out[:n], p.near[axis][way], tagSweep+way)
		}
	}
	return nil
}
