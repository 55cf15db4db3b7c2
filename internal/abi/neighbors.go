package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/coll"
)

// chapterNeighbors has the collectives between neighbours.
var chapterNeighbors = map[string]row{
	"Neighbor_allgather": {do: neighborAllgather}, "Neighbor_allgatherv": {do: neighborAllgatherv}, "Neighbor_alltoall": {do: neighborAlltoall},
	"Neighbor_alltoallv": {do: neighborAlltoallv}, "Neighbor_alltoallw": {do: neighborAlltoallw},
}

// neighborly begins the description of a call between neighbours on the communicator of argument i, of so many blocks
// that come and that go.
func (c call) neighborly(i int, op coll.Op) (k *collective, in, out int, err error) {
	if k, err = c.collective(i, op); err != nil {
		return nil, 0, 0, err
	}
	g := k.on.c.Topology()
	if g == nil {
		return nil, 0, 0, bad(spec.ERR_TOPOLOGY, "the ranks of the communicator have no neighbours, or not all of them know each other")
	}
	return k, len(g.In(k.on.c.Rank())), len(g.Out(k.on.c.Rank())), nil
}

// neighborAllgather is Neighbor_allgather: send buffer, count, type, receive buffer, count, type, communicator.
func neighborAllgather(c call) error {
	k, in, _, err := c.neighborly(6, coll.NeighborAllgather)
	if err != nil {
		return err
	}
	v, err := c.times(in, 3, 4, 5)
	if err != nil {
		return err
	}
	k.out(v, true) // what comes from nobody stays as it is
	from, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	k.in(from)
	if k.call.Bytes = from.bytes(); k.call.Bytes*in != v.bytes() {
		return bad(spec.ERR_COUNT, "%d bytes are sent, %d are expected of %d neighbours", k.call.Bytes, v.bytes(), in)
	}
	return c.perform(k)
}

// neighborAlltoall is Neighbor_alltoall: send buffer, count, type, receive buffer, count, type, communicator.
func neighborAlltoall(c call) error {
	k, in, out, err := c.neighborly(6, coll.NeighborAlltoall)
	if err != nil {
		return err
	}
	v, err := c.times(in, 3, 4, 5)
	if err != nil {
		return err
	}
	from, err := c.times(out, 0, 1, 2)
	if err != nil {
		return err
	}
	k.out(v, true)
	k.in(from)
	switch {
	case out > 0:
		k.call.Bytes = from.bytes() / out
	case in > 0:
		k.call.Bytes = v.bytes() / in
	}
	if k.call.Bytes*in != v.bytes() {
		return bad(spec.ERR_COUNT, "blocks of %d bytes are sent, %d bytes are expected of %d neighbours", k.call.Bytes, v.bytes(), in)
	}
	return c.perform(k)
}

// neighborAllgatherv is Neighbor_allgatherv: send buffer, count, type, receive buffer, counts, displacements, type, communicator.
func neighborAllgatherv(c call) error {
	k, in, _, err := c.neighborly(7, coll.NeighborAllgatherv)
	if err != nil {
		return err
	}
	b, err := c.blocks(in, 3, 4, 5, 6)
	if err != nil {
		return err
	}
	k.outBlocks(b, true)
	from, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	k.in(from)
	k.call.Bytes = from.bytes()
	return c.perform(k)
}

// neighborAlltoallv is Neighbor_alltoallv: send buffer, counts, displacements, type, receive buffer, counts, displacements, type,
// communicator.
func neighborAlltoallv(c call) error {
	k, in, out, err := c.neighborly(8, coll.NeighborAlltoallv)
	if err != nil {
		return err
	}
	to, err := c.blocks(in, 4, 5, 6, 7)
	if err != nil {
		return err
	}
	from, err := c.blocks(out, 0, 1, 2, 3)
	if err != nil {
		return err
	}
	k.outBlocks(to, true)
	k.inBlocks(from)
	return c.perform(k)
}

// neighborAlltoallw is Neighbor_alltoallw: as Neighbor_alltoallv, with a type for each neighbour and addresses for displacements.
func neighborAlltoallw(c call) error {
	k, in, out, err := c.neighborly(8, coll.NeighborAlltoallv)
	if err != nil {
		return err
	}
	k.call.Name = "neighbor_alltoallw"
	to, err := c.typedBlocks(in, 4, 5, 6, 7)
	if err != nil {
		return err
	}
	from, err := c.typedBlocks(out, 0, 1, 2, 3)
	if err != nil {
		return err
	}
	k.outBlocks(to, true)
	k.inBlocks(from)
	return c.perform(k)
}
