package lab

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab/measure"
)

// Options are a user's wishes for a run of experiments.
type Options struct {
	On       Platform // empty: those of each experiment
	Settings []string // name=value, over those of the experiments
	Seed     uint64   // of virtual time
	Quick    bool     // fewer sizes and iterations, for a first look
	Longer   int      // times as many iterations, to see whether runs are long enough; 0: once
	Version  string   // of this program; empty: as built
	Tick     func(what string)

	// Profiles stand in for those of their names.
	Profiles map[string]*sim.Profile
	// Looked, if set, is told which parameters of a profile a run depended on (sim.Fabric.Looked).
	Looked func(profile string, parameters []string)
}

// Bench is where an experiment runs its programs. It is for one experiment at a time.
type Bench struct {
	o       Options
	used    []Platform
	figures []Figure
	last    *sim.Fabric // that ran, if somebody wants to know what it looked at
}

// NewBench checks the options.
func NewBench(o Options) (*Bench, error) {
	if o.On != "" {
		if _, err := ParsePlatform(string(o.On)); err != nil {
			return nil, err
		}
	}
	if _, err := environ(o.Settings); err != nil {
		return nil, err
	}
	if o.Version == "" {
		o.Version = builtFrom()
	}
	return &Bench{o: o, figures: Figures()}, nil
}

// Quick tells whether the user wants a first look only.
func (b *Bench) Quick() bool { return b.o.Quick }

// Setups returns where to run: on models of the documents' machines of those names (or on this host, Host), or, if the
// user insists on a platform, only there and with Weft's own settings.
func (b *Bench) Setups(machines ...string) []Setup {
	if b.o.On != "" {
		return []Setup{{On: b.o.On, Label: b.o.On.Label()}}
	}
	var all []Setup
	for _, id := range machines {
		all = append(all, setupOf(id))
	}
	return all
}

// Often is how often to repeat what takes n times to be past its beginning: a test has it repeated more
// often, and finds the same.
func (b *Bench) Often(n int) int { return n * max(b.o.Longer, 1) }

// Sizes returns the powers of two from low to high; of a quick bench every other one, and always the last.
func (b *Bench) Sizes(low, high int) []int {
	var sizes []int
	step := 2
	if b.o.Quick {
		step = 8
	}
	for s := low; s < high; s *= step {
		sizes = append(sizes, s)
	}
	return append(sizes, high)
}

// Loops says how often to measure a size. In virtual time every message is like the others, once connections and
// registrations are there.
func (b *Bench) Loops(s Setup, size int) measure.Loops {
	l := measure.Loops{Warmup: 40, Timed: 10}
	if !s.On.Virtual() {
		l = measure.Loops{Warmup: 100, Timed: 1000}
		if size > 8<<10 {
			l = measure.Loops{Warmup: 10, Timed: 100}
		}
	}
	if b.o.Quick {
		l.Timed = max(l.Timed/10, 10)
	}
	l.Timed = b.Often(l.Timed)
	return l
}

// Job is an MPI program's surroundings.
type Job struct {
	On       Setup
	Ranks    int
	PerNode  int      // ranks of a node; 0: one, so that all messages cross the network
	Apart    int      // cores from one rank of a simulated node to the next; 0: one
	Settings []string // name=value, over those of the setup; the user's come on top
	Puts     bool     // ranks can write to each other below MPI
	Lines    bool     // what is written so comes to receives of its connection; else to those that all connections share
	Syncs    bool     // ranks have a barrier of the hardware; only where Bench.Syncs says that there is one
	Casts    bool     // ranks have a broadcast of the hardware; only where Bench.Casts says that there is one
	// Report, if set, is told what each rank counted, when all have ended. On a host nobody counts for it.
	Report func(rank int, e engine.Counters, l *rail.Report)
	// Device, if set, may wrap the device that a rank uses. It is for simulated fabrics.
	Device func(rank int, d verbs.Device) verbs.Device
	// Census, if set, has what ranks hand to the network counted. It is for simulated fabrics.
	Census Census
	// Watch, if set, is told of everything that happens, for a timeline.
	Watch *Recorder
}

// Run runs body as that many ranks and returns when all have ended. Values that body computes are the same on all ranks
// if they come from package measure; body hands them out on one (measure.Rank.Lead).
func (b *Bench) Run(ctx context.Context, job Job, body func(k *measure.Rank) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	env, err := environ(joinRules(slices.Concat([]string{binding}, job.On.Settings, job.Settings, b.o.Settings)))
	if err != nil {
		return err
	}
	b.use(job.On.On)
	if b.o.Tick != nil {
		b.o.Tick(fmt.Sprintf("%s, %d ranks", job.On.Label, job.Ranks))
	}
	if job.On.On.Virtual() {
		err = b.runSim(ctx, job, env, body)
	} else {
		err = runHost(ctx, job, env, body)
	}
	if err != nil {
		return fmt.Errorf("%d ranks on %s: %w", job.Ranks, job.On.On, err)
	}
	return nil
}

// UseHost says that the experiment measures this host itself, without running ranks.
func (b *Bench) UseHost() { b.use(Host) }

func (b *Bench) use(p Platform) {
	if !slices.Contains(b.used, p) {
		b.used = append(b.used, p)
	}
}

// NewResult begins the result of a figure. Finish completes it.
func (b *Bench) NewResult(id string) *Result {
	r := &Result{ID: id}
	if i := slices.IndexFunc(b.figures, func(f Figure) bool { return f.ID == id }); i >= 0 {
		r.Title = b.figures[i].Title
	}
	b.used = nil
	return r
}

// Finish puts into a result where it comes from. The command that makes it again is the caller's to fill in.
func (b *Bench) Finish(r *Result) {
	b.tellLooked()
	for _, p := range b.used {
		r.Platform = append(r.Platform, string(p))
		if profile, err := b.profile(p); p.Virtual() && err == nil {
			r.Facts = append(r.Facts, Fact{string(p), profile.Title})
		}
	}
	r.Version, r.Seed, r.Quick = b.o.Version, b.o.Seed, b.o.Quick
	r.Settings = slices.Clone(b.o.Settings)
	if slices.Contains(b.used, Host) {
		r.Facts = append(r.Facts, hostFacts(bench.Observe())...)
	}
}

func hostFacts(h bench.Host) []Fact {
	facts := []Fact{{"processor", fmt.Sprintf("%d x %s", h.CPUs, h.CPU)}, {"kernel", h.Kernel}, {"go", h.Go}}
	if warning := h.Warning(); warning != "" {
		facts = append(facts, Fact{"load", warning})
	}
	return facts
}

// joinRules puts all rules for collectives into one setting, at the end, the last given first: the first
// rule that fits counts.
func joinRules(settings []string) []string {
	var rules, others []string
	for _, s := range settings {
		name, rule, _ := strings.Cut(s, "=")
		if strings.TrimPrefix(strings.ToUpper(name), "WEFT_") == "COLL" {
			rules = append(rules, rule)
		} else {
			others = append(others, s)
		}
	}
	if rules == nil {
		return others
	}
	slices.Reverse(rules)
	return append(others, "coll="+strings.Join(rules, ","))
}

// environ turns settings such as rndv=rget into variables such as WEFT_RNDV=rget, and checks them.
func environ(settings []string) ([]string, error) {
	var env []string
	for _, s := range settings {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("setting %q: write name=value, such as rndv=rget", s)
		}
		name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		if !strings.HasPrefix(name, "WEFT_") {
			name = "WEFT_" + name
		}
		env = append(env, name+"="+value)
	}
	set, err := boot.ReadSettings(env)
	if err == nil {
		err = set.Unknown()
	}
	return env, err
}

// builtFrom names the version of this module that the program was built from.
func builtFrom() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return strings.TrimSpace(text)
}
