package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/launch/desk"
	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/pmi"
)

// runCommand is "weft run": it reads the options, says what it would do or does it. It prints to standard error only;
// standard output belongs to the program.
func runCommand(args []string) int {
	o, err := parseRun(args)
	switch {
	case errors.Is(err, errHelp):
		return showHelp("run")
	case errors.Is(err, errVersion):
		return versionCommand(nil)
	case err != nil:
		complain("%v", err)
		return codeUsage
	}
	for _, w := range o.warnings {
		o.remark(launch.WarningOf(w))
	}
	job, err := o.makeJob(os.Environ())
	if err != nil {
		o.remark(launch.ErrorOf(err.Error()))
		return launch.CodeFailure
	}
	if o.displayMap || o.dryRun {
		for line := range strings.Lines(jobMap(job)) {
			o.remark(launch.NewRemark("info", "map", strings.TrimSpace(line)))
		}
	}
	if o.dryRun {
		return 0
	}
	code, err := launch.Run(context.Background(), job)
	if err != nil {
		o.remark(launch.ErrorOf(err.Error()))
	}
	return code
}

// remark says something as the launcher does.
func (o *runOptions) remark(m launch.Remark) {
	if o.job.LogJSON {
		_, _ = os.Stderr.Write(m.Line())
		return
	}
	complain("%s", m.Text)
}

func complain(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "weft: "+format+"\n", args...)
}

// makeJob turns options into a job, environ being the launcher's environment.
func (o *runOptions) makeJob(environ []string) (launch.Job, error) {
	job := o.job
	job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
	job.Desk = desk.Home()
	if err := o.timeFromEnvironment(&job); err != nil {
		return job, err
	}
	cpus, err := clock.AllowedCPUs()
	if err != nil {
		return job, err
	}
	list, found, err := o.hostList(os.Getenv)
	if err != nil {
		return job, err
	}
	if err := o.wearFace(); err != nil {
		return job, err
	}
	for _, a := range o.apps {
		job.Specs = append(job.Specs, launch.Spec{Argv: a.argv, Dir: a.dir, Env: o.environment(environ, a),
			RemoteEnv: o.remoteEnvironment(environ, a)})
	}
	given, err := o.allocated(os.Getenv, &list, found)
	if err != nil {
		return job, err
	}
	if err := o.place(&job, list, len(cpus)); err != nil {
		return job, err
	}
	o.reachHosts(&job, os.Getenv, found)
	job.Starter = given
	// Ranks check their own settings; here a misspelt one is found before anything is started.
	settings, err := boot.ReadSettings(job.Specs[0].Env)
	if err != nil {
		return job, err
	}
	if err := inlineFiles(&job, settings); err != nil {
		return job, err
	}
	job.Segment = boot.Segments(settings)
	return job, nil
}

// inlineFiles checks the settings that may name a file and, if they do, gives all ranks its
// contents: other hosts may not have it.
func inlineFiles(job *launch.Job, settings *boot.Settings) error {
	_, rules, err := boot.CollRules(settings.Coll)
	if err != nil {
		return err
	}
	_, machine, err := boot.Machine(settings.Machine, model.Ethernet)
	if err != nil {
		return err
	}
	for _, s := range []struct{ name, given, inline string }{{"WEFT_COLL", settings.Coll, rules}, {"WEFT_MACHINE", settings.Machine, machine}} {
		if !strings.Contains(s.given, "@") {
			continue
		}
		for i := range job.Specs {
			job.Specs[i].Env = append(job.Specs[i].Env, s.name+"="+s.inline)
			job.Specs[i].RemoteEnv = append(job.Specs[i].RemoteEnv, s.name+"="+s.inline)
		}
	}
	return nil
}

// timeFromEnvironment honours the variable that both families of launchers know, unless a flag was given.
func (o *runOptions) timeFromEnvironment(job *launch.Job) error {
	text := os.Getenv("MPIEXEC_TIMEOUT")
	if text == "" || job.Timeout != 0 {
		return nil
	}
	d, err := parseSeconds(text)
	if err != nil {
		return fmt.Errorf("MPIEXEC_TIMEOUT: %w", err)
	}
	job.Timeout = d
	return nil
}

// checkSlots refuses or remarks on more ranks than CPUs.
func (o *runOptions) checkSlots(ranks, cpus int) error {
	if ranks <= cpus || o.oversubscribe {
		return nil
	}
	if o.noOversubscribe {
		return fmt.Errorf("%d ranks do not fit on %d CPUs; leave out --nooversubscribe to let them share", ranks, cpus)
	}
	o.remark(launch.WarningOf(fmt.Sprintf("%d ranks share %d CPUs; waiting ranks sleep, so this works (--oversubscribe silences this line)",
		ranks, cpus)))
	return nil
}

// environment returns what the ranks of one program inherit on this host.
func (o *runOptions) environment(environ []string, a app) []string {
	keep := o.keepEnv
	if a.keepEnv != nil {
		keep = a.keepEnv
	}
	return o.edited(environ, a, keep)
}

// edited returns the variables that keep lets through, all for nil, with what the command line sets.
func (o *runOptions) edited(environ []string, a app, keep func(string) bool) []string {
	env := []string{} // not nil: nil would mean the launcher's own environment
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if keep == nil || keep(name) {
			env = append(env, v)
		}
	}
	for _, edit := range append(append([]string{}, o.globalEnv...), a.env...) {
		name, _, hasValue := strings.Cut(edit, "=")
		if !hasValue {
			value, set := lookup(environ, name)
			if !set {
				continue // exporting a variable that does not exist changes nothing
			}
			edit = name + "=" + value
		}
		env = replaceVariable(env, name, edit)
	}
	return o.withFace(env)
}

func lookup(environ []string, name string) (string, bool) {
	for _, v := range environ {
		if n, value, _ := strings.Cut(v, "="); n == name {
			return value, true
		}
	}
	return "", false
}

func replaceVariable(env []string, name, assignment string) []string {
	for i, v := range env {
		if n, _, _ := strings.Cut(v, "="); n == name {
			env[i] = assignment
			return env
		}
	}
	return append(env, assignment)
}

// jobMap says which rank is what and where.
func jobMap(job launch.Job) string {
	var b strings.Builder
	own, _ := os.Hostname()
	rank := 0
	for _, s := range job.Specs {
		dir := s.Dir
		if dir == "" {
			dir, _ = os.Getwd()
		}
		var names []string // in the order of their first rank
		ranks := map[string][]int{}
		for i := rank; i < rank+s.N; i++ {
			name := own
			if job.Node != nil && !hosts.Here(job.Hosts[job.Node[i]].Name) {
				name = job.Hosts[job.Node[i]].Name
			}
			if ranks[name] == nil {
				names = append(names, name)
			}
			ranks[name] = append(ranks[name], i)
		}
		rank += s.N
		for _, name := range names {
			fmt.Fprintf(&b, "ranks %s on %s in %s: %s\n", pmi.FormatRanks(ranks[name]), name, dir, strings.Join(s.Argv, " "))
		}
	}
	return b.String()
}

// longestTime bounds times from the command line, so that they can be added to a moment and to each other.
const longestTime = 1e8 * time.Second

// parseSeconds takes a number of seconds or a duration in Go's notation.
func parseSeconds(text string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 1e-9 && n < longestTime.Seconds() {
		return time.Duration(n * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > longestTime {
		return 0, fmt.Errorf("%q is no time; write seconds (30) or a duration (1m30s)", text)
	}
	return d, nil
}
