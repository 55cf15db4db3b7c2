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
		return errors.Join(err, misuseBetweenFences(w, to), misuseOfGroups(c, w), misuseOfFreed(c, to), mpi.Barrier(c))
	})
}

// misuseBetweenFences: what needs a lock, and a promise that is not kept.
func misuseBetweenFences(w *mpi.Window, to int) error {
	one := []int64{1}
	return errors.Join(w.Fence(),
		mistake("a request between fences", waited(mpi.Rput(w, one, to, 0)), mpi.ErrEpoch, "rput", "Lock or LockAll"),
		mistake("a flush between fences", w.Flush(to), mpi.ErrEpoch, "Lock or LockAll"),
		mistake("a flush of all between fences", w.FlushLocalAll(), mpi.ErrEpoch, "Lock or LockAll"),
		mpi.Put(w, one, to, 0),
		mistake("operations that were denied", w.Fence(mpi.NoPrecede), mpi.ErrEpoch, "NoPrecede"), w.Fence(mpi.NoSucceed))
}

// misuseOfGroups: what must not be done between Post and Wait, and between Start and Complete.
func misuseOfGroups(c *mpi.Comm, w *mpi.Window) error {
	me, n := c.Rank(), c.Size()
	if n == 1 {
		return nil
	}
	to := (me + 1) % n
	source, err := w.Group().Incl((me + n - 1) % n)
	target, terr := w.Group().Incl(to)
	if err := errors.Join(err, terr, w.Post(source),
		mistake("post twice", w.Post(source), mpi.ErrEpoch, "Wait"),
		mistake("fence after post", w.Fence(), mpi.ErrEpoch, "Wait"),
		mistake("free after post", w.Free(), mpi.ErrEpoch, "Wait"),
		w.Start(target)); err != nil {
		return err
	}
	err = errors.Join(
		mistake("start twice", w.Start(target), mpi.ErrEpoch, "Complete"),
		mistake("lock after start", w.Lock(mpi.LockShared, to), mpi.ErrEpoch, "Complete"),
		mistake("lock all after start", w.LockAll(), mpi.ErrEpoch, "Complete"),
		mistake("fence after start", w.Fence(), mpi.ErrEpoch, "Complete"),
		mistake("a request after start", waited(mpi.Rget(w, make([]int64, 1), to, 0)), mpi.ErrEpoch, "Lock"),
		mistake("outside the group", mpi.Put(w, []int64{1}, me, 0), mpi.ErrEpoch, "group given to Start"),
		w.Complete(), w.Wait(),
		mistake("complete twice", w.Complete(), mpi.ErrEpoch, "Start"),
		mistake("wait twice", w.Wait(), mpi.ErrEpoch, "Post"))
	return errors.Join(err, misuseOfStrangers(c))
}

// misuseOfStrangers: groups of ranks that the window does not have.
func misuseOfStrangers(c *mpi.Comm) error {
	alone, err := c.Split(c.Rank(), 0)
	if err != nil {
		return err
	}
	w, err := mpi.CreateWindow(alone, make([]int64, 1))
	if err != nil {
		return err
	}
	return errors.Join(mistake("strangers let in", w.Post(c.Group()), mpi.ErrGroup, "not in the window"),
		mistake("strangers visited", w.Start(c.Group()), mpi.ErrGroup), w.Free(), alone.Free())
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
		mistake("a reduction of one's own", mpi.Accumulate(w, one, to, 0, own), mpi.ErrOp, "function of this process", "predefined"),
		mistake("the zero reduction", mpi.Accumulate(w, one, to, 0, mpi.Op{}), mpi.ErrOp, "predefined"),
		mistake("bits of floats", mpi.Accumulate(w, []float64{1}, to, 0, mpi.Band), mpi.ErrOp, "band of float64"),
		mistake("places of another type", mpi.Accumulate(w, []mpi.Loc[int32]{{}}, to, 0, mpi.MinLoc[int64]()), mpi.ErrOp, "minloc is for mpi.Loc[int64]"),
		mistake("places of numbers", second(mpi.FetchOp(w, int64(1), to, 0, mpi.MaxLoc[int64]())), mpi.ErrOp, "fetch_op", "maxloc is for"),
		mistake("the lowest of pairs", mpi.Accumulate(w, []mpi.Loc[int64]{{}}, to, 0, mpi.Min), mpi.ErrOp),
		mistake("swap of pairs", second(mpi.CompareSwap(w, [2]int64{}, [2]int64{}, to, 0)), mpi.ErrOp, "compare_swap"),
		mistake("lengths that differ", mpi.GetAccumulate(w, one, make([]int64, 2), to, 0, mpi.Sum), mpi.ErrCount),
		mistake("a layout of another length", mpi.PutLayout(w, one, to, 0, mpi.Strided{Count: 2, Block: 1, Stride: 2}), mpi.ErrCount),
		mistake("a layout of less than nothing", mpi.PutLayout(w, one, to, 0, mpi.Strided{Count: -1, Block: 1, Stride: 2}), mpi.ErrCount),
		mistake("a layout of more than there can be", mpi.PutLayout(w, one, to, 0, mpi.Strided{Count: 1 << 60, Block: 1, Stride: 1}), mpi.ErrCount, "does not fit"),
		mistake("a layout with a block of less than nothing", mpi.GetLayout(w, one, to, 0, mpi.Indexed{{Start: 0, Len: 2}, {Start: 3, Len: -1}}), mpi.ErrCount, "block 1 has -1 items"),
		mistake("a layout before the beginning", mpi.GetLayout(w, one, to, 0, mpi.Indexed{{Start: -1, Len: 1}}), mpi.ErrRange),
		mistake("an accumulate of another length", mpi.AccumulateLayout(w, one, to, 0, mpi.Indexed{{Start: 0, Len: 2}}, mpi.Sum), mpi.ErrCount),
		mistake("a request beyond the end", waited(mpi.Rget(w, one, to, 10)), mpi.ErrRange, "rget"),
		mistake("a request to nobody", waited(mpi.Rput(w, one, n, 0)), mpi.ErrRank, "rput"),
		mistake("a request of pointers", waited(mpi.Rput(w, []string{""}, to, 0)), mpi.ErrType, "rput"),
		mistake("a request of one's own reduction", waited(mpi.Raccumulate(w, one, to, 0, own)), mpi.ErrOp, "raccumulate"),
		mistake("a request of lengths that differ", waited(mpi.RgetAccumulate(w, one, make([]int64, 2), to, 0, mpi.Sum)), mpi.ErrCount, "rget_accumulate"),
		mistake("a flush of nobody", w.Flush(n), mpi.ErrRank), mistake("a local flush of nobody", w.FlushLocal(-3), mpi.ErrRank),
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

// misuseOfFreed: a window of bytes is no place for longer elements everywhere, and when it has been freed
// it is none at all.
func misuseOfFreed(c *mpi.Comm, to int) error {
	one := []int64{1}
	w, err := mpi.CreateWindow(c, make([]byte, 16))
	if err != nil {
		return err
	}
	g, err := w.Group().Incl(to)
	return errors.Join(err, w.Fence(), mistake("bad alignment", mpi.Put(w, one, to, 4), mpi.ErrAlign, "8 bytes"),
		mistake("bad alignment of a fetch", second(mpi.FetchOp(w, int32(1), to, 2, mpi.Sum)), mpi.ErrAlign, "4 bytes"), w.Fence(), w.Free(),
		mistake("freed", mpi.Put(w, one, to, 0), mpi.ErrWindow, "freed"),
		mistake("get when freed", mpi.Get(w, one, to, 0), mpi.ErrWindow, "freed"),
		mistake("accumulate when freed", mpi.Accumulate(w, one, to, 0, mpi.Sum), mpi.ErrWindow, "freed"),
		mistake("fetch when freed", second(mpi.FetchOp(w, int64(1), to, 0, mpi.Sum)), mpi.ErrWindow, "freed"),
		mistake("swap when freed", second(mpi.CompareSwap(w, int64(1), 1, to, 0)), mpi.ErrWindow, "freed"),
		mistake("request when freed", waited(mpi.Rget(w, one, to, 0)), mpi.ErrWindow, "freed"),
		mistake("freed twice", w.Free(), mpi.ErrWindow, "freed"),
		mistake("fence when freed", w.Fence(), mpi.ErrWindow, "freed"),
		mistake("post when freed", w.Post(g), mpi.ErrWindow, "freed"),
		mistake("start when freed", w.Start(g), mpi.ErrWindow, "freed"),
		mistake("complete when freed", w.Complete(), mpi.ErrWindow, "freed"),
		mistake("wait when freed", w.Wait(), mpi.ErrWindow, "freed"),
		mistake("test when freed", second(w.Test()), mpi.ErrWindow, "freed"),
		mistake("lock when freed", w.Lock(mpi.LockShared, 0), mpi.ErrWindow, "freed"),
		mistake("unlock when freed", w.Unlock(0), mpi.ErrWindow, "freed"),
		mistake("lock all when freed", w.LockAll(), mpi.ErrWindow, "freed"),
		mistake("unlock all when freed", w.UnlockAll(), mpi.ErrWindow, "freed"),
		mistake("flush when freed", w.Flush(0), mpi.ErrWindow, "freed"),
		mistake("flush of all when freed", w.FlushAll(), mpi.ErrWindow, "freed"),
		mistake("query when freed", second(mpi.Query[byte](w, 0)), mpi.ErrWindow, "freed"),
		mistake("attach when freed", second(mpi.Attach(w, one)), mpi.ErrWindow, "freed"),
		mistake("detach when freed", mpi.Detach(w, one), mpi.ErrWindow, "freed"),
		mistake("sync when freed", w.Sync(), mpi.ErrWindow, "freed"), misuseOfMaking(c))
}

// misuseOfMaking: windows that cannot be made. All ranks are told.
func misuseOfMaking(c *mpi.Comm) error {
	host, err := c.SplitShared(0)
	if err != nil {
		return err
	}
	_, stringsErr := mpi.CreateWindow(c, []string{"text"})
	_, _, negative := mpi.AllocateWindow[int64](c, -1)
	_, _, endless := mpi.SharedWindow[int64](host, 1<<60)
	for _, m := range []struct {
		what       string
		err, class error
	}{{"a window of strings", stringsErr, mpi.ErrType}, {"less than nothing", negative, mpi.ErrCount}, {"more than can be counted", endless, mpi.ErrCount}} {
		if !errors.Is(m.err, m.class) {
			err = errors.Join(err, fmt.Errorf("%s: %v, want %v", m.what, m.err, m.class))
		}
	}
	return errors.Join(err, host.Free())
}
