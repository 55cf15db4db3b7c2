package coll

import "github.com/weft-mpi/weft/internal/plan"

// The alltoalls through the memory of nodes. Ranks put all they send into the
// memory of their node, sorted by the node it goes to; the masters exchange
// what their nodes have for each other by messages that land in memory;
// everybody copies its blocks out, those from its own node while messages run.

// nodeExchange is such an alltoall while the plan of one rank is made.
type nodeExchange struct {
	b       *plan.Builder
	c       Case
	l       layout
	r       *room
	leaving []plan.Span // by node: what goes there: by rank here, then by rank there
	coming  []plan.Span // by node: what comes from there: by rank there, then by rank here
	me      int         // own node
}

// alltoallNodes exchanges in the strict order next, next but one, ... with one
// flag when all has come, or, by arrival, in no order with a flag for each node.
func alltoallNodes(b *plan.Builder, c Case, byArrival bool) {
	l := c.layout()
	x := nodeExchange{b: b, c: c, l: l, r: newRoom(b, c, l), me: l.node[c.Rank]}
	for _, ranks := range l.ranks {
		x.leaving = append(x.leaving, x.r.space(len(x.r.ranks)*len(ranks)*c.Bytes))
	}
	for node := range l.ranks {
		s := x.leaving[x.me]
		if node != x.me {
			s = x.r.space(x.leaving[node].Len)
		}
		x.coming = append(x.coming, s)
	}
	put, done := x.r.flags(1), x.r.flags(len(l.ranks))
	filled := x.fill(put)
	here := make([]int, len(x.r.ranks))
	for i, rank := range x.r.ranks {
		here[i] = x.r.await(rank, put, filled)
	}
	var came []int
	if x.r.me == 0 {
		came = x.exchange(b.Gate(here...), !byArrival)
		x.raise(done, came, byArrival)
	} else {
		came = x.awaitMaster(done, byArrival)
	}
	x.takeHere(here, filled)
	for d := 1; d < len(l.ranks); d++ {
		node := (x.me - d + len(l.ranks)) % len(l.ranks)
		x.take(node, came[node], filled)
	}
	x.r.close()
}

// awaitMaster returns, by node, when its blocks have come, for all but the
// master.
func (x *nodeExchange) awaitMaster(flags int, each bool) []int {
	came := make([]int, len(x.l.ranks))
	whole := plan.None
	for node := range came {
		switch {
		case node == x.me:
		case each:
			came[node] = x.b.Await(x.r.ranks[0], flags+node)
		default:
			if whole == plan.None {
				whole = x.b.Await(x.r.ranks[0], flags)
			}
			came[node] = whole
		}
	}
	return came
}

// fill puts what this rank sends into memory, with as few copies as its places
// allow, and raises the flag.
func (x *nodeExchange) fill(flag int) (filled int) {
	var copied []int
	for node, ranks := range x.l.ranks {
		row := x.leaving[node].Sub(x.r.me*len(ranks)*x.c.Bytes, len(ranks)*x.c.Bytes)
		own := -1 // index of this rank if its block is to be left out
		if node == x.me && !x.c.ownAlong(len(ranks)) {
			own = x.r.me
		}
		for i := 0; i < len(ranks); {
			if i == own {
				i++
				continue
			}
			first := i
			for i++; i < len(ranks) && i != own && ranks[i] == ranks[i-1]+1; i++ {
			}
			n := (i - first) * x.c.Bytes
			copied = append(copied, x.b.Copy(row.Sub(first*x.c.Bytes, n), x.c.outgoing().Sub(ranks[first]*x.c.Bytes, n)))
		}
	}
	filled = all(x.b, copied)
	x.b.Set(flag, filled)
	return filled
}

// exchange is the master's part. It returns, by node, when its blocks came.
func (x *nodeExchange) exchange(ready int, strict bool) []int {
	n, masters := len(x.l.ranks), x.l.masters()
	came := make([]int, n)
	came[x.me] = plan.None
	for d := 1; d < n; d++ {
		from := (x.me - d + n) % n
		x.c.travel(x.b, x.coming[from].Len, 0)
		came[from] = x.b.Recv(masters[from], x.coming[from])
	}
	before := plan.None
	for d := 1; d < n; d++ {
		to := (x.me + d) % n
		x.c.travel(x.b, x.leaving[to].Len, x.me+d)
		sent := x.b.Send(masters[to], x.leaving[to], ready, before)
		if strict {
			before = sent
		}
	}
	return came
}

// raise tells the node what has come.
func (x *nodeExchange) raise(flags int, came []int, each bool) {
	switch {
	case x.r.alone() || len(came) == 1:
	case each:
		for node, step := range came {
			if node != x.me {
				x.b.Set(flags+node, step)
			}
		}
	default:
		whole := x.b.Gate(came...)
		x.b.Set(flags, whole)
		for node := range came {
			came[node] = whole // the master keeps to the flag as well
		}
	}
}

// takeHere copies out what the ranks of this node have for this rank, rank by
// rank as they come.
func (x *nodeExchange) takeHere(here []int, filled int) {
	if !x.c.inPlace() {
		x.b.Copy(x.c.recvBlock(x.c.Rank), x.c.sendBlock(x.c.Rank))
	}
	for i, rank := range x.r.ranks {
		if rank != x.c.Rank {
			x.b.Copy(x.c.recvBlock(rank), x.cell(x.me, i), here[i], filled)
		}
	}
}

// take copies out what the ranks of another node have for this rank.
func (x *nodeExchange) take(node, ready, filled int) {
	for i, rank := range x.l.ranks[node] {
		x.b.Copy(x.c.recvBlock(rank), x.cell(node, i), ready, filled)
	}
}

// cell returns the block that rank i of a node has for this rank.
func (x *nodeExchange) cell(node, i int) plan.Span {
	return x.coming[node].Sub((i*len(x.r.ranks)+x.r.me)*x.c.Bytes, x.c.Bytes)
}

// exchangeFits reports that the memory of the largest node takes what its ranks
// send and receive.
func exchangeFits(c Case) bool {
	nodes := c.NodeCount()
	return c.Shares && nodes+1 <= FlagMax && 2*c.MostLocal()*c.Ranks*c.Bytes+2*nodes*line <= NodeMax
}
