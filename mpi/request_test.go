package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// exchange posts a receive from and a send to every rank, the latter with its rank as tag.
func exchange(c *mpi.Comm, n int, bufs [][]int64) (reqs []mpi.Request) {
	for src := range c.Size() {
		bufs[src] = make([]int64, n)
		reqs = append(reqs, mpi.Irecv(c, bufs[src], src, mpi.AnyTag))
	}
	for dst := range c.Size() {
		reqs = append(reqs, mpi.Isend(c, numbers(n, c.Rank()*100+dst), dst, c.Rank()))
	}
	return reqs
}

func exchanged(c *mpi.Comm, n int, bufs [][]int64) (err error) {
	for src := range c.Size() {
		err = errors.Join(err, same(fmt.Sprint("from ", src), bufs[src], numbers(n, src*100+c.Rank())))
	}
	return err
}

// TestWaitAndTest finishes the same exchange in all the ways there are.
func TestWaitAndTest(t *testing.T) {
	ways := map[string]func(reqs []mpi.Request) error{
		"waitall": mpi.Waitall,
		"wait": func(reqs []mpi.Request) (err error) {
			for _, r := range reqs {
				_, e := mpi.Wait(r)
				err = errors.Join(err, e)
			}
			return err
		},
		"waitany":  byWaitany,
		"waitsome": bySome(mpi.Waitsome),
		"testsome": bySome(mpi.Testsome),
		"testall": func(reqs []mpi.Request) error {
			for {
				if done, err := mpi.Testall(reqs); done || err != nil {
					return err
				}
			}
		},
		"testany": byTestany,
		"test": func(reqs []mpi.Request) error {
			for i := range reqs {
				for done := false; !done; {
					var err error
					if _, done, err = mpi.Test(reqs[i]); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
	for name, finish := range ways {
		t.Run(name, func(t *testing.T) {
			onComms(t, func(c *mpi.Comm) error {
				for _, n := range []int{0, 10, 5000} {
					bufs := make([][]int64, c.Size())
					if err := finish(exchange(c, n, bufs)); err != nil {
						return err
					}
					if err := errors.Join(exchanged(c, n, bufs), mpi.Barrier(c)); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

func byWaitany(reqs []mpi.Request) error {
	seen := make([]bool, len(reqs))
	for range reqs {
		i, _, err := mpi.Waitany(reqs)
		if err != nil || i < 0 || seen[i] {
			return fmt.Errorf("waitany gave %d, %v", i, err)
		}
		seen[i] = true
	}
	i, _, err := mpi.Waitany(reqs)
	return errors.Join(err, want("index when none is left", i, -1))
}

func byTestany(reqs []mpi.Request) error {
	for left := len(reqs); left > 0; {
		i, _, done, err := mpi.Testany(reqs)
		if err != nil {
			return err
		}
		if done && i >= 0 {
			left--
		}
	}
	i, _, done, err := mpi.Testany(reqs)
	return errors.Join(err, want("index when none is left", i, -1), want("done when none is left", done, true))
}

func bySome(some func([]mpi.Request) ([]int, []mpi.Status, error)) func(reqs []mpi.Request) error {
	return func(reqs []mpi.Request) error {
		var all []int
		for len(all) < len(reqs) {
			is, sts, err := some(reqs)
			if err != nil || len(is) != len(sts) {
				return fmt.Errorf("%v %v %w", is, sts, err)
			}
			all = append(all, is...)
		}
		slices.Sort(all)
		for i := range all {
			if all[i] != i {
				return fmt.Errorf("completed %v", all)
			}
		}
		is, _, err := some(reqs)
		return errors.Join(err, want("completed when none is left", len(is), 0))
	}
}

// TestWaitallStatus reports every message's status at its place.
func TestWaitallStatus(t *testing.T) { onComms(t, bodyWaitallStatus) }

func bodyWaitallStatus(c *mpi.Comm) error {
	bufs := make([][]int64, c.Size())
	reqs := exchange(c, 3, bufs)
	sts := make([]mpi.Status, len(reqs))
	if err := mpi.WaitallStatus(reqs, sts); err != nil {
		return err
	}
	for src := range c.Size() {
		if err := want("status", sts[src], mpi.Status{Source: src, Tag: src, Bytes: 24}); err != nil {
			return err
		}
	}
	for _, r := range reqs {
		if r.Active() {
			return errors.New("a request is active after Waitall")
		}
	}
	return nil
}

// TestPersistent starts the same requests again and again, with new contents of their buffers.
func TestPersistent(t *testing.T) { onComms(t, bodyPersistent) }

func bodyPersistent(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	for _, n := range []int{1, 3000} {
		out, in := make([]int64, n), make([]int64, n)
		send, recv := mpi.SendInit(c, out, right, 1), mpi.RecvInit(c, in, left, 1)
		if n == 1 {
			send = mpi.SsendInit(c, out, right, 1)
		}
		for i := range 5 {
			copy(out, numbers(n, c.Rank()+i*10))
			if err := mpi.Start(recv, send); err != nil {
				return err
			}
			if err := mpi.Waitall([]mpi.Request{send, recv}); err != nil {
				return err
			}
			if err := same("buffer", in, numbers(n, left+i*10)); err != nil {
				return err
			}
			if recv.Active() || send.Active() {
				return errors.New("a persistent request is active after its wait")
			}
		}
	}
	return nil
}

// TestStartErrors: only inactive persistent requests can be started.
func TestStartErrors(t *testing.T) {
	runs(t, 1, func(w *mpi.Comm) error {
		buf := make([]int, 1)
		plain := mpi.Irecv(w, buf, 0, 1)
		if err := mpi.Start(plain); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("started a plain request: %v", err)
		}
		again := mpi.RecvInit(w, make([]int, 1), 0, 2)
		if err := mpi.Start(again); err != nil {
			return err
		}
		if err := mpi.Start(again); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("started an active request: %v", err)
		}
		return errors.Join(mpi.Send(w, buf, 0, 1), mpi.Send(w, buf, 0, 2), mpi.Waitall([]mpi.Request{plain, again}))
	})
}

// TestCancel: a receive without a message is withdrawn, one with a message is not, and a send never is.
func TestCancel(t *testing.T) { onComms(t, bodyCancel) }

func bodyCancel(c *mpi.Comm) error {
	buf := make([]int64, 10)
	r := mpi.Irecv(c, buf, mpi.AnySource, 77)
	if err := mpi.Cancel(r); err != nil {
		return err
	}
	st, err := r.Wait()
	if err != nil || !st.Cancelled {
		return fmt.Errorf("withdrawn receive: %+v, %w", st, err)
	}
	s := mpi.Isend(c, numbers(10, 1), c.Rank(), 77)
	if _, err := mpi.Probe(c, c.Rank(), 77); err != nil {
		return err
	}
	r = mpi.Irecv(c, buf, c.Rank(), 77)
	if err := errors.Join(mpi.Cancel(r), mpi.Cancel(s)); err != nil {
		return err
	}
	st, err = r.Wait()
	_, serr := s.Wait()
	return errors.Join(err, serr, want("cancelled", st.Cancelled, false), same("buffer", buf, numbers(10, 1)))
}

// TestZeroRequest: the zero request is inactive and completes at once; a stale copy is an error.
func TestZeroRequest(t *testing.T) {
	runs(t, 1, func(w *mpi.Comm) error {
		var zero mpi.Request
		_, done, terr := zero.Test()
		_, err := zero.Wait()
		if err := errors.Join(err, terr, zero.Cancel(), zero.Free(), mpi.Waitall(make([]mpi.Request, 3)), mpi.Waitall(nil),
			want("done", done, true), want("active", zero.Active(), false)); err != nil {
			return err
		}
		r := mpi.Irecv(w, make([]int, 1), 0, 1)
		twin := r
		if err := mpi.Send(w, []int{1}, 0, 1); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		if _, err := twin.Wait(); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("waited for a stale copy: %v", err)
		}
		if err := mpi.Waitall([]mpi.Request{mpi.Irecv(w, make([]int, 1), 0, 2), twin}); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("waited for a stale copy among others: %v", err)
		}
		return nil
	})
}

// TestFreeRequest: a freed receive still receives.
func TestFreeRequest(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		if w.Rank() == 0 {
			if err := mpi.Barrier(w); err != nil {
				return err
			}
			return errors.Join(mpi.Send(w, []int{5}, 1, 1), mpi.Send(w, []int{6}, 1, 1))
		}
		first, second := []int{0}, []int{0}
		if err := mpi.Irecv(w, first, 0, 1).Free(); err != nil {
			return err
		}
		if err := mpi.Barrier(w); err != nil {
			return err
		}
		_, err := mpi.Recv(w, second, 0, 1)
		return errors.Join(err, want("first", first[0], 5), want("second", second[0], 6))
	})
}
