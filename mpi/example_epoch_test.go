package mpi_test

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// A fence ends one epoch and begins the next: after it, what was put is there.
func ExampleWindow_Fence() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 2)
		if err != nil {
			return err
		}
		other := 1 - world.Rank()
		err = errors.Join(win.Fence(), mpi.Put(win, []int{10 + world.Rank()}, other, 0))
		err = errors.Join(err, win.Fence(), mpi.Put(win, []int{20 + world.Rank()}, other, 1))
		err = errors.Join(err, win.Fence(mpi.NoSucceed)) // no operations come after this one
		fmt.Printf("rank %d has %d\n", world.Rank(), mem)
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [11 21]
	// rank 1 has [10 20]
}

// Rank 0 lets rank 1 put into its memory. Rank 2 is not concerned.
func ExampleWindow_Post() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		switch world.Rank() {
		case 0:
			origins, gerr := win.Group().Incl(1)
			if gerr != nil {
				return gerr
			}
			err = errors.Join(win.Post(origins), win.Wait())
			fmt.Println("rank 0 has", mem[0])
		case 1:
			targets, gerr := win.Group().Incl(0)
			if gerr != nil {
				return gerr
			}
			err = errors.Join(win.Start(targets), mpi.Put(win, []int{42}, 0, 0), win.Complete())
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 has 42
}

// Rank 0 puts into the memory of ranks 1 and 2 in one epoch.
func ExampleWindow_Start() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		origins, err := win.Group().Incl(0)
		if err != nil {
			return err
		}
		if world.Rank() > 0 {
			err = errors.Join(win.Post(origins), win.Wait())
			fmt.Printf("rank %d has %d\n", world.Rank(), mem[0])
			return errors.Join(err, win.Free())
		}
		targets := win.Group().Difference(origins)
		err = errors.Join(win.Start(targets), mpi.Put(win, []int{10}, 1, 0), mpi.Put(win, []int{20}, 2, 0), win.Complete())
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 1 has 10
	// rank 2 has 20
}

// After Complete, what was got is there.
func ExampleWindow_Complete() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		other, err := win.Group().Incl(1 - world.Rank())
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			mem[0] = 42
			return errors.Join(win.Post(other), win.Wait(), win.Free())
		}
		got := make([]int, 1)
		err = errors.Join(win.Start(other), mpi.Get(win, got, 0, 0), win.Complete())
		fmt.Println("rank 1 got", got[0])
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 got 42
}

// After Wait, what others have put is there, and the memory may be used again.
func ExampleWindow_Wait() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		other, err := win.Group().Incl(1 - world.Rank())
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			return errors.Join(win.Start(other), mpi.Put(win, []int{42}, 0, 0), win.Complete(), win.Free())
		}
		err = errors.Join(win.Post(other), win.Wait())
		fmt.Println("rank 0 has", mem[0])
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 has 42
}

// Working until the origins have completed their operations.
func ExampleWindow_Test() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		other, err := win.Group().Incl(1 - world.Rank())
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			return errors.Join(win.Start(other), mpi.Put(win, []int{42}, 0, 0), win.Complete(), win.Free())
		}
		err = win.Post(other)
		for over := false; !over && err == nil; {
			// do a piece of work here
			over, err = win.Test()
		}
		fmt.Println("rank 0 has", mem[0])
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 has 42
}

// An exclusive lock: nobody changes the value between the get and the put. Rank 0 does nothing for
// it.
func ExampleWindow_Lock() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		value := make([]int, 1)
		err = errors.Join(win.Lock(mpi.LockExclusive, 0), mpi.Get(win, value, 0, 0), win.Flush(0))
		value[0] = value[0]*2 + 1
		err = errors.Join(err, mpi.Put(win, value, 0, 0), win.Unlock(0), mpi.Barrier(world))
		if world.Rank() == 0 {
			fmt.Println(mem[0])
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 15
}

// After Unlock the operations are over, at the target too.
func ExampleWindow_Unlock() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			err = errors.Join(win.Lock(mpi.LockShared, 0), mpi.Put(win, []int{42}, 0, 0), win.Unlock(0))
		}
		err = errors.Join(err, mpi.Barrier(world)) // now rank 0 knows
		if world.Rank() == 0 {
			fmt.Println("rank 0 has", mem[0])
		}
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 has 42
}

// Locking all targets once, for many operations on any of them.
func ExampleWindow_LockAll() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		err = win.LockAll()
		for target := range world.Size() {
			err = errors.Join(err, mpi.Accumulate(win, []int{1}, target, 0, mpi.Sum))
		}
		err = errors.Join(err, win.UnlockAll(), mpi.Barrier(world))
		fmt.Printf("rank %d has %d\n", world.Rank(), mem[0])
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 3
	// rank 1 has 3
	// rank 2 has 3
}

func ExampleWindow_UnlockAll() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		mem[0] = 10 * world.Rank()
		got := make([]int, 1)
		err = errors.Join(mpi.Barrier(world), win.LockAll(), mpi.Get(win, got, 1, 0), win.UnlockAll()) // now got is there
		fmt.Printf("rank %d got %d\n", world.Rank(), got[0])
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 got 10
	// rank 1 got 10
}

// Rank 0 is told of what was put while the lock is still held.
func ExampleWindow_Flush() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			err = errors.Join(win.Lock(mpi.LockShared, 0), mpi.Put(win, []int{42}, 0, 0), win.Flush(0))
			err = errors.Join(err, mpi.Send(world, []byte("look"), 0, 0), win.Unlock(0))
			return errors.Join(err, win.Free())
		}
		_, err = mpi.Recv(world, make([]byte, 4), 1, 0)
		fmt.Println("rank 0 has", mem[0])
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 has 42
}

func ExampleWindow_FlushAll() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 1)
		if err != nil {
			return err
		}
		if err := win.LockAll(); err != nil {
			return err
		}
		if world.Rank() == 0 {
			err = errors.Join(mpi.Put(win, []int{10}, 1, 0), mpi.Put(win, []int{20}, 2, 0), win.FlushAll())
		}
		err = errors.Join(err, mpi.Barrier(world)) // now the others know
		fmt.Printf("rank %d has %d\n", world.Rank(), mem[0])
		return errors.Join(err, win.UnlockAll(), win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 0
	// rank 1 has 10
	// rank 2 has 20
}

// One buffer for several puts: it may be changed after FlushLocal.
func ExampleWindow_FlushLocal() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 3)
		if err != nil {
			return err
		}
		if world.Rank() == 1 {
			err = win.Lock(mpi.LockExclusive, 0)
			buf := make([]int, 1)
			for i := range 3 {
				buf[0] = 10 * i
				err = errors.Join(err, mpi.Put(win, buf, 0, i), win.FlushLocal(0))
			}
			err = errors.Join(err, win.Unlock(0))
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
	// Output: [0 10 20]
}

func ExampleWindow_FlushLocalAll() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		win, mem, err := mpi.AllocateWindow[int](world, 2)
		if err != nil {
			return err
		}
		err = win.LockAll()
		buf := make([]int, 1)
		for i := range 2 {
			buf[0] = i + 1
			for target := range world.Size() {
				err = errors.Join(err, mpi.Accumulate(win, buf, target, i, mpi.Sum))
			}
			err = errors.Join(err, win.FlushLocalAll()) // now buf may be changed
		}
		err = errors.Join(err, win.UnlockAll(), mpi.Barrier(world))
		fmt.Printf("rank %d has %d\n", world.Rank(), mem)
		return errors.Join(err, win.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has [2 4]
	// rank 1 has [2 4]
}

// Storing into a neighbour's memory: both sides call Sync, with a message or a barrier in between.
func ExampleWindow_Sync() {
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
		err = errors.Join(win.Sync(), mpi.Barrier(host), win.Sync())
		fmt.Printf("rank %d has %d\n", world.Rank(), mem[0])
		return errors.Join(err, win.Free(), host.Free())
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 42
	// rank 1 has 42
}
