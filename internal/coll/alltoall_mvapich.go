package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/mvapich: what MVAPICH 1.0 does, read literally: alltoall/bruck for
// short blocks, for longer ones recursive doubling over a hypercube, which is
// alltoall/exchange with one port, if p is a power of two, else
// alltoall/direct, all with one port.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with: only
// this reading, in which a long block travels up to log2 p times, explains the
// figures measured with it. Source: Qian, "Design and evaluation of efficient
// collective communications on modern interconnects and multi-core clusters",
// 2010, section 6.2.
func alltoallMvapich(b *plan.Builder, c Case) { mvapich(b, c, alltoallExchange) }

// alltoall/mvapich_xor: what MVAPICH 1.0 does if its recursive doubling of long
// blocks means exchanges between pairs: alltoall/bruck for short blocks, for
// longer ones alltoall/xor if p is a power of two, else alltoall/direct, all
// with one port.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with.
// Source: as alltoall/mvapich.
func alltoallMvapichXor(b *plan.Builder, c Case) { mvapich(b, c, alltoallXor) }

// mvapichShort is the longest block that MVAPICH and MPICH leave to Bruck's
// algorithm.
const mvapichShort = 256

func mvapich(b *plan.Builder, c Case, long func(*plan.Builder, Case)) {
	switch {
	case c.Bytes <= mvapichShort:
		alltoallBruck(b, c)
	case isPow2(c.Ranks):
		long(b, c)
	default:
		alltoallDirect(b, c)
	}
}
