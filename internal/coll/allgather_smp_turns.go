package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/smp_turns: blocks that are too long for the memory of a node go
// through it piece by piece. In every turn the ranks of a node put a piece each
// into its memory, its master sends these pieces to the other masters, straight
// into the memory of their nodes, and everybody copies all pieces out: those of
// its own node while the messages run, and the next turn is filled meanwhile.
//
// Steps: m-1 messages of lw bytes per master and turn for m nodes of l ranks and
// pieces of w bytes, n/w turns. Cost: (m-1)lnb and (m-1)n/w*a, one copy in of n
// and one copy out of (p-1)n, which overlap. Limits: nodes have memory for two
// turns, of which there are at most 64. For long blocks: every block crosses the
// network once per node and is read from a cache. Source: own (allgather/smp_direct in
// turns).
func allgatherSMPTurns(b *plan.Builder, c Case) {
	l := c.layout()
	g := turnGather{gatherShape: c.gatherShape(), b: b, c: c, l: l, r: newRoom(b, c, l), masters: l.masters(), me: l.node[c.Rank]}
	g.memory = g.r.space(g.depth * g.stride)
	turns := len(g.offs) - 1
	g.filled, g.came, g.taken = g.r.flags(turns), g.r.flags(turns), g.r.flags(turns)
	g.place = make([]int, c.Ranks)
	next := 0
	for _, ranks := range l.ranks {
		for _, rank := range ranks {
			g.place[rank] = next
			next++
		}
	}
	g.read, g.sends, g.recvs = make([]int, turns), inOrder(b), inOrder(b)
	for t := range turns {
		g.turn(t)
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
	g.r.close()
}

// turnGather is such an allgather while the plan of one rank is made.
type turnGather struct {
	gatherShape
	b                   *plan.Builder
	c                   Case
	l                   layout
	r                   *room
	memory              plan.Span
	masters             []int
	me                  int   // own node
	place               []int // by rank: its slot
	filled, came, taken int   // the first of the flags of turns: own piece is there, pieces of other nodes are, all were read
	read                []int // by turn: when this rank had read all pieces, and sent those of its node
	sends, recvs        *order
}

// gatherShape says how blocks go through the memory of a node.
type gatherShape struct {
	offs   []int // where the piece of each turn begins in a block, and the end of the last
	stride int   // bytes from one turn's slots to the next one's
	depth  int   // turns whose slots the memory holds
}

// gatherShape cuts blocks into pieces of which the memory holds those of two
// turns or more.
func (c Case) gatherShape() gatherShape {
	const best = 64 << 10
	width := c.Segment
	if width == 0 {
		width = min(best, NodeMax/(2*c.Ranks))
	}
	width = max(1, min(width, c.Bytes), (c.Bytes+mostTurns-1)/mostTurns)
	turns := max(1, (c.Bytes+width-1)/width)
	s := gatherShape{offs: split(c.Bytes, 1, turns)}
	s.stride = toLine(c.Ranks * s.offs[1])
	s.depth = min(turns, max(2, NodeMax/max(s.stride, 1)))
	return s
}

func allgatherSMPTurnsFits(c Case) bool {
	if !c.Shares {
		return false
	}
	s := c.gatherShape()
	return s.depth*s.stride <= NodeMax && 3*(len(s.offs)-1) <= FlagMax
}

// slots returns the slots of some neighbours in turn t.
func (g *turnGather) slots(ranks []int, t int) plan.Span {
	n := g.offs[t+1] - g.offs[t]
	return g.memory.Sub(t%g.depth*g.stride+g.place[ranks[0]]*n, len(ranks)*n)
}

// piece returns what goes through in turn t of a block.
func (g *turnGather) piece(block plan.Span, t int) plan.Span {
	return block.Sub(g.offs[t], g.offs[t+1]-g.offs[t])
}

// turn adds this rank's part in one turn.
func (g *turnGather) turn(t int) {
	var free []int // everybody has read what the slots held before
	if t >= g.depth {
		free = append(g.r.others(g.taken+t-g.depth), g.read[t-g.depth])
	}
	own := g.r.put(g.slots([]int{g.c.Rank}, t), g.piece(g.c.source(), t), g.filled+t, free...)
	here := make([]int, len(g.r.ranks))
	for i, rank := range g.r.ranks {
		here[i] = g.r.await(rank, g.filled+t, own)
	}
	came, read := g.exchange(t, here, free)
	for i, rank := range g.r.ranks {
		if rank != g.c.Rank {
			read = append(read, g.take(rank, t, here[i], own))
		}
	}
	for d := 1; d < len(g.l.ranks); d++ {
		for _, rank := range g.l.ranks[(g.me+d)%len(g.l.ranks)] {
			read = append(read, g.take(rank, t, came, own))
		}
	}
	g.read[t] = all(g.b, append(read, own))
	if t+g.depth < len(g.offs)-1 && !g.r.alone() {
		g.b.Set(g.taken+t, g.read[t])
	}
}

// take copies a rank's piece out when it is ready, behind the own one, and so
// behind what this rank did with the memory in earlier turns, whose slots may
// begin elsewhere.
func (g *turnGather) take(rank, t, ready, own int) int {
	return g.b.Copy(g.piece(g.c.recvBlock(rank), t), g.slots([]int{rank}, t), ready, own)
}

// exchange has the masters send each other what their nodes have. It returns
// when that of all other nodes is here, and when that of this one has left.
func (g *turnGather) exchange(t int, here, free []int) (came int, sent []int) {
	nodes := len(g.l.ranks)
	switch {
	case nodes == 1:
		return plan.None, nil
	case g.r.me != 0:
		return g.b.Await(g.masters[g.me], g.came+t), nil
	}
	var coming []int
	after := g.recvs.after(all(g.b, free))
	for d := 1; d < nodes; d++ {
		from := (g.me - d + nodes) % nodes
		part := g.slots(g.l.ranks[from], t)
		g.c.travel(g.b, part.Len, 0)
		coming = append(coming, g.b.Recv(g.masters[from], part, after))
	}
	ready := g.sends.after(all(g.b, here))
	own := g.slots(g.r.ranks, t)
	for d := 1; d < nodes; d++ {
		g.c.travel(g.b, own.Len, g.me+d)
		sent = append(sent, g.b.Send(g.masters[(g.me+d)%nodes], own, ready))
	}
	came = all(g.b, coming)
	if !g.r.alone() {
		g.b.Set(g.came+t, came)
	}
	return came, sent
}
