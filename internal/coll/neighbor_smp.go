package coll

import (
	"cmp"
	"maps"
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/topo"
)

// neighbor_allgather/smp, neighbor_alltoall/smp: everybody puts what it sends
// into the memory of its node, sorted by the node it goes to. One message goes
// from a node to each that it has neighbours on, the messages of a node by its
// ranks in turn, and lands in memory there; everybody copies out what is for it.
//
// Steps: 1 round, a message for every other node with neighbours, shared among
// the ranks of the node. Cost: a + nb times the edges to other nodes, in
// neighbor_allgather times the ranks that have neighbours there; one copy in and
// one copy out of all. Limits: nodes have memory for what leaves them and what
// comes to them. Source: own, after Qian, thesis, 6.3 (nodes as units).
func neighborSMP(b *plan.Builder, c Case) {
	x := newBundles(c)
	r := newRoom(b, c, x.l)
	put := r.flags(1)
	for _, node := range sortedKeys(x.leaving) {
		x.leaving[node].at = r.space(len(x.leaving[node].blocks) * c.Bytes)
	}
	first := r.flags(len(x.coming))
	came := map[int]int{} // by node: the flag that tells, and for its receiver the step
	for i, node := range sortedKeys(x.coming) {
		x.coming[node].at = r.space(len(x.coming[node].blocks) * c.Bytes)
		came[node] = first + i
	}
	filled := x.fill(b)
	if filled != plan.None {
		b.Set(put, filled)
	}
	landed := x.receive(b, r, came)
	x.send(b, r, put, filled)
	x.takeOut(b, func(node, rank int) int { // when what rank of a node has sent is here
		switch {
		case node == x.me:
			return r.await(rank, put, filled)
		case landed[node] != plan.None:
			return landed[node]
		}
		return b.Await(x.receiver(node), came[node])
	})
	r.close()
}

// edge names an edge by its beginning; where the same goes along all edges of a rank, the slot is 0.
type edge struct{ rank, slot int }

func (e edge) compare(o edge) int {
	return cmp.Or(cmp.Compare(e.rank, o.rank), cmp.Compare(e.slot, o.slot))
}

// bundle is the blocks that go from one node to another.
type bundle struct {
	blocks []edge // in order, each once
	at     plan.Span
}

// bundles are what the ranks of a node send to other nodes and within it, and what comes to it.
type bundles struct {
	c               Case
	l               layout
	me              int // own node
	leaving, coming map[int]*bundle
}

func newBundles(c Case) *bundles {
	x := &bundles{c: c, l: c.layout(), leaving: map[int]*bundle{}, coming: map[int]*bundle{}}
	x.me = x.l.node[c.Rank]
	add := func(to map[int]*bundle, node int, e edge) {
		if to[node] == nil {
			to[node] = &bundle{}
		}
		to[node].blocks = append(to[node].blocks, e)
	}
	for _, rank := range x.l.ranks[x.me] {
		for slot, end := range c.Graph.Out(rank) {
			if end.Place != topo.Nowhere && end.Place != rank {
				add(x.leaving, x.l.node[end.Place], x.edge(rank, slot))
			}
		}
		for _, end := range c.Graph.In(rank) {
			if end.Place != topo.Nowhere && x.l.node[end.Place] != x.me {
				add(x.coming, x.l.node[end.Place], x.edge(end.Place, end.Slot))
			}
		}
	}
	for _, all := range []map[int]*bundle{x.leaving, x.coming} {
		for _, own := range all {
			slices.SortFunc(own.blocks, edge.compare)
			own.blocks = slices.Compact(own.blocks)
		}
	}
	return x
}

func (x *bundles) edge(rank, slot int) edge {
	if x.c.Op == NeighborAllgather {
		slot = 0
	}
	return edge{rank, slot}
}

// block is where a bundle has the block of an edge.
func (x *bundles) block(own *bundle, e edge) plan.Span {
	i, _ := slices.BinarySearchFunc(own.blocks, e, edge.compare)
	return own.at.Sub(i*x.c.Bytes, x.c.Bytes)
}

// fill puts what this rank sends into memory.
func (x *bundles) fill(b *plan.Builder) int {
	var copied []int
	seen := map[int]bool{}
	for slot, end := range x.c.Graph.Out(x.c.Rank) {
		if end.Place == topo.Nowhere {
			continue
		}
		if end.Place == x.c.Rank {
			b.Copy(x.c.recvBlock(end.Slot), x.c.edgeBlock(slot))
			continue
		}
		node := x.l.node[end.Place]
		if x.c.Op == NeighborAllgather && seen[node] {
			continue
		}
		seen[node] = true
		copied = append(copied, b.Copy(x.block(x.leaving[node], x.edge(x.c.Rank, slot)), x.c.edgeBlock(slot)))
	}
	return all(b, copied)
}

// sender and receiver are the ranks of this node that send what goes to another one and receive what comes from there.
func (x *bundles) sender(node int) int   { return speaker(x.l.ranks[x.me], node) }
func (x *bundles) receiver(node int) int { return speaker(x.l.ranks[x.me], node) }

// speaker is the one of a node's ranks that deals with another node.
func speaker(ranks []int, node int) int { return ranks[node%len(ranks)] }

// receive has what is for this rank to receive land in memory. It returns the step of each node's, None of those that others receive.
func (x *bundles) receive(b *plan.Builder, r *room, came map[int]int) map[int]int {
	landed := map[int]int{}
	for _, node := range sortedKeys(x.coming) {
		landed[node] = plan.None
		if x.receiver(node) == x.c.Rank {
			own := x.coming[node]
			x.c.travel(b, own.at.Len, 0)
			landed[node] = b.Recv(speaker(x.l.ranks[node], x.me), own.at)
			if !r.alone() {
				b.Set(came[node], landed[node])
			}
		}
	}
	return landed
}

// send sends what is for this rank to send, each bundle once all that is in it is there.
func (x *bundles) send(b *plan.Builder, r *room, put, filled int) {
	here := map[int]int{} // by rank: the step that waits for its flag
	for _, node := range sortedKeys(x.leaving) {
		if node == x.me || x.sender(node) != x.c.Rank {
			continue
		}
		own := x.leaving[node]
		var ready []int
		last := -1
		for _, e := range own.blocks {
			if e.rank == last {
				continue
			}
			last = e.rank
			if _, known := here[last]; !known {
				here[last] = r.await(last, put, filled)
			}
			ready = append(ready, here[last])
		}
		x.c.travel(b, own.at.Len, node)
		b.Send(speaker(x.l.ranks[node], x.me), own.at, ready...)
	}
}

// takeOut copies what neighbours have sent to where it belongs.
func (x *bundles) takeOut(b *plan.Builder, when func(node, rank int) int) {
	type sent struct{ node, rank int }
	here := map[sent]int{}
	for slot, end := range x.c.Graph.In(x.c.Rank) {
		if end.Place == topo.Nowhere || end.Place == x.c.Rank {
			continue
		}
		node := x.l.node[end.Place]
		own, from := x.coming[node], sent{node, -1}
		if node == x.me {
			own, from = x.leaving[node], sent{node, end.Place}
		}
		if _, known := here[from]; !known {
			here[from] = when(node, end.Place)
		}
		b.Copy(x.c.recvBlock(slot), x.block(own, x.edge(end.Place, end.Slot)), here[from])
	}
}

func sortedKeys[T any](m map[int]T) []int { return slices.Sorted(maps.Keys(m)) }

// neighborSMPFits reports that some node has several ranks, and each memory for what leaves it and what comes to it.
func neighborSMPFits(c Case) bool {
	if !c.Shares || c.MostLocal() < 2 || c.NodeCount()+1 > FlagMax {
		return false
	}
	l := c.layout()
	for _, ranks := range l.ranks {
		c.Rank = ranks[0]
		x, size := newBundles(c), 0
		for _, all := range []map[int]*bundle{x.leaving, x.coming} {
			for _, own := range all {
				size += toLine(len(own.blocks) * c.Bytes)
			}
		}
		if size > NodeMax {
			return false
		}
	}
	return true
}
