package rail

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// Short messages are used where the device has them, unless that is switched off or the channel counts its receives, and come
// in order with those that are too long for that.
func TestCatch(t *testing.T) {
	for _, c := range []struct {
		channel Channel
		off     bool
		catches bool
	}{{SRQ, false, true}, {SRQ, true, false}, {SR, false, false}, {ArdmaSRQ, false, false}, {UD, false, true}, {UD, true, false}, {RD, false, false}} {
		r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel, cfg.NoPlace = c.channel, c.off })
		const count = 300
		size := func(i int) int { return []int{0, 8, 100, 3000, 100, 40 << 10, 8}[i%7] }
		for i := range count {
			r.send(0, 1, i/4, pattern(size(i), i)) // some tags several times in a row, so that headers are left out
			if i%30 < 15 {                         // else several at a time
				r.until("arrival", func() bool { return len(r.boxes[1].got) == i+1 && !r.boxes[1].got[i].open })
			}
		}
		r.until("arrival", func() bool { return len(r.boxes[1].got) == count && !r.boxes[1].got[count-1].open })
		for i, m := range r.boxes[1].got {
			if int(m.h.Tag) != i/4 || !bytes.Equal(m.data, pattern(size(i), i)) {
				t.Fatalf("%v: message %d of %d bytes: tag %d, %d bytes", c.channel, i, size(i), m.h.Tag, len(m.data))
			}
		}
		if n := r.links[1].Counters.Caught; (n > 0) != c.catches {
			t.Errorf("%+v: %d frames were caught", c, n)
		}
	}
}

// Only an eager packet that is whole, from the peer, and the next of its stream is caught, and nothing is while the link is busy with
// something else. What is not caught has changed nothing.
func TestWhatIsCaught(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	l, p, b := r.links[1], r.links[1].peer(0), r.boxes[1]
	eager := wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: 3})
	whole := append(bytes.Clone(eager), 1, 2, 3)
	changed := func(at int, to byte) []byte {
		frame := handmade(r, kWhole, whole)
		frame[at] = to
		return frame
	}
	before := len(b.got)
	offer := func(frame []byte) bool {
		l.catching, l.recent = true, true
		defer func() { l.catching, l.caught, l.recent = false, false, false }()
		return p.express.catch(frame)
	}
	next := p.in.Expected()
	for what, frame := range map[string][]byte{
		"nothing": nil, "no whole header": changed(0, byte(kWhole))[:headerSize-1], "piece": changed(0, byte(kPiece)),
		"acknowledgement": changed(0, byte(kAck)), "urged": changed(1, fUrge), "from somebody else": changed(4, 9),
		"of another number": changed(8, byte(next)+1), "no packet": handmade(r, kWhole, nil), "cut short": handmade(r, kWhole, whole[:len(whole)-1]),
		"synchronous": handmade(r, kWhole, wire.Append(nil, &wire.Header{Kind: wire.Sync, Ctx: 4, Tag: 7, Send: 1})),
	} {
		if offer(frame) || len(b.got) != before || p.in.Expected() != next {
			t.Errorf("%s: caught", what)
		}
	}
	p.ackable = true
	if offer(handmade(r, kWhole, whole)) {
		t.Error("caught behind a frame that has to be acknowledged")
	}
	p.ackable = false
	if p.express.catch(handmade(r, kWhole, whole)) {
		t.Error("caught while nobody polls")
	}
	for i, k := range []kind{kWhole, kRepeat} {
		body := whole
		if k == kRepeat {
			body = body[len(eager):]
		}
		if !offer(handmade(r, k, body)) || len(b.got) != before+1+i || p.in.Expected() != next+uint32(i)+1 {
			t.Fatalf("%v: not caught", k)
		}
		if m := b.got[before+i]; m.h.Ctx != 4 || m.h.Tag != 7 || !bytes.Equal(m.data, []byte{1, 2, 3}) {
			t.Errorf("%v: caught %+v", k, m)
		}
	}
}

// A datagram is caught if it comes from where its peer is known to be, and from a peer that may not ask for a connection now.
func TestWhatDatagramsAreCaught(t *testing.T) {
	for _, channel := range []Channel{UD, Hybrid} {
		r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel, cfg.Promote = channel, 100 })
		meet(r)
		l, p := r.links[1], r.links[1].peer(0)
		from := r.links[0].dgramQP.Addr()
		whole := append(wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: 1}), 1)
		offer := func(frame []byte, from netip.AddrPort) bool {
			l.catching, l.recent = true, true
			defer func() { l.catching, l.caught, l.recent = false, false, false }()
			return l.catchDatagram(frame, from)
		}
		frame := handmade(r, kWhole, whole)
		if elsewhere := netip.AddrPortFrom(from.Addr(), from.Port()+1); offer(frame, elsewhere) {
			t.Errorf("%v: caught from another address", channel)
		}
		if offer(frame[:headerSize-1], from) || offer(nil, from) {
			t.Errorf("%v: caught without a header", channel)
		}
		p.sent += 100
		if got, want := offer(frame, from), channel == UD; got != want {
			t.Errorf("%v: caught from a peer that has earned a connection: %v", channel, got)
		}
		p.sent -= 100
		if !offer(handmade(r, kWhole, whole), from) {
			t.Errorf("%v: not caught", channel)
		}
		p.lost = wire.ErrNoPath
		if offer(handmade(r, kWhole, whole), from) {
			t.Errorf("%v: caught from a peer that is lost", channel)
		}
		p.lost = nil
	}
}
