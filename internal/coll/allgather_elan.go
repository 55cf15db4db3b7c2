package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/elan: what elan_gather of Quadrics does when everybody wants the
// result: gather/elan to rank 0, then bcast/elan, for blocks up to 32 KB;
// allgather/ring for longer ones.
//
// Steps, cost: those of the parts. Limits: none. A rival to compare with.
// Source: Qian, "Design and evaluation of efficient collective communications
// on modern interconnects and multi-core clusters", 2010, section 4.2.
func allgatherElan(b *plan.Builder, c Case) {
	const short = 32 << 10
	if c.Bytes > short {
		allgatherRing(b, c)
		return
	}
	first, second := c, c
	first.Op, second.Op = Gather, Bcast
	first.Root, second.Root = 0, 0
	second.Bytes = c.Ranks * c.Bytes
	gather := part(gatherElan, first)
	b.OnNode(gather.Group, gather.NodeLen, gather.Flags)
	gathered := b.Join(gather, plan.Join{In: c.source(), Out: second.vector(), Node: plan.Span{Buf: plan.Node, Len: gather.NodeLen}})
	b.Join(part(bcastElan, second), plan.Join{Out: second.vector()}, gathered)
}
