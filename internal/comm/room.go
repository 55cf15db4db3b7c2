package comm

import (
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// Nodes have memory for so many communicators and no more. A plan that uses it is one of all ranks,
// so all of them must know before they choose whether every node has room: when a communicator is
// made, the first rank of each node reserves all that it can ever need there, and the ranks tell
// each other; on one node, the first rank may tell with the communicator's number, see found. If
// one node has no room, the communicator does without for good. The world comes first, so what
// there is in all decides, and nobody has to be told.

// What the ranks of a communicator know of the memory of their nodes.
const (
	roomLacking = iota
	roomThere
	roomUnknown
)

// hasRoom tells whether plans may use memory of nodes.
func (c *core) hasRoom() bool { return c.env.Facts.Terms().Shares && c.node.room == roomThere }

// RoomLacks tells whether some node has no memory for the communicator.
func (c *Comm) RoomLacks() bool { return c.node.room == roomLacking }

// roomAtFirst is what is known of a new communicator: if no node can lack room, nobody has to be asked.
func (e *Env) roomAtFirst(g *Group) uint8 {
	if !e.Facts.Terms().Shares || g.Size() == 1 || !e.Loop.CommonsMayLack() || slices.Max(g.shared(e.Facts).Nodes())+1 == g.Size() {
		return roomThere
	}
	return roomUnknown
}

// settleWorld reserves memory for the world, if what every node has is enough.
func (c *Comm) settleWorld() {
	if c.node.room != roomUnknown {
		return
	}
	counts := map[int]int{}
	for _, node := range c.nodes() {
		counts[node]++
	}
	c.node.room = roomThere
	for _, ranks := range counts {
		if ranks > 1 && progress.CommonsNeed(ranks, coll.NodeMax, coll.FlagMax) > c.env.Facts.Room() {
			c.node.room = roomLacking
			c.env.Loop.CommonsLack()
			return
		}
	}
	c.reserve()
}

// settleRoom reserves memory for a communicator that is being made and lets its ranks agree. All of them
// call it before anything else on the communicator.
func (c *Comm) settleRoom(op string) error {
	if c.node.room != roomUnknown {
		return nil
	}
	var lacks [1]byte
	if !c.reserve() {
		lacks[0] = 1
	}
	seq := c.seq.Add(1)
	terms := progress.Terms{Choice: coll.NoChoice, Number: seq}
	b := progress.Bound{Plan: agreement(c.nodes(), c.rank), Combine: either, Peers: c.group.procs, Out: lacks[:],
		Ctx: c.collectives(), Tag: terms.Tag(), Terms: terms, Seq: int(seq), Bytes: len(lacks)}
	if err := c.env.Loop.RunPlan(c.goctx, &b, c.why(op)); err != nil {
		if c.ended(err) {
			c.giveUp()
		}
		return c.fail(op, err)
	}
	c.settle(lacks[0] == 0)
	return nil
}

// oneNode tells whether all ranks are on one node, and do not know yet what it has for them: then
// the first one can tell.
func (c *Comm) oneNode() bool { return c.node.room == roomUnknown && slices.Max(c.nodes()) == 0 }

// reserve puts memory of our node aside if we are its first rank; false: it has none.
func (c *Comm) reserve() bool {
	return c.env.Loop.ReserveCommons(c.commons(), coll.NodeMax, coll.FlagMax)
}

// settle notes whether all nodes have memory for the communicator.
func (c *Comm) settle(there bool) {
	c.node.room = roomThere
	if !there {
		c.node.room = roomLacking
		c.env.Loop.CommonsLack()
		c.closeNode()
	}
}

// settled is a communicator whose ranks have agreed about memory, or none: what it has of its node
// it gives back then. One that others have given up by now is of no use, but there.
func (c *Comm) settled(op string) (*Comm, error) {
	if s := c.state.Load(); s == givenUp || s == revoked {
		return c, nil
	}
	if err := c.settleRoom(op); err != nil {
		if progress.GaveUp(err) {
			return c, nil
		}
		c.Leave()
		return nil, err
	}
	return c, nil
}

// abandon ends a communicator that has come to nothing.
func (c *Comm) abandon() {
	c.state.Store(freed)
	c.closeNode()
	c.env.unregister(c.core)
}

// agreement is the plan by which all ranks learn whether the byte in Out of the first rank of some node is
// not 0: the first ranks of nodes join theirs in a tree, the result comes down the tree, and each tells the
// ranks of its node.
func agreement(nodes []int, rank int) *plan.Plan {
	b := plan.NewBuilder("agreement", rank, len(nodes))
	word := plan.Span{Buf: plan.Out, Len: 1}
	me, count := nodes[rank], slices.Max(nodes)+1
	first := make([]int, count)
	for r, node := range slices.Backward(nodes) {
		first[node] = r
	}
	if first[me] != rank {
		b.Recv(first[me], word)
		return b.Build()
	}
	known, mask := plan.None, 1
	for ; mask < count && me&mask == 0; mask *= 2 {
		if me+mask < count {
			theirs := b.Tmp(1)
			known = b.Reduce(word, theirs, false, b.Recv(first[me+mask], theirs), known)
		}
	}
	if me != 0 {
		known = b.Recv(first[me-mask], word, b.Send(first[me-mask], word, known))
	}
	for mask /= 2; mask > 0; mask /= 2 {
		if me+mask < count {
			b.Send(first[me+mask], word, known)
		}
	}
	for r, node := range nodes {
		if node == me && r != rank {
			b.Send(r, word, known)
		}
	}
	return b.Build()
}

// either joins bytes of which any that is not 0 counts.
func either(dst, src []byte, _ bool) {
	for i := range dst {
		dst[i] |= src[i]
	}
}
