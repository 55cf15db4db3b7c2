package window

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/wire"
)

// TestLocksAreServedInOrder drives the lock of a part: first come, first served, sharers together, and a
// wish that is withdrawn holds nobody up.
func TestLocksAreServedInOrder(t *testing.T) {
	var l lockTable
	l.init()
	ask := func(peer int, alone bool) bool {
		if !l.admits(peer) {
			return false
		}
		l.queue = append(l.queue, wish{peer: peer, alone: alone})
		return len(l.settle()) > 0
	}
	holders := func() string { return fmt.Sprint(l.alone, l.shared, len(l.queue)) }
	for i, step := range []struct {
		do   func() bool
		ok   bool
		want string
	}{
		{func() bool { return ask(11, false) }, true, "-1 [11] 0"},
		{func() bool { return ask(12, false) }, true, "-1 [11 12] 0"},
		{func() bool { return ask(13, true) }, false, "-1 [11 12] 1"},
		{func() bool { return ask(14, false) }, false, "-1 [11 12] 2"}, // not before the one who waits
		{func() bool { return ask(13, true) }, false, "-1 [11 12] 2"},  // asked already
		{func() bool { return ask(11, true) }, false, "-1 [11 12] 2"},  // has it already
		{func() bool { l.drop(11); l.settle(); return true }, true, "-1 [12] 2"},
		{func() bool { l.drop(12); l.settle(); return true }, true, "13 [] 1"},
		{func() bool { return ask(15, true) }, false, "13 [] 2"},
		{func() bool { l.drop(14); l.settle(); return true }, true, "13 [] 1"}, // no longer wants it
		{func() bool { l.drop(13); l.settle(); return true }, true, "15 [] 0"},
		{func() bool { l.drop(15); l.settle(); return true }, true, "-1 [] 0"},
	} {
		if ok := step.do(); ok != step.ok || holders() != step.want {
			t.Fatalf("step %d: %v, %s; want %v, %s", i, ok, holders(), step.ok, step.want)
		}
	}
}

// TestContextEndsLock: a rank that gives up waiting for a lock leaves it to others, and can have it later.
func TestContextEndsLock(t *testing.T) {
	for _, near := range []bool{false, true} {
		onRanks(t, 3, near, func(c *comm.Comm) error {
			w, err := New(c, Config{Op: "create_window", Mem: make([]byte, 8), Unit: 1})
			if err != nil {
				return err
			}
			if c.Rank() == 0 {
				if err := w.Lock(1, true, 0); err != nil {
					return err
				}
			}
			if err := barrier(c); err != nil {
				return err
			}
			if c.Rank() == 2 {
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
				defer cancel()
				for _, alone := range []bool{true, false} {
					if err := w.WithContext(ctx).Lock(1, alone, 0); !errors.Is(err, context.DeadlineExceeded) {
						return fmt.Errorf("near %v: the lock gives %v", near, err)
					}
				}
			}
			if err := barrier(c); err != nil {
				return err
			}
			if c.Rank() == 0 {
				err = w.Unlock(1)
			}
			return errors.Join(err, barrier(c), w.Lock(1, true, 0), w.Unlock(1), barrier(c), w.LockAll(0), w.UnlockAll(), w.Free())
		})
	}
}

// TestRegions: addresses lead to attached memory and to nothing else.
func TestRegions(t *testing.T) {
	a, b := []byte("abcdef"), []byte("xyz")
	r := regions{all: map[int][]byte{1: a, 2: b}, last: 2}
	at := func(region, off, n int) wire.Block { return wire.Block{Off: region<<regionBits + off, Len: n} }
	for _, c := range []struct {
		block wire.Block
		want  []byte
	}{
		{at(1, 0, 6), a}, {at(1, 2, 3), []byte("cde")}, {at(2, 3, 0), []byte{}}, {at(2, 1, 2), []byte("yz")},
		{at(1, 2, 5), nil}, {at(1, 7, 0), nil}, {at(0, 0, 1), nil}, {at(3, 0, 1), nil}, {at(2, regionMax-1, 1), nil}, {wire.Block{Off: -1, Len: 1}, nil},
		{wire.Block{Off: 1 << regionBits, Len: -1}, nil},
	} {
		if got := r.find(c.block); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%+v: %q, want %q", c.block, got, c.want)
		}
	}
}
