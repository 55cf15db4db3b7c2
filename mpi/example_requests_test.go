package mpi_test

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Handling all messages that have come, and waiting if there is none.
func ExampleWaitsome() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, []int{world.Rank() * 10}, 0, 0)
		}
		in, reqs := make([]int, 2), make([]mpi.Request, 2)
		for i := range reqs {
			reqs[i] = mpi.Irecv(world, in[i:i+1], i+1, 0)
		}
		for {
			indices, statuses, err := mpi.Waitsome(reqs)
			if indices == nil || err != nil { // nil: all are done
				return err
			}
			for k, i := range indices {
				fmt.Printf("rank %d sent %d\n", statuses[k].Source, in[i])
			}
		}
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 1 sent 10
	// rank 2 sent 20
}

// Working until all messages are complete.
func ExampleTestall() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, []int{world.Rank() * 10}, 0, 0)
		}
		in := make([]int, 2)
		reqs := []mpi.Request{mpi.Irecv(world, in[:1], 1, 0), mpi.Irecv(world, in[1:], 2, 0)}
		for {
			done, err := mpi.Testall(reqs)
			if err != nil {
				return err
			}
			if done {
				break
			}
			// do a piece of work here
		}
		fmt.Println(in)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [10 20]
}

// Working until one of the messages is complete, whichever it is.
func ExampleTestany() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, []int{world.Rank() * 10}, 0, 0)
		}
		in := make([]int, 2)
		reqs := []mpi.Request{mpi.Irecv(world, in[:1], 1, 0), mpi.Irecv(world, in[1:], 2, 0)}
		for {
			i, st, done, err := mpi.Testany(reqs)
			switch {
			case err != nil:
				return err
			case done && i < 0: // no request is active any more
				return nil
			case done:
				fmt.Printf("rank %d sent %d\n", st.Source, in[i])
			default:
				// do a piece of work here
			}
		}
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 1 sent 10
	// rank 2 sent 20
}

// Handling what has come after each piece of work.
func ExampleTestsome() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, []int{world.Rank() * 10}, 0, 0)
		}
		in := make([]int, 2)
		reqs := []mpi.Request{mpi.Irecv(world, in[:1], 1, 0), mpi.Irecv(world, in[1:], 2, 0)}
		for left := len(reqs); left > 0; {
			// do a piece of work here
			indices, statuses, err := mpi.Testsome(reqs)
			if err != nil {
				return err
			}
			for k, i := range indices {
				fmt.Printf("rank %d sent %d\n", statuses[k].Source, in[i])
			}
			left -= len(indices)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 1 sent 10
	// rank 2 sent 20
}

// The same message in every step: described once, started again and again.
func ExampleSendInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 1)
		var req mpi.Request
		if world.Rank() == 0 {
			req = mpi.SendInit(world, buf, 1, 0)
		} else {
			req = mpi.RecvInit(world, buf, 0, 0)
		}
		for step := range 3 {
			if world.Rank() == 0 {
				buf[0] = step * 10
			}
			if err := mpi.Start(req); err != nil {
				return err
			}
			if _, err := req.Wait(); err != nil {
				return err
			}
			if world.Rank() == 1 {
				fmt.Println("step", step, "brings", buf[0])
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// step 0 brings 0
	// step 1 brings 10
	// step 2 brings 20
}

// When a started request is over, the receiver has begun to receive: rank 0 is never more than one
// step ahead.
func ExampleSsendInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			for range 2 {
				if _, err := mpi.Recv(world, make([]int, 1), 0, 0); err != nil {
					return err
				}
			}
			return nil
		}
		req := mpi.SsendInit(world, []int{42}, 1, 0)
		for step := range 2 {
			err := mpi.Start(req)
			if _, werr := req.Wait(); err != nil || werr != nil {
				return errors.Join(err, werr)
			}
			fmt.Println("rank 1 is in step", step)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 1 is in step 0
	// rank 1 is in step 1
}

// A rank that gets the same kind of message again and again.
func ExampleRecvInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return errors.Join(mpi.Send(world, []int{1}, 1, 0), mpi.Send(world, []int{2}, 1, 0))
		}
		buf := make([]int, 1)
		req := mpi.RecvInit(world, buf, 0, 0)
		for range 2 {
			if err := mpi.Start(req); err != nil {
				return err
			}
			if _, err := req.Wait(); err != nil {
				return err
			}
			fmt.Println("rank 1 has", buf[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 1 has 1
	// rank 1 has 2
}

// Starting an exchange of several messages, in every step.
func ExampleStart() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		other := 1 - world.Rank()
		out, in := make([]int, 1), make([]int, 1)
		exchange := []mpi.Request{mpi.RecvInit(world, in, other, 0), mpi.SendInit(world, out, other, 0)}
		for step := range 2 {
			out[0] = 10*step + world.Rank()
			if err := mpi.Start(exchange...); err != nil {
				return err
			}
			if err := mpi.Waitall(exchange); err != nil {
				return err
			}
			fmt.Printf("rank %d, step %d: %d\n", world.Rank(), step, in[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0, step 0: 1
	// rank 0, step 1: 11
	// rank 1, step 0: 0
	// rank 1, step 1: 10
}

// Sending a copy in every round: the buffer is free as soon as the request has been started.
func ExampleBsendInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 1)
		if world.Rank() == 1 {
			for range 2 {
				if _, err := mpi.Recv(world, buf, 0, 0); err != nil {
					return err
				}
				fmt.Println(buf[0])
			}
			return nil
		}
		r := mpi.BsendInit(world, buf, 1, 0)
		for round := 1; round <= 2; round++ {
			buf[0] = round
			if err := errors.Join(mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1
	// 2
}

// A send whose receive is known to wait, in every round.
func ExampleRsendInit() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 1)
		r := mpi.RsendInit(world, buf, 1, 0)
		if world.Rank() == 1 {
			r = mpi.RecvInit(world, buf, 0, 0)
		}
		for round := 1; round <= 2; round++ {
			if world.Rank() == 1 {
				if err := errors.Join(mpi.Start(r), mpi.Barrier(world), mpi.Waitall([]mpi.Request{r})); err != nil {
					return err
				}
				fmt.Println(buf[0])
				continue
			}
			buf[0] = round
			if err := errors.Join(mpi.Barrier(world), mpi.Start(r), mpi.Waitall([]mpi.Request{r})); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1
	// 2
}

// Looking at a request that somebody else will wait for.
func ExampleRequest_Done() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		buf := make([]int, 1)
		r := mpi.Irecv(world, buf, 0, 0)
		_, early, err := r.Done()
		if err != nil {
			return err
		}
		if err := mpi.Send(world, []int{7}, 0, 0); err != nil {
			return err
		}
		_, done, err := r.Done()
		if err != nil {
			return err
		}
		fmt.Println(early, done)
		_, err = r.Wait()
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: false true
}
