package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/simtest"
	"github.com/weft-mpi/weft/internal/usage"
)

const simAbout = `
Runs programs in virtual time, on simulated clusters.
`

const simTestAbout = `
Runs random MPI programs in virtual time, on simulated clusters that misbehave, and checks every call against a model of
what MPI promises. The same seed does the same things every time. Seeds that fail are told with the command that shows
them in detail; the first is made smaller and kept in a file.

docs/building/simtest.md says what is tested, and how to read a trace. docs/researching/simulation.md says what jobs of thousands of
ranks take, and how to keep them small.
`

// aboutSim describes "weft sim".
func aboutSim() usage.Command {
	f, _, _ := new(simOptions).flags()
	run := usage.Command{Name: "sim run", Short: "run a program on a simulated cluster", Forms: []string{"[options] PROGRAM [ARGUMENT...]"}, About: simRunAbout, Words: "PROGRAM ARGUMENT...",
		Ends: true, Groups: flagGroup(newSimRun().flags)}
	test := usage.Command{Name: "sim test", Short: "run random programs under faults, and check every call", Forms: []string{"[options]"}, About: simTestAbout, Groups: flagGroup(f)}
	return usage.Command{Forms: []string{"COMMAND [options]"}, About: simAbout, Parts: []usage.Command{run, test}}
}

// simOptions are the options of "weft sim test".
type simOptions struct {
	seeds       []simtest.Range
	cases       simtest.Options
	algorithms  []string // to be run one after the other
	same        []string // options that a replay needs too
	jobs        int
	time        time.Duration
	virtual     time.Duration
	shrink      time.Duration
	file, save  string
	trace, json bool
}

// faultKinds are the faults that --faults knows.
func faultKinds() []string { return append([]string{"mixed", "soak"}, simtest.Faults...) }

// flags declares the options, two of which are read further when all are known.
func (o *simOptions) flags() (f *flag.FlagSet, seeds *string, hours *float64) {
	oneOf := func(words []string) string { return "`" + strings.Join(words, "|") + "`" }
	f = newFlags("sim")
	seeds = f.String("seeds", "1-1000", "`N[-M],...`: run these seeds: numbers and ranges (default 1-1000)")
	f.StringVar(&o.cases.Channel, "channel", "", oneOf(simtest.Channels)+": only this channel")
	f.StringVar(&o.cases.Rendezvous, "rndv", "", oneOf(simtest.Rendezvous)+": only this rendezvous")
	f.StringVar(&o.cases.Faults, "faults", "", oneOf(faultKinds())+": only this fault; soak is 2% loss, duplicates, reordering, and "+
		"connections and interfaces that come and go")
	f.StringVar(&o.cases.Programs, "programs", "", oneOf(simtest.Programs)+": only programs of this kind: duels, of long messages that cross the "+
		"receives posted for them, claims, in which matched probes take some of these and receive them late, unasked, of long messages that may "+
		"come before they are asked for, collectives, of calls of which an algorithm that the seed chooses serves most, windows, of operations "+
		"on other ranks' memory, or impatient, of calls whose contexts end")
	f.StringVar(&o.cases.Profile, "profile", "", "`PROFILE`: only this network (weft lab list --profiles shows them)")
	f.StringVar(&o.cases.Nodes, "nodes", "", oneOf(simtest.Nodes)+": only such nodes; uneven ones have ranks, processors, rails and rates of their own")
	f.IntVar(&o.cases.Ranks, "ranks", 0, "jobs of `N` ranks; else 2 to 12")
	f.Func("set", "`NAME=VALUE`: a setting for all jobs, as in weft run; may be repeated", func(v string) error {
		setting, err := tunableVariable(v)
		o.cases.Settings = append(o.cases.Settings, setting)
		return err
	})
	f.Func("algorithms", "`all|OP,...`: programs of collectives with each of these algorithms in turn: all, operations (allgather), names "+
		"(allgather/bruck, with four ports allgather/bruck@4); prints a line for each", func(v string) (err error) {
		o.algorithms, err = simtest.Algorithms(strings.Split(v, ","))
		return err
	})
	f.IntVar(&o.jobs, "jobs", 2, "`N` runs at a time (default 2)")
	f.Func("time", "begin no seed after this `TIME`", anyTime(&o.time))
	hours = f.Float64("hours", 0, "run seeds from 1 on until they have taken so many `HOURS` of virtual time, with --faults soak")
	o.shrink = 30 * time.Second
	f.Func("shrink", "look for a smaller program that fails for this `TIME`; 0: not at all (default 30s)", anyTime(&o.shrink))
	f.StringVar(&o.file, "file", "", "run a case that was kept in `FILE`")
	f.StringVar(&o.save, "save", ".", "keep a case that fails in `DIR` (default: here)")
	f.BoolVar(&o.trace, "trace", false, "show what happens when, in one seed or file")
	usage.Also(f, "trace", "v")
	f.BoolVar(&o.json, "json", false, "print the sums as JSON")
	return f, seeds, hours
}

// parseSim reads the command line.
func parseSim(args []string) (*simOptions, error) {
	o := &simOptions{}
	f, seeds, hours := o.flags()
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is no option", f.Arg(0))
	}
	if err := o.soak(*hours, f); err != nil {
		return nil, err
	}
	f.Visit(func(x *flag.Flag) {
		if slices.Contains([]string{"channel", "rndv", "faults", "programs", "nodes", "profile", "ranks"}, x.Name) {
			o.same = append(o.same, "--"+x.Name, x.Value.String())
		}
	})
	for _, s := range o.cases.Settings {
		o.same = append(o.same, "--set", s)
	}
	var err error
	if o.seeds, err = parseSeeds(*seeds); err != nil {
		return nil, err
	}
	if err := o.chooseAlgorithms(); err != nil {
		return nil, err
	}
	return o, o.check()
}

// chooseAlgorithms makes programs of collectives of those that --algorithms names. A trace is of one of them.
func (o *simOptions) chooseAlgorithms() error {
	switch {
	case len(o.algorithms) == 0:
		return nil
	case o.cases.Programs != "" && o.cases.Programs != "collectives":
		return fmt.Errorf("--algorithms: programs of %s are not about algorithms; leave --programs out", o.cases.Programs)
	case o.trace && len(o.algorithms) > 1:
		return fmt.Errorf("--trace shows a single job; name one algorithm with --algorithms")
	}
	o.cases.Programs = "collectives"
	if len(o.algorithms) == 1 {
		o.cases.Algorithm = o.algorithms[0]
	}
	return nil
}

// soak sets what --hours stands for, unless the command line says otherwise.
func (o *simOptions) soak(hours float64, f *flag.FlagSet) error {
	if hours == 0 {
		return nil
	}
	if !(hours > 0 && hours <= maxHours) {
		return fmt.Errorf("--hours %v: must be more than 0 and at most %d", hours, maxHours)
	}
	o.virtual = time.Duration(hours * float64(time.Hour))
	given := map[string]bool{}
	f.Visit(func(x *flag.Flag) { given[x.Name] = true })
	for name, value := range map[string]string{"faults": "soak", "seeds": "1-1000000000"} {
		if given[name] {
			continue
		}
		if err := f.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// maxHours is how much virtual time one command runs at most.
const maxHours = 10_000

// check refuses what makes no sense.
func (o *simOptions) check() error {
	for _, c := range []struct {
		name, value string
		from        []string
	}{
		{"channel", o.cases.Channel, simtest.Channels}, {"rndv", o.cases.Rendezvous, simtest.Rendezvous},
		{"programs", o.cases.Programs, simtest.Programs},
		{"nodes", o.cases.Nodes, simtest.Nodes},
		{"faults", o.cases.Faults, faultKinds()},
	} {
		if c.value != "" && !slices.Contains(c.from, c.value) {
			return fmt.Errorf("--%s %q: must be one of %s", c.name, c.value, strings.Join(c.from, ", "))
		}
	}
	if p := o.cases.Profile; p != "" {
		if err := simtest.CheckProfile(p); err != nil {
			return fmt.Errorf("--profile: %w", err)
		}
	}
	if n := o.cases.Ranks; n != 0 && (n < 2 || n > 64) {
		return fmt.Errorf("--ranks %d: must be 2 to 64", n)
	}
	if o.jobs < 1 || o.jobs > 1024 {
		return fmt.Errorf("--jobs %d: must be 1 to 1024", o.jobs)
	}
	if o.trace && o.file == "" && (len(o.seeds) != 1 || o.seeds[0].First != o.seeds[0].Last) {
		return fmt.Errorf("--trace shows a single seed; name it with --seeds")
	}
	if st, err := os.Stat(o.save); err != nil || !st.IsDir() {
		return fmt.Errorf("--save %q: is no directory", o.save)
	}
	return nil
}

// parseSeeds takes "1-1000" or "3,7,20-30".
func parseSeeds(text string) ([]simtest.Range, error) {
	var all []simtest.Range
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, err1 := strconv.ParseUint(first, 10, 63)
		b, err2 := strconv.ParseUint(last, 10, 63)
		if err1 != nil || err2 != nil || a > b {
			return nil, fmt.Errorf("--seeds %q: must be numbers and ranges such as 1-1000 or 3,7,20-30", text)
		}
		all = append(all, simtest.Range{First: a, Last: b})
	}
	return all, nil
}
