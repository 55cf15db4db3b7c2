// Package collective has collective calls that only some ranks make, and some that all make.
package collective

import (
	"context"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

func oneRank(c *mpi.Comm) error {
	if c.Rank() == 0 {
		return mpi.Barrier(c) // want collective "only some ranks of c come here to call Barrier: the way depends on the rank. Barrier needs all ranks, so the job hangs. Call it on all ranks, or make a communicator"
	}
	return nil
}

func byVariable(world *mpi.Comm, buf []int) (err error) {
	rank, size := world.Rank(), world.Size()
	root := rank == 0
	if root && size > 1 {
		fmt.Println("hello")
		err = mpi.Bcast(world, buf, 0) // want collective "only some ranks of world come here to call Bcast:"
	}
	next := (rank + 1) % size
	if int64(next) > 3 {
		err = mpi.Barrier(world) // want collective "only some ranks of world come here to call Barrier:"
	}
	return err
}

func inElse(c *mpi.Comm, buf []int) error {
	var err error
	if c.Rank() == 0 {
		err = mpi.Send(c, buf, 1, 0)
	} else {
		_, err = mpi.Ibarrier(c).Wait() // want collective "only some ranks of c come here to call Ibarrier:"
	}
	return err
}

func bothSides(c *mpi.Comm, buf []int) error {
	if c.Rank() == 0 {
		buf[0] = 1
		if err := mpi.Bcast(c, buf, 0); err != nil {
			return err
		}
	} else if err := mpi.Bcast(c, buf, 0); err != nil {
		return err
	}
	if c.Rank() == 0 {
		return mpi.Barrier(c)
	}
	return mpi.Barrier(c)
}

func otherOrder(c *mpi.Comm, buf []int) error {
	if c.Rank() == 0 {
		return errors.Join(mpi.Bcast(c, buf, 0), mpi.Barrier(c)) // want collective "some ranks of c call Bcast here while others call Barrier in line 62: all ranks must make the same collective calls"
	}
	return errors.Join(mpi.Barrier(c), mpi.Bcast(c, buf, 0))
}

func early(c *mpi.Comm, buf []int) error {
	if c.Rank() != 0 {
		return nil
	}
	fmt.Println(buf)
	return mpi.Barrier(c) // want collective "only some ranks of c come here to call Barrier:"
}

func earlyByTurn(c *mpi.Comm, buf []int) error {
	for i := range 3 {
		if c.Rank() == i {
			continue
		}
		if err := mpi.Bcast(c, buf, i); err != nil { // want collective "only some ranks of c come here to call Bcast:"
			return err
		}
	}
	return mpi.Barrier(c)
}

func failing(c *mpi.Comm, name string) error {
	if c.Rank() == 0 && name == "" {
		return errors.New("no name")
	}
	if c.Rank() == 0 {
		if err := look(name); err != nil {
			return err
		}
	}
	if c.Rank() > 100 {
		panic("too many")
	}
	if c.Rank() > 50 {
		c.Abort(1, "too many")
	}
	if c.Rank() > 40 {
		return fmt.Errorf("rank %d", c.Rank())
	}
	return mpi.Barrier(c)
}

func look(name string) error { return errors.New(name) }

func bySwitch(c *mpi.Comm, buf []int) error {
	var err error
	switch c.Rank() {
	case 0:
		err = mpi.Bcast(c, buf, 0) // want collective "only some ranks of c come here to call Bcast:"
	default:
		err = mpi.Send(c, buf, 0, 0)
	case 1:
		err = mpi.Bcast(c, buf, 0)
	}
	switch rank := c.Rank(); {
	case rank < 2:
		err = mpi.Barrier(c) // want collective "only some ranks of c come here to call Barrier"
	case rank > 4:
		_, err = c.Dup()
	}
	return err
}

func allCases(c *mpi.Comm, buf []int) error {
	switch c.Rank() {
	case 0:
		if err := mpi.Send(c, buf, 1, 0); err != nil {
			return err
		}
		return mpi.Barrier(c)
	case 1:
		if _, err := mpi.Recv(c, buf, 0, 0); err != nil {
			return err
		}
		return mpi.Barrier(c)
	}
	return nil
}

func byLoop(c *mpi.Comm, buf []int) error {
	for i := 0; i < c.Rank(); i++ {
		if err := mpi.Bcast(c, buf, i); err != nil { // want collective "the ranks of c call Bcast a different number of times"
			return err
		}
	}
	for range c.Rank() {
		if err := mpi.Barrier(c); err != nil { // want collective "the ranks of c call Barrier a different number of times"
			return err
		}
	}
	for i := c.Rank(); i < len(buf); i += c.Size() {
		buf[i]++
	}
	for i := range c.Size() {
		if err := mpi.Bcast(c, buf, i); err != nil {
			return err
		}
	}
	return nil
}

func subset(c *mpi.Comm, buf []int) error {
	color := mpi.Undefined
	if c.Rank() < 2 {
		color = 0
	}
	some, err := c.Split(color, 0)
	if err != nil {
		return err
	}
	if c.Rank() < 2 {
		return mpi.Barrier(some)
	}
	if some != nil {
		return mpi.Barrier(some)
	}
	if c.Rank() == 0 {
		return mpi.Barrier(c.Self())
	}
	return nil
}

func leaders(c *mpi.Comm, buf []int) error {
	near, err := c.SplitShared(0)
	if err != nil {
		return err
	}
	color := mpi.Undefined
	if near.Rank() == 0 {
		color = 0
	}
	heads, err := c.Split(color, 0)
	if err != nil {
		return err
	}
	if near.Rank() == 0 {
		if err := mpi.Bcast(heads, buf, 0); err != nil {
			return err
		}
	}
	if near.Rank() == 0 {
		err = mpi.Barrier(near) // want collective "only some ranks of near come here to call Barrier:"
	}
	return err
}

func sameRanks(ctx context.Context, c *mpi.Comm, buf []int) error {
	other, err := c.Dup()
	if err != nil {
		return err
	}
	w, mem, err := mpi.AllocateWindow[int](other, 4)
	if err != nil {
		return err
	}
	bounded := c.WithContext(ctx)
	if c.Rank() == 0 {
		mem[0] = 1
		if err := w.Fence(); err != nil { // want collective "only some ranks of c come here to call Fence:"
			return err
		}
	}
	if c.Rank() == 0 {
		err = mpi.Barrier(bounded) // want collective "only some ranks of c come here to call Barrier:"
	}
	if bounded.Rank() == 0 {
		err = mpi.Barrier(c.WithContext(ctx)) // want collective "only some ranks of c come here to call Barrier:"
	}
	if other.Rank() == 0 {
		_, err = c.Split(0, 0) // want collective "only some ranks of c come here to call Split:"
	}
	return err
}

func changed(c *mpi.Comm) error {
	rank := c.Rank()
	c, err := c.Split(rank%2, 0)
	if err != nil {
		return err
	}
	if rank == 0 {
		return mpi.Barrier(c)
	}
	return nil
}

func others(c *mpi.Comm, work func() error) error {
	if c.Rank() == 0 {
		return mpi.Barrier(c)
	}
	if c.Size() > 4 {
		return worker(c)
	}
	return work()
}

func worker(c *mpi.Comm) error { return mpi.Barrier(c) }

func errorsOfRanks(c *mpi.Comm) error {
	n, err := share(c.Rank())
	if err != nil {
		return err
	}
	if n > 3 {
		fmt.Println(n)
	}
	return mpi.Barrier(c)
}

func share(rank int) (int, error) { return rank / 2, nil }

type solver struct{ world *mpi.Comm }

func (s *solver) step(buf []int) error {
	if s.world.Rank() == 0 {
		return mpi.Bcast(s.world, buf, 0) // want collective "only some ranks of s.world come here to call Bcast:"
	}
	return nil
}

func meant(c *mpi.Comm) error {
	if c.Rank() == 0 {
		return mpi.Barrier(c) //weft:ignore collective the others are past it
	}
	return nil
}

func gathered(world *mpi.Comm, own []int) ([]int, error) {
	if world.Rank() != 0 {
		return nil, mpi.Gather(world, own, nil, 0)
	}
	all := make([]int, world.Size())
	return all, mpi.Gather(world, own, all, 0)
}

func save(c *mpi.Comm, own []int) error {
	all := make([]int, c.Size())
	if err := mpi.Gather(c, own, all, 0); err != nil {
		return err
	}
	show(all)
	return nil
}

func show(all []int) { fmt.Println(all) }

func through(c *mpi.Comm, own []int) error {
	if c.Rank() == 0 {
		return save(c, own) // want collective "only some ranks of c come here to call save, which calls Gather: the way depends on the rank. Gather needs all ranks"
	}
	return nil
}

func throughBoth(c *mpi.Comm, own []int) error {
	if c.Rank() == 0 {
		return save(c, own)
	}
	return mpi.Gather(c, own, nil, 0)
}

func throughTwo(c *mpi.Comm, own []int) error {
	if c.Rank() == 0 {
		if err := twice(c, own); err != nil { // want collective "come here to call twice, which calls Gather"
			return err
		}
	}
	return mpi.Barrier(c)
}

func twice(c *mpi.Comm, own []int) error { return errors.Join(save(c, own), save(c, own)) }

func sometimes(c *mpi.Comm, buf []int, loud bool) error {
	if c.Rank() == 0 {
		if loud {
			return mpi.Bcast(c, buf, 0)
		}
		return mpi.Bcast(c, buf, 0)
	}
	return mpi.Bcast(c, buf, 0)
}

func inLoops(c *mpi.Comm, buf []int, n int) error {
	if c.Rank() == 0 {
		for i := range n {
			buf[0] = i
			if err := mpi.Bcast(c, buf, 0); err != nil {
				return err
			}
		}
		return mpi.Bcast(c, buf[:0], 0)
	}
	for {
		if err := mpi.Bcast(c, buf, 0); err != nil {
			return err
		}
	}
}

func otherName(s *solver, world *mpi.Comm) error {
	if world.Rank() == 0 {
		return mpi.Barrier(world)
	}
	return mpi.Barrier(s.world)
}

func endless(c *mpi.Comm, n int) error {
	if n == 0 {
		return nil
	}
	return endless(c, n-1)
}

func recursive(c *mpi.Comm) error {
	if c.Rank() == 0 {
		return mpi.Barrier(c)
	}
	return endless(c, 3)
}

func (s *solver) rows() []int { return nil }

func methods(c *mpi.Comm, s *solver) error {
	if c.Rank() == 0 {
		show(s.rows())
		return mpi.Barrier(c) // want collective "only some ranks of c come here to call Barrier"
	}
	return nil
}
