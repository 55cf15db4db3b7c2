package mpi_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestProbe learns the length of messages before receiving them, in all four ways.
func TestProbe(t *testing.T) { onComms(t, bodyProbe) }

func bodyProbe(c *mpi.Comm) error {
	right, left := (c.Rank()+1)%c.Size(), (c.Rank()-1+c.Size())%c.Size()
	if _, ok, err := mpi.Iprobe(c, mpi.AnySource, mpi.AnyTag); ok || err != nil {
		return fmt.Errorf("found a message that nobody sent: %v", err)
	}
	if m, err := mpi.Improbe(c, mpi.AnySource, mpi.AnyTag); m != nil || err != nil {
		return fmt.Errorf("took a message that nobody sent: %v", err)
	}
	if err := mpi.Barrier(c); err != nil {
		return err
	}
	for i, n := range []int{0, 3, 4000} {
		if err := probeOne(c, left, mpi.Isend(c, numbers(n, c.Rank()), right, i), i, n); err != nil {
			return fmt.Errorf("%d elements: %w", n, err)
		}
	}
	return nil
}

func probeOne(c *mpi.Comm, left int, send mpi.Request, tag, n int) error {
	whole := mpi.Status{Source: left, Tag: tag, Bytes: 8 * n}
	st, err := mpi.Probe(c, left, mpi.AnyTag)
	if err := errors.Join(err, want("probe", st, whole)); err != nil {
		return err
	}
	st, ok, err := mpi.Iprobe(c, mpi.AnySource, tag)
	if err := errors.Join(err, want("found", ok, true), want("iprobe", st, whole)); err != nil {
		return err
	}
	m, err := mpi.Mprobe(c, left, tag)
	if err != nil {
		return err
	}
	if _, ok, _ := mpi.Iprobe(c, left, tag); ok {
		return errors.New("a message that was taken is still there")
	}
	buf := make([]int64, n)
	st, err = mpi.Mrecv(m, buf)
	if err := errors.Join(err, want("mrecv", st, whole), same("buffer", buf, numbers(n, left))); err != nil {
		return err
	}
	if _, err := mpi.Mrecv(m, buf); !errors.Is(err, mpi.ErrRequest) {
		return fmt.Errorf("received a message twice: %v", err)
	}
	_, err = send.Wait()
	return err
}

// TestMprobeByManyGoroutines: several goroutines take messages of unknown length; each message is received once.
func TestMprobeByManyGoroutines(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		const goroutines, each = 4, 50
		if w.Rank() == 0 {
			for i := range goroutines * each {
				if err := mpi.Send(w, numbers(i, i), 1, 1); err != nil {
					return err
				}
			}
			return nil
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		seen := map[int]bool{}
		var failed error
		for range goroutines {
			wg.Go(func() {
				for range each {
					n, err := takeOne(w)
					mu.Lock()
					if err != nil || seen[n] {
						failed = errors.Join(failed, fmt.Errorf("message of %d elements again: %w", n, err))
					}
					seen[n] = true
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		return errors.Join(failed, want("messages", len(seen), goroutines*each))
	})
}

func takeOne(w *mpi.Comm) (int, error) {
	m, err := mpi.Mprobe(w, 0, 1)
	if err != nil {
		return 0, err
	}
	n, _ := mpi.Count[int64](m.Status())
	buf := make([]int64, n)
	if _, err := mpi.Mrecv(m, buf); err != nil {
		return n, err
	}
	return n, same("buffer", buf, numbers(n, n))
}
