package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/weft-mpi/weft/internal/launch"
)

func TestParseRunSpellings(t *testing.T) {
	for line, check := range map[string]func(o *runOptions) bool{
		"-n 4 p":                      func(o *runOptions) bool { return o.apps[0].ranks == 4 },
		"-np 4 p":                     func(o *runOptions) bool { return o.apps[0].ranks == 4 },
		"--np 4 p":                    func(o *runOptions) bool { return o.apps[0].ranks == 4 },
		"--np=4 p":                    func(o *runOptions) bool { return o.apps[0].ranks == 4 },
		"-c 4 p":                      func(o *runOptions) bool { return o.apps[0].ranks == 4 },
		"-wdir /x p":                  func(o *runOptions) bool { return o.apps[0].dir == "/x" },
		"--wd /x p":                   func(o *runOptions) bool { return o.apps[0].dir == "/x" },
		"-l p":                        func(o *runOptions) bool { return o.job.Output.Tag == launch.TagRank },
		"-prepend-rank p":             func(o *runOptions) bool { return o.job.Output.Tag == launch.TagRank },
		"--tag-output p":              func(o *runOptions) bool { return o.job.Output.Tag == launch.TagOpenMPI },
		"--json-output p":             func(o *runOptions) bool { return o.job.Output.Tag == launch.TagJSON },
		"--timeout 3 p":               func(o *runOptions) bool { return o.job.Timeout == 3*time.Second },
		"--timeout=1m p":              func(o *runOptions) bool { return o.job.Timeout == time.Minute },
		"--grace 0.5 p":               func(o *runOptions) bool { return o.job.Grace == time.Second/2 },
		"--bind-to core p":            func(o *runOptions) bool { return o.job.Bind == launch.BindCore },
		"-bind-to hwthread p":         func(o *runOptions) bool { return o.job.Bind == launch.BindHWThread },
		"--map-by ppr:2:node p":       func(o *runOptions) bool { return o.reach.perNode == 2 },
		"--map-by core p":             func(o *runOptions) bool { return !o.oversubscribe },
		"--map-by :OVERSUBSCRIBE p":   func(o *runOptions) bool { return o.oversubscribe },
		"-ppn 3 p":                    func(o *runOptions) bool { return o.reach.perNode == 3 },
		"--stdin all p":               func(o *runOptions) bool { return o.job.StdinTo == launch.StdinAll },
		"--stdin 2 p":                 func(o *runOptions) bool { return o.job.StdinTo == 2 },
		"--compat-env=none p":         func(o *runOptions) bool { return o.job.NoCompatEnv },
		"--allow-run-as-root p":       func(o *runOptions) bool { return len(o.warnings) == 0 },
		"--mca btl tcp --mca a b p":   func(o *runOptions) bool { return len(o.warnings) == 1 },
		"-outfile-pattern o.%r p":     func(o *runOptions) bool { return o.job.Output.OutPattern == "o.%r" },
		"--output-filename d p":       func(o *runOptions) bool { return o.job.Output.Dir == "d" },
		"--set net-eager-max=8K p":    func(o *runOptions) bool { return o.globalEnv[0] == "WEFT_NET_EAGER_MAX=8K" },
		"--set weft_cma=off p":        func(o *runOptions) bool { return o.globalEnv[0] == "WEFT_CMA=off" },
		"-n 1 -- -odd-name -x":        func(o *runOptions) bool { return slices.Equal(o.apps[0].argv, []string{"-odd-name", "-x"}) },
		"-n 1 p -n 2 --help -- : q":   func(o *runOptions) bool { return len(o.apps) == 2 && len(o.apps[0].argv) == 5 },
		"-n 1 a : -n 2 -wdir /y b -v": func(o *runOptions) bool { return o.apps[1].ranks == 2 && o.apps[1].dir == "/y" && o.apps[0].dir == "" },
	} {
		o, err := parseRun(strings.Fields(line))
		if err != nil || !check(o) {
			t.Errorf("%s: %v, %+v", line, err, o)
		}
	}
}

func TestParseRunRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"":                      "no program",
		"-n 4":                  "no program",
		"-n":                    "needs N",
		"-n x p":                `"x" is no number of ranks`,
		"-n 0 p":                "is no number of ranks",
		"-n 99999999 p":         "is no number of ranks",
		"a :":                   "no program after the last colon",
		": b":                   "no program to run in part 1",
		"a : -n 2 : b":          "no program to run in part 2",
		"--tag-ouput p":         "did you mean --tag-output?",
		"-nn 4 p":               "did you mean -n",
		"--quux p":              "unknown option --quux; weft run -h",
		"--timeout soon p":      "no time",
		"--timeout -1 p":        "no time",
		"--timeout 2562047h p":  "no time",
		"--host-timeout 1ns p":  "from 100ms to",
		"--host-timeout 1e-9 p": "from 100ms to",
		"-l=yes p":              "takes no value",
		"--profile= p":          "empty file name",
		"--bind-to socket p":    "auto, none, core and hwthread",
		"--map-by orbit p":      "unknown policy",
		"--map-by ppr:2:core p": "per node only",
		"--stdin some p":        "neither all, none nor a rank",
		"-env =x y p":           "no name",
		"--set stall p":         "name=value",
		"--mca btl":             "needs KEY VALUE",
		"--stage maybe p":       "neither auto, always nor never",
		"--fan-out 0 p":         "neither auto, all nor a number",
		"--fan-out many p":      "neither auto, all nor a number",
		"--port-range 5 p":      "no range of ports",
		"--port-range 9-5 p":    "no range of ports",
		"--ssh-port ssh p":      "no port",
		"--agent a;b p":         "no path",
		"-env A":                "needs VAR VALUE",
	} {
		if _, err := parseRun(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", line, err, want)
		}
	}
	if _, err := parseRun([]string{"-h"}); !errors.Is(err, errHelp) {
		t.Errorf("-h: %v", err)
	}
}

func TestEnvironmentEdits(t *testing.T) {
	environ := []string{"A=1", "B=2", "C=3"}
	for line, want := range map[string][]string{
		"p":                           {"A=1", "B=2", "C=3"},
		"-x A -x NONE p":              {"A=1", "B=2", "C=3"},
		"-x B=9 -x D=x=y p":           {"A=1", "B=9", "C=3", "D=x=y"},
		"-genv B 8 -env B 7 p":        {"A=1", "B=7", "C=3"},
		"-genvlist A,C p":             {"A=1", "C=3"},
		"-genvnone -x B p":            {"B=2"},
		"-envnone p":                  {},
		"-genvnone -genvall p":        {"A=1", "B=2", "C=3"},
		"-genvnone -envall p":         {"A=1", "B=2", "C=3"},
		"-genvnone -envlist C p":      {"C=3"},
		"--set stall=1s -genvnone p":  {"WEFT_STALL=1s"},
		"-env A q p : -env B w other": {"A=q", "B=2", "C=3"},
	} {
		o, err := parseRun(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, o.environment(environ, o.apps[0])); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

func TestRunHostList(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ompi, hydra := write("ompi", "w0.job.svc slots=2\nw1.job.svc slots=2\n"), write("hydra", "w0:3\n")
	bad := write("bad", "w0 rack=3\n")
	for _, c := range []struct {
		name  string
		line  string
		env   map[string]string
		want  string
		found bool
		err   string
	}{
		{"none", "p", nil, "[]", false, ""},
		{"flags", "-H a:2,b --host c p", nil, "[{a  0 2 0} {b  0 0 0} {c  0 0 0}]", false, ""},
		{"file", "-f " + hydra + " p", map[string]string{"HYDRA_HOST_FILE": ompi}, "[{w0  0 3 0}]", false, ""},
		{"both", "-H w0:1 --hostfile " + hydra + " p", nil, "[{w0  0 4 0}]", false, ""},
		{"operator", "p", map[string]string{"OMPI_MCA_orte_default_hostfile": ompi}, "[{w0.job.svc  0 2 0} {w1.job.svc  0 2 0}]", true, ""},
		{"another", "p", map[string]string{"HYDRA_HOST_FILE": hydra}, "[{w0  0 3 0}]", true, ""},
		{"no file", "-f " + dir + "/none p", nil, "", false, "cannot read the host file"},
		{"device", "-f /dev/zero p", nil, "", false, "/dev/zero is not a file to read but a device"},
		{"bad file", "-f " + bad + " p", nil, "", false, "bad: line 1: "},
		{"bad name", "-H a,-oProxyCommand=x p", nil, "", false, "--host: "},
	} {
		o, err := parseRun(strings.Fields(c.line))
		if err != nil {
			t.Fatal(err)
		}
		list, found, err := o.hostList(func(name string) string { return c.env[name] })
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil || fmt.Sprint(list) != c.want || found != c.found {
			t.Errorf("%s: %v, %v, %v", c.name, list, found, err)
		}
	}
}

// A scheduler's hosts are those of the job, unless the user or a cluster tool names others.
func TestAllocated(t *testing.T) {
	slurm := map[string]string{"SLURM_JOB_ID": "5", "SLURM_JOB_NODELIST": "h[1-2]", "SLURM_TASKS_PER_NODE": "2,1"}
	with := func(name, value string) map[string]string {
		env := maps.Clone(slurm)
		env[name] = value
		return env
	}
	for _, c := range []struct {
		line  string
		env   map[string]string
		found bool
		want  string
		by    string // what starts agents; "" means ssh
	}{
		{"p", slurm, false, "[{h1  0 2 0} {h2  0 1 0}]", "srun"},
		{"-H h2:7 p", slurm, false, "[{h2  0 7 0}]", "srun"},
		{"-H h2,login p", slurm, false, "[{h2  0 0 0} {login  0 0 0}]", ""},
		{"-H localhost p", slurm, false, "[{localhost  0 0 0}]", ""},
		{"--ssh rsh p", slurm, false, "[{h1  0 2 0} {h2  0 1 0}]", ""},
		{"p", with("WEFT_SSH", "rsh"), false, "[{h1  0 2 0} {h2  0 1 0}]", ""},
		{"p", slurm, true, "[]", ""},
		{"p", with("SLURM_STEP_ID", "0"), false, "[]", ""},
		{"p", map[string]string{"LSB_JOBID": "5", "LSB_MCPU_HOSTS": "h1 2"}, false, "[{h1  0 2 0}]", ""},
		{"p", with("SLURM_JOB_NODELIST", "h["), false, "unset SLURM_JOB_ID", ""},
	} {
		o, err := parseRun(strings.Fields(c.line))
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := o.hostList(func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		starter, err := o.allocated(func(name string) string { return c.env[name] }, &list, c.found)
		got, by := fmt.Sprint(list), ""
		if err != nil {
			got = err.Error()
		}
		if starter != nil {
			by = starter.Name
		}
		if !strings.Contains(got, c.want) || by != c.by {
			t.Errorf("%s in %v: %s by %q", c.line, c.env, got, by)
		}
	}
}

func TestPlaceJob(t *testing.T) {
	for line, want := range map[string]string{
		"p":                                     "[4] []",
		"-n 3 p":                                "[3] []",
		"-N 2 p":                                "[2] []",
		"-n 3 -N 2 p":                           "need 2 hosts; name them with --host",
		"-H a:2,b:2 p":                          "[4] [0 0 1 1]",
		"-H a:2,b:2 -n 3 p":                     "[3] [0 0 1]",
		"-H a:2,b:2 --map-by node p":            "[4] [0 1 0 1]",
		"-H a:2,b:2 -n 5 p":                     "5 ranks do not fit: there are 4 slots on a, b",
		"-H a:2,b:2 -n 5 --oversubscribe p":     "[5] [0 0 0 1 1]",
		"-H a,b -n 4 p":                         "[4] [0 0 1 1]",
		"-H a,b -N 3 p":                         "[6] [0 0 0 1 1 1]",
		"-H a,b --map-by ppr:1:node p":          "[2] [0 1]",
		"-H a,b q : -n 2 r":                     "[1 2] [0 0 1]",
		"-H localhost:9 --nooversubscribe p":    "9 ranks do not fit on 4 CPUs",
		"-H localhost:9 --oversubscribe -n 2 p": "[2] [0 0]",
	} {
		o, err := parseRun(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := o.hostList(func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		job := launch.Job{Specs: make([]launch.Spec, len(o.apps))}
		got := ""
		if err := o.place(&job, list, 4); err != nil {
			got = err.Error()
		} else {
			var counts []int
			for _, s := range job.Specs {
				counts = append(counts, s.N)
			}
			got = fmt.Sprint(counts, " ", job.Node)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}

func TestFanOut(t *testing.T) {
	for text, want := range map[string]int{"auto": 0, "all": launch.Star, "1": 1, "20": 20} {
		if o, err := parseRun([]string{"--fan-out", text, "p"}); err != nil || o.job.FanOut != want {
			t.Errorf("%s: %v, %v; want %d", text, o, err, want)
		}
	}
}

func TestReachHosts(t *testing.T) {
	env := map[string]string{"OMPI_MCA_plm_rsh_args": "-o ConnectionAttempts=10"}
	getenv := func(name string) string { return env[name] }
	o, err := parseRun(strings.Fields("--ssh-arg -v --ssh-port 2222 --agent /opt/weft --host-timeout 3 --stage never p"))
	if err != nil {
		t.Fatal(err)
	}
	job := o.job
	o.reachHosts(&job, getenv, true)
	if len(job.SSH) != 0 || fmt.Sprint(job.SSHArgs) != "[-v -o ConnectionAttempts=10]" || job.WaitHosts != operatorWait || job.SSHPort != 2222 ||
		job.Agent != "/opt/weft" || job.HostTimeout != 3*time.Second || job.Stage != launch.StageNever {
		t.Errorf("%+v", job.Reach)
	}
	env["WEFT_SSH"] = "rsh -x"
	job = o.job
	o.reachHosts(&job, getenv, false)
	if fmt.Sprint(job.SSH) != "[rsh -x]" || job.WaitHosts != 0 {
		t.Errorf("%+v", job.Reach)
	}
	o, err = parseRun([]string{"--ssh", "other -y", "--wait-hosts", "0", "p"})
	if err != nil {
		t.Fatal(err)
	}
	job = o.job
	o.reachHosts(&job, getenv, true)
	if fmt.Sprint(job.SSH, job.SSHArgs) != "[other -y] []" || job.WaitHosts != 0 {
		t.Errorf("%+v", job.Reach)
	}
}

// What travels to other hosts is what was meant for the job.
func TestRemoteEnvironment(t *testing.T) {
	environ := []string{"A=1", "HOME=/me", "WEFT_STALL=1s", "GOGC=50", "PATH=/bin", "SSH_AUTH_SOCK=x", "WEFT_SSH=rsh"}
	for line, want := range map[string][]string{
		"p":                            {"WEFT_STALL=1s", "GOGC=50"},
		"-x A -x N=v -x HOME p":        {"WEFT_STALL=1s", "GOGC=50", "A=1", "N=v", "HOME=/me"},
		"--env B=2 -genv C 3 p":        {"WEFT_STALL=1s", "GOGC=50", "C=3", "B=2"},
		"-genvall p":                   {"A=1", "WEFT_STALL=1s", "GOGC=50", "PATH=/bin"},
		"-genvlist A,PATH p":           {"A=1", "PATH=/bin"},
		"-genvnone p":                  {},
		"--iface ^docker0 p":           {"WEFT_STALL=1s", "GOGC=50", "WEFT_IFACE=^docker0"},
		"--port-range 20000-20100 p":   {"WEFT_STALL=1s", "GOGC=50", "WEFT_PORTS=20000-20100"},
		"--encrypt p":                  {"WEFT_STALL=1s", "GOGC=50", "WEFT_ENCRYPT=on"},
		"--set stall=2s -x GOGC=off p": {"WEFT_STALL=2s", "GOGC=off"},
	} {
		o, err := parseRun(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, o.remoteEnvironment(environ, o.apps[0])); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

func TestEveryOptionIsNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range optionNames() {
		if seen[name] {
			t.Errorf("two options are called %s", name)
		}
		seen[name] = true
	}
	help, err := theTool().Help("run")
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range runTable {
		if first := strings.Fields(opt.names)[0]; opt.help != "" && !strings.Contains(help, dashes(first)+first) {
			t.Errorf("help does not mention %s", first)
		}
	}
}

// Whatever the words: no panic, and on success the last program's words are the last words of the line.
func FuzzParseRun(f *testing.F) {
	for _, line := range []string{"-n 4 ./p -v", "-n 2 a : -n 3 b", "--np=3 --mca a b c", "-x A=b -genv C d e", "-- -p",
		"--map-by ppr:2:node:oversubscribe p", "-", "--", "---", "-= x", ":", "-H a,b:2 p"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		o, err := parseRun(words)
		if err != nil {
			return
		}
		last := o.apps[len(o.apps)-1].argv
		if len(last) == 0 || !slices.Equal(last, words[len(words)-len(last):]) {
			t.Errorf("%q: program %q", words, last)
		}
		for _, a := range o.apps {
			if a.ranks < 0 || a.ranks > launch.JobMax {
				t.Errorf("%q: %d ranks", words, a.ranks)
			}
		}
	})
}

// TestFaceFirst: the libraries of a face come before those that the user has named.
func TestFaceFirst(t *testing.T) {
	o := &runOptions{libraries: "/face"}
	for before, want := range map[string]string{"": "/face", "/a:/b": "/face:/a:/b"} {
		env := o.environment([]string{"A=1", "LD_LIBRARY_PATH=" + before}, app{})
		if got, _ := lookup(env, "LD_LIBRARY_PATH"); got != want {
			t.Errorf("after %q: %q, not %q", before, got, want)
		}
	}
	if got, set := lookup((&runOptions{}).environment([]string{"A=1"}, app{}), "LD_LIBRARY_PATH"); set {
		t.Errorf("without a face there is %q", got)
	}
}
