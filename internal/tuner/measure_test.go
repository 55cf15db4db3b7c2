package tuner_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/tuner"
)

// measured runs the tuner on a simulated cluster.
func measured(t *testing.T, ranks, nodes int, cfg tuner.Config) []tuner.Timing {
	t.Helper()
	timings, err := tuner.Cluster{Profile: "connectx-ddr", Shape: tuner.EvenShape(ranks, nodes)}.Simulate(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return timings
}

// TestTuningOnASimulatedCluster: every algorithm that fits is timed, the same every time, and the rules
// that come of it parse and choose the winners.
func TestTuningOnASimulatedCluster(t *testing.T) {
	var calls []string
	cfg := tuner.Config{Ops: []coll.Op{coll.Barrier, coll.Bcast, coll.Allgather, coll.Allreduce}, Bytes: []int{8, 32 << 10}, Rounds: 2, Batch: 100, Limit: 3,
		Progress: func(done, all int, next string) { calls = append(calls, next) }}
	first := measured(t, 6, 3, cfg)
	if again := measured(t, 6, 3, cfg); !slices.EqualFunc(first, again, func(a, b tuner.Timing) bool { return slices.Equal(a.Rounds, b.Rounds) }) {
		t.Error("virtual time is not the same twice")
	}
	if len(calls) != 2*7 || calls[1] != "bcast of 8 bytes" {
		t.Errorf("progress: %q", calls)
	}
	inForce := map[string]int{}
	for _, x := range first {
		if x.InForce {
			inForce[x.Op]++
		}
		if len(x.Rounds) == 0 || x.Median() <= 0 || x.Place.Nodes != 3 || x.Place.Local != 2 {
			t.Errorf("%+v", x)
		}
	}
	if inForce["barrier"] != 1 || inForce["bcast"] != 2 || inForce["allgather"] != 2 || inForce["allreduce"] != 2 {
		t.Errorf("in force: %v", inForce)
	}
	winners := tuner.Winners(first, 0.05)
	if _, err := coll.Parse(tuner.Rules(winners)); err != nil {
		t.Error(err)
	}
	for _, w := range winners {
		if w.Gain() < 1 {
			t.Errorf("%+v", w)
		}
	}
}

// TestTuningThatIsStopped: the cases that were measured before are not lost, neither in virtual time nor on this host.
func TestTuningThatIsStopped(t *testing.T) {
	stopping := func() (context.Context, tuner.Config) {
		ctx, stop := context.WithCancel(t.Context())
		return ctx, tuner.Config{Ops: []coll.Op{coll.Bcast}, Bytes: []int{8, 64, 512}, Rounds: 1, Batch: 50, Limit: 3,
			Progress: func(done, _ int, _ string) {
				if done == 1 {
					stop()
				}
			}}
	}
	check := func(where string, ts []tuner.Timing, err error) {
		if err == nil || len(ts) == 0 || slices.ContainsFunc(ts, func(x tuner.Timing) bool { return x.Bytes != 8 }) {
			t.Errorf("%s: %v, %+v", where, err, ts)
		}
	}
	ctx, cfg := stopping()
	ts, err := tuner.Cluster{Profile: "connectx-ddr", Shape: tuner.EvenShape(2, 2)}.Simulate(ctx, cfg)
	check("in virtual time", ts, err)
	crew, err := boot.NewCrew(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	ctx, cfg = stopping()
	var wg sync.WaitGroup
	for i, r := range crew.Ranks {
		wg.Go(func() {
			if ts, err := tuner.Measure(ctx, r.Env.World(), cfg); i == 0 {
				check("on this host", ts, err)
			}
		})
	}
	wg.Wait()
}

// TestTuningOnThisHost: the same on real ranks.
func TestTuningOnThisHost(t *testing.T) {
	crew, err := boot.NewCrew(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	cfg := tuner.Config{Ops: slices.DeleteFunc(coll.Ops(), coll.Op.Neighborly), Bytes: []int{64}, Rounds: 1, Batch: 50, Limit: 3}
	cfg.Ops = slices.DeleteFunc(cfg.Ops, func(op coll.Op) bool { return !tuner.Tunes(op) })
	var wg sync.WaitGroup
	for _, r := range crew.Ranks {
		wg.Go(func() {
			ts, err := tuner.Measure(context.Background(), r.Env.World(), cfg)
			if err != nil {
				crew.Fail(err)
				t.Error(err)
			}
			if r == crew.Ranks[0] && len(ts) < 2*len(cfg.Ops) {
				t.Errorf("%d timings of %d operations", len(ts), len(cfg.Ops))
			}
		})
	}
	wg.Wait()
}
