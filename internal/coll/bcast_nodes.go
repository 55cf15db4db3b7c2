package coll

import "github.com/weft-mpi/weft/internal/plan"

// The broadcast through the memory of nodes, shared by bcast/shm and its
// relatives. The vector is cut into slices, each of which has a driver on every
// node, and slices into segments. A segment runs from driver to driver along a
// tree of nodes and lands in the memory of the node, where everybody copies it
// out while the next one travels. Slots of that memory are used again once
// everybody has read them.

// nodeBcast is such a broadcast while the plan of one rank is made.
type nodeBcast struct {
	bcastShape
	b     *plan.Builder
	c     Case
	l     layout
	r     *room
	chain bool // nodes form a chain rather than a binomial tree
	flag  int
	slots plan.Span
	sends *order
	recvs *order
	used  map[int][]int // by segment: what the writer did with its slot
}

// bcastShape says how a vector is cut.
type bcastShape struct {
	slices []int // where each begins, and the end
	width  int   // bytes of a segment
	segs   int   // segments of a slice, at most
	depth  int   // segments of a slice that the memory of a node holds
}

func (c Case) bcastShape(slices int) bcastShape {
	const shortest, between = 16 << 10, 128 << 10
	s := bcastShape{slices: split(c.Bytes, 1, slices), width: c.Segment}
	if s.width == 0 {
		s.width = max(shortest, (c.Bytes+mostTurns-1)/mostTurns)
		if slices == 1 && c.NodeCount() > 1 { // each is a message, too
			s.width = max(s.width, min(c.Bytes/8, between))
		}
	}
	longest := s.slices[1]
	s.width = min(s.width, longest)
	s.segs = (longest + s.width - 1) / s.width
	s.depth = min(s.segs, max(2, NodeMax/(slices*toLine(s.width))))
	return s
}

// fits reports whether the memory and the flags of a node suffice.
func (s bcastShape) fits() bool {
	slices := len(s.slices) - 1
	return slices*s.depth*toLine(s.width) <= NodeMax && slices*s.segs <= FlagMax
}

// piece returns segment k of slice s; the last slices may have none.
func (s bcastShape) piece(vector plan.Span, slice, k int) plan.Span {
	begin := s.slices[slice] + k*s.width
	end := min(begin+s.width, s.slices[slice+1])
	return vector.Sub(min(begin, end), max(end-begin, 0))
}

// bcastNodes broadcasts in so many slices over a chain or a binomial tree of
// nodes.
func bcastNodes(b *plan.Builder, c Case, slices int, chain bool) {
	l := c.layout()
	n := nodeBcast{bcastShape: c.bcastShape(slices), b: b, c: c, l: l, r: newRoom(b, c, l), chain: chain,
		sends: inOrder(b), recvs: inOrder(b), used: map[int][]int{}}
	if !n.r.alone() {
		n.slots = n.r.space(slices * n.depth * toLine(n.width))
		n.flag = n.r.flags(slices * n.segs)
	}
	for k := range n.segs {
		for slice := range slices {
			if out := n.piece(c.vector(), slice, k); out.Len > 0 {
				n.segment(slice, k, out)
			}
		}
	}
	n.r.close()
}

// driver returns who speaks for a slice on a node.
func (n *nodeBcast) driver(node, slice int) int {
	ranks := n.l.from(node, n.c.Root)
	return ranks[slice%len(ranks)]
}

// writer returns who puts a slice into the memory of this rank's node.
func (n *nodeBcast) writer(slice int) int {
	if n.r.group == n.l.node[n.c.Root] {
		return n.c.Root
	}
	return n.driver(n.r.group, slice)
}

// segment adds this rank's part in one segment, which belongs to out.
func (n *nodeBcast) segment(slice, k int, out plan.Span) {
	rank, writer, id := n.c.Rank, n.writer(slice), n.flag+slice*n.segs+k
	at := out
	if !n.r.alone() {
		at = n.slots.Sub((slice*n.depth+k%n.depth)*toLine(n.width), out.Len)
	}
	have := n.obtain(slice, k, at, out)
	var used []int
	if rank == n.driver(n.r.group, slice) {
		used = n.passOn(slice, at, out, have)
	}
	if n.r.alone() {
		return
	}
	if rank != n.c.Root {
		used = append(used, n.b.Copy(out, at, have))
	}
	switch {
	case k+n.depth >= n.segs: // nobody needs the slot again
	case rank == writer:
		n.used[id] = append(used, have)
	default:
		n.b.Set(id, used...)
	}
}

// obtain returns the step after which the segment is at its place.
func (n *nodeBcast) obtain(slice, k int, at, out plan.Span) (have int) {
	writer, id := n.writer(slice), n.flag+slice*n.segs+k
	if n.c.Rank != writer {
		return n.b.Await(writer, id)
	}
	var free []int
	if k >= n.depth && !n.r.alone() {
		free = append(n.r.others(id-n.depth), n.used[id-n.depth]...)
	}
	switch {
	case writer != n.c.Root:
		v := virtual(n.r.group, n.l.node[n.c.Root], len(n.l.ranks))
		parent := v - 1
		if !n.chain {
			parent = treeParent(v)
		}
		n.c.travel(n.b, out.Len, slice)
		have = n.b.Recv(n.driver(n.actual(parent), slice), at, n.recvs.after(all(n.b, free)))
	case n.r.alone():
		return plan.None
	default:
		have = n.b.Copy(at, out, free...)
	}
	if !n.r.alone() {
		n.b.Set(id, have)
	}
	return have
}

// actual returns the node that is number v from the root's.
func (n *nodeBcast) actual(v int) int { return actual(v, n.l.node[n.c.Root], len(n.l.ranks)) }

// passOn sends the segment to the nodes below. The root need not wait for its
// own copy.
func (n *nodeBcast) passOn(slice int, at, out plan.Span, have int) (sent []int) {
	v := virtual(n.r.group, n.l.node[n.c.Root], len(n.l.ranks))
	children := treeChildren(v, len(n.l.ranks))
	if n.chain {
		children = children[:0]
		if v+1 < len(n.l.ranks) {
			children = append(children, v+1)
		}
	}
	if n.c.Rank == n.c.Root {
		at, have = out, plan.None
	}
	for i := len(children) - 1; i >= 0; i-- {
		n.c.travel(n.b, out.Len, slice+i)
		sent = append(sent, n.b.Send(n.driver(n.actual(children[i]), slice), at, n.sends.after(have)))
	}
	return sent
}
