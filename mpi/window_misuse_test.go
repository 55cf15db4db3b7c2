package mpi_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/mpi"
)

// bodyMisuse: every mistake is an error of its class that says where and what to do, and does no harm.
func bodyMisuse(c *mpi.Comm) error {
	to := (c.Rank() + 1) % c.Size()
	return bothWindows(c, 10, func(w *mpi.Window, _ []int64) error {
		if err := errors.Join(misuseWithoutEpoch(w, to, c.Size()), w.LockAll()); err != nil {
			return err
		}
		if err := errors.Join(misuseWhileAllLocked(w, to, c.Size()), w.UnlockAll(), w.Lock(mpi.LockShared, to)); err != nil {
			return err
		}
		if err := errors.Join(misuseWhileLocked(c, w, to), w.Unlock(to), mpi.Barrier(c)); err != nil {
			return err
		}
		err := errors.Join(w.Fence(), mpi.Put(w, []int64{1}, to, 0),
			mistake("lock between fences", w.Lock(mpi.LockShared, to), mpi.ErrEpoch, "Fence"), w.Fence(), w.Lock(mpi.LockShared, to), w.Unlock(to))
		return errors.Join(err, misuseOfFreed(c, to), mpi.Barrier(c))
	})
}

// mistake complains if err is not of the class, or does not say the words.
func mistake(what string, err, class error, words ...string) error {
	if !errors.Is(err, class) {
		return fmt.Errorf("%s: %v, want %v", what, err, class)
	}
	for _, word := range append(words, "window of", "mpi: ") {
		if !strings.Contains(err.Error(), word) {
			return fmt.Errorf("%s: %q does not say %q", what, err, word)
		}
	}
	return nil
}

func second[T any](_ T, err error) error { return err }

func misuseWithoutEpoch(w *mpi.Window, to, n int) error {
	one := []int64{1}
	return errors.Join(
		mistake("put without an epoch", mpi.Put(w, one, to, 0), mpi.ErrEpoch, "put", "Fence"),
		mistake("get without an epoch", mpi.Get(w, one, to, 0), mpi.ErrEpoch, "get"),
		mistake("accumulate without an epoch", mpi.Accumulate(w, one, to, 0, mpi.Sum), mpi.ErrEpoch),
		mistake("fetch without an epoch", second(mpi.FetchOp(w, int64(1), to, 0, mpi.Sum)), mpi.ErrEpoch, "fetch_op"),
		mistake("swap without an epoch", second(mpi.CompareSwap(w, int64(1), 2, to, 0)), mpi.ErrEpoch, "compare_swap"),
		mistake("flush without a lock", w.Flush(to), mpi.ErrEpoch, "Lock"),
		mistake("flush all without a lock", w.FlushAll(), mpi.ErrEpoch, "Lock"),
		mistake("unlock without a lock", w.Unlock(to), mpi.ErrEpoch, "Lock"),
		mistake("unlock all without a lock", w.UnlockAll(), mpi.ErrEpoch, "LockAll"),
		mistake("complete without start", w.Complete(), mpi.ErrEpoch, "Start"),
		mistake("wait without post", w.Wait(), mpi.ErrEpoch, "Post"),
		mistake("test without post", second(w.Test()), mpi.ErrEpoch, "Post"),
		mistake("lock of nobody", w.Lock(mpi.LockShared, n), mpi.ErrRank),
		mistake("unlock of nobody", w.Unlock(-1), mpi.ErrRank),
		mistake("query of memory that is not shared", second(mpi.Query[int64](w, 0)), mpi.ErrShared),
		mistake("attach to another kind", second(mpi.Attach(w, one)), mpi.ErrWindow),
	)
}

func misuseWhileAllLocked(w *mpi.Window, to, n int) error {
	one := []int64{1}
	own := mpi.NewOp(true, func(a, b int64) int64 { return a })
	g, err := w.Group().Incl(to)
	return errors.Join(err,
		mistake("beyond the end", mpi.Put(w, one, to, 10), mpi.ErrRange, "10 elements of 8 bytes"),
		mistake("before the beginning", mpi.Get(w, one, to, -1), mpi.ErrRange),
		mistake("far beyond", mpi.Get(w, one, to, 1<<62), mpi.ErrRange),
		mistake("too long", mpi.Put(w, make([]int64, 11), to, 0), mpi.ErrRange),
		mistake("too long an accumulate", mpi.Accumulate(w, make([]int64, 2), to, 9, mpi.Sum), mpi.ErrRange),
		mistake("a fetch beyond the end", second(mpi.FetchOp(w, int64(1), to, 10, mpi.Sum)), mpi.ErrRange),
		mistake("nobody", mpi.Put(w, one, n, 0), mpi.ErrRank),
		mistake("pointers", mpi.Put(w, []string{"text"}, to, 0), mpi.ErrType),
		mistake("pointers", mpi.Get(w, []*int{nil}, to, 0), mpi.ErrType),
		mistake("pointers", mpi.Accumulate(w, []string{"text"}, to, 0, mpi.Replace), mpi.ErrType),
		mistake("a reduction of one's own", mpi.Accumulate(w, one, to, 0, own), mpi.ErrOp),
		mistake("bits of floats", mpi.Accumulate(w, []float64{1}, to, 0, mpi.Band), mpi.ErrOp),
		mistake("swap of pairs", second(mpi.CompareSwap(w, [2]int64{}, [2]int64{}, to, 0)), mpi.ErrOp, "compare_swap"),
		mistake("lengths that differ", mpi.GetAccumulate(w, one, make([]int64, 2), to, 0, mpi.Sum), mpi.ErrCount),
		mistake("a layout of another length", mpi.PutLayout(w, one, to, 0, mpi.Strided{Count: 2, Block: 1, Stride: 2}), mpi.ErrCount),
		mistake("a layout of less than nothing", mpi.PutLayout(w, one, to, 0, mpi.Strided{Count: -1, Block: 1, Stride: 2}), mpi.ErrCount),
		mistake("a layout beyond the end", mpi.PutLayout(w, make([]int64, 2), to, 0, mpi.Strided{Count: 2, Block: 1, Stride: 10}), mpi.ErrRange),
		mistake("lock in lock all", w.Lock(mpi.LockShared, to), mpi.ErrLock, "Unlock"),
		mistake("lock all twice", w.LockAll(), mpi.ErrLock),
		mistake("fence while locked", w.Fence(), mpi.ErrEpoch, "UnlockAll"),
		mistake("start while locked", w.Start(g), mpi.ErrEpoch),
		mistake("free while locked", w.Free(), mpi.ErrEpoch),
	)
}

func misuseWhileLocked(c *mpi.Comm, w *mpi.Window, to int) error {
	g, err := w.Group().Incl(to)
	err = errors.Join(err,
		mistake("lock twice", w.Lock(mpi.LockExclusive, to), mpi.ErrLock),
		mistake("lock all while one is locked", w.LockAll(), mpi.ErrLock),
		mistake("post while locked", w.Post(g), mpi.ErrEpoch),
	)
	if c.Size() > 1 {
		err = errors.Join(err, mistake("another target", mpi.Put(w, []int64{1}, c.Rank(), 0), mpi.ErrEpoch, "this one is not"))
	}
	return err
}

// misuseOfFreed: a window of bytes is no place for longer elements everywhere, and when it has been freed it is none at all.
func misuseOfFreed(c *mpi.Comm, to int) error {
	one := []int64{1}
	w, err := mpi.CreateWindow(c, make([]byte, 16))
	if err != nil {
		return err
	}
	return errors.Join(w.Fence(), mistake("bad alignment", mpi.Put(w, one, to, 4), mpi.ErrAlign, "8 bytes"), w.Fence(), w.Free(),
		mistake("freed", mpi.Put(w, one, to, 0), mpi.ErrWindow),
		mistake("freed twice", w.Free(), mpi.ErrWindow),
		mistake("fence when freed", w.Fence(), mpi.ErrWindow),
		mistake("lock when freed", w.Lock(mpi.LockShared, 0), mpi.ErrWindow),
		mistake("flush when freed", w.FlushAll(), mpi.ErrWindow),
		mistake("sync when freed", w.Sync(), mpi.ErrWindow))
}
