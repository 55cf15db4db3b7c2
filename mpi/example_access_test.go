package mpi_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

func ExamplePut() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 4)
		if err != nil {
			return err
		}
		err = win.Fence()
		if world.Rank() == 0 {
			err = errors.Join(err, mpi.Put(win, []int{7, 8}, 1, 2)) // to rank 1, from element 2 on
		}
		err = errors.Join(err, win.Fence())
		if world.Rank() == 1 {
			fmt.Println(mem)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 0 7 8]
}

func ExampleGet() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 4)
		if err != nil {
			return err
		}
		for i := range mem {
			mem[i] = 10*world.Rank() + i
		}
		got := make([]int, 2)
		err = win.Fence()
		if world.Rank() == 0 {
			err = errors.Join(err, mpi.Get(win, got, 1, 2)) // from rank 1, from element 2 on
		}
		err = errors.Join(err, win.Fence()) // now got is there
		if world.Rank() == 0 {
			fmt.Println(got)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [12 13]
}

// Putting a column of a matrix of 2 x 3, whose rows lie one after the other.
func ExamplePutLayout() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		const rows, columns = 2, 3
		win, mem, err := mpi.AllocateWindow[int](world, rows*columns)
		if err != nil {
			return err
		}
		err = win.Fence()
		if world.Rank() == 0 {
			column := mpi.Strided{Count: rows, Block: 1, Stride: columns}
			err = errors.Join(err, mpi.PutLayout(win, []int{7, 8}, 1, 1, column)) // column 1
		}
		err = errors.Join(err, win.Fence())
		if world.Rank() == 1 {
			fmt.Println(mem[:columns], mem[columns:])
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 7 0] [0 8 0]
}

// Getting elements here and there with one call.
func ExampleGetLayout() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 10)
		if err != nil {
			return err
		}
		for i := range mem {
			mem[i] = i
		}
		got := make([]int, 3)
		err = win.Fence()
		if world.Rank() == 0 {
			blocks := mpi.Indexed{{Start: 1, Len: 1}, {Start: 8, Len: 2}}
			err = errors.Join(err, mpi.GetLayout(win, got, 1, 0, blocks))
		}
		err = errors.Join(err, win.Fence())
		if world.Rank() == 0 {
			fmt.Println(got)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [1 8 9]
}

// All ranks add to the same elements; nothing is lost.
func ExampleAccumulate() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 2)
		if err != nil {
			return err
		}
		err = errors.Join(win.Fence(), mpi.Accumulate(win, []int{1, world.Rank()}, 0, 0, mpi.Sum), win.Fence())
		if world.Rank() == 0 {
			fmt.Println(mem)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [4 6]
}

func ExampleAccumulateLayout() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 5)
		if err != nil {
			return err
		}
		everySecond := mpi.Strided{Count: 3, Block: 1, Stride: 2}
		err = errors.Join(win.Fence(), mpi.AccumulateLayout(win, []int{1, 2, 3}, 0, 0, everySecond, mpi.Sum), win.Fence())
		if world.Rank() == 0 {
			fmt.Println(mem)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [2 0 4 0 6]
}

// Changing two elements and getting what was there, in one step that nobody comes between.
func ExampleGetAccumulate() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 2)
		if err != nil {
			return err
		}
		copy(mem, []int{10, 20})
		was := make([]int, 2)
		err = win.Fence()
		if world.Rank() == 0 {
			err = errors.Join(err, mpi.GetAccumulate(win, []int{1, 2}, was, 1, 0, mpi.Sum))
		}
		err = errors.Join(err, win.Fence())
		fmt.Printf("rank %d: was %d, has %d\n", world.Rank(), was, mem)
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0: was [10 20], has [10 20]
	// rank 1: was [0 0], has [11 22]
}

// With NoOp it is a get that nobody comes between.
func ExampleGetAccumulateLayout() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 6)
		if err != nil {
			return err
		}
		for i := range mem {
			mem[i] = i
		}
		got := make([]int, 2)
		err = win.Fence()
		if world.Rank() == 0 {
			ends := mpi.Indexed{{Start: 0, Len: 1}, {Start: 5, Len: 1}}
			err = errors.Join(err, mpi.GetAccumulateLayout(win, nil, got, 1, 0, ends, mpi.NoOp))
		}
		err = errors.Join(err, win.Fence())
		if world.Rank() == 0 {
			fmt.Println(got)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 5]
}

// Drawing numbers from a counter at rank 0: every rank gets another one.
func ExampleFetchOp() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, _, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if err := win.Lock(mpi.LockShared, 0); err != nil {
			return err
		}
		number, err := mpi.FetchOp(win, 1, 0, 0, mpi.Sum)
		all := make([]int, world.Size())
		err = errors.Join(err, win.Unlock(0), mpi.Gather(world, []int{number}, all, 0))
		if world.Rank() == 0 {
			slices.Sort(all)
			fmt.Println(all)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 1 2]
}

// The first rank that finds a zero writes its name there: it is the leader.
func ExampleCompareSwap() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, _, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if err := win.Lock(mpi.LockShared, 0); err != nil {
			return err
		}
		was, err := mpi.CompareSwap(win, 0, 100+world.Rank(), 0, 0)
		if was == 0 && err == nil {
			fmt.Println("one rank leads")
		}
		return errors.Join(err, win.Unlock(0), win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: one rank leads
}

// Waiting for one put alone: then its buffer may be changed.
func ExampleRput() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 2)
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			buf := []int{7, 8}
			err = win.Lock(mpi.LockShared, 0)
			_, perr := mpi.Rput(win, buf, 0, 0).Wait()
			buf[0] = 0
			err = errors.Join(err, perr, win.Unlock(0))
		}
		err = errors.Join(err, mpi.Barrier(world))
		if world.Rank() == 0 {
			fmt.Println(mem)
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [7 8]
}

// Two gets under way; the one that is needed first is waited for first.
func ExampleRget() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 2)
		if err != nil {
			return err
		}
		copy(mem, []int{7, 8})
		if err := mpi.Barrier(world); err != nil {
			return err
		}
		if world.Rank() == 1 {
			a, b := make([]int, 1), make([]int, 1)
			err = win.Lock(mpi.LockShared, 0)
			first, second := mpi.Rget(win, a, 0, 0), mpi.Rget(win, b, 0, 1)
			_, aerr := first.Wait()
			fmt.Println(a[0])
			_, berr := second.Wait()
			fmt.Println(b[0])
			err = errors.Join(err, aerr, berr, win.Unlock(0))
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 7
	// 8
}

func ExampleRaccumulate() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		err = win.LockAll()
		_, werr := mpi.Raccumulate(win, []int{world.Rank()}, 0, 0, mpi.Max).Wait()
		err = errors.Join(err, werr, win.UnlockAll(), mpi.Barrier(world))
		if world.Rank() == 0 {
			fmt.Println("the largest is", mem[0])
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: the largest is 2
}

// Drawing a number from a counter without waiting for it.
func ExampleRgetAccumulate() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, _, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			next := make([]int, 1)
			err = win.Lock(mpi.LockShared, 0)
			req := mpi.RgetAccumulate(win, []int{1}, next, 0, 0, mpi.Sum)
			// do the task of the last number here
			_, werr := req.Wait()
			fmt.Println("the next task is", next[0])
			err = errors.Join(err, werr, win.Unlock(0))
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: the next task is 0
}
