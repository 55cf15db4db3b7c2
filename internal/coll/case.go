package coll

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/topo"
)

// Op is a collective operation.
type Op uint8

// The operations.
const (
	Barrier Op = iota
	Bcast
	Reduce
	Allreduce
	Gather
	Gatherv
	Scatter
	Scatterv
	Allgather
	Allgatherv
	Alltoall
	Alltoallv
	Scan
	Exscan
	ReduceScatter
	NeighborAllgather
	NeighborAllgatherv
	NeighborAlltoall
	NeighborAlltoallv
	ops
	Last = ops - 1 // the operation with the highest number
)

var opNames = [ops]string{
	"barrier", "bcast", "reduce", "allreduce", "gather", "gatherv", "scatter", "scatterv",
	"allgather", "allgatherv", "alltoall", "alltoallv", "scan", "exscan", "reduce_scatter",
	"neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
}

// String returns the name used in rules and algorithm names.
func (op Op) String() string {
	if op < ops {
		return opNames[op]
	}
	return fmt.Sprintf("op(%d)", uint8(op))
}

// Ops returns all operations, in order.
func Ops() []Op {
	all := make([]Op, ops)
	for i := range all {
		all[i] = Op(i)
	}
	return all
}

// ParseOp returns the operation of that name.
func ParseOp(name string) (Op, bool) {
	for i, n := range opNames {
		if n == name {
			return Op(i), true
		}
	}
	return 0, false
}

// Private reports that ranks know the counts of those blocks only that they send or receive
// themselves, so that no choice can rest on counts.
func (op Op) Private() bool {
	switch op {
	case Gatherv, Scatterv, Alltoallv, NeighborAllgatherv, NeighborAlltoallv:
		return true
	}
	return false
}

// Neighborly reports that ranks talk to their neighbours only, see Case.Graph.
func (op Op) Neighborly() bool { return op >= NeighborAllgather && op <= NeighborAlltoallv }

// Rooted reports whether one rank is special.
func (op Op) Rooted() bool {
	switch op {
	case Bcast, Reduce, Gather, Gatherv, Scatter, Scatterv:
		return true
	}
	return false
}

// Case describes one rank's part of a collective call. All ranks of a call
// must agree on every field but Rank, InPlace and, where these are private (see
// Op.Private), the counts: the choice of the algorithm rests on what they share.
type Case struct {
	Op    Op
	Rank  int
	Ranks int
	Root  int // Bcast, Reduce, Gather(v), Scatter(v)

	// Bytes is the length of the vector (Bcast, Reduce, Allreduce, Scan,
	// Exscan) or of one rank's block (all others). In Gatherv, Scatterv and
	// NeighborAllgatherv it is the length of this rank's own block; Allgatherv,
	// Alltoallv and NeighborAlltoallv do not look at it, nor does ReduceScatter
	// when RecvCounts is given.
	Bytes       int
	Elem        int  // bytes of an element, which is never split; 0 means 1
	Commutative bool // a∘b == b∘a, for the reductions
	InPlace     bool

	// Counts and displacements in bytes, one per rank. Scatterv (at the root)
	// and Alltoallv use Send, Gatherv (at the root), Allgatherv and Alltoallv
	// use Recv. ReduceScatter with blocks of different lengths gives them in
	// RecvCounts. NeighborAlltoallv uses Send, with one for each edge out, and it
	// and NeighborAllgatherv use Recv, with one for each edge in. The slices are
	// only read, and only while planning.
	SendCounts, SendDispls []int
	RecvCounts, RecvDispls []int

	// Graph says who the neighbours of all ranks are, for the operations that need it.
	Graph *topo.Graph

	Segment int // bytes of a segment in pipelined algorithms; 0 lets them choose

	// Local is the largest number of ranks on one host and Cores the number
	// of cores they share there; 0 means unknown.
	Local, Cores int

	// Nodes is the node of each rank, numbered from 0 in the order in which
	// they first appear. Nil means that nothing is known, and algorithms treat
	// every rank as if it had a node of its own. The slice is only read.
	Nodes []int
	Rails int // rails between nodes; 0 means 1
	// Ports is how many messages a step of a k-port algorithm sends at once, each on a rail of its own as
	// long as there are rails; 0 means as many as there are rails.
	Ports int
	// Stripe is the length from which the link cuts a message over all rails, so that a port leaves its
	// rail to the link; 0 means 1 KB and a byte.
	Stripe int
	// Shares tells that the ranks of each node have memory in common, see plan.Node.
	Shares bool
	// Fetches tells that the ranks of each node can copy straight from each other's memory, see plan.Fetch.
	Fetches bool
	// NoSlips has algorithms keep a few bytes apart from the flag that tells of them, see plan.Plan.Slips.
	NoSlips bool
	// Scheme is how messages between nodes travel in algorithms that leave it open; Auto means as their
	// length suggests.
	Scheme plan.Way
	// Spread is how far apart the ranks arrived at such calls before: the worst case, in units of the time
	// that one message of this length takes. 0 means together, or unknown. All ranks have agreed on it.
	Spread int
}

// NodeCount returns how many nodes the ranks are on. If nothing is known it is 1 when all ranks are on this
// host, else as many as ranks.
func (c Case) NodeCount() int {
	if c.Nodes != nil {
		return slices.Max(c.Nodes) + 1
	}
	if c.Local >= c.Ranks {
		return 1
	}
	return c.Ranks
}

// MostLocal returns the largest number of ranks that are on one node.
func (c Case) MostLocal() int {
	if c.Nodes == nil {
		return max(c.Local, 1)
	}
	counts := make([]int, c.NodeCount())
	for _, node := range c.Nodes {
		counts[node]++
	}
	return slices.Max(counts)
}

// ports is Ports where 0 stands for the number of rails, up to MaxPorts.
func (c Case) ports() int {
	if c.Ports > 0 {
		return c.Ports
	}
	return min(max(c.Rails, 1), MaxPorts)
}

// Crowded reports that ranks have to take turns on the cores.
func (c Case) Crowded() bool { return c.Cores > 0 && c.Local > c.Cores }

// Size is what the rules compare with their ranges of bytes: Bytes, or the
// average block where blocks differ. Where ranks do not know each other's
// counts (see Op.Private) it is 0 for all.
func (c Case) Size() int {
	switch {
	case c.Op.Private() || c.Op == Barrier:
		return 0
	case c.Op == Allgatherv || c.Op == ReduceScatter && c.RecvCounts != nil:
		return sum(c.RecvCounts) / max(c.Ranks, 1)
	}
	return c.Bytes
}

// Lens returns how long this rank's buffers must be.
func (c Case) Lens() plan.Lens {
	var l plan.Lens
	root := c.Rank == c.Root
	switch c.Op {
	case Bcast:
		l.Out = c.Bytes
	case Reduce:
		l.In, l.Out = c.Bytes, c.Bytes
	case Allreduce, Scan, Exscan:
		l = plan.Lens{In: c.Bytes, Out: c.Bytes}
	case Gather, Gatherv:
		l.In, l.Out = c.Bytes, extent(c.recvBlock, c.Ranks, root)
	case Scatter, Scatterv:
		l.In, l.Out = extent(c.sendBlock, c.Ranks, root), c.Bytes
	case Allgather, Allgatherv:
		l.In, l.Out = c.recvBlock(c.Rank).Len, extent(c.recvBlock, c.Ranks, true)
	case Alltoall, Alltoallv:
		l.In, l.Out = extent(c.sendBlock, c.Ranks, true), extent(c.recvBlock, c.Ranks, true)
	case NeighborAllgather, NeighborAllgatherv:
		l.In, l.Out = c.Bytes, extent(c.recvBlock, len(c.Graph.In(c.Rank)), true)
	case NeighborAlltoall, NeighborAlltoallv:
		l.In, l.Out = extent(c.sendBlock, len(c.Graph.Out(c.Rank)), true), extent(c.recvBlock, len(c.Graph.In(c.Rank)), true)
	case ReduceScatter:
		offs := c.vectorOffs()
		l.In, l.Out = offs[c.Ranks], offs[c.Rank+1]-offs[c.Rank]
		if c.InPlace {
			l.Out = offs[c.Ranks]
		}
	}
	if c.Op == Reduce && !root {
		l.Out = 0
	}
	if c.inPlace() {
		switch c.Op {
		case Scatter, Scatterv:
			l.Out = 0
		default:
			l.In = 0
		}
	}
	return l
}

// extent returns the end of the block that reaches furthest.
func extent(block func(int) plan.Span, blocks int, used bool) (end int) {
	for i := 0; used && i < blocks; i++ {
		end = max(end, block(i).End())
	}
	return end
}

// rooted reports whether one rank is special.
func (c Case) rooted() bool { return c.Op.Rooted() }

// inPlace is InPlace where it counts.
func (c Case) inPlace() bool {
	return c.InPlace && c.Op != Bcast && c.Op != Barrier && (!c.rooted() || c.Rank == c.Root)
}

// empty reports that all ranks know that no byte will move.
func (c Case) empty() bool {
	switch c.Op {
	case Barrier, Gatherv, Scatterv, Alltoallv, NeighborAllgatherv, NeighborAlltoallv:
		return false
	case Allgatherv:
		return sum(c.RecvCounts) == 0
	case ReduceScatter:
		return c.vectorOffs()[c.Ranks] == 0
	}
	return c.Bytes == 0
}

// elem is Elem, at least 1.
func (c Case) elem() int { return max(c.Elem, 1) }

// vector is the whole of Out as a vector of Bytes.
func (c Case) vector() plan.Span { return plan.Span{Buf: plan.Out, Len: c.Bytes} }

// source is this rank's contribution to a vector operation (in Out when in
// place) or to Gather(v) and Allgather(v).
func (c Case) source() plan.Span {
	n := c.Bytes
	switch c.Op {
	case Gather, Gatherv, Allgather, Allgatherv:
		if c.inPlace() {
			return c.recvBlock(c.Rank)
		}
		if c.Op == Allgatherv {
			n = c.RecvCounts[c.Rank]
		}
	case ReduceScatter:
		n = c.vectorOffs()[c.Ranks]
	}
	if c.inPlace() {
		return plan.Span{Buf: plan.Out, Len: n}
	}
	return plan.Span{Buf: plan.In, Len: n}
}

// sendBlock is the part of In that goes to rank i, or along edge i to a neighbour.
func (c Case) sendBlock(i int) plan.Span {
	if c.SendCounts != nil {
		return plan.Span{Buf: plan.In, Off: c.SendDispls[i], Len: c.SendCounts[i]}
	}
	return plan.Span{Buf: plan.In, Off: i * c.Bytes, Len: c.Bytes}
}

// recvBlock is the part of Out that comes from rank i, or along edge i from a neighbour.
func (c Case) recvBlock(i int) plan.Span {
	if c.RecvCounts != nil {
		return plan.Span{Buf: plan.Out, Off: c.RecvDispls[i], Len: c.RecvCounts[i]}
	}
	return plan.Span{Buf: plan.Out, Off: i * c.Bytes, Len: c.Bytes}
}

// vectorOffs returns where the blocks of ReduceScatter begin in the vector,
// and where the last one ends.
func (c Case) vectorOffs() []int {
	offs := make([]int, c.Ranks+1)
	for i := range c.Ranks {
		n := c.Bytes
		if c.RecvCounts != nil {
			n = c.RecvCounts[i]
		}
		offs[i+1] = offs[i] + n
	}
	return offs
}

func sum(counts []int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}
