package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/tuner"
	"github.com/weft-mpi/weft/internal/usage"
)

const tuneAbout = `
Weft chooses collective algorithms by a model of the machine. weft tune measures the numbers of this model, in several jobs, in less
than a minute, says how sure each of them is, and writes them down:

  weft tune --save my.machine                        this host
  weft tune --host h1:4,h2:4 --save my.machine       two hosts of four ranks each
  weft tune --on sim:qsnet2                          a simulated cluster, the same every time

  weft run -n 8 --host h1,h2 --set machine=@my.machine ./prog
  WEFT_MACHINE=@my.machine weft info --explain allgather 64K 8

With --algorithms it times every collective algorithm itself and writes rules that choose the fastest. What is chosen without them
stays unless another algorithm is clearly faster, in all jobs:

  weft tune --algorithms                                       2, 4 and 8 ranks on this host; many minutes
  weft tune --algorithms -n 16 --ops allreduce,bcast -m 8:64K  part of it
  weft tune --algorithms -n 8 --host h1,h2 --save my.rules     on two hosts, into a file
  weft tune --algorithms -n 16 --on sim:qsnet2 --nodes 4       on a simulated cluster
  weft tune --algorithms -n 8 --host h1,h2 --verify            and see what the rules are worth
  weft tune --algorithms -n 8 --ops alltoall --spread 0,8      also with ranks that come to the calls apart
  weft tune --algorithms -n 16 --on sim:10ge --plot            draw what the rules gain

  weft run -n 8 --host h1,h2 --set coll=@my.rules ./prog

With --regret it compares the algorithm that is chosen with the best one, for many operations, sizes and shapes of clusters, in
virtual time:

  weft tune --regret                                 three networks, eight shapes; some minutes
  weft tune --regret --on sim:ndr,10ge --shapes 3x2,3+1+2 --ops allgather -m 8:64K

A run that is interrupted writes what it has measured so far, and says how to go on.
`

// aboutTune describes "weft tune".
func aboutTune() usage.Command {
	o := newTuneOptions()
	return usage.Command{Forms: []string{"[options]", "--algorithms [options]", "--regret [options]"}, About: tuneAbout,
		Groups: flagGroup(o.flags(new(tuneModeFlags)))}
}

// tuneOptions is a checked command line of "weft tune".
type tuneOptions struct {
	mode      tuneMode
	ranks     []int // none: as many as suits
	hosts     []string
	hostFiles []string
	profile   string // of the simulated cluster, "" for real ones; the first of profiles
	profiles  []string
	shapes    []tuner.Shape
	memory    int // bytes that the buffers of a simulated job may have
	nodes     int
	ops       []coll.Op
	min, max  int
	rounds    int // of a job
	jobs      int
	spreads   []int
	spread    int // of spreads, the one that is measured
	margin    float64
	settings  []string
	verify    bool
	against   []string // algorithms to verify against, nil for all
	rules     string   // a file of rules to verify
	verifies  string   // rules that a rank is to verify
	tuneOutput
}

// tuneOutput says what becomes of what was measured.
type tuneOutput struct {
	save, json string
	plot       string // a file for a figure
	resume     string // a file that an interrupted run has left
	quiet      bool
}

// tuneModeFlags are the options that say what is measured.
type tuneModeFlags struct{ algorithms, regret bool }

// tuneMode is what is measured.
type tuneMode string

const (
	tunesMachine    tuneMode = "the machine"
	tunesAlgorithms tuneMode = "--algorithms"
	tunesRegret     tuneMode = "--regret"
)

// tuneModes says with which modes options go that do not go with all.
var tuneModes = map[string][]tuneMode{
	"n": {tunesMachine, tunesAlgorithms}, "host": {tunesMachine, tunesAlgorithms}, "hostfile": {tunesMachine, tunesAlgorithms},
	"nodes": {tunesMachine, tunesAlgorithms}, "jobs": {tunesMachine, tunesAlgorithms}, "rounds": {tunesMachine, tunesAlgorithms},
	"save": {tunesMachine, tunesAlgorithms}, "resume": {tunesMachine, tunesAlgorithms}, "ops": {tunesAlgorithms, tunesRegret}, "m": {tunesAlgorithms, tunesRegret},
	"spread": {tunesAlgorithms}, "margin": {tunesAlgorithms}, "verify": {tunesAlgorithms}, "against": {tunesAlgorithms},
	"plot":   {tunesAlgorithms},
	"shapes": {tunesRegret}, "memory": {tunesRegret},
}

// setMode finds out what is measured, and whether all options that were given go with it.
func (o *tuneOptions) setMode(wanted *tuneModeFlags, f *flag.FlagSet) (err error) {
	switch algorithms := wanted.algorithms || o.rules != ""; {
	case algorithms && wanted.regret:
		return errors.New("--regret goes with neither --algorithms nor --rules: name one of them")
	case algorithms:
		o.mode = tunesAlgorithms
	case wanted.regret:
		o.mode = tunesRegret
	default:
		o.mode = tunesMachine
	}
	f.Visit(func(given *flag.Flag) {
		modes, some := tuneModes[given.Name]
		if !some || slices.Contains(modes, o.mode) || err != nil {
			return
		}
		if modes[0] == tunesMachine {
			err = fmt.Errorf("--%s is not for --regret, which simulates the shapes of --shapes: leave it out", given.Name)
			return
		}
		var words []string
		for _, m := range modes {
			words = append(words, string(m))
		}
		err = fmt.Errorf("%s goes with %s only: add that, or leave it out", usage.Dashed(given.Name), strings.Join(words, " and "))
	})
	return err
}

func newTuneOptions() *tuneOptions {
	return &tuneOptions{spreads: []int{0}, min: 8, max: 1 << 20, memory: 256 << 20, margin: 5, tuneOutput: tuneOutput{save: "-"}}
}

// flags declares the options.
func (o *tuneOptions) flags(mode *tuneModeFlags) *flag.FlagSet {
	f := newFlags("tune")
	f.BoolVar(&mode.algorithms, "algorithms", false, "time every collective algorithm and write rules that choose the fastest")
	f.BoolVar(&mode.regret, "regret", false, "see what the choice of algorithms costs, on simulated clusters")
	f.Func("n", "`N[,N...]`: ranks to measure with; a list only with --algorithms (default there 2,4,8; else as many as processors, and "+
		"twice as many to see what turns cost)", o.setRanks)
	f.Func("host", "`HOST[:N],...`: run on these hosts, as in weft run", appendTo(&o.hosts))
	f.Func("hostfile", "the same from `FILE`", appendTo(&o.hostFiles))
	f.Func("on", "`sim:PROFILE`: a simulated cluster instead (weft lab list --profiles shows them); with --regret a list of profiles", o.setPlatform)
	f.IntVar(&o.nodes, "nodes", 0, "the simulated cluster has `N` nodes (default 2; with --algorithms 1 per 4 ranks)")
	f.Func("jobs", "measure in `N` jobs (default 5; with --algorithms 3; in virtual time 1)", count(&o.jobs, 1, mostRounds))
	f.Func("rounds", "`N` interleaved rounds of a job (default 20; with --algorithms 7)", count(&o.rounds, 1, mostRounds))
	f.Func("ops", "`OP,...`: operations (default all of all ranks with equal blocks); with --regret also those between neighbours, "+
		"of which ranks have 4, 6 and 26 in grids", o.setOps)
	f.Func("m", "`[MIN:]MAX`: sizes, every fourth power of two between, with --regret every eighth (default 8:1M)", o.setSizes)
	f.Func("spread", "`N[,N...]`: have ranks come to the calls apart: the last one N times the shortest call after the first; several make "+
		"rules by how far apart ranks are found to come when a program runs (default 0: together)", o.setSpreads)
	f.IntVar(&o.spread, rankSpread, 0, "") // for ranks only
	f.Float64Var(&o.margin, "margin", o.margin, "a new algorithm has to be faster by so many `PERCENT` (default 5)")
	f.Func("set", "`NAME=VALUE`: a setting of Weft for the ranks; may be repeated", func(v string) error {
		own, err := settingsOf(v)
		o.settings = append(o.settings, own...)
		return err
	})
	f.BoolVar(&o.verify, "verify", false, "then run the rules, what is chosen without them and every algorithm that can do all sizes again, and "+
		"compare their geometric means over the sizes")
	f.Func("against", "`ALGORITHM,...`: verify against these algorithms only: more rounds in the same time", func(v string) error {
		o.against = append(o.against, strings.Split(v, ",")...)
		return nil
	})
	f.StringVar(&o.rules, "rules", "", "verify the rules of `FILE` instead of measuring new ones")
	f.StringVar(&o.verifies, rankRules, "", "") // for ranks only
	f.Func("shapes", "`SHAPE,...`: with --regret, NODESxRANKS such as 3x2, or the ranks of each node such as 3+1+2", o.setShapes)
	f.Func("memory", "with --regret: leave out what needs longer buffers, of all ranks together, than `SIZE` (default 256M)",
		func(v string) (err error) { o.memory, err = parseSize(v); return err })
	f.StringVar(&o.save, "save", o.save, "write the numbers or rules into `FILE`; - prints them (default -)")
	f.StringVar(&o.json, "json", "", "also write all that was measured into `FILE`")
	f.StringVar(&o.plot, "plot", "", "with --algorithms: draw how many times faster the rules make each operation, over sizes, into `FILE`, .svg or .pdf")
	f.StringVar(&o.resume, "resume", "", "go on where an interrupted run stopped, which has left what it measured in `FILE`")
	f.BoolVar(&o.quiet, "quiet", false, "no progress and no table")
	return f
}

func parseTune(args []string) (*tuneOptions, error) {
	var mode tuneModeFlags
	o := newTuneOptions()
	f := o.flags(&mode)
	if err := f.Parse(plotOption(args)); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is no option", f.Arg(0))
	}
	if err := o.setMode(&mode, f); err != nil {
		return nil, err
	}
	if err := o.checkPlot(); err != nil {
		return nil, err
	}
	o.fill()
	return o, o.check()
}

// mostRounds is the largest number of rounds, and of jobs.
const mostRounds = 1000

// fill puts what suits where nothing was said.
func (o *tuneOptions) fill() {
	if o.ops == nil {
		o.ops = slices.DeleteFunc(coll.Ops(), func(op coll.Op) bool { return !tuner.Tunes(op) })
	}
	usual := map[tuneMode]struct{ rounds, jobs int }{tunesMachine: {20, 5}, tunesAlgorithms: {tuner.Defaults.Rounds, 3}}[o.mode]
	if o.profile != "" { // nothing differs between jobs there
		usual.jobs = 1
	}
	o.rounds, o.jobs = cmp.Or(o.rounds, usual.rounds), cmp.Or(o.jobs, usual.jobs)
	switch {
	case o.ranks != nil:
	case o.mode == tunesAlgorithms:
		o.ranks = []int{2, 4, 8}
	case o.profile != "":
		o.ranks = []int{8}
	}
}

func (o *tuneOptions) check() error {
	switch {
	case o.mode == tunesMachine && len(o.ranks) > 1:
		return errors.New("-n: a list of numbers of ranks goes with --algorithms only")
	case !(o.margin >= 0 && o.margin <= 100):
		return fmt.Errorf("--margin %g: write 0 to 100 percent", o.margin)
	case o.profile == "" && o.nodes != 0:
		return errors.New("--nodes is about simulated clusters; real hosts are named by --host")
	case o.profile != "" && len(o.hosts)+len(o.hostFiles) > 0:
		return errors.New("--on sim:PROFILE simulates the hosts: leave --host and --hostfile out")
	case o.against != nil && !o.verify && o.rules == "" && o.verifies == "":
		return errors.New("--against is about what rules are verified against: add --verify, or --rules FILE")
	case o.rules != "" && o.save != "-":
		return errors.New("--rules FILE verifies what is there and writes no rules: leave --save out")
	case len(o.profiles) > 1 && o.mode != tunesRegret:
		return fmt.Errorf("--on sim:%s: name one profile; only --regret takes several", strings.Join(o.profiles, ","))
	case o.nodes < 0 || o.nodes > 0 && o.nodes > slices.Min(o.ranks):
		return fmt.Errorf("--nodes %d: there are 1 to %d nodes for %d ranks", o.nodes, slices.Min(o.ranks), slices.Min(o.ranks))
	}
	for _, op := range o.ops {
		if o.mode != tunesRegret && !tuner.Tunes(op) {
			return fmt.Errorf("--ops %s: ranks have other neighbours in every program, "+
				"so that no rule could speak of it; only --regret takes it", op)
		}
	}
	return o.checkAgainst()
}

// checkAgainst fails unless every operation has some of the algorithms to verify against, and each of them
// is of some operation: rules that nothing is compared with would win.
func (o *tuneOptions) checkAgainst() error {
	is := func(op coll.Op, way string) bool { _, ok := coll.Find(op.String() + "/" + way); return ok }
	for _, way := range o.against {
		if !slices.ContainsFunc(o.ops, func(op coll.Op) bool { return is(op, way) }) {
			return fmt.Errorf("--against %s: no operation of --ops has this algorithm; docs/reference/algorithms.md shows what there is", way)
		}
	}
	for _, op := range o.ops {
		if len(o.against) > 0 && !slices.ContainsFunc(o.against, func(way string) bool { return is(op, way) }) {
			return fmt.Errorf("--against %s: %s has none of these; name one of its algorithms, too, or leave it out of --ops", strings.Join(o.against, ","), op)
		}
	}
	return nil
}

func (o *tuneOptions) setRanks(v string) error {
	o.ranks = nil
	for word := range strings.SplitSeq(v, ",") {
		n, err := parseCount(word)
		if err != nil {
			return err
		}
		if n < 2 {
			return fmt.Errorf("%d rank has nothing to choose", n)
		}
		o.ranks = append(o.ranks, n)
	}
	slices.Sort(o.ranks)
	o.ranks = slices.Compact(o.ranks)
	return nil
}

// mostSpread is the largest spread that is measured.
const mostSpread = 1 << 16

func (o *tuneOptions) setSpreads(v string) error {
	o.spreads = nil
	for word := range strings.SplitSeq(v, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > mostSpread {
			return fmt.Errorf("%q is no spread; write 0 to %d, such as 0,8", word, mostSpread)
		}
		o.spreads = append(o.spreads, n)
	}
	slices.Sort(o.spreads)
	o.spreads = slices.Compact(o.spreads)
	return nil
}

func (o *tuneOptions) setPlatform(v string) error {
	names, simulated := strings.CutPrefix(v, "sim:")
	o.profiles = strings.Split(names, ",")
	if !simulated || slices.Contains(o.profiles, "") {
		return fmt.Errorf("%q is no simulated cluster; write sim:PROFILE, such as sim:connectx-ddr", v)
	}
	o.profile = o.profiles[0]
	return nil
}

func (o *tuneOptions) setShapes(v string) error {
	for word := range strings.SplitSeq(v, ",") {
		shape, err := tuner.ParseShape(word)
		if err != nil {
			return err
		}
		if shape.Ranks() < 2 {
			return fmt.Errorf("%s: %d rank has nothing to choose", word, shape.Ranks())
		}
		o.shapes = append(o.shapes, shape)
	}
	return nil
}

func (o *tuneOptions) setOps(v string) error {
	var names []string
	for _, op := range coll.Ops() {
		if tuner.Studies(op) {
			names = append(names, op.String())
		}
	}
	for word := range strings.SplitSeq(v, ",") {
		op, known := coll.ParseOp(word)
		if !known || !tuner.Studies(op) {
			return fmt.Errorf("%q cannot be tuned%s; there are %s", word, didYouMean(word, names), strings.Join(names, ", "))
		}
		o.ops = append(o.ops, op)
	}
	return nil
}

func (o *tuneOptions) setSizes(v string) (err error) {
	from, to, both := strings.Cut(v, ":")
	if !both {
		from, to = "8", v
	}
	if o.min, err = parseSize(from); err != nil {
		return err
	}
	if o.max, err = parseSize(to); err != nil {
		return err
	}
	if o.min < 1 || o.max < o.min {
		return fmt.Errorf("%q: the smallest size is at least 1 and at most the largest", v)
	}
	return nil
}

// sizes are powers of four or, where much is simulated, of eight times the smallest, and the
// largest asked for.
func (o *tuneOptions) sizes() (all []int) {
	step := 4
	if o.mode == tunesRegret {
		step = 8
	}
	for n := o.min; n < o.max; n *= step {
		all = append(all, n)
	}
	return append(all, o.max)
}

// config is what ranks measure: algorithms, or what rules are worth.
func (o *tuneOptions) config() (cfg tuner.Config, err error) {
	cfg = tuner.Defaults
	cfg.Ops, cfg.Bytes, cfg.Rounds, cfg.Spread = o.ops, o.sizes(), o.rounds, o.spread
	cfg.Verify, cfg.Against = o.verifies != "", o.against
	cfg.Rules, err = coll.Parse(o.verifies)
	return cfg, err
}
