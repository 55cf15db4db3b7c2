package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Saying "I am done", working on, and seeing to it later that all are.
func ExampleIbarrier() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		req := mpi.Ibarrier(world)
		// do some work here that needs nobody
		if _, err := req.Wait(); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println("all ranks have come")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: all ranks have come
}

func ExampleIbcast() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 2)
		if world.Rank() == 0 {
			buf = []int{640, 480}
		}
		req := mpi.Ibcast(world, buf, 0)
		// do some work here, without touching buf
		if _, err := req.Wait(); err != nil {
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
}

func ExampleIreduce() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		sum := make([]int, 1) // the others may pass nil
		req := mpi.Ireduce(world, []int{world.Rank()}, sum, mpi.Sum, 0)
		// do some work here
		if _, err := req.Wait(); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println("the sum is", sum[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: the sum is 6
}

// Two reductions under way at the same time. All ranks start them in the same order.
func ExampleIallreduce() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		mine := []int{world.Rank() + 5}
		low, high := make([]int, 1), make([]int, 1)
		reqs := []mpi.Request{
			mpi.Iallreduce(world, mine, low, mpi.Min),
			mpi.Iallreduce(world, mine, high, mpi.Max),
		}
		// do some work here
		if err := mpi.Waitall(reqs); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println("from", low[0], "to", high[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: from 5 to 7
}

func ExampleIscan() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		sum := make([]int, 1)
		req := mpi.Iscan(world, []int{world.Rank() + 1}, sum, mpi.Sum)
		// do some work here
		if _, err := req.Wait(); err != nil {
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
}

func ExampleIexscan() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		below := []int{0} // that of rank 0 stays as it is
		req := mpi.Iexscan(world, []int{world.Rank() + 1}, below, mpi.Sum)
		// do some work here
		if _, err := req.Wait(); err != nil {
			return err
		}
		fmt.Printf("rank %d: %d\n", world.Rank(), below[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0: 0
	// rank 1: 1
	// rank 2: 3
}

func ExampleIreduceScatter() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		part := make([]int, 2)
		req := mpi.IreduceScatter(world, []int{1, 2, 3, 4}, part, mpi.Sum)
		// do some work here
		if _, err := req.Wait(); err != nil {
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

func ExampleIreduceScatterv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		counts := []int{1, 3} // the same at all ranks
		part := make([]int, counts[world.Rank()])
		req := mpi.IreduceScatterv(world, []int{1, 2, 3, 4}, part, counts, mpi.Sum)
		// do some work here
		if _, err := req.Wait(); err != nil {
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

func ExampleIgather() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		var all []int // only the root needs room
		if world.Rank() == 0 {
			all = make([]int, world.Size())
		}
		req := mpi.Igather(world, []int{world.Rank() * 10}, all, 0)
		// do some work here
		if _, err := req.Wait(); err != nil {
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
	// Output: [0 10 20]
}

func ExampleIgatherv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		var all, counts []int // only the root needs them
		if world.Rank() == 0 {
			all, counts = make([]int, 3), []int{1, 2}
		}
		mine := []int{7, 8}[:world.Rank()+1]
		req := mpi.Igatherv(world, mine, all, counts, nil, 0)
		// do some work here
		if _, err := req.Wait(); err != nil {
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
	// Output: [7 7 8]
}

func ExampleIscatter() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		var all []int // only the root has the data
		if world.Rank() == 0 {
			all = []int{1, 2, 3, 4}
		}
		part := make([]int, 2)
		req := mpi.Iscatter(world, all, part, 0)
		// do some work here
		if _, err := req.Wait(); err != nil {
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
}

func ExampleIscatterv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		counts := []int{3, 1}
		var all []int
		if world.Rank() == 0 {
			all = []int{1, 2, 3, 4}
		}
		part := make([]int, counts[world.Rank()])
		req := mpi.Iscatterv(world, all, counts, nil, part, 0)
		// do some work here
		if _, err := req.Wait(); err != nil {
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
	// rank 1 has [4]
}

func ExampleIallgather() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		all := make([]int, world.Size())
		req := mpi.Iallgather(world, []int{world.Rank() * 10}, all)
		// do some work here
		if _, err := req.Wait(); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", all)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [0 10]
	// rank 1 has [0 10]
}

func ExampleIallgatherv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		counts := []int{1, 2} // the same at all ranks
		all := make([]int, 3)
		mine := []int{7, 8}[:counts[world.Rank()]]
		req := mpi.Iallgatherv(world, mine, all, counts, nil)
		// do some work here
		if _, err := req.Wait(); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", all)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [7 7 8]
	// rank 1 has [7 7 8]
}

func ExampleIalltoall() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		out := []int{10 * world.Rank(), 10*world.Rank() + 1} // one for each rank
		in := make([]int, 2)
		req := mpi.Ialltoall(world, out, in)
		// do some work here
		if _, err := req.Wait(); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", in)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [0 10]
	// rank 1 has [1 11]
}

// Rank 0 gives rank 1 two numbers and gets one.
func ExampleIalltoallv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		out, sendCounts, recvCounts := []int{1, 2}, []int{0, 2}, []int{0, 1}
		if world.Rank() == 1 {
			out, sendCounts, recvCounts = []int{3}, []int{1, 0}, []int{2, 0}
		}
		in := make([]int, recvCounts[0]+recvCounts[1])
		req := mpi.Ialltoallv(world, out, sendCounts, nil, in, recvCounts, nil)
		// do some work here
		if _, err := req.Wait(); err != nil {
			return err
		}
		fmt.Println("rank", world.Rank(), "has", in)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [3]
	// rank 1 has [1 2]
}
