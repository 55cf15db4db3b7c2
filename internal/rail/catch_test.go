package rail

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
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

// Frames that go straight to where their payloads belong are caught as well, in a stream of them, and come in order with others.
func TestCatchPlaced(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Vbuf = 33 << 10 })
	l := r.links[1]
	for round, count := 0, 0; round < 5 || (l.Counters.Placed < 20 || l.Counters.Caught == 0) && round < 200; round++ {
		for i := range 24 {
			r.send(0, 1, i/4*2%6+1, pattern(24<<10+i%3*100, i))
		}
		count += 24
		r.until("arrival", func() bool { return len(r.boxes[1].got) == count && !r.boxes[1].got[count-1].open })
		for i, m := range r.boxes[1].got[count-24:] {
			if int(m.h.Tag) != i/4*2%6+1 || !bytes.Equal(m.data, pattern(24<<10+i%3*100, i)) {
				t.Fatalf("message %d: tag %d, %d bytes", i, m.h.Tag, len(m.data))
			}
		}
	}
	if c := &l.Counters; c.Placed < 20 || c.Caught == 0 {
		t.Errorf("%d frames were placed, %d caught", c.Placed, c.Caught)
	}
}

// A frame that is in its place is caught if it is a whole eager packet, of the lane that was told its place, whose turn it is. What is not
// caught has changed nothing, and comes the usual way.
func TestWhatPlacedIsCaught(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	l, p, b := r.links[1], r.links[1].peer(0), r.boxes[1]
	payload := pattern(9000, 1)
	eager := wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: len(payload)})
	offer := func(head []byte, size int) (bool, verbs.Next) {
		l.catching, l.recent = true, true
		defer func() { l.catching, l.caught, l.recent = false, false, false }()
		return p.express.CatchPlaced(head, size)
	}
	for i, c := range []struct {
		kind   kind
		body   []byte
		flags  byte
		spoil  func()
		caught bool
	}{
		{kind: kWhole, body: eager, caught: true},
		{kind: kRepeat, caught: true},
		{kind: kRepeat, flags: fUrge, caught: true},
		{kind: kRepeat, spoil: func() { p.ackable = true }},
		{kind: kRepeat, spoil: func() { l.surplus = 1 }},
		{kind: kRepeat, spoil: func() { p.placed.lane = &lane{peer: p} }},
		{kind: kFirst, body: wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: len(payload) + 1})},
	} {
		before := len(b.got)
		frame := handmade(r, c.kind, append(bytes.Clone(c.body), payload...))
		at, dst := foretell(r, frame)
		if copy(dst, frame[at:]) != len(payload) {
			t.Fatalf("case %d: not steered", i)
		}
		if frame[1] = c.flags; c.spoil != nil {
			c.spoil()
		}
		if ok, _ := offer(frame[:at], len(frame)-1); ok {
			t.Fatalf("case %d: caught with another length", i)
		}
		ok, next := offer(frame[:at], len(frame))
		if ok != c.caught || (next == verbs.Pause) != (c.flags != 0) || p.placed.on == ok || p.ackable != (c.flags != 0 || c.spoil != nil && p.ackable) {
			t.Fatalf("case %d: caught %v, next %v", i, ok, next)
		}
		p.ackable, l.surplus, l.ackable = false, 0, l.ackable[:0]
		if !ok {
			p.frame(nil, frame, p.express)
		}
		if c.kind == kFirst {
			break
		}
		if m := b.got[before]; len(b.got) != before+1 || m.open || m.h.Tag != 7 || !bytes.Equal(m.data, payload) {
			t.Fatalf("case %d: %d messages, %d bytes", i, len(b.got)-before, len(m.data))
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
		return p.express.Catch(frame, netip.AddrPort{})
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
	if p.express.Catch(handmade(r, kWhole, whole), netip.AddrPort{}) {
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
			return datagrams{l}.Catch(frame, from)
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

// caughtBy has rank 1 catch a frame of rank 0's, with a body of no bytes, that says it waits for frame ack of rank 1's.
func caughtBy(r *rig, ack uint32) {
	r.t.Helper()
	l := r.links[1]
	p := l.peer(0)
	frame := handmade(r, kWhole, wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7}))
	le.PutUint32(frame[12:], ack)
	le.PutUint32(frame[16:], ack+100)
	l.catching, l.recent = true, true
	defer func() { l.catching = false }()
	if !p.express.Catch(frame, netip.AddrPort{}) {
		r.t.Fatal("not caught")
	}
}

// What a frame that was caught acknowledges is taken in later, but before anybody asks for what is in flight.
func TestAckOfCaught(t *testing.T) {
	for what, ask := range map[string]func(r *rig, l *Link){
		"Ready":      func(_ *rig, l *Link) { l.Ready() },
		"Poll":       func(r *rig, l *Link) { l.caught = false; l.Poll(r.boxes[1]) },
		"Idle":       func(_ *rig, l *Link) { l.Idle() },
		"Held":       func(_ *rig, l *Link) { l.Held() },
		"Urgent":     func(_ *rig, l *Link) { l.Urgent() },
		"EagerAlone": func(_ *rig, l *Link) { l.EagerAlone(0) },
		"Unasked":    func(_ *rig, l *Link) { l.Unasked(0, 1) },
		"Send":       func(_ *rig, l *Link) { l.Send(&wire.Packet{Header: wire.Header{Kind: wire.FIN}, Peer: 0}) },
		"the next":   func(r *rig, l *Link) { caughtBy(r, l.peer(0).next) },
	} {
		r := newRig(t, 2, nil)
		meet(r)
		r.until("rest", func() bool { return r.links[0].Idle() && r.links[1].Idle() })
		l := r.links[1]
		l.peer(0).number(kRepeat, l.sendBuffer(headerSize))
		sent := l.peer(0).next
		caughtBy(r, sent)
		if l.peer(0).out.InFlight() != 1 {
			t.Fatalf("%s: the acknowledgement did not wait", what)
		}
		ask(r, l)
		if n := l.peer(0).out.InFlight(); n != int(l.peer(0).next-sent) {
			t.Errorf("%s: the acknowledgement has not been heard: %d in flight", what, n)
		}
	}
}

// Poll is left out only if it has nothing to do.
func TestCaughtAlone(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	l := r.links[1]
	p := l.peer(0)
	if l.caught = false; l.Caught() {
		t.Error("caught, though nothing was")
	}
	for what, change := range map[string]func() (undo func()){
		"completion": func() func() { l.found, l.at = l.comps[:1], 0; return func() { l.found = nil } },
		"offer":      func() func() { l.asks = true; return func() { l.asks = false } },
		"event":      func() func() { l.event.Store(true); return func() { l.event.Store(false) } },
		"burst":      func() func() { l.holder = p; return func() { l.holder = nil } },
		"tick":       func() func() { at := l.nextTick; l.nextTick = l.now; return func() { l.nextTick = at } },
		"ack":        func() func() { l.ackable = append(l.ackable, p); return func() { l.ackable = nil } },
		"stuck":      func() func() { l.stuck = append(l.stuck, p); return func() { l.stuck = nil } },
		"tail":       func() func() { l.heard = append(l.heard, p); return func() { l.heard = nil } },
		"transfer":   func() func() { l.finished = append(l.finished, nil); return func() { l.finished = nil } },
		"loss":       func() func() { l.losses = append(l.losses, p); return func() { l.losses = nil } },
	} {
		l.found, l.at, l.caught, l.ackable, l.nextTick, l.now = nil, 0, true, nil, 0, 1
		undo := change()
		if l.Caught() || !l.caught {
			t.Errorf("%s: Poll would be left out", what)
		}
		if undo(); !l.Caught() || l.Caught() {
			t.Errorf("after %s: caught is not told, or twice", what)
		}
	}
}
