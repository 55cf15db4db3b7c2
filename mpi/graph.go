package mpi

import "github.com/weft-mpi/weft/internal/comm"

// Edge is an edge of a graph: from one rank to another, and how much goes along it, as 1 or more.
type Edge struct{ From, To, Weight int }

// Graph makes a communicator whose ranks have neighbours, for [NeighborAlltoall] and its like. Each rank tells
// from which ranks it receives, to which it sends and, unless weights is nil, how much goes to each of
// these; ranks may be named several times. If reorder, ranks may be numbered anew so that those that
// exchange much are on one host: who gets the number of a rank gets its neighbours, see [Comm.Neighbors]. All
// ranks call it. It fails with [ErrGraph] on all if one end alone tells of an edge.
func (c *Comm) Graph(sources, dests, weights []int, reorder bool) (*Comm, error) {
	return c.wrap(c.c.Graph(comm.Neighbors{Sources: sources, Dests: dests, Weights: weights}, reorder))
}

// GraphOf is [Comm.Graph] where each rank tells any of the edges, and each edge is told once. Neighbours of a
// rank are in the order of the ranks that tell, and in theirs.
func (c *Comm) GraphOf(edges []Edge, reorder bool) (*Comm, error) {
	own := make([]comm.Edge, len(edges))
	for i, e := range edges {
		own[i] = comm.Edge(e)
	}
	return c.wrap(c.c.GraphOf(own, reorder))
}

// Neighbors are the ranks from which this rank receives and those to which it sends in calls between
// neighbours, in the order of their blocks. In a [Cart], both are for each dimension the rank below and the
// one above; beyond the border is [ProcNull]. Communicators of other kinds have none.
func (c *Comm) Neighbors() (sources, dests []int) { return c.c.Neighbors() }

// Neighborhood makes a grid with the same places whose neighbours are at some offsets: it sends to the ranks
// that are so many places away along each dimension, and receives from those to which it is. So a stencil
// with corners is a neighbourhood. All ranks call it with the same offsets.
func (c *Cart) Neighborhood(offsets ...[]int) (*Cart, error) {
	d, err := c.wrap(c.c.Neighborhood(c.grid, offsets))
	if err != nil {
		return nil, err
	}
	return &Cart{d, c.grid}, nil
}
