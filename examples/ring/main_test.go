package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestSum(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		for _, laps := range []int{1, 4} {
			var out bytes.Buffer
			err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, laps) })
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("after %d laps around %d ranks the sum is %d\n", laps, n, laps*n*(n-1)/2)
			if out.String() != want {
				t.Errorf("got %q, want %q", out.String(), want)
			}
		}
	}
}
