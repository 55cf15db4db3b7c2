package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/weft-mpi/weft/internal/bench"
	"golang.org/x/sys/unix"
)

// benchMain is `weft bench`. Inside a job it is one rank of it; otherwise it starts a job of its own and shows
// the result. It returns the exit code.
func benchMain(args []string) int {
	if len(args) > 0 && args[0] == "every" {
		return benchEvery(args[1:])
	}
	o, err := parseBench(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("bench")
	case err != nil:
		fmt.Fprintf(os.Stderr, "weft bench: %v\n(`weft bench -h` shows the options)\n", err)
		return codeUsage
	}
	if warning := bench.Observe().Warning(); warning != "" && !o.list && o.steps == "" && !insideJob() {
		fmt.Fprintf(os.Stderr, "weft bench: %s\n", warning)
	}
	if o.box && !insideJob() {
		return benchBox(args)
	}
	ctx, stop := untilSignal()
	defer stop()
	switch {
	case o.list:
		err = listTests(os.Stdout)
	case o.steps != "" || insideJob():
		err = benchRank(o)
	case o.suite:
		err = benchSuite(ctx, o)
	case o.compares():
		err = benchCompare(ctx, o)
	default:
		err = benchPlain(ctx, o)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errSlower):
		fmt.Fprintf(os.Stderr, "weft bench: %v\n", err)
		return codeSlower
	case errors.Is(err, unix.EPIPE):
		return 1 // the reader of our output has left; there is nobody to tell
	}
	fmt.Fprintf(os.Stderr, "weft bench: %v\n", err)
	if ctx.Err() != nil {
		return codeInterrupted
	}
	return 1
}

// insideJob says whether some launcher started this process as a rank.
func insideJob() bool {
	for _, name := range []string{"WEFT_RANK", "PMI_FD", "PMI_PORT"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// plainCase returns the case of a plain run on that many ranks.
func (o *benchOptions) plainCase(ranks int) (bench.Case, error) {
	return o.plainCaseOf(o.test, ranks)
}

func (o *benchOptions) plainCaseOf(t bench.Test, ranks int) (bench.Case, error) {
	if err := t.CheckRanks(ranks); err != nil {
		return bench.Case{}, err
	}
	sizes, err := bench.Sizes(t, o.sizes, ranks, o.memory)
	if err != nil {
		return bench.Case{}, err
	}
	return bench.Case{Test: t, Ranks: ranks, Window: o.window, Validate: o.validate, Steps: bench.PlainSteps(t, sizes, o.loops)}, nil
}

// startRanks returns how many ranks a plain run or the comparison of one test starts.
func (o *benchOptions) startRanks() int {
	if o.ranks > 0 {
		return o.ranks
	}
	return defaultRanks
}

// Unless the user says otherwise.
const (
	defaultRanks  = 2
	defaultRounds = 15
)

// roundCase returns the case of one round of a comparison.
func (o *benchOptions) roundCase() (bench.Case, error) {
	c, err := o.plainCase(o.startRanks())
	if err != nil {
		return bench.Case{}, err
	}
	sizes, err := bench.Sizes(o.test, o.sizes, c.Ranks, o.memory)
	if err != nil {
		return bench.Case{}, err
	}
	c.Steps = bench.RoundSteps(o.test, sizes, c.Ranks, o.window, o.loops)
	switch {
	case o.net:
		c.Bars = bench.NetBars()
	case len(o.peers)+len(o.arms) > 0:
		c.Bars = bench.HostBars
	}
	return c, nil
}
