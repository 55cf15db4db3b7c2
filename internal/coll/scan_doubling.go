package coll

import "github.com/weft-mpi/weft/internal/plan"

// scan/doubling, exscan/doubling: in round k each rank receives the sum of the
// 2^k ranks that end 2^k before it and puts it in front of its own, so that
// what it has covers twice as many ranks. Order is kept.
//
// Steps: ceil(log2 p) rounds. Cost: ceil(log2 p)(a + nb + ng), twice the g for
// exscan. Limits: none. Source: Hillis and Steele, "Data parallel algorithms",
// 1986.
//
// Each round receives into fresh space and merges into that, so that nothing
// waits for a send to end; the last lands in Out.
func scanDoubling(b *plan.Builder, c Case) {
	sum, ready := c.source(), plan.None // of the ranks up to and with this one
	var used []int                      // steps that read the own vector
	before := prefix{b: b, c: c}
	for d := 1; d < c.Ranks; d *= 2 {
		if c.Rank+d < c.Ranks {
			used = append(used, b.Send(c.Rank+d, sum, ready))
		}
		if d > c.Rank {
			continue
		}
		landing := c.vector()
		if c.inPlace() || c.Op == Exscan || 2*d <= c.Rank {
			landing = b.Tmp(c.Bytes)
		}
		got := b.Recv(c.Rank-d, landing)
		if c.Op == Exscan {
			before.extend(landing, got)
		}
		if c.Op == Exscan && c.Rank+2*d >= c.Ranks {
			continue // nobody asks for more
		}
		ready = b.Reduce(landing, sum, false, got, ready, before.ready())
		sum = landing
		if d == 1 {
			used = append(used, ready)
		}
	}
	if !c.inPlace() {
		used = nil
	}
	switch {
	case c.Op == Exscan:
		before.store(used)
	case c.Rank == 0 && !c.inPlace():
		b.Copy(c.vector(), c.source())
	case c.Rank > 0 && c.inPlace():
		b.Copy(c.vector(), sum, append(used, ready)...)
	}
}

// prefix is the sum of the ranks before this one, as far as it has come.
type prefix struct {
	b    *plan.Builder
	c    Case
	at   plan.Span
	last []int // the step that completed it; none at first
}

// extend puts sum, of the ranks right before those covered so far, in front.
// The sum is copied, as the caller goes on to change it.
func (p *prefix) extend(sum plan.Span, got int) {
	if p.last == nil {
		p.at = p.b.Tmp(p.c.Bytes)
		p.last = []int{p.b.Copy(p.at, sum, got)}
		return
	}
	p.last[0] = p.b.Reduce(p.at, sum, true, got, p.last[0])
}

// ready returns the step after which the prefix, as it is now, is complete.
func (p *prefix) ready() int {
	if p.last == nil {
		return plan.None
	}
	return p.last[0]
}

// store writes the prefix to Out once the steps used have read it. Rank 0 has
// none.
func (p *prefix) store(used []int) {
	if p.last != nil {
		p.b.Copy(p.c.vector(), p.at, append(used, p.last[0])...)
	}
}
