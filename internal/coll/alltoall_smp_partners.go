package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/smp_partners: every rank has one partner on each other node, and
// sends it all that the ranks of its own node have for it, in one message. The
// ranks of a node put what they send into its memory, sorted by receiver; what
// they have for each other is copied out while the messages run.
//
// Steps: 1 round, m-1 messages of ln bytes per rank for m nodes of l ranks, one
// flag per rank. Cost: (m-1)(a + lnb), one copy in of pn and one out of ln, and
// one more of (p-l)n where the ranks of a node are not neighbours. Limits: nodes
// have memory that takes lpn; in place needs scratch for what comes. For blocks
// of middle length: fewer messages than alltoall/pap_direct, and more ranks that
// send than in alltoall/shm_direct. Source: textbook (aggregation by node).
func alltoallSMPPartners(b *plan.Builder, c Case) {
	x := newPartners(b, c)
	flag := x.r.flags(1)
	cells := make([]plan.Span, c.Ranks) // by receiver: a block of each rank of this node
	for rank := range cells {
		cells[rank] = x.r.space(len(x.r.ranks) * c.Bytes)
	}
	var copied []int
	for _, node := range x.inOrder() {
		for _, to := range x.l.ranks[node] {
			if to != c.Rank {
				copied = append(copied, b.Copy(cells[to].Sub(x.r.me*c.Bytes, c.Bytes), c.outgoing().Sub(to*c.Bytes, c.Bytes)))
			}
		}
	}
	filled := all(b, copied)
	b.Set(flag, filled)
	here := make([]int, len(x.r.ranks))
	for i, rank := range x.r.ranks {
		here[i] = x.r.await(rank, flag, filled)
	}
	x.receive(filled)
	for _, to := range x.partners() {
		b.Send(to, cells[to], here...)
	}
	x.keepOwn()
	for i, rank := range x.r.ranks {
		if rank != c.Rank {
			b.Copy(c.recvBlock(rank), cells[c.Rank].Sub(i*c.Bytes, c.Bytes), here[i], filled)
		}
	}
	x.r.close()
}

// partners is an alltoall in which ranks send for their nodes, while the plan of
// one rank is made. Its messages are announced.
type partners struct {
	b  *plan.Builder
	c  Case
	l  layout
	r  *room
	me int // own node
}

func newPartners(b *plan.Builder, c Case) partners {
	l := c.layout()
	b.Travel(plan.Announced, 0)
	return partners{b: b, c: c, l: l, r: newRoom(b, c, l), me: l.node[c.Rank]}
}

// inOrder returns the nodes, the next one first and the own one last.
func (x *partners) inOrder() (nodes []int) {
	for d := 1; d <= len(x.l.ranks); d++ {
		nodes = append(nodes, (x.me+d)%len(x.l.ranks))
	}
	return nodes
}

// partners returns the ranks of other nodes that this one sends to: to the j-th
// of a node sends the one whose number here is j modulo the ranks here.
func (x *partners) partners() (ranks []int) {
	for _, node := range x.inOrder() {
		for j := x.r.me; node != x.me && j < len(x.l.ranks[node]); j += len(x.r.ranks) {
			ranks = append(ranks, x.l.ranks[node][j])
		}
	}
	return ranks
}

// receive takes what the other nodes have for this rank, from one rank of each.
// Out is written after the step saved: straight where the blocks of a node stand
// behind one another and there is nothing to save.
func (x *partners) receive(saved int) {
	n := x.c.Bytes
	for d := 1; d < len(x.l.ranks); d++ {
		ranks := x.l.ranks[(x.me-d+len(x.l.ranks))%len(x.l.ranks)]
		sender := ranks[x.r.me%len(ranks)]
		if ranks[len(ranks)-1] == ranks[0]+len(ranks)-1 && !x.c.inPlace() {
			x.b.Recv(sender, plan.Span{Buf: plan.Out, Off: x.c.recvBlock(ranks[0]).Off, Len: len(ranks) * n})
			continue
		}
		blocks := x.b.Tmp(len(ranks) * n)
		came := x.b.Recv(sender, blocks)
		for i, rank := range ranks {
			x.b.Copy(x.c.recvBlock(rank), blocks.Sub(i*n, n), came, saved)
		}
	}
}

// keepOwn copies what this rank has for itself.
func (x *partners) keepOwn() {
	if !x.c.inPlace() {
		x.b.Copy(x.c.recvBlock(x.c.Rank), x.c.sendBlock(x.c.Rank))
	}
}

// partnersFit reports that the memory of the largest node takes what its ranks
// send.
func partnersFit(c Case) bool {
	return c.Shares && c.Ranks*toLine(c.MostLocal()*c.Bytes) <= NodeMax
}
