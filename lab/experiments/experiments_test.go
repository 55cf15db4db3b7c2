package experiments

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/lab"
)

// timed are the experiments whose bars depend on how busy this machine is.
var timed = []string{"F5.4"}

func newBench(t *testing.T) *lab.Bench {
	t.Helper()
	b, err := lab.NewBench(lab.Options{Quick: true, Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestAllRun: every experiment runs, its result can be saved, it is held against bars, and it explains itself.
func TestAllRun(t *testing.T) {
	if _, err := Registry(); err != nil {
		t.Fatal(err)
	}
	for _, e := range All() {
		t.Run(e.ID, func(t *testing.T) {
			if testing.Short() && slices.Contains(timed, e.ID) {
				t.Skip("measures the processor")
			}
			b := newBench(t)
			r, err := e.Run(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			b.Finish(r)
			if err := r.Check(); err != nil || r.ID != e.ID || r.Title == "" {
				t.Errorf("%q %q: %v", r.ID, r.Title, err)
			}
			if len(r.Checks) == 0 || len(r.Panels)+len(r.Tables) == 0 {
				t.Errorf("%d checks, %d diagrams, %d tables", len(r.Checks), len(r.Panels), len(r.Tables))
			}
			for _, c := range r.Checks {
				if c.Bar == "" || c.Paper == "" || c.Ours == "" {
					t.Errorf("%+v does not say everything", c)
				}
				if !c.Pass {
					t.Logf("%s: the document has %s, we %s; %s", c.Bar, c.Paper, c.Ours, c.Why)
				}
			}
			if e.Explain[0] == "" || e.Explain[1] == "" {
				t.Error("it is not explained in two paragraphs")
			}
		})
	}
}

// TestTimelines: a timeline has lanes, and something happens in it.
func TestTimelines(t *testing.T) {
	drawn := 0
	for _, e := range All() {
		if e.Timeline == nil {
			continue
		}
		drawn++
		tl, err := e.Timeline(t.Context(), newBench(t))
		if err != nil || len(tl.Lanes) < 2 || len(tl.Arrows) == 0 || len(tl.Spans) == 0 {
			t.Errorf("%s: %v, %+v", e.ID, err, tl)
		}
	}
	if drawn == 0 {
		t.Error("there is no timeline")
	}
}

// TestVirtualTimeRepeats: an experiment on a simulated fabric gives the same bytes again.
func TestVirtualTimeRepeats(t *testing.T) {
	var runs [2]bytes.Buffer
	for i := range runs {
		b := newBench(t)
		r, err := datagramLatency(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		b.Finish(r)
		if err := r.WriteJSON(&runs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if runs[0].String() != runs[1].String() {
		t.Errorf("two runs differ:\n%s\n%s", runs[0].String(), runs[1].String())
	}
}

// TestMustPass: what does not depend on a model or on the machine passes.
func TestMustPass(t *testing.T) {
	for _, e := range append(packageMaps(), formulaExperiment, modelsExperiment) {
		r, err := e.Run(context.Background(), newBench(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			if !c.Pass {
				t.Errorf("%s: %+v", e.ID, c)
			}
		}
	}
}

// TestPackagesAreThere holds the package maps against the module.
func TestPackagesAreThere(t *testing.T) {
	all := Packages()
	if len(all) < 20 {
		t.Errorf("only %d packages are named", len(all))
	}
	for _, pkg := range all {
		entries, err := os.ReadDir(filepath.Join("..", "..", filepath.FromSlash(pkg)))
		if err != nil {
			t.Errorf("%s: %v", pkg, err)
			continue
		}
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() || strings.HasSuffix(e.Name(), ".go") }) {
			t.Errorf("%s holds no package", pkg)
		}
	}
}

// TestSynthetic: a planted overlap hides as much computation as it should, and no more.
func TestSynthetic(t *testing.T) {
	transfer := synthetic(100, 50)
	if alone, total, err := transfer(80); err != nil || alone != 100 || total != 130 {
		t.Errorf("a half-hidden transfer with 80 us of computation: %g, %g, %v", alone, total, err)
	}
}
