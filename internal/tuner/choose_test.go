package tuner

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
)

func timing(p Place, op string, bytes int, way string, inForce bool, us ...float64) Timing {
	return Timing{Place: p, Op: op, Bytes: bytes, Algorithm: op + "/" + way, InForce: inForce, Rounds: us}
}

var eight = Place{Ranks: 8, Nodes: 2, Local: 4, Rails: 2, Crowded: true}

func TestWhatIsInForceStaysUnlessClearlyBeaten(t *testing.T) {
	for _, c := range []struct {
		name         string
		force, other []float64
		want         string
	}{
		{"much faster", []float64{10, 10, 10}, []float64{5, 5, 5}, "bcast/chain"},
		{"hardly faster", []float64{10, 10, 10}, []float64{9.7, 9.7, 9.7}, "bcast/flat"},
		{"slower", []float64{10, 10, 10}, []float64{11, 11, 11}, "bcast/flat"},
		{"faster in few rounds", []float64{10, 10, 3, 3}, []float64{5, 5, 4, 4}, "bcast/flat"},
		{"faster in most of few rounds", []float64{10, 10, 10, 10, 10}, []float64{5, 5, 5, 12, 12}, "bcast/flat"},
		{"faster in most of many", slices.Repeat([]float64{10}, 20), slices.Repeat([]float64{5, 5, 5, 12, 5}, 4), "bcast/chain"},
	} {
		got := Winners([]Timing{timing(eight, "bcast", 8, "flat", true, c.force...), timing(eight, "bcast", 8, "chain", false, c.other...)}, 0.05)
		if len(got) != 1 || got[0].Algorithm != c.want || got[0].Before != "bcast/flat" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestJobsMustAgree: an algorithm that is much faster in two jobs and slower in the third does not
// replace what is in force, however many rounds say so; the table tells by how much it surely is,
// and in how many jobs.
func TestJobsMustAgree(t *testing.T) {
	for _, c := range []struct {
		name  string
		third float64
		want  string
		wins  int
	}{{"in all", 6, "bcast/chain", 3}, {"in two", 11, "bcast/flat", 0}} {
		var jobs [][]Timing
		for _, us := range []float64{5, 5, c.third} {
			jobs = append(jobs, []Timing{timing(eight, "bcast", 8, "flat", true, slices.Repeat([]float64{10}, 9)...),
				timing(eight, "bcast", 8, "chain", false, slices.Repeat([]float64{us}, 9)...)})
		}
		merged := Merge(jobs...)
		if len(merged) != 2 || len(merged[1].Rounds) != 27 || !slices.Equal(merged[1].Jobs, []int{9, 9, 9}) {
			t.Fatalf("%+v", merged)
		}
		w := Winners(merged, 0.05)
		if len(w) != 1 || w[0].Algorithm != c.want || w[0].Jobs != 3 || w[0].Wins != c.wins {
			t.Errorf("%s: %+v", c.name, w)
		}
		if c.wins == 3 && (w[0].Least != 10.0/6 || w[0].Doubt != 0.1) {
			t.Errorf("%s: %+v", c.name, w)
		}
	}
	// an algorithm that was left out after two rounds of one job is compared round by round with
	// what ran beside it
	a := Merge([]Timing{timing(eight, "bcast", 8, "chain", false, 30, 30)}, []Timing{timing(eight, "bcast", 8, "chain", false, 5, 5, 5)})
	b := Merge([]Timing{timing(eight, "bcast", 8, "flat", true, 10, 10, 99)}, []Timing{timing(eight, "bcast", 8, "flat", true, 10, 10, 10)})
	if got := ratios(&a[0], &b[0]); !slices.Equal(got, []float64{3, 3, 0.5, 0.5, 0.5}) {
		t.Errorf("%v", got)
	}
}

// TestOneSizeAloneMustGainMore: what is best around a size is taken there too, unless another one gains
// enough for two changes.
func TestOneSizeAloneMustGainMore(t *testing.T) {
	for _, c := range []struct {
		name string
		at   float64 // what chain takes at 512 bytes, where flat, which is in force, takes 10, and binomial 10.2
		want string
	}{
		{"hardly faster", 9.5, "bcast/binomial"},
		{"much faster", 5, "bcast/chain"},
	} {
		var ts []Timing
		for _, bytes := range []int{8, 64, 512, 4096, 32768} {
			flat, binomial, chain := 10.0, 5.0, 7.0
			if bytes == 512 {
				binomial, chain = 10.2, c.at
			}
			ts = append(ts, timing(eight, "bcast", bytes, "flat", true, flat, flat), timing(eight, "bcast", bytes, "binomial", false, binomial, binomial),
				timing(eight, "bcast", bytes, "chain", false, chain, chain))
		}
		got := Winners(ts, 0.05)
		if len(got) != 5 || got[2].Bytes != 512 || got[2].Algorithm != c.want || got[1].Algorithm != "bcast/binomial" || got[4].Algorithm != "bcast/binomial" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestWhatDoesNotFitIsNotChosen: an algorithm that was not measured at a size, or left out there for being
// slow, is not chosen there.
func TestWhatDoesNotFitIsNotChosen(t *testing.T) {
	ts := []Timing{
		timing(eight, "bcast", 8, "flat", true, 10, 10, 10), timing(eight, "bcast", 8, "shm", false, 1, 1, 1),
		timing(eight, "bcast", 64, "flat", true, 10, 10, 10),
		timing(eight, "bcast", 512, "flat", true, 10, 10, 10), timing(eight, "bcast", 512, "shm", false, 1),
	}
	got := Winners(ts, 0.05)
	if len(got) != 3 || got[0].Algorithm != "bcast/shm" || got[1].Algorithm != "bcast/flat" || got[2].Algorithm != "bcast/flat" {
		t.Errorf("%+v", got)
	}
}

// TestRulesSayWhatWasMeasured: the selector with the rules chooses the winners where they won, and what it
// chose before elsewhere.
func TestRulesSayWhatWasMeasured(t *testing.T) {
	four := Place{Ranks: 4, Nodes: 2, Local: 2, Rails: 2, Crowded: true}
	var ts []Timing
	for _, p := range []Place{four, eight} {
		for bytes, best := range map[int]string{8: "flat", 512: "flat", 4096: "ring", 1 << 20: "bruck@2"} {
			for _, way := range []string{"flat", "ring", "bruck@2"} {
				us := 10.0
				if way == best {
					us = 5
				}
				ts = append(ts, timing(p, "allgather", bytes, way, way == "ring", us, us, us))
			}
		}
		ts = append(ts, timing(p, "barrier", 0, "flat", true, 1, 1, 1))
	}
	text := Rules(Winners(ts, 0.05))
	rules, err := coll.Parse(text)
	if err != nil || strings.Contains(text, "barrier") {
		t.Fatalf("%v in %s", err, text)
	}
	s := coll.Default().With(rules...)
	for _, c := range []struct {
		ranks, nodes, bytes int
		want                string
	}{
		{8, 2, 0, "flat"}, {8, 2, 512, "flat"}, {8, 2, 1000, "flat"}, {8, 2, 2000, "ring"}, {8, 2, 4096, "ring"},
		{8, 2, 1 << 20, "bruck@2"}, {8, 2, 1 << 24, "bruck@2"}, {4, 2, 512, "flat"}, {6, 2, 4096, "ring"}, {5, 2, 512, "flat"},
	} {
		a, why := s.Choose(crowdedCase(c.ranks, c.nodes, c.bytes))
		if a.Name != "allgather/"+c.want || !why.Override {
			t.Errorf("%+v: %s by %v", c, a.Name, why)
		}
	}
	for _, c := range []coll.Case{crowdedCase(9, 2, 512), crowdedCase(3, 2, 512), crowdedCase(8, 4, 512), crowdedCase(8, 1, 512)} {
		if _, why := s.Choose(c); why.Override {
			t.Errorf("%d ranks on %d nodes were not measured: %v", c.Ranks, c.NodeCount(), why)
		}
	}
}

func crowdedCase(ranks, nodes, bytes int) coll.Case {
	c := coll.Case{Op: coll.Allgather, Ranks: ranks, Bytes: bytes, Nodes: make([]int, ranks), Rails: 2, Cores: 1}
	for r := range ranks {
		c.Nodes[r] = r * nodes / ranks
	}
	c.Local = c.MostLocal()
	return c
}

func TestCheckFindsWhatUsersWouldNotExpect(t *testing.T) {
	win := func(op string, bytes int, us float64) Winner {
		return Winner{Place: eight, Op: op, Bytes: bytes, Algorithm: op + "/x", Micros: us}
	}
	fine := []Winner{win("allgather", 8, 10), win("gather", 8, 6), win("bcast", 64, 5)}
	if got := Check(fine, 0.05); len(got) != 0 {
		t.Errorf("%q", got)
	}
	slow := []Winner{win("allgather", 8, 12), win("gather", 8, 6), win("bcast", 64, 5)}
	if got := Check(slow, 0.05); len(got) != 1 || !strings.Contains(got[0], "allgather of 8 bytes") || !strings.Contains(got[0], "gather of 8") {
		t.Errorf("%q", got)
	}
	odd := []Winner{win("scan", 8, 12), win("scan", 64, 5)}
	if got := Check(odd, 0.05); len(got) != 1 || !strings.Contains(got[0], "only 5.00 us") {
		t.Errorf("%q", got)
	}
}

// TestRulesBySpread: what wins when ranks come apart is chosen then and not otherwise, and what wins when
// they come together neither.
func TestRulesBySpread(t *testing.T) {
	apart := eight
	apart.Spread = 8
	text := Rules(Winners([]Timing{
		timing(eight, "allgather", 8, "ring", true, 10), timing(eight, "allgather", 8, "flat", false, 5),
		timing(apart, "allgather", 8, "ring", true, 10), timing(apart, "allgather", 8, "flat", false, 20),
		timing(eight, "barrier", 0, "flat", true, 1), timing(eight, "barrier", 0, "binomial", false, 2),
		timing(apart, "barrier", 0, "flat", true, 2), timing(apart, "barrier", 0, "binomial", false, 1),
	}, 0.05))
	rules, err := coll.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	s := coll.Default().With(rules...)
	for _, c := range []struct {
		op     coll.Op
		spread int
		want   string // or nothing, if these rules do not say
	}{
		{coll.Allgather, 0, "flat"}, {coll.Allgather, 2, "flat"}, {coll.Allgather, 4, ""}, {coll.Allgather, 64, ""},
		{coll.Barrier, 0, ""}, {coll.Barrier, 2, ""}, {coll.Barrier, 4, "binomial"}, {coll.Barrier, 64, "binomial"},
	} {
		k := crowdedCase(8, 2, 8)
		k.Op, k.Spread = c.op, c.spread
		if a, why := s.Choose(k); why.Override != (c.want != "") || why.Override && a.Name != c.op.String()+"/"+c.want {
			t.Errorf("%s with spread %d: %s by %v, of\n%s", c.op, c.spread, a.Name, why, text)
		}
	}
}
