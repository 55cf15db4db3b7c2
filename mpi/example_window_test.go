package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Memory that the ranks of a host share: long messages out of it take a single copy.
func ExampleAlloc() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf, err := mpi.Alloc[float64](world, 100_000)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			buf[99_999] = 1.5
			return errors.Join(mpi.Send(world, buf, 1, 0), mpi.Free(world, buf))
		}
		if _, err := mpi.Recv(world, buf, 0, 0); err != nil {
			return err
		}
		fmt.Println("the last one is", buf[99_999])
		return mpi.Free(world, buf)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: the last one is 1.5
}

func ExampleFree() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		buf, err := mpi.Alloc[byte](world, 1<<20)
		if err != nil {
			return err
		}
		return mpi.Free(world, buf) // buf must not be used any more
	})
	fmt.Println(err)
	// Output: <nil>
}

// Every rank puts its number into the memory of its right neighbour.
func ExampleAllocateWindow() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		right := (world.Rank() + 1) % world.Size()
		if err := errors.Join(win.Fence(), mpi.Put(win, []int{world.Rank()}, right, 0), win.Fence()); err != nil {
			return err
		}
		fmt.Printf("rank %d has %d\n", world.Rank(), mem[0])
		return win.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 2
	// rank 1 has 0
	// rank 2 has 1
}

// Only rank 0 has memory to offer: a slice of its own.
func ExampleCreateWindow() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		var table []float64
		if world.Rank() == 0 {
			table = []float64{0, 0.5, 1, 1.5}
		}
		win, err := mpi.CreateWindow(world, table)
		if err != nil {
			return err
		}
		got := make([]float64, 2)
		err = win.Fence()
		if world.Rank() == 1 {
			err = errors.Join(err, mpi.Get(win, got, 0, 2)) // elements 2 and 3 of rank 0
		}
		if err = errors.Join(err, win.Fence()); err != nil {
			return err
		}
		if world.Rank() == 1 {
			fmt.Println(got)
		}
		return win.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [1 1.5]
}

// The ranks of a host store into each other's memory like into their own.
func ExampleSharedWindow() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		host, err := world.SplitShared(world.Rank())
		if err != nil {
			return err
		}
		win, mem, err := mpi.SharedWindow[int](host, 1)
		if err != nil {
			return err
		}
		next, err := mpi.Query[int](win, (host.Rank()+1)%host.Size())
		if err != nil {
			return err
		}
		next[0] = 42
		if err := win.Fence(); err != nil {
			return err
		}
		fmt.Printf("rank %d has %d\n", world.Rank(), mem[0])
		return errors.Join(win.Free(), host.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 42
	// rank 1 has 42
}

// Reading the part of another rank of this host.
func ExampleQuery() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		host, err := world.SplitShared(world.Rank())
		if err != nil {
			return err
		}
		win, mem, err := mpi.SharedWindow[int](host, 1)
		if err != nil {
			return err
		}
		mem[0] = 10 + host.Rank()
		if err := win.Fence(); err != nil {
			return err
		}
		first, err := mpi.Query[int](win, 0)
		if err != nil {
			return err
		}
		fmt.Printf("rank %d reads %d\n", world.Rank(), first[0])
		return errors.Join(win.Free(), host.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 reads 10
	// rank 1 reads 10
	// rank 2 reads 10
}

// Memory is added while the program runs. Others need the address that Attach returns.
func ExampleDynamicWindow() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, err := mpi.DynamicWindow(world)
		if err != nil {
			return err
		}
		address, list := []int{0}, []int{7, 8, 9}
		if world.Rank() == 0 {
			if address[0], err = mpi.Attach(win, list); err != nil {
				return err
			}
		}
		if err := mpi.Bcast(world, address, 0); err != nil {
			return err
		}
		if world.Rank() == 1 {
			got := make([]int, 3)
			if err := errors.Join(win.Lock(mpi.LockShared, 0), mpi.Get(win, got, 0, address[0]), win.Unlock(0)); err != nil {
				return err
			}
			fmt.Println(got)
		}
		return win.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [7 8 9]
}

// Displacements in a dynamic window count bytes: element i lies i times its size behind the
// address.
func ExampleAttach() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		win, err := mpi.DynamicWindow(world)
		if err != nil {
			return err
		}
		list := []int64{7, 8, 9}
		address, err := mpi.Attach(win, list)
		if err != nil {
			return err
		}
		err = errors.Join(win.Lock(mpi.LockExclusive, 0), mpi.Put(win, []int64{80}, 0, address+1*8), win.Unlock(0))
		fmt.Println(list)
		return errors.Join(err, mpi.Detach(win, list), win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [7 80 9]
}

func ExampleDetach() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		win, err := mpi.DynamicWindow(world)
		if err != nil {
			return err
		}
		list := []int{7, 8, 9}
		address, err := mpi.Attach(win, list)
		if err != nil {
			return err
		}
		if err := errors.Join(mpi.Detach(win, list), win.Lock(mpi.LockShared, 0)); err != nil {
			return err
		}
		err = errors.Join(mpi.Get(win, make([]int, 1), 0, address), win.Flush(0))
		fmt.Println("out of reach:", errors.Is(err, mpi.ErrRange))
		return errors.Join(win.Unlock(0), win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: out of reach: true
}

func ExampleWindow_SetName() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		win, _, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		win.SetName("counters")
		var details *mpi.Error
		if errors.As(mpi.Put(win, []int{1}, 0, 0), &details) { // no epoch has begun
			fmt.Println(details.Op, "on", details.Comm)
		}
		return win.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: put on counters
}

func ExampleWindow_Name() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		win, _, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		win.SetName("counters")
		fmt.Println(win.Name())
		return win.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: counters
}

func ExampleWindow_Group() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, _, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(win.Group().Size(), "ranks have a part")
		}
		return win.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 3 ranks have a part
}

// Waiting for a lock, but not for ever.
func ExampleWindow_WithContext() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, _, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if world.Rank() == 0 { // keeps the lock of its own part until rank 1 has given up
			err := errors.Join(win.Lock(mpi.LockExclusive, 0), mpi.Barrier(world), mpi.Barrier(world), win.Unlock(0))
			return errors.Join(err, win.Free())
		}
		if err := mpi.Barrier(world); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		err = win.WithContext(ctx).Lock(mpi.LockExclusive, 0)
		fmt.Println("given up:", errors.Is(err, context.DeadlineExceeded))
		return errors.Join(mpi.Barrier(world), win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: given up: true
}

// A window is freed by all its ranks; allocated memory goes with it.
func ExampleWindow_Free() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		mem[0] = 42
		last := mem[0] // what is needed later is copied
		if err := win.Free(); err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(last)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 42
}
