package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/mvapich: what MVAPICH 1.0 does: allgather/doubling if p is a power
// of two, by messages that are copied into memory waiting at the receiver while
// blocks are short and announced, so that nobody copies, when they are long;
// else allgather/mpich. Memory that ranks of a node share is not used.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with.
// Source: Qian, "Design and evaluation of efficient collective communications
// on modern interconnects and multi-core clusters", 2010, section 5.2; up to
// which length it copies is not told there and is 8 KB here.
func allgatherMvapich(b *plan.Builder, c Case) {
	if !isPow2(c.Ranks) {
		allgatherMpich(b, c)
		return
	}
	way := plan.Announced
	if c.Bytes <= copiedMax {
		way = plan.Copied
	}
	b.Travel(way, 0)
	allgatherDoubling(b, c)
	b.Travel(plan.Auto, 0)
}
