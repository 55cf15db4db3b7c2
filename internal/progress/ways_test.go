package progress_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// exchangePlan sends a block to every other rank and receives one, in a way of travelling.
func exchangePlan(rank, ranks, n int, way plan.Way, byArrival bool) *plan.Plan {
	b := plan.NewBuilder("exchange", rank, ranks)
	b.Travel(way, 1+rank)
	if byArrival {
		b.ByArrival()
	}
	block := func(buf plan.Buffer, r int) plan.Span { return plan.Span{Buf: buf, Off: r * n, Len: n} }
	for i := 1; i < ranks; i++ {
		r := (rank - i + ranks) % ranks
		b.Recv(r, block(plan.Out, r))
	}
	for i := 1; i < ranks; i++ {
		r := (rank + i) % ranks
		b.Send(r, block(plan.In, r))
	}
	b.Copy(block(plan.Out, rank), block(plan.In, rank))
	return b.Build()
}

// Messages of every way and length arrive whole on every link, also from and to memory of a plan that goes by arrival.
func TestWays(t *testing.T) {
	const ranks = 3
	for _, k := range kinds {
		if testing.Short() && strings.HasPrefix(k.name, "rail") && k.name != "rail-srq" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			loops := newLoops(t, k.make(t, ranks), nil)
			tag := int32(0)
			for _, way := range []plan.Way{plan.Auto, plan.Copied, plan.Announced} {
				for _, n := range []int{0, 1, 500, 40_000, 300_000} {
					tag++
					runWay(t, loops, tag, way, n, tag%2 == 0)
				}
			}
			announced := uint64(0)
			for _, l := range loops {
				announced += l.Counters().AnnouncedSends
			}
			does := k.make(t, 1)[0].link.Long != nil
			if want := uint64(5 * ranks * (ranks - 1)); does && announced != want || !does && announced != 0 {
				t.Errorf("%d sends were announced", announced)
			}
		})
	}
}

// runWay runs an exchange on all ranks and looks at what has come.
func runWay(t *testing.T, loops []*progress.Loop, tag int32, way plan.Way, n int, byArrival bool) {
	t.Helper()
	ranks := len(loops)
	done := async(func() {
		var wg sync.WaitGroup
		for rank, l := range loops {
			wg.Go(func() {
				in, out := []byte{}, make([]byte, ranks*n)
				for r := range ranks {
					in = append(in, pattern(n, 10*rank+r)...)
				}
				b := &progress.Bound{Plan: exchangePlan(rank, ranks, n, way, byArrival), In: in, Out: out, Peers: []int{0, 1, 2}, Ctx: 8, Tag: tag}
				if err := l.RunPlan(context.Background(), b, why("exchange")); err != nil {
					t.Errorf("%v of %d bytes: rank %d: %v", way, n, rank, err)
				}
				for r := range ranks {
					if !bytes.Equal(out[r*n:(r+1)*n], pattern(n, 10*r+rank)) {
						t.Errorf("%v of %d bytes: rank %d: wrong bytes of %d", way, n, rank, r)
					}
				}
			})
		}
		wg.Wait()
	})
	within(t, fmt.Sprintf("%v of %d bytes", way, n), done)
}

// A sender keeps an announced message to itself until its receiver is there.
func TestAnnouncedIsSilent(t *testing.T) {
	loops := newLoops(t, writers(wire.Put)(t, 2), func(c *progress.Config) { c.Mode = progress.Poll })
	b := plan.NewBuilder("silent", 0, 2)
	b.Travel(plan.Announced, 0)
	b.Send(1, plan.Span{Buf: plan.In, Len: 4})
	h := loops[0].StartPlan(&progress.Bound{Plan: b.Build(), In: []byte("late"), Peers: []int{0, 1}, Ctx: 8, Tag: 1}, why("send"))
	if got := loops[1].Unmatched(); len(got) != 0 {
		t.Errorf("%v have arrived before anybody wanted them", got)
	}
	b = plan.NewBuilder("silent", 1, 2)
	b.Travel(plan.Announced, 0)
	b.Recv(0, plan.Span{Buf: plan.Out, Len: 4})
	out := make([]byte, 4)
	done := async(func() {
		_ = loops[1].RunPlan(context.Background(), &progress.Bound{Plan: b.Build(), Out: out, Peers: []int{0, 1}, Ctx: 8, Tag: 1}, why("recv"))
	})
	if _, errs, err := collect(loops[0], progress.Want{Need: 1}, h); err != nil || errs[0] != nil {
		t.Error(errs, err)
	}
	within(t, "the receive", done)
	if string(out) != "late" {
		t.Errorf("got %q", out)
	}
}

// Of several sends that are ready, a plan by arrival starts with those to ranks that have arrived: their
// message waits, was received, or their announcement has come.
func TestByArrival(t *testing.T) {
	for _, way := range []plan.Way{plan.Copied, plan.Announced} {
		ends := writers(wire.Put)(t, 4)
		first := &order{Transport: ends[0].link.Transport}
		ends[0].link.Transport = first
		loops := newLoops(t, ends, func(c *progress.Config) { c.Mode = progress.Poll })
		const n = 64
		var hs [4]progress.Handle
		start := func(rank int) {
			in, out := make([]byte, 4*n), make([]byte, 4*n)
			b := &progress.Bound{Plan: exchangePlan(rank, 4, n, way, true), In: in, Out: out, Peers: []int{0, 1, 2, 3}, Ctx: 8, Tag: 1}
			hs[rank] = loops[rank].StartPlan(b, why("exchange"))
		}
		start(3) // rank 3 is there before rank 0 begins, and 1 and 2 after it
		loops[0].Unmatched()
		start(0)
		start(1)
		start(2)
		if len(first.payloads) == 0 || first.payloads[0] != 3 {
			t.Errorf("%v: rank 0 sent to %v, and rank 3 was there first", way, first.payloads)
		}
		done := async(func() {
			var wg sync.WaitGroup
			for rank, h := range hs {
				wg.Go(func() { _, _, _ = collect(loops[rank], progress.Want{Need: 1}, h) })
			}
			wg.Wait()
		})
		within(t, "the exchange", done)
	}
}

// order notes whom payloads go to.
type order struct {
	progress.Transport
	payloads []int
}

func (o *order) Send(p *wire.Packet) bool {
	if len(p.Data) > 0 {
		o.payloads = append(o.payloads, p.Peer)
	}
	return o.Transport.Send(p)
}

// Plans are counted by their names, and so are announced sends to a rank that has not arrived, if another
// send waits behind them: of two that go one after the other the first is, if both peers are absent, and
// none if they go side by side.
func TestPlansAreCounted(t *testing.T) {
	for _, strict := range []bool{true, false} {
		loops := newLoops(t, writers(wire.Put)(t, 3), nil)
		part := func(rank int) *plan.Plan {
			b := plan.NewBuilder("counted", rank, 3)
			b.Travel(plan.Announced, 0)
			if rank > 0 {
				b.Recv(0, plan.Span{Buf: plan.Out, Len: 4})
				return b.Build()
			}
			before := b.Send(1, plan.Span{Buf: plan.In, Len: 4})
			if !strict {
				before = plan.None
			}
			b.Send(2, plan.Span{Buf: plan.In, Len: 4}, before)
			return b.Build()
		}
		bound := func(rank int) *progress.Bound {
			return &progress.Bound{Plan: part(rank), In: []byte("late"), Out: make([]byte, 4), Peers: []int{0, 1, 2}, Ctx: 8, Tag: 1}
		}
		h := loops[0].StartPlan(bound(0), why("sends"))
		done := async(func() {
			for rank := 1; rank < 3; rank++ {
				if err := loops[rank].RunPlan(context.Background(), bound(rank), why("receive")); err != nil {
					t.Error(err)
				}
			}
		})
		if _, errs, err := collect(loops[0], progress.Want{Need: 1}, h); err != nil || errs[0] != nil {
			t.Error(errs, err)
		}
		within(t, "receives", done)
		n, want := loops[0].Plans(), uint64(0)
		if strict {
			want = 1
		}
		if n.BlockedSends != want || n.Runs["counted"] != 1 || len(n.Runs) != 1 {
			t.Errorf("strict %v: %+v", strict, n)
		}
		n.Runs["counted"] = 7
		if again := loops[0].Plans().Runs["counted"]; again != 1 {
			t.Errorf("who is told of counters changes them: %d", again)
		}
	}
}
