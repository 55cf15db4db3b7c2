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
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/mpi"
)

// weftJob runs cases on this very program, started as the ranks of a job.
type weftJob struct {
	program  string
	settings *tune.Settings
	bind     bool
	timeout  time.Duration
	onLine   func(bench.Line) error // called as lines arrive; an error ends the job; may be nil
	stderr   io.Writer              // gets what ranks and launcher complain about; nil keeps it for the error
}

func newWeftJob(o *benchOptions) (*weftJob, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find the weft program to start it as ranks: %w", err)
	}
	settings, _, err := tune.Read(os.Environ())
	if err != nil {
		return nil, err
	}
	return &weftJob{program: program, settings: settings, bind: o.bind, timeout: o.timeout}, nil
}

// Name is weft.
func (j *weftJob) Name() string { return "weft" }

// Settings lists what the environment changes about Weft.
func (j *weftJob) Settings(ranks int) string {
	settings := []string{"weft run --bind-to none"}
	if j.binds(ranks) {
		settings[0] = "weft run --bind-to core"
	}
	var changed []string
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "WEFT_") {
			changed = append(changed, v)
		}
	}
	slices.Sort(changed)
	return strings.Join(append(settings, changed...), " ")
}

func (j *weftJob) binds(ranks int) bool { return j.bind && ranks <= runtime.NumCPU() }

// Measure runs c once as a job of fresh processes.
func (j *weftJob) Measure(ctx context.Context, c bench.Case) (bench.Outcome, error) {
	var complaints bench.Tail
	job := j.job(c)
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

func (j *weftJob) job(c bench.Case) launch.Job {
	job := launch.Job{
		Specs:   []launch.Spec{{N: c.Ranks, Argv: j.argv(c)}},
		StdinTo: launch.StdinNone,
		Timeout: j.timeout,
		Bind:    launch.BindNone, // never the launcher's own choice: all libraries are bound alike
		Segment: boot.Segments(j.settings),
	}
	if j.binds(c.Ranks) {
		job.Bind = launch.BindCore
	}
	return job
}

// argv is the command line of a rank; the hidden option --steps makes it speak in lines.
func (j *weftJob) argv(c bench.Case) []string {
	args := []string{j.program, "bench", c.Test.Name, "-W", fmt.Sprint(c.Window), "--steps", bench.FormatSteps(c.Steps)}
	if c.Validate {
		args = append(args, "-c")
	}
	return args
}

// benchRank is the life of a rank. With --steps rank 0 prints lines for the starter, otherwise the result itself.
func benchRank(o *benchOptions) error {
	if o.suite || len(o.peers) > 0 {
		return errors.New("suite and --peer start jobs themselves and cannot run inside one")
	}
	world, err := mpi.Init()
	if err != nil {
		return err
	}
	c, err := o.plainCase(world.Size())
	if o.steps != "" && err == nil {
		c.Steps, err = bench.ParseSteps(o.steps)
	}
	if err != nil {
		return err
	}
	show := newPlainOutput(o, c)
	emit := func(line bench.Line) error { return show.line(line) }
	if o.steps != "" {
		emit = printLine
	}
	if err := runRank(world, c, emit); err != nil {
		return err
	}
	if o.steps == "" && world.Rank() == 0 {
		if err := show.finish(); err != nil {
			return err
		}
	}
	return mpi.Finalize()
}

// runRank measures, and on rank 0 hands the run's lines to emit.
func runRank(world *mpi.Comm, c bench.Case, emit func(bench.Line) error) error {
	if err := rank.Settle(world); err != nil {
		return err
	}
	if world.Rank() != 0 {
		return rank.Run(world, c, nil)
	}
	if err := emit(bench.Line{Library: "Weft " + version()}); err != nil {
		return err
	}
	if err := rank.Run(world, c, func(r bench.Row) error { return emit(bench.Line{Row: &r}) }); err != nil {
		return err
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
