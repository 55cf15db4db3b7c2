package rail

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// verify looks at the bytes of all messages that have come to rank 1 since it met rank 0.
func (r *rig) verify(sizes []int) {
	r.t.Helper()
	box := r.boxes[1]
	r.until("messages", func() bool { return len(box.got) > len(sizes) && !box.got[len(sizes)].open })
	for i, m := range box.got[1:] {
		if int(m.h.Tag) != i || !bytes.Equal(m.data, pattern(sizes[i], i)) {
			r.t.Fatalf("message %d came with tag %d and %d bytes, or with other bytes than were sent", i, m.h.Tag, len(m.data))
		}
	}
	if len(box.got) != 1+len(sizes) {
		r.t.Fatalf("%d messages came of %d", len(box.got)-1, len(sizes))
	}
}

// nothingKept: once all is acknowledged, no buffer of what was sent is in use.
func (r *rig) nothingKept() {
	r.t.Helper()
	l := r.links[0]
	r.send(1, 0, 0, nil) // acknowledges all
	r.until("acknowledgement", func() bool { return l.peer(1).out.InFlight() == 0 })
	r.until("end of work", func() bool {
		used := 0
		for _, p := range l.sending {
			used += p.used
		}
		return used == 0
	})
}

// Whatever happens to messages of bursts (the peer is slow, the connection breaks), they arrive once, as
// they were sent, though their memory is used for something else as soon as they are taken.
func TestBurstsBreak(t *testing.T) {
	resent := uint64(0)
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, 2, func(_ int, cfg *Config) {
			lending(SRQ, trustful)(0, cfg)
			cfg.Hold, cfg.Vbuf = forever, 33<<10
		})
		meet(r)
		l := r.links[0]
		var sizes []int
		for range rapid.IntRange(1, 80).Draw(rt, "steps") {
			switch rapid.IntRange(0, 7).Draw(rt, "what") {
			case 0, 1, 2, 3, 4:
				size := rapid.SampledFrom([]int{100, 16 << 10, 32 << 10}).Draw(rt, "size")
				p := eagerPacket(1, len(sizes), pattern(size, len(sizes)))
				for !l.Send(p) {
					r.poll(1)
				}
				clear(p.Data)
				sizes = append(sizes, size)
			case 5, 6:
				l.Poll(r.boxes[0])
				if rapid.Bool().Draw(rt, "both") {
					r.poll(rapid.IntRange(1, 20).Draw(rt, "polls"))
				}
			case 7:
				r.breakRail(rapid.IntRange(0, 1).Draw(rt, "side"), 0)
			}
		}
		r.verify(sizes)
		r.nothingKept()
		resent += l.Counters.Resent
	})
	if resent == 0 {
		t.Error("nothing was sent again: not all was tried")
	}
}
