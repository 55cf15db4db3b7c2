package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/scatter_ring: the vector is scattered over a binomial tree in p blocks,
// which then go round a ring. A rank is not sent blocks it got while
// scattering.
//
// Steps: ceil(log2 p) + p-1 rounds. Cost: (ceil(log2 p) + p-1)a + 2(p-1)/p*nb.
// Limits: none. Source: van de Geijn, "On global combine operations", 1994.
func bcastScatterRing(b *plan.Builder, c Case) {
	p := c.Ranks
	v := virtual(c.Rank, c.Root, p)
	offs := split(c.Bytes, c.elem(), p)
	scattered := scatterTree(b, c, offs)
	prev, next := actual(v-1+p, c.Root, p), actual(v+1, c.Root, p)
	// From the left come blocks v-1, v-2, ... down to the first one that is
	// missing; they leave to the right in the order v, v-1, ...
	have := map[int]int{}
	for i := range treeSize(v, p) {
		have[v+i] = scattered
	}
	for k := 1; k <= p-treeSize(v, p); k++ {
		block := (v - k + p) % p
		have[block] = b.Recv(prev, cut(c.vector(), offs, block, block+1))
	}
	right := (v + 1) % p
	passOn := inOrder(b)
	passOn.after(scattered)
	for k := range p - treeSize(right, p) {
		block := (v - k + p) % p
		b.Send(next, cut(c.vector(), offs, block, block+1), passOn.after(have[block]))
	}
}
