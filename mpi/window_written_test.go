package mpi_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// writtenMeanwhile: a program may go on writing to its memory while windows over it are made, used
// elsewhere and freed; nothing that it has written is lost.
func writtenMeanwhile(c *mpi.Comm) error {
	mem := make([]int64, 4*512) // some pages
	var stop atomic.Bool
	var rounds int64
	var writer sync.WaitGroup
	writer.Go(func() {
		for ; !stop.Load(); rounds++ {
			for i := range mem[1:] {
				atomic.AddInt64(&mem[1+i], 1)
			}
		}
	})
	var err error
	for range 50 {
		if err = errors.Join(err, putFirst(c, mem)); err != nil {
			break
		}
	}
	stop.Store(true)
	writer.Wait()
	for i := range mem[1:] {
		if n := mem[1+i]; n != rounds && err == nil {
			err = fmt.Errorf("rank %d: element %d was written %d times, and %d are left", c.Rank(), 1+i, rounds, n)
		}
	}
	return err
}

// putFirst makes a window over mem, puts to the first element of the next rank's and looks for what
// came here.
func putFirst(c *mpi.Comm, mem []int64) error {
	w, err := mpi.CreateWindow(c, mem)
	if err != nil {
		return err
	}
	n := c.Size()
	next, last := (c.Rank()+1)%n, (c.Rank()+n-1)%n
	err = errors.Join(w.Fence(), mpi.Put(w, []int64{int64(c.Rank())}, next, 0), w.Fence(mpi.NoSucceed))
	if err == nil && mem[0] != int64(last) {
		err = fmt.Errorf("rank %d finds %d, not %d", c.Rank(), mem[0], last)
	}
	return errors.Join(err, mpi.Barrier(c), w.Free())
}

// TestWrittenMeanwhile runs it between goroutines and between processes.
func TestWrittenMeanwhile(t *testing.T) {
	if err := mpi.Run(2, writtenMeanwhile); err != nil {
		t.Error(err)
	}
	for _, vars := range [][]string{{"WEFT_CMA=on"}, {"WEFT_CMA=off"}} {
		if code, text := job(t, 2, "written meanwhile", vars...); code != 0 {
			t.Errorf("%v: code %d: %s", vars, code, text)
		}
	}
}
