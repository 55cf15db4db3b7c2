package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestRevoke: whatever is under way on a communicator that a rank revokes ends with ErrRevoked at all ranks, whatever
// is begun later too, and other communicators do not notice. What was done with the old one works with a new one.
func TestRevoke(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		err := mpi.Run(n, func(world *mpi.Comm) error {
			c, err := world.Dup()
			if err != nil {
				return err
			}
			me, next := c.Rank(), (c.Rank()+1)%n
			pending := []mpi.Request{
				mpi.Irecv(c, make([]int, 1), next, 1),
				mpi.Irecv(c, make([]int, 1), mpi.AnySource, 2),
				mpi.Isend(c, make([]int, 1<<18), next, 3),
				mpi.Issend(c, make([]int, 1), next, 4),
			}
			if me > 0 { // rank 0 never comes
				//weft:ignore collective Revoke ends them
				pending = append(pending, mpi.Ibarrier(c), mpi.Iallreduce(c, []int{1}, make([]int, 1), mpi.Sum))
			}
			if err := mpi.Barrier(world); err != nil {
				return err
			}
			if me == 0 {
				if err := c.Revoke(); err != nil {
					return err
				}
			}
			for i, r := range pending {
				if _, err := r.Wait(); !errors.Is(err, mpi.ErrRevoked) {
					return fmt.Errorf("pending request %d: %v", i, err)
				}
			}
			if err := c.Revoke(); err != nil { // all may
				return err
			}
			_, recvErr := mpi.Recv(c, make([]int, 1), next, 1)
			for i, err := range []error{mpi.Send(c, []int{1}, next, 1), recvErr, mpi.Barrier(c), dupError(c)} {
				if !errors.Is(err, mpi.ErrRevoked) {
					return fmt.Errorf("later call %d: %v", i, err)
				}
			}
			if flags, err := c.Agree(uint64(2 | me)); err != nil || flags&^1 != 2 {
				return fmt.Errorf("agreed on %d, %v", flags, err)
			}
			d, err := c.Shrink()
			if err != nil {
				return err
			}
			if d.Size() != n || d.Rank() != me {
				return fmt.Errorf("rank %d of %d is rank %d of %d", me, n, d.Rank(), d.Size())
			}
			sum := []int{0}
			if err := mpi.Allreduce(d, []int{me}, sum, mpi.Sum); err != nil || sum[0] != n*(n-1)/2 {
				return fmt.Errorf("sum %d, %v", sum[0], err)
			}
			return errors.Join(c.Free(), d.Free(), mpi.Barrier(world))
		})
		if err != nil {
			t.Errorf("%d ranks: %v", n, err)
		}
	}
}

func dupError(c *mpi.Comm) error {
	_, err := c.Dup()
	return err
}

// TestAgree: all ranks get the bits that all have, again and again, on several communicators.
func TestAgree(t *testing.T) {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		half, err := world.Split(world.Rank()%2, 0)
		if err != nil {
			return err
		}
		for n := range 200 {
			all, err := world.Agree(^uint64(1 << world.Rank()))
			if err != nil || all != ^uint64(15) {
				return fmt.Errorf("agreement %d of all: %x, %v", n, all, err)
			}
			some, err := half.Agree(^uint64(1 << world.Rank()))
			if want := ^uint64(5 << (world.Rank() % 2)); err != nil || some != want {
				return fmt.Errorf("agreement %d of half: %x, %v, want %x", n, some, err, want)
			}
		}
		if world.FailedRanks() != nil || world.AckFailed() != nil {
			return errors.New("somebody is dead")
		}
		return half.Free()
	})
	if err != nil {
		t.Error(err)
	}
}

// TestShrinkAgain: numbers of communicators come again, and nothing of the one before is met.
func TestShrinkAgain(t *testing.T) {
	t.Setenv("WEFT_LAB_COMM_NUMBERS", "5")
	err := mpi.Run(3, func(world *mpi.Comm) error {
		for n := range 40 {
			c, err := world.Shrink()
			if err != nil {
				return err
			}
			got := []int{0}
			if _, err := mpi.Sendrecv(c, []int{n}, (c.Rank()+1)%3, 0, got, (c.Rank()+2)%3, 0); err != nil || got[0] != n {
				return fmt.Errorf("%d instead of %d: %v", got[0], n, err)
			}
			if err := mpi.Barrier(world); err != nil {
				return err
			}
			if n%2 == 0 {
				if err := c.Revoke(); err != nil {
					return err
				}
			}
			if err := c.Free(); err != nil {
				return err
			}
			if err := mpi.Barrier(world); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestShrinkInstead: a rank that calls Shrink does not keep others waiting in Agree.
func TestShrinkInstead(t *testing.T) {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() != 1 {
			if flags, err := world.Agree(1); flags != 0 || !errors.Is(err, mpi.ErrRevoked) {
				return fmt.Errorf("agreed on %d, %v", flags, err)
			}
		}
		c, err := world.Shrink()
		if err != nil {
			return err
		}
		if _, err := world.Agree(1); !errors.Is(err, mpi.ErrRevoked) {
			return fmt.Errorf("agreed after Shrink: %v", err)
		}
		return c.Free()
	})
	if err != nil {
		t.Error(err)
	}
}

// ExampleComm_Shrink goes on without the ranks that have died; here none has.
func ExampleComm_Shrink() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		comm := world
		err := mpi.Barrier(comm)
		for errors.Is(err, mpi.ErrProcFailed) || errors.Is(err, mpi.ErrRevoked) {
			if err = comm.Revoke(); err != nil {
				return err
			}
			if comm, err = comm.Shrink(); err != nil {
				return err
			}
			err = mpi.Barrier(comm)
		}
		all, agreed := comm.Agree(0b11)
		if comm.Rank() == 0 {
			fmt.Println(comm.Size(), "ranks agree on", all)
		}
		return errors.Join(err, agreed)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 3 ranks agree on 3
}
