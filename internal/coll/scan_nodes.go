package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// Scan and Exscan through the memory of nodes. Every rank but the last of its
// node puts its vector into the memory of the node, raises its flag and merges
// what the ranks before it there have put. The last one speaks for the node: it
// has all that the node has, learns with the speakers of the other nodes what
// the nodes before have, and puts that where nobody wants its own vector; the
// others merge it, too. So a rank waits for ranks before it only, and the first
// of all for nobody.

// nodeScan is such an operation while the plan of one rank is made.
type nodeScan struct {
	b     *plan.Builder
	c     Case
	l     layout
	r     *room
	s     slots // by rank of the node: its vector; the speaker's: the sum of the nodes before
	flag  int
	total plan.Span // speaker of Exscan: the own vector and those before it on the node
	kept  int       // when the own vector was read, which the result may replace
	ready int       // when the result had what was merged last
	some  bool      // the result holds something
}

func scanNodes(b *plan.Builder, c Case) {
	l := c.layout()
	n := nodeScan{b: b, c: c, l: l, r: newRoom(b, c, l), kept: plan.None, ready: plan.None}
	n.takeRoom()
	n.contribute()
	for i := n.r.me - 1; i >= 0; i-- {
		n.merge(n.s.at(i, 0), b.Await(n.r.ranks[i], n.flag))
	}
	speaker := len(n.r.ranks) - 1
	switch {
	case n.speaks() && len(l.ranks) > 1:
		n.among()
	case !n.speaks() && n.r.group > 0:
		n.merge(n.s.at(speaker, 0), b.Await(n.r.ranks[speaker], n.flag))
	}
	n.r.close()
}

// takeRoom asks for memory and a flag. The speaker of the only node puts
// nothing there.
func (n *nodeScan) takeRoom() {
	switch number := len(n.r.ranks); {
	case n.r.alone():
		return
	case n.c.fitsSlip(n.c.Bytes):
		n.s = n.r.each(n.c.Bytes)
	case len(n.l.ranks) == 1:
		n.s = n.r.slots(number-1, []int{0, n.c.Bytes})
	default:
		n.s = n.r.slots(number, []int{0, n.c.Bytes})
	}
	n.flag = n.r.flags(1)
}

func (n *nodeScan) speaks() bool { return n.r.me == len(n.r.ranks)-1 }

// wanted reports that there is a node behind this one.
func (n *nodeScan) wanted() bool { return n.r.group < len(n.l.ranks)-1 }

// contribute puts the own vector where it is needed.
func (n *nodeScan) contribute() {
	own := n.c.source()
	switch {
	case !n.speaks():
		n.kept = n.r.put(n.s.at(n.r.me, 0), own, n.flag)
	case n.c.Op == Exscan && n.wanted() && !n.r.alone():
		n.total = n.b.Tmp(n.c.Bytes)
		n.kept = n.b.Copy(n.total, own)
	}
	if n.c.Op == Scan {
		n.some, n.ready = true, n.kept
		if !n.c.inPlace() {
			n.ready = n.b.Copy(n.c.vector(), own)
		}
	}
}

// merge puts src, of the ranks right before those merged so far, in front of
// the result once it is there.
func (n *nodeScan) merge(src plan.Span, there int) {
	if n.some {
		n.ready = n.b.Reduce(n.c.vector(), src, true, there, n.ready)
		return
	}
	n.ready, n.some = n.b.Copy(n.c.vector(), src, there, n.kept), true
}

// among has the speaker learn what the nodes before have, for itself and for
// its node.
func (n *nodeScan) among() {
	into := n.c.vector()
	switch {
	case !n.r.alone():
		into = n.s.at(n.r.me, 0)
	case n.c.Op == Scan:
		into = n.b.Tmp(n.c.Bytes)
	}
	total, ready := n.sum()
	sub := Case{Op: Exscan, Rank: n.r.group, Ranks: len(n.l.ranks), Bytes: n.c.Bytes, Elem: n.c.Elem, InPlace: total == into}
	speakers := make([]int, len(n.l.ranks))
	for node, ranks := range n.l.ranks {
		speakers[node] = ranks[len(ranks)-1]
	}
	joined := n.b.Join(part(scanDoubling, sub), plan.Join{Ranks: speakers, In: total, Out: into}, ready)
	if n.r.group == 0 {
		return
	}
	if !n.r.alone() {
		n.b.Set(n.flag, joined)
	}
	if into != n.c.vector() {
		n.merge(into, joined)
	}
}

// sum returns what the node has and when. Nobody asks the last one.
func (n *nodeScan) sum() (total plan.Span, ready int) {
	switch {
	case !n.wanted():
		return plan.Span{}, plan.None
	case n.r.alone():
		return n.c.source(), plan.None
	case n.c.Op == Scan:
		return n.c.vector(), n.ready
	}
	return n.total, n.b.Reduce(n.total, n.c.vector(), true, n.kept, n.ready)
}

// scanNodesFit reports that the vectors of every node fit its memory, and that
// the ranks of a node follow one another, as do the nodes: else no node has a
// sum that anybody wants.
func scanNodesFit(c Case) bool {
	return c.Shares && (c.Nodes == nil || slices.IsSorted(c.Nodes)) && toLine(c.MostLocal()*max(c.Bytes, plan.SlipLen)) <= NodeMax
}
