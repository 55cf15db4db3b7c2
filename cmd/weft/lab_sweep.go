package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
)

// sweepOptions is a checked command line of "weft lab sweep".
type sweepOptions struct {
	profiles, figures, parameters setFlags
	by                            float64
	lengthy, json                 bool
	left                          []string // experiments that take long
}

func (o *sweepOptions) flags() *flag.FlagSet {
	f := newFlags("lab sweep")
	f.Var(&o.profiles, "profile", "`PROFILE,...`: change values of these only (weft lab list --profiles shows them)")
	f.Var(&o.figures, "figure", "`ID,...`: the experiments of these figures only")
	f.Var(&o.parameters, "parameter", "`NAME,...`: change these parameters only")
	f.Float64Var(&o.by, "by", 20, "change values by this many `PERCENT`, up to 50 (default 20)")
	f.BoolVar(&o.lengthy, "lengthy", false, "also experiments that take hours together, which are left out otherwise unless --figure names them")
	f.BoolVar(&o.json, "json", false, "print JSON, in the form of lab/sweep.json")
	return f
}

// aboutSweep describes "weft lab sweep".
func aboutSweep() usage.Command {
	return usage.Command{Name: "lab sweep", Short: "what bars lean on: change every assumed and fitted value of the profiles, one at a time, and see which bars change sides or move",
		Forms: []string{"[options]"}, Groups: flagGroup(new(sweepOptions).flags())}
}

// leastMoved is by how many per cent a bar's value has to move to be mentioned.
const leastMoved = 2

// parseSweep reads the words after "weft lab sweep".
func parseSweep(args []string, registry *lab.Registry) (*sweepOptions, *lab.Sweeper, error) {
	o := new(sweepOptions)
	f := o.flags()
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, nil, err
		}
		return nil, nil, usageError{err}
	}
	w := &lab.Sweeper{Profiles: o.profiles.settings(), Parameters: o.parameters.settings(), By: o.by, Least: leastMoved}
	w.Before, _ = lab.NewestSweep() // without it the sweep takes longer
	switch {
	case f.NArg() > 0:
		return nil, nil, usageError{fmt.Errorf("sweep takes no %q; --figure %s names a figure", f.Arg(0), f.Arg(0))}
	case !(o.by > 0 && o.by <= 50):
		return nil, nil, usageError{fmt.Errorf("--by %v: say 1 to 50 per cent", o.by)}
	}
	for _, name := range w.Profiles {
		if !slices.Contains(sim.Profiles(), name) {
			return nil, nil, usageError{fmt.Errorf("--profile %s: there is none of that name%s", name, didYouMean(name, sim.Profiles()))}
		}
	}
	for _, name := range w.Parameters {
		if sim.ParameterText(name) == "" {
			return nil, nil, usageError{fmt.Errorf("--parameter %s: there is none of that name%s", name, didYouMean(name, sim.ParameterNames()))}
		}
	}
	chosen := &labRunner{o: &labOptions{words: o.figures.settings()}, registry: registry}
	figures, err := chosen.chosen()
	if err != nil {
		return nil, nil, err
	}
	for _, figure := range figures {
		e, _ := registry.Experiment(figure)
		if e.Lengthy && !o.lengthy && len(chosen.o.words) == 0 {
			o.left = append(o.left, e.ID)
			continue
		}
		w.Experiments = append(w.Experiments, e)
	}
	return o, w, nil
}

// labSweep is "weft lab sweep".
func labSweep(ctx context.Context, registry *lab.Registry, args []string, out, status *os.File) error {
	o, w, err := parseSweep(args, registry)
	if err != nil {
		return err
	}
	// Runs are short and leave little behind; collecting it less often saves a quarter of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	const steps = 10000
	bar := newLongProgress(status, steps)
	w.Progress = func(share float64, what string) {
		bar.skipTo(int(share*steps) - 1)
		bar.step(what)
	}
	s, err := w.Run(ctx)
	bar.clear()
	if err != nil {
		return err
	}
	s.Command, s.Made, s.Version = strings.TrimSpace("weft lab sweep "+strings.Join(args, " ")), time.Now().UTC().Format(time.DateOnly), version()
	s.Left = o.left
	if o.json {
		return s.Write(out)
	}
	return s.WriteText(out)
}
