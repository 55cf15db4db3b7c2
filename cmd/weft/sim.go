package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/simtest"
)

// simCommand is "weft sim": programs, and tests of whole jobs, in virtual time.
func simCommand(args []string) int {
	switch {
	case len(args) > 0 && args[0] == "test":
		return simTest(args[1:])
	case len(args) > 0 && args[0] == "run":
		return simRun(args[1:])
	case len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help", "help"}, args[0]):
		return showHelp("sim")
	}
	fmt.Fprintln(os.Stderr, "weft sim: say what to do: weft sim run or weft sim test (weft sim -h shows the options)")
	return codeUsage
}

// simTest is "weft sim test".
func simTest(args []string) int {
	o, err := parseSim(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("sim", "test")
	case err != nil:
		return refuse("sim test", err)
	}
	switch {
	case o.file != "" || o.trace:
		err = o.runOne()
	case len(o.algorithms) > 0:
		err = o.runAlgorithms(os.Stdout)
	default:
		err = o.runAll()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "weft sim test: %v\n", err)
		return 1
	}
	return 0
}

// runOne runs a file or a single seed, with its trace if it is asked for.
func (o *simOptions) runOne() error {
	c := simtest.New(o.seeds[0].First, o.cases)
	if o.file != "" {
		var err error
		if c, err = simtest.Load(o.file); err != nil {
			return err
		}
	}
	var r simtest.Result
	if o.trace {
		out := bufio.NewWriter(os.Stdout)
		fmt.Fprint(out, c.Describe())
		r = simtest.Run(c, out)
		if err := out.Flush(); err != nil {
			return err
		}
	} else {
		r = simtest.Run(c, nil)
	}
	if r.Err != nil {
		return fmt.Errorf("seed %d: %w", c.Seed, r.Err)
	}
	fmt.Printf("seed %d: %d messages in %v of virtual time; everything was right\n", c.Seed, r.Messages, time.Duration(r.Virtual))
	return nil
}

// runAll runs all seeds.
func (o *simOptions) runAll() error {
	t, err := o.sweep(o.cases)
	if err != nil {
		return err
	}
	if o.json {
		if err := json.NewEncoder(os.Stdout).Encode(t); err != nil {
			return err
		}
	} else {
		fmt.Printf("%d seeds, %d messages, %d jobs in which a rank died, %v of virtual time in %v\n",
			t.Seeds, t.Messages, t.Deaths, t.Virtual.Round(time.Millisecond), t.Real.Round(time.Millisecond))
		fmt.Print(checked(&t))
	}
	if t.Failed > 0 {
		return fmt.Errorf("%d of %d seeds failed", t.Failed, t.Seeds)
	}
	return nil
}

// sweep runs all seeds with some options and shows those that fail, the first of them made smaller.
func (o *simOptions) sweep(cases simtest.Options) (simtest.Tally, error) {
	var first *simtest.Case
	s := simtest.Sweep{Seeds: o.seeds, Options: cases, Jobs: o.jobs, Time: o.time, Virtual: o.virtual, Patience: simPatience}
	again := func(seed uint64) string {
		if cases.Algorithm != "" {
			return o.replay(seed) + " --algorithms " + cases.Algorithm
		}
		return o.replay(seed)
	}
	s.Failed = func(c *simtest.Case, r simtest.Result) {
		fmt.Fprintf(os.Stderr, "seed %d (%s) fails: %v\n  again, with a trace: %s\n", c.Seed, c.Summary(), r.Err, again(c.Seed))
		if first == nil {
			first = c
		}
	}
	s.Stuck = func(c *simtest.Case) {
		fmt.Fprintf(os.Stderr, "seed %d (%s) does not end\n  again, with a trace: %s\n", c.Seed, c.Summary(), again(c.Seed))
		os.Exit(1)
	}
	t := s.Run()
	if first != nil && o.shrink > 0 {
		return t, o.showSmaller(first)
	}
	return t, nil
}

// checked tells how much was compared and what went wrong meanwhile.
func checked(t *simtest.Tally) string {
	c := t.Counters
	return fmt.Sprintf("%d bytes of payload compared\nranks on nodes: %s\nfaults that began: %s\n%.0f datagrams, of which %.0f were lost, %.0f doubled, %.0f late; "+
		"%.0f frames sent again; %.0f ends of connections made, %.0f broken\n", t.Bytes, numbers(t.Layouts), numbers(t.Faults),
		c["Rail.Device.datagrams"], c["Rail.Device.datagrams_lost"], c["Rail.Device.datagrams_doubled"], c["Rail.Device.datagrams_late"],
		c["Rail.Flow.Retransmits"]+c["Rail.Flow.Replayed"], c["Rail.Counters.Lanes"], c["Rail.Counters.Broken"])
}

// numbers lists how often what has happened.
func numbers(of map[string]int) string {
	var all []string
	for _, what := range slices.Sorted(maps.Keys(of)) {
		all = append(all, fmt.Sprintf("%s %d", what, of[what]))
	}
	if all == nil {
		return "none"
	}
	return strings.Join(all, ", ")
}

// simPatience is how long a run may take, in real time; most take a hundredth of a second.
const simPatience = 3 * time.Minute

// replay is the command that runs a seed again.
func (o *simOptions) replay(seed uint64) string {
	words := []string{"weft sim test --trace --seeds", fmt.Sprint(seed)}
	return strings.Join(append(words, o.same...), " ")
}

// showSmaller makes a failing case smaller, keeps it in a file and says how to run that.
func (o *simOptions) showSmaller(c *simtest.Case) error {
	symptom := simtest.Symptom(simtest.Run(c, nil).Err)
	small := simtest.Shrink(c, o.shrink, func(c *simtest.Case) bool {
		r := simtest.Run(c, nil)
		return r.Err != nil && simtest.Symptom(r.Err) == symptom
	})
	path := filepath.Join(o.save, fmt.Sprintf("seed-%d.json", c.Seed))
	if err := small.Save(path); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "seed %d fails alike with %d of its %d items and %d of its %d faults:\n%s  weft sim test --trace --file %s\n",
		c.Seed, len(small.Items), len(c.Items), len(small.Faults), len(c.Faults), small.Describe(), path)
	return nil
}
