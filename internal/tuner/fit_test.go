package tuner

import (
	"math"
	"testing"

	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// sites are one where ranks have processors of their own, and one where they have not.
var sites = []Site{
	{Nodes: []int{0, 0, 0, 0, 1, 1, 1, 1}, Cores: 8, Local: 4, Rails: 1, Shares: true, Fetches: true},
	{Nodes: []int{0, 0, 0, 0, 0, 0}, Cores: 2, Local: 6, Rails: 1, Shares: true, Fetches: true},
}

// TestTrialsArePlans: the plans of every trial fit together, and each number that is measured is
// told on one of the sites.
func TestTrialsArePlans(t *testing.T) {
	for i := range trials {
		told := false
		for _, s := range sites {
			plans := trials[i].plansOf(&s)
			if plans == nil {
				continue
			}
			told = true
			lens := make([]plan.Lens, len(plans))
			for r := range lens {
				lens[r] = plan.Lens{In: room, Out: room}
			}
			if err := plan.Check(plans, lens); err != nil {
				t.Errorf("%s: %v", trials[i].number, err)
			}
		}
		if !told || new(model.Machine).Number(trials[i].number) == nil {
			t.Errorf("%s is never told", trials[i].number)
		}
	}
	alone := Site{Nodes: []int{0, 1}, Cores: 1, Local: 1}
	for i := range trials {
		if (trials[i].number == "flag" || trials[i].number == "near" || trials[i].number == "far_gap") && trials[i].plansOf(&alone) != nil {
			t.Errorf("%s is told by ranks that are alone on their nodes", trials[i].number)
		}
	}
}

// TestFitFindsTheMachine: from what trials take on a machine of the model, Fit finds its numbers,
// whatever was believed before, and how much they differ.
func TestFitFindsTheMachine(t *testing.T) {
	is := model.Machine{Step: 25, Copy: 0.1, Lanes: 2, Reduce: 0.2, Flag: 120, Fetch: 900, Turn: 2500, Near: 200, NearWay: 150, NearLong: 16 << 10, Help: 2,
		Far: 1000, FarWay: 5000, FarGap: 400, Byte: 0.5, Both: 0.4, Touch: 0.05, FarLong: 64 << 10}
	var jobs []*Samples
	for job := range 3 {
		for _, s := range sites {
			own := &Samples{Site: s, Before: model.Ethernet, Nanos: map[string][]float64{}}
			for i := range trials {
				if plans := trials[i].plansOf(&s); plans != nil {
					time := is.Time(s.layout(), plans) * (1 + 0.05*float64(job-1))
					own.Nanos[trials[i].number] = []float64{time * 0.98, time, time * 1.02}
				}
			}
			jobs = append(jobs, own)
		}
	}
	m, found := Fit(jobs)
	for _, f := range found {
		want, got := *is.Number(f.Name), *m.Number(f.Name)
		if math.Abs(got-want) > 0.05*want {
			t.Errorf("%s: %g, want %g", f.Name, got, want)
		}
		told := f.Name != "near_long" && f.Name != "help" && f.Name != "far_long"
		if told != (f.Jobs == 3) || told && (f.Rounds <= 0 || f.Between <= 0) {
			t.Errorf("%+v", f)
		}
	}
	if _, none := Fit(nil); none != nil {
		t.Errorf("%v", none)
	}
}

// TestSampleInVirtualTime: what is measured on a simulated cluster is what its profile says, where
// that says it in one number.
func TestSampleInVirtualTime(t *testing.T) {
	for _, name := range []string{"roce-100g", "connectx-ddr"} {
		s, err := Cluster{Profile: name, Shape: Shape{2, 2}}.Sample(t.Context(), 3)
		if err != nil {
			t.Fatal(err)
		}
		p, err := sim.LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, got := p.Machine(), model.Machine{}
		got, _ = Fit([]*Samples{s})
		for number, within := range map[string]float64{"copy": 0.01, "reduce": 0.01, "byte": 0.05, "both": 0.05, "near": 0.2, "near_way": 0.3, "flag": 0.5} {
			if number == "both" && 2*want.Both <= want.Byte { // the directions do not disturb each other: any such number will do
				continue
			}
			if a, b := *got.Number(number), *want.Number(number); math.Abs(a-b) > within*b {
				t.Errorf("%s: %s is %g, the profile says %g", name, number, a, b)
			}
		}
	}
}
