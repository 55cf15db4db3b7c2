package coll

import (
	"fmt"
	"math"
)

// Validate reports what is wrong with the case before an algorithm stumbles
// over it. It sees one rank only: whether ranks agree is the business of
// plan.WithCheck.
func (c Case) Validate() error {
	switch {
	case c.Op >= ops:
		return fmt.Errorf("coll: unknown operation %s", c.Op)
	case c.Ranks < 1 || c.Ranks > math.MaxInt32:
		return fmt.Errorf("coll: %s on %d ranks", c.Op, c.Ranks)
	case c.Rank < 0 || c.Rank >= c.Ranks:
		return fmt.Errorf("coll: %s as rank %d of %d", c.Op, c.Rank, c.Ranks)
	case c.rooted() && (c.Root < 0 || c.Root >= c.Ranks):
		return fmt.Errorf("coll: %s with root %d of %d ranks", c.Op, c.Root, c.Ranks)
	case c.Bytes < 0 || c.Bytes > math.MaxInt/c.Ranks:
		return fmt.Errorf("coll: %s of %d bytes on %d ranks", c.Op, c.Bytes, c.Ranks)
	case c.Elem < 0 || c.Bytes%c.elem() != 0:
		return fmt.Errorf("coll: %s of %d bytes is not a whole number of %d-byte elements", c.Op, c.Bytes, c.Elem)
	case c.Segment < 0:
		return fmt.Errorf("coll: segments of %d bytes", c.Segment)
	case c.Nodes != nil && len(c.Nodes) != c.Ranks:
		return fmt.Errorf("coll: %s on %d ranks with the nodes of %d", c.Op, c.Ranks, len(c.Nodes))
	}
	next := 0
	for rank, node := range c.Nodes {
		if node < 0 || node > next {
			return fmt.Errorf("coll: rank %d is on node %d, but nodes are numbered in the order of their first ranks", rank, node)
		}
		next = max(next, node+1)
	}
	if err := c.placed(); err != nil {
		return err
	}
	out, in := c.Ranks, c.Ranks
	if c.Op.Neighborly() {
		if c.Graph == nil || c.Graph.Len() != c.Ranks || c.InPlace {
			return fmt.Errorf("coll: %s on %d ranks needs their neighbours, and cannot be in place", c.Op, c.Ranks)
		}
		out, in = len(c.Graph.Out(c.Rank)), len(c.Graph.In(c.Rank))
	}
	send, recv := c.wants()
	if err := c.counts("send", out, send, true, c.SendCounts, c.SendDispls); err != nil {
		return err
	}
	return c.counts("receive", in, recv, c.Op != ReduceScatter, c.RecvCounts, c.RecvDispls)
}

// placed checks what is said of nodes, rails and ports.
func (c Case) placed() error {
	if c.Rails < 0 || c.Ports < 0 || c.Ports > MaxPorts || c.Stripe < 0 {
		return fmt.Errorf("coll: %s with %d rails, %d ports of at most %d, striped from %d bytes",
			c.Op, c.Rails, c.Ports, MaxPorts, c.Stripe)
	}
	if c.Nodes == nil {
		return nil
	}
	if len(c.Nodes) != c.Ranks {
		return fmt.Errorf("coll: %s on %d ranks with nodes for %d", c.Op, c.Ranks, len(c.Nodes))
	}
	seen := 0
	for rank, node := range c.Nodes {
		if node < 0 || node > seen {
			return fmt.Errorf("coll: rank %d is on node %d, but only nodes below %d have appeared: they are numbered in order",
				rank, node, seen)
		}
		seen = max(seen, node+1)
	}
	return nil
}

// wants says which counts the operation needs at this rank.
func (c Case) wants() (send, recv bool) {
	switch c.Op {
	case Gatherv:
		return false, c.Rank == c.Root
	case Scatterv:
		return c.Rank == c.Root, false
	case Allgatherv:
		return false, true
	case Alltoallv, NeighborAlltoallv:
		return !c.InPlace, true
	case NeighborAllgatherv:
		return false, true
	case ReduceScatter:
		return false, c.RecvCounts != nil
	}
	return false, false
}

// counts checks one set of counts for a number of blocks and, if the operation
// has them, displacements.
func (c Case) counts(which string, blocks int, wanted, displaced bool, counts, displs []int) error {
	if !wanted {
		if counts != nil && c.regular() {
			return fmt.Errorf("coll: %s takes no %s counts", c.Op, which)
		}
		return nil
	}
	if len(counts) != blocks || displaced && len(displs) != blocks {
		return fmt.Errorf("coll: %s of %d blocks with %d %s counts and %d displacements",
			c.Op, blocks, len(counts), which, len(displs))
	}
	total := 0
	for i, n := range counts {
		if n < 0 || n%c.elem() != 0 || n > math.MaxInt-total {
			return fmt.Errorf("coll: %s count %d for rank %d in %s", which, n, i, c.Op)
		}
		total += n
		if displaced && (displs[i] < 0 || displs[i] > math.MaxInt-n) {
			return fmt.Errorf("coll: %s displacement %d for rank %d in %s", which, displs[i], i, c.Op)
		}
	}
	return nil
}

// regular reports that all blocks have the same length.
func (c Case) regular() bool {
	switch c.Op {
	case Gatherv, Scatterv, Allgatherv, Alltoallv, ReduceScatter, NeighborAllgatherv, NeighborAlltoallv:
		return false
	}
	return true
}
