package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/weft-mpi/weft/internal/simtest"
)

// algorithmTally is what the seeds of one algorithm came to.
type algorithmTally struct {
	Algorithm string        `json:"algorithm"`
	Seeds     int           `json:"seeds"`
	Served    int           `json:"served"` // calls that the algorithm served; others did not fit it
	Deaths    int           `json:"deaths"`
	Failed    int           `json:"failed"`
	Real      time.Duration `json:"ns"`
}

// runAlgorithms runs all seeds with each algorithm in turn and prints a line when one is done.
func (o *simOptions) runAlgorithms(w io.Writer) error {
	const row = "%-30s  %8v  %8v  %8v  %8v  %8v\n"
	if !o.json {
		fmt.Fprintf(w, row, "algorithm", "seeds", "calls", "deaths", "failed", "took")
	}
	sum, unused := algorithmTally{Algorithm: fmt.Sprintf("%d algorithms", len(o.algorithms))}, 0
	for _, name := range o.algorithms {
		cases := o.cases
		cases.Algorithm = name
		t, err := o.sweep(cases)
		if err != nil {
			return err
		}
		own := tallyOf(name, &t)
		if o.json {
			if err := json.NewEncoder(w).Encode(own); err != nil {
				return err
			}
		} else {
			own.print(w, row)
		}
		if own.Served == 0 {
			unused++
		}
		sum.Seeds, sum.Served, sum.Deaths = sum.Seeds+own.Seeds, sum.Served+own.Served, sum.Deaths+own.Deaths
		sum.Failed, sum.Real = sum.Failed+own.Failed, sum.Real+own.Real
	}
	if !o.json {
		sum.print(w, row)
	}
	switch {
	case sum.Failed > 0:
		return fmt.Errorf("%d of %d seeds failed", sum.Failed, sum.Seeds)
	case unused > 0:
		return fmt.Errorf("%d algorithms served no call: run more seeds", unused)
	}
	return nil
}

func tallyOf(name string, t *simtest.Tally) algorithmTally {
	return algorithmTally{Algorithm: name, Seeds: t.Seeds, Served: t.Served, Deaths: t.Deaths, Failed: t.Failed, Real: t.Real}
}

func (t *algorithmTally) print(w io.Writer, row string) {
	fmt.Fprintf(w, row, t.Algorithm, t.Seeds, t.Served, t.Deaths, t.Failed, t.Real.Round(time.Millisecond))
}
