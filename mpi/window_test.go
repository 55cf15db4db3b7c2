package mpi_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// windowBodies are the tests of windows that run on any communicator.
var windowBodies = []struct {
	name string
	body func(c *mpi.Comm) error
}{
	{"fence", bodyFencePutGet}, {"lock", bodyLockPutGet}, {"lock all", bodyLockAll}, {"group", bodyGroup}, {"accumulate", bodyAccumulate},
	{"atomics", bodyAtomics}, {"layouts", bodyLayouts}, {"dynamic", bodyDynamic}, {"shared", bodyShared}, {"requests", bodyRequests},
	{"contention", bodyContention}, {"misuse", bodyMisuse}, {"types", bodyTypes}, {"asserts", bodyAsserts}, {"many", bodyManyWindows},
	{"reductions", bodyReductions},
}

// onWindows runs the bodies one after the other; each rank checks what it can see.
func onWindows(c *mpi.Comm) error {
	for _, b := range windowBodies {
		if err := b.body(c); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		if err := mpi.Barrier(c); err != nil {
			return err
		}
	}
	return nil
}

// bothWindows calls f with a window over memory of the program's, and one over the library's.
func bothWindows[T any](c *mpi.Comm, n int, f func(w *mpi.Window, mem []T) error) error {
	mem := make([]T, n)
	w, err := mpi.CreateWindow(c, mem)
	if err != nil {
		return err
	}
	if err := errors.Join(f(w, mem), w.Free()); err != nil {
		return fmt.Errorf("created: %w", err)
	}
	w, mem, err = mpi.AllocateWindow[T](c, n)
	if err != nil {
		return err
	}
	if err := errors.Join(f(w, mem), w.Free()); err != nil {
		return fmt.Errorf("allocated: %w", err)
	}
	return nil
}

// stamp is n numbers that tell who wrote them, and for whom.
func stamp(n, from, to int) []int64 {
	b := make([]int64, n)
	for i := range b {
		b[i] = int64(1_000_000*from+1000*to) + int64(i%997)
	}
	return b
}

// bodyFencePutGet: between fences everybody puts to everybody, then gets what others have put.
func bodyFencePutGet(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	for _, each := range []int{1, 100, 1200, 3000, 70_000} {
		err := bothWindows(c, each*n, func(w *mpi.Window, mem []int64) error {
			if err := w.Fence(mpi.NoPrecede); err != nil {
				return err
			}
			for to := range n {
				if err := mpi.Put(w, stamp(each, me, to), to, each*me); err != nil {
					return err
				}
			}
			if err := w.Fence(); err != nil {
				return err
			}
			got := make([][]int64, n)
			for from := range n {
				if err := same("put", mem[each*from:each*(from+1)], stamp(each, from, me)); err != nil {
					return fmt.Errorf("%d from %d: %w", each, from, err)
				}
				got[from] = make([]int64, each)
				if err := mpi.Get(w, got[from], from, each*((me+1)%n)); err != nil {
					return err
				}
			}
			if err := w.Fence(mpi.NoSucceed); err != nil {
				return err
			}
			for from := range n {
				if err := same("get", got[from], stamp(each, (me+1)%n, from)); err != nil {
					return fmt.Errorf("%d from %d: %w", each, from, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// bodyLockPutGet: a rank locks another's part, which does nothing for it, puts and gets with flushes.
func bodyLockPutGet(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	to := (me + 1) % n
	for _, each := range []int{1, 700, 2000, 50_000} {
		err := bothWindows(c, each, func(w *mpi.Window, mem []int64) error {
			for round := range 3 {
				if err := w.Lock(mpi.LockKind(round%2), to); err != nil {
					return err
				}
				src, got := stamp(each, me, round), make([]int64, each)
				err := errors.Join(mpi.Put(w, src, to, 0), w.Flush(to), mpi.Get(w, got, to, 0), w.FlushLocal(to), same("flushed", got, src),
					mpi.Put(w, stamp(each, me, round+10), to, 0), w.FlushAll(), w.FlushLocalAll(), w.Unlock(to))
				if err != nil {
					return err
				}
			}
			if err := mpi.Barrier(c); err != nil {
				return err
			}
			// Local reads need a lock too: what another put is there once it is held.
			err := w.Lock(mpi.LockShared, me)
			return errors.Join(err, same("own part", mem, stamp(each, (me+n-1)%n, 12)), w.Unlock(me))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func bodyLockAll(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	return bothWindows(c, 2*n, func(w *mpi.Window, mem []int64) error {
		if err := w.LockAll(); err != nil {
			return err
		}
		for to := range n {
			if err := mpi.Put(w, []int64{int64(me), int64(to)}, to, 2*me); err != nil {
				return err
			}
		}
		if err := errors.Join(w.FlushAll(), mpi.Barrier(c)); err != nil {
			return err
		}
		got := make([]int64, 2*n)
		for from := range n {
			if err := errors.Join(mpi.Get(w, got, from, 0), w.Flush(from)); err != nil {
				return err
			}
			for i := range n {
				if got[2*i] != int64(i) || got[2*i+1] != int64(from) {
					return fmt.Errorf("rank %d has %v", from, got)
				}
			}
		}
		return errors.Join(w.Sync(), w.UnlockAll())
	})
}

// bodyGroup: ranks with even numbers let their neighbours operate on their parts, which wait, test, or do not check.
func bodyGroup(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	if n < 2 {
		return nil
	}
	return bothWindows(c, n, func(w *mpi.Window, mem []int64) error {
		for round := range 4 {
			target, origin := round%n, (round+1)%n
			one, err := w.Group().Incl(origin)
			if err != nil {
				return err
			}
			other, err := w.Group().Incl(target)
			if err != nil {
				return err
			}
			if me == target {
				if err := w.Post(one); err != nil {
					return err
				}
			}
			if me == origin {
				err := errors.Join(w.Start(other), mpi.Put(w, []int64{int64(100 + round)}, target, me), mpi.Accumulate(w, []int64{5}, target, target, mpi.Replace), w.Complete())
				if err != nil {
					return err
				}
			}
			if me == target {
				for done := false; !done; {
					if round%2 == 0 {
						done, err = true, w.Wait()
					} else {
						done, err = w.Test()
					}
					if err != nil {
						return err
					}
				}
				if mem[target] != 5 || mem[origin] != int64(100+round) {
					return fmt.Errorf("round %d: %v", round, mem)
				}
			}
			if err := mpi.Barrier(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// bodyLayouts: columns of a matrix, and elements here and there.
func bodyLayouts(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	const rows, cols = 300, 7
	return bothWindows(c, rows*cols, func(w *mpi.Window, mem []int32) error {
		to := (me + 1) % n
		column, blocks := make([]int32, rows), mpi.Indexed{{Start: 3, Len: 2}, {Start: 0, Len: 1}, {Start: 1000, Len: 1000}}
		for i := range column {
			column[i] = int32(i + 1)
		}
		if err := w.Fence(); err != nil {
			return err
		}
		err := errors.Join(mpi.PutLayout(w, column, to, 2, mpi.Strided{Count: rows, Block: 1, Stride: cols}), w.Fence(),
			mpi.AccumulateLayout(w, column, to, 2, mpi.Strided{Count: rows, Block: 1, Stride: cols}, mpi.Sum), w.Fence())
		if err != nil {
			return err
		}
		for i, v := range mem {
			if want := int32(0); i%cols == 2 && v != 2*int32(i/cols+1) || i%cols != 2 && v != want {
				return fmt.Errorf("element %d is %d", i, v)
			}
		}
		got, was := make([]int32, 1003), make([]int32, 1003)
		src := slices.Repeat([]int32{1}, 1003)
		err = errors.Join(w.Fence(), mpi.GetLayout(w, got, to, 0, blocks), w.Fence(), mpi.GetAccumulateLayout(w, src, was, to, 0, blocks, mpi.Sum), w.Fence())
		want := append(append(slices.Clone(mem[3:5]), mem[0]), mem[1000:2000]...)
		for i := range want { // every rank has the same, and has been added to
			want[i]--
		}
		return errors.Join(err, same("got", got, want), same("fetched", was, want), w.Fence())
	})
}

func bodyRequests(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	to := (me + 1) % n
	for _, each := range []int{1, 600, 30_000} {
		err := bothWindows(c, 2*each, func(w *mpi.Window, mem []int64) error {
			if r := mpi.Rput(w, mem[:1], to, 0); !errors.Is(waited(r), mpi.ErrEpoch) {
				return errors.New("a request without a lock")
			}
			if err := w.LockAll(); err != nil {
				return err
			}
			src, got, was := stamp(each, me, to), make([]int64, each), make([]int64, each)
			err := errors.Join(waited(mpi.Rput(w, src, to, 0)), w.Flush(to), waited(mpi.Rget(w, got, to, 0)), same("got", got, src),
				waited(mpi.Raccumulate(w, src, to, each, mpi.Sum)), waited(mpi.RgetAccumulate(w, src, was, to, each, mpi.Sum)), same("fetched", was, src))
			if err != nil {
				return err
			}
			reqs := []mpi.Request{mpi.Rget(w, got[:1], to, 0), mpi.Rget(w, got[each-1:], to, each-1), mpi.Rget(w, was, to, each)}
			if err := errors.Join(mpi.Waitall(reqs), w.UnlockAll()); err != nil {
				return err
			}
			for i := range was {
				if was[i] != 2*src[i] {
					return fmt.Errorf("element %d is %d", i, was[i])
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func waited(r mpi.Request) error {
	_, err := r.Wait()
	return err
}

// bodyContention: all ranks change one rank's part under its lock, reading and writing without atomics.
func bodyContention(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	const turns = 15
	return bothWindows(c, 100, func(w *mpi.Window, mem []int64) error {
		b := make([]int64, 100)
		for i := range turns {
			if i%5 == 4 { // readers see no half-done change
				if err := errors.Join(w.Lock(mpi.LockShared, 0), mpi.Get(w, b, 0, 0), w.Unlock(0)); err != nil {
					return err
				}
				if slices.Min(b) != slices.Max(b) {
					return fmt.Errorf("torn: %v", b)
				}
				continue
			}
			if err := errors.Join(w.Lock(mpi.LockExclusive, 0), mpi.Get(w, b, 0, 0), w.Flush(0)); err != nil {
				return err
			}
			for i := range b {
				b[i]++
				runtime.Gosched() // lets others in who should be kept out
			}
			if err := errors.Join(mpi.Put(w, b, 0, 0), w.Unlock(0)); err != nil {
				return err
			}
		}
		if err := mpi.Barrier(c); err != nil {
			return err
		}
		if err := errors.Join(w.Lock(mpi.LockShared, 0), mpi.Get(w, b, 0, 0), w.Unlock(0)); err != nil {
			return err
		}
		if want := int64(n * turns * 4 / 5); slices.Min(b) != want || slices.Max(b) != want {
			return fmt.Errorf("rank %d sees %d to %d, want %d", me, slices.Min(b), slices.Max(b), want)
		}
		return nil
	})
}

// bodyTypes: elements of several types in one window, as far as they fit.
func bodyTypes(c *mpi.Comm) error {
	type pair struct{ a, b float32 }
	me, n := c.Rank(), c.Size()
	to := (me + 1) % n
	return bothWindows(c, 10, func(w *mpi.Window, mem []int64) error {
		if err := w.Fence(); err != nil {
			return err
		}
		p, q := []pair{{1, 2}, {3, 4}}, make([]pair, 2)
		err := errors.Join(mpi.Put(w, p, to, 1), mpi.Put(w, []byte{1, 2, 3}, to, 5), mpi.Accumulate(w, []complex128{2i}, to, 8, mpi.Sum),
			mpi.Accumulate(w, p, to, 3, mpi.Replace), mpi.Put(w, []int64{}, to, 10), mpi.Put(w, []int64{1}, mpi.ProcNull, 99), w.Fence(), mpi.Get(w, q, to, 1), w.Fence())
		if err != nil {
			return err
		}
		if mem[5] != 0x030201 || mem[8] != 0 || mem[9] != 0x4000000000000000 || mem[3] != mem[1] || mem[4] != mem[2] {
			return fmt.Errorf("left %#x", mem)
		}
		return same("pairs", q, p)
	})
}

// bodyAsserts: promises that are kept change nothing.
func bodyAsserts(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	to, from := (me+1)%n, (me+n-1)%n
	return bothWindows(c, 1, func(w *mpi.Window, mem []int64) error {
		source, err := w.Group().Incl(from)
		if err != nil {
			return err
		}
		target, err := w.Group().Incl(to)
		if err != nil {
			return err
		}
		err = errors.Join(w.Fence(mpi.NoPrecede|mpi.NoStore), mpi.Put(w, []int64{1}, to, 0), w.Fence(mpi.NoStore, mpi.NoSucceed),
			w.Lock(mpi.LockExclusive, to, mpi.NoCheck), mpi.Accumulate(w, []int64{1}, to, 0, mpi.Sum), w.Unlock(to), mpi.Barrier(c),
			w.LockAll(mpi.NoCheck), mpi.Accumulate(w, []int64{1}, to, 0, mpi.Sum), w.UnlockAll(), mpi.Barrier(c),
			w.Post(source, mpi.NoCheck), mpi.Barrier(c), w.Start(target, mpi.NoCheck), mpi.Accumulate(w, []int64{1}, to, 0, mpi.Sum), w.Complete(), w.Wait())
		if err == nil && mem[0] != 4 {
			err = fmt.Errorf("left %d", mem[0])
		}
		return err
	})
}

// bodyManyWindows: windows do not meet, whatever their order.
func bodyManyWindows(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	to := (me + 1) % n
	var all []*mpi.Window
	var parts [][]int64
	for i := range 5 {
		mem := make([]int64, 1+i)
		w, err := mpi.CreateWindow(c, mem)
		if err != nil {
			return err
		}
		all, parts = append(all, w), append(parts, mem)
	}
	for i, w := range all {
		if err := errors.Join(w.LockAll(), mpi.Put(w, []int64{int64(i + 1)}, to, i)); err != nil {
			return err
		}
	}
	for _, w := range slices.Backward(all) {
		if err := w.UnlockAll(); err != nil {
			return err
		}
	}
	for i, w := range all {
		if err := w.Free(); err != nil {
			return err
		}
		if parts[i][i] != int64(i+1) {
			return fmt.Errorf("window %d has %v", i, parts[i])
		}
	}
	return nil
}

// TestWindows runs all bodies as goroutines of one process, whose memory is near.
func TestWindows(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		for _, b := range windowBodies {
			t.Run(fmt.Sprintf("%s/%d", b.name, n), func(t *testing.T) {
				if err := mpi.Run(n, b.body); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// TestWindowsOverNetwork runs them over software RDMA, on every channel.
func TestWindowsOverNetwork(t *testing.T) {
	t.Setenv("WEFT_LINKS", "rail")
	channels := []string{"srq", "ud", "hybrid"}
	if underRace { // the paths that goroutines take are the same
		channels = channels[:1]
	}
	for _, channel := range channels {
		t.Setenv("WEFT_CHANNEL", channel)
		for _, b := range windowBodies {
			t.Run(channel+"/"+b.name, func(t *testing.T) {
				if err := mpi.Run(3, b.body); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// TestWindowsOfProcesses runs them between processes: shared memory, with and without the kernel's help,
// and the network.
func TestWindowsOfProcesses(t *testing.T) {
	for _, vars := range [][]string{{"WEFT_CMA=on"}, {"WEFT_LAB_RMA_MEET=off"}, {"WEFT_CMA=off"}, {"WEFT_ARENA=0"}, {"WEFT_LINKS=rail"}, {"WEFT_LINKS=rail", "WEFT_LAB_RMA_PUT=0", "WEFT_LAB_RMA_GET=0", "WEFT_LAB_RMA_COPY=0"}} {
		t.Run(strings.Join(vars, " "), func(t *testing.T) {
			if code, text := job(t, 3, "windows", vars...); code != 0 || strings.Count(text, "windows are well") != 3 {
				t.Errorf("code %d: %s", code, text)
			}
		})
	}
}

// TestWindowsOnClusters runs them in virtual time: two nodes with shared memory inside, and a network between.
func TestWindowsOnClusters(t *testing.T) {
	oneThread(t)
	for _, profile := range []string{"ib-sdr", "ne020"} {
		for _, b := range windowBodies {
			t.Run(profile+"/"+b.name, func(t *testing.T) {
				j := &cluster{profile: profile, nodes: 2, ranks: 4}
				if err := j.run(t, b.body); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
