package rd

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// Config refuses what makes no sense and says what to do.
func TestConfig(t *testing.T) {
	for want, cfg := range map[string]Config{
		"window":           {Window: MaxWindow + 1},
		"flows":            {MaxFlows: -1},
		"retries":          {MaxRetries: 201},
		"every":            {AckEvery: 255},
		"must rise":        {RTOMin: 2 * second},
		"within 4 s":       {RTOMax: 5 * second},
		"delay":            {AckDelay: -1},
		"a receiver must ": {IdleSend: 20 * second},
	} {
		if _, err := NewTable[int, int](cfg, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got error %v, want one about %q", cfg, err, want)
		}
	}
	for _, cfg := range []Config{{}, {Window: 1}, {Window: MaxWindow}, {RTOMin: 50 * millisecond}} {
		if _, err := NewTable[int, int](cfg, 1); err != nil {
			t.Error(err)
		}
	}
}

// Epochs are never 0 and do not repeat soon.
func TestEpochs(t *testing.T) {
	for _, first := range []uint16{0, 1, 0xffff, epochStep, 0x10000 - epochStep} {
		h := shared{epoch: first}
		seen := map[uint16]bool{0: true}
		for range 65535 {
			e := h.firstEpoch()
			if seen[e] {
				t.Fatalf("from %d: epoch %d comes twice", first, e)
			}
			seen[e] = true
		}
	}
}

// What happens to a datagram of an epoch that is not the one listened to.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		name                           string
		state                          string // of the receiver: "none", "sent only", "listening"
		data, start, poll, reset, acks bool
		psn                            uint32
		unknown, accepted, renewed     bool
	}{
		{name: "first", state: "none", data: true, start: true, psn: 1, accepted: true},
		{name: "first, overtaken", state: "none", data: true, start: true, psn: 64, accepted: true},
		{name: "far ahead", state: "none", data: true, start: true, psn: 65},
		{name: "number before the first", state: "none", data: true, start: true, psn: 0},
		{name: "unknown flow", state: "none", data: true, psn: 1, unknown: true},
		{name: "bare poll of unknown flow", state: "none", poll: true, psn: 1, unknown: true},
		{name: "bare acknowledgement", state: "none", psn: 1},
		{name: "reset of nothing", state: "none", reset: true, psn: 1},
		{name: "first, while we send", state: "sent only", data: true, start: true, psn: 1, accepted: true},
		{name: "unknown flow, while we send", state: "sent only", data: true, psn: 1, unknown: true},
		{name: "acknowledgement of ours", state: "sent only", acks: true, psn: 1, accepted: true},
		{name: "new epoch", state: "listening", data: true, start: true, psn: 1, accepted: true, renewed: true},
		{name: "new epoch, far ahead", state: "listening", data: true, start: true, psn: 65},
		{name: "other epoch", state: "listening", data: true, psn: 1},
		{name: "other epoch polls", state: "listening", poll: true, psn: 1},
		{name: "acknowledgement from a new epoch", state: "listening", acks: true, psn: 1, accepted: true},
	} {
		a, b := newPair(t, Config{})
		switch c.state {
		case "sent only":
			b.send(start, 1)
		case "listening":
			b.takeAll(start, a.send(start, 2))
			b.send(start, 1)
		}
		s := iwarp.Shim{Data: c.data, Start: c.start, Poll: c.poll, Reset: c.reset, Epoch: 7, PSN: c.psn, APSN: 2}
		if c.acks {
			s.PeerEpoch = b.flow(start).Epoch()
		}
		p, out := b.table.Arrive(start, "a", &s)
		equal(t, c.name+": accepted", p != nil, c.accepted)
		equal(t, c.name+": unknown", out.Unknown, c.unknown)
		equal(t, c.name+": new epoch", out.NewEpoch, c.renewed)
		equal(t, c.name+": acknowledged", out.Acked == 1, c.acks)
		equal(t, c.name+": listens", p != nil && p.PeerEpoch() == 7, c.accepted && !c.acks)
		var answer iwarp.Shim
		b.table.FillReset(&answer, &s)
		equal(t, c.name+": answer", answer.Reset && answer.PeerEpoch == 7 && answer.Epoch != 0 && !answer.Data, true)
	}
}

// S is set until the peer has answered in this epoch.
func TestStart(t *testing.T) {
	a, b := newPair(t, Config{})
	shims := a.send(start, 2)
	equal(t, "before", shims[0].Start && shims[1].Start, true)
	b.takeAll(start, shims)
	a.take(start, b.ack(start))
	equal(t, "after", a.send(start, 1)[0].Start, false)
	a.flow(start).Abort()
	equal(t, "anew", a.send(start, 1)[0].Start, true)
}

// A new epoch voids what was held of the old one, and late datagrams of that are ignored for 30 s.
func TestNewEpoch(t *testing.T) {
	a, b := newPair(t, Config{})
	old := a.send(start, 4)
	b.takeAll(start, old[:1])
	b.takeAll(start, old[2:])
	q := b.flow(start)
	equal(t, "held", q.in.ahead.set, 2)
	a.flow(start).Abort()
	_, again := a.resends(start)
	equal(t, "nothing is sent again after Abort", len(again), 0)
	out := b.take(start, a.send(start, 2)[1])
	equal(t, "the second of the new epoch comes first", out.Verdict == Ahead && out.NewEpoch, true)
	equal(t, "held", q.in.ahead.set, 1)
	for _, s := range old {
		p, out := b.table.Arrive(start+30*second-1, "a", &s)
		equal(t, "late", p == nil && out == Outcome{}, true)
	}
	p, out := b.table.Arrive(start+30*second, "a", &old[0])
	equal(t, "memory ends", p != nil && out.NewEpoch, true)
}

// The same when the peer has restarted, so that its epochs have no order, and with an epoch that was left unheard.
func TestLateLife(t *testing.T) {
	for _, heard := range []bool{true, false} {
		a, b := newPair(t, Config{})
		old := a.send(start, 2)
		if heard {
			b.takeAll(start, old)
			a = newEnd(t, "a", Config{}, 0x7777)
		} else {
			a.flow(start).Abort()
		}
		equal(t, "new life", b.take(start, a.send(start, 1)[0]).Verdict, InOrder)
		epoch := b.flow(start).PeerEpoch()
		for _, s := range old {
			p, out := b.table.Arrive(start+30*second-1, "a", &s)
			equal(t, "late", p == nil && out == Outcome{}, true)
		}
		equal(t, "epoch", b.flow(start).PeerEpoch(), epoch)
	}
}

// R with our epoch fails all work; the next datagram begins a new epoch. R with another is late or forged.
func TestReset(t *testing.T) {
	a, b := newPair(t, Config{})
	b.takeAll(start, a.send(start, 1))
	a.take(start, b.ack(start))
	b = newEnd(t, "b", Config{}, 0x5555) // restarts
	s := a.send(start, 3)[0]
	p, out := b.table.Arrive(start, "a", &s)
	equal(t, "unknown", p == nil && out.Unknown, true)
	equal(t, "no state is made", b.table.Len(), 0)
	var r iwarp.Shim
	b.table.FillReset(&r, &s)
	wrong := r
	wrong.PeerEpoch++
	equal(t, "other epoch", a.take(start, wrong), Outcome{})
	equal(t, "in flight", a.flow(start).InFlight(), 3)
	equal(t, "ours", a.take(start, r), Outcome{Reset: true})
	equal(t, "in flight", a.flow(start).InFlight(), 0)
	equal(t, "once", a.take(start, r), Outcome{})
	equal(t, "works again", b.take(start, a.send(start, 1)[0]).Verdict, InOrder)
}

// A sender that was idle for 10 s begins a new epoch with its next message, not in the midst of one.
func TestIdleSender(t *testing.T) {
	for _, c := range []struct {
		idle  int64
		first bool
		fresh bool
	}{{10*second - 1, true, false}, {10 * second, true, true}, {10 * second, false, false}} {
		a, b := newPair(t, Config{})
		b.takeAll(start, a.send(start, 1))
		a.take(start, b.ack(start))
		a.take(start+9*second, b.ack(start)) // a late repeat is no use of the flow: the peer does not know of it
		p := a.flow(start)
		epoch := p.Epoch()
		psn, fresh := p.Send(start+c.idle, c.first)
		equal(t, "fresh", fresh, c.fresh)
		equal(t, "epoch", p.Epoch() != epoch, c.fresh)
		equal(t, "PSN", psn == 1, c.fresh)
	}
}

// An idle flow gives back the memory for datagrams in flight after 10 s and everything after 30 s.
func TestForget(t *testing.T) {
	a, b := newPair(t, Config{})
	b.takeAll(start, a.send(start, 1))
	a.take(start, b.ack(start))
	a.table.Expire(start + 10*second)
	equal(t, "ring", a.flow(start).out.board == nil, true)
	equal(t, "flow", a.table.Len(), 1)
	now, what := expireUntil(a, start+second*31)
	equal(t, "forgotten", what.Forgotten && now == start+30*second, true)
	equal(t, "flows", a.table.Len(), 0)
	equal(t, "timers", a.table.Deadline(), int64(0))
	equal(t, "found", a.table.Get("b") == nil, true)
}

// A full table drops newcomers, and flows idle for 20 s in their favour; late datagrams of those stay dead.
func TestFull(t *testing.T) {
	table, err := NewTable[int, int](Config{MaxFlows: 4}, 1)
	if err != nil {
		t.Fatal(err)
	}
	arrive := func(now int64, key int) bool {
		s := iwarp.Shim{Data: true, Start: true, Epoch: uint16(key), PSN: 1}
		p, out := table.Arrive(now, key, &s)
		if out.Verdict == InOrder {
			p.Advance(now)
		}
		return out.Verdict == InOrder
	}
	for key := 1; key <= 4; key++ {
		equal(t, "room", arrive(start+int64(key)*second, key), true)
	}
	equal(t, "full", arrive(start+20*second, 5), false)
	equal(t, "open when full", table.Open(start+20*second, 6) == nil, true)
	now := start + 22*second // 1 and 2 are idle for 20 s
	equal(t, "asks them to leave", arrive(now, 5), false)
	gone := 0
	for p, what := table.Expire(now); p != nil; p, what = table.Expire(now) {
		if what.Forgotten {
			gone++
		}
	}
	equal(t, "gone", gone, 2)
	equal(t, "room now", arrive(now, 5), true)
	equal(t, "late datagram of one that left", arrive(now+second, 1), false)
	equal(t, "known epochs", table.past.count, 2)
}

// Past epochs are bounded in number; when too many are remembered, a peer cannot begin another.
func TestPastIsBounded(t *testing.T) {
	table, err := NewTable[int, int](Config{MaxFlows: 40}, 1)
	if err != nil {
		t.Fatal(err)
	}
	begin := func(now int64, epoch int) bool {
		s := iwarp.Shim{Data: true, Start: true, Epoch: uint16(epoch), PSN: 1}
		p, _ := table.Arrive(now, 0, &s)
		return p != nil
	}
	for e := 1; e <= 41; e++ {
		equal(t, "new epoch", begin(start, e), true)
	}
	equal(t, "one too many", begin(start, 42), false)
	equal(t, "remembered", begin(start, 17), false)
	equal(t, "later", begin(start+30*second, 42), true)
	equal(t, "remembered", len(table.past.known), 1)
}

// The heap gives alarms in order, whatever was added, moved and removed.
func TestTimers(t *testing.T) {
	table, err := NewTable[int, int](Config{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	const n = 500
	for i := range n {
		table.Open(start+int64(i*7919%n)*millisecond, i)
	}
	for i := range n / 2 {
		p := table.Get(i * 2)
		p.Send(start+int64(i*104729%n)*second, true)
	}
	last, order := int64(0), 0
	for table.Len() > 0 {
		at := table.Deadline()
		if at < last {
			t.Fatalf("alarm at %d after one at %d", at, last)
		}
		last = at
		for p, _ := table.Expire(at); p != nil; p, _ = table.Expire(at) {
			order++
			p.Resend(at)
		}
		for i, f := range table.timers {
			if int(f.index) != i || table.peers[f.slot].index != f.index {
				t.Fatal("the heap has lost a flow")
			}
		}
	}
	if order < n {
		t.Fatalf("%d alarms for %d flows", order, n)
	}
}

// What a peer costs.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		what      string
		size, max uintptr
	}{
		{"sender and receiver", unsafe.Sizeof(sender{}) + unsafe.Sizeof(receiver{}), 64 + 32},
		{"datagram in flight", unsafe.Sizeof(transmission{}), 16},
		{"ring of datagrams in flight", unsafe.Sizeof(scoreboard{}), 80},
		{"flow", unsafe.Sizeof(Flow{}), 128},
	} {
		if c.size > c.max {
			t.Errorf("%s: %d bytes, promised %d", c.what, c.size, c.max)
		}
	}
	a, b := newPair(t, Config{})
	b.takeAll(start, a.send(start, 1))
	equal(t, "receiver that does not send has no ring", b.flow(start).out.board == nil, true)
	equal(t, "nor bits before a gap", b.flow(start).in.ahead == nil, true)
	b.takeAll(start, a.send(start, 2)[1:])
	equal(t, "bits", len(b.flow(start).in.ahead.words), 1)
	equal(t, "ring", len(a.flow(start).out.board.ring), 64)
}

func TestVerdictNames(t *testing.T) {
	equal(t, "names", fmt.Sprint(None, InOrder, Ahead, Duplicate, Beyond, Verdict(9)),
		"none in order ahead duplicate beyond unknown verdict")
}
