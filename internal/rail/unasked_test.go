package rail

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/wire"
)

// longFrom is what a frame must exceed to be told from others by its first segment.
const longFrom = 66_000

// sendUnasked sends an RTS and all of its message.
func (r *rig) sendUnasked(from, to, tag int, data []byte) {
	r.t.Helper()
	p := &wire.Packet{Header: wire.Header{Kind: wire.RTS, Ctx: 4, Tag: int32(tag), Len: len(data), Prefix: len(data)}, Peer: to, Data: data}
	r.until(fmt.Sprintf("room for message %d", tag), func() bool { return r.links[from].Send(p) })
}

// A message that follows its RTS unasked goes where somebody waits for it. If nobody does the RTS comes
// alone. Its memory is lent until the peer has it.
func TestUnasked(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Unasked = 4 << 20 })
	meet(r)
	l, b := r.links[0], r.boxes[1]
	for i := range 60 {
		n := longFrom + 1 + i*50_000
		if !l.Unasked(1, n) {
			t.Fatalf("message %d of %d bytes has to be asked for", i, n)
		}
		b.got = nil
		r.sendUnasked(0, 1, i, pattern(n, i))
		if l.peer(1).out.InFlight() > 0 && l.sending[0].used == 0 {
			t.Fatal("nothing is kept of what is not acknowledged")
		}
		r.until("arrival", func() bool { return len(b.got) == 1 && !b.got[0].open })
		switch m := &b.got[0]; {
		case m.h.Kind != wire.RTS || int(m.h.Tag) != i || m.h.Len != n:
			t.Fatalf("message %d: %+v", i, m.h)
		case i%2 == 1 && !bytes.Equal(m.data, pattern(n, i)):
			t.Fatalf("message %d is not what was sent", i)
		case i%2 == 0 && (m.h.Prefix != 0 || len(m.data) != 0):
			t.Fatalf("message %d that nobody waited for: %+v and %d bytes", i, m.h, len(m.data))
		}
		r.send(1, 0, 0, nil) // acknowledges it
		r.until("acknowledgement", func() bool { return l.peer(1).out.InFlight() == 0 })
		if l.sending[0].used != 0 {
			t.Fatalf("%d buffers are in use", l.sending[0].used)
		}
	}
	if c := r.links[1].Counters; c.Thrown != 30 || c.Placed != 30 {
		t.Errorf("%d were placed, %d thrown away", c.Placed, c.Thrown)
	}
	for _, n := range []int{longFrom - 2000, 4<<20 + 1} {
		if l.Unasked(1, n) {
			t.Errorf("a message of %d bytes need not be asked for", n)
		}
	}
}

// Connections break while messages follow their RTS unasked, among short ones and transfers: everything
// arrives once, whole and in order, or is known to have been thrown away.
func TestUnaskedBroken(t *testing.T) {
	for _, c := range []Channel{SRQ, ArdmaSRQ, Hybrid} {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			tr := newTraffic(t, 7, nil, func(_ int, cfg *Config) { cfg.Channel = c })
			tr.unasked = true
			last, placed := time.Now(), uint64(0)
			tr.run(soak(1000, 50_000), func() {
				if time.Since(last) > 5*time.Millisecond {
					tr.links[tr.rnd.IntN(2)].breakOne(tr.rnd)
					last = time.Now()
				}
			})
			broken := tr.links[0].Counters.Broken + tr.links[1].Counters.Broken
			for _, l := range tr.links {
				placed += l.Counters.Placed
			}
			if broken == 0 || placed == 0 && c != Hybrid {
				t.Errorf("%d connections were broken, %d frames placed: the test shows nothing", broken, placed)
			}
		})
	}
}
