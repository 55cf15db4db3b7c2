package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Two messages cross while both ranks work. The buffers belong to the library until Waitall.
func ExampleIsend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		other := 1 - world.Rank()
		out, in := []int{world.Rank() * 10}, make([]int, 1)
		reqs := []mpi.Request{
			mpi.Irecv(world, in, other, 0),
			mpi.Isend(world, out, other, 0),
		}
		// do some work here, without touching in and without changing out
		if err := mpi.Waitall(reqs); err != nil {
			return err
		}
		fmt.Printf("rank %d has %d\n", world.Rank(), in[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 10
	// rank 1 has 0
}

func ExampleIrecv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{42}, 1, 0)
		}
		buf := make([]int, 1)
		req := mpi.Irecv(world, buf, 0, 0)
		// do some work here, without touching buf
		st, err := req.Wait()
		if err != nil {
			return err
		}
		fmt.Printf("rank %d sent %d\n", st.Source, buf[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 sent 42
}

// When the request of an Issend is over, the receiver has begun to receive.
func ExampleIssend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			req := mpi.Issend(world, []int{42}, 1, 0)
			// do some work here
			if _, err := req.Wait(); err != nil {
				return err
			}
			fmt.Println("rank 1 has come to its receive")
			return nil
		}
		_, err := mpi.Recv(world, make([]int, 1), 0, 0)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has come to its receive
}

// The buffer may be changed before the request is waited for.
func ExampleIbsend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 1)
		if world.Rank() == 0 {
			buf[0] = 42
			req := mpi.Ibsend(world, buf, 1, 0)
			buf[0] = 0
			_, err := req.Wait()
			return err
		}
		if _, err := mpi.Recv(world, buf, 0, 0); err != nil {
			return err
		}
		fmt.Println("rank 1 has", buf[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has 42
}

// The barrier tells rank 0 that rank 1 has posted its receive.
func ExampleIrsend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		buf := make([]int, 1)
		var req mpi.Request
		if world.Rank() == 1 {
			req = mpi.Irecv(world, buf, 0, 0)
		}
		if err := mpi.Barrier(world); err != nil {
			return err
		}
		if world.Rank() == 0 {
			req = mpi.Irsend(world, []int{42}, 1, 0)
		}
		if _, err := req.Wait(); err != nil {
			return err
		}
		if world.Rank() == 1 {
			fmt.Println("rank 1 has", buf[0])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has 42
}

func ExampleRequest_Active() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{42}, 1, 0)
		}
		reqs := []mpi.Request{{}, mpi.Irecv(world, make([]int, 1), 0, 0)}
		fmt.Println(reqs[0].Active(), reqs[1].Active())
		if err := mpi.Waitall(reqs); err != nil { // skips the one that is not active
			return err
		}
		fmt.Println(reqs[0].Active(), reqs[1].Active())
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// false true
	// false false
}

func ExampleRequest_Wait() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			_, err := mpi.Isend(world, []int{1, 2, 3}, 1, 0).Wait()
			return err
		}
		buf := make([]int, 10)
		st, err := mpi.Irecv(world, buf, 0, 0).Wait()
		if err != nil {
			return err
		}
		n, _ := mpi.Count[int](st)
		fmt.Println("rank 1 has", buf[:n])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has [1 2 3]
}

// Working until a message is complete.
func ExampleRequest_Test() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{42}, 1, 0)
		}
		buf := make([]int, 1)
		req := mpi.Irecv(world, buf, 0, 0)
		for {
			_, done, err := req.Test()
			if err != nil {
				return err
			}
			if done {
				break
			}
			// do a piece of work here
		}
		fmt.Println("rank 1 has", buf[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has 42
}

// Withdrawing a receive that no message has met. A cancelled request still has to be waited for.
func ExampleRequest_Cancel() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		req := mpi.Irecv(world, make([]int, 1), mpi.AnySource, mpi.AnyTag)
		if err := req.Cancel(); err != nil {
			return err
		}
		st, err := req.Wait()
		if err != nil {
			return err
		}
		fmt.Println("withdrawn:", st.Cancelled)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: withdrawn: true
}

// A notice that nobody waits for. Its buffer must not be changed any more.
func ExampleRequest_Free() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Isend(world, []byte("on my way"), 1, 0).Free()
		}
		buf := make([]byte, 9)
		if _, err := mpi.Recv(world, buf, 0, 0); err != nil {
			return err
		}
		fmt.Printf("%s\n", buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: on my way
}

func ExampleWait() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			_, err := mpi.Wait(mpi.Isend(world, []int{42}, 1, 0))
			return err
		}
		buf := make([]int, 1)
		if _, err := mpi.Wait(mpi.Irecv(world, buf, 0, 0)); err != nil {
			return err
		}
		fmt.Println("rank 1 has", buf[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has 42
}

func ExampleTest() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{42}, 1, 0)
		}
		buf := make([]int, 1)
		req := mpi.Irecv(world, buf, 0, 0)
		for done := false; !done; {
			var err error
			if _, done, err = mpi.Test(req); err != nil {
				return err
			}
			// do a piece of work here
		}
		fmt.Println("rank 1 has", buf[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has 42
}

func ExampleCancel() {
	err := mpi.Run(1, func(world *mpi.Comm) error {
		req := mpi.Irecv(world, make([]int, 1), mpi.AnySource, mpi.AnyTag)
		if err := mpi.Cancel(req); err != nil {
			return err
		}
		st, err := mpi.Wait(req)
		if err != nil {
			return err
		}
		fmt.Println("withdrawn:", st.Cancelled)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: withdrawn: true
}

// Rank 0 collects a number from every other rank.
func ExampleWaitall() {
	err := mpi.Run(4, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, []int{world.Rank() * 10}, 0, 0)
		}
		in := make([]int, world.Size())
		reqs := make([]mpi.Request, world.Size()) // that of rank 0 stays inactive
		for r := 1; r < world.Size(); r++ {
			reqs[r] = mpi.Irecv(world, in[r:r+1], r, 0)
		}
		if err := mpi.Waitall(reqs); err != nil {
			return err
		}
		fmt.Println(in)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 10 20 30]
}

func ExampleWaitallStatus() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, make([]int, world.Rank()), 0, 0)
		}
		reqs, statuses := make([]mpi.Request, 2), make([]mpi.Status, 2)
		for i := range reqs {
			reqs[i] = mpi.Irecv(world, make([]int, 10), i+1, 0)
		}
		if err := mpi.WaitallStatus(reqs, statuses); err != nil {
			return err
		}
		for _, st := range statuses {
			n, _ := mpi.Count[int](st)
			fmt.Printf("rank %d sent %d numbers\n", st.Source, n)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 1 sent 1 numbers
	// rank 2 sent 2 numbers
}

// Handling messages in the order in which they come.
func ExampleWaitany() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, []int{world.Rank() * 10}, 0, 0)
		}
		in, reqs := make([]int, 2), make([]mpi.Request, 2)
		for i := range reqs {
			reqs[i] = mpi.Irecv(world, in[i:i+1], i+1, 0)
		}
		for {
			i, st, err := mpi.Waitany(reqs)
			if i < 0 || err != nil { // -1: all are done
				return err
			}
			fmt.Printf("rank %d sent %d\n", st.Source, in[i])
		}
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 1 sent 10
	// rank 2 sent 20
}
