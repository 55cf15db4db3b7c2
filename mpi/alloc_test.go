package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// everyday are calls that programs repeat, made by both of two ranks, with buffers of 8 elements and
// requests that are there already.
var everyday = []struct {
	name string
	call func(p *pair) error
}{
	{"Irecv, Isend, Wait", func(p *pair) error {
		got := mpi.Irecv(p.w, p.in, p.peer, 1)
		sent := mpi.Isend(p.w, p.out, p.peer, 1)
		_, err := got.Wait()
		_, err2 := sent.Wait()
		return errors.Join(err, err2)
	}},
	{"Waitall", func(p *pair) error { p.start(); return mpi.Waitall(p.reqs) }},
	{"WaitallStatus", func(p *pair) error { p.start(); return mpi.WaitallStatus(p.reqs, p.statuses) }},
	{"Waitany", func(p *pair) (err error) {
		p.start()
		for i := 0; i >= 0 && err == nil; {
			i, _, err = mpi.Waitany(p.reqs)
		}
		return err
	}},
	{"Test", func(p *pair) (err error) {
		p.start()
		for _, r := range p.reqs {
			for done := false; !done && err == nil; {
				_, done, err = r.Test()
			}
		}
		clear(p.reqs)
		return err
	}},
	{"Testall", func(p *pair) (err error) {
		p.start()
		for done := false; !done && err == nil; {
			done, err = mpi.Testall(p.reqs)
		}
		return err
	}},
	{"Start and Waitall", func(p *pair) error { return errors.Join(mpi.Start(p.again...), mpi.Waitall(p.again)) }},
	{"Probe", func(p *pair) error {
		err := mpi.Send(p.w, p.out, p.peer, 3)
		_, err2 := mpi.Probe(p.w, p.peer, 3)
		_, err3 := mpi.Recv(p.w, p.in, p.peer, 3)
		return errors.Join(err, err2, err3)
	}},
	{"Iprobe", func(p *pair) error {
		err := mpi.Send(p.w, p.out, p.peer, 4)
		for found := false; !found && err == nil; {
			_, found, err = mpi.Iprobe(p.w, p.peer, 4)
		}
		_, err2 := mpi.Recv(p.w, p.in, mpi.AnySource, 4)
		return errors.Join(err, err2)
	}},
	{"Barrier", func(p *pair) error { return mpi.Barrier(p.w) }},
	{"Bcast", func(p *pair) error { return mpi.Bcast(p.w, p.in, 1) }},
	{"Reduce", func(p *pair) error { return mpi.Reduce(p.w, p.out, p.in, mpi.Sum, 0) }},
	{"Allreduce", func(p *pair) error { return mpi.Allreduce(p.w, p.out, p.in, mpi.Max) }},
	{"Scan", func(p *pair) error { return mpi.Scan(p.w, p.out, p.in, mpi.Sum) }},
	{"Gather", func(p *pair) error { return mpi.Gather(p.w, p.out, p.all, 0) }},
	{"Scatter", func(p *pair) error { return mpi.Scatter(p.w, p.all, p.in, 0) }},
	{"Allgather", func(p *pair) error { return mpi.Allgather(p.w, p.out, p.all) }},
	{"Alltoall", func(p *pair) error { return mpi.Alltoall(p.w, p.all, p.all2) }},
	{"Ibarrier", func(p *pair) error { _, err := mpi.Ibarrier(p.w).Wait(); return err }},
	{"Ibcast", func(p *pair) error { _, err := mpi.Ibcast(p.w, p.in, 1).Wait(); return err }},
	{"Iallreduce", func(p *pair) error { _, err := mpi.Iallreduce(p.w, p.out, p.in, mpi.Sum).Wait(); return err }},
	{"Ialltoall", func(p *pair) error { _, err := mpi.Ialltoall(p.w, p.all, p.all2).Wait(); return err }},
}

// pair is what a rank of everyday has.
type pair struct {
	w                  *mpi.Comm
	peer               int
	in, out, all, all2 []int64
	reqs, again        []mpi.Request
	statuses           []mpi.Status
}

func newPair(w *mpi.Comm) *pair {
	p := &pair{w: w, peer: 1 - w.Rank(), in: make([]int64, 8), out: make([]int64, 8), all: make([]int64, 16), all2: make([]int64, 16),
		reqs: make([]mpi.Request, 8), statuses: make([]mpi.Status, 8)}
	for i := range 4 {
		p.again = append(p.again, mpi.RecvInit(w, p.in[i:i+1], p.peer, 20+i), mpi.SendInit(w, p.out[i:i+1], p.peer, 20+i))
	}
	return p
}

// start starts four receives and four sends.
func (p *pair) start() {
	for i := range 4 {
		p.reqs[i] = mpi.Irecv(p.w, p.in[i:i+1], p.peer, 10+i)
		p.reqs[4+i] = mpi.Isend(p.w, p.out[i:i+1], p.peer, 10+i)
	}
}

// TestEverydayCallsAllocateNothing: garbage would be collected in the middle of somebody's computation.
func TestEverydayCallsAllocateNothing(t *testing.T) {
	if underRace || onFakes {
		t.Skip("the race detector allocates, and so does a driver made of Go")
	}
	t.Setenv("WEFT_CHECK", "off")
	const rounds = 200
	runs(t, 2, func(w *mpi.Comm) (err error) {
		p := newPair(w)
		for _, c := range everyday { // all of them, since a rank that is done with one goes on to the next
			for range 200 {
				err = errors.Join(err, c.call(p), mpi.Barrier(w))
			}
		}
		for _, c := range everyday {
			run := func() { err = errors.Join(err, c.call(p), mpi.Barrier(w)) }
			if w.Rank() == 1 {
				for range rounds + 1 {
					run()
				}
				continue
			}
			err = errors.Join(err, want(fmt.Sprintf("allocations per %s", c.name), testing.AllocsPerRun(rounds, run), 0))
		}
		return err
	})
}
