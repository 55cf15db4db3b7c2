package mpi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// untilDeath are calls that go on until rank 3 has died, and return what they were told.
var untilDeath = map[string]func(c *mpi.Comm, w *mpi.Window) error{
	"put and flush": func(c *mpi.Comm, w *mpi.Window) error {
		err := w.LockAll()
		for err == nil {
			err = errors.Join(mpi.Put(w, make([]int64, 300), 3, 0), w.Flush(3))
		}
		return err
	},
	"long put": func(c *mpi.Comm, w *mpi.Window) error {
		err := w.LockAll()
		for err == nil {
			err = errors.Join(mpi.Put(w, make([]int64, 40_000), 3, 0), w.Flush(3))
		}
		return err
	},
	"get": func(c *mpi.Comm, w *mpi.Window) error {
		err := w.Lock(mpi.LockShared, 3)
		for err == nil {
			err = errors.Join(mpi.Get(w, make([]int64, 10), 3, 0), w.Flush(3))
		}
		return err
	},
	"fetch": func(c *mpi.Comm, w *mpi.Window) error {
		err := w.LockAll()
		for err == nil {
			_, err = mpi.FetchOp(w, int64(1), 3, 0, mpi.Sum)
		}
		return err
	},
	"request": func(c *mpi.Comm, w *mpi.Window) error {
		err := w.LockAll()
		for err == nil {
			err = waited(mpi.Rget(w, make([]int64, 10), 3, 0))
		}
		return err
	},
	"lock": func(c *mpi.Comm, w *mpi.Window) error {
		var err error
		for err == nil {
			err = errors.Join(w.Lock(mpi.LockExclusive, 3), w.Unlock(3))
		}
		return err
	},
	"accumulate": func(c *mpi.Comm, w *mpi.Window) error {
		err := w.LockAll()
		for err == nil {
			err = errors.Join(mpi.Accumulate(w, make([]int64, 5000), 3, 0, mpi.Sum), w.FlushLocal(3), w.FlushAll())
		}
		return err
	},
	"lock all": func(c *mpi.Comm, w *mpi.Window) error {
		var err error
		for err == nil {
			err = errors.Join(w.LockAll(), mpi.Put(w, []int64{1}, 3, c.Rank()), w.UnlockAll())
		}
		return err
	},
	"start": func(c *mpi.Comm, w *mpi.Window) error { // it never posts
		last, err := theLast(w)
		return errors.Join(err, w.Start(last))
	},
	"wait": func(c *mpi.Comm, w *mpi.Window) error { // it never completes
		last, err := theLast(w)
		return errors.Join(err, w.Post(last), w.Wait())
	},
	"fence":             fenceForEver,
	"fence on one node": fenceForEver,
}

// theLast is the group of rank 3 alone, with which there is a connection from now on: without one, and
// without anybody who starts and watches processes, nothing would tell of its death.
func theLast(w *mpi.Window) (*mpi.Group, error) {
	last, err := w.Group().Incl(3)
	return last, errors.Join(err, w.Lock(mpi.LockShared, 3), w.Unlock(3))
}

// TestWindowsOfTheDead: whoever operates on, locks or meets a rank that dies is told so, and nothing hangs.
func TestWindowsOfTheDead(t *testing.T) {
	for name, call := range untilDeath {
		t.Run(name, func(t *testing.T) {
			nodes := 4
			if strings.HasSuffix(name, "on one node") {
				nodes = 1
			}
			j := &cluster{profile: "ib-sdr", nodes: nodes, ranks: 4, limit: 600e9}
			err := j.run(t, func(c *mpi.Comm) error {
				w, _, err := mpi.AllocateWindow[int64](c, 40_000)
				if err != nil {
					return err
				}
				if c.Rank() == 3 {
					if strings.HasPrefix(name, "fence") {
						err = errors.Join(w.Fence(), w.Fence())
					} else {
						j.compute(c, 3_000_000)
					}
					if err == nil {
						j.crew.Kill(3)
					}
					return err
				}
				if err := call(c, w); !errors.Is(err, mpi.ErrProcFailed) {
					return fmt.Errorf("rank %d was told %w", c.Rank(), err)
				}
				return nil
			})
			if err != nil && !strings.Contains(err.Error(), "were never received") { // of barriers that were given up
				t.Fatal(err)
			}
		})
	}
}

func fenceForEver(_ *mpi.Comm, w *mpi.Window) (err error) {
	for err == nil {
		err = w.Fence()
	}
	return err
}

// TestLockOfTheDead: a lock that a dead rank held goes to the next who waits for it.
func TestLockOfTheDead(t *testing.T) {
	j := &cluster{profile: "ib-sdr", nodes: 3, ranks: 3, limit: 600e9}
	err := j.run(t, func(c *mpi.Comm) error {
		w, _, err := mpi.AllocateWindow[int64](c, 4)
		if err != nil {
			return err
		}
		switch c.Rank() {
		case 0:
			if err := w.Lock(mpi.LockExclusive, 2); err != nil {
				return err
			}
			j.compute(c, 2_000_000)
			j.crew.Kill(0)
		case 1:
			j.compute(c, 1_000_000)
			return errors.Join(w.Lock(mpi.LockExclusive, 2), mpi.Put(w, []int64{7}, 2, 0), w.Unlock(2))
		case 2:
			var mem [1]int64
			for mem[0] == 0 {
				if err := errors.Join(w.Lock(mpi.LockShared, 2), mpi.Get(w, mem[:], 2, 0), w.Unlock(2)); err != nil {
					return err
				}
				j.compute(c, 100_000)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPassiveTarget: a rank that computes and never calls is operated on, over every link.
func TestPassiveTarget(t *testing.T) {
	for _, links := range []string{"", "rail"} {
		t.Run("links "+links, func(t *testing.T) {
			if links != "" {
				t.Setenv("WEFT_LINKS", links)
			}
			over := make(chan struct{})
			err := mpi.Run(2, func(c *mpi.Comm) error {
				w, _, err := mpi.AllocateWindow[int64](c, 20_000)
				if err != nil {
					return err
				}
				if c.Rank() == 0 { // away until the other is done
					select {
					case <-over:
					case <-time.After(30 * time.Second):
						return errors.New("nobody was served")
					}
					return w.Free()
				}
				src, got := numbers(20_000, 1), make([]int64, 20_000)
				err = errors.Join(w.Lock(mpi.LockExclusive, 0), mpi.Put(w, src, 0, 0), w.Flush(0), mpi.Get(w, got, 0, 0), w.Flush(0), same("got", got, src))
				old, ferr := mpi.FetchOp(w, int64(1), 0, 5, mpi.Sum)
				err = errors.Join(err, ferr, w.Unlock(0))
				if err == nil && old != src[5] {
					err = fmt.Errorf("fetched %d", old)
				}
				close(over)
				return errors.Join(err, w.Free())
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestWindowsOfAbortedJob: a rank that gives up ends the others' epochs.
func TestWindowsOfAbortedJob(t *testing.T) {
	for _, links := range []string{"", "rail"} {
		if links != "" {
			t.Setenv("WEFT_LINKS", links)
		}
		cause := errors.New("no input")
		err := mpi.Run(3, func(c *mpi.Comm) error {
			w, err := mpi.CreateWindow(c, make([]int64, 10))
			if err != nil {
				return err
			}
			if err := errors.Join(w.LockAll(), mpi.Barrier(c)); err != nil {
				return err
			}
			if c.Rank() == 1 {
				return cause
			}
			if err := w.UnlockAll(); err != nil && !errors.Is(err, mpi.ErrAborted) {
				return fmt.Errorf("unlock: %w", err)
			}
			for err == nil {
				err = errors.Join(w.Lock(mpi.LockExclusive, 1), w.Unlock(1))
			}
			if !errors.Is(err, mpi.ErrAborted) {
				return fmt.Errorf("rank %d was told %w", c.Rank(), err)
			}
			return nil
		})
		if !errors.Is(err, cause) {
			t.Errorf("links %q: %v", links, err)
		}
	}
}
