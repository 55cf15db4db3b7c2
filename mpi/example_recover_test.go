package mpi_test

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// One rank has met an error that the others do not know of, and might wait for it for ever: it revokes the
// communicator, and all go on with a new one.
func ExampleComm_Revoke() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		work, err := world.Dup()
		if err != nil {
			return err
		}
		if work.Rank() == 1 {
			err = work.Revoke()
		} else if err = mpi.Barrier(work); errors.Is(err, mpi.ErrRevoked) { //weft:ignore collective Revoke ends it
			err = nil
		}
		if err != nil {
			return err
		}
		rest, err := work.Shrink()
		if err == nil && rest.Rank() == 0 {
			fmt.Println("of", work.Size(), "ranks", rest.Size(), "go on")
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: of 3 ranks 3 go on
}

// Did all ranks save their part? The bits that all of them set are the same at all, whoever dies meanwhile.
func ExampleComm_Agree() {
	const saved, checked = 1, 2
	err := mpi.Run(3, func(world *mpi.Comm) error {
		mine := uint64(saved)
		if world.Rank() != 2 {
			mine |= checked
		}
		all, err := world.Agree(mine)
		if err == nil && world.Rank() == 0 {
			fmt.Println("all saved:", all&saved != 0, "all checked:", all&checked != 0)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: all saved: true all checked: false
}

// Who is dead, as far as this rank knows. Ranks of Run live.
func ExampleComm_FailedRanks() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			fmt.Println(len(world.FailedRanks()), "dead")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 0 dead
}

// A rank that hands out work goes on receiving from anybody, though workers have died.
func ExampleComm_AckFailed() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			return mpi.Send(world, []int{42}, 0, 0)
		}
		var result [1]int
		for {
			_, err := mpi.Recv(world, result[:], mpi.AnySource, 0)
			if !errors.Is(err, mpi.ErrProcFailed) {
				fmt.Println(result[0])
				return err
			}
			for _, worker := range world.AckFailed() {
				fmt.Println("the work of", worker, "goes to another one")
			}
		}
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 42
}
