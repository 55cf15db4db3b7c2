package mpi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// misuse is a wrong call and what it has to answer.
type misuse struct {
	call  func(w *mpi.Comm) error
	class error
	op    string
	peer  int
	tag   int
	text  string // part of the message
}

const none = mpi.None // Peer or Tag of an error that has none

type node struct {
	Value int
	Next  *node
}

func misuses() map[string]misuse {
	buf := []int{1, 2, 3}
	wait := func(r mpi.Request) error { _, err := r.Wait(); return err }
	recv := func(_ mpi.Status, err error) error { return err }
	return map[string]misuse{
		"send to a rank too high":  {func(w *mpi.Comm) error { return mpi.Send(w, buf, 2, 1) }, mpi.ErrRank, "send", 2, 1, "ranks 0 to 1"},
		"send to a negative rank":  {func(w *mpi.Comm) error { return mpi.Ssend(w, buf, -7, 1) }, mpi.ErrRank, "ssend", -7, 1, "rank -7"},
		"send with AnySource":      {func(w *mpi.Comm) error { return mpi.Bsend(w, buf, mpi.AnySource, 1) }, mpi.ErrRank, "bsend", mpi.AnySource, 1, "not AnySource (-1)"},
		"send with a negative tag": {func(w *mpi.Comm) error { return mpi.Rsend(w, buf, 1, -1) }, mpi.ErrTag, "rsend", 1, -1, "0 to 2147483647, not AnyTag (-1)"},
		"isend to a rank too high": {func(w *mpi.Comm) error { return wait(mpi.Isend(w, buf, 9, 1)) }, mpi.ErrRank, "isend", 9, 1, "rank 9"},
		"recv from a rank too high": {func(w *mpi.Comm) error { return recv(mpi.Recv(w, buf, 2, 1)) },
			mpi.ErrRank, "recv", 2, 1, "recv on world with rank 2, tag 1: rank out of range"},
		"irecv with a bad tag": {func(w *mpi.Comm) error { return wait(mpi.Irecv(w, buf, 0, -5)) }, mpi.ErrTag, "irecv", 0, -5, "AnyTag"},
		"probe":                {func(w *mpi.Comm) error { return recv(mpi.Probe(w, 5, 0)) }, mpi.ErrRank, "probe", 5, 0, "probe"},
		"iprobe":               {func(w *mpi.Comm) error { _, _, err := mpi.Iprobe(w, 5, 0); return err }, mpi.ErrRank, "iprobe", 5, 0, "iprobe"},
		"mprobe":               {func(w *mpi.Comm) error { _, err := mpi.Mprobe(w, 0, -3); return err }, mpi.ErrTag, "mprobe", 0, -3, "rank 0, tag -3: tag out of range"},
		"rank -3":              {func(w *mpi.Comm) error { return mpi.Send(w, buf, -3, 1) }, mpi.ErrRank, "send", -3, 1, "with rank -3, tag 1"},
		"pointers": {func(w *mpi.Comm) error { return mpi.Send(w, []*int{nil}, 1, 0) },
			mpi.ErrType, "send", 1, 0, "*int; use SendValue"},
		"strings": {func(w *mpi.Comm) error { return wait(mpi.Isend(w, []string{"x"}, 1, 0)) }, mpi.ErrType, "isend", 1, 0, "string"},
		"a struct with a pointer": {func(w *mpi.Comm) error { return recv(mpi.Recv(w, make([]node, 1), 0, 0)) },
			mpi.ErrType, "recv", 0, 0, "mpi_test.node"},
		"pointers in a collective": {func(w *mpi.Comm) error { return mpi.Bcast(w, []any{1}, 0) }, mpi.ErrType, "bcast", none, none, "interface {}"},
		"root":                     {func(w *mpi.Comm) error { return mpi.Bcast(w, buf, 2) }, mpi.ErrRoot, "bcast", none, none, "root 2"},
		"negative root":            {func(w *mpi.Comm) error { return mpi.Gather(w, buf, nil, -1) }, mpi.ErrRoot, "gather", none, none, "root -1"},
		"lengths":                  {func(w *mpi.Comm) error { return mpi.Allreduce(w, buf, make([]int, 2), mpi.Sum) }, mpi.ErrCount, "allreduce", none, none, "send has 3 elements, recv 2"},
		"blocks":                   {func(w *mpi.Comm) error { return mpi.Allgather(w, buf, make([]int, 5)) }, mpi.ErrCount, "allgather", none, none, "recv 5"},
		"counts":                   {func(w *mpi.Comm) error { return mpi.Allgatherv(w, buf, make([]int, 9), []int{3}, nil) }, mpi.ErrCount, "allgatherv", none, none, "1 counts"},
		"displacements": {func(w *mpi.Comm) error {
			return mpi.Alltoallv(w, buf, []int{1, 1}, []int{0, 3}, make([]int, 9), []int{1, 1}, nil)
		}, mpi.ErrCount, "alltoallv", none, none, "block of rank 1"},
		"negative count":        {func(w *mpi.Comm) error { return mpi.ReduceScatterv(w, buf, nil, []int{4, -1}, mpi.Sum) }, mpi.ErrCount, "reduce_scatter", none, none, "block of rank 0"},
		"operation":             {func(w *mpi.Comm) error { return mpi.Allreduce(w, []float64{1}, []float64{1}, mpi.Band) }, mpi.ErrOp, "allreduce", none, none, "of float64"},
		"operation on a struct": {func(w *mpi.Comm) error { return mpi.Allreduce(w, particles(1, 1), particles(1, 1), mpi.Sum) }, mpi.ErrOp, "allreduce", none, none, "particle"},
		"the zero operation":    {func(w *mpi.Comm) error { return mpi.Allreduce(w, buf, buf, mpi.Op{}) }, mpi.ErrOp, "allreduce", none, none, "zero Op"},
		"another type's operation": {func(w *mpi.Comm) error {
			return mpi.Scan(w, buf, buf, mpi.NewOp(true, func(a, b float64) float64 { return a }))
		}, mpi.ErrOp, "scan", none, none, "for float64"},
		"color":         {func(w *mpi.Comm) error { _, err := w.Split(-1, 0); return err }, mpi.ErrCount, "split", none, none, "color -1"},
		"free of world": {func(w *mpi.Comm) error { return w.Free() }, mpi.ErrComm, "free", none, none, "world cannot be freed"},
		"free of self":  {func(w *mpi.Comm) error { return w.Self().Free() }, mpi.ErrComm, "free", none, none, "self cannot be freed"},
		"group twice":   {func(w *mpi.Comm) error { _, err := w.Group().Incl(0, 0); return err }, mpi.ErrGroup, "group", none, none, "named twice"},
		"group rank":    {func(w *mpi.Comm) error { _, err := w.Group().Excl(7); return err }, mpi.ErrRank, "group", none, none, "rank 7"},
		"translate":     {func(w *mpi.Comm) error { _, err := w.Group().Translate([]int{3}, w.Group()); return err }, mpi.ErrRank, "translate", none, none, "rank 3"},
		"alloc":         {func(w *mpi.Comm) error { _, err := mpi.Alloc[int](w, -1); return err }, mpi.ErrCount, "alloc", none, none, "-1 elements"},
		"alloc pointer": {func(w *mpi.Comm) error { _, err := mpi.Alloc[string](w, 1); return err }, mpi.ErrType, "alloc", none, none, "string"},
		"send value": {func(w *mpi.Comm) error { return mpi.SendValue(w, func() {}, 1, 4) },
			mpi.ErrType, "send value", 1, 4, "encoding"},
	}
}

// TestErrors: every wrong call answers with an *Error that names operation, communicator, peer, tag and cause.
func TestErrors(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		for name, m := range misuses() {
			err := m.call(w)
			var e *mpi.Error
			switch {
			case !errors.Is(err, m.class) || !errors.As(err, &e):
				return fmt.Errorf("%s: got %v, want %v", name, err, m.class)
			case e.Op != m.op || e.Peer != m.peer || e.Tag != m.tag:
				return fmt.Errorf("%s: %+v; want op %q, peer %d, tag %d", name, *e, m.op, m.peer, m.tag)
			case !strings.Contains(err.Error(), m.text) || !strings.HasPrefix(err.Error(), "mpi: "+m.op):
				return fmt.Errorf("%s: %q does not say %q", name, err, m.text)
			case e.Comm != "world" && m.op != "group" && m.op != "translate" && e.Comm != "self":
				return fmt.Errorf("%s: names communicator %q", name, e.Comm)
			}
		}
		return nil
	})
}

// TestTruncation: a message longer than the buffer fills it and names both ends; later messages are not hurt.
func TestTruncation(t *testing.T) { onComms(t, bodyTruncation) }

func bodyTruncation(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	for _, n := range []int{10, 3000, 50_000} {
		sent := []mpi.Request{mpi.Isend(c, numbers(n, c.Rank()), right, 3), mpi.Isend(c, numbers(n, c.Rank()), right, 3),
			mpi.Isend(c, numbers(n, c.Rank()), right, 3)}
		short := make([]int64, 4)
		st, err := mpi.Recv(c, short, left, 3)
		if err := truncated(err, c, "recv", left, 8*n); err != nil {
			return err
		}
		if err := errors.Join(want("bytes", st.Bytes, 32), same("buffer", short, numbers(n, left)[:4])); err != nil {
			return err
		}
		m, err := mpi.Mprobe(c, left, 3)
		if err != nil {
			return err
		}
		_, err = mpi.Mrecv(m, short)
		if err := truncated(err, c, "mrecv", left, 8*n); err != nil {
			return err
		}
		if _, err := mpi.Recv(c, make([]int64, n), left, 3); err != nil {
			return err
		}
		if err := mpi.Waitall(sent); err != nil {
			return err
		}
	}
	return nil
}

func truncated(err error, c *mpi.Comm, op string, peer, sent int) error {
	var e *mpi.Error
	if !errors.Is(err, mpi.ErrTruncate) || !errors.As(err, &e) || !strings.HasSuffix(err.Error(), fmt.Sprintf(": message truncated: %d bytes into a buffer of 32", sent)) {
		return fmt.Errorf("got %v", err)
	}
	return errors.Join(want("op", e.Op, op), want("communicator", e.Comm, c.Name()), want("peer", e.Peer, peer), want("tag", e.Tag, 3))
}

// TestFreedCommunicator: every call on it fails with ErrComm.
func TestFreedCommunicator(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		c, err := w.Dup()
		if err != nil {
			return err
		}
		c.SetName("short-lived")
		if err := c.Free(); err != nil {
			return err
		}
		buf := []int{1}
		_, rerr := mpi.Recv(c, buf, 0, 0)
		_, perr := mpi.Probe(c, 0, 0)
		_, derr := c.Dup()
		_, serr := c.Split(0, 0)
		_, ierr := mpi.Irecv(c, buf, 0, 0).Wait()
		_, berr := mpi.Ibarrier(c).Wait()
		for _, err := range []error{rerr, perr, derr, serr, ierr, berr, mpi.Send(c, buf, 0, 0), mpi.Barrier(c), c.Free()} {
			if !errors.Is(err, mpi.ErrComm) || !strings.Contains(err.Error(), "short-lived") {
				return fmt.Errorf("on a freed communicator: %v", err)
			}
		}
		return mpi.Barrier(w)
	})
}
