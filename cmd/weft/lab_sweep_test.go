package main

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/experiments"
)

// TestSweepLeavesOutWhatTakesLong: a sweep takes minutes unless it is asked for more, and names what it left out.
func TestSweepLeavesOutWhatTakesLong(t *testing.T) {
	registry, err := experiments.Registry()
	if err != nil {
		t.Fatal(err)
	}
	has := func(w *lab.Sweeper, id string) bool {
		return slices.ContainsFunc(w.Experiments, func(e lab.Experiment) bool { return e.ID == id })
	}
	for _, c := range []struct {
		args []string
		in   bool
	}{{nil, false}, {[]string{"--figure", "all"}, false}, {[]string{"--lengthy"}, true}, {[]string{"--figure", "F5.9"}, true}} {
		o, w, err := parseSweep(c.args, registry)
		if err != nil {
			t.Fatal(err)
		}
		if has(w, "F5.9") != c.in || slices.Contains(o.left, "F5.9") == c.in {
			t.Errorf("weft lab sweep %q: F5.9 is in it: %v; left out: %q", c.args, has(w, "F5.9"), o.left)
		}
	}
}
