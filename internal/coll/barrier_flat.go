package coll

import "github.com/weft-mpi/weft/internal/plan"

// barrier/flat: everybody reports to rank 0, which then releases everybody.
//
// Steps: 2 rounds, 2(p-1) messages through rank 0. Cost: 2a plus 2(p-1) times
// the overhead of a message. Limits: none. Best when ranks share cores: each
// rank but 0 waits for one turn only. Source: textbook (central counter).
func barrierFlat(b *plan.Builder, c Case) {
	if c.Rank != 0 {
		b.Send(0, plan.Span{})
		b.Recv(0, plan.Span{})
		return
	}
	var arrived []int
	for i := 1; i < c.Ranks; i++ {
		arrived = append(arrived, b.Recv(i, plan.Span{}))
	}
	all := b.Gate(arrived...)
	for i := 1; i < c.Ranks; i++ {
		b.Send(i, plan.Span{}, all)
	}
}
