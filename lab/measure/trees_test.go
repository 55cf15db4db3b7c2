package measure

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestTrees: everybody has what a broadcast and a scatter give it, call after call, and no rank passes
// blocks on from memory that it used in the call before.
func TestTrees(t *testing.T) {
	const size = 100
	for _, ranks := range []int{1, 2, 4, 8} {
		err := mpi.Run(ranks, func(world *mpi.Comm) error {
			k := NewRank(world, nil)
			tree := newTrees(k, size)
			for call := range 3 {
				if err := tellAll(tree, size, byte(call)); err != nil {
					return err
				}
				before := tree.turn
				if err := dealOut(tree, size, byte(call)); err != nil {
					return err
				}
				if passes := world.Rank() != 0 && world.Rank()%2 == 0; passes == (tree.turn == before) {
					t.Errorf("rank %d of %d took memory number %d after %d", world.Rank(), ranks, tree.turn, before)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func tellAll(tree *trees, size int, stamp byte) error {
	data := make([]byte, size)
	if tree.k.Lead() {
		copy(data, bytes.Repeat([]byte{stamp + 1}, size))
	}
	if err := tree.bcast(data); err != nil {
		return err
	}
	if want := bytes.Repeat([]byte{stamp + 1}, size); !bytes.Equal(data, want) {
		return fmt.Errorf("rank %d has %v after a broadcast of %d", tree.k.World.Rank(), data[:4], stamp+1)
	}
	return nil
}

func dealOut(tree *trees, size int, stamp byte) error {
	ranks, rank := tree.k.World.Size(), tree.k.World.Rank()
	var all []byte
	for i := range ranks {
		all = append(all, bytes.Repeat([]byte{stamp + byte(10*i)}, size)...)
	}
	in, out := []byte(nil), make([]byte, size)
	if rank == 0 {
		in = all
	}
	if err := tree.scatter(in, out, size); err != nil {
		return err
	}
	if !bytes.Equal(out, all[rank*size:][:size]) {
		return fmt.Errorf("rank %d has %v after a scatter", rank, out[:4])
	}
	return nil
}
