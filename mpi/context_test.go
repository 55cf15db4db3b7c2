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

// TestContextEndsWaits: receives, probes and sends return when their context ends, are withdrawn,
// and a later message is received by a later call, short or long.
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
	if _, found, err := mpi.Iprobe(c, c.Rank(), 2); found || err != nil { // the send was withdrawn
		return fmt.Errorf("found the message of a cancelled send: %v, %v", found, err)
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

// TestContextEndsSend: a send that nobody has received is withdrawn; its buffer is the program's,
// and the receiver, which computes meanwhile, gets the next message and not what the program does
// with the buffer.
func TestContextEndsSend(t *testing.T) {
	const n = 100_000
	for name, send := range map[string]func(*mpi.Comm, []int64) error{
		"send":  func(c *mpi.Comm, buf []int64) error { return mpi.Send(c, buf, 1, 1) },
		"ssend": func(c *mpi.Comm, buf []int64) error { return mpi.Ssend(c, buf[:10], 1, 1) },
		"isend": func(c *mpi.Comm, buf []int64) error { _, err := mpi.Isend(c, buf, 1, 1).Wait(); return err },
		"waitall": func(c *mpi.Comm, buf []int64) error {
			return mpi.Waitall([]mpi.Request{mpi.Isend(c, buf, 1, 1), {}, mpi.Issend(c, buf[:1], 1, 1)})
		},
		"sendrecv": func(c *mpi.Comm, buf []int64) error {
			_, err := mpi.Sendrecv(c, buf, 1, 1, make([]int64, 1), 1, 9)
			return err
		},
	} {
		computed := make(chan struct{})
		runs(t, 2, func(w *mpi.Comm) error {
			if w.Rank() == 0 {
				ctx, stop := soon()
				defer stop()
				buf := numbers(n, 9)
				if err := send(w.WithContext(ctx), buf); !errors.Is(err, errStop) {
					return fmt.Errorf("%s: ended with %v", name, err)
				}
				clear(buf)
				close(computed)
				return mpi.Send(w, numbers(n, 3), 1, 1)
			}
			<-computed
			buf := make([]int64, n)
			_, err := mpi.Recv(w, buf, 0, 1)
			return errors.Join(err, same(name, buf, numbers(n, 3)))
		})
	}
}

// TestCancelSend: Cancel withdraws a send that nobody has received, and the status tells; one that
// was received is not touched.
func TestCancelSend(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		const n = 100_000
		if w.Rank() == 0 {
			gone, stays := mpi.Isend(w, numbers(n, 1), 1, 1), mpi.Isend(w, numbers(n, 2), 1, 2)
			if _, err := mpi.Recv(w, make([]int, 1), 1, 3); err != nil { // the second is being received
				return err
			}
			err := errors.Join(gone.Cancel(), stays.Cancel())
			a, aerr := gone.Wait()
			b, berr := stays.Wait()
			return errors.Join(err, aerr, berr, want("cancelled", a.Cancelled, true), want("cancelled", b.Cancelled, false))
		}
		buf := make([]int64, n)
		r := mpi.Irecv(w, buf, 0, 2)
		if err := mpi.Send(w, []int{1}, 0, 3); err != nil {
			return err
		}
		_, err := r.Wait()
		return errors.Join(err, same("buffer", buf, numbers(n, 2)))
	})
}

// TestContextOfProbe: a matched message is received whatever became of the context of its probe.
func TestContextOfProbe(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		const n = 100_000
		if w.Rank() == 0 {
			return errors.Join(mpi.Send(w, numbers(n, 4), 1, 1), mpi.SendValue(w, strings.Repeat("x", n), 1, 2))
		}
		ctx, cancel := context.WithCancel(context.Background())
		m, err := mpi.Mprobe(w.WithContext(ctx), 0, 1)
		cancel()
		if err != nil {
			return err
		}
		buf := make([]int64, n)
		_, err = mpi.Mrecv(m, buf)
		text, _, verr := mpi.RecvValue[string](w, 0, 2)
		return errors.Join(err, verr, same("buffer", buf, numbers(n, 4)), want("length", len(text), n))
	})
}

// givesUp is a collective that a rank leaves because its context ends.
func givesUp(c *mpi.Comm, call func(*mpi.Comm) error) error {
	ctx, stop := soon()
	defer stop()
	if err := call(c.WithContext(ctx)); !errors.Is(err, errStop) && !errors.Is(err, mpi.ErrProcFailed) && !errors.Is(err, mpi.ErrGivenUp) {
		return fmt.Errorf("ended with %v", err)
	}
	return nil
}

// TestContextEndsCollectives: a rank that waits for others in a collective returns when its context
// ends, or when it learns that another has given up, and its buffers are its own. The communicator
// is of no use any more, and says so; it can be freed although a rank never came, and nothing of it
// is left; the job goes on with other communicators.
func TestContextEndsCollectives(t *testing.T) {
	const n = 50_000
	for form, call := range map[string]func(*mpi.Comm) error{
		"allreduce": func(c *mpi.Comm) error { return mpi.Allreduce(c, []int{1}, []int{0}, mpi.Sum) },
		"bcast":     func(c *mpi.Comm) error { return mpi.Bcast(c, numbers(n, 1), 2) },
		"long":      func(c *mpi.Comm) error { return mpi.Allgather(c, numbers(n, 1), make([]int64, 3*n)) },
		"gather":    func(c *mpi.Comm) error { return mpi.Gather(c, numbers(n, 1), make([]int64, 3*n), 2) },
		"waiting":   func(c *mpi.Comm) error { _, err := mpi.Ibarrier(c).Wait(); return err },
	} {
		runs(t, 3, func(w *mpi.Comm) error {
			c, err := w.Dup()
			if err != nil {
				return err
			}
			if w.Rank() != 2 { // rank 2 never comes
				if err := givesUp(c, call); err != nil {
					return fmt.Errorf("%s: %w", form, err)
				}
			}
			sum := []int{0}
			err = errors.Join(mpi.Allreduce(w, []int{1}, sum, mpi.Sum), want("sum", sum[0], 3))
			if err := mpi.Barrier(c); !errors.Is(err, mpi.ErrGivenUp) && !errors.Is(err, mpi.ErrProcFailed) { // may just be hearing of it
				return fmt.Errorf("%s: a later barrier ended with %v", form, err)
			}
			for name, later := range map[string]error{"barrier": mpi.Barrier(c), "send": mpi.Send(c, sum, 0, 1), "dup": fails(c.Dup())} {
				if !errors.Is(later, mpi.ErrGivenUp) {
					err = errors.Join(err, fmt.Errorf("%s: a later %s ended with %v", form, name, later))
				}
			}
			return errors.Join(err, c.Free(), want("freed twice", errors.Is(c.Free(), mpi.ErrComm), true), mpi.Barrier(w))
		})
	}
}

func fails(_ *mpi.Comm, err error) error { return err }

// TestFreeAfterGivingUp: a rank that has not heard of it waits in Free for ranks that never come,
// until it hears.
func TestFreeAfterGivingUp(t *testing.T) {
	t.Setenv("WEFT_CHECK", "off") // else a rank that frees while another is in a collective is told so
	runs(t, 3, func(w *mpi.Comm) error {
		c, err := w.Dup()
		if err != nil {
			return err
		}
		if w.Rank() == 0 {
			err = givesUp(c, func(c *mpi.Comm) error { return mpi.Barrier(c) })
		}
		return errors.Join(err, c.Free(), mpi.Barrier(w))
	})
}

// TestGivingUpEndsOthers: whoever is in another call on the communicator hears of it.
func TestGivingUpEndsOthers(t *testing.T) {
	runs(t, 3, func(w *mpi.Comm) error {
		c, err := w.Dup()
		if err != nil {
			return err
		}
		switch w.Rank() {
		case 0:
			err = givesUp(c, func(c *mpi.Comm) error { return mpi.Barrier(c) })
		case 1:
			if _, rerr := mpi.Recv(c, make([]int, 1), 0, 1); !errors.Is(rerr, mpi.ErrGivenUp) {
				err = fmt.Errorf("the receive ended with %v", rerr)
			}
		case 2:
			if serr := mpi.Send(c, make([]int, 100_000), 0, 1); !errors.Is(serr, mpi.ErrGivenUp) {
				err = fmt.Errorf("the send ended with %v", serr)
			}
		}
		return errors.Join(err, c.Free(), mpi.Barrier(w))
	})
}

// TestFreedMessages: a message that nobody received on a freed communicator never arrives on a
// later one that has its number, and is reported.
func TestFreedMessages(t *testing.T) {
	err := mpi.Run(2, func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		if w.Rank() == 0 {
			err = mpi.Send(d, []int{666}, 1, 1)
		}
		if err = errors.Join(err, d.Free()); err != nil {
			return err
		}
		for i := 0; w.Rank() == 0 && i < 32_760; i++ { // rank 0 leads them: numbers come round
			self, err := w.Self().Dup()
			if err := errors.Join(err, self.Free()); err != nil {
				return err
			}
		}
		for i := range 10 {
			e, err := w.Dup()
			if err != nil {
				return err
			}
			buf := []int{i}
			if w.Rank() == 0 {
				err = mpi.Send(e, buf, 1, 1)
			} else {
				_, err = mpi.Recv(e, buf, mpi.AnySource, mpi.AnyTag)
			}
			if err := errors.Join(err, want("message", buf[0], i), e.Free()); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "1 messages were never received: from process 0 tag 1 (8 bytes)") {
		t.Errorf("ended with %v", err)
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

// hasty is a program whose contexts end, of a send while its receiver computes, of a receive, and
// at last of a collective on the world, which the job survives.
func hasty(w *mpi.Comm) error {
	const n = 500_000
	buf, right := numbers(n, 1), (w.Rank()+1)%w.Size()
	left := (w.Rank() + w.Size() - 1) % w.Size()
	ctx, stop := soon()
	defer stop()
	if err := mpi.Send(w.WithContext(ctx), buf, right, 1); !errors.Is(err, errStop) {
		return fmt.Errorf("the send ended with %v", err)
	}
	clear(buf)
	if _, err := mpi.Recv(w.WithContext(ctx), buf, left, 2); !errors.Is(err, errStop) {
		return fmt.Errorf("the receive ended with %v", err)
	}
	if err := mpi.Barrier(w); err != nil {
		return err
	}
	got := make([]int64, n)
	if _, err := mpi.Sendrecv(w, numbers(n, 2), right, 2, got, left, 2); err != nil {
		return err
	}
	if err := errors.Join(same("received", got, numbers(n, 2)), same("cancelled", buf, make([]int64, n))); err != nil {
		return err
	}
	if w.Rank() == 0 {
		if err := givesUp(w, func(c *mpi.Comm) error { return mpi.Allreduce(c, got, buf, mpi.Sum) }); err != nil {
			return err
		}
	}
	fmt.Println("all is well")
	return nil
}
