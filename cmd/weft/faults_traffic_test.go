package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/mpi"
)

// sum [SALT]: an allreduce whose result every rank knows beforehand.
func (f *faulty) sum() error {
	salt := 0
	if f.word(0) != "" {
		salt = f.number(0)
	}
	got := []int{0}
	if err := mpi.Allreduce(f.world, []int{f.world.Rank() + salt}, got, mpi.Sum); err != nil {
		return err
	}
	n := f.world.Size()
	if want := n*(n-1)/2 + n*salt; got[0] != want {
		return fmt.Errorf("the sum is %d, want %d", got[0], want)
	}
	fmt.Printf("rank %d of %d: the sum is %d\n", f.world.Rank(), n, got[0])
	return nil
}

// traffic KIND ...: checked traffic without end. It says "ready" once it flows.
func (f *faulty) traffic() error {
	round := map[string]func(int) error{
		"rendezvous":  f.exchange(1 << 20),
		"collectives": f.collectives,
	}[f.word(0)]
	if round == nil {
		round = f.exchange(8)
	}
	for i := 0; ; i++ {
		if err := round(i); err != nil {
			return err
		}
		if i == 0 {
			fmt.Println("ready")
		}
	}
}

// exchange returns a round in which every rank passes n numbers to the next one.
func (f *faulty) exchange(n int) func(round int) error {
	me, size := f.world.Rank(), f.world.Size()
	out, in := make([]int32, n), make([]int32, n)
	return func(round int) error {
		left := (me + size - 1) % size
		out[0], out[n-1] = int32(round), int32(me)
		if _, err := mpi.Sendrecv(f.world, out, (me+1)%size, 1, in, left, 1); err != nil {
			return err
		}
		if in[0] != int32(round) || in[n-1] != int32(left) {
			return fmt.Errorf("round %d: got %d and %d from rank %d", round, in[0], in[n-1], left)
		}
		return nil
	}
}

// collectives is a round of the common ones.
func (f *faulty) collectives(round int) error {
	me, size := f.world.Rank(), f.world.Size()
	sum := []int{0}
	if err := mpi.Allreduce(f.world, []int{round + me}, sum, mpi.Sum); err != nil {
		return err
	}
	if want := size*round + size*(size-1)/2; sum[0] != want {
		return fmt.Errorf("round %d: the sum is %d, want %d", round, sum[0], want)
	}
	out, in := make([]int, size), make([]int, size)
	for i := range out {
		out[i] = round*size*size + me*size + i
	}
	if err := mpi.Alltoall(f.world, out, in); err != nil {
		return err
	}
	for i, got := range in {
		if want := round*size*size + i*size + me; got != want {
			return fmt.Errorf("round %d: got %d from rank %d, want %d", round, got, i, want)
		}
	}
	return mpi.Barrier(f.world)
}

// collective ROUNDS, or until FILE: the common collectives, checked, and then the end. With until, the end comes when
// there is such a file among the notes.
func (f *faulty) collective() error {
	until := f.word(0) == "until"
	for i := 0; until || i < f.number(0); i++ {
		if err := f.collectives(i); err != nil {
			return err
		}
		if !until {
			continue
		}
		if i == 0 {
			fmt.Println("ready")
		}
		over, err := f.agreeOnEnd(f.word(1))
		if err != nil {
			return err
		}
		if over {
			break
		}
	}
	if f.world.Rank() == 0 {
		fmt.Println("all rounds right")
	}
	return nil
}

// agreeOnEnd tells all ranks alike whether rank 0 has seen the file.
func (f *faulty) agreeOnEnd(file string) (over bool, err error) {
	seen := []bool{false}
	if f.world.Rank() == 0 {
		_, err := os.Stat(filepath.Join(os.Getenv(faultNotes), file))
		seen[0] = err == nil
	}
	err = mpi.Bcast(f.world, seen, 0)
	return seen[0], err
}

// pattern is the i-th word of a large message.
func pattern(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 }

// large MEGABYTES: rank 0 sends one message, rank 1 compares its checksum and samples, and sends as many back if the
// second word is "back".
func (f *faulty) large() error {
	buf := make([]uint64, f.number(0)<<17)
	if f.world.Rank() == 0 {
		for i := range buf {
			buf[i] = pattern(i)
		}
		if err := mpi.Send(f.world, buf, 1, 3); err != nil {
			return err
		}
	} else if err := f.receiveLarge(buf, 0); err != nil {
		return err
	}
	if f.word(1) != "back" {
		return nil
	}
	if f.world.Rank() == 1 {
		return mpi.Send(f.world, buf, 0, 3)
	}
	clear(buf)
	return f.receiveLarge(buf, 1)
}

func (f *faulty) receiveLarge(buf []uint64, src int) error {
	st, err := mpi.Recv(f.world, buf, src, 3)
	if err != nil {
		return err
	}
	n := len(buf)
	if st.Bytes != 8*n {
		return fmt.Errorf("got %d bytes, want %d", st.Bytes, 8*n)
	}
	var got, want uint64 // each word has its own weight, so that exchanged parts show
	for i, x := range buf {
		got += x ^ uint64(i)
		want += pattern(i) ^ uint64(i)
	}
	for i := 0; i < n; i += n/1000 + 1 {
		if buf[i] != pattern(i) {
			return fmt.Errorf("word %d is %#x, want %#x", i, buf[i], pattern(i))
		}
	}
	if got != want || buf[n-1] != pattern(n-1) {
		return fmt.Errorf("the checksum is %#x, want %#x", got, want)
	}
	fmt.Printf("%d bytes intact\n", st.Bytes)
	return nil
}

const lastTag = 1 << 24

// unexpected COUNT forward|reverse: rank 1 sends COUNT messages before rank 0 receives the first of them.
func (f *faulty) unexpected() error {
	count := f.number(0)
	if f.world.Rank() == 1 {
		for i := range count {
			if err := mpi.Send(f.world, []int{i}, 0, i); err != nil {
				return err
			}
		}
		return mpi.Send(f.world, []int{count}, 0, lastTag)
	}
	got := []int{0}
	if _, err := mpi.Recv(f.world, got, 1, lastTag); err != nil { // all others have come when this has
		return err
	}
	for k := range count {
		tag, want := mpi.AnyTag, k
		if f.word(1) == "reverse" {
			tag, want = count-1-k, count-1-k
		}
		st, err := mpi.Recv(f.world, got, 1, tag)
		if err != nil {
			return err
		}
		if got[0] != want || st.Tag != want {
			return fmt.Errorf("message %d has tag %d, want %d", got[0], st.Tag, want)
		}
	}
	fmt.Printf("%d messages in order\n", count)
	return nil
}

// idle MILLISECONDS: rank 1 waits in Recv that long, several times, and prints the least part of a processor it used.
func (f *faulty) idle() error {
	pause := time.Duration(f.number(0)) * time.Millisecond
	best := 100.0
	for range 3 {
		if err := mpi.Barrier(f.world); err != nil {
			return err
		}
		if f.world.Rank() == 0 {
			time.Sleep(pause)
			if err := mpi.Send(f.world, []int{1}, 1, 0); err != nil {
				return err
			}
			continue
		}
		before := processorTime()
		if _, err := mpi.Recv(f.world, make([]int, 1), 0, 0); err != nil {
			return err
		}
		best = min(best, 100*float64(processorTime()-before)/float64(pause))
	}
	if f.world.Rank() == 1 {
		fmt.Printf("idle %.3f percent\n", best)
	}
	return nil
}

// processorTime is what the process has used so far.
func processorTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// absent RANK: the rank stays out of the allreduce that the others call.
func (f *faulty) absent() error {
	if f.chosen(0) {
		time.Sleep(time.Minute)
	}
	return mpi.Allreduce(f.world, []int{1}, []int{0}, mpi.Sum)
}

// partner WHAT: the last rank stays out of what takes it, too: the making of a communicator, or a message in parts.
func (f *faulty) partner() error {
	w, last := f.world, f.world.Size()-1
	if w.Rank() == last {
		time.Sleep(time.Minute)
	}
	buf := make([]int, 6<<16) // too long to leave unasked
	var err error
	switch f.word(0) {
	case "group":
		_, err = w.CreateGroup(w.Group(), 3)
	case "cart":
		_, err = w.Cart([]int{w.Size()}, []bool{true}, true)
	case "graph":
		_, err = w.Graph(nil, nil, nil, false)
	case "idup":
		c, failed := w.Idup()
		if failed != nil {
			return failed
		}
		_, err = c.Wait()
	case "psend":
		s := mpi.PsendInit(w, buf, 3, last, 9)
		if err = errors.Join(mpi.Start(s.Request), s.ReadyRange(0, 3)); err == nil {
			_, err = s.Wait()
		}
	case "precv":
		r := mpi.PrecvInit(w, buf, 2, last, 9)
		if err = mpi.Start(r.Request); err == nil {
			_, err = r.Wait()
		}
	case "unready": // our own last part is never ready
		s := mpi.PsendInit(w, buf, 3, last, 9)
		if err = errors.Join(mpi.Start(s.Request), s.ReadyRange(0, 2)); err == nil {
			_, err = s.Wait()
		}
	default:
		err = fmt.Errorf("no such thing as %q", f.word(0))
	}
	return err
}

// disagree: the last rank calls another collective than the rest.
func (f *faulty) disagree() error {
	if f.world.Rank() == f.world.Size()-1 {
		return mpi.Bcast(f.world, []int{1}, 0)
	}
	return mpi.Allreduce(f.world, []int{1}, []int{0}, mpi.Sum)
}

// deadlock: two ranks send to each other before either receives.
func (f *faulty) deadlock() error {
	peer := 1 - f.world.Rank()
	if err := mpi.Ssend(f.world, []int{1}, peer, 5); err != nil {
		return err
	}
	_, err := mpi.Recv(f.world, []int{0}, peer, 5)
	return err
}

// mistag: rank 2 waits for another tag than rank 1 sends with.
func (f *faulty) mistag() error {
	switch f.world.Rank() {
	case 1:
		return mpi.Send(f.world, make([]int, 5), 2, 7)
	case 2:
		_, err := mpi.Recv(f.world, make([]int, 5), 1, 8)
		return err
	}
	return nil
}

// miscount: rank 1 reduces more elements than the others.
func (f *faulty) miscount() error {
	n := 4
	if f.world.Rank() == 1 {
		n = 5
	}
	return mpi.Allreduce(f.world, make([]int, n), make([]int, n), mpi.Sum)
}

// child words...: rank 0 starts the words as a program, says how that ended and repeats what it said.
func (f *faulty) child() error {
	if f.world.Rank() == 0 {
		cmd := exec.Command(f.words[0], f.words[1:]...)
		out, _ := cmd.CombinedOutput() // the code says it all
		fmt.Fprintf(os.Stdout, "the child exited with code %d:\n%s\n", cmd.ProcessState.ExitCode(), strings.TrimSpace(string(out)))
	}
	return mpi.Barrier(f.world)
}
