package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/launch"
	"github.com/weft-mpi/weft/internal/meet"
	"github.com/weft-mpi/weft/internal/usage"
)

// runTable is every option of "weft run". The names come from two families of launchers, who agree on little; both
// are understood. It is filled by init because help, one of its rows, reads it.
var runTable []option

func init() {
	runTable = append(runTable, programOptions...)
	runTable = append(runTable, outputOptions...)
	runTable = append(runTable, endOptions...)
	runTable = append(runTable, placeOptions...)
	runTable = append(runTable, hostOptions...)
	runTable = append(runTable, otherOptions...)
}

var programOptions = []option{
	{"n np c", 1, "N", "number of ranks (default: one per CPU)", func(o *runOptions, v []string) (err error) {
		o.current().ranks, err = parseCount(v[0])
		return err
	}},
	{"as", 1, "LIBRARY", "the programs were compiled for openmpi or mpich; run them as they are, on Weft", func(o *runOptions, v []string) error {
		return o.setFace(v[0])
	}},
	{"x", 1, "VAR[=VALUE]", "export or set a variable", func(o *runOptions, v []string) error {
		edit, err := exported(v[0])
		o.current().env = append(o.current().env, edit)
		return err
	}},
	{"env", 2, variableAndValue, "set a variable for this program; VAR=value will do", func(o *runOptions, v []string) error {
		edit, err := variable(v)
		o.current().env = append(o.current().env, edit)
		return err
	}},
	{"genv", 2, variableAndValue, "set a variable for all programs", func(o *runOptions, v []string) error {
		edit, err := variable(v)
		o.globalEnv = append(o.globalEnv, edit)
		return err
	}},
	{"genvlist", 1, "A,B,...", "pass on these variables only", func(o *runOptions, v []string) error {
		o.keepEnv = keepOnly(v[0])
		return nil
	}},
	{"genvnone", 0, "", "pass on no variable", func(o *runOptions, _ []string) error {
		o.keepEnv = keepNone
		return nil
	}},
	{"genvall", 0, "", "pass on all variables (default on this host)", func(o *runOptions, _ []string) error {
		o.keepEnv = keepAll
		return nil
	}},
	{"envlist", 1, "A,B,...", "as genvlist, for this program", func(o *runOptions, v []string) error {
		o.current().keepEnv = keepOnly(v[0])
		return nil
	}},
	{"envnone", 0, "", "as genvnone, for this program", func(o *runOptions, _ []string) error {
		o.current().keepEnv = keepNone
		return nil
	}},
	{"envall", 0, "", "as genvall, for this program", func(o *runOptions, _ []string) error {
		o.current().keepEnv = keepAll
		return nil
	}},
	{"set", 1, "NAME=VALUE", "change a setting of Weft (WEFT_NAME) for all ranks", func(o *runOptions, v []string) error {
		edit, err := tunableVariable(v[0])
		o.globalEnv = append(o.globalEnv, edit)
		return err
	}},
	{"wdir wd", 1, "DIR", "working directory of the ranks", func(o *runOptions, v []string) error {
		if v[0] == "" {
			return fmt.Errorf("empty directory name")
		}
		o.current().dir = v[0]
		return nil
	}},
	{"stdin", 1, "all|none|RANK", "who reads standard input (default 0)", func(o *runOptions, v []string) error {
		return o.stdin(v[0])
	}},
	{"compat-env", 1, "all|none", "set the variables of other launchers (default all)", func(o *runOptions, v []string) error {
		if v[0] != "all" && v[0] != "none" {
			return fmt.Errorf("%q is neither all nor none", v[0])
		}
		o.job.NoCompatEnv = v[0] == "none"
		return nil
	}},
}

// output makes an option that changes how output is written.
func output(names, help string, change func(*launch.Output)) option {
	return option{names, 0, "", help, func(o *runOptions, _ []string) error {
		change(&o.job.Output)
		return nil
	}}
}

// outputFile makes an option that names a file or directory for output.
func outputFile(names, meta, help string, field func(*launch.Output) *string) option {
	return option{names, 1, meta, help, func(o *runOptions, v []string) error {
		if v[0] == "" {
			return fmt.Errorf("empty file name")
		}
		*field(&o.job.Output) = v[0]
		return nil
	}}
}

var outputOptions = []option{
	output("l prepend-rank", "begin every line with its rank: [3] line", func(out *launch.Output) { out.Tag = launch.TagRank }),
	output("tag-output", "the same as other tools write it: [1,3]<stdout>:line",
		func(out *launch.Output) { out.Tag = launch.TagOpenMPI }),
	output("timestamp-output", "begin every line with the time", func(out *launch.Output) { out.Timestamp = true }),
	output("json-output", "write every line as a JSON object", func(out *launch.Output) { out.Tag = launch.TagJSON }),
	{"log-json", 0, "", "write messages of the launcher as JSON objects, and more of them: docs/reference/events.md", func(o *runOptions, _ []string) error {
		o.job.LogJSON = true
		return nil
	}},
	{"metrics", 1, "ADDR", "let Prometheus fetch the numbers of the job at this port, or HOST:PORT; 0 takes any port", func(o *runOptions, v []string) error {
		if v[0] == "" {
			return fmt.Errorf("empty address")
		}
		o.job.Metrics = v[0]
		return nil
	}},
	{"metrics-token", 1, "FILE", "give them only to who knows the token in FILE, also on other hosts", func(o *runOptions, v []string) (err error) {
		o.job.MetricsToken, err = meet.KeyFile(v[0])
		return err
	}},
	output("merge-stderr-to-stdout", "treat standard error as standard output",
		func(out *launch.Output) { out.MergeStderr = true }),
	outputFile("output-dir output-filename", "DIR", "write to DIR/rank.R/stdout and stderr instead",
		func(out *launch.Output) *string { return &out.Dir }),
	outputFile("outfile-pattern", "FILE", "write standard output to FILE; %r is the rank",
		func(out *launch.Output) *string { return &out.OutPattern }),
	outputFile("errfile-pattern", "FILE", "the same for standard error",
		func(out *launch.Output) *string { return &out.ErrPattern }),
}

// timeOption makes an option that sets a time.
func timeOption(names, help string, field func(*launch.Job) *time.Duration) option {
	return option{names, 1, "SECONDS", help, func(o *runOptions, v []string) (err error) {
		*field(&o.job), err = parseSeconds(v[0])
		return err
	}}
}

// flagOption makes an option that switches something on.
func flagOption(names, help string, field func(*runOptions) *bool) option {
	return option{names, 0, "", help, func(o *runOptions, _ []string) error {
		*field(o) = true
		return nil
	}}
}

var endOptions = []option{
	{"profile", 0, behindEquals, "say in the end where the program's time in MPI went; --profile=FILE writes that to FILE, as JSON if it ends in .json", func(o *runOptions, v []string) error {
		return o.profile(v)
	}},
	{"trace", 1, "FILE", "write every call of every rank to FILE in the Trace Event format, for Perfetto or Chrome", func(o *runOptions, v []string) error {
		return o.trace(v[0])
	}},
	timeOption("timeout", "end the job after this time, with code 110", func(j *launch.Job) *time.Duration { return &j.Timeout }),
	flagOption("get-stack-traces", "on timeout print the goroutines of all ranks first",
		func(o *runOptions) *bool { return &o.job.StackTraces }),
	timeOption("grace", "from SIGTERM to SIGKILL (default 5)", func(j *launch.Job) *time.Duration { return &j.Grace }),
	timeOption("crash-grace", "the same after a rank has failed (default 1)",
		func(j *launch.Job) *time.Duration { return &j.CrashGrace }),
	flagOption("recover", "go on without ranks that die; the program has to see to it", func(o *runOptions) *bool { return &o.job.Recover }),
	flagOption("print-all-exitcodes", "say how every rank ended", func(o *runOptions) *bool { return &o.job.PrintExitCodes }),
}

var placeOptions = []option{
	{"bind-to", 1, "auto|none|core|hwthread", "CPUs of a rank (default auto: an equal share of the cores if there are enough)", func(o *runOptions, v []string) error {
		return o.bindTo(v[0])
	}},
	flagOption("report-bindings", "print the CPUs of every rank", func(o *runOptions) *bool { return &o.job.ReportBindings }),
	{"map-by", 1, "POLICY", "slot, core, node, ..., ppr:N:node", func(o *runOptions, v []string) error {
		return o.mapBy(v[0])
	}},
	{"N ppn", 1, "N", "ranks per host", func(o *runOptions, v []string) (err error) {
		o.reach.perNode, err = parseCount(v[0])
		return err
	}},
	flagOption("oversubscribe", "allow more ranks than slots, say nothing about more than CPUs",
		func(o *runOptions) *bool { return &o.oversubscribe }),
	flagOption("nooversubscribe", "refuse more ranks than CPUs", func(o *runOptions) *bool { return &o.noOversubscribe }),
}

var hostOptions = []option{
	{"host H hosts", 1, "HOST[:N],...", "hosts to run on, and how many ranks each takes", func(o *runOptions, v []string) error {
		o.reach.hosts = append(o.reach.hosts, v[0])
		return nil
	}},
	{"hostfile machinefile f", 1, "FILE", "the same from a file: lines of HOST[:N] or HOST slots=N", func(o *runOptions, v []string) error {
		o.reach.hostFiles = append(o.reach.hostFiles, v[0])
		return nil
	}},
	{"stage", 1, "auto|always|never", "copy the program to hosts that lack it (default auto)", func(o *runOptions, v []string) (err error) {
		o.job.Stage, err = stage(v[0])
		return err
	}},
	{"iface", 1, "NAME|NETWORK,...", "interfaces to use between hosts; ^ in front leaves them out", func(o *runOptions, v []string) error {
		edit, err := assignment("WEFT_IFACE", v[0])
		o.globalEnv = append(o.globalEnv, edit)
		return err
	}},
	{"port-range", 1, "FIRST-LAST", "ports that ranks may listen on", func(o *runOptions, v []string) error {
		edit, err := portRange(v[0])
		o.globalEnv = append(o.globalEnv, edit)
		return err
	}},
	{"encrypt", 0, "", "encrypt what travels between hosts; programs need not know", func(o *runOptions, _ []string) error {
		o.globalEnv = append(o.globalEnv, "WEFT_ENCRYPT=on")
		return nil
	}},
	{"wait-hosts", 1, "SECONDS", "try again for so long when a host does not answer", func(o *runOptions, v []string) (err error) {
		o.reach.waitSaid = true
		if v[0] == "0" || v[0] == "0s" {
			return nil
		}
		o.job.WaitHosts, err = parseSeconds(v[0])
		return err
	}},
	{"host-timeout", 1, "SECONDS", "give a host up when it is silent for so long (default 5)", func(o *runOptions, v []string) (err error) {
		if o.job.HostTimeout, err = parseSeconds(v[0]); err != nil {
			return err
		}
		return launch.CheckHostTimeout(o.job.HostTimeout)
	}},
	{"fan-out", 1, "N|auto|all", "how many agents each host starts; all: all from here (default auto)", func(o *runOptions, v []string) (err error) {
		o.job.FanOut, err = fanOut(v[0])
		return err
	}},
	{"ssh", 1, "COMMAND", "run this instead of ssh (default WEFT_SSH, or ssh)", func(o *runOptions, v []string) error {
		o.reach.ssh = v[0]
		return nil
	}},
	{"ssh-arg", 1, "WORD", "one more word for ssh; may be repeated", func(o *runOptions, v []string) error {
		o.reach.sshArgs = append(o.reach.sshArgs, v[0])
		return nil
	}},
	{"ssh-port", 1, "N", "port of the ssh servers", func(o *runOptions, v []string) (err error) {
		o.job.SSHPort, err = strconv.Atoi(v[0])
		if err != nil || o.job.SSHPort < 1 || o.job.SSHPort > 65535 {
			return fmt.Errorf("%q is no port", v[0])
		}
		return nil
	}},
	{"agent", 1, "PATH", "where weft is on other hosts (default: in PATH, or as here)", func(o *runOptions, v []string) error {
		o.job.Agent = v[0]
		return agentPath(v[0])
	}},
}

// ignored makes an option that other launchers need and this one does not.
func ignored(names string, values int, meta string) option {
	return option{names, values, meta, "", func(*runOptions, []string) error { return nil }}
}

var otherOptions = []option{
	flagOption("display-map", "print which rank is what", func(o *runOptions) *bool { return &o.displayMap }),
	flagOption("dry-run do-not-launch", "print it and run nothing", func(o *runOptions) *bool { return &o.dryRun }),
	ignored("allow-run-as-root", 0, ""),
	ignored("rank-by", 1, "POLICY"),
	ignored("launcher", 1, "NAME"),
	ignored("rmk", 1, "NAME"),
	{"mca gmca prtemca pmixmca", 2, "KEY VALUE", "understood and ignored", func(o *runOptions, v []string) error {
		o.mca = append(o.mca, v[0])
		return nil
	}},
	{"version V", 0, "", "", func(*runOptions, []string) error { return errVersion }},
	{"h help", 0, "", "print this text", func(*runOptions, []string) error { return errHelp }},
}

const runAbout = `
The program is an executable, a name in PATH, a Go package directory or a .go file. Options after the program are the program's.
Long options may be written with one dash or two.

  weft run -n 4 ./prog -v                    an executable and its own options
  weft run -n 4 ./examples/hello             build a Go package and run it
  weft run -l -n 2 ./master : -n 6 ./worker  two programs in one job, every line with its rank
  weft run -n 4 --timeout 60 --get-stack-traces ./prog
  weft run -n 4 --set stall=10s ./prog       a setting of Weft (weft help settings)
  weft run --host h1:4,h2:4 ./prog           eight ranks on two hosts, by ssh (weft help hosts)
`

const runAfter = `
Exit code: that of the first rank that ended abnormally; 128+n for signal n; 110 after --timeout; 111 when a host is lost; 126 or 127
when the program cannot be run or found. weft help exit-codes lists all.
`

// aboutRun describes "weft run" by its table.
func aboutRun() usage.Command {
	return usage.Command{Forms: []string{"[options] program [arguments] [: [options] program [arguments]]..."}, About: runAbout,
		Words: "PROGRAM ARGUMENT...", Ends: true, Groups: runGroups(), After: runAfter}
}

// runGroups are the options of "weft run" by what they are about.
func runGroups() (groups []usage.Group) {
	for _, g := range []struct {
		title string
		rows  []option
	}{{"program", programOptions}, {"output", outputOptions}, {"ending", endOptions}, {"placement", placeOptions},
		{"other hosts", hostOptions}, {"other", otherOptions}} {
		group := usage.Group{Title: g.title}
		for _, opt := range g.rows {
			row := usage.Option{Value: opt.meta, Help: opt.help}
			if opt.optional() {
				row.Value = "" // no word follows
			}
			for n := range strings.FieldsSeq(opt.names) {
				row.Names = append(row.Names, dashes(n)+n)
			}
			group.Rows = append(group.Rows, row)
		}
		groups = append(groups, group)
	}
	return groups
}
