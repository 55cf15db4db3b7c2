package rd

import (
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// talk is a conversation without faults between two tables.
type talk struct {
	a, b *Table[int, struct{}]
	now  int64
	shim iwarp.Shim
}

func newTalk(tb testing.TB, window int) *talk {
	c := &talk{now: start}
	for _, t := range []**Table[int, struct{}]{&c.a, &c.b} {
		table, err := NewTable[int, struct{}](Config{Window: window}, 1)
		if err != nil {
			tb.Fatal(err)
		}
		*t = table
	}
	return c
}

// burst sends up to n datagrams to a peer; the peer delivers and acknowledges them. Drop is the one that is lost, if
// enough follow to repair it.
func (c *talk) burst(tb testing.TB, peer, n, drop int) int {
	c.now += 20 * microsecond
	p := c.a.Open(c.now, peer)
	n = min(n, p.Room())
	for i := range n {
		psn, _ := p.Send(c.now, true)
		p.Fill(&c.shim, psn, i == n-1)
		if i != drop || n-drop <= reorderLimit {
			c.deliver(peer)
		}
	}
	acked := c.answer(peer)
	for psn, ok := p.Resend(c.now); ok; psn, ok = p.Resend(c.now) {
		p.Fill(&c.shim, psn, false)
		c.deliver(peer)
		acked += c.answer(peer)
	}
	if acked != n {
		tb.Fatalf("%d of %d acknowledged", acked, n)
	}
	for _, t := range []*Table[int, struct{}]{c.a, c.b} {
		for q, _ := t.Expire(c.now); q != nil; q, _ = t.Expire(c.now) {
		}
	}
	return n
}

func (c *talk) deliver(peer int) {
	q, out := c.b.Arrive(c.now, peer, &c.shim)
	switch out.Verdict {
	case InOrder:
		for held := true; held; {
			_, held = q.Advance(c.now)
		}
	case Ahead:
		q.Hold(c.shim.PSN)
	}
}

func (c *talk) answer(peer int) int {
	q := c.b.Get(peer)
	if !q.AckDue(c.now) {
		return 0
	}
	q.FillAck(&c.shim)
	_, out := c.a.Arrive(c.now, peer, &c.shim)
	return int(out.Acked)
}

// A steady conversation allocates nothing, with one peer or many, with losses or without.
func TestNoAllocation(t *testing.T) {
	for _, c := range []struct{ window, peers, drop int }{{64, 1, -1}, {64, 1, 2}, {960, 1, -1}, {960, 1, 2}, {64, 1000, -1}} {
		talk := newTalk(t, c.window)
		next := 0
		step := func() {
			talk.burst(t, next%c.peers, 16, c.drop)
			next++
		}
		for range 4 * c.peers {
			step()
		}
		if n := testing.AllocsPerRun(2000, step); n != 0 {
			t.Errorf("window %d, %d peers, drop %d: %v allocations per burst", c.window, c.peers, c.drop, n)
		}
	}
}

// BenchmarkDatagram measures one datagram sent, delivered and acknowledged, both ends together.
func BenchmarkDatagram(b *testing.B) {
	for _, c := range []struct {
		name               string
		peers, burst, drop int
	}{
		{"one by one", 1, 1, -1}, {"bursts of 16", 1, 16, -1}, {"bursts of 16 with a loss", 1, 16, 2},
		{"bursts of 16 to 10000 peers", 10000, 16, -1},
	} {
		b.Run(c.name, func(b *testing.B) {
			talk := newTalk(b, 64)
			for i := range c.peers {
				talk.burst(b, i, 1, -1)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for sent, i := 0, 0; sent < b.N; i++ {
				sent += talk.burst(b, i%c.peers, c.burst, c.drop)
			}
		})
	}
}
