package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/rank"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/mpi"
)

// weftJob runs cases on this very program, or another build of it, started as the ranks of a job.
type weftJob struct {
	program  string
	apart    bool // started by the program's own "weft run", on one host, too
	arm      bench.Arm
	environ  []string // that makes the arm, besides this process's own
	settings *boot.Settings
	wrong    error // why the arm cannot run; Measure says so
	bind     bool
	benchNetwork
	timeout time.Duration
	onLine  func(bench.Line) error // called as lines arrive; an error ends the job; may be nil
	stderr  io.Writer              // gets what ranks and launcher complain about; nil keeps it for the error
}

// newWeftJob prepares one arm of Weft. A setting that this build does not know makes every Measure fail, so that the
// other comparisons of a suite still run.
func newWeftJob(o *benchOptions, arm bench.Arm, bind bool) (*weftJob, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find the weft program to start it as ranks: %w", err)
	}
	j := &weftJob{program: program, arm: arm, bind: bind, benchNetwork: o.benchNetwork, timeout: o.timeout}
	if o.net {
		j.environ = append(j.environ, "WEFT_LINKS=rail")
	}
	if o.iface != "" {
		j.environ = append(j.environ, "WEFT_IFACE="+o.iface)
	} else if o.net && len(o.hosts) == 0 {
		j.environ = append(j.environ, "WEFT_IFACE=lo")
	}
	j.environ = append(j.environ, arm.Environment()...)
	if j.settings, err = boot.ReadSettings(append(os.Environ(), j.environ...)); err != nil {
		return nil, err
	}
	own, _ := boot.ReadSettings(j.environ) // as good as the whole
	j.wrong = own.Unknown()
	return j, nil
}

// Name is that of the arm.
func (j *weftJob) Name() string { return j.arm.Name }

// Settings lists what the environment changes about Weft.
func (j *weftJob) Settings(ranks int) string {
	settings := []string{"weft run --bind-to none"}
	if j.binds(ranks) {
		settings[0] = "weft run --bind-to core"
	}
	if len(j.hosts) > 0 {
		settings[0] += " --host " + strings.Join(j.hosts, ",")
	}
	changed := slices.Clone(j.environ)
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "WEFT_") {
			changed = append(changed, v)
		}
	}
	slices.Sort(changed)
	return strings.Join(append(settings, slices.Compact(changed)...), " ")
}

// binds says whether ranks are bound: not where hosts share processors, since each would bind its
// ranks to the same.
func (j *weftJob) binds(ranks int) bool {
	return j.bind && !j.shared && ranks <= runtime.NumCPU()*max(len(j.hosts), 1)
}

// Measure runs the cases once as a job of fresh processes, and reads what they counted. Who has
// asked for that by WEFT_REPORT gets it, too.
func (j *weftJob) Measure(ctx context.Context, cases ...bench.Case) (bench.Outcome, error) {
	if j.wrong != nil {
		return bench.Outcome{}, j.wrong
	}
	reports, err := os.MkdirTemp("", "weft-bench-")
	if err != nil {
		return bench.Outcome{}, err
	}
	defer os.RemoveAll(reports)
	environ := append(slices.Clone(j.environ), "WEFT_REPORT="+reports)
	var out bench.Outcome
	if j.apart || len(j.hosts) > 0 {
		out, err = bench.Execute(ctx, j.program, j.runArgs(cases), append(j.inherited(), environ...), j.onLine)
	} else {
		out, err = j.measureHere(ctx, cases, environ)
	}
	if err != nil {
		return out, err
	}
	counters, ranks, err := bench.ReadCounters(reports)
	if err != nil {
		return out, err
	}
	out.Counters = counters
	if keep := os.Getenv("WEFT_REPORT"); keep != "" {
		if err := bench.KeepReports(reports, keep); err != nil {
			return out, err
		}
	}
	return out, j.useCounters(cases, &out, ranks)
}

// useCounters puts the counters that tests ask for into their rows.
func (j *weftJob) useCounters(cases []bench.Case, out *bench.Outcome, ranks int) error {
	first := 0 // row of the case
	for _, c := range cases {
		rows := out.Rows[min(first, len(out.Rows)):min(first+len(c.Steps), len(out.Rows))]
		first += len(c.Steps)
		if c.Test.Counter == "" {
			continue
		}
		sum, found := out.Counters[c.Test.Counter]
		if !found {
			return fmt.Errorf("the ranks did not count %s: %s is about messages over the network, with --net", c.Test.Counter, c.Test.Name)
		}
		for i := range rows {
			rows[i].Value = sum / float64(max(ranks, 1)) / (1 << 20)
			rows[i].Min, rows[i].Max = 0, 0
		}
	}
	return nil
}

// runArgs is the command line that has a launcher run the cases. Where builds are compared, each has its
// own agents on other hosts: these bind ranks and make the memory that they share.
func (j *weftJob) runArgs(cases []bench.Case) []string {
	args := []string{"run"}
	if len(j.hosts) > 0 {
		args = append(args, "--host", strings.Join(j.hosts, ","), "--map-by", mapBy(j.packed))
		if j.apart {
			args = append(args, "--agent", j.program)
		}
	}
	bind := "none"
	ranks := cases[0].Ranks
	if j.binds(ranks) {
		bind = "core"
	}
	args = append(args, "--oversubscribe", "--bind-to", bind, "-n", fmt.Sprint(ranks))
	return append(args, j.argv(cases)...)
}

// mapBy is how ranks are spread over hosts, in the words of weft run.
func mapBy(packed bool) string {
	if packed {
		return "slot"
	}
	return "node"
}

// inherited is this process's environment, without the hosts that cluster tools name: where ranks
// run is said to weft bench.
func (j *weftJob) inherited() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(hostFileVariables, name)
	})
}

// measureHere runs the cases on this host.
func (j *weftJob) measureHere(ctx context.Context, cases []bench.Case, environ []string) (bench.Outcome, error) {
	var complaints bench.Tail
	job := j.job(cases, environ)
	job.Stderr = &complaints
	if j.stderr != nil {
		job.Stderr = j.stderr
	}
	from, to := io.Pipe()
	job.Stdout = to
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	type ending struct {
		code int
		err  error
	}
	ended := make(chan ending, 1)
	go func() {
		code, err := launch.Run(running, job)
		_ = to.Close() // never fails
		ended <- ending{code, err}
	}()
	var refused error // onLine's
	out, readErr := bench.ReadRun(from, func(line bench.Line) error {
		if j.onLine != nil {
			refused = j.onLine(line)
		}
		if refused != nil {
			cancel()
		}
		return refused
	})
	end := <-ended
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("did not finish: %w", context.Cause(ctx))
	case refused != nil:
		return out, refused
	case end.err != nil:
		return out, end.err
	case end.code != 0:
		return out, fmt.Errorf("the job ended with exit code %d%s", end.code, complaints.Quoted())
	case readErr != nil:
		return out, fmt.Errorf("%w%s", readErr, complaints.Quoted())
	}
	return out, nil
}

func (j *weftJob) job(cases []bench.Case, environ []string) launch.Job {
	ranks := cases[0].Ranks
	job := launch.Job{
		Specs:   []launch.Spec{{N: ranks, Argv: j.argv(cases), Env: append(os.Environ(), environ...)}},
		StdinTo: launch.StdinNone,
		Timeout: j.timeout,
		Bind:    launch.BindNone, // never the launcher's own choice: all libraries are bound alike
		Segment: boot.Segments(j.settings),
	}
	if j.binds(ranks) {
		job.Bind = launch.BindCore
	}
	return job
}

// argv is the command line of a rank; the hidden option --steps makes it speak in lines. Builds
// that know no lists of tests understand it when there is one.
func (j *weftJob) argv(cases []bench.Case) []string {
	c := cases[0]
	if len(cases) > 1 {
		return []string{j.program, "bench", "every", "-W", fmt.Sprint(c.Window), "--steps", bench.FormatCases(cases)}
	}
	args := []string{j.program, "bench", c.Test.Name, "-W", fmt.Sprint(c.Window), "--steps", bench.FormatSteps(c.Steps)}
	if c.Validate {
		args = append(args, "-c")
	}
	return args
}

// benchRank is the life of a rank. With --steps rank 0 prints lines for the starter, otherwise the result itself. A
// study is its tests one after the other.
func benchRank(o *benchOptions) error {
	if o.suite || o.box || len(o.peers) > 0 || len(o.arms) > 0 || o.against != "" {
		return errors.New("suite, --peer, --set, --against and --box start jobs themselves and cannot run inside one")
	}
	before := rank.ResidentMegabytes()
	world, err := mpi.Init()
	if err != nil {
		return err
	}
	tests := []bench.Test{o.test}
	if o.study != nil {
		tests = o.study.Members()
	}
	if tests[0].Shape != bench.Resident { // nothing is timed there
		if err := rank.Settle(world); err != nil {
			return err
		}
	}
	for _, t := range tests {
		c, err := o.plainCaseOf(t, world.Size())
		if o.steps != "" && err == nil {
			c.Steps, err = bench.ParseSteps(o.steps)
		}
		if err != nil {
			return err
		}
		c.Resident = before
		if err := showRank(world, o, c); err != nil {
			return err
		}
	}
	return mpi.Finalize()
}

// showRank measures one case and, on rank 0, shows it.
func showRank(world *mpi.Comm, o *benchOptions, c bench.Case) error {
	if o.steps != "" {
		return runRank(world, []bench.Case{c}, printLine)
	}
	show := newPlainOutput(o, c)
	if err := runRank(world, []bench.Case{c}, show.line); err != nil || world.Rank() != 0 {
		return err
	}
	return show.finish()
}

// runRank measures the cases, and on rank 0 hands the run's lines to emit.
func runRank(world *mpi.Comm, cases []bench.Case, emit func(bench.Line) error) error {
	if world.Rank() != 0 {
		emit = func(bench.Line) error { return nil }
	}
	if err := emit(bench.Line{Library: "Weft " + version()}); err != nil {
		return err
	}
	for _, c := range cases {
		if err := rank.Run(world, c, func(r bench.Row) error { return emit(bench.Line{Row: &r}) }); err != nil {
			return err
		}
		if len(cases) > 1 {
			runtime.GC() // of the buffers of this one, before the next is timed
		}
	}
	return emit(bench.Line{End: true})
}

// printLine writes a line for the starter at the other end of standard output.
func printLine(line bench.Line) error {
	text := bench.FormatEnd()
	switch {
	case line.Library != "":
		text = bench.FormatLibrary(line.Library)
	case line.Row != nil:
		text = bench.FormatRow(*line.Row)
	}
	_, err := fmt.Println(text)
	return err
}
