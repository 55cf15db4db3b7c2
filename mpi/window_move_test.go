package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// wholePages is a slice of two pages and some elements before and behind them.
func wholePages() []int64 {
	all := make([]int64, 2048) // begins with a page
	return all[412:1636]
}

// movedWindows: without the kernel's help and without progress at the target, ranks put into each other's slices, which can only
// be if these have moved; the slices keep their addresses and contents, there and back.
func movedWindows(c *mpi.Comm) error {
	mem := wholePages()
	for i := range mem {
		mem[i] = int64(i)
	}
	at, want := &mem[0], slices.Clone(mem)
	w, err := mpi.CreateWindow(c, mem)
	if err != nil {
		return err
	}
	if !slices.Equal(mem[:300], want[:300]) || !slices.Equal(mem[301:], want[301:]) || &mem[0] != at { // another rank may have put already
		return errors.New("the slice has changed")
	}
	next, last := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	err = errors.Join(w.LockAll(mpi.NoCheck), mpi.Put(w, []int64{-1 - int64(c.Rank())}, next, 300)) // without a lock that others had to grant
	for began := time.Now(); err == nil && atomic.LoadInt64(&mem[300]) != -1-int64(last); {         // outside of the library
		if time.Since(began) > 30*time.Second {
			err = fmt.Errorf("rank %d finds %d", c.Rank(), mem[300])
		}
	}
	got := make([]int64, len(mem))
	err = errors.Join(err, mpi.Get(w, got[200:700], next, 200), w.UnlockAll(), mpi.Barrier(c))
	if err == nil && (got[300] != -1-int64(c.Rank()) || got[699] != 699) {
		err = fmt.Errorf("rank %d got %d and %d", c.Rank(), got[300], got[699])
	}
	if err = errors.Join(err, w.Free()); err != nil {
		return err
	}
	want[300] = -1 - int64(last)
	if !slices.Equal(mem, want) || &mem[0] != at {
		return errors.New("the slice has changed on its way back")
	}
	return nil
}

// TestMovedWindows runs them between processes.
func TestMovedWindows(t *testing.T) {
	t.Setenv("WEFT_LINKS", "auto") // over the network nothing is near
	if code, text := job(t, 3, "moved windows", "WEFT_CMA=off", "WEFT_PROGRESS=poll"); code != 0 {
		t.Errorf("code %d: %s", code, text)
	}
}
