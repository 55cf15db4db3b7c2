package abi

import (
	"slices"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// chapterGraphs has graphs: those that every rank knows, and those that are told by many.
var chapterGraphs = map[string]row{
	"Graph_create": {do: createGraph}, "Graphdims_get": {do: graphDims}, "Graph_get": {do: getGraph}, "Graph_neighbors_count": {do: countNeighbors},
	"Graph_neighbors": {do: graphNeighbors}, "Graph_map": {do: mapGraph},
	"Dist_graph_create_adjacent": {do: createAdjacent}, "Dist_graph_create": {do: createDistributed},
	"Dist_graph_neighbors_count": {do: countDistributed}, "Dist_graph_neighbors": {do: distributedNeighbors},
}

// graph is a graph that every rank knows: index[i] edges belong to the first i+1 ranks.
type graph struct{ index, edges []int32 }

// of is the neighbours of a rank.
func (g *graph) of(rank int) []int32 {
	first := int32(0)
	if rank > 0 {
		first = g.index[rank-1]
	}
	return g.edges[first:g.index[rank]]
}

// neighborhood is what a rank knows of a graph that many have told: its own neighbours.
type neighborhood struct {
	sources, dests             []int
	sourceWeights, destWeights []int
	weighted                   bool
}

// graphAt reads a graph: argument i has how many ranks it has, the next two its index and edges.
func (c call) graphAt(i, ranks int) (*graph, error) {
	n := c.int(i)
	if n < 0 || n > ranks {
		return nil, bad(spec.ERR_ARG, "a graph of %d ranks on %d", n, ranks)
	}
	index, err := c.ints(i+1, n)
	if err != nil {
		return nil, err
	}
	last := int32(0)
	for _, x := range index {
		if x < last {
			return nil, bad(spec.ERR_TOPOLOGY, "the index %v falls", index)
		}
		last = x
	}
	edges, err := c.ints(i+2, int(last))
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		if e < 0 || int(e) >= n {
			return nil, bad(spec.ERR_TOPOLOGY, "an edge leads to rank %d of %d", e, n)
		}
	}
	return &graph{slices.Clone(index), slices.Clone(edges)}, nil
}

// mutual tells whether of every edge both ends tell: else neighbours cannot talk to each other.
func (g *graph) mutual() bool {
	times := func(from, to int32) (n int) {
		for _, e := range g.of(int(from)) {
			if e == to {
				n++
			}
		}
		return n
	}
	for r := range g.index {
		for _, e := range g.of(r) {
			if times(int32(r), e) != times(e, int32(r)) {
				return false
			}
		}
	}
	return true
}

func toInts(list []int32) []int {
	all := make([]int, len(list))
	for i, v := range list {
		all[i] = int(v)
	}
	return all
}

// createGraph is Graph_create: communicator, ranks, index, edges, reorder, new communicator.
func createGraph(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	if err := c.outs(5); err != nil {
		return err
	}
	g, err := c.graphAt(1, cm.c.Size())
	if err != nil {
		return err
	}
	color, rank := spec.UNDEFINED, cm.c.Rank()
	if rank < len(g.index) {
		color = 0
	}
	d, err := cm.c.Split(color, rank)
	if d != nil && err == nil && g.mutual() {
		part := d
		own := toInts(g.of(rank))
		d, err = part.Graph(comm.Neighbors{Sources: own, Dests: own}, false)
		if failed := part.Free(); err == nil {
			err = failed
		}
	}
	if err != nil {
		return err
	}
	n, err := c.found(5, cm, d)
	if n != nil {
		n.graph = g
	}
	return err
}

// graphComm is argument 0, a communicator with a graph that every rank knows.
func (c call) graphComm() (*communicator, error) {
	cm, err := c.comm(0)
	if err == nil && cm.graph == nil {
		err = bad(spec.ERR_TOPOLOGY, "the communicator has no graph of MPI_Graph_create")
	}
	return cm, err
}

func graphDims(c call) error {
	cm, err := c.graphComm()
	if err != nil {
		return err
	}
	c.setInt(1, len(cm.graph.index))
	c.setInt(2, len(cm.graph.edges))
	return c.outs(1, 2)
}

// getGraph is Graph_get: communicator, room for the index, room for edges, index, edges.
func getGraph(c call) error {
	cm, err := c.graphComm()
	if err != nil {
		return err
	}
	if err := c.putInts(3, c.int(1), toInts(cm.graph.index)); err != nil {
		return err
	}
	return c.putInts(4, c.int(2), toInts(cm.graph.edges))
}

// neighborsOf is the neighbours of the rank of argument 1.
func (c call) neighborsOf() ([]int, error) {
	cm, err := c.graphComm()
	if err != nil {
		return nil, err
	}
	rank := c.int(1)
	if rank < 0 || rank >= len(cm.graph.index) {
		return nil, bad(spec.ERR_RANK, "rank %d; the graph has ranks 0 to %d", rank, len(cm.graph.index)-1)
	}
	return toInts(cm.graph.of(rank)), nil
}

func countNeighbors(c call) error {
	all, err := c.neighborsOf()
	if err != nil {
		return err
	}
	c.setInt(2, len(all))
	return c.outs(2)
}

// graphNeighbors is Graph_neighbors: communicator, rank, room, neighbours.
func graphNeighbors(c call) error {
	all, err := c.neighborsOf()
	if err != nil {
		return err
	}
	return c.putInts(3, c.int(2), all)
}

// mapGraph is Graph_map: communicator, ranks, index, edges, rank. Ranks keep their numbers.
func mapGraph(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if err := c.outs(4); err != nil {
		return err
	}
	g, err := c.graphAt(1, cm.c.Size())
	if err != nil {
		return err
	}
	rank := cm.c.Rank()
	if rank >= len(g.index) {
		rank = spec.UNDEFINED
	}
	c.setInt(4, rank)
	return nil
}

// edgesAt reads the edges of one direction: how many, ranks, weights, from argument i on. weighted is false if
// they have no weights.
func (c call) edgesAt(i, ranks int) (ends, weights []int, weighted bool, err error) {
	n := c.int(i)
	if n < 0 {
		return nil, nil, false, bad(spec.ERR_ARG, "%s is %d", c.f.Args[i].Name, n)
	}
	list, err := c.ints(i+1, n)
	if err != nil {
		return nil, nil, false, err
	}
	for _, r := range list {
		if r < 0 || int(r) >= ranks {
			return nil, nil, false, bad(spec.ERR_RANK, "rank %d; the communicator has ranks 0 to %d", r, ranks-1)
		}
	}
	weights, weighted, err = c.weightsAt(i+2, n)
	return toInts(list), weights, weighted, err
}

// weightsAt is argument i, weights of n edges: 1 each if they have none.
func (c call) weightsAt(i, n int) (all []int, weighted bool, err error) {
	all = make([]int, n)
	if w := c.word(i); w == spec.UNWEIGHTED || w == spec.WEIGHTS_EMPTY {
		for k := range all {
			all[k] = 1
		}
		return all, w == spec.WEIGHTS_EMPTY, nil
	}
	list, err := c.ints(i, n)
	for k, v := range list {
		if all[k] = int(v); v < 0 && err == nil {
			err = bad(spec.ERR_ARG, "a weight of %d", v)
		}
	}
	return all, true, err
}

// createAdjacent is Dist_graph_create_adjacent: communicator, sources, their weights, destinations, theirs, info, reorder, new
// communicator.
func createAdjacent(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	if _, err := c.optionalInfo(7); err != nil {
		return err
	}
	if err := c.outs(9); err != nil {
		return err
	}
	var n neighborhood
	var weighted [2]bool
	if n.sources, n.sourceWeights, weighted[0], err = c.edgesAt(1, cm.c.Size()); err != nil {
		return err
	}
	if n.dests, n.destWeights, weighted[1], err = c.edgesAt(4, cm.c.Size()); err != nil {
		return err
	}
	n.weighted = weighted[0] && weighted[1]
	return c.ofNeighbors(cm, n, 9)
}

// ofNeighbors makes a communicator whose ranks have told of their neighbours. Ranks keep their numbers.
func (c call) ofNeighbors(cm *communicator, n neighborhood, at int) error {
	d, err := cm.c.Graph(comm.Neighbors{Sources: n.sources, Dests: n.dests}, false)
	if err != nil {
		return err
	}
	m, err := c.found(at, cm, d)
	if m != nil {
		m.neighbors = &n
	}
	return err
}

// createDistributed is Dist_graph_create: communicator, how many ranks have edges told here, these, how many each, where they lead,
// their weights, info, reorder, new communicator.
func createDistributed(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	if _, err := c.optionalInfo(6); err != nil {
		return err
	}
	if err := c.outs(8); err != nil {
		return err
	}
	edges, weighted, err := c.toldEdges(cm.c.Size())
	if err != nil {
		return err
	}
	all, weighted, err := cm.exchangeEdges(edges, weighted)
	if err != nil {
		return err
	}
	n := neighborhood{weighted: weighted}
	for _, e := range all {
		if int(e[0]) == cm.c.Rank() {
			n.dests, n.destWeights = append(n.dests, int(e[1])), append(n.destWeights, int(e[2]))
		}
		if int(e[1]) == cm.c.Rank() {
			n.sources, n.sourceWeights = append(n.sources, int(e[0])), append(n.sourceWeights, int(e[2]))
		}
	}
	return c.ofNeighbors(cm, n, 8)
}

// edge is an edge: from, to, weight.
type edge [3]int32

// toldEdges are the edges of arguments 1 to 5 of Dist_graph_create.
func (c call) toldEdges(ranks int) (all []edge, weighted bool, err error) {
	n := c.int(1)
	if n < 0 {
		return nil, false, bad(spec.ERR_ARG, "n is %d", n)
	}
	sources, err := c.ints(2, n)
	if err != nil {
		return nil, false, err
	}
	degrees, err := c.ints(3, n)
	if err != nil {
		return nil, false, err
	}
	total := 0
	for _, d := range degrees {
		if d < 0 {
			return nil, false, bad(spec.ERR_ARG, "a degree of %d", d)
		}
		total += int(d)
	}
	dests, err := c.ints(4, total)
	if err != nil {
		return nil, false, err
	}
	weights, weighted, err := c.weightsAt(5, total)
	if err != nil {
		return nil, false, err
	}
	k := 0
	for i, from := range sources {
		for range degrees[i] {
			e := edge{from, dests[k], int32(weights[k])}
			if e[0] < 0 || int(e[0]) >= ranks || e[1] < 0 || int(e[1]) >= ranks {
				return nil, false, bad(spec.ERR_RANK, "an edge from rank %d to rank %d of %d", e[0], e[1], ranks)
			}
			all = append(all, e)
			k++
		}
	}
	return all, weighted, nil
}

// exchangeEdges has every rank know all edges, in the order of the ranks that tell them, and whether all have weights.
func (cm *communicator) exchangeEdges(own []edge, weighted bool) ([]edge, bool, error) {
	size := int(unsafe.Sizeof(edge{}))
	count := []int64{int64(len(own)), 0}
	if !weighted {
		count[1] = 1
	}
	counts := make([]int64, 2*cm.c.Size())
	if err := cm.c.Run(&comm.Call{Op: coll.Allgather, Bytes: 16, Elem: 1, In: bytesOf(count), Out: bytesOf(counts)}); err != nil {
		return nil, false, err
	}
	weighted = true
	total, lens, at := 0, make([]int, cm.c.Size()), make([]int, cm.c.Size())
	for r := range lens {
		lens[r], at[r] = size*int(counts[2*r]), size*total
		total += int(counts[2*r])
		weighted = weighted && counts[2*r+1] == 0
	}
	all := make([]edge, total)
	err := cm.c.Run(&comm.Call{Op: coll.Allgatherv, Elem: 1, Bytes: lens[cm.c.Rank()], In: bytesOf(own), Out: bytesOf(all), RecvCounts: lens, RecvDispls: at})
	return all, weighted, err
}

// distributed is argument 0, a communicator whose ranks have told of their neighbours.
func (c call) distributed() (*neighborhood, error) {
	cm, err := c.comm(0)
	if err != nil {
		return nil, err
	}
	if cm.neighbors == nil {
		return nil, bad(spec.ERR_TOPOLOGY, "the communicator has no graph of MPI_Dist_graph_create")
	}
	return cm.neighbors, nil
}

func countDistributed(c call) error {
	n, err := c.distributed()
	if err != nil {
		return err
	}
	c.setInt(1, len(n.sources))
	c.setInt(2, len(n.dests))
	c.setFlag(3, n.weighted)
	return c.outs(1, 2, 3)
}

// distributedNeighbors is Dist_graph_neighbors: communicator, room, sources, weights, room, destinations, weights.
func distributedNeighbors(c call) error {
	n, err := c.distributed()
	if err != nil {
		return err
	}
	for i, side := range [][2][]int{{n.sources, n.sourceWeights}, {n.dests, n.destWeights}} {
		first := 1 + 3*i
		room := c.int(first)
		if room < 0 {
			return bad(spec.ERR_ARG, "room for %d neighbours", room)
		}
		room = min(room, len(side[0]))
		if err := c.putInts(first+1, room, side[0][:room]); err != nil {
			return err
		}
		if w := c.word(first + 2); n.weighted && w != spec.UNWEIGHTED && w != spec.WEIGHTS_EMPTY {
			if err := c.putInts(first+2, room, side[1][:room]); err != nil {
				return err
			}
		}
	}
	return nil
}
