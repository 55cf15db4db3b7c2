package rail

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/wire"
)

// bursts has every message but the first lent if it is long enough.
func bursts(_ int, cfg *Config) {
	lending(SRQ, trustful)(0, cfg)
	cfg.Hold, cfg.Vbuf = forever, 33<<10
}

// scribble is what a program does with memory that is its own again.
func scribble(b []byte) {
	for i := range b {
		b[i] = 0xEE
	}
}

// lent is a packet of a burst whose payload may be lent.
type lent struct{ wire.Packet }

func lentPacket(tag, size int) *lent {
	p := eagerPacket(1, tag, pattern(size, tag))
	p.Lend = true
	return &lent{*p}
}

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

// Whatever happens to a lent payload first (the peer has it, its owner wants it back, the connection breaks), the message arrives once, as it was
// sent, and its memory is not read any more once it is returned.
func TestLoans(t *testing.T) {
	var counted Counters
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, 2, bursts)
		meet(r)
		l := r.links[0]
		var out []*lent
		var sizes []int
		back := func(i int) {
			scribble(out[i].Data)
			out = append(out[:i], out[i+1:]...)
		}
		for range rapid.IntRange(1, 80).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "what") {
			case 0, 1, 2, 3, 4:
				size := rapid.SampledFrom([]int{100, lendBurst - 1, lendBurst, 32 << 10}).Draw(rt, "size")
				p := lentPacket(len(sizes), size)
				for !l.Send(&p.Packet) {
					r.poll(1)
				}
				sizes, out = append(sizes, size), append(out, p)
				if size < lendBurst && p.Loan != nil {
					rt.Fatalf("%d bytes are lent", size)
				}
			case 5, 6:
				if len(out) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(out)-1).Draw(rt, "which")
				if l.Recall(&out[i].Packet); out[i].Loan != nil {
					rt.Fatal("a payload that was recalled is lent")
				}
				back(i)
			case 7:
				for i := len(out) - 1; i >= 0; i-- {
					if out[i].Loan == nil {
						back(i)
					}
				}
			case 8:
				l.Poll(r.boxes[0])
				if rapid.Bool().Draw(rt, "both") {
					r.poll(rapid.IntRange(1, 20).Draw(rt, "polls"))
				}
			case 9:
				r.breakRail(rapid.IntRange(0, 1).Draw(rt, "side"), 0)
			}
		}
		for len(out) > 0 {
			l.Recall(&out[0].Packet)
			back(0)
		}
		r.verify(sizes)
		r.nothingKept()
		counted.Lent += l.Counters.Lent
		counted.Recalled += l.Counters.Recalled
		counted.Resent += l.Counters.Resent
	})
	if counted.Recalled == 0 || counted.Recalled >= counted.Lent || counted.Resent == 0 {
		t.Errorf("%d lent, %d recalled, %d sent again: not all was tried", counted.Lent, counted.Recalled, counted.Resent)
	}
}

// fullSocket sends until the socket takes no more, and answers what is lent; nil if the peer's took everything, which depends on when it was
// looked at.
func fullSocket(t *testing.T) (r *rig, out []*lent) {
	r = newRig(t, 2, func(rank int, cfg *Config) {
		bursts(rank, cfg)
		cfg.SendBytes, cfg.SRQSize, cfg.SRQLimit = 64<<20, 8, 2 // the receiver's device takes little more than the sockets do
	})
	meet(r)
	l := r.links[0]
	held := &l.peer(1).express.held
	for len(*held) < 20 && len(out) < 390 {
		p := lentPacket(len(out), 32<<10)
		if !l.Send(&p.Packet) {
			break
		}
		out = append(out, p)
		if len(out)%16 == 0 {
			l.Poll(r.boxes[0])
		}
	}
	if l.Poll(r.boxes[0]); len(*held) == 0 {
		return r, nil
	}
	return r, out
}

// A payload is returned at once though the socket takes no more of it: what is left is sent from the copy.
func TestRecallFromAFullSocket(t *testing.T) {
	r, out := fullSocket(t)
	for tries := 0; out == nil; tries++ {
		if tries == 30 {
			t.Fatal("the socket took everything, again and again")
		}
		r, out = fullSocket(t)
	}
	var sizes []int
	for _, p := range out {
		r.links[0].Recall(&p.Packet)
		sizes = append(sizes, len(p.Data))
		scribble(p.Data)
	}
	r.verify(sizes)
	r.nothingKept()
}

// A peer that is lost gives back what was lent, and what its owner keeps for itself is not lent.
func TestLoansEnd(t *testing.T) {
	r := newRig(t, 2, bursts)
	meet(r)
	l := r.links[0]
	var out []*lent
	for i := range 10 {
		p := lentPacket(i, 32<<10)
		p.Lend = i != 5
		if !l.Send(&p.Packet) {
			t.Fatal("no room")
		}
		if (p.Loan != nil) != (i != 5) {
			t.Errorf("message %d is lent: %v", i, p.Loan != nil)
		}
		out = append(out, p)
	}
	l.peer(1).lose(errBroken)
	for i, p := range out {
		if p.Loan != nil {
			t.Errorf("message %d is lent to a peer that is lost", i)
		}
	}
	if n := l.Counters; n.Lent != 9 || n.Recalled != 0 {
		t.Errorf("%d lent, %d recalled", n.Lent, n.Recalled)
	}
}

// Everything is copied first where that is asked for, and where frames may become datagrams.
func TestNothingLent(t *testing.T) {
	for name, change := range map[string]func(cfg *Config){
		"off": func(cfg *Config) { cfg.Reuse.On = false }, "bare": func(cfg *Config) { cfg.NoReconnect = true },
		"hybrid": func(cfg *Config) { cfg.Channel = Hybrid }, "ud": func(cfg *Config) { cfg.Channel = UD },
	} {
		r := newRig(t, 2, func(rank int, cfg *Config) {
			bursts(rank, cfg)
			change(cfg)
		})
		meet(r)
		for i := range 30 {
			p := lentPacket(i, 20<<10)
			r.until("room", func() bool { return r.links[0].Send(&p.Packet) })
			if p.Loan != nil {
				t.Fatalf("%s: message %d is lent", name, i)
			}
		}
	}
}
