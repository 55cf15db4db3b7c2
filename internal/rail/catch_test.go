package rail

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Short messages are used where the device has them, unless that is switched off or the channel counts its
// receives, and come in order with those that are too long for that.
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

// Frames that go straight to where their payloads belong come in order with others.
func TestPlacedInOrder(t *testing.T) {
	r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Vbuf = 33 << 10 })
	l := r.links[1]
	for round, count := 0, 0; round < 5 || l.Counters.Placed < 20 && round < 200; round++ {
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
	if c := &l.Counters; c.Placed < 20 {
		t.Errorf("%d frames were placed", c.Placed)
	}
}

// loaned is the completion of a frame that the device lends.
func loaned(l *Link, frame []byte) *verbs.Completion {
	return &verbs.Completion{QP: l.peer(0).express.num, Op: verbs.Recv, Len: len(frame), Data: frame}
}

// Only an eager packet that is whole, from the peer, and the next of its stream is caught, and nothing is
// while the link is busy with something else. What is not caught has changed nothing.
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
		l.recent = true
		defer func() { l.caught, l.recent = false, false }()
		return l.catch(loaned(l, frame))
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
	for what, flag := range map[string]*bool{"busy": &l.busy, "armed": &l.armed} {
		*flag = true
		l.found, l.at = []verbs.Completion{*loaned(l, handmade(r, kWhole, whole))}, 0
		if l.catchFound(); l.at > 0 || len(b.got) != before {
			t.Errorf("caught while the link is %s", what)
		}
		*flag, l.found, l.at = false, nil, 0
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

// A datagram is caught if it comes from where its peer is known to be, and from a peer that may not ask for
// a connection now.
func TestWhatDatagramsAreCaught(t *testing.T) {
	for _, channel := range []Channel{UD, Hybrid} {
		r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel, cfg.Promote = channel, 100 })
		meet(r)
		l, p := r.links[1], r.links[1].peer(0)
		from := r.links[0].dgramQP.Addr()
		whole := append(wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: 1}), 1)
		offer := func(frame []byte, from netip.AddrPort) bool {
			l.recent = true
			defer func() { l.caught, l.recent = false, false }()
			return l.catch(&verbs.Completion{QP: l.dgramNum, Op: verbs.Recv, Data: frame, Src: from})
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
	frame := handmade(r, kWhole, wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7}))
	le.PutUint32(frame[12:], ack)
	le.PutUint32(frame[16:], ack+100)
	l.recent = true
	if !l.catch(loaned(l, frame)) {
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
