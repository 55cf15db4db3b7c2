package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/peers"
	"github.com/weft-mpi/weft/internal/bench/rank"
	"github.com/weft-mpi/weft/internal/usage"
	"github.com/weft-mpi/weft/mpi"
)

const everyAbout = `
Measures every operation of mpi against the other libraries, in short interleaved rounds: one job of each library runs all
operations at all sizes, then the next library's does. Prints a table of ratios to the faster of the others, the geometric mean of each
operation and of all, and the worst ten points. Between hosts only Open MPI is compared with.

  weft bench every                                          2, 4 and 8 ranks on this host
  weft bench every --box 2x1,2x2,3x2,2x4                    and between hosts of a cluster in a box
  weft bench every -n none --box 2x2 --ops scan,exscan      some operations, between hosts only
  weft bench every -n 4 --sizes 64 --rounds 15              some points, with less noise
`

// aboutEvery describes "weft bench every".
func aboutEvery() usage.Command {
	return usage.Command{Name: "bench every", Short: "every operation against the peers, in one table", Forms: []string{"[options]"}, About: everyAbout,
		Groups: flagGroup(new(everyOptions).flags())}
}

// everyOptions is a checked command line of `weft bench every`.
type everyOptions struct {
	here, box []bench.Layout
	sizes     []int
	tests     []bench.Test
	bench     benchOptions // of all jobs
	hosts     []string     // of the box; set by the process that has made it
	window    int          // of a rank
	steps     string       // set by the starter for its ranks
}

// everyRounds is how often every library runs unless the user says otherwise.
const everyRounds = 5

func (o *everyOptions) flags() *flag.FlagSet {
	f := newFlags("bench every")
	o.bench = benchOptions{bind: true, timeout: 10 * time.Minute, rounds: everyRounds, window: 1, peers: peers.Names()}
	o.here, o.sizes, o.tests = []bench.Layout{{Ranks: 2}, {Ranks: 4}, {Ranks: 8}}, []int{64, 8 << 10, 256 << 10}, bench.EveryTests()
	f.Func("n", "`N[,N...]`: ranks on this host, or none (default 2,4,8)", o.setHere)
	f.Func("box", "`HOSTSxRANKS,...`: hosts and ranks in a cluster in a box that is made for it (see weft cluster)", o.setBox)
	f.Func("sizes", "`SIZE,...`: message sizes in bytes, suffixes K and M (default 64,8K,256K)", o.setSizes)
	f.Func("ops", "`TEST,...`: operations (default all; see weft bench list)", o.setTests)
	f.Func("rounds", fmt.Sprintf("`N` interleaved rounds (default %d)", everyRounds), count(&o.bench.rounds, 1, 100_000))
	f.Func("peer", "`PEER,...`: compare with these libraries (default openmpi,mpich), or NAME=DIR for a bin directory", func(text string) error {
		o.bench.peers = nil
		return o.bench.setPeers(text)
	})
	f.BoolVar(&o.bench.json, "json", false, "print JSON")
	f.StringVar(&o.bench.save, "save", "", "also write `PREFIX`.json")
	f.Func("bind", "`core|none`: bind the ranks of all libraries alike (default core, while there are enough)", o.bench.setBind)
	f.Func("timeout", "give up one job after this `TIME` (default 10m)", anyTime(&o.bench.timeout))
	f.Func("hosts", "", func(text string) error { o.hosts = strings.Split(text, ","); return nil })
	f.Func("W", "", count(&o.window, 1, bench.MaxWindow))
	f.StringVar(&o.steps, "steps", "", "")
	return f
}

func (o *everyOptions) setHere(text string) error {
	o.here = nil
	if text == "none" {
		return nil
	}
	return eachLayout(text, func(l bench.Layout) error {
		if l.Hosts > 0 {
			return fmt.Errorf("%v is about several hosts: --box %v", l, l)
		}
		o.here = append(o.here, l)
		return nil
	})
}

func (o *everyOptions) setBox(text string) error {
	return eachLayout(text, func(l bench.Layout) error {
		if l.Hosts == 0 {
			return fmt.Errorf("%v is about one host: -n %v", l, l)
		}
		o.box = append(o.box, l)
		return nil
	})
}

func eachLayout(text string, take func(bench.Layout) error) error {
	for word := range strings.SplitSeq(text, ",") {
		l, err := bench.ParseLayout(word)
		if err == nil {
			err = take(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *everyOptions) setSizes(text string) error {
	o.sizes = nil
	for word := range strings.SplitSeq(text, ",") {
		size, err := bench.ParseSize(word)
		if err != nil {
			return err
		}
		if !slices.Contains(o.sizes, size) {
			o.sizes = append(o.sizes, size)
		}
	}
	return nil
}

func (o *everyOptions) setTests(text string) error {
	o.tests = nil
	known := bench.EveryTests()
	for word := range strings.SplitSeq(text, ",") {
		i := slices.IndexFunc(known, func(t bench.Test) bool { return t.Name == word })
		if i < 0 {
			return fmt.Errorf("%q is no operation that every measures; there are: %s", word, testNames(known))
		}
		o.tests = append(o.tests, known[i])
	}
	return nil
}

func testNames(tests []bench.Test) string {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

// benchEvery is `weft bench every`. It returns the exit code.
func benchEvery(args []string) int {
	o := &everyOptions{}
	flags := o.flags()
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("bench", "every")
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected %q: operations are named by --ops", flags.Arg(0))
	case err == nil && len(o.here)+len(o.box) == 0:
		err = errors.New("-n none: without --box there is nothing left to measure")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "weft bench every: %v\n(`weft bench every -h` shows the options)\n", err)
		return codeUsage
	}
	if len(o.box) > 0 && len(o.hosts) == 0 {
		return everyBox(o, args)
	}
	ctx, stop := untilSignal()
	defer stop()
	switch {
	case o.steps != "":
		err = everyRank(o)
	case insideJob():
		err = errors.New("every starts jobs itself and cannot run inside one")
	default:
		err = o.run(ctx)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "weft bench every: %v\n", err)
	if ctx.Err() != nil {
		return codeInterrupted
	}
	return 1
}

// everyBox makes a cluster with as many hosts as the largest layout has, and runs the same words on
// its first one.
func everyBox(o *everyOptions, args []string) int {
	if err := o.open(context.Background()); err != nil { // before anything is built
		fmt.Fprintf(os.Stderr, "weft bench every: %v\n", err)
		return 1
	}
	hosts := slices.MaxFunc(o.box, func(a, b bench.Layout) int { return a.Hosts - b.Hosts }).Hosts
	code, err := runInBox(hosts, func(names []string) []string {
		return append([]string{"bench", "every", "--hosts", strings.Join(names, ",")}, args...)
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "weft bench every --box: %v\n", err)
		return max(code, 1)
	}
	return code
}

// open makes sure that the other libraries are there.
func (o *everyOptions) open(ctx context.Context) error {
	open := &opener{o: &o.bench, peers: map[bool][]*peers.Peer{}}
	_, err := open.libraries(ctx, o.bench.bind, nil)
	return err
}

// run measures and shows.
func (o *everyOptions) run(ctx context.Context) error {
	if warning := bench.Observe().Warning(); warning != "" {
		fmt.Fprintf(os.Stderr, "weft bench every: %s\n", warning)
	}
	var trials []bench.Trial
	var open *opener
	for _, l := range slices.Concat(o.here, o.box) {
		open = &opener{o: o.on(l), peers: map[bool][]*peers.Peer{}}
		for _, cases := range bench.EveryCases(o.tests, l, o.sizes) {
			trial, err := open.list(ctx, cases, o.bench.rounds)
			if err != nil {
				return err
			}
			trials = append(trials, trial)
		}
	}
	if len(trials) == 0 {
		return errors.New("none of the operations runs on these ranks with these sizes")
	}
	report := open.run(ctx, trials)
	report.HoldEvery(o.sizes)
	if err := o.show(report); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if _, _, failed := report.Count(); failed > 0 {
		return fmt.Errorf("comparisons with a failure: %d (see the report)", failed)
	}
	return nil
}

// on is how jobs are run on a layout. Between hosts Open MPI is the only other library: MPICH of
// distributions hangs now and then over TCP.
func (o *everyOptions) on(l bench.Layout) *benchOptions {
	b := o.bench
	if l.Hosts == 0 {
		return &b
	}
	b.packed, b.shared = true, true
	for _, name := range o.hosts[:l.Hosts] {
		b.hosts = append(b.hosts, fmt.Sprintf("%s:%d", name, l.Ranks))
	}
	b.peers = slices.DeleteFunc(slices.Clone(b.peers), func(name string) bool { return !strings.HasPrefix(name, "openmpi") })
	return &b
}

// show prints the report, and saves it when asked to.
func (o *everyOptions) show(r bench.Report) error {
	r.Command = commandLine()
	if o.bench.save != "" {
		if err := writeFile(o.bench.save+".json", func(w io.Writer) error { return bench.WriteJSON(w, r) }); err != nil {
			return err
		}
	}
	if o.bench.json {
		return bench.WriteJSON(os.Stdout, r)
	}
	return r.WriteEvery(os.Stdout)
}

// everyRank is the life of a rank that runs a list of tests.
func everyRank(o *everyOptions) error {
	cases, err := bench.ParseCases(o.steps)
	if err != nil {
		return err
	}
	world, err := mpi.Init()
	if err != nil {
		return err
	}
	if err := rank.Settle(world); err != nil {
		return err
	}
	for i := range cases {
		cases[i].Window = max(o.window, 1)
	}
	if err := runRank(world, cases, printLine); err != nil {
		return err
	}
	return mpi.Finalize()
}
