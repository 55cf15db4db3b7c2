package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestEveryRankSaysHello(t *testing.T) {
	for _, n := range []int{1, 2, 7} {
		said := make([]bytes.Buffer, n)
		err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &said[world.Rank()]) })
		if err != nil {
			t.Fatal(err)
		}
		for r := range said {
			if want := fmt.Sprintf("hello from rank %d of %d\n", r, n); said[r].String() != want {
				t.Errorf("rank %d said %q, want %q", r, said[r].String(), want)
			}
		}
	}
}
