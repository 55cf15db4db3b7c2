package sim

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
)

// TestEveryParameterIsLookedAt: none is missing in the list of those that a run may have depended on.
func TestEveryParameterIsLookedAt(t *testing.T) {
	p, err := LoadProfile("ne020")
	if err != nil {
		t.Fatal(err)
	}
	c := p.costs()
	for _, name := range ParameterNames() {
		if (c.looked[name] != nil) == slices.Contains(asked, name) && name != "wire_mb_s" {
			t.Errorf("%s is in both lists or in none", name)
		}
	}
	for name, looked := range c.looked {
		if *looked {
			t.Errorf("%s was looked at before anything happened", name)
		}
	}
}

// TestLooked: whatever a measurement is not said to depend on can be changed, and the result is the same;
// some of the others change it.
func TestLooked(t *testing.T) {
	p, err := LoadProfile("connectx-r805")
	if err != nil {
		t.Fatal(err)
	}
	run := func(p *Profile) (took int64, looked []string) {
		f, err := New(clock.NewScheduler(0), Cluster{Nodes: 2, Profile: p})
		if err != nil {
			t.Fatal(err)
		}
		x := &trial{s: f.s, f: f}
		for i := range x.ends {
			if x.ends[i], err = newParty(f, i); err != nil {
				t.Fatal(err)
			}
		}
		x.ends[0].peer, x.ends[1].peer = x.ends[1], x.ends[0]
		f.s.Go("trial", func() {
			if err = x.connect(); err == nil {
				x.sends(4)
				x.exchange(1 << 10)
				x.stream(64<<10, 1, false)
			}
		})
		if failed := f.s.Run(); failed != nil || err != nil {
			t.Fatal(failed, err)
		}
		return f.s.Now(), f.Looked()
	}
	was, looked := run(p)
	if len(looked) > len(parameters)*3/4 || slices.Contains(looked, "shared_us") || !slices.Contains(looked, "tx_us") {
		t.Errorf("looked at %v", looked)
	}
	matter := 0
	for _, name := range ParameterNames() {
		less, more, err := p.Around(name, 50)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []*Profile{less, more} {
			if q == nil || slices.Contains([]string{"rails", "cores"}, name) {
				continue
			}
			switch now, _ := run(q); {
			case now != was && !slices.Contains(looked, name):
				t.Errorf("%s is %v instead of %v: %d ns instead of %d, but nobody looked", name, q.get(name), p.get(name), now, was)
			case now != was:
				matter++
			}
		}
	}
	if matter < 20 {
		t.Errorf("only %d changes made a difference", matter)
	}
}

// TestAround: whole numbers go to others, flags and zeros stay, limits are kept.
func TestAround(t *testing.T) {
	p, _ := LoadProfile("10ge")
	for _, c := range []struct {
		name       string
		less, more float64 // 0: none
	}{{"hop_us", 1.6, 2.4}, {"rails", 0, 2}, {"chip", 3, 5}, {"slots", 13, 19}, {"incast", 0.72, 1}, {"shared", 0, 0}, {"leaf", 0, 0}, {"rest_us", 0, 0}} {
		less, more, err := p.Around(c.name, 20)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range []*Profile{less, more} {
			want := []float64{c.less, c.more}[i]
			if (q == nil) != (want == 0) || q != nil && q.get(c.name) != want {
				t.Errorf("%s: %v, want %v", c.name, q, want)
			}
		}
	}
	if _, _, err := p.Around("hop_us", 51); err == nil {
		t.Error("changed by more than half")
	}
	if _, _, err := p.Around("nonesuch", 20); err == nil {
		t.Error("changed what there is not")
	}
}
