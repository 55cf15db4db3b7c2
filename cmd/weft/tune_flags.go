package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/tuner"
)

const tuneHelp = `usage: weft tune [options]

Times every collective algorithm on this machine and writes rules that choose the fastest. What the built-in rules choose stays
unless another algorithm is clearly faster.

  weft tune                                          2, 4 and 8 ranks on this host; some minutes
  weft tune -n 16 --ops allreduce,bcast -m 8:64K     part of it
  weft tune -n 8 --host h1,h2 --save my.rules        on two hosts, into a file
  weft tune -n 16 --on sim:qsnet2 --nodes 4          on a simulated cluster, the same every time
  weft tune -n 8 --host h1,h2 --verify               and see what the rules are worth against every single algorithm
  weft tune -n 8 --ops alltoall --spread 0,8         also with ranks that come to the calls apart
  weft tune --regret                                 what the choice in force costs against the best, on simulated clusters
  weft tune --regret --on sim:ndr,10ge --shapes 3x2,3+1+2 --ops allgather -m 8:64K

Use the rules:

  weft run -n 8 --host h1,h2 --set coll=@my.rules ./prog
  WEFT_COLL=@my.rules weft info --explain allgather 64K 8

Options:
  -n RANKS[,RANKS...]  numbers of ranks to measure (default 2,4,8)
  --host HOST[:N],...  hosts to run on, as weft run has them
  --hostfile FILE      the same from a file
  --on sim:PROFILE     a simulated cluster instead (profiles: weft lab list --profiles)
  --nodes N            nodes of the simulated cluster (default 1 per 4 ranks)
  --ops LIST           operations, joined by commas (default all with equal blocks)
  -m [MIN:]MAX         sizes, every fourth power of two between (default 8:1M)
  --rounds N           interleaved rounds (default 7)
  --spread N[,N...]    have ranks come to the calls apart, the last one N times the shortest call after the first; several make
                       rules by how far apart ranks are found to come when a program runs (default 0: together)
  --margin PERCENT     how much faster a new algorithm has to be (default 5)
  --set NAME=VALUE     settings of Weft for the ranks; may be repeated
  --verify             then run the rules, the built-in ones and every algorithm that can do all sizes again, and compare
                       their geometric means over the sizes
  --against LIST       verify against these algorithms only, joined by commas: more rounds in the same time
  --rules FILE         verify the rules of FILE instead of measuring new ones
  --regret             in virtual time, on several networks and shapes: the time of the chosen algorithm over that of the best
  --shapes LIST        with --regret: NODESxRANKS, such as 3x2, or the ranks of each node, such as 3+1+2; --on takes a list, too
  --memory SIZE        with --regret: leave out what needs longer buffers, of all ranks together (default 256M)
  --save FILE          write the rules into FILE; - prints them (default -)
  --json FILE          also write all times
  --quiet              no bar and no table
`

// tuneOptions is a checked command line of "weft tune".
type tuneOptions struct {
	ranks     []int
	hosts     []string
	hostFiles []string
	profile   string // of the simulated cluster, "" for real ones; the first of profiles
	profiles  []string
	shapes    []tuner.Shape
	regret    bool
	memory    int // bytes that the buffers of a simulated job may have
	nodes     int
	ops       []coll.Op
	min, max  int
	rounds    int
	spreads   []int
	spread    int // of spreads, the one that is measured
	margin    float64
	settings  []string
	verify    bool
	against   []string // algorithms to verify against, nil for all
	rules     string   // a file of rules to verify
	verifies  string   // rules that a rank is to verify
	save      string
	json      string
	quiet     bool
}

func parseTune(args []string) (*tuneOptions, error) {
	o := &tuneOptions{ranks: []int{2, 4, 8}, spreads: []int{0}, min: 8, max: 1 << 20, memory: 256 << 20, save: "-"}
	f := flag.NewFlagSet("weft tune", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Func("n", "", o.setRanks)
	f.Func("host", "", func(v string) error { o.hosts = append(o.hosts, v); return nil })
	f.Func("hostfile", "", func(v string) error { o.hostFiles = append(o.hostFiles, v); return nil })
	f.Func("on", "", o.setPlatform)
	f.IntVar(&o.nodes, "nodes", 0, "")
	f.Func("ops", "", o.setOps)
	f.Func("m", "", o.setSizes)
	f.IntVar(&o.rounds, "rounds", tuner.Defaults.Rounds, "")
	f.Func("spread", "", o.setSpreads)
	f.IntVar(&o.spread, rankSpread, 0, "") // for ranks only
	f.Float64Var(&o.margin, "margin", 5, "")
	f.Func("set", "", func(v string) error {
		own, err := settingsOf(v)
		o.settings = append(o.settings, own...)
		return err
	})
	f.BoolVar(&o.verify, "verify", false, "")
	f.Func("against", "", func(v string) error { o.against = append(o.against, strings.Split(v, ",")...); return nil })
	f.StringVar(&o.rules, "rules", "", "")
	f.StringVar(&o.verifies, rankRules, "", "") // for ranks only
	f.BoolVar(&o.regret, "regret", false, "")
	f.Func("shapes", "", o.setShapes)
	f.Func("memory", "", func(v string) (err error) { o.memory, err = parseSize(v); return err })
	f.StringVar(&o.save, "save", "-", "")
	f.StringVar(&o.json, "json", "", "")
	f.BoolVar(&o.quiet, "quiet", false, "")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is no option", f.Arg(0))
	}
	return o, o.check()
}

func (o *tuneOptions) check() error {
	if o.ops == nil {
		o.ops = slices.DeleteFunc(coll.Ops(), func(op coll.Op) bool { return !tuner.Tunes(op) })
	}
	switch {
	case o.rounds < 1 || o.rounds > 1000:
		return fmt.Errorf("--rounds %d: write 1 to 1000", o.rounds)
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
	case o.shapes != nil && !o.regret:
		return errors.New("--shapes are those of simulated clusters on which regret is asked for: add --regret")
	case len(o.profiles) > 1 && !o.regret:
		return fmt.Errorf("--on sim:%s: name one profile; only --regret takes several", strings.Join(o.profiles, ","))
	case o.regret && (len(o.hosts)+len(o.hostFiles) > 0 || o.verify || o.rules != ""):
		return errors.New("--regret simulates clusters, with the rules in force: leave --host, --hostfile, --verify and --rules out")
	case o.nodes < 0 || o.nodes > slices.Min(o.ranks):
		return fmt.Errorf("--nodes %d: there are 1 to %d nodes for %d ranks", o.nodes, slices.Min(o.ranks), slices.Min(o.ranks))
	}
	return o.checkAgainst()
}

// checkAgainst fails unless every operation has some of the algorithms to verify against, and each of them is of some operation:
// rules that nothing is compared with would win.
func (o *tuneOptions) checkAgainst() error {
	is := func(op coll.Op, way string) bool { _, ok := coll.Find(op.String() + "/" + way); return ok }
	for _, way := range o.against {
		if !slices.ContainsFunc(o.ops, func(op coll.Op) bool { return is(op, way) }) {
			return fmt.Errorf("--against %s: no operation of --ops has this algorithm; docs/collectives.md shows what there is", way)
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
		if tuner.Tunes(op) {
			names = append(names, op.String())
		}
	}
	for word := range strings.SplitSeq(v, ",") {
		op, known := coll.ParseOp(word)
		if !known || !tuner.Tunes(op) {
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

// sizes are powers of four or, where much is simulated, of eight times the smallest, and the largest asked for.
func (o *tuneOptions) sizes() (all []int) {
	step := 4
	if o.regret {
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
