package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

func ExampleComm_Rank() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			fmt.Println("rank 0 says this once for all")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 says this once for all
}

// Dealing out items by rank: each rank takes every Size-th, from its own number on.
func ExampleComm_Size() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		var mine []int
		for item := world.Rank(); item < 8; item += world.Size() {
			mine = append(mine, item)
		}
		fmt.Println("rank", world.Rank(), "takes", mine)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 takes [0 3 6]
	// rank 1 takes [1 4 7]
	// rank 2 takes [2 5]
}

func ExampleComm_Name() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		fmt.Println(world.Name())
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: world
}

// Errors name the communicator.
func ExampleComm_SetName() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		rows, err := world.Dup()
		if err != nil {
			return err
		}
		rows.SetName("rows")
		var details *mpi.Error
		if errors.As(mpi.Send(rows, []int{1}, 5, 0), &details) { // there is no rank 5
			fmt.Println(details.Op, "on", details.Comm)
		}
		return rows.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: send on rows
}

// A library duplicates the communicator that it is given, so that its messages and the program's
// never meet.
func ExampleComm_Dup() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		library, err := world.Dup()
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			err := errors.Join(mpi.Send(world, []byte("program"), 1, 0), mpi.Send(library, []byte("library"), 1, 0))
			return errors.Join(err, library.Free())
		}
		buf := make([]byte, 7)
		for _, c := range []*mpi.Comm{library, world} {
			if _, err := mpi.Recv(c, buf, 0, 0); err != nil {
				return err
			}
			fmt.Printf("%s\n", buf)
		}
		return library.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// library
	// program
}

// Four ranks as a grid of 2 x 2: each row gets a communicator of its own.
func ExampleComm_Split() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		row, column := world.Rank()/2, world.Rank()%2
		rows, err := world.Split(row, column)
		if err != nil {
			return err
		}
		sum := make([]int, 1)
		if err := mpi.Allreduce(rows, []int{world.Rank()}, sum, mpi.Sum); err != nil {
			return err
		}
		if rows.Rank() == 0 {
			fmt.Printf("row %d of %d ranks: sum %d\n", row, rows.Size(), sum[0])
		}
		return rows.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// row 0 of 2 ranks: sum 1
	// row 1 of 2 ranks: sum 5
}

// One rank per host, for what needs to be done once there.
func ExampleComm_SplitShared() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		host, err := world.SplitShared(world.Rank())
		if err != nil {
			return err
		}
		if host.Rank() == 0 && world.Rank() == 0 {
			fmt.Println("rank 0 is the first of its host")
		}
		return host.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 is the first of its host
}

func ExampleComm_SplitNUMA() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		near, err := world.SplitNUMA(0)
		if err != nil || near == nil { // this rank may run next to one memory or another
			return err
		}
		sum := []int{1}
		if err := mpi.Allreduce(near, nil, sum, mpi.Sum); err != nil { // stays within a processor's own memory
			return err
		}
		return near.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
}

// A communicator of the even ranks. The others get nil.
func ExampleComm_Create() {
	err := mpi.Run(5, func(world *mpi.Comm) error {
		even, err := world.Group().Incl(0, 2, 4)
		if err != nil {
			return err
		}
		c, err := world.Create(even)
		if c == nil || err != nil {
			return err
		}
		fmt.Printf("rank %d of the world is rank %d of %d\n", world.Rank(), c.Rank(), c.Size())
		return c.Free()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 of the world is rank 0 of 3
	// rank 2 of the world is rank 1 of 3
	// rank 4 of the world is rank 2 of 3
}

// Calling code that wants a communicator, without the other ranks.
func ExampleComm_Self() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		self := world.Self()
		fmt.Printf("rank %d of %d, and rank %d of %d\n", world.Rank(), world.Size(), self.Rank(), self.Size())
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 of 2, and rank 0 of 1
	// rank 1 of 2, and rank 0 of 1
}

func ExampleComm_Free() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		c, err := world.Dup()
		if err != nil {
			return err
		}
		if err := c.Free(); err != nil { // all its ranks call it
			return err
		}
		if err := mpi.Barrier(c); errors.Is(err, mpi.ErrComm) && world.Rank() == 0 {
			fmt.Println("it cannot be used any more")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: it cannot be used any more
}

// A receive that gives up after a while.
func ExampleComm_WithContext() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			return nil // sends nothing
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		_, err := mpi.Recv(world.WithContext(ctx), make([]int, 1), 1, 0)
		if errors.Is(err, context.DeadlineExceeded) {
			fmt.Println("rank 1 sends nothing")
			return nil
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 sends nothing
}

// Ending all ranks. Under weft run the exit code of the job is 3.
func ExampleComm_Abort() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			world.Abort(3, "the input is empty")
		}
		return mpi.Barrier(world)
	})
	fmt.Println(errors.Is(err, mpi.ErrAborted))
	// Output: true
}

func ExampleComm_Group() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			fmt.Println(world.Group().Size(), "processes")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 3 processes
}

// The time of a call. In a simulation it is the simulated time.
func ExampleComm_Wtime() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		begin := world.Wtime()
		if err := mpi.Barrier(world); err != nil {
			return err
		}
		if seconds := world.Wtime() - begin; seconds < 0 {
			return fmt.Errorf("a barrier of %v s", seconds)
		}
		return nil
	})
	fmt.Println(err)
	// Output: <nil>
}
