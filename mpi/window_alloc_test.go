package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestWindowAllocations: operations on memory that is near allocate nothing.
func TestWindowAllocations(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates")
	}
	t.Setenv("WEFT_LINKS", "auto") // over the network nothing is near
	err := mpi.Run(2, func(c *mpi.Comm) error {
		w, _, err := mpi.AllocateWindow[int64](c, 100)
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			src, dst := make([]int64, 10), make([]int64, 10)
			err = w.LockAll()
			n := testing.AllocsPerRun(100, func() {
				err = errors.Join(err, mpi.Put(w, src, 1, 3), mpi.Get(w, dst, 1, 7), w.Flush(1))
				err = errors.Join(err, mpi.Accumulate(w, src, 1, 3, mpi.Sum), mpi.GetAccumulate(w, src, dst, 1, 3, mpi.Sum))
				_, perr := mpi.Rput(w, src, 1, 3).Wait()
				_, gerr := mpi.Rget(w, dst, 1, 7).Wait()
				err = errors.Join(err, perr, gerr)
				_, ferr := mpi.FetchOp(w, int64(1), 1, 0, mpi.Sum)
				_, serr := mpi.CompareSwap(w, int64(1), int64(2), 1, 0)
				if ferr != nil || serr != nil {
					err = errors.Join(ferr, serr)
				}
			})
			if n > 0 {
				err = fmt.Errorf("%v allocations", n)
			}
			err = errors.Join(err, w.UnlockAll())
		}
		return errors.Join(err, w.Free())
	})
	if err != nil {
		t.Error(err)
	}
}
