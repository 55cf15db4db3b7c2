package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/smp_partners_fetch: as alltoall/smp_partners, but a rank fetches what
// it sends for the ranks of its node, and what they have for itself, straight
// from their memory.
//
// Steps: 1 round, m-1 messages of ln bytes per rank for m nodes of l ranks, two
// flags per rank. Cost: (m-1)(a + lnb), one copy of pn within the node, and one
// more of (p-l)n where the ranks of a node are not neighbours. Limits: the ranks
// of a node can copy from each other's memory; scratch for what is sent, and in
// place for that once more. For blocks of middle length that do not fit the
// memory of a node. Source: textbook (aggregation by node).
func alltoallSMPPartnersFetch(b *plan.Builder, c Case) {
	x := newPartners(b, c)
	lent := x.r.lending()
	from, saved := c.outgoing(), plan.None
	if c.inPlace() { // what comes overwrites what is lent
		from = b.Tmp(from.Len)
		saved = b.Copy(from, c.outgoing())
	}
	x.receive(saved)
	lent.lend(from, saved)
	var fetched []int
	for _, to := range x.partners() {
		blocks := b.Tmp(len(x.r.ranks) * c.Bytes)
		there := []int{b.Copy(blocks.Sub(x.r.me*c.Bytes, c.Bytes), from.Sub(to*c.Bytes, c.Bytes), saved)}
		for d := 1; d < len(x.r.ranks); d++ {
			i := (x.r.me + d) % len(x.r.ranks)
			there = append(there, lent.fetch(x.r.ranks[i], blocks.Sub(i*c.Bytes, c.Bytes), to*c.Bytes))
		}
		b.Send(to, blocks, there...)
		fetched = append(fetched, there[1:]...)
	}
	x.keepOwn()
	for d := 1; d < len(x.r.ranks); d++ {
		rank := x.r.ranks[(x.r.me+d)%len(x.r.ranks)]
		fetched = append(fetched, lent.fetch(rank, c.recvBlock(rank), c.Rank*c.Bytes, saved))
	}
	lent.returned(fetched...)
	x.r.others(lent.done)
	x.r.close()
}

// partnersFetch reports that the ranks of a node can copy from each other's
// memory.
func partnersFetch(c Case) bool {
	return c.Shares && c.Fetches && c.MostLocal()*plan.SlipLen <= NodeMax
}
