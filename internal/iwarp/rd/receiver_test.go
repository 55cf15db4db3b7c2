package rd

import (
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// What a datagram means depends on its distance from the one expected, also where numbers wrap.
func TestVerdicts(t *testing.T) {
	for _, expect := range []uint32{1, 2, 100, 1<<31 - 2, 1 << 31, 1<<32 - 30, 1<<32 - 1, 0} {
		for _, c := range []struct {
			distance uint32
			want     Verdict
		}{
			{0, InOrder}, {1, Ahead}, {2, Ahead}, {3, Duplicate}, {62, Ahead}, {63, Ahead}, {64, Beyond}, {65, Beyond},
			{1 << 20, Beyond}, {1<<31 - 1, Beyond}, {1 << 31, Duplicate}, {1<<32 - 64, Duplicate}, {1<<32 - 1, Duplicate},
		} {
			a, b := newPair(t, Config{})
			meet(start, a, b)
			jump(start, a, b, expect)
			b.flow(start).Hold(expect + 3)
			s := iwarp.Shim{Data: true, Epoch: a.flow(start).Epoch(), PSN: expect + c.distance}
			_, out := b.table.Arrive(start, "a", &s)
			if out.Verdict != c.want {
				t.Errorf("expecting %d, got %d: %v, want %v", expect, s.PSN, out.Verdict, c.want)
			}
		}
	}
}

// A segment that is ahead counts only if the device holds it; what it holds is delivered once, in order.
func TestHold(t *testing.T) {
	for _, window := range []int{8, 64, 65, 200, 960} {
		a, b := newPair(t, Config{Window: window})
		meet(start, a, b)
		jump(start, a, b, 1<<32-5)
		q := b.flow(start)
		first := q.in.expect
		for d := uint32(1); d < uint32(window); d += 2 {
			q.Hold(first + d)
			q.Hold(first + d) // twice is once
		}
		q.Hold(first + uint32(window)) // outside: no promise
		ack := b.ack(start)
		for d := range uint32(window) {
			got := d > 0 && int(d-1)/64 < int(ack.Words) && ack.Sack[(d-1)/64]>>((d-1)%64)&1 != 0
			equal(t, "bit", got, d%2 == 1)
		}
		for d := range uint32(window) {
			next, held := q.Advance(start)
			equal(t, "next", next, first+d+1)
			equal(t, "held", held, d%2 == 0 && int(d)+1 < window)
		}
		equal(t, "bits left", q.in.ahead.set, 0)
		ack = b.ack(start)
		equal(t, "words without a gap", ack.Words, uint8(0))
	}
}

// A refused segment that the device keeps is not asked for again, and goes first when there is a receive.
func TestHoldRefused(t *testing.T) {
	a, b := newPair(t, Config{})
	shims := a.send(start, 2)
	b.take(start, shims[1])
	q, out := b.table.Arrive(start, "a", &shims[0])
	equal(t, "first", out.Verdict, InOrder)
	q.Refuse(start, 1)
	q.Hold(1)
	_, out = b.table.Arrive(start, "a", &shims[0])
	equal(t, "again", out.Verdict, Duplicate)
	next, held := q.Advance(start)
	equal(t, "next", next == 2 && held, true)
	equal(t, "refusing", q.Refusing(), false)
	// There is no receive for the one held either: it stays.
	q.Refuse(start, 1)
	equal(t, "still refusing", q.Refusing(), true)
	_, out = b.table.Arrive(start, "a", &shims[1])
	equal(t, "second again", out.Verdict, Duplicate)
	b.ack(start)
	next, held = q.Advance(start)
	equal(t, "end", next == 3 && !held, true)
	equal(t, "acknowledged at once", q.AckDue(start), true)
}

// When an acknowledgement leaves: at once where the peer waits for it, else in company.
func TestAckDue(t *testing.T) {
	a, b := newPair(t, Config{})
	meet(start, a, b)
	shims := a.send(start, 4)
	plain := shims[0]
	poll := shims[0]
	poll.Poll = true
	bare := iwarp.Shim{Poll: true, Epoch: plain.Epoch, PSN: shims[3].PSN + 1}
	duplicate := plain
	duplicate.PSN = 1
	beyond := plain
	beyond.PSN += 64
	now := start
	for _, c := range []struct {
		name  string
		shim  iwarp.Shim
		delay int64
	}{
		{"in order", plain, millisecond}, {"asked for", poll, 0}, {"asked for without data", bare, 0}, {"gap", shims[1], 0},
		{"duplicate", duplicate, 0}, {"beyond", beyond, 0},
	} {
		now += second
		b.ack(now)
		q := b.flow(now)
		q.in.expect = plain.PSN
		equal(t, c.name+": before", q.AckDue(now+second), false)
		_, out := b.table.Arrive(now, "a", &c.shim)
		if out.Verdict == InOrder {
			q.Advance(now)
		}
		equal(t, c.name+": just before", q.AckDue(now+c.delay-1), false)
		equal(t, c.name, q.AckDue(now+c.delay), true)
		b.ack(now)
		equal(t, c.name+": sent", q.AckDue(now+second), false)
	}
}

// After sixteen datagrams an acknowledgement waits no longer; any data takes it along.
func TestAckEvery(t *testing.T) {
	a, b := newPair(t, Config{})
	meet(start, a, b)
	for range 3 {
		b.ack(start)
		for i, s := range a.send(start, 16) {
			equal(t, "due", b.flow(start).AckDue(start), false)
			s.Poll = false
			b.take(start, s)
			equal(t, "due after", b.flow(start).AckDue(start), i == 15)
		}
		equal(t, "taken along", a.takeAll(start, b.send(start, 1)), 16)
		equal(t, "due", b.flow(start).AckDue(start), false)
		b.take(start, a.ack(start))
	}
}

// An acknowledgement that waits is remembered by the table's timers, and so is one that the device forgot.
func TestAckAlarm(t *testing.T) {
	for _, poll := range []bool{false, true} {
		a, b := newPair(t, Config{})
		s := a.send(start, 1)[0]
		s.Poll = poll
		b.take(start, s)
		now, what := expireUntil(b, start+second)
		equal(t, "time", now-start, millisecond)
		equal(t, "nothing but an acknowledgement", what, Expired{})
		equal(t, "due", b.flow(now).AckDue(now), true)
		p, _ := b.table.Expire(now)
		equal(t, "told once", p == nil, true)
	}
}

// Calls that make no sense, since nothing was heard from the peer, do nothing.
func TestNothingHeard(t *testing.T) {
	a, _ := newPair(t, Config{})
	p := a.flow(start)
	p.Hold(1)
	p.Refuse(start, 3)
	p.Ready(start)
	next, held := p.Advance(start)
	equal(t, "advance", next == 0 && !held, true)
	equal(t, "shim", a.ack(start), iwarp.Shim{Epoch: p.Epoch(), PSN: 1, Window: 64})
}
