package rail

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// forever makes every message but the first part of a burst.
const forever = int64(1) << 40

func eagerPacket(to, tag int, data []byte) *wire.Packet {
	return &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(tag), Len: len(data)}, Peer: to, Data: data}
}

// meet has rank 0 talk to all others once, so that connections stand.
func meet(r *rig) {
	r.t.Helper()
	for to := 1; to < len(r.links); to++ {
		r.send(0, to, 0, nil)
		r.until("the first message", func() bool { return len(r.boxes[to].got) == 1 })
	}
}

func calls(l *Link) uint64 {
	for name, n := range l.cfg.Device.Counters() {
		if name == "rc_send_calls" {
			return n
		}
	}
	return 0
}

// A burst leaves in few calls, in order, and the last of it with the next Poll.
func TestBurstLeavesTogether(t *testing.T) {
	const burst = 40
	for hold, most := range map[int64]uint64{0: burst, forever: burst/16 + 1} {
		r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Hold = hold })
		meet(r)
		l := r.links[0]
		before := calls(l)
		for i := range burst {
			if !l.Send(eagerPacket(1, i, pattern(100, i))) {
				t.Fatalf("hold %d: no room for message %d", hold, i)
			}
		}
		if l.Holds() != (hold > 0) || l.Urgent() != (hold > 0) {
			t.Errorf("hold %d: holds %v, urgent %v", hold, l.Holds(), l.Urgent())
		}
		l.Poll(r.boxes[0])
		if n := calls(l) - before; n > most || n < most/2 {
			t.Errorf("hold %d: %d messages left in %d calls, want about %d", hold, burst, n, most)
		}
		if l.Holds() {
			t.Error("Poll left something behind")
		}
		r.until("the burst", func() bool { return len(r.boxes[1].got) == 1+burst })
		for i, m := range r.boxes[1].got[1:] {
			if m.h.Tag != int32(i) || !bytes.Equal(m.data, pattern(100, i)) {
				t.Fatalf("hold %d: message %d has tag %d", hold, i, m.h.Tag)
			}
		}
	}
}

// What is held back goes before anything else to the same peer, and does not wait for what goes to another one.
func TestBurstKeepsOrder(t *testing.T) {
	r := newRig(t, 3, func(_ int, cfg *Config) { cfg.Hold = forever })
	meet(r)
	l := r.links[0]
	sizes := []int{10, 20, 60 << 10, 30, 40, 5000, holdMax + 1, 50}
	for i, n := range sizes {
		r.send(0, 1, i, pattern(n, i))
		if i == 4 {
			if !l.Send(eagerPacket(2, 0, nil)) || l.holder == l.peers.at(1) {
				t.Error("the burst to rank 1 was not let go when something was sent to rank 2")
			}
		}
	}
	r.until("all messages", func() bool {
		got := r.boxes[1].got
		return len(got) == 1+len(sizes) && !got[len(got)-1].open
	})
	for i, m := range r.boxes[1].got[1:] {
		if m.h.Tag != int32(i) || !bytes.Equal(m.data, pattern(sizes[i], i)) {
			t.Fatalf("message %d has tag %d, %d bytes", i, m.h.Tag, len(m.data))
		}
	}
	if l.Counters.Held == 0 {
		t.Error("nothing was held back")
	}
}

// A connection that breaks while something is held back loses nothing.
func TestBurstOutlivesItsConnection(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Hold = forever })
	meet(r)
	for i := range 10 {
		r.send(0, 1, i, pattern(50, i))
	}
	if !r.links[0].Holds() {
		t.Fatal("nothing is held back")
	}
	r.breakRail(0, 0)
	r.until("the burst", func() bool { return len(r.boxes[1].got) == 11 })
	for i, m := range r.boxes[1].got[1:] {
		if m.h.Tag != int32(i) {
			t.Fatalf("message %d has tag %d", i, m.h.Tag)
		}
	}
}

// What is held back for one peer stays its own when there is no room for something to another.
func TestBurstIsOnePeersOnly(t *testing.T) {
	r := newRig(t, 3, func(_ int, cfg *Config) { cfg.Hold, cfg.Flow.Window = forever, 8 })
	meet(r)
	l := r.links[0]
	for i := 1; l.Send(eagerPacket(2, i, pattern(holdMax+1, i))); i++ {
	}
	sent := l.peers.at(2).sent
	for i := 1; i < 4; i++ {
		if !l.Send(eagerPacket(1, i, pattern(10, i))) {
			t.Fatal("no room for a short message")
		}
	}
	if l.Send(eagerPacket(2, 99, pattern(60<<10, 99))) || !l.Holds() || l.peers.at(2).sent != sent {
		t.Fatal("there was room, or nothing is held back")
	}
	r.until("the burst", func() bool { return len(r.boxes[1].got) == 4 })
	for _, m := range r.boxes[2].got {
		if m.h.Len <= 10 && m.h.Tag != 0 {
			t.Errorf("rank 2 got what is rank 1's: %+v", m.h)
		}
	}
}

// A message that answers one which has just come leaves at once, however soon it follows the last one.
func TestAnswerIsNotHeld(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Hold = forever })
	meet(r)
	for i := range 3 {
		heard := len(r.boxes[0].got)
		r.send(1, 0, 100+i, []byte{1})
		r.until("a message", func() bool { return len(r.boxes[0].got) == heard+1 })
		if !r.links[0].Send(eagerPacket(1, 200+i, []byte{2})) || r.links[0].Holds() {
			t.Fatalf("answer %d was held back", i)
		}
		if !r.links[0].Send(eagerPacket(1, 300+i, []byte{3})) || !r.links[0].Holds() {
			t.Fatalf("message %d, which follows an answer, was not", i)
		}
	}
}
