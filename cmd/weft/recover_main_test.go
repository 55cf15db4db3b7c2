package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/mpi"
)

func init() {
	faultyModes["outlive"] = (*faulty).outlive
	faultyModes["bystand"] = (*faulty).bystand
	netModes["outlive"] = netOutlive
}

// dieSoon ends this process, some time.
func dieSoon() {
	go func() {
		time.Sleep(time.Duration(rand.IntN(30_000)) * time.Microsecond)
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	}()
}

// mortal is what may become of calls when ranks die.
func mortal(err error) bool {
	return errors.Is(err, mpi.ErrProcFailed) || errors.Is(err, mpi.ErrRevoked)
}

// outlive has one rank after the other die in the middle of traffic, until one is left; the others go on without it.
func (f *faulty) outlive() error {
	c := f.world
	for round := 0; c.Size() > 1; round++ {
		victims := 1 + round%2
		doomed := c.Rank()%3 == round%3 && c.Rank()/3 < victims
		if doomed {
			dieSoon()
		}
		var err error
		for n := 0; err == nil; n++ {
			err = outliveTraffic[f.word(0)](c, n)
		}
		if !mortal(err) {
			return err
		}
		for doomed {
			time.Sleep(time.Second) // another one was faster
		}
		if err := c.Revoke(); err != nil {
			return err
		}
		next, err := c.Shrink()
		if err != nil {
			return err
		}
		if got := len(c.FailedRanks()); got < c.Size()-next.Size() {
			return fmt.Errorf("%d of %d ranks are left, and %d are known to be dead", next.Size(), c.Size(), got)
		}
		if err := mpi.Send(c, []int{1}, 0, 1); !errors.Is(err, mpi.ErrRevoked) {
			return fmt.Errorf("a send on a communicator that was revoked: %v", err)
		}
		if round > 0 {
			if err := c.Free(); err != nil {
				return err
			}
		}
		c = next
	}
	fmt.Println("the last of", f.world.Size(), "is left")
	return nil
}

// outliveTraffic are exchanges that all ranks make, the n-th of a row.
var outliveTraffic = map[string]func(c *mpi.Comm, n int) error{
	"messages":    func(c *mpi.Comm, n int) error { return around(c, n, 1+n%700) },
	"long":        func(c *mpi.Comm, n int) error { return around(c, n, 1<<17+n%1000) },
	"collectives": reduceAndTell,
	"any":         askAnybody,
	"windows":     fences,
}

// around sends a message to the next rank and receives one of the previous.
func around(c *mpi.Comm, n, size int) error {
	out, in := make([]int64, size), make([]int64, size)
	for i := range out {
		out[i] = int64(c.Rank()*1000 + n)
	}
	next, previous := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	if _, err := mpi.Sendrecv(c, out, next, 3, in, previous, 3); err != nil {
		return err
	}
	if want := int64(previous*1000 + n); slices.ContainsFunc(in, func(v int64) bool { return v != want }) {
		return fmt.Errorf("message %d of rank %d has other contents than %d", n, previous, want)
	}
	return nil
}

// reduceAndTell calls collectives of several kinds and lengths.
func reduceAndTell(c *mpi.Comm, n int) error {
	send, recv := make([]int, 1+n*37%5000), make([]int, 1+n*37%5000)
	for i := range send {
		send[i] = c.Rank() + i
	}
	if err := mpi.Allreduce(c, send, recv, mpi.Sum); err != nil {
		return err
	}
	for i, v := range recv {
		if want := c.Size()*(c.Size()-1)/2 + i*c.Size(); v != want {
			return fmt.Errorf("sum %d is %d, want %d", i, v, want)
		}
	}
	if err := mpi.Bcast(c, recv, n%c.Size()); err != nil {
		return err
	}
	twice := mpi.NewOp(true, func(a, b int) int { return a + b })
	if err := mpi.Allreduce(c, send[:1], recv[:1], twice); err != nil {
		return err
	}
	return mpi.Barrier(c)
}

// askAnybody has rank 0 receive from all others, in any order.
func askAnybody(c *mpi.Comm, n int) error {
	if c.Rank() != 0 {
		if err := mpi.Send(c, []int{n}, 0, 5); err != nil {
			return err
		}
		_, err := mpi.Recv(c, make([]int, 1), 0, 6)
		return err
	}
	for range c.Size() - 1 {
		if _, err := mpi.Recv(c, make([]int, 1), mpi.AnySource, 5); err != nil {
			return err
		}
	}
	for r := 1; r < c.Size(); r++ {
		if err := mpi.Send(c, []int{n}, r, 6); err != nil {
			return err
		}
	}
	return nil
}

// fences puts into the next rank's window.
func fences(c *mpi.Comm, n int) error {
	mem := make([]int, 64)
	w, err := mpi.CreateWindow(c, mem)
	if err != nil {
		return err
	}
	for range 20 {
		if err = w.Fence(); err == nil {
			err = mpi.Put(w, []int{n, c.Rank()}, (c.Rank()+1)%c.Size(), 0)
		}
		if err == nil {
			err = w.Fence()
		}
		if err != nil {
			_ = w.Free()
			return err
		}
	}
	return w.Free()
}

// netOutlive FILE N: messages and collectives, until so many ranks are left, who go on without the others each time.
func netOutlive(world *mpi.Comm, words []string) error {
	left, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return err
	}
	fmt.Printf("rank %d is process %d\n", world.Rank(), os.Getpid())
	c := world
	for c.Size() > left {
		for n := 0; err == nil; n++ {
			if err = around(c, n, 1+n*997%50_000); err == nil {
				err = reduceAndTell(c, n)
			}
		}
		if !mortal(err) {
			return err
		}
		if err := c.Revoke(); err != nil {
			return err
		}
		if c, err = c.Shrink(); err != nil {
			return err
		}
		if c.Rank() == 0 {
			fmt.Printf("%d ranks go on\n", c.Size())
		}
	}
	return reduceAndTell(c, 1)
}

// bystand has rank 2 die, and the calls of others that do not need it go on as if nothing had happened.
func (f *faulty) bystand() error {
	c := f.world
	if c.Rank() == 2 {
		if err := mpi.Send(c, []int{7}, 0, 9); err != nil { // what it has sent arrives
			return err
		}
		dieSoon()
		_, err := mpi.Recv(c, make([]int, 1), 0, 99)
		return fmt.Errorf("rank 2 is still there: %v", err)
	}
	if c.Rank() == 0 {
		if err := f.askTheDead(); err != nil {
			return err
		}
	}
	for n := range 2000 {
		if err := aside(c, n); err != nil {
			return err
		}
	}
	if err := mpi.Barrier(c); !errors.Is(err, mpi.ErrProcFailed) {
		return fmt.Errorf("a barrier with a dead rank: %v", err)
	}
	flags, err := c.Agree(uint64(6 + c.Rank()%2))
	if flags != 6 || !errors.Is(err, mpi.ErrProcFailed) {
		return fmt.Errorf("agreed on %d, %v", flags, err)
	}
	if acked := c.AckFailed(); !slices.Equal(acked, []int{2}) || !slices.Equal(c.FailedRanks(), acked) {
		return fmt.Errorf("acknowledged %v", acked)
	}
	if flags, err := c.Agree(5); flags != 5 || err != nil {
		return fmt.Errorf("agreed on %d, %v", flags, err)
	}
	if c.Rank() == 1 {
		if err := mpi.Send(c, []int{1}, 0, 11); err != nil {
			return err
		}
	}
	if c.Rank() == 0 {
		if st, err := mpi.Recv(c, make([]int, 1), mpi.AnySource, 11); err != nil || st.Source != 1 {
			return fmt.Errorf("from anybody, after the death was acknowledged: %+v, %v", st, err)
		}
		fmt.Println("nobody else minds")
	}
	return nil
}

// askTheDead is what fails for rank 0 when rank 2 has died.
func (f *faulty) askTheDead() error {
	c, got := f.world, make([]int, 1)
	any, named := mpi.Irecv(c, make([]int, 1), mpi.AnySource, 10), mpi.Irecv(c, make([]int, 1), 2, 10)
	for _, r := range []mpi.Request{any, named} {
		if _, err := r.Wait(); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("a receive that waits for the dead: %v", err)
		}
	}
	if _, err := mpi.Recv(c, got, 2, 9); err != nil || got[0] != 7 {
		return fmt.Errorf("what the dead had sent: %d, %v", got[0], err)
	}
	if _, err := mpi.Recv(c, got, mpi.AnySource, 10); !errors.Is(err, mpi.ErrProcFailed) {
		return fmt.Errorf("a receive from anybody where a rank has died: %v", err)
	}
	for _, n := range []int{1, 1 << 20} {
		if err := mpi.Send(c, make([]int, n), 2, 1); !errors.Is(err, mpi.ErrProcFailed) {
			return fmt.Errorf("a send to the dead: %v", err)
		}
	}
	return nil
}

// aside exchanges messages among those who live.
func aside(c *mpi.Comm, n int) error {
	all := []int{0, 1, 3, 4}
	i := slices.Index(all, c.Rank())
	out, in := make([]int, 1+n%5000), make([]int, 1+n%5000)
	out[n%len(out)] = n + c.Rank()
	previous := all[(i+3)%4]
	if _, err := mpi.Sendrecv(c, out, all[(i+1)%4], n, in, previous, n); err != nil {
		return err
	}
	if in[n%len(in)] != n+previous {
		return fmt.Errorf("message %d of rank %d is wrong", n, previous)
	}
	return nil
}
