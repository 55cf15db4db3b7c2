package mpi_test

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Meeting after each round.
func ExampleBarrierInit() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		r := mpi.BarrierInit(world)
		for round := 1; round <= 2; round++ {
			// do some work here
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println("round", round, "is over")
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// round 1 is over
	// round 2 is over
}

func ExampleBcastInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 1)
		r := mpi.BcastInit(world, buf, 0)
		for round := 1; round <= 2; round++ {
			if world.Rank() == 0 {
				buf[0] = 10 * round
			}
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", buf[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 10
	// rank 1 has 10
	// rank 0 has 20
	// rank 1 has 20
}

func ExampleReduceInit() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		in, sum := make([]int, 1), make([]int, 1)
		r := mpi.ReduceInit(world, in, sum, mpi.Sum, 0)
		for round := 1; round <= 2; round++ {
			in[0] = round * world.Rank()
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println("the sum is", sum[0])
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// the sum is 3
	// the sum is 6
}

// The plan of the collective is made once, and runs in every round.
func ExampleAllreduceInit() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		in, most := make([]int, 1), make([]int, 1)
		r := mpi.AllreduceInit(world, in, most, mpi.Max)
		for round := 1; round <= 2; round++ {
			in[0] = round * world.Rank()
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println("the largest is", most[0])
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// the largest is 2
	// the largest is 4
}

func ExampleScanInit() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		in, sum := make([]int, 1), make([]int, 1)
		r := mpi.ScanInit(world, in, sum, mpi.Sum)
		for round := 1; round <= 2; round++ {
			in[0] = round
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", sum[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 1
	// rank 1 has 2
	// rank 2 has 3
	// rank 0 has 2
	// rank 1 has 4
	// rank 2 has 6
}

func ExampleExscanInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		count, first := make([]int, 1), make([]int, 1)
		r := mpi.ExscanInit(world, count, first, mpi.Sum)
		for round := 1; round <= 2; round++ {
			count[0] = 10 * round
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 1 {
				fmt.Println("rank 1 begins at", first[0])
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 1 begins at 10
	// rank 1 begins at 20
}

func ExampleReduceScatterInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		in, mine := make([]int, 2), make([]int, 1)
		r := mpi.ReduceScatterInit(world, in, mine, mpi.Sum)
		for round := 1; round <= 2; round++ {
			in[0], in[1] = round, 10*round
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", mine[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 2
	// rank 1 has 20
	// rank 0 has 4
	// rank 1 has 40
}

func ExampleReduceScattervInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		counts := []int{1, 2}
		in, mine := make([]int, 3), make([]int, counts[world.Rank()])
		r := mpi.ReduceScattervInit(world, in, mine, counts, mpi.Sum)
		for round := 1; round <= 2; round++ {
			in[0], in[1], in[2] = round, 10*round, 100*round
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", mine)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [2]
	// rank 1 has [20 200]
	// rank 0 has [4]
	// rank 1 has [40 400]
}

func ExampleGatherInit() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		in, all := make([]int, 1), make([]int, 3)
		r := mpi.GatherInit(world, in, all, 0)
		for round := 1; round <= 2; round++ {
			in[0] = round * world.Rank()
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println(all)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0 1 2]
	// [0 2 4]
}

func ExampleGathervInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		in, all := make([]int, world.Rank()+1), make([]int, 3)
		r := mpi.GathervInit(world, in, all, []int{1, 2}, nil, 0)
		for round := 1; round <= 2; round++ {
			in[0] = round * (world.Rank() + 1)
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println(all)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [1 2 0]
	// [2 4 0]
}

func ExampleScatterInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		all, mine := make([]int, 2), make([]int, 1)
		r := mpi.ScatterInit(world, all, mine, 0)
		for round := 1; round <= 2; round++ {
			all[0], all[1] = round, 10*round
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", mine[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 1
	// rank 1 has 10
	// rank 0 has 2
	// rank 1 has 20
}

func ExampleScattervInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		all, mine := make([]int, 3), make([]int, world.Rank()+1)
		r := mpi.ScattervInit(world, all, []int{1, 2}, nil, mine, 0)
		for round := 1; round <= 2; round++ {
			all[0], all[1], all[2] = round, 10*round, 100*round
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", mine)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [1]
	// rank 1 has [10 100]
	// rank 0 has [2]
	// rank 1 has [20 200]
}

func ExampleAllgatherInit() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		in, all := make([]int, 1), make([]int, 3)
		r := mpi.AllgatherInit(world, in, all)
		for round := 1; round <= 2; round++ {
			in[0] = round * world.Rank()
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println(all)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0 1 2]
	// [0 2 4]
}

func ExampleAllgathervInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		in, all := make([]int, world.Rank()+1), make([]int, 3)
		r := mpi.AllgathervInit(world, in, all, []int{1, 2}, nil)
		for round := 1; round <= 2; round++ {
			in[0] = round * (world.Rank() + 1)
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Println(all)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [1 2 0]
	// [2 4 0]
}

func ExampleAlltoallInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		in, out := make([]int, 2), make([]int, 2)
		r := mpi.AlltoallInit(world, in, out)
		for round := 1; round <= 2; round++ {
			in[0], in[1] = round*world.Rank(), 10*round*world.Rank()
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", out)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [0 1]
	// rank 1 has [0 10]
	// rank 0 has [0 2]
	// rank 1 has [0 20]
}

func ExampleAlltoallvInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		one := []int{1, 1} // for each rank
		in, out := make([]int, 2), make([]int, 2)
		r := mpi.AlltoallvInit(world, in, one, nil, out, one, nil)
		for round := 1; round <= 2; round++ {
			in[0], in[1] = round*world.Rank(), 10*round*world.Rank()
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
			fmt.Println("rank", world.Rank(), "has", out)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [0 1]
	// rank 1 has [0 10]
	// rank 0 has [0 2]
	// rank 1 has [0 20]
}
