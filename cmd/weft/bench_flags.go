package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/peers"
	"github.com/weft-mpi/weft/internal/usage"
)

// benchOptions is a checked command line of `weft bench`.
type benchOptions struct {
	test  bench.Test
	study *bench.Study // several tests and settings instead of one test
	suite bool         // everything that has a bar instead of one test
	list  bool

	benchNetwork
	benchOutput

	ranks     int // 0: as many as the test itself wants
	sizes     bench.Range
	loops     bench.Loops
	validate  bool
	window    int
	memory    int // bytes of one buffer
	bind      bool
	bindGiven bool
	timeout   time.Duration // of one run

	arms    []bench.Arm // settings of Weft to compare
	peers   []string
	against string  // path of another build of Weft
	limit   float64 // of the geometric mean of the ratios to it; 0: none
	quick   bool    // a suite of minutes
	rounds  int     // 0: as many as the comparison itself wants

	steps string // set by the starter for its ranks: run exactly these and print lines for it
}

// benchNetwork says how ranks reach each other, in all libraries alike.
type benchNetwork struct {
	net      bool // the network interface between ranks of one host too
	netGiven bool
	hosts    []string // where ranks run; nil: here
	packed   bool     // hosts say how many ranks they take, HOST:N, and are filled one after the other; otherwise ranks go round the hosts
	shared   bool     // hosts are parts of this machine and share its processors
	box      bool     // on hosts that are made for it
	iface    string   // network interfaces
}

// benchOutput says what becomes of the result.
type benchOutput struct {
	full                bool
	json, csv, markdown bool
	plot                string
	save                string
}

const benchAbout = `
Measures message passing between ranks on this host and prints what the OSU micro-benchmarks print.
Started plainly it starts its own ranks; started by 'weft run' it is one of them. osu_NAME works as well as NAME.

  weft bench latency                                half round trip, 0 to 4 MB
  weft bench allreduce -n 4 -m 8:64K                a collective on 4 ranks, 8 B to 64 KB
  weft bench latency -m 8 -x 10 -i 1000 -c          as an acceptance test runs it, data checked
  weft bench latency --peer openmpi,mpich           against other libraries, in interleaved rounds
  weft bench latency --against ./weft-old           against another build of Weft, in interleaved rounds
  weft bench suite --quick --against ./weft-old --limit 1.02
                                                    everything in minutes; exit code 3 if it became slower
  weft bench bw --peer mpich --plot bw.svg          the same as a figure, with its numbers in bw.csv
  weft run -n 16 weft bench alltoall                inside a job of your own
  weft bench latency --net --peer openmpi           over the network interface, even on one host
  weft bench latency --net --set channel=ud --set channel=srq
                                                    two settings of Weft against each other
  weft bench overlap --peer openmpi,mpich           a study: several tests, settings and libraries
  weft bench overlap -m 64K:4M --set rndv=rget,progress=poll
                                                    the same for other sizes and one setting
  weft bench qos --host h0,h1 --peer openmpi,mpich  what short messages suffer from long ones
  weft bench rails --host h0,h1 --iface rail0,rail1 between hosts
`

// aboutBench describes "weft bench", with all tests that there are.
func aboutBench() usage.Command {
	var tests strings.Builder
	_ = listTests(&tests)
	tests.WriteString("  suite           latency, bw and five collectives against the peers, held against targets, and every other\n" +
		"                  operation at three sizes; with --net the studies, held against theirs; with --against also\n" +
		"                  message rate, overlap and more sizes, and with --host or --box all of it between hosts, too\n")
	return usage.Command{Forms: []string{"TEST [options]", "suite [--net] --peer openmpi,mpich [options]", "suite [--quick] --against BINARY [options]"},
		About: benchAbout + tests.String(), Words: "TEST", Groups: flagGroup(new(benchOptions).flags()), Parts: []usage.Command{aboutEvery()}}
}

// listTests prints the tests by what they are about, the studies before those that only these are made of.
func listTests(w io.Writer) error {
	var b strings.Builder
	width := 15
	for _, t := range bench.Tests() {
		width = max(width, len(t.Name))
	}
	for _, topic := range bench.Topics() {
		if topic == bench.StudyTopic {
			b.WriteString("\nStudies:\n")
			for _, s := range bench.Studies() {
				fmt.Fprintf(&b, "  %-15s %s\n", s.Name, s.About)
			}
		}
		fmt.Fprintf(&b, "\n%s:\n", topic)
		for _, t := range bench.Tests() {
			if t.Topic() == topic {
				fmt.Fprintf(&b, "  %-*s %s\n", width, t.Name, t.About)
			}
		}
	}
	b.WriteString("\nSeveral tests at once:\n")
	b.WriteString("  every           every operation against the peers, in one table (see weft bench every -h)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// parseBench reads the command line. Options may stand before and after the name.
func parseBench(args []string) (*benchOptions, error) {
	o := &benchOptions{}
	flags := o.flags()
	args = plotOption(args)
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
		if err := o.find(names[0]); err != nil {
			return nil, err
		}
	}
	return o, o.check()
}

// find looks the name up among the studies, then among the tests: a study may have its only test's name. A rank that
// was started to run steps always runs a test.
func (o *benchOptions) find(name string) error {
	if study, found := bench.FindStudy(name); found && o.steps == "" {
		o.study = &study
		if !o.netGiven {
			o.net = true
		}
		return nil
	}
	var err error
	o.test, err = bench.Find(name)
	return err
}

// compares says whether the command line asks for a comparison, not for a plain run.
func (o *benchOptions) compares() bool {
	return o.suite || o.study != nil || len(o.peers) > 0 || len(o.arms) > 0 || o.against != ""
}

// check refuses options that contradict each other or the test, before anything runs.
func (o *benchOptions) check() error {
	switch {
	case o.timeout <= 0:
		return fmt.Errorf("--timeout %v: nothing can be measured in that", o.timeout)
	case o.suite && len(o.peers) == 0 && o.against == "":
		return fmt.Errorf("suite compares with other libraries, or another build of Weft: add --peer %s or --against BINARY", strings.Join(peers.Names(), ","))
	case o.suite && (o.csv || o.plot != ""):
		return errors.New("suite holds many tables: use --json, --markdown or --save instead of --csv and --plot")
	case o.validate && o.compares():
		return errors.New("-c checks Weft's own data in a plain run: it goes without --peer, --set and --against")
	case o.validate && !o.test.Checks():
		return fmt.Errorf("%s measures only and cannot check data: leave out -c", o.test.Name)
	case o.study != nil && len(o.peers) > 0 && !o.study.Peers:
		return fmt.Errorf("%s compares settings of Weft and goes without --peer", o.study.Name)
	case o.study != nil && o.study.Rails && !o.severalRails():
		return fmt.Errorf("%s needs two network interfaces: name them with --iface, and the hosts with --host", o.study.Name)
	case o.suite && !o.net && o.ranks > 0 && !slices.Contains(bench.SuiteRanks, o.ranks):
		return fmt.Errorf("suite measures on %v ranks: -n takes one of these, and leaves out the others", bench.SuiteRanks)
	case o.suite && len(o.arms) > 0:
		return errors.New("suite chooses its settings itself and goes without --set")
	case o.quick && (!o.suite || o.net):
		return errors.New("--quick is about the suite, without --net: weft bench suite --quick")
	case o.limit > 0 && o.against == "":
		return errors.New("--limit is about the ratio to another build of Weft: add --against BINARY")
	case o.against != "" && slices.ContainsFunc(o.arms, func(a bench.Arm) bool { return a.Name == bench.Old }):
		return fmt.Errorf("a setting is called %s, as the build of --against is", bench.Old)
	case o.box && len(o.hosts) > 0:
		return errors.New("--box makes hosts of its own: it goes without --host")
	case o.iface != "" && !o.net && len(o.hosts) == 0 && !o.box:
		return errors.New("--iface goes with --net or --host")
	case btoi(o.json)+btoi(o.csv)+btoi(o.markdown) > 1:
		return errors.New("one of --json, --csv and --markdown, not several (--save writes JSON and Markdown files)")
	case (o.markdown || o.save != "") && !o.compares():
		return errors.New("--markdown and --save belong to comparisons: add --peer, --set or --against")
	case o.plot != "" && o.test.Sizeless:
		return fmt.Errorf("%s has no message size to draw over", o.test.Name)
	}
	var err error
	if o.plot, err = plotPath(o.plot, o.name()); err != nil {
		return err
	}
	if o.steps != "" {
		_, err := bench.ParseSteps(o.steps)
		return err
	}
	return nil
}

// name is that of the study, or else of the test.
func (o *benchOptions) name() string {
	if o.study != nil {
		return o.study.Name
	}
	return o.test.Name
}

// severalRails says whether there may be more than one network interface to use: the user names several, or other
// hosts, whose interfaces are their own.
func (o *benchOptions) severalRails() bool { return len(o.hosts) > 0 || strings.Contains(o.iface, ",") }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// flags declares the options and their OSU long names.
func (o *benchOptions) flags() *flag.FlagSet {
	f := newFlags("bench")
	o.window, o.memory, o.timeout, o.bind = 64, 512<<20, 5*time.Minute, true

	f.Func("m", "`[MIN:]MAX`: message sizes in bytes or MIN:, suffixes K and M", o.setSizes)
	f.Func("i", "`N` iterations per size (default as the OSU suite)", count(&o.loops.Iterations, 1, 100_000_000))
	f.Func("x", "`N` warm-up iterations per size", o.setWarmup)
	f.Func("W", "`N` messages in flight in bandwidth tests (default 64)", count(&o.window, 1, bench.MaxWindow))
	f.Func("M", "`SIZE`: one buffer has at most so many bytes (default 512M)", o.setMemory)
	f.Func("g", "`N[,N...]`: goroutines of each rank in latency_mt and rate_mt (default 1,2,4,8,16,64)", o.setGoroutines)
	f.Func("n", "start `N` ranks (default 2)", count(&o.ranks, 1, bench.MaxRanks))
	f.BoolVar(&o.full, "f", false, "also print minimum and maximum over the ranks, and the iterations")
	f.BoolVar(&o.validate, "c", false, "check the received data and print Pass or Fail")
	for short, long := range map[string]string{"i": "iterations", "x": "warmup", "W": "window-size",
		"M": "mem-limit", "g": "goroutines", "f": "full", "c": "validation", "n": "np"} {
		usage.Also(f, short, long)
	}
	usage.Also(f, "m", "sizes", "message-size")
	o.outputFlags(f)
	o.comparisonFlags(f)
	f.BoolVar(&o.box, "box", false, "run ranks on two hosts of a cluster in a box that is made for it (see weft cluster)")
	f.Func("bind", "`core|none`: bind the ranks of every library alike: to cores while there are enough (default core; none where ranks compute)", o.setBind)
	f.BoolFunc("net", "use the network interface between ranks of one host too (studies do; --net=false for shared memory)", o.setNet)
	f.Func("shares", "`N[,N...]`: percentages of reuse, delay, communication or 4 MB where a test has them", o.setShares)
	f.BoolVar(&o.shared, "shared", false, "")
	f.Func("host", "`HOST,...`: run ranks on these hosts in turn; with --net over the network alone", o.setHosts)
	f.StringVar(&o.iface, "iface", "", "`INTERFACE,...`: use these network interfaces (with --net)")
	f.Func("timeout", "give up a run after this `TIME` (default 5m)", anyTime(&o.timeout))
	f.StringVar(&o.steps, "steps", "", "")
	return f
}

// outputFlags declares what becomes of the result.
func (o *benchOutput) outputFlags(f *flag.FlagSet) {
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.csv, "csv", false, "print CSV")
	f.BoolVar(&o.markdown, "markdown", false, "print Markdown (comparisons)")
	f.StringVar(&o.plot, "plot", "", "draw a figure into `FILE`, .svg or .pdf, with its numbers beside it as .csv; without a name it gets that of the test")
	f.StringVar(&o.save, "save", "", "also write `PREFIX`.json and PREFIX.md (comparisons)")
}

// comparisonFlags declares what is held against what.
func (o *benchOptions) comparisonFlags(f *flag.FlagSet) {
	f.Func("peer", "`PEER,...`: compare with these libraries: openmpi, mpich, or NAME=DIR for a bin directory; weft-c=DIR is Weft's C library", o.setPeers)
	f.StringVar(&o.against, "against", "", "compare with another build of Weft, the `PATH` of its weft")
	f.Func("limit", "end with code 3 if the geometric mean of the ratios to the build of --against is above this `RATIO`", o.setLimit)
	f.BoolVar(&o.quick, "quick", false, "a suite of minutes: few sizes and job sizes")
	f.Func("rounds", "`N` interleaved rounds of a comparison (default 15, some studies fewer)", count(&o.rounds, 1, 100_000))
	f.Func("set", "`NAME=VALUE,...`: compare these settings of Weft; several --set make several sides, the first is held against the others", o.setArm)
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
		o.bind, o.bindGiven = text == "core", true
		return nil
	}
	return errors.New("want none or core")
}

func (o *benchOptions) setNet(text string) (err error) {
	o.net, err = strconv.ParseBool(text)
	o.netGiven = true
	return err
}

func (o *benchOptions) setArm(text string) error {
	arm, err := bench.NewArm(text)
	if err != nil {
		return err
	}
	for _, other := range o.arms {
		if other.Name == arm.Name {
			return fmt.Errorf("two settings are both called %s", arm.Name)
		}
	}
	o.arms = append(o.arms, arm)
	return nil
}

func (o *benchOptions) setLimit(text string) (err error) {
	o.limit, err = strconv.ParseFloat(text, 64)
	if err != nil || !(o.limit > 0 && o.limit <= 1e6) {
		return errors.New("want a ratio such as 1.02")
	}
	return nil
}

func (o *benchOptions) setShares(text string) (err error) {
	o.loops.Shares, err = bench.ParseShares(text)
	return err
}

func (o *benchOptions) setGoroutines(text string) (err error) {
	if o.loops.Shares, err = bench.ParseShares(text); err != nil || slices.Min(o.loops.Shares) < 1 {
		return errors.New("want numbers from 1 on, joined by commas")
	}
	return nil
}

func (o *benchOptions) setHosts(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if name == "" || strings.HasPrefix(name, "-") {
			return errors.New("want names joined by commas")
		}
		o.hosts = append(o.hosts, name)
	}
	return nil
}

func (o *benchOptions) setPeers(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if name == "" {
			return errors.New("want names joined by commas")
		}
		if library, _, _ := strings.Cut(name, "="); strings.Contains(library, "/") {
			return fmt.Errorf("%s is a path; another build of Weft is named by --against", library)
		}
		o.peers = append(o.peers, name)
	}
	return nil
}
