package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/elan: what elan_alltoall of Quadrics is taken to do: blocks up to 2 KB
// go through the memory of nodes, as in gather/elan (alltoall/shm_direct), and
// longer ones by alltoall/direct with one port, as its algorithms use one only.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with.
// Source: Qian, "Design and evaluation of efficient collective communications
// on modern interconnects and multi-core clusters", 2010, chapter 3.
func alltoallElan(b *plan.Builder, c Case) {
	const short = 2 << 10
	if c.Bytes <= short && exchangeFits(c) {
		alltoallShmDirect(b, c)
		return
	}
	alltoallDirect(b, c)
}
