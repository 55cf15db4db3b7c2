package flow

import (
	"fmt"
	"testing"
)

// cutPoint is how far a connection came before it was cut: frames sent, delivered, and acknowledged at the sender.
type cutPoint struct{ sent, delivered, acked int }

// history is a stream of six frames over several connections, each cut somewhere.
type history struct {
	s         Sender[int]
	r         Receiver[int]
	flying    []int // frames on the connection, oldest first; a connection keeps order
	pushed    int
	delivered int
	released  int
	err       error
}

const frames = 6

func (h *history) resend(seq uint32, f int) { h.flying = append(h.flying, f) }

func (h *history) release(f int) {
	if f != h.released || f >= h.delivered {
		h.err = fmt.Errorf("frame %d released; released before %d, delivered %d", f, h.released, h.delivered)
	}
	h.released++
}

// carry lets one connection carry the stream to a point, as far as that lies ahead.
func (h *history) carry(cfg *Config, to cutPoint) {
	for h.pushed < to.sent {
		h.s.Push(h.pushed, start)
		h.resend(0, h.pushed)
		h.pushed++
	}
	for h.delivered < to.delivered && len(h.flying) > 0 {
		f := h.flying[0]
		h.flying = h.flying[1:]
		if h.r.Arrive(cfg.First+uint32(f), f, start) != Deliver {
			continue
		}
		if f != h.delivered {
			h.err = fmt.Errorf("frame %d delivered, want %d", f, h.delivered)
		}
		h.delivered++
	}
	if acked := min(to.acked, h.delivered); acked > h.released {
		ack := cfg.First + uint32(acked)
		if !h.s.Acked(ack, ack+uint32(cfg.Window), start, h.release) {
			h.err = fmt.Errorf("acknowledgement of %d frames refused", acked)
		}
	}
}

// reopen is what two ends do when a connection is there again. If the owner does not release by it, Replay
// must do alone.
func (h *history) reopen(releasing bool) {
	h.flying = nil
	from, limit := h.r.Ack()
	if releasing {
		h.s.Acked(from, limit, start, h.release)
	}
	if err := h.s.Replay(from, start, h.resend); err != nil {
		h.err = err
	}
	if want := h.pushed - h.delivered; len(h.flying) != want {
		h.err = fmt.Errorf("%d frames replayed, want %d", len(h.flying), want)
	}
}

func points() (all []cutPoint) {
	for sent := range frames + 1 {
		for delivered := range sent + 1 {
			for acked := range delivered + 1 {
				all = append(all, cutPoint{sent, delivered, acked})
			}
		}
	}
	return all
}

// Two cuts, at every possible point each: all is delivered and released once, in order.
func TestCutAnywhere(t *testing.T) {
	cfg := tested()
	cfg.First = 1<<32 - 3
	for _, releasing := range []bool{true, false} {
		for _, first := range points() {
			for _, second := range points() {
				var h history
				h.s.Init(&cfg, nil)
				h.r.Init(&cfg, nil)
				h.carry(&cfg, first)
				h.reopen(releasing)
				h.carry(&cfg, second)
				h.reopen(releasing)
				h.carry(&cfg, cutPoint{frames, frames, frames})
				if h.err != nil || h.released != frames || h.s.InFlight() != 0 {
					t.Fatalf("cut at %v and %v: %d released, %v", first, second, h.released, h.err)
				}
			}
		}
	}
}

// A datagram that arrives after the replay is a duplicate.
func TestDatagramAfterReplay(t *testing.T) {
	r, _ := newReceiver(nil)
	arrive(t, r, 0, start, Deliver)
	arrive(t, r, 2, start, Keep)
	same(t, "replayed", arrive(t, r, 1, start, Deliver), 1, 2)
	for i := range 3 {
		arrive(t, r, i, start, Duplicate)
	}
}
