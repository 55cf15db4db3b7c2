package progress_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/progress"
)

var errOver = errors.New("the job is over")

// Fail ends everything in flight and everything that starts later.
func TestFail(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	l := loops[0]
	wrong := func(what string, err error) {
		if !errors.Is(err, errOver) {
			t.Errorf("%s ended with %v", what, err)
		}
	}
	long := make([]byte, 100_000)
	h1 := l.Irecv(make([]byte, 8), at(1, 1), why("irecv"))
	h2 := l.Isend(long, at(1, 2), engine.Standard, why("isend"))
	h3 := l.Isend(nil, at(1, 3), engine.Sync, why("issend"))
	loops[1].Isend(long, at(0, 5), engine.Standard, why("isend"))
	m, err := l.Mprobe(context.Background(), at(1, 5), why("mprobe"))
	if err != nil {
		t.Fatal(err)
	}
	blocked := async(func() { _, err := recv(l, make([]byte, 8), 1, 6); wrong("a blocked receive", err) })
	waiting(t, l, 1)
	probing := async(func() {
		_, err := l.Probe(context.Background(), at(1, 7), why("probe"))
		wrong("a blocked probe", err)
	})
	waiting(t, l, 2)
	l.Fail(errOver)
	l.Fail(errors.New("only the first counts"))
	within(t, "a blocked receive", blocked)
	within(t, "a blocked probe", probing)
	_, errs, err := collect(l, progress.Want{Need: 3}, h1, h2, h3)
	if err != nil || len(errs) != 3 {
		t.Fatal(errs, err)
	}
	for _, err := range errs {
		wrong("a request", err)
	}
	_, err = recv(l, make([]byte, 8), 1, 1)
	wrong("a later receive", err)
	wrong("a later send", send(l, []byte("x"), 1, 1))
	wrong("a later detached send", l.IsendDetached(nil, at(1, 1), func(*progress.Request) {}))
	_, errs, _ = collect(l, progress.Want{Need: 1}, l.Imrecv(make([]byte, 10), m, why("mrecv")))
	wrong("a later receive of a claimed message", errors.Join(errs...))
	if l.Pending() != 0 {
		t.Errorf("%d requests still in flight", l.Pending())
	}
}

// Collect takes what it is asked to take.
func TestCollect(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	l := loops[1]
	var hs []progress.Handle
	for tag := range 4 {
		hs = append(hs, l.Irecv(make([]byte, 8), at(0, tag), why("irecv")))
	}
	hs = append(hs, progress.Handle{})
	if taken, _, _ := collect(l, progress.Want{}, hs...); len(taken) != 0 {
		t.Errorf("nothing has come, took %v", taken)
	}
	send(loops[0], nil, 1, 2)
	send(loops[0], nil, 1, 0)
	if taken, _, _ := collect(l, progress.Want{All: true}, hs...); len(taken) != 0 {
		t.Errorf("not all have come, took %v", taken)
	}
	if taken, _, _ := collect(l, progress.Want{Need: 2, First: true}, hs...); !slices.Equal(taken, []int{0}) {
		t.Errorf("took %v, want the first", taken)
	}
	if _, _, err := collect(l, progress.Want{}, hs...); !errors.Is(err, progress.ErrStale) {
		t.Errorf("a collected request again: %v", err)
	}
	hs[0] = progress.Handle{}
	if taken, _, _ := collect(l, progress.Want{Need: 1}, hs...); !slices.Equal(taken, []int{2}) {
		t.Errorf("took %v, want 2", taken)
	}
	hs[2] = progress.Handle{}
	send(loops[0], nil, 1, 1)
	send(loops[0], nil, 1, 3)
	if taken, _, _ := collect(l, progress.Want{Need: 2, All: true}, hs...); !slices.Equal(taken, []int{1, 3}) {
		t.Errorf("took %v, want 1 and 3", taken)
	}
	if l.Pending() != 0 {
		t.Errorf("%d still in flight", l.Pending())
	}
}

// A request named twice is refused; it must not be recycled twice.
func TestCollectTwice(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	l := loops[1]
	h := l.Irecv(make([]byte, 8), at(0, 1), why("irecv"))
	if _, _, err := collect(l, progress.Want{Need: 2}, h, h); !errors.Is(err, progress.ErrStale) {
		t.Errorf("waited for a request twice: %v", err)
	}
	send(loops[0], nil, 1, 1)
	if taken, _, err := collect(l, progress.Want{Need: 2}, h, h); !errors.Is(err, progress.ErrStale) || len(taken) > 1 {
		t.Errorf("took %v, %v", taken, err)
	}
	a, b := l.Irecv(make([]byte, 8), at(0, 2), why("irecv")), l.Irecv(make([]byte, 8), at(0, 3), why("irecv"))
	if a.R == b.R {
		t.Fatal("two requests share their memory")
	}
	send(loops[0], nil, 1, 2)
	send(loops[0], nil, 1, 3)
	if _, errs, err := collect(l, progress.Want{Need: 2}, a, b); err != nil || len(errs) != 2 {
		t.Error(errs, err)
	}
	_, _, _ = collect(l, progress.Want{Need: 1}, h)
}

// Two goroutines wait for the same request: one gets it, the other is told.
func TestTwoWaitForOne(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	h := loops[1].Irecv(make([]byte, 8), at(0, 1), why("irecv"))
	first := async(func() {
		if _, _, err := collect(loops[1], progress.Want{Need: 1}, h); err != nil {
			t.Error(err)
		}
	})
	waiting(t, loops[1], 1)
	if _, _, err := collect(loops[1], progress.Want{Need: 1}, h); !errors.Is(err, progress.ErrStale) {
		t.Errorf("the second waiter got %v", err)
	}
	send(loops[0], nil, 1, 1)
	within(t, "the first waiter", first)
}

// A freed request runs to its end; its memory is used again afterwards, its handle is dead at once.
func TestFree(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	buf := make([]byte, 8)
	h := loops[1].Irecv(buf, at(0, 1), why("irecv"))
	if err := loops[1].Free(h); err != nil {
		t.Fatal(err)
	}
	if err := loops[1].Free(h); !errors.Is(err, progress.ErrStale) {
		t.Errorf("freed twice: %v", err)
	}
	if err := loops[1].Cancel(h); !errors.Is(err, progress.ErrStale) {
		t.Errorf("cancelled after free: %v", err)
	}
	send(loops[0], []byte("12345678"), 1, 1)
	send(loops[0], nil, 1, 2)
	if _, err := recv(loops[1], nil, 0, 2); err != nil || string(buf) != "12345678" {
		t.Errorf("%v, %q", err, buf)
	}
}

// A cancelled receive says so and leaves the message to the next one.
func TestCancel(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	l := loops[1]
	h := l.Irecv(make([]byte, 8), at(0, 1), why("irecv"))
	if err := l.Cancel(h); err != nil {
		t.Fatal(err)
	}
	if _, errs, err := collect(l, progress.Want{Need: 1}, h); err != nil || !errors.Is(errs[0], engine.ErrCancelled) {
		t.Error(errs, err)
	}
	send(loops[0], []byte("next"), 1, 1)
	buf := make([]byte, 8)
	if st, err := recv(l, buf, 0, 1); err != nil || st.Len != 4 {
		t.Error(st, err)
	}
}

// A context ends a wait; the receive is withdrawn, its RTR too, and the next message goes to the
// next receive and touches no other buffer.
func TestContext(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, often)
		for _, n := range []int{8, 1 << 20} {
			ctx, cancel := context.WithCancelCause(context.Background())
			first := make([]byte, n)
			done := async(func() {
				if _, err := loops[1].Recv(ctx, first, at(0, 1), why("recv")); !errors.Is(err, errOver) {
					t.Errorf("ended with %v", err)
				}
			})
			waiting(t, loops[1], 1)
			cancel(errOver)
			within(t, "the receive", done)
			if _, err := loops[1].Recv(ctx, nil, at(0, 1), why("recv")); !errors.Is(err, errOver) {
				t.Errorf("with an ended context: %v", err)
			}
			sent := async(func() { send(loops[0], pattern(n, 3), 1, 1) })
			buf := make([]byte, n)
			if _, err := recv(loops[1], buf, 0, 1); err != nil || !bytes.Equal(buf, pattern(n, 3)) {
				t.Errorf("the next receive: %v", err)
			}
			within(t, "the send", sent)
			if !bytes.Equal(first, make([]byte, n)) {
				t.Error("the buffer of the cancelled receive was written")
			}
		}
	})
}

// Probes see messages and leave them; a matched probe takes them.
func TestProbes(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, nil)
		l := loops[1]
		if _, ok, _ := l.Iprobe(at(match.Any, match.Any)); ok {
			t.Error("found a message that nobody sent")
		}
		if m, _ := l.Improbe(at(match.Any, match.Any)); m != nil {
			t.Error("took a message that nobody sent")
		}
		for _, n := range []int{8, 200_000} {
			sent := async(func() { send(loops[0], pattern(n, 1), 1, 4) })
			st, err := l.Probe(context.Background(), at(match.Any, match.Any), why("probe"))
			if err != nil || st.Len != n || st.Tag != 4 {
				t.Fatal(st, err)
			}
			m, err := l.Mprobe(context.Background(), at(0, 4), why("mprobe"))
			if err != nil || m.Status() != st {
				t.Fatal(m, err)
			}
			if left := l.Unmatched(); len(left) != 0 {
				t.Errorf("still in the queue: %v", left)
			}
			buf := make([]byte, n)
			if _, errs, err := collect(l, progress.Want{Need: 1}, l.Imrecv(buf, m, why("mrecv"))); err != nil || errors.Join(errs...) != nil || !bytes.Equal(buf, pattern(n, 1)) {
				t.Error(errs, err)
			}
			within(t, "the send", sent)
		}
	})
}

// A detached send tells when its copy is gone.
func TestDetached(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	gone := make(chan struct{}, 2)
	for _, n := range []int{8, 100_000} {
		if err := loops[0].IsendDetached(pattern(n, 2), at(1, 1), func(*progress.Request) { gone <- struct{}{} }); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []int{8, 100_000} {
		buf := make([]byte, n)
		if _, err := recv(loops[1], buf, 0, 1); err != nil || !bytes.Equal(buf, pattern(n, 2)) {
			t.Error(err)
		}
	}
	within(t, "the detached sends", async(func() { <-gone; <-gone }))
}
