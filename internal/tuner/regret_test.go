package tuner_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/tuner"
)

// TestRegret: every point has the time of the chosen algorithm and of the best, the same every
// time; points that need too much memory say so.
func TestRegret(t *testing.T) {
	study := tuner.Study{Profiles: []string{"connectx-ddr", "10ge"}, Shapes: []tuner.Shape{{2, 2}, {2, 1}}, Ops: []coll.Op{coll.Barrier, coll.Allgather, coll.Scan},
		Bytes: []int{8, 4096, 1 << 20}, Memory: 16 << 20}
	run := func() (points []tuner.Point) {
		told := 0
		for _, j := range study.Jobs() {
			own, err := j.Run(t.Context(), func(string) { told++ })
			if err != nil || len(own) != j.Points() {
				t.Fatalf("%d of %d points, %v", len(own), j.Points(), err)
			}
			points = append(points, own...)
		}
		if len(points) != 28 || told != 28 {
			t.Fatalf("%d points, told %d", len(points), told)
		}
		return points
	}
	points := run()
	if again := run(); !slices.Equal(points, again) {
		t.Errorf("not the same twice:\n%v\n%v", points, again)
	}
	skipped := 0
	for _, p := range points {
		if p.Skipped != "" {
			skipped++
			if p.Op != "allgather" || p.Bytes != 1<<20 || p.Shape != "2x2" || !strings.Contains(p.Skipped, "20480 KB") {
				t.Errorf("%+v", p)
			}
			continue
		}
		if !(p.Regret() >= 1) || p.BestUs <= 0 || p.Candidates < 2 || p.Best == "" || p.Chosen == "" {
			t.Errorf("%+v", p)
		}
	}
	if skipped != 2 {
		t.Errorf("%d skipped", skipped)
	}
}

// TestRegretOfNeighbors: calls between neighbours are studied, too, with few and many neighbours, and what is chosen is
// good.
func TestRegretOfNeighbors(t *testing.T) {
	study := tuner.Study{Profiles: []string{"roce-100g"}, Shapes: []tuner.Shape{{2, 2, 2}, {3, 1}}, Bytes: []int{8, 64 << 10}, Memory: 64 << 20}
	study.Ops = slices.DeleteFunc(coll.Ops(), func(op coll.Op) bool { return !op.Neighborly() || !tuner.Studies(op) })
	chosen := map[string]string{}
	for _, j := range study.Jobs() {
		points, err := j.Run(t.Context(), func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			if p.Candidates < 2 || !(p.Regret() >= 1) || p.Regret() > 2.5 {
				t.Errorf("%s: %+v", p.Name(), p)
			}
			chosen[p.Name()] = p.Chosen
		}
	}
	if len(chosen) != 2*2*3*2 {
		t.Errorf("%d points: %v", len(chosen), chosen)
	}
	ways := map[string]bool{}
	for _, way := range chosen {
		ways[way] = true
	}
	if len(ways) < 3 {
		t.Errorf("whatever the neighbours and lengths are, %v is chosen", ways)
	}
}

// TestStudyFails: what goes wrong in a simulated job is told.
func TestStudyFails(t *testing.T) {
	study := tuner.Study{Profiles: []string{"none"}, Shapes: []tuner.Shape{{1, 1}}, Ops: []coll.Op{coll.Barrier}, Memory: 1}
	if _, err := study.Jobs()[0].Run(t.Context(), func(string) {}); err == nil || !strings.Contains(err.Error(), "none") {
		t.Error(err)
	}
}

func TestSummaries(t *testing.T) {
	points := []tuner.Point{
		{Op: "scan", Bytes: 8, ChosenUs: 4, BestUs: 1}, {Op: "bcast", Bytes: 8, ChosenUs: 1, BestUs: 1},
		{Op: "scan", Bytes: 64, ChosenUs: 1, BestUs: 1}, {Op: "gather", Skipped: "large"},
	}
	got := tuner.Summarize(points, func(p *tuner.Point) string { return p.Op })
	if len(got) != 2 || got[0].Name != "scan" || got[0].Points != 2 || got[0].Mean != 2 || got[0].Worst.Bytes != 8 || got[1].Mean != 1 {
		t.Errorf("%+v", got)
	}
	if worst := tuner.Worst(points, 10); len(worst) != 1 || worst[0].Regret() != 4 {
		t.Errorf("%+v", worst)
	}
}

func TestShapes(t *testing.T) {
	for text, want := range map[string]tuner.Shape{"3x2": {2, 2, 2}, "3+1+2": {3, 1, 2}, "2x4+1": {4, 4, 1}, "1x5": {5}, "2+2+1x1": {2, 2, 1}} {
		s, err := tuner.ParseShape(text)
		if err != nil || !slices.Equal(s, want) {
			t.Errorf("%s: %v, %v", text, s, err)
		}
		if back, err := tuner.ParseShape(s.String()); err != nil || !slices.Equal(back, s) {
			t.Errorf("%s is written %s: %v, %v", text, s, back, err)
		}
	}
	for _, text := range []string{"", "x", "3x", "x2", "0x1", "3x0", "-1", "2+", "99999x99999", "1x2x3"} {
		if s, err := tuner.ParseShape(text); !errors.Is(err, tuner.ErrShape) {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
	if s := tuner.EvenShape(7, 3); !slices.Equal(s, tuner.Shape{3, 3, 1}) {
		t.Errorf("%v", s)
	}
}

// TestTheChoiceIsGood: on shapes that nothing was made for, what is chosen takes little more time
// than the best, in virtual time.
func TestTheChoiceIsGood(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates all algorithms")
	}
	study := tuner.Study{Profiles: []string{"roce-100g", "10ge"}, Shapes: []tuner.Shape{{2, 2, 2}, {3, 1, 2}}, Bytes: []int{8, 4096, 64 << 10}, Memory: 16 << 20}
	study.Ops = slices.DeleteFunc(coll.Ops(), func(op coll.Op) bool { return !tuner.Tunes(op) })
	var points []tuner.Point
	for _, j := range study.Jobs() {
		own, err := j.Run(t.Context(), func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		points = append(points, own...)
	}
	whole := tuner.Summarize(points, func(*tuner.Point) string { return "all" })
	if len(whole) != 1 || whole[0].Points != len(points) || whole[0].Mean > 1.2 {
		t.Errorf("%+v; the worst: %+v", whole, tuner.Worst(points, 10))
	}
}
