package rd

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// The examples of the wire format's description.
func TestShims(t *testing.T) {
	a, b := newPair(t, Config{})
	first := a.send(start, 5)
	ea, eb := a.flow(start).Epoch(), b.flow(start).Epoch()
	equal(t, "first datagram", first[0], iwarp.Shim{Data: true, Start: true, Epoch: ea, PSN: 1, Window: 64})
	for _, i := range []int{0, 2, 4} {
		b.take(start, first[i])
	}
	want := iwarp.Shim{Epoch: eb, PSN: 1, APSN: 2, Window: 64, PeerEpoch: ea, Words: 1}
	want.Sack[0] = 5
	equal(t, "1, 3 and 5 are here", b.ack(start), want)
	p, out := b.table.Arrive(start, "a", &first[1])
	equal(t, "the missing one", out.Verdict, InOrder)
	p.Refuse(start, 4)
	got := b.ack(start)
	equal(t, "not ready", got.NotReady && got.RNR == 4 && got.Window == 0 && got.APSN == 2, true)
	p.FillReset(&got)
	equal(t, "reset", got, iwarp.Shim{Reset: true, Epoch: eb, PSN: 1, PeerEpoch: ea})
}

// A sender may have no more in flight than peer and path allow.
func TestRoom(t *testing.T) {
	for _, c := range []struct {
		window, room int // of the peer, and for the sender
	}{{0, 1}, {1, 1}, {5, 5}, {16, 16}, {64, 17}, {65535, 17}} {
		a, b := newPair(t, Config{})
		equal(t, "room at first", a.flow(start).Room(), 16)
		b.takeAll(start, a.send(start, 16))
		equal(t, "room when full", a.flow(start).Room(), 0)
		ack := b.ack(start)
		ack.Window = uint16(c.window)
		equal(t, "acknowledged", a.take(start, ack).Acked, uint32(16))
		equal(t, "room", a.flow(start).Room(), c.room)
	}
}

// P is set on the last datagram that fits and on what is sent again, else as the device says.
func TestPoll(t *testing.T) {
	a, b := newPair(t, Config{})
	shims := a.send(start, 16)
	for i, s := range shims {
		equal(t, "poll", s.Poll, i == 15)
	}
	b.takeAll(start, shims[1:])
	a.take(start, b.ack(start))
	_, again := a.resends(start)
	equal(t, "resent", len(again) == 1 && again[0].Poll, true)
	b.takeAll(start, again)
	a.take(start, b.ack(start))
	p := a.flow(start)
	psn, _ := p.Send(start, false)
	var s iwarp.Shim
	p.Fill(&s, psn, true)
	equal(t, "as asked", s.Poll, true)
}

// Acknowledgements of what was never sent, of what is already known and of other epochs change nothing.
func TestNonsense(t *testing.T) {
	a, b := newPair(t, Config{})
	b.takeAll(start, a.send(start, 3))
	a.take(start, b.ack(start))
	a.send(start, 4)
	good := b.ack(start) // APSN 4; 4..7 are in flight
	for name, change := range map[string]func(*iwarp.Shim){
		"beyond":      func(s *iwarp.Shim) { s.APSN = 9 },
		"far beyond":  func(s *iwarp.Shim) { s.APSN = 1 << 31 },
		"stale":       func(s *iwarp.Shim) { s.APSN = 3 },
		"other epoch": func(s *iwarp.Shim) { s.PeerEpoch++; s.APSN = 8 },
		"no epoch":    func(s *iwarp.Shim) { s.PeerEpoch = 0; s.APSN = 8 },
		"nobody":      func(s *iwarp.Shim) { s.Epoch = 0; s.APSN = 8 },
		"stale bits":  func(s *iwarp.Shim) { s.APSN = 3; s.Words = 1; s.Sack[0] = 7; s.Window = 0 },
		"sack beyond": func(s *iwarp.Shim) { s.Words = 15; s.Sack[0] = ^uint64(7); s.Sack[14] = ^uint64(0) },
		"many words":  func(s *iwarp.Shim) { s.Words = 255 },
		"other reset": func(s *iwarp.Shim) { s.Reset = true; s.PeerEpoch++ },
	} {
		s := good
		change(&s)
		p := a.flow(start)
		equal(t, name, a.take(start, s), Outcome{})
		equal(t, name+": in flight", p.InFlight(), 4)
		equal(t, name+": held", p.out.board.sacked+p.out.board.lost, 0)
		equal(t, name+": room", p.Room(), 12)
	}
	good.APSN = 8
	equal(t, "good", a.take(start, good).Acked, uint32(4))
}

// Lost is what was sent before three transmissions that arrived; a datagram sent again counts anew.
func TestLossBySack(t *testing.T) {
	a, b := newPair(t, Config{})
	shims := a.send(start, 8)
	for i, want := range [][]uint32{nil, nil, {1}, nil, nil} {
		b.take(start, shims[1+i])
		a.take(start, b.ack(start))
		got, _ := a.resends(start)
		if !slices.Equal(got, want) {
			t.Fatalf("after %d later ones: lost %v, want %v", i+1, got, want)
		}
	}
	// 1 was sent again after 8 and lost again: 7 and 8 do not count, new ones do.
	b.takeAll(start, shims[6:])
	a.take(start, b.ack(start))
	for i, want := range [][]uint32{nil, nil, {1}} {
		b.takeAll(start, a.send(start, 1))
		a.take(start, b.ack(start))
		if got, _ := a.resends(start); !slices.Equal(got, want) {
			t.Fatalf("after %d new ones: lost %v, want %v", i+1, got, want)
		}
	}
}

// expireUntil drives an end's timers until something is to be sent again or fails; it gives the time.
func expireUntil(e *end, limit int64) (now int64, what Expired) {
	for {
		now = e.table.Deadline()
		if now == 0 || now > limit {
			e.t.Fatalf("nothing happens until %d", limit)
		}
		if p, what := e.table.Expire(now); p != nil {
			return now, what
		}
	}
}

// The time-out is srtt + 4 rttvar within bounds, doubles, and after twelve in a row all work fails.
func TestTimeouts(t *testing.T) {
	a, b := newPair(t, Config{})
	b.takeAll(start, a.send(start, 1))
	a.take(start+2*millisecond, b.ack(start)) // srtt 2 ms, rttvar 1 ms
	now := start + 10*millisecond
	a.send(now, 4)
	epoch := a.flow(now).Epoch()
	want := 6 * millisecond
	for i := range 12 {
		at, what := expireUntil(a, now+2*second)
		equal(t, "time-out", at-now, min(want, second))
		equal(t, "failed", what.Failed, i == 11)
		now, want = at, 2*want
		psns, shims := a.resends(now)
		if i < 11 && (len(psns) != 1 || psns[0] != 2 || shims[0].Start) {
			t.Fatalf("sent again after a time-out: %v", psns)
		}
	}
	p := a.flow(now)
	equal(t, "in flight after failure", p.InFlight(), 0)
	psn, fresh := p.Send(now, false)
	equal(t, "the next datagram begins an epoch", psn == 1 && fresh && p.Epoch() != epoch, true)
	// An answer to the old epoch comes late.
	late := b.ack(now)
	late.APSN = 2
	equal(t, "late answer", a.take(now, late).Acked, uint32(0))
}

// Answers from the peer start the count of time-outs anew.
func TestTimeoutsInARow(t *testing.T) {
	a, b := newPair(t, Config{MaxRetries: 3})
	now := start
	b.takeAll(now, a.send(now, 1))
	a.take(now, b.ack(now))
	for range 10 {
		shims := a.send(now, 1)
		for range 2 {
			at, what := expireUntil(a, now+5*second)
			now = at
			equal(t, "failed", what.Failed, false)
			_, shims = a.resends(now)
		}
		b.takeAll(now, shims)
		equal(t, "acknowledged", a.take(now, b.ack(now)).Acked, uint32(1))
	}
}

// cwnd grows by one per round trip, halves once per window with losses, and is one after a time-out.
func TestCongestion(t *testing.T) {
	a, b := newPair(t, Config{})
	now := start
	trip := func() {
		now += millisecond
		b.takeAll(now, a.send(now, a.flow(now).Room()))
		a.take(now, b.ack(now))
	}
	for i := range 8 {
		equal(t, "cwnd", int(a.flow(now).out.cwnd), 16+i)
		trip()
	}
	// Two losses in one window, found one after the other.
	shims := a.send(now, 24)
	b.takeAll(now, shims[1:5])
	a.take(now, b.ack(now))
	equal(t, "after a loss", int(a.flow(now).out.cwnd), 12)
	b.takeAll(now, shims[6:])
	a.take(now, b.ack(now))
	equal(t, "after another of the same window", int(a.flow(now).out.cwnd), 12)
	_, again := a.resends(now)
	equal(t, "both sent again", len(again), 2)
	b.takeAll(now, again)
	a.take(now, b.ack(now))
	// A loss in the next window.
	shims = a.send(now, 12)
	b.takeAll(now, shims[1:])
	a.take(now, b.ack(now))
	equal(t, "after a loss in the next window", int(a.flow(now).out.cwnd), 6)
	_, again = a.resends(now)
	b.takeAll(now, again)
	a.take(now, b.ack(now))
	// Silence.
	a.send(now, 6)
	now, _ = expireUntil(a, now+5*second)
	psns, again := a.resends(now)
	equal(t, "sent again after silence", len(psns), 1)
	equal(t, "cwnd after silence", int(a.flow(now).out.cwnd), 1)
	for _, want := range []int{2, 3, 4, 5} { // slow start up to half of 6, then one per round trip
		b.takeAll(now, again)
		a.take(now, b.ack(now))
		equal(t, "cwnd on the way back", int(a.flow(now).out.cwnd), want)
		_, again = a.resends(now)
		again = append(again, a.send(now, a.flow(now).Room())...)
	}
}

// A sender that has little to say learns nothing about the path, so cwnd stays.
func TestCwndOfAQuietSender(t *testing.T) {
	a, b := newPair(t, Config{})
	for i := range int64(100) {
		b.takeAll(start+i, a.send(start+i, 2))
		a.take(start+i, b.ack(start+i))
	}
	equal(t, "cwnd", int(a.flow(start).out.cwnd), 16)
}

// The round trip of a datagram sent twice is not known, and an answer to a repeat measures nothing else (Karn).
func TestKarn(t *testing.T) {
	a, b := newPair(t, Config{})
	b.takeAll(start, a.send(start, 1))
	a.take(start+millisecond, b.ack(start))
	now := start + second
	shims := a.send(now, 2)
	b.take(now, shims[1])
	before := a.flow(now).out.srtt
	now, _ = expireUntil(a, now+second) // the acknowledgement of the second is lost
	_, again := a.resends(now)
	b.takeAll(now, again)
	now += millisecond
	equal(t, "acknowledged", a.take(now, b.ack(now)).Acked, uint32(2))
	equal(t, "srtt", a.flow(now).out.srtt, before)
	equal(t, "doubling stays", a.flow(now).out.backoff, uint8(1))
}

// When a path becomes much slower than it was, the sender measures that instead of repeating everything for ever.
func TestSlowPathIsMeasured(t *testing.T) {
	a, b := newPair(t, Config{})
	b.takeAll(start, a.send(start, 1))
	a.take(start+millisecond, b.ack(start))
	now := start + second
	const trip = 300 * millisecond
	repeats := 0
	for range 5 {
		b.takeAll(now, a.send(now, 1))
		ack := b.ack(now)
		for end := now + trip; now < end; {
			now = min(end, a.table.Deadline())
			a.table.Expire(now)
			psns, _ := a.resends(now)
			repeats += len(psns)
		}
		equal(t, "acknowledged", a.take(now, ack).Acked, uint32(1))
	}
	if srtt := int64(a.flow(now).out.srtt); repeats > 9 || srtt < 30*millisecond {
		t.Fatalf("%d repeats, srtt %d us", repeats, srtt/microsecond)
	}
}

// A peer that is not ready is waited for: nothing leaves for 0.1 ms * 2^code, then the refused datagram.
func TestNotReady(t *testing.T) {
	for code := range uint8(16) {
		a, b := newPair(t, Config{})
		shims := a.send(start, 3)
		p, _ := b.table.Arrive(start, "a", &shims[0])
		p.Refuse(start, code)
		equal(t, "refusing", p.Refusing() && p.AckDue(start), true)
		a.take(start, b.ack(start))
		equal(t, "room", a.flow(start).Room(), 0)
		psns, _ := a.resends(start)
		equal(t, "sent at once", len(psns), 0)
		now, what := expireUntil(a, start+10*second)
		equal(t, "wait", now-start, 100*microsecond<<code)
		equal(t, "failed", what.Failed, false)
		psns, again := a.resends(now)
		if !slices.Equal(psns, []uint32{1}) || !again[0].Poll {
			t.Fatalf("sent after the wait: %v", psns)
		}
	}
}

// A peer may stay unready for any time without the work failing, even if it keeps the datagram.
func TestNotReadyForLong(t *testing.T) {
	for _, keep := range []bool{false, true} {
		a, b := newPair(t, Config{MaxRetries: 2})
		now := start
		shims := a.send(now, 1)
		for range 50 {
			p, out := b.table.Arrive(now, "a", &shims[0])
			if out.Verdict == InOrder {
				p.Refuse(now, 3)
				if keep {
					p.Hold(1)
				}
			} else {
				equal(t, "held", keep && out.Verdict == Duplicate, true)
			}
			a.take(now, b.ack(now))
			at, what := expireUntil(a, now+second)
			now = at
			equal(t, "failed", what.Failed, false)
			_, shims = a.resends(now)
			equal(t, "sent again", len(shims), 1)
		}
	}
}

// "Not ready" is an answer: the count of time-outs begins anew.
func TestNotReadyIsAnAnswer(t *testing.T) {
	a, b := newPair(t, Config{MaxRetries: 2})
	now := start
	shims := a.send(now, 1)
	for range 5 {
		p, _ := b.table.Arrive(now, "a", &shims[0])
		p.Refuse(now, 1)
		a.take(now, b.ack(now))
		now, _ = expireUntil(a, now+second) // the wait
		a.resends(now)                      // is lost
		var what Expired
		now, what = expireUntil(a, now+second)
		equal(t, "failed", what.Failed, false)
		_, shims = a.resends(now)
		equal(t, "sent again", len(shims), 1)
	}
}

// Should a peer forget what it said that it holds, or hold it without a word, it is asked again.
func TestHeldIsAskedFor(t *testing.T) {
	a, b := newPair(t, Config{})
	shims := a.send(start, 2)
	b.take(start, shims[1])
	a.take(start, b.ack(start))
	ack := b.ack(start)
	ack.APSN, ack.Words = 2, 0
	equal(t, "acknowledged", a.take(start, ack).Acked, uint32(1))
	now, _ := expireUntil(a, start+second)
	psns, _ := a.resends(now)
	if !slices.Equal(psns, []uint32{2}) {
		t.Fatalf("sent again: %v", psns)
	}
}

// However wide a peer says its window is, no more is in flight than the ring holds.
func TestWindowIsClamped(t *testing.T) {
	a, b := newPair(t, Config{Window: 8})
	b.takeAll(start, a.send(start, 8)[1:])
	ack := b.ack(start)
	ack.Window = 65535
	a.take(start, ack)
	equal(t, "in flight", a.flow(start).InFlight(), 8)
	equal(t, "room", a.flow(start).Room(), 0)
}

// When the peer becomes ready, its acknowledgement lets the refused datagram go at once; should it be lost, the
// sender asks again by itself.
func TestReady(t *testing.T) {
	for _, arrives := range []bool{true, false} {
		a, b := newPair(t, Config{})
		shims := a.send(start, 1)
		p, _ := b.table.Arrive(start, "a", &shims[0])
		p.Refuse(start, 15)
		a.take(start, b.ack(start))
		p.Ready(start + millisecond)
		equal(t, "acknowledgement opens the window at once", p.AckDue(start+millisecond), true)
		ack := b.ack(start + millisecond)
		equal(t, "window", ack.Window == 64 && !ack.NotReady, true)
		now := start + millisecond
		if arrives {
			a.take(now, ack)
		} else {
			now, _ = expireUntil(a, start+10*second)
		}
		psns, again := a.resends(now)
		equal(t, "sent again", len(psns), 1)
		b.takeAll(now, again)
		equal(t, "acknowledged", a.take(now, b.ack(now)).Acked, uint32(1))
	}
}

// A window closed without "not ready" is probed with what is in flight, or with the next datagram; a peer that
// answers never makes the work fail.
func TestClosedWindow(t *testing.T) {
	a, b := newPair(t, Config{MaxRetries: 3})
	now := start
	b.takeAll(now, a.send(now, 2))
	closed := b.ack(now)
	closed.Window = 0
	equal(t, "acknowledged", a.take(now, closed).Acked, uint32(2))
	equal(t, "room for a probe", a.flow(now).Room(), 1)
	shims := a.send(now, 1)
	equal(t, "probe asks for an answer", shims[0].Poll, true)
	equal(t, "room after the probe", a.flow(now).Room(), 0)
	for range 20 {
		at, what := expireUntil(a, now+5*second)
		equal(t, "failed", what.Failed, false)
		now = at
		psns, _ := a.resends(now)
		equal(t, "probe", len(psns), 1)
		a.take(now, closed)
	}
	b.takeAll(now, shims)
	equal(t, "acknowledged", a.take(now, b.ack(now)).Acked, uint32(1))
	equal(t, "room", a.flow(now).Room() > 1, true)
}
