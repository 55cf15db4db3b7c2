package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/smp_fetch: every rank puts its block into its result and sends it to
// one rank of each other node, straight into the result there; everybody fetches
// from the results of its neighbours, their own blocks while the messages run,
// then those that came.
//
// Steps: m-1 messages of n bytes per rank for m nodes of as many ranks, m+1
// flags. Cost: (m-1)(a + nb), and one copy of pn per rank. Limits: the ranks of
// a node can copy from each other's memory. For blocks that are worth waiting
// for as a whole: every block crosses the network once per node, as in
// allgather/smp_turns, but nobody waits for a turn. Source: own
// (allgather/shm_fetch between nodes).
func allgatherSMPFetch(b *plan.Builder, c Case) {
	l := c.layout()
	r := newRoom(b, c, l)
	g := fetchGather{b: b, c: c, l: l, r: r, placed: plan.None}
	if !r.alone() {
		r.apart = true // there may be more flags than slips have
		g.lent, g.came = r.lending(), r.flags(l.mostGuests())
		g.placed = g.lent.place(plan.Span{Buf: plan.Out, Len: c.Ranks * c.Bytes})
	}
	g.exchange()
	g.put()
	if !r.alone() {
		g.fetch()
	}
	r.close()
}

func allgatherSMPFetchFits(c Case) bool {
	return c.Shares && c.Fetches && c.layout().mostGuests()+2 <= FlagMax && c.MostLocal()*plan.KeyLen <= NodeMax
}

// fetchGather is such an allgather while the plan of one rank is made.
type fetchGather struct {
	b      *plan.Builder
	c      Case
	l      layout
	r      *room
	lent   lending
	placed int // the step after which neighbours know where this rank's result is
	came   int // the first of the flags that tell of the blocks which a rank gets from other nodes
}

// host returns which rank of a node gets the block of a rank of another one.
func (l layout) host(rank, node int) int {
	ranks := l.ranks[node]
	return ranks[l.local[rank]%len(ranks)]
}

// mostGuests returns how many blocks of other nodes a rank gets, at most: the
// first ranks of a node get the most.
func (l layout) mostGuests() int {
	most := 0
	for node, ranks := range l.ranks {
		n := 0
		for other, others := range l.ranks {
			if other != node {
				n += (len(others) + len(ranks) - 1) / len(ranks)
			}
		}
		most = max(most, n)
	}
	return most
}

// guests calls f for every rank of other nodes, beginning with the next node's,
// with the rank of this node that gets its block, and how many that one got
// before.
func (g *fetchGather) guests(f func(rank, host, before int)) {
	got := make([]int, g.c.Ranks)
	for d := 1; d < len(g.l.ranks); d++ {
		for _, rank := range g.l.ranks[(g.r.group+d)%len(g.l.ranks)] {
			host := g.l.host(rank, g.r.group)
			f(rank, host, got[host])
			got[host]++
		}
	}
}

// exchange adds this rank's messages.
func (g *fetchGather) exchange() {
	g.guests(func(rank, host, before int) {
		if host != g.c.Rank {
			return
		}
		g.c.travel(g.b, g.c.Bytes, 0)
		came := g.b.Recv(rank, g.c.recvBlock(rank), g.placed)
		if !g.r.alone() {
			g.b.Set(g.came+before, came)
		}
	})
	for d := 1; d < len(g.l.ranks); d++ {
		g.c.travel(g.b, g.c.Bytes, g.r.me+d)
		g.b.Send(g.l.host(g.c.Rank, (g.r.group+d)%len(g.l.ranks)), g.c.source())
	}
}

// put has the own block in the result.
func (g *fetchGather) put() {
	there := g.placed
	if !g.c.inPlace() {
		there = g.b.Copy(g.c.recvBlock(g.c.Rank), g.c.source(), g.placed)
	}
	if !g.r.alone() {
		g.b.Set(g.lent.flag, there)
	}
}

// fetch takes the blocks that neighbours have, and waits until all have done so.
func (g *fetchGather) fetch() {
	var fetched []int
	take := func(from, flag, rank int) {
		fetched = append(fetched, g.lent.fetchAfter(from, flag, g.c.recvBlock(rank), rank*g.c.Bytes, g.placed))
	}
	for d := 1; d < len(g.r.ranks); d++ {
		from := g.r.ranks[(g.r.me+d)%len(g.r.ranks)]
		take(from, g.lent.flag, from)
	}
	g.guests(func(rank, host, before int) {
		if host != g.c.Rank {
			take(host, g.came+before, rank)
		}
	})
	g.lent.returned(fetched...)
	g.r.others(g.lent.done)
}
