package mpi_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// How much of the time would 16 ranks talk that compute for a millisecond between two reductions of 256 KB, on an
// old network and on a new one?
func ExampleSimulate() {
	program := func(world *mpi.Comm) error {
		values := make([]float64, 1<<15)
		for range 10 {
			world.Charge(time.Millisecond)
			if err := mpi.Allreduce(world, nil, values, mpi.Sum); err != nil {
				return err
			}
		}
		return nil
	}
	for _, network := range []string{"connectx-ddr", "ndr"} {
		s, err := mpi.Simulate(mpi.Cluster{Network: network, Nodes: 8, Cores: 2}, 16, program)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %v, of which communication %.0f%%\n", network, s.Time.Round(time.Millisecond), 100*s.Share)
	}
	// Output:
	// connectx-ddr: 19ms, of which communication 46%
	// ndr: 11ms, of which communication 11%
}

// A rank that computes for a millisecond, for which no processor here is needed.
func ExampleComm_Charge() {
	s, err := mpi.Simulate(mpi.Cluster{Network: "ndr"}, 1, func(world *mpi.Comm) error {
		world.Charge(time.Millisecond)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Time.Round(time.Microsecond))
	// Output: 1ms
}

// The profile tells first what was simulated, and then which calls took the time.
func ExampleSimulated_WriteProfile() {
	s, err := mpi.Simulate(mpi.Cluster{Network: "ndr", Nodes: 2, Cores: 1}, 2, func(world *mpi.Comm) error {
		return mpi.Barrier(world)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var text strings.Builder
	if err := s.WriteProfile(&text); err != nil {
		fmt.Println(err)
	}
	first, _, _ := strings.Cut(text.String(), ":")
	fmt.Println(first, strings.Contains(text.String(), "barrier"))
	// Output: Simulated on ndr true
}
