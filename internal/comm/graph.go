package comm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/topo"
)

// Neighbors is what a rank says of itself in a graph: from which ranks it receives and to which it sends, and
// how much that is. A rank may be named several times. No weights mean that all edges weigh 1.
type Neighbors struct {
	Sources, Dests []int
	Weights        []int // of the edges to Dests
}

// Edge leads from one rank to another.
type Edge struct{ From, To, Weight int }

// Graph makes a communicator whose ranks have neighbours. All ranks call it, each with its own; of every edge,
// both ends tell. If reorder, ranks may be numbered anew, so that little of the weight is between nodes: who
// gets the number of another rank gets its neighbours.
func (c *Comm) Graph(n Neighbors, reorder bool) (*Comm, error) {
	const op = "graph"
	if err := c.oneGroup(op); err != nil {
		return nil, err
	}
	numbers := append([]int{len(n.Sources)}, n.Sources...)
	for i, dest := range n.Dests {
		weight := 1
		if n.Weights != nil && i < len(n.Weights) {
			weight = n.Weights[i]
		}
		numbers = append(numbers, dest, weight)
	}
	told, err := c.tell(op, numbers, reorder, c.checkNeighbors(n))
	if err != nil {
		return nil, err
	}
	sources, dests := make([][]int, c.Size()), make([][]int, c.Size())
	load := topo.NewLoad(c.Size())
	for rank, own := range told {
		sources[rank], own = own[1:1+own[0]], own[1+own[0]:]
		for ; len(own) > 0; own = own[2:] {
			dests[rank] = append(dests[rank], own[0])
			load.Add(rank, own[0], own[1])
		}
	}
	return c.graphOf(op, sources, dests, load, reorder)
}

// GraphOf is Graph where each rank tells some of the edges, whosever they are, and each edge is told once. The
// edges of a rank are in the order of those who tell them, and in theirs.
func (c *Comm) GraphOf(edges []Edge, reorder bool) (*Comm, error) {
	const op = "graph"
	if err := c.oneGroup(op); err != nil {
		return nil, err
	}
	numbers := make([]int, 0, 3*len(edges))
	var bad error
	for i, e := range edges {
		numbers = append(numbers, e.From, e.To, e.Weight)
		bad = errors.Join(bad, c.checkEnd(i, "from", e.From), c.checkEnd(i, "to", e.To), checkWeight(i, e.Weight))
	}
	told, err := c.tell(op, numbers, reorder, bad)
	if err != nil {
		return nil, err
	}
	sources, dests := make([][]int, c.Size()), make([][]int, c.Size())
	load := topo.NewLoad(c.Size())
	for _, own := range told {
		for ; len(own) > 0; own = own[3:] {
			from, to := own[0], own[1]
			dests[from], sources[to] = append(dests[from], to), append(sources[to], from)
			load.Add(from, to, own[2])
		}
	}
	return c.graphOf(op, sources, dests, load, reorder)
}

// graphOf makes the communicator, of which all ranks know all neighbours.
func (c *Comm) graphOf(op string, sources, dests [][]int, load topo.Load, reorder bool) (*Comm, error) {
	g, err := topo.NewGraph(sources, dests)
	if err != nil {
		return nil, c.fail(op, err)
	}
	graph := func() *topo.Graph { return g }
	if !reorder {
		return c.dupWith(op, graph)
	}
	d, err := c.Split(0, slices.Index(load.Arrange(c.nodes()), c.rank))
	if err != nil {
		return nil, err
	}
	d.graph = graph
	return d, nil
}

// checkNeighbors says what is wrong with the neighbours that this rank names.
func (c *Comm) checkNeighbors(n Neighbors) (bad error) {
	for i, source := range n.Sources {
		bad = errors.Join(bad, c.checkEnd(i, "source", source))
	}
	for i, dest := range n.Dests {
		bad = errors.Join(bad, c.checkEnd(i, "destination", dest))
	}
	if n.Weights != nil && len(n.Weights) != len(n.Dests) {
		bad = errors.Join(bad, fmt.Errorf("%w: %d weights for %d destinations", topo.ErrGraph, len(n.Weights), len(n.Dests)))
	}
	for i, weight := range n.Weights {
		bad = errors.Join(bad, checkWeight(i, weight))
	}
	return bad
}

func (c *Comm) checkEnd(i int, which string, rank int) error {
	if uint(rank) < uint(c.Size()) {
		return nil
	}
	return fmt.Errorf("%w: %s %d is rank %d; the communicator has ranks 0 to %d", topo.ErrGraph, which, i, rank, c.Size()-1)
}

// mostWeight keeps sums of weights in range.
const mostWeight = 1 << 32

func checkWeight(i, weight int) error {
	if weight >= 0 && weight <= mostWeight {
		return nil
	}
	return fmt.Errorf("%w: weight %d is %d; it must be 0 to %d", topo.ErrGraph, i, weight, mostWeight)
}

// What a rank says before it tells numbers, besides how many there are.
const (
	tellsBad     = 1 << 62 // it cannot: its arguments are wrong
	tellsReorder = 1 << 61
)

// tell tells all ranks the numbers of each. If a rank has said something wrong, all fail; so they do if they
// differ in whether to number ranks anew.
func (c *Comm) tell(op string, numbers []int, reorder bool, bad error) ([][]int, error) {
	const size = 8
	head := uint64(len(numbers))
	if bad != nil {
		head = tellsBad
	}
	if reorder {
		head |= tellsReorder
	}
	heads := make([]byte, size*c.Size())
	err := c.Run(&Call{Op: coll.Allgather, Name: op, Bytes: size, Elem: 1, In: binary.LittleEndian.AppendUint64(nil, head), Out: heads})
	if err != nil {
		return nil, err
	}
	counts, displs, total := make([]int, c.Size()), make([]int, c.Size()), 0
	for rank := range counts {
		h := binary.LittleEndian.Uint64(heads[rank*size:])
		switch {
		case bad != nil:
			return nil, c.fail(op, bad)
		case h&tellsBad != 0:
			return nil, c.fail(op, fmt.Errorf("%w: rank %d names some that cannot be, and has an error that says which", topo.ErrGraph, rank))
		case (h&tellsReorder != 0) != reorder:
			return nil, c.fail(op, fmt.Errorf("%w: rank %d and rank %d differ in whether to reorder", ErrMismatch, c.rank, rank))
		}
		counts[rank], displs[rank] = int(h&^tellsReorder)*size, total
		total += counts[rank]
	}
	own, all := make([]byte, 0, len(numbers)*size), make([]byte, total)
	for _, n := range numbers {
		own = binary.LittleEndian.AppendUint64(own, uint64(n))
	}
	err = c.Run(&Call{Op: coll.Allgatherv, Name: op, Elem: 1, In: own, Out: all, RecvCounts: counts, RecvDispls: displs})
	if err != nil {
		return nil, err
	}
	told := make([][]int, c.Size())
	for rank := range told {
		for b := all[displs[rank] : displs[rank]+counts[rank]]; len(b) > 0; b = b[size:] {
			told[rank] = append(told[rank], int(binary.LittleEndian.Uint64(b)))
		}
	}
	return told, nil
}

// Topology is who the neighbours of all ranks are; nil if they have none.
func (c *Comm) Topology() *topo.Graph {
	if c.graph == nil {
		return nil
	}
	return c.graph()
}

// Neighbors are the ranks from which this one receives and those to which it sends in calls between
// neighbours; ProcNull beyond the border of a grid.
func (c *Comm) Neighbors() (sources, dests []int) {
	if g := c.Topology(); g != nil {
		sources, dests = ranksOf(g.In(c.rank)), ranksOf(g.Out(c.rank))
	}
	return sources, dests
}

func ranksOf(ends []topo.End) []int {
	ranks := make([]int, len(ends))
	for i, end := range ends {
		ranks[i] = end.Place
		if end.Place == topo.Nowhere {
			ranks[i] = ProcNull
		}
	}
	return ranks
}

// settleNeighbors makes a call between neighbours one with counts if some rank has no neighbours at all: it
// cannot know the length that all others have alike.
func (c *Comm) settleNeighbors(call *Call) error {
	g := c.Topology()
	switch {
	case g == nil:
		return fmt.Errorf("%w: the communicator has none; Cart or Graph makes one that has", topo.ErrGraph)
	case call.Op.Private() || !g.Secluded():
		return nil
	}
	alike := func(n int) []int { return slices.Repeat([]int{call.Bytes / call.Elem}, n) }
	call.RecvCounts = alike(len(g.In(c.rank)))
	if call.Op == coll.NeighborAllgather {
		call.Op = coll.NeighborAllgatherv
		return nil
	}
	call.Op, call.SendCounts, call.Bytes = coll.NeighborAlltoallv, alike(len(g.Out(c.rank))), 0
	return nil
}
