package progress_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
)

// often makes ranks that make no calls answer soon.
func often(c *progress.Config) { c.Pulse = 1e6 }

// A send that its context ends is withdrawn although its receiver makes no calls: its buffer is the
// caller's, and a later receive gets the next message.
func TestContextEndsSend(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, often)
		for _, mode := range []engine.Mode{engine.Standard, engine.Sync} {
			n := 1 << 20
			if mode == engine.Sync {
				n = 10
			}
			ctx, cancel := context.WithCancel(context.Background())
			buf := pattern(n, 9)
			over := async(func() {
				if err := loops[0].Send(ctx, buf, at(1, 1), mode, why("send")); !errors.Is(err, context.Canceled) {
					t.Errorf("the cancelled send returned %v", err)
				}
			})
			waiting(t, loops[0], 1)
			cancel()
			within(t, "the cancelled send", over)
			clear(buf)
			want, got := pattern(n, 3), make([]byte, n)
			sent := async(func() { send(loops[0], want, 1, 1) })
			if _, err := recv(loops[1], got, 0, 1); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v, equal %v", err, bytes.Equal(got, want))
			}
			within(t, "the next send", sent)
		}
		if left := loops[1].Unmatched(); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// A context that ends at any moment of a transfer: the call says the same at both ends, and buffers
// are left alone afterwards.
func TestContextEndsAnywhere(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, often)
		const rounds, n = 40, 300_000
		for i := range rounds {
			sctx, scancel := context.WithCancel(context.Background())
			rctx, rcancel := context.WithCancel(context.Background())
			out, in := pattern(n, i), make([]byte, n)
			var serr, rerr error
			sent := async(func() { serr = loops[0].Send(sctx, out, at(1, i), engine.Standard, why("send")); clear(out) })
			got := async(func() { _, rerr = loops[1].Recv(rctx, in, at(0, i), why("recv")) })
			if i%3 != 0 {
				scancel()
			}
			if i%3 != 1 {
				rcancel()
			}
			if i%3 != 0 {
				within(t, "the send", sent)
			} else {
				within(t, "the receive", got)
			}
			scancel()
			rcancel()
			within(t, "the send", sent)
			within(t, "the receive", got)
			if rerr != nil && !bytes.Equal(in, make([]byte, n)) {
				t.Fatalf("round %d: a cancelled receive was written", i)
			}
			if serr == nil && rerr != nil { // it has left, and waits for the next receive
				_, rerr = recv(loops[1], in, 0, i)
			}
			switch {
			case (serr == nil) != (rerr == nil):
				t.Fatalf("round %d: the send returned %v, the receive %v", i, serr, rerr)
			case rerr == nil && !bytes.Equal(in, pattern(n, i)):
				t.Fatalf("round %d: wrong bytes", i)
			}
		}
	})
}

// What waits for a busy link is taken out of its queue: nobody at the other end has to do anything.
func TestContextEndsBacklog(t *testing.T) {
	loops := newLoops(t, shmEnds(t, 2, shm.Config{NoCMA: true}), nil) // no pulse
	const n = 1000
	for i := range 200 { // fills the rings
		ctx, cancel := context.WithCancel(context.Background())
		buf := pattern(n, i)
		h := loops[0].Isend(buf, at(1, 1), engine.Standard, why("isend"))
		cancel()
		if h.R == nil {
			continue
		}
		err := loops[0].Send(ctx, buf, at(1, 2), engine.Standard, why("send"))
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("message %d: %v", i, err)
		}
		got := make([]byte, n)
		for k := range i + 1 {
			if _, err := recv(loops[1], got, 0, 1); err != nil || !bytes.Equal(got, pattern(n, k)) {
				t.Fatalf("message %d: %v", k, err)
			}
			_, _, _ = loops[0].Iprobe(at(1, 1))
		}
		if _, _, err := collect(loops[0], progress.Want{Need: 1}, h); err != nil {
			t.Fatal(err)
		}
		if left := loops[1].Unmatched(); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		return
	}
	t.Error("the rings are never full")
}
