package window

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/comm"
)

func allocate(c *comm.Comm, n int) (*Window, error) {
	return New(c, Config{Op: "allocate_window", Kind: Allocated, Len: n, Unit: 1})
}

// TestFencesMeetInMemory: fences of ranks that come at odd times hold everybody until the last has come, and count.
func TestFencesMeetInMemory(t *testing.T) {
	t.Setenv("WEFT_LINKS", "auto")
	for _, ranks := range []int{1, 2, 3, 5} {
		onRanks(t, ranks, true, func(c *comm.Comm) error {
			w, err := allocate(c, 8*ranks)
			if err != nil {
				return err
			}
			const fences = 400
			err = w.Fence(NoPrecede)
			for i := range fences {
				for range (i * (c.Rank() + 3)) % 7 {
					runtime.Gosched() // comes late
				}
				if err == nil {
					err = w.Put([]byte{byte(i), byte(c.Rank())}, (c.Rank()+i)%ranks, 8*c.Rank(), Elem{1, 1})
				}
				err = errors.Join(err, w.Fence(0))
				from := ((c.Rank()-i)%ranks + ranks) % ranks
				if got := w.Mem()[8*from : 8*from+2]; err == nil && (got[0] != byte(i) || got[1] != byte(from)) {
					err = fmt.Errorf("after fence %d rank %d finds %v of rank %d", i, c.Rank(), got, from)
				}
				if err = errors.Join(err, w.Fence(0)); err != nil {
					return err
				}
			}
			if n := w.stats.met.Load(); !w.quick || n != 2*fences+1 {
				return fmt.Errorf("%d fences have met in memory", n)
			}
			return w.Free()
		})
	}
}

// TestContextEndsFence: a rank may stop waiting for the others, and the next fence is one for all.
func TestContextEndsFence(t *testing.T) {
	t.Setenv("WEFT_LINKS", "auto")
	onRanks(t, 2, true, func(c *comm.Comm) error {
		w, err := allocate(c, 8)
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
			defer cancel()
			if err := w.WithContext(ctx).Fence(0); !errors.Is(err, context.DeadlineExceeded) {
				return fmt.Errorf("the fence gives %v", err)
			}
			return errors.Join(barrier(c), w.Fence(0), w.Fence(0), w.Free())
		}
		return errors.Join(barrier(c), w.Fence(0), w.Fence(0), w.Fence(0), w.Free())
	})
}

// TestLostEndsMeeting: whoever sleeps in a fence is told when one of the others is lost.
func TestLostEndsMeeting(t *testing.T) {
	t.Setenv("WEFT_LINKS", "auto")
	onRanks(t, 2, true, func(c *comm.Comm) error {
		w, err := allocate(c, 8)
		if err != nil {
			return err
		}
		if c.Rank() == 1 {
			return errors.Join(barrier(c), w.Free())
		}
		lost := errors.New("gone")
		told := make(chan error)
		go func() { told <- w.Fence(0) }()
		for asleep := false; !asleep; {
			w.loop.Enter()
			if asleep = len(w.meets) > 0; asleep {
				w.Lost(w.parts[1].proc, lost)
			}
			w.loop.Exit()
		}
		if err := <-told; !errors.Is(err, lost) {
			return fmt.Errorf("the sleeper was told %v", err)
		}
		if err := w.Fence(0); !errors.Is(err, lost) {
			return fmt.Errorf("the next fence gives %v", err)
		}
		return errors.Join(barrier(c), w.Free())
	})
}

// TestFencesMayBeBarriers: WEFT_LAB_RMA_MEET=off has them be that.
func TestFencesMayBeBarriers(t *testing.T) {
	t.Setenv("WEFT_LINKS", "auto")
	t.Setenv("WEFT_LAB_RMA_MEET", "off")
	onRanks(t, 2, true, func(c *comm.Comm) error {
		w, err := allocate(c, 8)
		if err != nil {
			return err
		}
		err = errors.Join(w.Fence(NoPrecede), w.Put([]byte{7}, 1-c.Rank(), 3, Elem{1, 1}), w.Fence(0))
		if n := w.stats.met.Load(); n != 0 || err == nil && w.Mem()[3] != 7 {
			err = errors.Join(err, fmt.Errorf("%d fences have met in memory, which holds %v", n, w.Mem()))
		}
		return errors.Join(err, w.Free())
	})
}
