package lab

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/weft-mpi/weft/lab/measure"
)

// planted is an experiment on one profile: how long a short message takes, which must not be more than
// most, and that it takes time at all. It counts its runs.
func planted(most float64, runs *atomic.Int64) Experiment {
	return Experiment{ID: "F3.3", Run: func(ctx context.Context, b *Bench) (*Result, error) {
		runs.Add(1)
		r := b.NewResult("F3.3")
		took := 0.0
		on := Setup{On: "sim:ne020", Label: "x"}
		err := b.Run(ctx, Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
			us, err := measure.PingPong(k, 8, b.Loops(on, 8))
			if k.Lead() {
				took = us
			}
			return err
		})
		r.Hold(Prediction, AtMost("latency", most, took, "us"), Holds("it takes time", "yes", "yes", took > 0))
		return r, err
	}}
}

// TestSweepFinds: a bar that stands just above what we have changes sides with the switch's time, and with
// nothing that does not matter; what is not looked at is not tried.
func TestSweepFinds(t *testing.T) {
	var runs atomic.Int64
	b, err := NewBench(Options{Quick: true, Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := planted(1, &runs).Run(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	took := first(t, r.Checks[0].Ours)
	if took < 5 || took > 10 {
		t.Fatalf("%v us", took)
	}
	runs.Store(0)
	shares := []float64{}
	w := &Sweeper{Experiments: []Experiment{planted(took*1.01, &runs)}, Parameters: []string{"hop_us", "post_recv_us", "shared_us", "rest_us", "tx_us"},
		By: 20, Least: 2, Progress: func(share float64, _ string) { shares = append(shares, share) }}
	s, err := w.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := s.Figures[0]
	p := f.Profiles[0]
	if len(s.Figures) != 1 || len(f.Profiles) != 1 || p.Name != "ne020" || !slices.Equal(p.Changed, []string{"hop_us", "post_recv_us"}) ||
		p.Zero != 1 || !slices.Equal(p.Unread, []string{"shared_us"}) {
		t.Errorf("%+v", f)
	}
	l := s.Bar("F3.3", "latency").Leans
	if len(l) != 1 || l[0].Parameter != "hop_us" || !l[0].Flips() || l[0].More == nil || l[0].More.Value != 1.2 || l[0].More.Moved < 2 || l[0].Less == nil ||
		l[0].Less.Flips || l[0].Less.Moved > -2 {
		t.Errorf("the bar leans on %+v", l)
	}
	if len(s.Bar("F3.3", "it takes time").Leans) != 0 {
		t.Error("what is always so leans on something")
	}
	if n := int(runs.Load()); s.Runs != n || n < 4 || n > 5 || len(shares) != n || !slices.IsSorted(shares) {
		t.Errorf("%d runs, %d of them counted, done %v", n, s.Runs, shares)
	}
	var text strings.Builder
	if err := s.WriteText(&text); err != nil || !strings.Contains(text.String(), "ne020 hop_us 1.2 (assumed)") || !strings.Contains(text.String(), "1 bars change sides, 0 others move") {
		t.Errorf("%v: %s", err, text.String())
	}
	if all := s.Parameters(); len(all) != 1 || all[0].Flips != 1 || all[0].Moves != 1 || all[0].Value != 1 {
		t.Errorf("%+v", all)
	}
}

// TestSweepSplits: parameters that are changed together and matter are told apart, and a run that fails keeps nothing.
func TestSweepSplits(t *testing.T) {
	var runs atomic.Int64
	x := &subject{Experiment: planted(100, &runs), looked: map[string]map[string]bool{}, leans: map[string]map[string]*Lean{}}
	w := &Sweeper{By: 20, Least: 2, matters: map[string]bool{}}
	base := &trialRun{subject: x}
	if _, err := w.runAll(t.Context(), []*trialRun{base}, 0, 0.5); err != nil || base.err != nil {
		t.Fatal(err, base.err)
	}
	x.base, x.took = base.checks, longRun
	all := w.changes(x)
	if !slices.ContainsFunc(all, func(r *trialRun) bool { return len(r.parameters) == together && !r.less }) {
		t.Errorf("nothing is changed together: %d runs", len(all))
	}
	if _, err := w.runAll(t.Context(), all, 0.5, 1); err != nil {
		t.Fatal(err)
	}
	if !w.matters["ne020 hop_us"] || w.matters["ne020 inline_bytes"] || !w.mattered("F3.5", "ne020", "hop_us") {
		t.Errorf("what matters: %v", w.matters)
	}
	w.Before = &Sweep{Figures: []SweptFigure{{ID: "F3.5", Profiles: []SweptProfile{{Name: "ne020"}}}}}
	if w.mattered("F3.5", "ne020", "hop_us") || !w.mattered("F3.6", "ne020", "hop_us") {
		t.Error("what was found before does not count")
	}
	failed := &trialRun{subject: x, profile: all[0].profile, parameters: []string{"hop_us"}}
	if e := failed.effect(x.base[0], 20, 2); e == nil || !e.Flips || e.Ours != "none" {
		t.Errorf("a run without results: %+v", e)
	}
}

// first is the number at the beginning of a text.
func first(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(numbers.FindString(text), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestMoved: by how many per cent numbers in texts differ.
func TestMoved(t *testing.T) {
	for _, c := range []struct {
		was, now string
		want     float64
	}{{"7 us", "7.7 us", 10}, {"1.01 at 48", "0.908 at 512", 966.7}, {"yes", "no", 0}, {"1 us", "none", 0}, {"-2%", "-1%", 50}, {"0 us", "1 us", 0}, {"3 of 4", "3 of 4", 0}} {
		if got := moved(c.was, c.now); got != c.want {
			t.Errorf("from %q to %q: %v, want %v", c.was, c.now, got, c.want)
		}
	}
}
