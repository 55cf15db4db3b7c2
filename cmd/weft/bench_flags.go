package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/internal/bench/peers"
)

// benchOptions is a checked command line of `weft bench`.
type benchOptions struct {
	test  bench.Test
	suite bool // all of bench.SuiteCases instead of one test
	list  bool

	ranks    int
	sizes    bench.Range
	loops    bench.Loops
	full     bool
	validate bool
	window   int
	memory   int // bytes of one buffer
	bind     bool
	timeout  time.Duration // of one run

	json, csv, markdown bool
	plot                string
	save                string

	peers  []string
	rounds int

	steps string // set by the starter for its ranks: run exactly these and print lines for it
}

const benchUsage = `usage: weft bench NAME [options]
       weft bench suite --peer openmpi,mpich [options]

Measures message passing between ranks on this host and prints what the OSU micro-benchmarks print.
Started plainly it starts its own ranks; started by 'weft run' it is one of them. osu_NAME works as well as NAME.

  weft bench latency                                half round trip, 0 to 4 MB
  weft bench allreduce -n 4 -m 8:64K                a collective on 4 ranks, 8 B to 64 KB
  weft bench latency -m 8 -x 10 -i 1000 -c          as an acceptance test runs it, data checked
  weft bench latency --peer openmpi,mpich           against other libraries, in interleaved rounds
  weft bench bw --peer mpich --plot bw.svg          the same as a figure, with its numbers in bw.csv
  weft run -n 16 weft bench alltoall                inside a job of your own

Names:
`

// benchHelp returns the text of `weft bench -h`.
func benchHelp() string {
	var b strings.Builder
	b.WriteString(benchUsage)
	_ = listTests(&b)
	b.WriteString("  suite           latency, bw and five collectives against the peers, held against the bars\n\nOptions:\n")
	var o benchOptions
	flags := o.flags()
	flags.VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			return // an alias or not for people
		}
		name, usage := flag.UnquoteUsage(f)
		dash := "-"
		if len(f.Name) > 1 {
			dash = "--"
		}
		fmt.Fprintf(&b, "  %-22s %s\n", strings.TrimSpace(dash+f.Name+" "+name), usage)
	})
	return b.String()
}

func listTests(w io.Writer) error {
	for _, t := range bench.Tests() {
		if _, err := fmt.Fprintf(w, "  %-15s %s\n", t.Name, t.About); err != nil {
			return err
		}
	}
	return nil
}

// parseBench reads the command line. Options may stand before and after the name.
func parseBench(args []string) (*benchOptions, error) {
	o := &benchOptions{}
	flags := o.flags()
	var names []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			break
		}
		names = append(names, flags.Arg(0))
		args = flags.Args()[1:]
	}
	switch {
	case len(names) == 0:
		return nil, flag.ErrHelp
	case len(names) > 1:
		return nil, fmt.Errorf("one benchmark at a time, not %s", strings.Join(names, " and "))
	}
	switch names[0] {
	case "list":
		o.list = true
		return o, nil
	case "suite":
		o.suite = true
	default:
		var err error
		if o.test, err = bench.Find(names[0]); err != nil {
			return nil, err
		}
	}
	return o, o.check()
}

// check refuses options that contradict each other or the test, before anything runs.
func (o *benchOptions) check() error {
	switch {
	case o.suite && len(o.peers) == 0:
		return fmt.Errorf("suite compares with other libraries: add --peer %s", strings.Join(peers.Names(), ","))
	case o.suite && (o.csv || o.plot != ""):
		return errors.New("suite holds many tables: use --json, --markdown or --save instead of --csv and --plot")
	case o.validate && (o.suite || len(o.peers) > 0):
		return errors.New("-c checks Weft's own data and goes without --peer")
	case btoi(o.json)+btoi(o.csv)+btoi(o.markdown) > 1:
		return errors.New("one of --json, --csv and --markdown, not several (--save writes JSON and Markdown files)")
	case (o.markdown || o.save != "") && len(o.peers) == 0:
		return errors.New("--markdown and --save belong to comparisons: add --peer")
	case o.plot != "" && o.test.Sizeless:
		return fmt.Errorf("%s has no message size to draw over", o.test.Name)
	}
	if o.plot != "" {
		if err := figure.CheckPath(o.plot); err != nil {
			return err
		}
	}
	if o.steps != "" {
		_, err := bench.ParseSteps(o.steps)
		return err
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// flags declares the options and their OSU long names.
func (o *benchOptions) flags() *flag.FlagSet {
	f := flag.NewFlagSet("weft bench", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	o.window, o.ranks, o.rounds, o.memory, o.timeout, o.bind = 64, 2, 15, 512<<20, 5*time.Minute, true

	f.Func("m", "message `sizes`: MAX, MIN:MAX or MIN: in bytes, suffixes K and M", o.setSizes)
	f.Func("i", "`iterations` per size (default as the OSU suite)", count(&o.loops.Iterations, 1, 100_000_000))
	f.Func("x", "warm-up `iterations` per size", o.setWarmup)
	f.Func("W", "`messages` in flight in bandwidth tests (default 64)", count(&o.window, 1, bench.MaxWindow))
	f.Func("M", "largest `bytes` of one buffer (default 512M)", o.setMemory)
	f.Func("n", "`ranks` to start (default 2)", count(&o.ranks, 1, bench.MaxRanks))
	f.BoolVar(&o.full, "f", false, "also print minimum and maximum over the ranks, and the iterations")
	f.BoolVar(&o.validate, "c", false, "check the received data and print Pass or Fail")
	for short, long := range map[string]string{"m": "message-size", "i": "iterations", "x": "warmup", "W": "window-size",
		"M": "mem-limit", "f": "full", "c": "validation"} {
		f.Var(f.Lookup(short).Value, long, "")
	}
	f.Func("np", "", count(&o.ranks, 1, bench.MaxRanks))
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.csv, "csv", false, "print CSV")
	f.BoolVar(&o.markdown, "markdown", false, "print Markdown (comparisons)")
	f.StringVar(&o.plot, "plot", "", "draw a `figure`; the name ends in .svg, .png or .pdf, its numbers go beside it as .csv")
	f.StringVar(&o.save, "save", "", "also write `prefix`.json and prefix.md (comparisons)")
	f.Func("peer", "compare with these `libraries`: openmpi, mpich, or NAME=DIR for a bin directory", o.setPeers)
	f.Func("rounds", "interleaved `rounds` of a comparison (default 15)", count(&o.rounds, 1, 100_000))
	f.Func("bind", "`core` or none: bind the ranks of every library alike, to cores while there are enough (default core)", o.setBind)
	f.DurationVar(&o.timeout, "timeout", o.timeout, "give up a run after this `time` (default 5m)")
	f.StringVar(&o.steps, "steps", "", "")
	return f
}

// count returns a flag setter for a number in a range.
func count(into *int, low, high int) func(string) error {
	return func(text string) error {
		v, err := strconv.Atoi(text)
		if err != nil || v < low || v > high {
			return fmt.Errorf("want a number from %d to %d", low, high)
		}
		*into = v
		return nil
	}
}

func (o *benchOptions) setSizes(text string) (err error) {
	o.sizes, err = bench.ParseRange(text)
	return err
}

func (o *benchOptions) setWarmup(text string) error {
	o.loops.WarmupGiven = true
	return count(&o.loops.Warmup, 0, 100_000_000)(text)
}

func (o *benchOptions) setMemory(text string) (err error) {
	o.memory, err = bench.ParseSize(text)
	return err
}

func (o *benchOptions) setBind(text string) error {
	switch text {
	case "none", "core":
		o.bind = text == "core"
		return nil
	}
	return errors.New("want none or core")
}

func (o *benchOptions) setPeers(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if name == "" {
			return errors.New("want names joined by commas")
		}
		o.peers = append(o.peers, name)
	}
	return nil
}
