package sim

import (
	"math"
	"slices"
	"testing"
)

// unstated are profiles of which documents state no number that they could be held to.
var unstated = []string{"10ge-c1", "10ge-c2"}

// TestCalibration: what a document says of a platform comes back within 5%.
func TestCalibration(t *testing.T) {
	for _, name := range Profiles() {
		p, err := LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		checks, err := Calibrate(p)
		if err != nil {
			t.Fatal(err)
		}
		if (len(checks) == 0) != slices.Contains(unstated, name) || len(checks) != len(p.Targets) {
			t.Errorf("%s: %d checks for %d targets", name, len(checks), len(p.Targets))
		}
		for _, c := range checks {
			t.Logf("%-14s %-20s %10.2f %10.2f %+6.1f%%  (%s)", name, c.Name, c.Paper, c.Ours, 100*c.Error, c.How)
			if math.Abs(c.Error) > 0.05 {
				t.Errorf("%s: %s is %.4g, want %.4g", name, c.Name, c.Ours, c.Paper)
			}
		}
	}
}
