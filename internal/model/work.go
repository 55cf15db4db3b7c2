package model

import "github.com/weft-mpi/weft/internal/plan"

// Sample is the plan of a rank, which stands for so many of its node.
type Sample struct {
	Plan *plan.Plan
	For  int
}

// Work returns the nanoseconds for which the busiest of some ranks of one node is busy, and the
// node's rail with what they send and receive. It is no time of an operation, because nobody waits for
// anybody, but grows with the number of ranks as that does.
func (m *Machine) Work(l Layout, samples []Sample) float64 {
	c := m.costs()
	var busiest, rail ticks
	for _, s := range samples {
		own, sent := c.busy(&l, s.Plan)
		busiest = max(busiest, own)
		rail += sent * ticks(s.For)
	}
	return (busiest + rail/ticks(max(l.Rails, 1))).nanos()
}

// busy is how long a plan keeps its rank busy, and a rail of its node.
func (c *costs) busy(l *Layout, p *plan.Plan) (own, rail ticks) {
	for i := range p.Steps {
		s := &p.Steps[i]
		own += c.step
		switch s.Kind {
		case plan.Send, plan.Recv:
			n := s.Src.Len + s.Dst.Len // one of them is 0
			if l.Node[s.Peer] == l.Node[p.Rank] {
				own += c.near + c.copy.of(n)
				break
			}
			own += c.far + c.touch.of(n)
			rail += c.farGap + c.oneWay.of(n)
		case plan.Set, plan.Await:
			own += c.flag
		case plan.Copy:
			own += c.copy.of(s.Src.Len)
		case plan.Reduce:
			own += c.reduce.of(s.Src.Len)
		case plan.Fetch:
			own += c.fetch + c.copy.of(s.Dst.Len)
		}
	}
	return own, rail
}
