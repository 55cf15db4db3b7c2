package flow

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// hostile feeds both halves with whatever bytes say and holds them against a naive twin.
type hostile struct {
	t     *testing.T
	in    []byte
	cfg   Config
	count Counters
	now   int64

	s          Sender[uint32] // a frame is its own number
	base, next uint32
	limit      uint32
	again      int

	r        Receiver[uint32]
	expected uint32
	kept     map[uint32]bool
	promised uint32
}

func newHostile(t *testing.T, in []byte) *hostile {
	h := &hostile{t: t, in: in, now: 1, kept: map[uint32]bool{}}
	h.cfg = tested()
	h.cfg.First = [...]uint32{0, 1<<32 - 5, 1<<31 - 5, 1<<32 - 1}[h.byte()&3]
	h.cfg.Window = 1 + int(h.byte())
	h.cfg.OutOfOrder = h.cfg.Window + int(h.byte())
	h.cfg.AckEvery = 1 + int(h.byte())
	h.cfg.MaxRetry = 1 + int(h.byte())
	if err := h.cfg.Check(); err != nil {
		t.Fatal(err)
	}
	h.s.Init(&h.cfg, &h.count)
	h.r.Init(&h.cfg, &h.count)
	h.base, h.next, h.expected = h.cfg.First, h.cfg.First, h.cfg.First
	h.limit = h.cfg.First + uint32(h.cfg.Window)
	h.promised = h.limit
	return h
}

func (h *hostile) byte() (b byte) {
	if len(h.in) > 0 {
		b, h.in = h.in[0], h.in[1:]
	}
	return b
}

// number is near a given one, or anything.
func (h *hostile) number(near uint32) uint32 {
	if b := h.byte(); b < 250 {
		return near + uint32(int32(b)-20)
	}
	return h.word()
}

func (h *hostile) word() uint32 {
	return binary.LittleEndian.Uint32([]byte{h.byte(), h.byte(), h.byte(), h.byte()})
}

func (h *hostile) step() {
	h.now += int64(h.byte()) << 18
	switch op := h.byte(); op % 10 {
	case 0, 1:
		for range int(op) / 10 {
			if h.s.Full() {
				break
			}
			if got := h.s.Push(h.next, h.now); got != h.next {
				h.t.Fatalf("frame %d gets number %d", h.next, got)
			}
			h.next++
		}
	case 2:
		h.ack(h.number(h.base))
	case 3:
		h.s.Nack(h.number(h.base), uint64(h.word())|uint64(h.word())<<32, h.now)
	case 4:
		h.expire()
	case 5:
		h.replay(h.number(h.base))
	case 6:
		h.s.SetTimed(op >= 100, h.now)
	case 7:
		h.arrive(h.number(h.expected))
	case 8:
		h.r.Grant(int(int8(h.byte()))*40, h.now)
		h.tell(op >= 100)
	case 9:
		h.s.Rest()
		h.r.Rest()
	}
	h.check()
}

func (h *hostile) ack(ack uint32) {
	limit := h.number(ack + 20)
	want := h.base
	believe := ack-h.base <= h.next-h.base && limit-ack <= most
	if believe {
		want = ack
		if after(limit, h.limit) {
			h.limit = limit
		}
	}
	ok := h.s.Acked(ack, limit, h.now, func(f uint32) {
		if f != h.base {
			h.t.Fatalf("frame %d is released, want %d", f, h.base)
		}
		h.base++
	})
	if ok != believe || h.base != want {
		h.t.Fatalf("ack %d: %v, released up to %d, want %d", ack, ok, h.base, want)
	}
}

// resend checks that only frames in flight are sent again, in order.
func (h *hostile) resend() func(uint32, uint32) {
	low := h.base
	return func(seq uint32, f uint32) {
		if seq != f || after(low, seq) || !after(h.next, seq) {
			h.t.Fatalf("frame %d is sent again as %d; %d to %d are in flight", f, seq, h.base, h.next)
		}
		low = seq + 1
		h.again++
	}
}

func (h *hostile) expire() {
	dead := h.s.Expire(h.now, h.resend())
	if due := h.s.Due(); !dead && due != 0 && due <= h.now {
		h.t.Fatalf("due at %d after Expire at %d: the owner would spin", due, h.now)
	}
}

func (h *hostile) replay(from uint32) {
	h.again = 0
	err := h.s.Replay(from, h.now, h.resend())
	if believe := from-h.base <= h.next-h.base; believe != (err == nil) || believe && h.again != int(h.next-from) {
		h.t.Fatalf("replay from %d with %d to %d in flight: %d sent, %v", from, h.base, h.next, h.again, err)
	}
}

func (h *hostile) arrive(seq uint32) {
	ahead := seq - h.expected
	want := Keep
	switch {
	case ahead == 0:
		want = Deliver
	case int32(ahead) < 0 || h.kept[seq]:
		want = Duplicate
	case int(ahead) > h.cfg.OutOfOrder:
		want = Beyond
	default:
		h.kept[seq] = true
	}
	if got := h.r.Arrive(seq, seq, h.now); got != want {
		h.t.Fatalf("frame %d, expected %d: %v, want %v", seq, h.expected, got, want)
	}
	if want != Deliver {
		return
	}
	h.expected++
	for f, ok := h.r.Next(); ok; f, ok = h.r.Next() {
		if f != h.expected || !h.kept[f] {
			h.t.Fatalf("next is frame %d, want %d", f, h.expected)
		}
		delete(h.kept, f)
		h.expected++
	}
	if h.kept[h.expected] {
		h.t.Fatalf("frame %d is kept although its turn has come", h.expected)
	}
}

func (h *hostile) tell(alone bool) {
	if !alone {
		h.r.Ack()
		return
	}
	ack, limit, ahead := h.r.Notice()
	if ack != h.expected || after(h.promised, limit) || limit-ack > uint32(h.cfg.OutOfOrder) {
		h.t.Fatalf("notice of %d and credit to %d; expected is %d, promised %d", ack, limit, h.expected, h.promised)
	}
	h.promised = limit
	for i := range uint32(64) {
		if (ahead>>i&1 == 1) != h.kept[ack+1+i] {
			h.t.Fatalf("notice says %b after %d, kept %v", ahead, ack, h.kept)
		}
	}
	if h.r.AckDue(1 << 62) {
		h.t.Fatal("an acknowledgement is due after a notice")
	}
}

// check holds what must be true at any time.
func (h *hostile) check() {
	flying := int(h.next - h.base)
	full := flying >= h.cfg.Window || !after(h.limit, h.next) && !(h.s.timed && flying == 0)
	if h.s.InFlight() != flying || h.s.Full() != full || flying > h.cfg.Window {
		h.t.Fatalf("%d in flight, full %v; want %d, %v", h.s.InFlight(), h.s.Full(), flying, full)
	}
	if h.s.timed && flying > 0 && h.s.Due() == 0 {
		h.t.Fatal("frames in flight that nobody watches")
	}
	if flying == 0 && h.s.Due() != 0 {
		h.t.Fatal("nothing is in flight, but something is due")
	}
	lost := 0
	for i := range h.s.ring.buf {
		if h.s.ring.buf[i].lost {
			lost++
		}
	}
	if lost != int(h.s.lost) {
		h.t.Fatalf("%d frames are lost, counted %d", lost, h.s.lost)
	}
	if len(h.s.ring.buf) > max(smallest, roundUp(h.cfg.Window)) || len(h.r.ring.buf) > max(smallest, roundUp(h.cfg.OutOfOrder+1)) {
		h.t.Fatalf("rings of %d and %d slots", len(h.s.ring.buf), len(h.r.ring.buf))
	}
	if int(h.r.kept) != len(h.kept) || h.r.Expected() != h.expected {
		h.t.Fatalf("%d kept, expected %d; want %d, %d", h.r.kept, h.r.Expected(), len(h.kept), h.expected)
	}
}

// roundUp is the next power of two.
func roundUp(n int) int { return 1 << bits.Len(uint(n-1)) }

// FuzzHostile: no bytes make a half panic, release, deliver or keep what its naive twin does not.
func FuzzHostile(f *testing.F) {
	chance := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		in := make([]byte, 2000)
		for i := range in {
			in[i] = byte(chance.Uint32())
		}
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		h := newHostile(t, in)
		for len(h.in) > 0 {
			h.step()
		}
	})
}
