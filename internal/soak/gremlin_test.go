package soak

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
)

// paper is a network that only notes what is done to it.
type paper struct {
	t      *testing.T
	cuts   map[string]int // wires of a host that are cut
	since  map[string]time.Time
	odd    map[wire]string // what is wrong with a wire
	broken error           // of every cut
}

func (p *paper) Hosts() []string { return []string{"h0", "h1", "h2"} }

func (p *paper) Cut(host string, rail int) error {
	if p.cuts[host]++; p.cuts[host] == 2 {
		p.since[host] = time.Now()
	}
	return errors.Join(p.broken, p.change(host, rail, "cut"))
}

func (p *paper) Heal(host string, rail int) error {
	if p.cuts[host]--; p.cuts[host] == 1 {
		if d := time.Since(p.since[host]); d > 3*time.Second {
			p.t.Errorf("%s was cut off for %v", host, d)
		}
	}
	return p.change(host, rail, "")
}

func (p *paper) Loss(host string, rail int, share cluster.Percent) error {
	if share == 2 {
		return p.change(host, rail, "")
	}
	return p.change(host, rail, "loss")
}

func (p *paper) Rate(host string, rail int, rate cluster.BitRate) error {
	if rate == 0 {
		return p.change(host, rail, "")
	}
	return p.change(host, rail, "slow")
}

func (p *paper) Reset(host string, rail int, on bool) error {
	if !on {
		return p.change(host, rail, "")
	}
	return p.change(host, rail, "reset")
}

func (p *paper) change(host string, rail int, what string) error {
	w := wire{host, rail}
	if (what == "") == (p.odd[w] == "") {
		p.t.Errorf("wire %v: %q on top of %q", w, what, p.odd[w])
	}
	p.odd[w] = what
	if what == "" {
		delete(p.odd, w)
	}
	return nil
}

func newPaper(t *testing.T) *paper {
	return &paper{t: t, cuts: map[string]int{}, since: map[string]time.Time{}, odd: map[wire]string{}}
}

// In a minute a gremlin does everything it knows, never two things to one wire, never cuts a host off for long, and
// leaves nothing broken.
func TestGremlin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPaper(t)
		g := Gremlin{Network: p, Rails: 2, Loss: 2}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		done, err := g.Play(ctx, 9)
		if err != nil || len(p.odd) != 0 {
			t.Errorf("%v; left behind: %v", err, p.odd)
		}
		for _, k := range append(opening, more...) {
			if done[k.name] == 0 {
				t.Errorf("no %s in %v", k.name, done)
			}
		}
	})
}

// A gremlin that cannot do what it wants says so and repairs what it did.
func TestGremlinFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPaper(t)
		p.broken = errors.New("no such wire")
		g := Gremlin{Network: p, Rails: 2, Loss: 2}
		_, err := g.Play(t.Context(), 9)
		if !errors.Is(err, p.broken) || !strings.Contains(err.Error(), "cut of a wire h") || len(p.odd) != 0 {
			t.Errorf("%v; left behind: %v", err, p.odd)
		}
	})
}

func TestLegs(t *testing.T) {
	all := Legs()
	pairs, firstChannels, firstWays := map[Leg]bool{}, map[string]bool{}, map[string]bool{}
	for i, l := range all {
		pairs[l] = true
		if i < len(channels) {
			firstChannels[l.Channel], firstWays[l.Rendezvous] = true, true
		}
	}
	if len(pairs) != len(channels)*len(rendezvous) || len(firstChannels) != len(channels) || len(firstWays) != len(rendezvous) {
		t.Errorf("legs %v", all)
	}
	got, err := ParseLegs("ud/rput,srq")
	if want := []Leg{{"ud", "rput"}, {"srq", "rget"}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "ud/", "none/rget", "ud/fast", "srq,"} {
		if legs, err := ParseLegs(bad); (err == nil) != (bad == "ud/") {
			t.Errorf("%q: %v, %v", bad, legs, err)
		}
	}
	if a, b := LegTime(time.Second), LegTime(100*time.Hour); a != 5*time.Second || b != time.Minute {
		t.Errorf("legs of %v and %v", a, b)
	}
}

// Only what a leg can show counts, and all of it must have been shown.
func TestEvidence(t *testing.T) {
	felt := Counters{"Rail.Counters.Broken": 3, "Rail.Counters.Resent": 1, "Rail.Counters.Moved": 1, "Rail.Flow.Retransmits": 1,
		"Rail.Flow.Duplicates": 1, "Rail.Flow.OutOfOrder": 1, "Rail.Counters.Dials": 9}
	for _, c := range []struct {
		leg  string
		fed  Counters
		want int
	}{
		{"srq/rget", felt, 0}, {"ud/rget", felt, 0}, {"hybrid/rget", felt, 0}, {"rd/rget", Counters{}, 0},
		{"srq/rget", Counters{}, 3}, {"ud/rget", Counters{}, 3}, {"hybrid/rget", Counters{}, 6},
		{"sr/rput", Counters{"Rail.Counters.Broken": 3, "Rail.Flow.Retransmits": 1}, 2},
	} {
		var e Evidence
		legs, err := ParseLegs(c.leg)
		if err != nil {
			t.Fatal(err)
		}
		e.Add(legs[0], c.fed)
		if got := e.Lacking(); len(got) != c.want {
			t.Errorf("%s: lacking %v", c.leg, got)
		}
	}
}
