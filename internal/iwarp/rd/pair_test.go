package rd

import (
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// The tests that guard a rule: take it away, and they fail.
//
//	duplicates          TestVerdicts, TestHoldRefused, TestStorm
//	numbers wrap        TestVerdicts, TestWrap, TestLongLife
//	round trips (Karn)  TestKarn, TestSlowPathIsMeasured
//	probes              TestReady, TestClosedWindow, TestHeldIsAskedFor, TestNotReady
//	past epochs         TestLateLife, TestFull, TestNewEpoch, TestRestart, TestBlackout
//	S and R             TestStart, TestStrangers, TestReset
//	loss                TestLossBySack, TestTimeouts, TestTimeoutsInARow
//	congestion          TestCongestion, TestCwndOfAQuietSender
//	when to acknowledge TestAckDue, TestAckEvery, TestAckAlarm, TestReady
//	idle flows          TestIdleSender, TestForget, TestPauses
//	bounds              TestNonsense, TestWindowIsClamped, TestFull, TestPastIsBounded, FuzzArrive

const start = 1000 * second

// end is one end of a conversation between "a" and "b", driven by hand.
type end struct {
	t     *testing.T
	name  string
	table *Table[string, struct{}]
}

func newEnd(t *testing.T, name string, cfg Config, epoch uint16) *end {
	table, err := NewTable[string, struct{}](cfg, epoch)
	if err != nil {
		t.Fatal(err)
	}
	return &end{t, name, table}
}

func newPair(t *testing.T, cfg Config) (a, b *end) {
	return newEnd(t, "a", cfg, 0x1000), newEnd(t, "b", cfg, 0x2000)
}

func (e *end) peer() string { return map[string]string{"a": "b", "b": "a"}[e.name] }

// flow is the end's flow with the other, made if need be.
func (e *end) flow(now int64) *Peer[string, struct{}] {
	e.t.Helper()
	p := e.table.Open(now, e.peer())
	if p == nil {
		e.t.Fatal("no room for the flow")
	}
	return p
}

// send makes n datagrams.
func (e *end) send(now int64, n int) (out []iwarp.Shim) {
	e.t.Helper()
	for range n {
		p := e.flow(now)
		if p.Room() == 0 {
			e.t.Fatalf("no room after %d datagrams", len(out))
		}
		psn, _ := p.Send(now, true)
		var s iwarp.Shim
		p.Fill(&s, psn, false)
		out = append(out, s)
	}
	return out
}

// resends takes all that is to be sent again.
func (e *end) resends(now int64) (psns []uint32, shims []iwarp.Shim) {
	p := e.flow(now)
	for psn, ok := p.Resend(now); ok; psn, ok = p.Resend(now) {
		var s iwarp.Shim
		p.Fill(&s, psn, false)
		psns, shims = append(psns, psn), append(shims, s)
	}
	return psns, shims
}

// take lets a datagram arrive, delivers what is in order, and holds what is ahead.
func (e *end) take(now int64, s iwarp.Shim) Outcome {
	p, out := e.table.Arrive(now, e.peer(), &s)
	switch out.Verdict {
	case InOrder:
		for held := true; held; {
			_, held = p.Advance(now)
		}
	case Ahead:
		p.Hold(s.PSN)
	}
	return out
}

// takeAll lets datagrams arrive and gives how many of ours they acknowledge.
func (e *end) takeAll(now int64, shims []iwarp.Shim) (acked int) {
	for _, s := range shims {
		acked += int(e.take(now, s).Acked)
	}
	return acked
}

// ack is a bare acknowledgement.
func (e *end) ack(now int64) (s iwarp.Shim) {
	e.flow(now).FillAck(&s)
	return s
}

// meet exchanges a first datagram each way, so that both ends know each other.
func meet(now int64, a, b *end) {
	b.takeAll(now, a.send(now, 1))
	a.takeAll(now, b.send(now, 1))
	b.take(now, a.ack(now))
}

// jump moves the numbering from one end to the other to psn, as if as many datagrams had been exchanged.
func jump(now int64, from, to *end, psn uint32) {
	f, g := from.flow(now), to.flow(now)
	if f.InFlight() > 0 || f.out.board == nil || g.in.epoch != f.out.epoch {
		from.t.Fatal("numbering can move only when nothing is in flight")
	}
	f.out.next, f.out.recover = psn, psn
	f.out.board.begin(psn)
	g.in.expect = psn
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}
