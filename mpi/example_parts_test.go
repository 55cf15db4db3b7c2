package mpi_test

import (
	"errors"
	"fmt"
	"sync"

	"github.com/weft-mpi/weft/mpi"
)

// Goroutines fill parts of one message, and each part leaves when its goroutine is done.
func ExamplePsendInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 4)
		if world.Rank() == 1 {
			r := mpi.PrecvInit(world, buf, 1, 0, 0)
			if err := errors.Join(mpi.Start(r.Request), mpi.Waitall([]mpi.Request{r.Request})); err != nil {
				return err
			}
			fmt.Println(buf)
			return nil
		}
		s := mpi.PsendInit(world, buf, 4, 1, 0)
		if err := mpi.Start(s.Request); err != nil {
			return err
		}
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range buf {
			all.Go(func() {
				buf[i] = i * i
				errs[i] = s.Ready(i)
			})
		}
		all.Wait()
		_, err := s.Wait()
		return errors.Join(append(errs, err)...)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 1 4 9]
}

// Working on what has arrived, part by part.
func ExamplePrecvInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := []int{1, 2, 3}
		if world.Rank() == 0 {
			s := mpi.PsendInit(world, buf, 3, 1, 0)
			return errors.Join(mpi.Start(s.Request), s.ReadyRange(0, 3), mpi.Waitall([]mpi.Request{s.Request}))
		}
		clear(buf)
		r := mpi.PrecvInit(world, buf, 3, 0, 0)
		if err := mpi.Start(r.Request); err != nil {
			return err
		}
		for i := 0; i < 3; {
			here, err := r.Arrived(i)
			if err != nil {
				return err
			}
			if here {
				fmt.Println("part", i, "is", buf[i])
				i++
			}
		}
		_, err := r.Wait()
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// part 0 is 1
	// part 1 is 2
	// part 2 is 3
}

func ExamplePartSend_Ready() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 2)
		if world.Rank() == 0 {
			s := mpi.PsendInit(world, buf, 2, 1, 0)
			if err := mpi.Start(s.Request); err != nil {
				return err
			}
			buf[1] = 20
			err := s.Ready(1) // it may leave before part 0 is filled
			buf[0] = 10
			return errors.Join(err, s.Ready(0), mpi.Waitall([]mpi.Request{s.Request}))
		}
		r := mpi.PrecvInit(world, buf, 1, 0, 0)
		err := errors.Join(mpi.Start(r.Request), mpi.Waitall([]mpi.Request{r.Request}))
		fmt.Println(buf)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [10 20]
}

func ExamplePartSend_ReadyRange() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := []int{1, 2, 3, 4}
		if world.Rank() == 0 {
			s := mpi.PsendInit(world, buf, 4, 1, 0)
			return errors.Join(mpi.Start(s.Request), s.ReadyRange(0, 3), s.Ready(3), mpi.Waitall([]mpi.Request{s.Request}))
		}
		clear(buf)
		r := mpi.PrecvInit(world, buf, 2, 0, 0)
		err := errors.Join(mpi.Start(r.Request), mpi.Waitall([]mpi.Request{r.Request}))
		fmt.Println(buf)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [1 2 3 4]
}

func ExamplePartRecv_Arrived() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		out, in := make([]byte, 1<<16), make([]byte, 1<<16)
		s, r := mpi.PsendInit(world, out, 2, 0, 0), mpi.PrecvInit(world, in, 2, 0, 0)
		if err := errors.Join(mpi.Start(r.Request, s.Request), s.Ready(1)); err != nil {
			return err
		}
		first, err := r.Arrived(0)
		if err != nil {
			return err
		}
		second, err := r.Arrived(1)
		if err != nil {
			return err
		}
		fmt.Println(first, second)
		return errors.Join(s.Ready(0), mpi.Waitall([]mpi.Request{s.Request, r.Request}))
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: false true
}
