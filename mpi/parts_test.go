package mpi_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// cuts are lengths in elements with the numbers of parts at both sides.
var cuts = []struct{ n, sender, receiver int }{
	{0, 1, 1}, {0, 3, 5}, {12, 1, 12}, {12, 4, 6}, {6000, 60, 1}, {6000, 6, 8}, {40_000, 8, 5}, {120_000, 3, 1000}, {9000, 9000, 9},
}

// TestParts sends messages in parts around a ring, in random order, several rounds each.
func TestParts(t *testing.T) { onComms(t, bodyParts) }

func bodyParts(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	for _, k := range cuts {
		out, in := make([]int64, k.n), make([]int64, k.n)
		send, recv := mpi.PsendInit(c, out, k.sender, right, 5), mpi.PrecvInit(c, in, k.receiver, left, 5)
		for round := range 3 {
			copy(out, numbers(k.n, round*10+c.Rank()))
			clear(in)
			first, second := send.Request, recv.Request
			if round == 1 {
				first, second = second, first
			}
			if err := mpi.Start(first, second); err != nil {
				return err
			}
			for _, i := range rand.Perm(k.sender) {
				if err := send.Ready(i); err != nil {
					return err
				}
			}
			if err := mpi.Waitall([]mpi.Request{first, second}); err != nil {
				return fmt.Errorf("%+v, round %d: %w", k, round, err)
			}
			if err := same(fmt.Sprint(k), in, numbers(k.n, round*10+left)); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestPartsEverywhere: over a network, in check mode, by whoever makes progress.
func TestPartsEverywhere(t *testing.T) {
	for _, env := range [][2]string{{"WEFT_CHECK", "on"}, {"WEFT_PROGRESS", "poll"}, {"WEFT_PROGRESS", "wake"}, {"WEFT_LINKS", "rail"}} {
		t.Setenv(env[0], env[1])
		runs(t, 3, bodyParts)
	}
}

// TestPartsInVirtualTime: on a simulated cluster, near and far.
func TestPartsInVirtualTime(t *testing.T) {
	oneThread(t)
	j := cluster{profile: "connectx-ddr", nodes: 2, ranks: 4}
	if err := j.run(t, bodyParts); err != nil {
		t.Error(err)
	}
}

// TestPartsByGoroutines: every part is filled and said to be ready by a goroutine of its own, while others
// look for what arrives. What has arrived is right, though the message is not whole.
func TestPartsByGoroutines(t *testing.T) {
	const parts, size, rounds = 16, 3000, 4
	runs(t, 2, func(w *mpi.Comm) error {
		out, in := make([]int64, parts*size), make([]int64, parts*size)
		send, recv := mpi.PsendInit(w, out, parts, 1-w.Rank(), 1), mpi.PrecvInit(w, in, parts, 1-w.Rank(), 1)
		for round := range rounds {
			if err := mpi.Start(recv.Request, send.Request); err != nil {
				return err
			}
			errs := make([]error, 2*parts)
			var all sync.WaitGroup
			for i := range parts {
				all.Go(func() {
					copy(out[i*size:(i+1)*size], numbers(size, round+i))
					errs[i] = send.Ready(i)
				})
				all.Go(func() {
					for {
						here, err := recv.Arrived(i)
						if err == nil && here {
							err = same("part", in[i*size:(i+1)*size], numbers(size, round+i))
						}
						if errs[parts+i] = err; here || err != nil {
							return
						}
					}
				})
			}
			all.Wait()
			if err := errors.Join(append(errs, mpi.Waitall([]mpi.Request{recv.Request, send.Request}))...); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPartsTravelAsTheyGetReady: the first part arrives though the last never gets ready before that.
func TestPartsTravelAsTheyGetReady(t *testing.T) {
	for _, links := range []string{"auto", "rail"} {
		t.Setenv("WEFT_LINKS", links)
		runs(t, 2, func(w *mpi.Comm) error {
			buf := make([]byte, 1<<20)
			if w.Rank() == 0 {
				s := mpi.PsendInit(w, buf, 4, 1, 0)
				if err := errors.Join(mpi.Start(s.Request), s.Ready(2)); err != nil {
					return err
				}
				if _, err := mpi.Recv(w, buf[:1], 1, 7); err != nil { // part 2 has arrived
					return err
				}
				if err := s.ReadyRange(0, 2); err != nil {
					return err
				}
				if _, done, err := s.Test(); done || err != nil {
					return fmt.Errorf("complete without part 3: %v", err)
				}
				err := s.Ready(3)
				_, waited := s.Wait()
				return errors.Join(err, waited)
			}
			r := mpi.PrecvInit(w, buf, 8, 0, 0)
			if err := mpi.Start(r.Request); err != nil {
				return err
			}
			for here, err := false, error(nil); !here; {
				if here, err = r.Arrived(5); err != nil {
					return err
				}
			}
			if here, err := r.Arrived(6); here || err != nil {
				return fmt.Errorf("part 6 is here: %v", err)
			}
			if err := mpi.Send(w, []byte{1}, 0, 7); err != nil {
				return err
			}
			st, err := r.Wait()
			return errors.Join(err, want("source", st.Source, 0), want("bytes", st.Bytes, len(buf)))
		})
	}
}

// TestPartsMatchInOrder: of several between the same ranks with the same tag, the first send belongs to the
// first receive, in whichever order they are started; other messages with the tag go their own way.
func TestPartsMatchInOrder(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		a, b, plain := []int{0}, []int{0}, []int{0}
		if w.Rank() == 0 {
			first, second := mpi.PsendInit(w, []int{1}, 1, 1, 3), mpi.PsendInit(w, []int{2}, 1, 1, 3)
			err := errors.Join(mpi.Start(second.Request), second.Ready(0), mpi.Send(w, []int{3}, 1, 3), mpi.Start(first.Request), first.Ready(0))
			return errors.Join(err, mpi.Waitall([]mpi.Request{first.Request, second.Request}))
		}
		first, second := mpi.PrecvInit(w, a, 1, 0, 3), mpi.PrecvInit(w, b, 1, 0, 3)
		if err := mpi.Start(first.Request, second.Request); err != nil {
			return err
		}
		_, err := mpi.Recv(w, plain, mpi.AnySource, mpi.AnyTag)
		if err = errors.Join(err, mpi.Waitall([]mpi.Request{second.Request, first.Request})); err != nil {
			return err
		}
		return want("values", [3]int{a[0], b[0], plain[0]}, [3]int{1, 2, 3})
	})
}

// TestPartsMistakes are told.
func TestPartsMistakes(t *testing.T) {
	runs(t, 1, func(w *mpi.Comm) error {
		ended := func(r mpi.Request, class error) error {
			if err := mpi.Start(r); err != nil {
				return err
			}
			if _, err := r.Wait(); !errors.Is(err, class) {
				return fmt.Errorf("ended with %v, want %v", err, class)
			}
			return nil
		}
		buf := make([]int, 6)
		for _, err := range []error{
			ended(mpi.PsendInit(w, buf, 4, 0, 0).Request, mpi.ErrCount), ended(mpi.PsendInit(w, buf, 0, 0, 0).Request, mpi.ErrCount),
			ended(mpi.PsendInit(w, buf, 1, 7, 0).Request, mpi.ErrRank), ended(mpi.PrecvInit(w, buf, 5, 0, 0).Request, mpi.ErrCount),
			ended(mpi.PrecvInit(w, buf, 1, mpi.AnySource, 0).Request, mpi.ErrRank), ended(mpi.PrecvInit(w, buf, 1, 0, mpi.AnyTag).Request, mpi.ErrTag),
			ended(mpi.PsendInit(w, []string{""}, 1, 0, 0).Request, mpi.ErrType), ended(mpi.PrecvInit(w, []string{""}, 1, 0, 0).Request, mpi.ErrType),
		} {
			if err != nil {
				return err
			}
		}
		s, r := mpi.PsendInit(w, buf, 3, 0, 0), mpi.PrecvInit(w, make([]int, 6), 2, 0, 0)
		if err := s.Ready(0); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("ready before its start: %v", err)
		}
		if err := mpi.Start(s.Request, r.Request); err != nil {
			return err
		}
		if err := mpi.Start(s.Request); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("started twice: %v", err)
		}
		if err := s.Ready(3); !errors.Is(err, mpi.ErrCount) {
			return fmt.Errorf("part 3: %v", err)
		}
		if _, err := r.Arrived(-1); !errors.Is(err, mpi.ErrCount) {
			return fmt.Errorf("part -1: %v", err)
		}
		if err := s.Ready(1); err != nil {
			return err
		}
		if err := s.Ready(1); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("ready twice: %v", err)
		}
		if err := errors.Join(s.Ready(0, 2), mpi.Waitall([]mpi.Request{s.Request, r.Request})); err != nil {
			return err
		}
		other, here := mpi.PsendInit(w, buf, 3, 0, 1), mpi.PrecvInit(w, make([]int, 5), 1, 0, 1)
		if err := errors.Join(ended(here.Request, mpi.ErrMismatch), other.Free()); err != nil {
			return err
		}
		if here, err := (mpi.PartRecv{}).Arrived(0); here || !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("nothing has arrived: %v", err)
		}
		return nil
	})
}

// TestPartsToNobody complete when all parts are ready.
func TestPartsToNobody(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		s, r := mpi.PsendInit(w, make([]int, 4), 2, mpi.ProcNull, 0), mpi.PrecvInit(w, make([]int, 4), 4, mpi.ProcNull, 0)
		for range 2 {
			if err := mpi.Start(s.Request, r.Request); err != nil {
				return err
			}
			if here, err := r.Arrived(3); !here || err != nil {
				return fmt.Errorf("nothing from nobody: %v", err)
			}
			if err := errors.Join(s.ReadyRange(0, 2), mpi.Waitall([]mpi.Request{s.Request, r.Request})); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPartsOfEndedJob: who waits for parts that never come, or never get ready, is told when the job ends.
func TestPartsOfEndedJob(t *testing.T) {
	for _, sends := range []bool{true, false} {
		err := mpi.Run(2, func(w *mpi.Comm) error {
			if w.Rank() == 1 {
				if err := mpi.Send(w, []int{1}, 0, 9); err != nil {
					return err
				}
				_, err := mpi.Recv(w, []int{0}, 0, 9)
				if err != nil {
					return err
				}
				return errors.New("enough")
			}
			s, r := mpi.PsendInit(w, []int{1, 2}, 2, 1, 0), mpi.PrecvInit(w, []int{1, 2}, 2, 1, 0)
			mine := r.Request
			if sends {
				mine = s.Request
			}
			if _, err := mpi.Recv(w, []int{0}, 1, 9); err != nil {
				return err
			}
			if err := errors.Join(mpi.Start(mine), mpi.Send(w, []int{1}, 1, 9)); err != nil {
				return err
			}
			_, err := mine.Wait()
			if !errors.Is(err, mpi.ErrAborted) {
				return fmt.Errorf("ended with %v", err)
			}
			return err
		})
		says(t, err, nil, "enough")
	}
}

// TestPartsAndFree: an active one runs to its end without a wait, and does not start again.
func TestPartsAndFree(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		out, in := []int{1, 2, 3, 4}, make([]int, 4)
		s, r := mpi.PsendInit(w, out, 2, 1-w.Rank(), 0), mpi.PrecvInit(w, in, 4, 1-w.Rank(), 0)
		if err := errors.Join(mpi.Start(s.Request, r.Request), s.Free(), s.ReadyRange(0, 2)); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		if err := mpi.Start(s.Request); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("started after Free: %v", err)
		}
		return errors.Join(r.Free(), same("in", in, out))
	})
}

// TestPartsFreedBeforeStart: what one end has made and freed without a start still belongs to what the
// other end has, and the next to the next, whichever end comes first.
func TestPartsFreedBeforeStart(t *testing.T) {
	for first := range 2 { // the rank that is late
		runs(t, 2, func(w *mpi.Comm) error {
			other := 1 - w.Rank()
			for round := range 3 {
				if err := mpi.Barrier(w); err != nil {
					return err
				}
				if w.Rank() == first {
					time.Sleep(time.Millisecond)
				}
				for range round {
					if err := errors.Join(mpi.PsendInit(w, make([]int, 4), 4, other, 0).Free(), mpi.PrecvInit(w, make([]int, 4), 1, other, 0).Free()); err != nil {
						return err
					}
				}
				out, in := []int{round, 2, 3, 4}, make([]int, 4)
				s, r := mpi.PsendInit(w, out, 2, other, 0), mpi.PrecvInit(w, in, 4, other, 0)
				if err := errors.Join(mpi.Start(s.Request, r.Request), s.ReadyRange(0, 2), mpi.Waitall([]mpi.Request{s.Request, r.Request}),
					s.Free(), r.Free(), same("in", in, out)); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// TestPartsThatNobodySends: a receive that was never started, and that nobody sends to, keeps no
// communicator and no job alive.
func TestPartsThatNobodySends(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		r := mpi.PrecvInit(d, make([]int, 4), 2, 1-w.Rank(), 0)
		return errors.Join(r.Free(), d.Free(), mpi.PrecvInit(w, make([]int, 4), 2, 1-w.Rank(), 0).Free())
	})
}
