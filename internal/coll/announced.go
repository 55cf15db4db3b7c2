package coll

import "github.com/weft-mpi/weft/internal/plan"

// announced adds the steps of another algorithm with all its messages announced
// by their receivers: who arrives tells everybody at once where it wants all it
// will receive, and no sender has to ask.
func announced(b *plan.Builder, c Case, steps func(*plan.Builder, Case)) {
	p := part(steps, c)
	for i := range p.Steps { // nobody else has seen the plan yet
		if s := &p.Steps[i]; s.Kind == plan.Send || s.Kind == plan.Recv {
			s.Way = plan.Announced
		}
	}
	lens := c.Lens()
	b.Join(p, plan.Join{In: plan.Span{Buf: plan.In, Len: lens.In}, Out: plan.Span{Buf: plan.Out, Len: lens.Out}})
}
