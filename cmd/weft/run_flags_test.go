package main

import (
	"errors"
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
		"--map-by ppr:2:node p":       func(o *runOptions) bool { return o.perNode == 2 },
		"--map-by core p":             func(o *runOptions) bool { return !o.oversubscribe },
		"--map-by :OVERSUBSCRIBE p":   func(o *runOptions) bool { return o.oversubscribe },
		"-ppn 3 p":                    func(o *runOptions) bool { return o.perNode == 3 },
		"--stdin all p":               func(o *runOptions) bool { return o.job.StdinTo == launch.StdinAll },
		"--stdin 2 p":                 func(o *runOptions) bool { return o.job.StdinTo == 2 },
		"--compat-env=none p":         func(o *runOptions) bool { return o.job.NoCompatEnv },
		"--allow-run-as-root p":       func(o *runOptions) bool { return len(o.warnings) == 0 },
		"--mca btl tcp --mca a b p":   func(o *runOptions) bool { return len(o.warnings) == 1 },
		"-outfile-pattern o.%r p":     func(o *runOptions) bool { return o.job.Output.OutPattern == "o.%r" },
		"--output-filename d p":       func(o *runOptions) bool { return o.job.Output.Dir == "d" },
		"--set eager-max=8K p":        func(o *runOptions) bool { return o.globalEnv[0] == "WEFT_EAGER_MAX=8K" },
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
		"-l=yes p":              "takes no value",
		"--bind-to socket p":    "auto, none, core and hwthread",
		"--map-by orbit p":      "unknown policy",
		"--map-by ppr:2:core p": "per node only",
		"--stdin some p":        "neither all, none nor a rank",
		"-env =x y p":           "no name",
		"--set stall p":         "name=value",
		"--mca btl":             "needs KEY value",
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

func TestHosts(t *testing.T) {
	hosts, err := parseHostFile([]byte("# mine\nn1 slots=4 max_slots=8\n\nuser@n2:3 # three\nn3\n::1\n"))
	want := []hostSlots{{"n1", 4}, {"n2", 3}, {"n3", 0}, {"::1", 0}}
	if diff := cmp.Diff(want, hosts, cmp.AllowUnexported(hostSlots{})); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, bad := range []string{"n1 slots=many", "n1:x", "n1 rack", ":4", "n1:0"} {
		if hosts, err := parseHostFile([]byte(bad)); err == nil {
			t.Errorf("%q: got %v", bad, hosts)
		}
	}
	o := &runOptions{hosts: []string{"localhost:3", "127.0.0.1"}}
	if slots, err := o.localSlots(); slots != 4 || err != nil {
		t.Errorf("%d slots, %v", slots, err)
	}
	o = &runOptions{hosts: []string{"far.example"}}
	if _, err := o.localSlots(); err == nil || !strings.Contains(err.Error(), "across hosts") {
		t.Errorf("another host: %v", err)
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
	help := runHelp()
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
			if a.ranks < 0 || a.ranks > launch.RanksMax {
				t.Errorf("%q: %d ranks", words, a.ranks)
			}
		}
	})
}

func FuzzHostFile(f *testing.F) {
	f.Add([]byte("n1 slots=4\nn2:3\n# c\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		hosts, err := parseHostFile(text)
		if err != nil {
			return
		}
		for _, h := range hosts {
			if h.name == "" || h.slots < 0 {
				t.Errorf("%q: %+v", text, h)
			}
		}
	})
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"ab", "ba", 2}, {"tag-ouput", "tag-output", 1}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
