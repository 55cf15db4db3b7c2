package experiments

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

// The tests of this file show what the reasons of bars that are not kept rest on: variants of models, and timelines.

// varied is a machine of the documents on a profile with some other values.
func varied(t *testing.T, b *lab.Bench, machine string, values map[string]float64) lab.Setup {
	t.Helper()
	on := b.Setups(machine)[0]
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "verbs", "sim", "profiles", on.On.Profile()+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var profile map[string]any
	if err := json.Unmarshal(text, &profile); err != nil {
		t.Fatal(err)
	}
	for name, v := range values {
		parameter, ok := profile["parameters"].(map[string]any)[name].(map[string]any)
		if !ok {
			t.Fatalf("%s has no parameter %s", on.On, name)
		}
		parameter["value"] = v
	}
	delete(profile, "targets")
	if text, err = json.Marshal(profile); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "varied.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	on.On = lab.Platform("sim:" + path)
	return on
}

// TestSlowReadsPartThePeaks (F4.16): the two models of data exchange have their maxima at nearly the same ratio because a remote read
// is nearly as fast as a write. Where a read of 128 KB takes half as long again, they part.
func TestSlowReadsPartThePeaks(t *testing.T) {
	b := newBench(t)
	var ratios []int
	for ratio := 20; ratio <= 140; ratio += 2 {
		ratios = append(ratios, ratio)
	}
	for _, wait := range []float64{1.5, 60, 120} {
		r := &lab.Result{}
		p := r.AddPanel("", lab.Bytes, lab.Percent)
		on := varied(t, b, "IW2", map[string]float64{"read_us": wait})
		for number := 1; number <= 2; number++ {
			alone, err := exchangeLines(t.Context(), b, on, number, ratios, p)
			if err != nil {
				t.Fatal(err)
			}
			at, most := p.Series[2*number-1].Max()
			t.Logf("read_us %g: model %d takes %.0f us without computation, and gains most at %g: %.1f%%", wait, number, alone, at, most)
		}
	}
}
