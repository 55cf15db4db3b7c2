package measure

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// trees are broadcast and scatter down a binomial tree as libraries of the MPICH family made them out of
// blocking messages: the far half first, and a rank that passes blocks on receives them into memory that it
// takes for this call. The root is rank 0, and the number of ranks a power of two.
type trees struct {
	k    *Rank
	turn int
	temp [temporaries][]byte // memory for blocks to pass on, another one for each call
}

// temporaries is how many calls pass until a rank takes the same memory again.
const temporaries = 64

func newTrees(k *Rank, size int) *trees {
	t := &trees{k: k}
	for i := range t.temp {
		t.temp[i] = buffer(size * k.World.Size() / 2)
	}
	return t
}

// NewTree is an operation like NewGroup, Bcast or Scatter, made of blocking messages.
func NewTree(k *Rank, op Collective, size int) (*Group, error) {
	ranks := k.World.Size()
	t, g := newTrees(k, size), &Group{k: k}
	switch {
	case ranks&(ranks-1) != 0:
		return nil, fmt.Errorf("a tree of %d ranks: it must be a power of two", ranks)
	case op == Bcast:
		data := buffer(size)
		g.call = func() error { return t.bcast(data) }
	case op == Scatter:
		out, in := buffer(size), []byte(nil)
		if k.Lead() {
			in = buffer(size * ranks)
		}
		g.call = func() error { return t.scatter(in, out, size) }
	default:
		return nil, fmt.Errorf("there is no tree for %q", op)
	}
	return g, nil
}

// above is the distance of the rank that one receives from; as many as there are ranks for the root.
func (t *trees) above() int {
	rank, ranks := t.k.World.Rank(), t.k.World.Size()
	mask := 1
	for mask < ranks && rank&mask == 0 {
		mask <<= 1
	}
	return mask
}

// bcast receives from above and sends below, the far half first.
func (t *trees) bcast(data []byte) error {
	world, mask := t.k.World, t.above()
	if mask < world.Size() {
		if _, err := mpi.Recv(world, data, world.Rank()-mask, tagData); err != nil {
			return err
		}
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if err := mpi.Send(world, data, world.Rank()+mask, tagData); err != nil {
			return err
		}
	}
	return nil
}

// scatter receives the blocks of all ranks below, keeps its own and passes the others on.
func (t *trees) scatter(in, out []byte, size int) error {
	world, mask := t.k.World, t.above()
	blocks := in
	if mask < world.Size() {
		blocks = out
		if mask > 1 {
			t.turn = (t.turn + 1) % temporaries
			blocks = t.temp[t.turn][:mask*size]
		}
		if _, err := mpi.Recv(world, blocks, world.Rank()-mask, tagData); err != nil {
			return err
		}
	}
	for half := mask >> 1; half > 0; half >>= 1 {
		if err := mpi.Send(world, blocks[half*size:2*half*size], world.Rank()+half, tagData); err != nil {
			return err
		}
	}
	if mask > 1 || world.Rank() == 0 {
		t.k.copied(copy(out, blocks[:size]))
	}
	return nil
}
