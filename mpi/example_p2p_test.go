package mpi_test

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

func ExampleSend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		const tag = 7
		if world.Rank() == 0 {
			return mpi.Send(world, []float64{1.5, 2.5}, 1, tag)
		}
		buf := make([]float64, 2)
		if _, err := mpi.Recv(world, buf, 0, tag); err != nil {
			return err
		}
		fmt.Println("rank 1 has", buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has [1.5 2.5]
}

// Receiving from whoever comes first. The buffer may be longer than the message: the status tells
// how long that was.
func ExampleRecv() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return mpi.Send(world, make([]int, world.Rank()), 0, world.Rank()*10)
		}
		buf := make([]int, 100)
		for range world.Size() - 1 {
			st, err := mpi.Recv(world, buf, mpi.AnySource, mpi.AnyTag)
			if err != nil {
				return err
			}
			n, _ := mpi.Count[int](st)
			fmt.Printf("from rank %d with tag %d: %d numbers\n", st.Source, st.Tag, n)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// from rank 1 with tag 10: 1 numbers
	// from rank 2 with tag 20: 2 numbers
}

// A struct without pointers travels as it is.
func ExampleSend_struct() {
	type particle struct {
		ID   int
		X, Y float64
	}
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []particle{{ID: 1, X: 0.5}, {ID: 2, Y: 0.25}}, 1, 0)
		}
		buf := make([]particle, 2)
		if _, err := mpi.Recv(world, buf, 0, 0); err != nil {
			return err
		}
		fmt.Println(buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [{1 0.5 0} {2 0 0.25}]
}

func ExampleCount() {
	st := mpi.Status{Source: 1, Tag: 7, Bytes: 20}
	n, whole := mpi.Count[int32](st)
	fmt.Println(n, whole)
	n, whole = mpi.Count[float64](st)
	fmt.Println(n, whole)
	// Output:
	// 5 true
	// 2 false
}

// When Ssend returns, the receiver has begun to receive.
func ExampleSsend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			if err := mpi.Ssend(world, []int{42}, 1, 0); err != nil {
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

// Both ranks send before they receive. With Bsend that works for every length: it sends a copy.
func ExampleBsend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		other := 1 - world.Rank()
		buf := []int{world.Rank()}
		if err := mpi.Bsend(world, buf, other, 0); err != nil {
			return err
		}
		if _, err := mpi.Recv(world, buf, other, 0); err != nil {
			return err
		}
		fmt.Printf("rank %d has %d\n", world.Rank(), buf[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 1
	// rank 1 has 0
}

// The barrier tells rank 0 that rank 1 has posted its receive.
func ExampleRsend() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			if err := mpi.Barrier(world); err != nil {
				return err
			}
			return mpi.Rsend(world, []int{42}, 1, 0)
		}
		buf := make([]int, 1)
		posted := mpi.Irecv(world, buf, 0, 0)
		if err := mpi.Barrier(world); err != nil {
			return err
		}
		if _, err := posted.Wait(); err != nil {
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

// Each rank gives a number to its right neighbour and takes one from its left neighbour, all at the
// same time.
func ExampleSendrecv() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		rank, size := world.Rank(), world.Size()
		left, right := (rank+size-1)%size, (rank+1)%size
		in := make([]int, 1)
		if _, err := mpi.Sendrecv(world, []int{rank * 10}, right, 0, in, left, 0); err != nil {
			return err
		}
		fmt.Printf("rank %d has %d\n", rank, in[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 20
	// rank 1 has 0
	// rank 2 has 10
}

// The same with one buffer: what arrives takes the place of what leaves.
func ExampleSendrecvReplace() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		rank, size := world.Rank(), world.Size()
		left, right := (rank+size-1)%size, (rank+1)%size
		buf := []int{rank * 10}
		if _, err := mpi.SendrecvReplace(world, buf, right, 0, left, 0); err != nil {
			return err
		}
		fmt.Printf("rank %d has %d\n", rank, buf[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0 has 20
	// rank 1 has 0
	// rank 2 has 10
}

// Making a buffer of the right length for a message of unknown length.
func ExampleProbe() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []byte("how long am I?"), 1, 0)
		}
		st, err := mpi.Probe(world, 0, mpi.AnyTag)
		if err != nil {
			return err
		}
		buf := make([]byte, st.Bytes)
		if _, err := mpi.Recv(world, buf, st.Source, st.Tag); err != nil {
			return err
		}
		fmt.Printf("%d bytes: %s\n", len(buf), buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 14 bytes: how long am I?
}

// Working until a message arrives.
func ExampleIprobe() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{42}, 1, 0)
		}
		for {
			st, found, err := mpi.Iprobe(world, mpi.AnySource, mpi.AnyTag)
			if err != nil {
				return err
			}
			if found {
				buf := make([]int, 1)
				_, err := mpi.Recv(world, buf, st.Source, st.Tag)
				fmt.Printf("rank %d sent %d\n", st.Source, buf[0])
				return err
			}
			// nothing has come yet: do some work here
		}
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 sent 42
}

// Mprobe takes the message, so no other goroutine can receive it in between.
func ExampleMprobe() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []byte("mine"), 1, 0)
		}
		m, err := mpi.Mprobe(world, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		buf := make([]byte, m.Status().Bytes)
		if _, err := mpi.Mrecv(m, buf); err != nil {
			return err
		}
		fmt.Printf("%s\n", buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: mine
}

// Improbe does not wait: it returns nil until there is a message.
func ExampleImprobe() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{42}, 1, 0)
		}
		var m *mpi.Message
		for m == nil {
			var err error
			if m, err = mpi.Improbe(world, 0, 0); err != nil {
				return err
			}
			// while m is nil: do some work here
		}
		buf := make([]int, 1)
		if _, err := mpi.Mrecv(m, buf); err != nil {
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

func ExampleMrecv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{1, 2, 3}, 1, 0)
		}
		m, err := mpi.Mprobe(world, 0, 0)
		if err != nil {
			return err
		}
		n, _ := mpi.Count[int](m.Status())
		buf := make([]int, n)
		if _, err := mpi.Mrecv(m, buf); err != nil {
			return err
		}
		fmt.Println("rank 1 has", buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has [1 2 3]
}

func ExampleImrecv() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []int{1, 2, 3}, 1, 0)
		}
		m, err := mpi.Mprobe(world, 0, 0)
		if err != nil {
			return err
		}
		buf := make([]int, 3)
		req := mpi.Imrecv(m, buf)
		// a long message travels while the program works here
		if _, err := req.Wait(); err != nil {
			return err
		}
		fmt.Println("rank 1 has", buf)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 1 has [1 2 3]
}

func ExampleMessage_Status() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.Send(world, []byte("four"), 1, 7)
		}
		m, err := mpi.Mprobe(world, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		st := m.Status()
		fmt.Printf("rank %d sends %d bytes with tag %d\n", st.Source, st.Bytes, st.Tag)
		_, err = mpi.Mrecv(m, make([]byte, st.Bytes))
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 sends 4 bytes with tag 7
}

// Strings, maps and structs with pointers are encoded on their way.
func ExampleSendValue() {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.SendValue(world, map[string]int{"ants": 3, "bees": 2}, 1, 0)
		}
		counts, _, err := mpi.RecvValue[map[string]int](world, 0, 0)
		if err != nil {
			return err
		}
		fmt.Println(counts)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: map[ants:3 bees:2]
}

func ExampleRecvValue() {
	type job struct {
		Name  string
		Files []string
	}
	err := mpi.Run(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.SendValue(world, job{"count", []string{"a.txt", "b.txt"}}, 1, 0)
		}
		j, st, err := mpi.RecvValue[job](world, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		fmt.Printf("rank %d wants %q for %q\n", st.Source, j.Name, j.Files)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: rank 0 wants "count" for ["a.txt" "b.txt"]
}

// Rank 0 has read the settings; the others get them. What they pass is ignored.
func ExampleBcastValue() {
	err := mpi.Run(3, func(world *mpi.Comm) error {
		var settings map[string]string
		if world.Rank() == 0 {
			settings = map[string]string{"mode": "fast"}
		}
		settings, err := mpi.BcastValue(world, settings, 0)
		if err != nil {
			return err
		}
		fmt.Printf("rank %d: %s\n", world.Rank(), settings["mode"])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// rank 0: fast
	// rank 1: fast
	// rank 2: fast
}
