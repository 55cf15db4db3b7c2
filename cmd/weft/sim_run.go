package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/launch"
)

const simRunAbout = `
Runs a Go program, or package, on a cluster that need not exist: its ranks take turns in one process, and messages take as long
as they would there. The program has to hand its function to mpi.Main or mpi.Run; it need not be changed. In the end it says
on standard error how long the program took, how much of that was communication, and which calls took it.

  weft sim run -n 64 --cluster ndr ./examples/heat
  weft sim run -n 64 --cluster cluster.json --report /tmp/heat.json ./examples/heat

What ranks compute takes as long as here, divided by --speed. With --charged only what they charge by Comm.Charge counts, and
the result is the same every time. docs/using/whatif.md has more.
`

// simRunOptions are the options of "weft sim run".
type simRunOptions struct {
	flags   *flag.FlagSet
	cluster string
	charged bool
	report  string
	trace   string
	timeout time.Duration
	limit   time.Duration
	ranks   int
	order   boot.Order
	argv    []string
}

func newSimRun() *simRunOptions {
	o := &simRunOptions{flags: newFlags("sim run")}
	f, c := o.flags, &o.order.Cluster
	f.IntVar(&o.ranks, "n", 2, "`N` ranks (default 2)")
	f.StringVar(&o.cluster, "cluster", "ndr", "`PROFILE`: a network (weft lab list --profiles shows them), "+
		"or a file that ends in .json and describes a network or a cluster (default ndr)")
	f.IntVar(&c.Nodes, "nodes", 0, "`N` nodes (default: as many as the ranks need)")
	f.IntVar(&c.Cores, "cores", 0, "`N` cores of a node; more ranks than that take turns (default: as the profile says)")
	f.IntVar(&c.Rails, "rails", 0, "`N` interfaces of a node (default: as the profile says)")
	f.Float64Var(&c.Speed, "speed", 0, "processors `N` times as fast as this host's (default 1)")
	f.BoolVar(&o.charged, "charged", false, "computation takes what the program charges, not what it takes here")
	f.Func("set", "`NAME=VALUE`: a setting of the library, as in weft run; may be repeated", func(v string) error {
		setting, err := tunableVariable(v)
		c.Settings = append(c.Settings, setting)
		return err
	})
	f.StringVar(&o.report, "report", "", "write the report to `FILE`, as JSON if it ends in .json (default: to standard error)")
	f.StringVar(&o.trace, "trace", "", "write every call to `FILE` in the Trace Event format, for Perfetto or Chrome")
	f.Func("timeout", "end it when it has taken this `TIME` here, with code 110", anyTime(&o.timeout))
	f.Func("limit", "end it when this `TIME` has passed there", anyTime(&o.limit))
	f.Uint64Var(&o.order.Seed, "seed", 0, "`N`: which of several ranks runs first "+
		"that are ready at the same moment (default: the lowest)")
	return o
}

// parseSimRun reads the command line.
func parseSimRun(args []string) (*simRunOptions, error) {
	o := newSimRun()
	if err := o.flags.Parse(args); err != nil {
		return nil, err
	}
	if o.argv = o.flags.Args(); len(o.argv) == 0 {
		return nil, errors.New("name a program")
	}
	if o.ranks < 1 || o.ranks > launch.JobMax {
		return nil, fmt.Errorf("-n %d: must be 1 to %d", o.ranks, launch.JobMax)
	}
	found, err := boot.NewOrder(o.cluster)
	if err != nil {
		return nil, err
	}
	o.order.Ranks, o.order.Measured, o.order.Limit = o.ranks, !o.charged, int64(o.limit)
	o.order.Traced = o.trace != ""
	o.order.Cluster = found.Cluster.With(o.order.Cluster)
	return o, o.order.Check()
}

// simRun is "weft sim run".
func simRun(args []string) int {
	o, err := parseSimRun(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("sim", "run")
	case err != nil:
		return refuse("sim run", err)
	}
	code, err := o.run(os.Stderr)
	if err != nil {
		complain("sim run: %v", err)
		code = max(code, 1)
	}
	return code
}

// run has the program run as one process that simulates its ranks, and writes what it has reported.
func (o *simRunOptions) run(w io.Writer) (code int, err error) {
	dir, err := os.MkdirTemp("", "weft-sim-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	o.order.Report = filepath.Join(dir, "report")
	order, err := o.order.Variable()
	if err != nil {
		return 1, err
	}
	env := []string{order}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "WEFT_") { // settings are part of the order
			env = append(env, v)
		}
	}
	job := launch.Job{Specs: []launch.Spec{{N: 1, Argv: o.argv, Env: env}}, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Timeout: o.timeout, StackTraces: o.timeout > 0, NoCompatEnv: true}
	if code, err = launch.Run(context.Background(), job); code != 0 || err != nil {
		return code, err
	}
	text, err := os.ReadFile(o.order.Report)
	if errors.Is(err, os.ErrNotExist) {
		return 1, errors.New("the program has simulated nothing: it must be in Go, with this version of Weft, " +
			"and hand a function to mpi.Main or mpi.Run")
	}
	if err != nil {
		return 1, err
	}
	return 0, o.write(text, w)
}

// write writes what a program has reported, a line of JSON for each of its simulations.
func (o *simRunOptions) write(text []byte, w io.Writer) error {
	var b bytes.Buffer
	asJSON := filepath.Ext(o.report) == ".json"
	for lines := json.NewDecoder(bytes.NewReader(text)); lines.More(); {
		var s boot.Simulated
		if err := lines.Decode(&s); err != nil {
			return fmt.Errorf("report of the program: %w", err)
		}
		if err := boot.WriteTimeline(&s.Calls, o.trace); err != nil {
			return err
		}
		var err error
		if s.Calls.ForgetTraces(); asJSON {
			err = json.NewEncoder(&b).Encode(s)
		} else {
			err = s.Text(&b, boot.Longest)
		}
		if err != nil {
			return err
		}
	}
	if o.report != "" {
		return os.WriteFile(o.report, b.Bytes(), 0o644)
	}
	_, err := w.Write(b.Bytes())
	return err
}
