package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/weft-mpi/weft/internal/launch/desk"
	"github.com/weft-mpi/weft/internal/launch/live"
	"github.com/weft-mpi/weft/internal/usage"
	"golang.org/x/sys/unix"
)

// statusOptions is a command line of "weft status".
type statusOptions struct {
	json, verbose bool
	watch         time.Duration
	job           int // 0: none was named
}

func (o *statusOptions) flags() *flag.FlagSet {
	f := newFlags("status")
	f.BoolVar(&o.json, "json", false, "print everything that is known, for a program to read")
	f.BoolVar(&o.verbose, "v", false, "a row for every rank")
	f.Func("watch", "show it again and again, every so many `SECONDS`, until the job ends", func(text string) (err error) {
		o.watch, err = parseSeconds(text)
		return err
	})
	return f
}

func aboutStatus() usage.Command {
	return usage.Command{Forms: []string{"[options] [JOB]"}, Words: "JOB", About: `
Shows what a job of yours does that "weft run" has started on this host: which ranks wait, for whom and since when,
messages and bytes so far and now, memory. JOB is the process number of its weft run. Without it all jobs are listed; if
there is one only, it is shown.

  weft status
  weft status 4711 --watch 2
  weft status 4711 --json
`, Groups: flagGroup(new(statusOptions).flags())}
}

// parseStatus reads the words after "weft status". The job may stand before options or behind them.
func parseStatus(args []string) (*statusOptions, error) {
	o := &statusOptions{}
	f := o.flags()
	for {
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if f.NArg() == 0 {
			return o, nil
		}
		n, err := strconv.Atoi(f.Arg(0))
		if err != nil || n < 1 || o.job != 0 {
			return nil, fmt.Errorf("%q is no job; name one by the process number of its weft run", f.Arg(0))
		}
		o.job, args = n, f.Args()[1:]
	}
}

// statusCommand is "weft status".
func statusCommand(args []string) int {
	o, err := parseStatus(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("status")
	case err != nil:
		return refuse("status", err)
	}
	ctx, stop := untilSignal()
	defer stop()
	if err := o.show(ctx, desk.Home()); err != nil {
		complain("status: %v", err)
		return 1
	}
	return 0
}

// show prints what was asked for of the jobs that have their sockets in dir.
func (o *statusOptions) show(ctx context.Context, dir string) error {
	jobs, err := desk.Jobs(dir)
	if err != nil {
		return err
	}
	if o.job != 0 {
		jobs = slices.DeleteFunc(jobs, func(j desk.Job) bool { return j.Pid != o.job })
		if len(jobs) == 0 {
			return fmt.Errorf("no job of yours on this host has the number %d; weft status lists them", o.job)
		}
	}
	switch {
	case len(jobs) == 0:
		return errors.New("no job of yours was started on this host and runs")
	case o.json:
		return o.printJSON(jobs)
	case len(jobs) > 1:
		listJobs(jobs)
		return nil
	}
	return o.showOne(ctx, jobs[0])
}

// inquire asks a launcher.
func inquire(job desk.Job) (*live.Job, error) {
	text, err := job.Ask()
	if err != nil {
		return nil, fmt.Errorf("job %d: %w", job.Pid, err)
	}
	var j live.Job
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, fmt.Errorf("job %d: its weft run answers what this weft does not understand: %w", job.Pid, err)
	}
	return &j, nil
}

// printJSON prints one job as an object if it was named, else all as a list.
func (o *statusOptions) printJSON(jobs []desk.Job) error {
	var all []*live.Job
	var failed error
	for _, job := range jobs {
		j, err := inquire(job)
		if err == nil {
			all = append(all, j)
		}
		failed = cmp.Or(failed, err)
	}
	if len(all) == 0 {
		return failed
	}
	var what any = all
	if o.job != 0 {
		what = all[0]
	}
	text, err := json.MarshalIndent(what, "", "  ")
	if err == nil {
		_, err = fmt.Println(string(text))
	}
	return err
}

func listJobs(jobs []desk.Job) {
	for _, job := range jobs {
		if j, err := inquire(job); err != nil {
			fmt.Printf("%d  %v\n", job.Pid, err)
		} else {
			fmt.Println(live.Line(j))
		}
	}
}

// rateTime is what rates are taken over that are shown once.
const rateTime = time.Second

// showOne shows a job, once or until it ends.
func (o *statusOptions) showOne(ctx context.Context, job desk.Job) error {
	before, err := inquire(job)
	if err != nil {
		return err
	}
	clear := ""
	if o.watch > 0 && isTerminal(os.Stdout) {
		clear = "\x1b[H\x1b[2J"
	}
	for period := cmp.Or(o.watch, rateTime); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(period):
		}
		j, err := inquire(job)
		if err != nil && o.watch > 0 {
			complain("job %d has ended, or its launcher does not answer any more", job.Pid)
			return nil
		}
		if err != nil { // it has just ended
			j, before = before, nil
		}
		if _, err := fmt.Print(clear, live.Text(j, before, o.verbose)); err != nil || o.watch == 0 {
			return err
		}
		if clear == "" {
			fmt.Println()
		}
		before = j
	}
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
