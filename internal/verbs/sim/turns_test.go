package sim

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// TestLongMessagesTakeTurns: above 2 KB connections gain nothing, where a document says so; up to there they do.
func TestLongMessagesTakeTurns(t *testing.T) {
	for _, name := range []string{"ne020-r805", "connectx-r805"} {
		for n, flat := range map[int]bool{2 << 10: false, 4 << 10: true, 16 << 10: true} {
			share := perConnection(t, name, 16, n) / perConnection(t, name, 1, n)
			if flat && (share < 0.85 || share > 1.15) || !flat && share > 0.7 {
				t.Errorf("%s: %d bytes over 16 connections take %.2f of one", name, n, share)
			}
		}
	}
}

// TestTurnOfOneThatLeft: who closes while it has the turn, or waits for it, holds up nobody.
func TestTurnOfOneThatLeft(t *testing.T) {
	const n = 64 << 10
	for _, gone := range []int{0, 1} {
		withFan(t, "ne020-r805", 3, func(x *fan) {
			for i, q := range x.qa {
				must(x.qb[i].PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: x.b.sge(n, n)}}))
				must(q.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: x.a.sge(0, n)}}))
			}
			x.s.Sleep(5000) // the first one is under way, the others wait
			if err := x.qa[gone].Close(); err != nil {
				t.Fatal(err)
			}
			arrived := map[uint64]bool{}
			var c [4]verbs.Completion
			for x.s.Now() < 1e9 && len(arrived) < 2 {
				for _, d := range c[:x.b.cq.Poll(c[:])] {
					if d.Status == verbs.OK {
						arrived[d.ID] = true
					}
				}
				x.s.Sleep(1000)
			}
			if len(arrived) != 2 || arrived[uint64(gone)] {
				t.Errorf("connection %d closed, and %v arrived", gone, arrived)
			}
		})
	}
}

// TestEngineRests: alternating short messages of many connections are held up by the engine, a stream of one is not.
func TestEngineRests(t *testing.T) {
	p, err := LoadProfile("ne020-r805")
	if err != nil {
		t.Fatal(err)
	}
	tireless, err := p.With("rest_us", 0)
	if err != nil {
		t.Fatal(err)
	}
	stream := func(p *Profile) float64 {
		v, err := measure(p, target{measure: func(x *trial) float64 { return x.stream(2<<10, 1, true) }})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if rested, never := stream(p), stream(tireless); rested < 0.9*never {
		t.Errorf("a stream of 2 KB: %.0f MB/s, and %.0f if the engine never rests", rested, never)
	}
	if each := perConnection(t, "ne020-r805", 16, 8); each < 1e3*p.get("rest_us") {
		t.Errorf("16 connections take %.0f ns per message, less than the engine", each)
	}
}

// TestDoorbell: time after a post is the processor's, not the message's.
func TestDoorbell(t *testing.T) {
	p, err := LoadProfile("connectx-r805")
	if err != nil {
		t.Fatal(err)
	}
	silent, err := p.With("doorbell_us", 0)
	if err != nil {
		t.Fatal(err)
	}
	var latency, rate [2]float64
	for i, p := range []*Profile{p, silent} {
		for v, f := range map[*float64]func(*trial) float64{
			&latency[i]: func(x *trial) float64 { return x.writes(8) },
			&rate[i]:    func(x *trial) float64 { return x.stream(64, 1, false) },
		} {
			if *v, err = measure(p, target{measure: f}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if latency[0] != latency[1] {
		t.Errorf("latency %.2f us, without a doorbell %.2f", latency[0], latency[1])
	}
	if rate[0] >= rate[1] {
		t.Errorf("64 bytes at %.0f MB/s, without a doorbell at %.0f", rate[0], rate[1])
	}
}
