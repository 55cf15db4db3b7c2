package experiments

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/weft-mpi/weft/lab"
)

// countsFile has the bars that each figure keeps in a quick run, written by the test that runs them all.
// Figures that measure this machine are left out.
//
//go:embed counts.json
var countsFile []byte

// Counts are the bars of figures, by the id of the experiment.
type Counts map[string]lab.Counts

// Counted returns the counts that the program comes with.
func Counted() (Counts, error) {
	var all Counts
	if err := json.Unmarshal(countsFile, &all); err != nil {
		return nil, fmt.Errorf("the counts that the program comes with: %w", err)
	}
	return all, nil
}

// Of returns the counts of a figure, or of the one whose experiment it shares.
func (c Counts) Of(f lab.Figure) lab.Counts {
	if own, ok := c[f.ID]; ok || f.Same == "" {
		return own
	}
	return c[f.Same]
}
