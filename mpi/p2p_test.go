package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// lens are message lengths in 8-byte elements: nothing, inline, eager, around the limit, rendezvous.
var lens = []int{0, 1, 100, 2047, 2048, 2049, 50_000}

// ring sends numbers to the right and receives them from the left with the given pair of calls.
func ring(c *mpi.Comm, n int, send func(buf []int64, dst, tag int) error) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	buf := make([]int64, n)
	r := mpi.Irecv(c, buf, left, n)
	if err := mpi.Barrier(c); err != nil { // receives are posted: ready sends are allowed
		return err
	}
	if err := send(numbers(n, c.Rank()), right, n); err != nil {
		return err
	}
	st, err := r.Wait()
	if err != nil {
		return err
	}
	got, whole := mpi.Count[int64](st)
	return errors.Join(want("source", st.Source, left), want("tag", st.Tag, n), want("count", got, n),
		want("whole", whole, true), same("buffer", buf, numbers(n, left)))
}

// TestSendModes passes messages around a ring in every mode, blocking and not.
func TestSendModes(t *testing.T) {
	blocking := map[string]func(*mpi.Comm, []int64, int, int) error{
		"send": mpi.Send[int64], "ssend": mpi.Ssend[int64], "bsend": mpi.Bsend[int64], "rsend": mpi.Rsend[int64],
	}
	starting := map[string]func(*mpi.Comm, []int64, int, int) mpi.Request{
		"isend": mpi.Isend[int64], "issend": mpi.Issend[int64], "ibsend": mpi.Ibsend[int64], "irsend": mpi.Irsend[int64],
	}
	for name, f := range blocking {
		t.Run(name, func(t *testing.T) {
			onComms(t, func(c *mpi.Comm) error {
				for _, n := range lens {
					if err := ring(c, n, func(b []int64, dst, tag int) error { return f(c, b, dst, tag) }); err != nil {
						return fmt.Errorf("%d elements: %w", n, err)
					}
				}
				return nil
			})
		})
	}
	for name, f := range starting {
		t.Run(name, func(t *testing.T) {
			onComms(t, func(c *mpi.Comm) error {
				for _, n := range lens {
					err := ring(c, n, func(b []int64, dst, tag int) error { _, err := f(c, b, dst, tag).Wait(); return err })
					if err != nil {
						return fmt.Errorf("%d elements: %w", n, err)
					}
				}
				return nil
			})
		})
	}
}

// TestElementTypes: structs, arrays, strings of bytes and everything between come through bit by bit.
func TestElementTypes(t *testing.T) { onComms(t, bodyElementTypes) }

func bodyElementTypes(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	in := make([]particle, 500)
	if _, err := mpi.Sendrecv(c, particles(500, c.Rank()), right, 1, in, left, 1); err != nil {
		return err
	}
	rows, gotRows := [][3]float32{{1, 2, float32(c.Rank())}, {4, 5, 6}}, make([][3]float32, 2)
	if _, err := mpi.Sendrecv(c, rows, right, 2, gotRows, left, 2); err != nil {
		return err
	}
	flags, gotFlags := []bool{true, false, c.Rank() == 0}, make([]bool, 3)
	if _, err := mpi.Sendrecv(c, flags, right, 3, gotFlags, left, 3); err != nil {
		return err
	}
	type none struct{}
	st, err := mpi.Sendrecv(c, make([]none, 5), right, 4, make([]none, 5), left, 4)
	if err != nil {
		return err
	}
	return errors.Join(same("particles", in, particles(500, left)),
		same("rows", gotRows, [][3]float32{{1, 2, float32(left)}, {4, 5, 6}}),
		same("flags", gotFlags, []bool{true, false, left == 0}), want("bytes of nothing", st.Bytes, 0))
}

// TestSendrecvReplace rotates values in place.
func TestSendrecvReplace(t *testing.T) { onComms(t, bodySendrecvReplace) }

func bodySendrecvReplace(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	buf := numbers(3000, c.Rank())
	st, err := mpi.SendrecvReplace(c, buf, right, 5, left, 5)
	if err != nil {
		return err
	}
	return errors.Join(want("source", st.Source, left), same("buffer", buf, numbers(3000, left)))
}

// TestOrder: messages of one sender are received in the order sent, by exact receives and by wildcards, though
// their lengths take different ways.
func TestOrder(t *testing.T) { onComms(t, bodyOrder) }

func bodyOrder(c *mpi.Comm) error {
	const rounds = 30
	if c.Rank() != 0 {
		for i := range rounds {
			if err := mpi.Send(c, numbers(lens[i%len(lens)]+1, i), 0, i%3); err != nil {
				return err
			}
		}
		return nil
	}
	next := make([]int, c.Size())
	buf := make([]int64, 60_000)
	for range rounds * (c.Size() - 1) {
		st, err := mpi.Recv(c, buf, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		i := next[st.Source]
		next[st.Source]++
		n, _ := mpi.Count[int64](st)
		if err := errors.Join(want("tag", st.Tag, i%3), same("message", buf[:n], numbers(lens[i%len(lens)]+1, i))); err != nil {
			return fmt.Errorf("message %d of rank %d: %w", i, st.Source, err)
		}
	}
	return nil
}

// TestSelfMessages: a rank talks to itself.
func TestSelfMessages(t *testing.T) { onComms(t, bodySelfMessages) }

func bodySelfMessages(c *mpi.Comm) error {
	for _, n := range lens {
		r := mpi.Isend(c, numbers(n, 3), c.Rank(), 9)
		buf := make([]int64, n)
		st, err := mpi.Recv(c, buf, c.Rank(), 9)
		if _, werr := r.Wait(); err != nil || werr != nil {
			return errors.Join(err, werr)
		}
		if err := errors.Join(want("source", st.Source, c.Rank()), same("buffer", buf, numbers(n, 3))); err != nil {
			return err
		}
	}
	return nil
}

// TestProcNull: operations with nobody end at once and say so.
func TestProcNull(t *testing.T) { onComms(t, bodyProcNull) }

func bodyProcNull(c *mpi.Comm) error {
	buf := []int{42}
	st, err := mpi.Recv(c, buf, mpi.ProcNull, 3)
	st2, err2 := mpi.Irecv(c, buf, mpi.ProcNull, 3).Wait()
	st3, ok, err3 := mpi.Iprobe(c, mpi.ProcNull, 3)
	m, err4 := mpi.Mprobe(c, mpi.ProcNull, 3)
	if err := errors.Join(err, err2, err3, err4, mpi.Send(c, buf, mpi.ProcNull, 3), mpi.Ssend(c, buf, mpi.ProcNull, 3),
		mpi.Bsend(c, buf, mpi.ProcNull, 3)); err != nil {
		return err
	}
	_, err = mpi.Isend(c, buf, mpi.ProcNull, 3).Wait()
	st5, err5 := mpi.Mrecv(m, buf)
	v, st6, err6 := mpi.RecvValue[string](c, mpi.ProcNull, 3)
	for _, s := range []mpi.Status{st, st2, st3, st5, st6} {
		err = errors.Join(err, want("status", s, mpi.Status{Source: mpi.ProcNull, Tag: mpi.AnyTag}))
	}
	return errors.Join(err, err5, err6, want("found", ok, true), want("buffer", buf[0], 42), want("value", v, ""))
}

// TestBsendLimit: buffered sends on their way are limited, and room comes back.
func TestBsendLimit(t *testing.T) {
	t.Setenv("WEFT_BSEND", "1M")
	runs(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 1 {
			if err := mpi.Barrier(w); err != nil {
				return err
			}
			_, err := mpi.Recv(w, make([]byte, 800_000), 0, 1)
			if err == nil {
				err = mpi.Barrier(w)
			}
			return err
		}
		if err := mpi.Bsend(w, make([]byte, 800_000), 1, 1); err != nil {
			return err
		}
		if err := mpi.Bsend(w, make([]byte, 800_000), 1, 1); !errors.Is(err, mpi.ErrBuffer) {
			return fmt.Errorf("more than allowed: %v", err)
		}
		if err := errors.Join(mpi.Barrier(w), mpi.Barrier(w)); err != nil {
			return err
		}
		return mpi.Bsend(w, make([]byte, 800_000), mpi.ProcNull, 1)
	})
}
