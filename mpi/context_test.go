package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

var errStop = errors.New("stop")

// soon returns a context that ends a moment later with errStop.
func soon() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	timer := time.AfterFunc(2*time.Millisecond, func() { cancel(errStop) })
	return ctx, func() { timer.Stop(); cancel(nil) }
}

// TestContextEndsWaits: receives and probes return when their context ends, are withdrawn, and a later message
// is received by a later call, short or long.
func TestContextEndsWaits(t *testing.T) { onComms(t, bodyContextEndsWaits) }

func bodyContextEndsWaits(c *mpi.Comm) error {
	ctx, stop := soon()
	defer stop()
	d := c.WithContext(ctx)
	buf := make([]int64, 5000)
	_, rerr := mpi.Recv(d, buf, mpi.AnySource, 1)
	_, perr := mpi.Probe(d, c.Rank(), 1)
	_, merr := mpi.Mprobe(d, c.Rank(), 1)
	serr := mpi.Ssend(d, buf[:1], c.Rank(), 2)
	for _, err := range []error{rerr, perr, merr, serr} {
		var e *mpi.Error
		if !errors.Is(err, errStop) || !errors.As(err, &e) {
			return fmt.Errorf("ended with %v", err)
		}
	}
	if _, err := mpi.Recv(c, buf, c.Rank(), 2); err != nil { // the abandoned send is still there
		return err
	}
	for _, n := range []int{1, 5000} {
		s := mpi.Isend(c, numbers(n, 1), c.Rank(), 1)
		_, err := mpi.Recv(c, buf[:n], c.Rank(), 1)
		if _, werr := s.Wait(); err != nil || werr != nil {
			return errors.Join(err, werr)
		}
		if err := same("buffer", buf[:n], numbers(n, 1)); err != nil {
			return err
		}
	}
	return nil
}

// TestContextDuringRendezvous: the sender gives up waiting, the transfer runs to its end without it.
func TestContextDuringRendezvous(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		const n = 100_000
		if w.Rank() == 0 {
			ctx, stop := soon()
			defer stop()
			if err := mpi.Send(w.WithContext(ctx), numbers(n, 9), 1, 1); !errors.Is(err, errStop) {
				return fmt.Errorf("ended with %v", err)
			}
			return errors.Join(mpi.Send(w, []int64{1}, 1, 2), mpi.Barrier(w))
		}
		buf := make([]int64, n)
		if _, err := mpi.Recv(w, buf[:1], 0, 2); err != nil { // the sender has given up by now
			return err
		}
		_, err := mpi.Recv(w, buf, 0, 1)
		return errors.Join(err, same("buffer", buf, numbers(n, 9)), mpi.Barrier(w))
	})
}

// TestContextEndsCollectives: a rank that waits for others in a collective returns when its context ends, or when it learns that
// another has given up; the job goes on with other communicators. What the abandoned collective had sent stays unreceived.
func TestContextEndsCollectives(t *testing.T) {
	for form, call := range map[string]func(*mpi.Comm) error{
		"blocking": func(c *mpi.Comm) error { return mpi.Allreduce(c, []int{1}, []int{0}, mpi.Sum) },
		"waiting":  func(c *mpi.Comm) error { _, err := mpi.Ibarrier(c).Wait(); return err },
	} {
		err := mpi.Run(3, func(w *mpi.Comm) error {
			c, err := w.Dup()
			if err != nil {
				return err
			}
			if w.Rank() != 2 { // rank 2 never comes
				ctx, stop := soon()
				defer stop()
				if err := call(c.WithContext(ctx)); !errors.Is(err, errStop) && !errors.Is(err, mpi.ErrProcFailed) {
					return fmt.Errorf("ended with %v", err)
				}
			}
			sum := []int{0}
			return errors.Join(mpi.Allreduce(w, []int{1}, sum, mpi.Sum), want("sum", sum[0], 3))
		})
		if err != nil && !strings.Contains(err.Error(), "never received") {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// TestContextAlreadyOver: nothing is sent or taken by a call that would have to wait.
func TestContextAlreadyOver(t *testing.T) {
	runs(t, 1, func(w *mpi.Comm) error {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		d := w.WithContext(ctx)
		if _, err := mpi.Recv(d, make([]int, 1), 0, 1); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("ended with %v", err)
		}
		if err := mpi.Send(w, []int{3}, 0, 1); err != nil {
			return err
		}
		buf := []int{0}
		_, err := mpi.Recv(w, buf, 0, 1)
		return errors.Join(err, want("buffer", buf[0], 3))
	})
}
