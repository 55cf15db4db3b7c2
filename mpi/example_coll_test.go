package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// No rank passes the barrier before all have come to it.
func ExampleBarrier() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() == 2 {
			fmt.Println("rank 2 prepares")
		}
		if err := mpi.Barrier(world); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println("rank 0 goes on")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 2 prepares
	// rank 0 goes on
}

// Rank 0 knows the numbers; the others bring room for as many.
func ExampleBcast() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		buf := make([]int, 2)
		if world.Rank() == 0 {
			buf = []int{640, 480}
		}
		if err := mpi.Bcast(world, buf, 0); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [640 480]
	// rank 1 has [640 480]
	// rank 2 has [640 480]
}

func ExampleReduce() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		sum := make([]int, 2) // the others may pass nil
		if err := mpi.Reduce(world, []int{1, world.Rank()}, sum, mpi.Sum, 0); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println("sums:", sum)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: sums: [4 6]
}

// All ranks learn the largest number that any of them has.
func ExampleAllreduce() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		largest := make([]float64, 1)
		if err := mpi.Allreduce(world, []float64{float64(world.Rank()) / 2}, largest, mpi.Max); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "knows", largest[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 knows 1
	// rank 1 knows 1
	// rank 2 knows 1
}

// In place: the contribution lies in the buffer of the result, and the send buffer is nil.
func ExampleAllreduce_inPlace() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		buf := []int{world.Rank(), 1}
		if err := mpi.Allreduce(world, nil, buf, mpi.Sum); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(buf)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [3 3]
}

// Running totals: each rank gets the sum of its own number and those of the ranks below.
func ExampleScan() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		sum := make([]int, 1)
		if err := mpi.Scan(world, []int{world.Rank() + 1}, sum, mpi.Sum); err != nil {
			return err
		}
		fmt.Printf("rank %d: %d\n", world.Rank(), sum[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0: 1
	// rank 1: 3
	// rank 2: 6
	// rank 3: 10
}

// Where each rank's elements begin in an array of all: the number of elements at the ranks below.
func ExampleExscan() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		mine := 10 * (world.Rank() + 1)
		first := []int{0} // that of rank 0 stays as it is
		if err := mpi.Exscan(world, []int{mine}, first, mpi.Sum); err != nil {
			return err
		}
		fmt.Printf("rank %d has elements %d to %d\n", world.Rank(), first[0], first[0]+mine-1)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has elements 0 to 9
	// rank 1 has elements 10 to 29
	// rank 2 has elements 30 to 59
}

// The sum of all vectors, of which each rank gets the part that it goes on with.
func ExampleReduceScatter() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		part := make([]int, 2)
		if err := mpi.ReduceScatter(world, []int{1, 2, 3, 4}, part, mpi.Sum); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", part)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [2 4]
	// rank 1 has [6 8]
}

func ExampleReduceScatterv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		counts := []int{1, 3} // the same at all ranks
		part := make([]int, counts[world.Rank()])
		if err := mpi.ReduceScatterv(world, []int{1, 2, 3, 4}, part, counts, mpi.Sum); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", part)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [2]
	// rank 1 has [4 6 8]
}

func ExampleGather() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		var all []int // only the root needs room
		if world.Rank() == 0 {
			all = make([]int, 2*world.Size())
		}
		if err := mpi.Gather(world, []int{world.Rank(), world.Rank() * 10}, all, 0); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(all)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 0 1 10 2 20]
}

// Ranks bring different numbers of elements; the root must know how many, and may say where they
// go.
func ExampleGatherv() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		mine := make([]int, world.Rank()+1)
		for i := range mine {
			mine[i] = world.Rank()
		}
		if world.Rank() != 0 {
			return mpi.Gatherv(world, mine, nil, nil, nil, 0)
		}
		all := make([]int, 8)
		if err := mpi.Gatherv(world, mine, all, []int{1, 2, 3}, []int{0, 2, 5}, 0); err != nil {
			return err
		}
		fmt.Println(all)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 0 1 1 0 2 2 2]
}

func ExampleScatter() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		var all []int // only the root has the data
		if world.Rank() == 0 {
			all = []int{1, 2, 3, 4, 5, 6}
		}
		part := make([]int, 2)
		if err := mpi.Scatter(world, all, part, 0); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", part)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [1 2]
	// rank 1 has [3 4]
	// rank 2 has [5 6]
}

// Seven elements for three ranks: the first ranks get one more.
func ExampleScatterv() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		counts := []int{3, 2, 2}
		var all []int
		if world.Rank() == 0 {
			all = []int{1, 2, 3, 4, 5, 6, 7}
		}
		part := make([]int, counts[world.Rank()])
		if err := mpi.Scatterv(world, all, counts, nil, part, 0); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", part)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [1 2 3]
	// rank 1 has [4 5]
	// rank 2 has [6 7]
}

func ExampleAllgather() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		all := make([]int, world.Size())
		if err := mpi.Allgather(world, []int{world.Rank() * 10}, all); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", all)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [0 10 20]
	// rank 1 has [0 10 20]
	// rank 2 has [0 10 20]
}

// Ranks bring different numbers of elements: an Allgather of the counts comes first.
func ExampleAllgatherv() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		mine := make([]byte, world.Rank()+1)
		for i := range mine {
			mine[i] = byte('a' + world.Rank())
		}
		counts := make([]int, world.Size())
		if err := mpi.Allgather(world, []int{len(mine)}, counts); err != nil {
			return err
		}
		all := make([]byte, counts[0]+counts[1]+counts[2])
		if err := mpi.Allgatherv(world, mine, all, counts, nil); err != nil {
			return err
		}
		fmt.Printf("rank %d has %s\n", world.Rank(), all)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has abbccc
	// rank 1 has abbccc
	// rank 2 has abbccc
}

// Every rank has an element for every rank: rows become columns.
func ExampleAlltoall() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		row := make([]int, world.Size())
		for r := range row {
			row[r] = 10*world.Rank() + r
		}
		column := make([]int, world.Size())
		if err := mpi.Alltoall(world, row, column); err != nil {
			return err
		}
		fmt.Printf("rank %d: row %02d, column %02d\n", world.Rank(), row, column)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0: row [00 01 02], column [00 10 20]
	// rank 1: row [10 11 12], column [01 11 21]
	// rank 2: row [20 21 22], column [02 12 22]
}

// Rank 0 has most of the elements, and deals them out evenly.
func ExampleAlltoallv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		mine, sendCounts := []int{1, 2, 3, 4, 5}, []int{2, 3}
		if world.Rank() == 1 {
			mine, sendCounts = []int{6}, []int{1, 0}
		}
		recvCounts := make([]int, world.Size()) // how many come from each rank
		if err := mpi.Alltoall(world, sendCounts, recvCounts); err != nil {
			return err
		}
		got := make([]int, recvCounts[0]+recvCounts[1])
		if err := mpi.Alltoallv(world, mine, sendCounts, nil, got, recvCounts, nil); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", got)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [1 2 6]
	// rank 1 has [3 4 5]
}
