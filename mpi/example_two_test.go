package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// onBoth makes two groups of two ranks each, and a communicator between them.
func onBoth(do func(local, both *mpi.Comm, name string) error) {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		name, color, others := "left", 0, 2 // the first rank of the other group
		if world.Rank() >= 2 {
			name, color, others = "right", 1, 0
		}
		local, err := world.Split(color, 0)
		if err != nil {
			return err
		}
		both, err := local.Intercomm(0, world, others, 0)
		if err != nil {
			return err
		}
		if err := do(local, both, name); err != nil {
			return err
		}
		return both.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
}

// Rank 0 of one group sends to rank 1 of the other.
func ExampleComm_Intercomm() {
	onBoth(func(local, both *mpi.Comm, name string) error {
		switch {
		case name == "left" && both.Rank() == 0:
			return mpi.Send(both, []int{42}, 1, 0)
		case name == "right" && both.Rank() == 1:
			got := make([]int, 1)
			st, err := mpi.Recv(both, got, mpi.AnySource, 0)
			fmt.Println("from rank", st.Source, "of the other group comes", got[0])
			return err
		}
		return nil
	})
	// Output: from rank 0 of the other group comes 42
}

// Each group learns the sum of the other one's numbers.
func ExampleComm_Remote() {
	onBoth(func(local, both *mpi.Comm, name string) error {
		sum, own := make([]int, 1), map[string]int{"left": 1, "right": 10}[name]
		if err := mpi.Allreduce(both, []int{own}, sum, mpi.Sum); err != nil {
			return err
		}
		if both.Rank() == 0 {
			fmt.Println(name, "hears", sum[0], "from", both.Remote().Size(), "ranks")
		}
		return nil
	})
	// Unordered output:
	// left hears 20 from 2 ranks
	// right hears 2 from 2 ranks
}

// The right group goes behind the left one.
func ExampleComm_Merge() {
	onBoth(func(local, both *mpi.Comm, name string) error {
		all, err := both.Merge(name == "right")
		if err != nil {
			return err
		}
		fmt.Println("rank", local.Rank(), "of", name, "is rank", all.Rank(), "of", all.Size())
		return all.Free()
	})
	// Unordered output:
	// rank 0 of left is rank 0 of 4
	// rank 1 of left is rank 1 of 4
	// rank 0 of right is rank 2 of 4
	// rank 1 of right is rank 3 of 4
}

// Ranks 0 and 2 make a communicator; rank 1 does not call.
func ExampleComm_CreateGroup() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			return nil
		}
		g, err := world.Group().Incl(0, 2)
		if err != nil {
			return err
		}
		pair, err := world.CreateGroup(g, 0)
		if err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "is rank", pair.Rank(), "of", pair.Size())
		return pair.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 is rank 0 of 2
	// rank 2 is rank 1 of 2
}

func ExampleComm_Idup() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		coming, err := world.Idup()
		if err != nil {
			return err
		}
		// do some work here
		twin, err := coming.Wait()
		if err != nil {
			return err
		}
		if twin.Rank() == 0 {
			fmt.Println("a communicator of", twin.Size())
		}
		return twin.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: a communicator of 2
}

// Whoever asks again gets the same communicator.
func ExampleNewComm_Wait() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		coming, err := world.Idup()
		if err != nil {
			return err
		}
		first, err := coming.Wait()
		if err != nil {
			return err
		}
		second, err := coming.Wait()
		fmt.Println(first.Compare(second) == mpi.Identical)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: true
}

func ExampleComm_Compare() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		twin, err := world.Dup()
		if err != nil {
			return err
		}
		fmt.Println(world.Compare(world) == mpi.Identical, world.Compare(twin) == mpi.Congruent)
		return twin.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: true true
}

func ExampleGroup_Compare() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		turned, err := world.Group().Incl(1, 0)
		if world.Rank() == 0 {
			fmt.Println(turned.Compare(world.Group()) == mpi.Similar)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: true
}

// Every second rank.
func ExampleGroup_RangeIncl() {
	err := mpi.Run(5, func(world *mpi.Comm) error {
		even, err := world.Group().RangeIncl(mpi.Range{First: 0, Last: 4, Stride: 2})
		if world.Rank() == 0 {
			fmt.Println(even.Size(), "ranks")
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 3 ranks
}

// All but the first two ranks.
func ExampleGroup_RangeExcl() {
	err := mpi.Run(5, func(world *mpi.Comm) error {
		rest, err := world.Group().RangeExcl(mpi.Range{First: 0, Last: 1, Stride: 1})
		if world.Rank() == 0 {
			fmt.Println(rest.Size(), "ranks")
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 3 ranks
}
