package window

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/internal/comm"
)

// TestCountsTogether: operations of several goroutines at a time are all counted.
func TestCountsTogether(t *testing.T) {
	const goroutines, each = 4, 20_000
	onRanks(t, 2, true, func(c *comm.Comm) error {
		w, err := New(c, Config{Op: "create_window", Kind: Created, Mem: make([]byte, goroutines), Unit: 1})
		if err != nil {
			return err
		}
		err = w.LockAll(0)
		failed := make([]error, goroutines)
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				src := []byte{byte(g)}
				for range each {
					failed[g] = errors.Join(failed[g], w.Put(src, w.self, g, Elem{1, 1}))
				}
			})
		}
		all.Wait()
		if n := w.stats.near.Load(); n != goroutines*each {
			err = errors.Join(err, fmt.Errorf("%d puts are counted as %d", goroutines*each, n))
		}
		return errors.Join(err, errors.Join(failed...), w.UnlockAll(), w.Free())
	})
}
