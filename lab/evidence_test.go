package lab

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// TestEvidence: a bar leads to the claim it points at, to the models it ran on, and to what the sweep says it leans on.
func TestEvidence(t *testing.T) {
	f := Figure{ID: "003.F4", Claims: []string{"7 us iWARP", "Myrinet is flat"}}
	r := &Result{ID: "003.F4", Command: "weft lab run 003.F4", Platform: []string{"host", "sim:qsnet2", "sim:ne020"}}
	r.Hold(Prediction, Exactly("a", 1, 2, "us").Says("flat"), Exactly("b", 1, 1, "us"), Exactly("c", 1, 1, "us"))
	s := &Sweep{Figures: []SweptFigure{{ID: "003.F4", Bars: []SweptBar{{Bar: "b"}, {Bar: "a", Leans: []Lean{
		{Profile: "ne020", Parameter: "hop_us", How: sim.Assumed, Less: &Effect{Value: 0.8, Moved: -3.4}, More: &Effect{Value: 1.2, Moved: 9, Flips: true, Ours: "1 us"}}}}}}}}
	a, b, c := EvidenceOf(f, r, r.Checks[0], s), EvidenceOf(f, r, r.Checks[1], s), EvidenceOf(f, r, r.Checks[2], s)
	if !slices.Equal(a.Claims, f.Claims[1:]) || a.Place != "document 003, section 6.1, figure 4" || a.Command != r.Command || len(a.Leans) != 1 {
		t.Errorf("%+v", a)
	}
	if len(a.Models) != 2 || a.Models[0].Name != "ne020" || a.Models[1].Name != "qsnet2" {
		t.Errorf("models %+v", a.Models)
	}
	if !b.Swept || b.Leans != nil || c.Swept || EvidenceOf(f, r, r.Checks[0], nil).Swept {
		t.Errorf("swept: %v, %v", b, c)
	}
	if got, want := a.Leans[0].Effects(), "0.8 moves it by -3%, 1.2 changes sides (1 us)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var text bytes.Buffer
	if err := r.WriteEvidence(&text, r.Checks, f, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"fail  prediction  a\n", "stated    7 us iWARP\n            Myrinet is flat\n", "leans on  hop_us of ne020 (assumed): 0.8 moves", "leans on  none of the assumed", "model     qsnet2: "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// TestModels: all values of a profile are there, the best founded first, and counted; one that there is not says so.
func TestModels(t *testing.T) {
	m := ModelsOf(&Result{Platform: []string{"sim:ne020"}}, &Result{Platform: []string{"sim:ne020", "sim:nonesuch"}})
	if len(m) != 2 || len(m[0].Values) != len(sim.ParameterNames()) || len(m[1].Values) != 0 || !strings.Contains(m[1].Title, "nonesuch") {
		t.Fatalf("%+v", m)
	}
	if !slices.IsSortedFunc(m[0].Values, func(a, b Value) int { return slices.Index(sources, a.How) - slices.Index(sources, b.How) }) {
		t.Error("assumed values come before stated ones")
	}
	made := Model{Values: []Value{{"a", sim.Param{How: sim.Stated}}, {"b", sim.Param{How: sim.Assumed}}, {"c", sim.Param{How: sim.Assumed}}}}
	if got := made.Sources(); got != "1 stated, 2 assumed" {
		t.Errorf("%q", got)
	}
	for _, v := range m[0].Values {
		if !slices.Contains(sources, v.How) {
			t.Errorf("%s comes from %q, which is nowhere counted", v.Name, v.How)
		}
	}
}
