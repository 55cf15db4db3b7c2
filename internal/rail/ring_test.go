package rail

import (
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// Counts of slots wrap, and slots do not with them: more messages than a count can tell arrive in order.
func TestRingWraps(t *testing.T) {
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
