package model

import (
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// round is a machine whose numbers are easy to reckon with.
var round = Machine{Step: 1, Copy: 1, Lanes: 2, Reduce: 2, Flag: 10, Fetch: 20, Turn: 1000,
	Near: 5, NearWay: 30, NearLong: 100, Help: 1, Far: 50, FarWay: 400, FarGap: 10, Byte: 3, Both: 2, Touch: 1, FarLong: 1000}

// one sends n bytes from rank 0 to rank 1.
func one(n int, way plan.Way) []*plan.Plan {
	a, b := plan.NewBuilder("one", 0, 2), plan.NewBuilder("one", 1, 2)
	a.Travel(way, 0)
	b.Travel(way, 0)
	a.Send(1, plan.Span{Buf: plan.In, Len: n})
	b.Recv(0, plan.Span{Buf: plan.Out, Len: n})
	return []*plan.Plan{a.Build(), b.Build()}
}

// TestTime: what single messages and steps cost, reckoned by hand.
func TestTime(t *testing.T) {
	near, far := Layout{Node: []int{0, 0}}, Layout{Node: []int{0, 1}}
	for _, c := range []struct {
		name  string
		l     Layout
		plans []*plan.Plan
		want  float64
	}{
		{"near, through shared memory", near, one(100, plan.Auto), 1 + 5 + 100 + 30 + 5 + 100},
		{"near, fetched; the sender is told", near, one(200, plan.Auto), 1 + 5 + 30 + 5 + 20 + 200 + 30 + 5},
		{"far, at once", far, one(100, plan.Auto), 1 + 50 + 200 + 10 + 300 + 400 + 50 + 200},
		{"far, offered, asked for", far, one(2000, plan.Auto), 1 + 50 + 400 + 100 + 400 + 2000 + 10 + 6000 + 400 + 50 + 2000},
		{"far, announced; the sender is told", far, one(10, plan.Announced), 1 + 50 + 400 + 100 + 10 + 10 + 30 + 400 + 400 + 50},
	} {
		if got := round.Time(c.l, c.plans); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTurns: of four ranks on one processor each waits for its turn.
func TestTurns(t *testing.T) {
	var plans []*plan.Plan
	for rank := range 4 {
		b := plan.NewBuilder("copies", rank, 4)
		b.Copy(plan.Span{Buf: plan.Out, Len: 99}, plan.Span{Buf: plan.In, Len: 99})
		plans = append(plans, b.Build())
	}
	for _, c := range []struct {
		processors int
		want       float64
	}{{1, 4*100 + 3*1000}, {2, 2*100 + 1000}, {4, 1 + 99*2}} {
		if got := round.Time(Layout{Node: make([]int, 4), Ranks: 4, Processors: c.processors}, plans); got != c.want {
			t.Errorf("%d processors: %v, want %v", c.processors, got, c.want)
		}
	}
}
