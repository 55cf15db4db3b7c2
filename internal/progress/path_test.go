package progress_test

import (
	"context"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/shm"
)

// pair returns the loops of two ranks on one shared segment.
func pair(b *testing.B) (loops [2]*progress.Loop) {
	f, err := shm.Create(shm.GeometryFor(2, 0, 0))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	for i := range loops {
		seg, err := shm.Open(f)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { seg.Close() })
		link := shm.NewLink(shm.Config{Segment: seg, Self: i})
		loops[i] = progress.New(progress.Config{Self: i, Links: []*progress.Link{shmLink(link)}, Bell: link.Bell(), Policy: clock.PolicyFor(2, 2)})
		b.Cleanup(loops[i].Close)
	}
	return loops
}

// netPair returns the loops of two ranks that reach each other over the loopback interface.
func netPair(b *testing.B) (loops [2]*progress.Loop) {
	for i, e := range rails(rail.SRQ)(b, 2) {
		loops[i] = progress.New(progress.Config{Self: i, Links: []*progress.Link{e.link}, Bell: e.bell, Policy: clock.PolicyFor(2, 2)})
		b.Cleanup(loops[i].Close)
	}
	first := loops[1].Irecv(nil, progress.Peer{Peer: 0}, progress.Why{Op: "irecv"})
	connected := make(chan error)
	go func() {
		connected <- loops[0].Send(context.Background(), nil, progress.Peer{Peer: 1}, engine.Sync, progress.Why{Op: "ssend"})
	}()
	one := []progress.Handle{first}
	if _, err := loops[1].Collect(context.Background(), one, progress.Want{Need: 1}, func(int, *progress.Request) {}); err != nil {
		b.Fatal(err)
	}
	if err := <-connected; err != nil {
		b.Fatal(err)
	}
	return loops
}

// BenchmarkPath is what the software of one small message costs, send and receive together, without the way
// from one processor's cache to another's: both ends of a shared segment, or of a connection, are worked by
// one goroutine. Over a connection the kernel's part is in it.
func BenchmarkPath(b *testing.B) {
	b.Run("shm", func(b *testing.B) { benchmarkPath(b, pair(b)) })
	b.Run("net", func(b *testing.B) { benchmarkPath(b, netPair(b)) })
}

func benchmarkPath(b *testing.B, loops [2]*progress.Loop) {
	msg := make([]byte, 8)
	b.ReportAllocs()
	for from := 0; b.Loop(); from = 1 - from { // by turns: what follows each other might be held back to leave together
		to := 1 - from
		if !loops[from].SendShort(msg, progress.Peer{Peer: to, Tag: 3}) {
			b.Fatal("no room")
		}
		if _, err := loops[to].Recv(context.Background(), msg, progress.Peer{Peer: from, Tag: 3}, progress.Why{Op: "recv"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlan is what the software of one collective of two messages costs, both ranks together.
func BenchmarkPlan(b *testing.B) {
	loops := pair(b)
	var plans [2]*plan.Plan
	for i := range plans {
		pb := plan.NewBuilder("exchange", i, 2)
		pb.Send(1-i, pb.Tmp(0))
		pb.Recv(1-i, pb.Tmp(0))
		plans[i] = pb.Build()
	}
	peers := []int{0, 1}
	b.ReportAllocs()
	for b.Loop() {
		var hs [2]progress.Handle
		for i, l := range loops {
			hs[i] = l.StartPlan(&progress.Bound{Plan: plans[i], Peers: peers, Ctx: 1}, progress.Why{Op: "barrier"})
		}
		for i, l := range loops {
			_, err := l.Collect(context.Background(), hs[i:i+1], progress.Want{Need: 1},
				func(int, *progress.Request) {})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkWindow is what the software of one message costs in a window of 64 posted receives and 64 sends.
func BenchmarkWindow(b *testing.B) {
	loops := pair(b)
	msg := make([]byte, 8)
	var hs [64]progress.Handle
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if n%len(hs) != 0 {
			continue
		}
		for i := range hs {
			hs[i] = loops[1].Irecv(msg, progress.Peer{Peer: 0, Tag: 3}, progress.Why{Op: "irecv"})
		}
		for range hs {
			loops[0].Isend(msg, progress.Peer{Peer: 1, Tag: 3}, engine.Standard, progress.Why{Op: "isend"})
		}
		if _, err := loops[1].Collect(context.Background(), hs[:], progress.Want{Need: len(hs)}, func(int, *progress.Request) {}); err != nil {
			b.Fatal(err)
		}
	}
}
