package coll

import "github.com/weft-mpi/weft/internal/plan"

// Reduce and Allreduce through the memory of nodes. Everybody puts its vector
// into the memory of its node; the vector is cut into slices, each of which has
// a driver on every node that merges it from the vectors of the node, in rank
// order, and then with the drivers of the same slice on the other nodes. The
// result goes back to memory, from where it is copied out. Long vectors go in
// turns through two halves of the memory: a driver's flag of a turn also tells
// that the vectors have been read, a rank's flag that it has copied out the
// result of two turns before.

// nodeReduction is such an operation while the plan of one rank is made.
type nodeReduction struct {
	b       *plan.Builder
	c       Case
	l       layout
	r       *room
	s       slots // the vectors of the node's ranks, then the result
	slices  int
	filled  int   // the first of the flags that tell of vectors
	done    int   // the first of the flags that tell of results
	own     []int // by turn: when the own vector was in memory
	merged  []int // by turn: when the own slice was done
	taken   []int // by turn: when the result was copied out
	settled [][]int
	sent    int          // the end of the messages of the turn before
	sums    [2]plan.Span // scratch for what goes to other nodes, of one turn and the next
	unsent  [2]int       // the end of the messages of the last turn that used it
}

// reduceNodes reduces in so many slices, at most as many as the smallest node
// has ranks.
func reduceNodes(b *plan.Builder, c Case, slices int) {
	l := c.layout()
	n := nodeReduction{b: b, c: c, l: l, r: newRoom(b, c, l), slices: slices, sent: plan.None, unsent: [2]int{plan.None, plan.None}}
	n.takeRoom()
	turns := n.s.turns()
	n.settled = make([][]int, turns)
	for t := range turns {
		n.own, n.merged, n.taken = append(n.own, plan.None), append(n.merged, plan.None), append(n.taken, plan.None)
		if !n.r.alone() && !n.drivesAll() {
			n.fill(t)
		}
		for slice := range slices {
			if n.drivers(n.r.group)[slice] == c.Rank && n.share(t, slice).Len > 0 {
				n.merged[t] = n.drive(t, slice)
			}
		}
		if !n.r.alone() && (c.Op == Allreduce || c.Rank == c.Root && !n.direct()) {
			result := n.s.at(len(n.r.ranks), t)
			n.taken[t] = b.Copy(n.s.of(c.vector(), t), result, append(n.settle(t), n.own[t])...)
		}
	}
	n.r.close()
}

// takeRoom asks for memory and flags. Where only vectors go through it, a few
// bytes stand beside the flag that tells of them.
func (n *nodeReduction) takeRoom() {
	offs := n.c.reduceTurns()
	switch {
	case n.r.alone():
		n.s = slots{offs: offs}
		return
	case n.direct() && n.c.fitsSlip(n.c.Bytes):
		n.s = n.r.each(n.c.Bytes)
	case n.direct():
		n.s = n.r.slots(len(n.r.ranks)-1, offs)
	default:
		n.s = n.r.slots(len(n.r.ranks)+1, offs)
	}
	n.filled, n.done = n.r.flags(n.s.turns()), n.r.flags(n.s.turns())
}

// reduceTurns cuts the vector so that it fits the largest node.
func (c Case) reduceTurns() []int { return c.turns(c.Bytes, c.elem(), c.MostLocal()+1) }

// reduceFits reports whether it does, and whether values are merged in order.
func reduceFits(c Case) bool { return inOrderOfNodes(c) && c.reduceTurns() != nil }

// drivers returns who drives the slices on a node.
func (n *nodeReduction) drivers(node int) []int {
	if n.c.Op == Reduce {
		return n.l.from(node, n.c.Root)
	}
	return n.l.ranks[node]
}

// direct reports that the root of Reduce drives the only slice, so that the
// result need not go through memory.
func (n *nodeReduction) direct() bool { return n.c.Op == Reduce && n.slices == 1 }

// place returns the slot of a rank of this node. If only one rank wants the
// vectors of the others, there is none for its own.
func (n *nodeReduction) place(i int) int {
	if !n.direct() || n.s.number == len(n.r.ranks) {
		return i
	}
	driver := n.l.local[n.drivers(n.r.group)[0]]
	return virtual(i, driver, len(n.r.ranks)) - 1
}

// drivesAll reports that this rank drives the only slice: nobody else reads its
// vector, so it stays where it is.
func (n *nodeReduction) drivesAll() bool {
	return n.slices == 1 && n.drivers(n.r.group)[0] == n.c.Rank
}

// share returns the place of a slice in turn t, as a span of any vector.
func (n *nodeReduction) share(t, slice int) plan.Span {
	offs := split(n.s.len(t), n.c.elem(), n.slices)
	return plan.Span{Off: offs[slice], Len: offs[slice+1] - offs[slice]}
}

// fill puts the own vector into memory, where it replaces what the drivers have
// read two turns ago.
func (n *nodeReduction) fill(t int) {
	var free []int
	raise := []int{}
	if t > 0 {
		free = append(free, n.own[t-1])
	}
	if t > 1 {
		free = append(free, n.settle(t-2)...)
		raise = append(raise, n.taken[t-2])
	}
	n.own[t] = n.b.Copy(n.s.at(n.place(n.r.me), t), n.s.of(n.c.source(), t), free...)
	n.b.Set(n.filled+t, append(raise, n.own[t])...)
}

// settle waits until every driver of the node is done with turn t.
func (n *nodeReduction) settle(t int) []int {
	if n.settled[t] == nil {
		for slice, rank := range n.drivers(n.r.group)[:n.slices] {
			if n.share(t, slice).Len > 0 {
				n.settled[t] = append(n.settled[t], n.r.await(rank, n.done+t, n.merged[t]))
			}
		}
	}
	return n.settled[t]
}

// drive merges a slice and returns when it is done.
func (n *nodeReduction) drive(t, slice int) (done int) {
	share := n.share(t, slice)
	into := n.target(t, share)
	sum, ready := n.s.of(n.c.source(), t).Sub(share.Off, share.Len), plan.None
	here := t % len(n.sums)
	if !n.r.alone() {
		sum = into
		if len(n.l.ranks) > 1 {
			sum = n.scratch(here, share.Len)
		}
		ready = n.mergeHere(t, share, sum, n.unsent[here])
	}
	done = ready
	if len(n.l.ranks) > 1 {
		n.sent = n.among(slice, sum, into, ready)
		n.unsent[here] = n.sent
		if into.Len > 0 {
			done = n.sent
		}
	}
	readers := n.c.Op == Allreduce || n.l.node[n.c.Root] == n.r.group && !n.direct()
	if !n.r.alone() && (readers || t+2 < n.s.turns()) {
		n.b.Set(n.done+t, done)
	}
	return done
}

// scratch returns memory for a sum.
func (n *nodeReduction) scratch(which, size int) plan.Span {
	if n.sums[which].Len < size {
		n.sums[which] = n.b.Tmp(size)
	}
	return n.sums[which].Sub(0, size)
}

// target returns where the result of a share goes on this node: the caller's
// memory if nobody else wants it, nothing if nobody here does.
func (n *nodeReduction) target(t int, share plan.Span) plan.Span {
	switch {
	case n.c.Op == Reduce && n.l.node[n.c.Root] != n.r.group:
		return plan.Span{}
	case n.r.alone() || n.direct():
		return n.s.of(n.c.vector(), t).Sub(share.Off, share.Len)
	}
	return n.s.at(len(n.r.ranks), t).Sub(share.Off, share.Len)
}

// mergeHere merges a share of the vectors of this node in rank order: lower
// ranks from the left, nearest first, then higher ones. What was in sum has left
// with unsent.
func (n *nodeReduction) mergeHere(t int, share, sum plan.Span, unsent int) (ready int) {
	vector := func(i int) plan.Span { return n.s.at(n.place(i), t).Sub(share.Off, share.Len) }
	come := make([]int, len(n.r.ranks))
	for i, rank := range n.r.ranks {
		come[i] = n.r.await(rank, n.filled+t, n.own[t])
	}
	free := []int{n.own[t], unsent}
	if t > 1 { // the memory of the result was read two turns ago: all flags are needed
		free = append(append(free, come...), n.taken[t-2], n.merged[t-2])
	}
	ready = plan.None
	if own := n.s.of(n.c.source(), t).Sub(share.Off, share.Len); own != sum {
		ready = n.b.Copy(sum, own, free...)
	}
	for _, i := range n.r.fromMe() {
		ready = n.b.Reduce(sum, vector(i), i < n.r.me, come[i], ready)
	}
	return ready
}

// among merges what the nodes have of a slice. Messages of a turn follow those
// of the turn before.
func (n *nodeReduction) among(slice int, sum, into plan.Span, ready int) int {
	ranks := make([]int, len(n.l.ranks))
	for node := range ranks {
		ranks[node] = n.drivers(node)[slice]
	}
	return n.c.joinNodes(n.b, n.l, ranks, sum, into, ready, n.sent)
}

// joinNodes merges what ranks, one of every node, have in sum, and leaves the
// result in into.
func (c Case) joinNodes(b *plan.Builder, l layout, ranks []int, sum, into plan.Span, deps ...int) int {
	sub := Case{Op: c.Op, Rank: l.node[c.Rank], Ranks: len(ranks), Root: l.node[c.Root], Bytes: sum.Len,
		Elem: c.Elem, Commutative: c.Commutative, Rails: c.Rails, InPlace: sum == into}
	return b.Join(part(reduceAmong(sub), sub), plan.Join{Ranks: ranks, In: sum, Out: into}, deps...)
}

// reduceAmong returns the algorithm for the messages between nodes.
func reduceAmong(c Case) func(*plan.Builder, Case) {
	const short, long = 16 << 10, 1 << 20
	switch {
	case c.Op == Reduce && c.Commutative && c.Bytes > 4*short && c.Ranks >= 4:
		return reduceRabenseifner
	case c.Op == Reduce:
		return reduceBinomial
	case !c.Commutative || c.Bytes <= short:
		return allreduceDoubling
	case c.Bytes >= long && c.Ranks > 2:
		return allreduceRing
	}
	return allreduceRabenseifner
}
