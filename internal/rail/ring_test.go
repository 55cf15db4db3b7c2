package rail

import (
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// Counts of slots wrap, and slots do not with them: more messages than a count can tell arrive in order.
func TestRingWraps(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: takes 70,000 messages, one by one")
	}
	r := newRig(t, 2, func(_ int, cfg *Config) {
		cfg.Channel = ArdmaSRQ
	})
	const slots, messages = 1<<16 + 5000, 1 << 20
	data := make([]byte, 4)
	for sent, seen := 0, 0; r.links[0].Counters.EagerRing < slots && sent < messages; {
		goal := sent + 20
		r.until("next messages", func() bool {
			for ; sent < goal; sent++ {
				le.PutUint32(data, uint32(sent))
				if !r.links[0].Send(&wire.Packet{Header: wire.Header{Kind: wire.Eager, Len: 4}, Peer: 1, Data: data}) {
					break
				}
			}
			for _, m := range r.boxes[1].got {
				if got := le.Uint32(m.data); got != uint32(seen) {
					t.Fatalf("message %d came when %d was due", got, seen)
				}
				seen++
			}
			r.boxes[1].got = r.boxes[1].got[:0]
			return seen == goal
		})
	}
	if n := r.links[0].Counters.EagerRing; n < slots {
		t.Errorf("only %d messages went through the ring", n)
	}
}

// A ring that would hold no frame is not made, however much a peer sends.
func TestRingWithoutRoom(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) {
		cfg.Channel, cfg.RingBytes, cfg.Vbuf, cfg.RingAfter = ArdmaSRQ, 16<<10, 33<<10, 1
	})
	for i := range 20 {
		sent := false
		r.until("a message", func() bool {
			sent = sent || r.links[0].Send(&wire.Packet{Header: wire.Header{Kind: wire.Eager, Len: 4}, Peer: 1, Data: make([]byte, 4)})
			return len(r.boxes[1].got) == i+1
		})
	}
	if c := r.links[1].Counters; c.Rings != 0 || r.links[1].rings != 0 {
		t.Errorf("%d rings were given, %d are held", c.Rings, r.links[1].rings)
	}
}
