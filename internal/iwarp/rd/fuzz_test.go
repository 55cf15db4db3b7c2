package rd

import (
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// FuzzArrive lets two hosts talk while somebody else sends whatever shims to one of them. Whatever they are, nothing
// panics, counters stay right, memory stays bounded, and time goes on.
func FuzzArrive(f *testing.F) {
	var seed []byte
	for _, s := range []iwarp.Shim{
		{Data: true, Start: true, Epoch: 7, PSN: 1, Window: 64},
		{Data: true, Epoch: 7, PSN: 3, Window: 64, Poll: true},
		{Epoch: 9, PSN: 1, APSN: 4, Window: 0, NotReady: true, RNR: 15, Words: 1},
		{Epoch: 9, PSN: 1, APSN: 1, Window: 65535, Words: 15, Sack: [15]uint64{^uint64(0), 1: ^uint64(0), 14: 1 << 63}},
		{Reset: true, Epoch: 9, PSN: 1},
	} {
		shim := s.Append(nil)
		seed = append(append(seed, byte(len(shim)), 3), shim...)
	}
	f.Add(seed, uint16(64))
	f.Add(seed, uint16(1))
	f.Add(append(seed, seed...), uint16(960))
	f.Fuzz(func(t *testing.T, script []byte, window uint16) {
		table, err := NewTable[int, int](Config{Window: 1 + int(window)%MaxWindow, MaxFlows: 3}, window)
		if err != nil {
			t.Fatal(err)
		}
		now := start
		for len(script) >= 2 {
			size, what := int(script[0]), script[1]
			script = script[2:]
			var s iwarp.Shim
			if _, ok := iwarp.ParseShim(script[:min(size, len(script))], &s); ok {
				disturb(table, now, int(what&3), what>>2, &s)
			}
			script = script[min(size, len(script)):]
			now += int64(what) * int64(what) * 10 * microsecond
			disturbTime(t, table, now)
		}
	})
}

// disturb lets the table send, and a shim arrive that speaks about what was sent, or about anything.
func disturb(table *Table[int, int], now int64, key int, how byte, s *iwarp.Shim) {
	p := table.Open(now, key)
	if p != nil && how&1 != 0 {
		for range min(p.Room(), 20) {
			psn, _ := p.Send(now, how&2 != 0)
			p.Fill(&iwarp.Shim{}, psn, false)
		}
	}
	if p != nil && how&4 != 0 {
		s.PeerEpoch = p.Epoch()
		s.APSN += p.Una()
	}
	p, out := table.Arrive(now, key, s)
	switch {
	case out.Unknown:
		table.FillReset(&iwarp.Shim{}, s)
	case out.Verdict == InOrder && how&8 != 0:
		p.Refuse(now, how)
	case out.Verdict == InOrder:
		for held := true; held; {
			_, held = p.Advance(now)
		}
	case out.Verdict == Ahead && how&16 != 0:
		p.Hold(s.PSN)
	}
	if p != nil {
		p.FillAck(s)
	}
}

// disturbTime lets time pass and checks what must hold at all times.
func disturbTime(t *testing.T, table *Table[int, int], now int64) {
	rounds := 0
	for p, _ := table.Expire(now); p != nil; p, _ = table.Expire(now) {
		for _, ok := p.Resend(now); ok; _, ok = p.Resend(now) {
		}
		p.FillAck(&iwarp.Shim{})
		if rounds++; rounds > 100 {
			t.Fatal("time stands still")
		}
	}
	if at := table.Deadline(); at != 0 && at <= now {
		t.Fatalf("deadline %d is past at %d", at, now)
	}
	if table.Len() > 3 || len(table.past.known) > 3 || table.past.count > 3 {
		t.Fatal("the table grows beyond its limit")
	}
	for p := range table.Peers() {
		if err := p.check(); err != nil {
			t.Fatal(err)
		}
		if n := p.InFlight(); n > table.cfg.Window {
			t.Fatalf("%d in flight", n)
		}
	}
}
