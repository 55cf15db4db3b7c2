package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestGatherAndScatter(t *testing.T) { onForms(t, bodyGatherAndScatter) }

func bodyGatherAndScatter(c *mpi.Comm, do form, n int) error {
	for root := range c.Size() {
		for _, inPlace := range []bool{false, true} {
			in, out := block(n, c.Rank(), 0), make([]int64, n*c.Size())
			if inPlace && c.Rank() == root {
				copy(out[root*n:], in)
				in = nil
			}
			err := do(func() error { return mpi.Gather(c, in, out, root) }, func() mpi.Request { return mpi.Igather(c, in, out, root) })
			if c.Rank() == root {
				err = errors.Join(err, same("gathered", out, blocks(c, n, 0)))
			}
			if err != nil {
				return fmt.Errorf("root %d, in place %v: %w", root, inPlace, err)
			}
			all, mine := blocks(c, n, 0), make([]int64, n)
			if inPlace && c.Rank() == root {
				mine = nil
			}
			err = do(func() error { return mpi.Scatter(c, all, mine, root) }, func() mpi.Request { return mpi.Iscatter(c, all, mine, root) })
			if mine != nil {
				err = errors.Join(err, same("scattered", mine, block(n, c.Rank(), 0)))
			}
			if err != nil {
				return fmt.Errorf("root %d, in place %v: %w", root, inPlace, err)
			}
		}
	}
	return nil
}

// uneven are counts that differ by rank, displacements with gaps in reverse order, and the room they take.
func uneven(c *mpi.Comm, n int) (counts, displs []int, room int) {
	counts, displs = make([]int, c.Size()), make([]int, c.Size())
	for r := c.Size() - 1; r >= 0; r-- {
		counts[r], displs[r] = n+r, room+1
		room += n + r + 2
	}
	return counts, displs, room
}

// spread is where everybody's block lies in a buffer of such a layout.
func spread(c *mpi.Comm, counts, displs []int, room, to int) []int64 {
	all := make([]int64, room)
	for r := range c.Size() {
		copy(all[displs[r]:], block(counts[r], r, to))
	}
	return all
}

func TestGathervAndScatterv(t *testing.T) { onForms(t, bodyGathervAndScatterv) }

func bodyGathervAndScatterv(c *mpi.Comm, do form, n int) error {
	counts, displs, room := uneven(c, n)
	for root := range c.Size() {
		in, out := block(counts[c.Rank()], c.Rank(), 0), make([]int64, room)
		err := do(func() error { return mpi.Gatherv(c, in, out, counts, displs, root) },
			func() mpi.Request { return mpi.Igatherv(c, in, out, counts, displs, root) })
		if c.Rank() == root {
			err = errors.Join(err, same("gathered", out, spread(c, counts, displs, room, 0)))
		}
		if err != nil {
			return err
		}
		all, mine := spread(c, counts, displs, room, 0), make([]int64, counts[c.Rank()])
		err = do(func() error { return mpi.Scatterv(c, all, counts, displs, mine, root) },
			func() mpi.Request { return mpi.Iscatterv(c, all, counts, displs, mine, root) })
		if err := errors.Join(err, same("scattered", mine, block(counts[c.Rank()], c.Rank(), 0))); err != nil {
			return err
		}
	}
	return nil
}

func TestAllgather(t *testing.T) { onForms(t, bodyAllgather) }

func bodyAllgather(c *mpi.Comm, do form, n int) error {
	for _, inPlace := range []bool{false, true} {
		in, out := block(n, c.Rank(), 0), make([]int64, n*c.Size())
		if inPlace {
			copy(out[n*c.Rank():], in)
			in = nil
		}
		err := do(func() error { return mpi.Allgather(c, in, out) }, func() mpi.Request { return mpi.Iallgather(c, in, out) })
		if err := errors.Join(err, same("gathered", out, blocks(c, n, 0))); err != nil {
			return err
		}
		counts, displs, room := uneven(c, n)
		in, out = block(counts[c.Rank()], c.Rank(), 0), make([]int64, room)
		if inPlace {
			copy(out[displs[c.Rank()]:], in)
			in = nil
		}
		err = do(func() error { return mpi.Allgatherv(c, in, out, counts, displs) },
			func() mpi.Request { return mpi.Iallgatherv(c, in, out, counts, displs) })
		if err := errors.Join(err, same("unevenly gathered", out, spread(c, counts, displs, room, 0))); err != nil {
			return err
		}
	}
	return nil
}

func TestAlltoall(t *testing.T) { onForms(t, bodyAlltoall) }

func bodyAlltoall(c *mpi.Comm, do form, n int) error {
	for _, inPlace := range []bool{false, true} {
		var in []int64
		for r := range c.Size() {
			in = append(in, block(n, c.Rank(), r)...)
		}
		out := make([]int64, n*c.Size())
		if inPlace {
			copy(out, in)
			in = nil
		} else if in == nil {
			in = []int64{}
		}
		err := do(func() error { return mpi.Alltoall(c, in, out) }, func() mpi.Request { return mpi.Ialltoall(c, in, out) })
		if err := errors.Join(err, same("exchanged", out, blocks(c, n, c.Rank()))); err != nil {
			return fmt.Errorf("in place %v: %w", inPlace, err)
		}
	}
	return nil
}

// TestAlltoallv sends n+from+to elements from one rank to another, with gaps on the receiving side.
func TestAlltoallv(t *testing.T) { onForms(t, bodyAlltoallv) }

func bodyAlltoallv(c *mpi.Comm, do form, n int) error {
	in := []int64{}
	sendCounts, recvCounts, recvDispls := make([]int, c.Size()), make([]int, c.Size()), make([]int, c.Size())
	room := 0
	for r := range c.Size() {
		sendCounts[r], recvCounts[r] = n+2*c.Rank()+r, n+2*r+c.Rank()
		recvDispls[r] = room + 3
		room += recvCounts[r] + 3
		in = append(in, block(sendCounts[r], c.Rank(), r)...)
	}
	out, wanted := make([]int64, room), make([]int64, room)
	for r := range c.Size() {
		copy(wanted[recvDispls[r]:], block(recvCounts[r], r, c.Rank()))
	}
	err := do(func() error { return mpi.Alltoallv(c, in, sendCounts, nil, out, recvCounts, recvDispls) },
		func() mpi.Request { return mpi.Ialltoallv(c, in, sendCounts, nil, out, recvCounts, recvDispls) })
	return errors.Join(err, same("exchanged", out, wanted))
}

// TestManyInFlight starts several collectives of different kinds before waiting for any, among messages.
func TestManyInFlight(t *testing.T) { onComms(t, bodyManyInFlight) }

func bodyManyInFlight(c *mpi.Comm) error {
	const n = 300
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	sum, scan, all := make([]int64, n), make([]int64, n), make([]int64, n*c.Size())
	bcast, in := particles(n, c.Rank()), make([]int64, n)
	reqs := []mpi.Request{
		mpi.Iallreduce(c, numbers(n, c.Rank()), sum, mpi.Sum),
		mpi.Irecv(c, in, left, 4),
		mpi.Ibcast(c, bcast, c.Size()-1),
		mpi.Ibarrier(c),
		mpi.Iallgather(c, block(n, c.Rank(), 0), all),
		mpi.Isend(c, numbers(n, c.Rank()), right, 4),
		mpi.Iscan(c, numbers(n, c.Rank()), scan, mpi.Sum),
	}
	for i := len(reqs) - 1; i >= 0; i-- {
		if _, err := reqs[i].Wait(); err != nil {
			return err
		}
	}
	return errors.Join(same("sum", sum, reduced(n, 0, c.Size(), plus)), same("scan", scan, reduced(n, 0, c.Rank()+1, plus)),
		same("gathered", all, blocks(c, n, 0)), same("broadcast", bcast, particles(n, c.Size()-1)), same("received", in, numbers(n, left)))
}
