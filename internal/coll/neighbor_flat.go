package coll

import (
	"cmp"
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/topo"
)

// neighbor_allgather/flat, neighbor_allgatherv/flat, neighbor_alltoall/flat, neighbor_alltoallv/flat: every
// edge is a message, and all are posted at once. What a rank sends to itself it
// copies.
//
// Steps: 1 round, a message for every edge. Cost: a + dnb for d edges out.
// Limits: none. Source: MPI 4.1, 8.6 (what the operations mean).
func neighborFlat(b *plan.Builder, c Case) {
	for _, slot := range inOrderOfSenders(c.Graph.In(c.Rank)) {
		end := c.Graph.In(c.Rank)[slot]
		if block := c.recvBlock(slot); end.Place != topo.Nowhere && end.Place != c.Rank && block.Len > 0 {
			b.Recv(end.Place, block)
		}
	}
	for slot, end := range c.Graph.Out(c.Rank) {
		block := c.edgeBlock(slot)
		switch {
		case end.Place == topo.Nowhere || block.Len == 0:
		case end.Place == c.Rank:
			b.Copy(c.recvBlock(end.Slot), block)
		default:
			b.Send(end.Place, block)
		}
	}
}

// inOrderOfSenders returns the slots of edges in in the order in which those who send along them do.
func inOrderOfSenders(in []topo.End) []int {
	slots := make([]int, len(in))
	for slot := range slots {
		slots[slot] = slot
	}
	slices.SortFunc(slots, func(a, b int) int {
		return cmp.Or(cmp.Compare(in[a].Place, in[b].Place), cmp.Compare(in[a].Slot, in[b].Slot))
	})
	return slots
}

// edgeBlock is what goes along an edge out.
func (c Case) edgeBlock(slot int) plan.Span {
	if c.Op == NeighborAllgather || c.Op == NeighborAllgatherv {
		return plan.Span{Buf: plan.In, Len: c.Bytes}
	}
	return c.sendBlock(slot)
}
