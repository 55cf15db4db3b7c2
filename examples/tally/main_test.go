package main

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestTally(t *testing.T) {
	const want = "1229 primes among the numbers to 10000; most numbers (2608) have 4 divisors; 7560 has the most, 64; 10000 were counted\n"
	for _, ranks := range []int{1, 3} {
		for _, task := range []int{1, 700, 20_000} {
			if task == 1 && ranks == 1 {
				continue
			}
			var out bytes.Buffer
			err := mpi.Run(ranks, func(world *mpi.Comm) error { return run(world, &out, 10_000, task) })
			if err != nil || out.String() != want {
				t.Errorf("%d ranks, tasks of %d: %q, %v", ranks, task, out.String(), err)
			}
		}
	}
	if err := mpi.Run(1, func(world *mpi.Comm) error { return run(world, &bytes.Buffer{}, 10, 0) }); err == nil {
		t.Error("tasks of no numbers")
	}
}
