package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
)

// againstReport is what the tests read of --json.
type againstReport struct {
	Against struct {
		New, Old struct{ Path, Version, Sha256 string }
		Points   int
		Ratio    float64
	}
	Notes       []string
	Comparisons []struct {
		Test, Hosts, Failure string
		Rounds               int
		Libraries            []struct{ Name string }
	}
}

func parseAgainst(t *testing.T, text string) againstReport {
	t.Helper()
	var r againstReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return r
}

// script writes a program into a directory of its own.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weft")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// listing is the part of a script that lists only these tests as those that there are.
func listing(tests ...string) string {
	return "if [ \"$2\" = list ]; then echo Tests:; printf '  %s  text\\n' " + strings.Join(tests, " ") + "; exit; fi\n"
}

func TestBenchAgainstItself(t *testing.T) {
	out, _ := runWeft(t, 0, "bench latency -m 8:16 -i 5 -x 5 --rounds 2 --against "+program(t))
	for _, want := range []string{`(?m)^# new: ` + program(t) + `, version .+, sha256 [0-9a-f]{12}$`, `(?m)^# old: ` + program(t), `the same build as new`,
		`(?m)^8 +[\d.]+ +[\d.]+ +[\d.]+ \[[\d.]+-[\d.]+\]  -$`, `(?m)^# new/old: geometric mean [\d.]+ \[[\d.]+-[\d.]+\] over 2 points`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	out, stderr := runWeft(t, codeSlower, "bench allreduce -n 3 -m 8:16 -i 5 -x 5 --rounds 1 --json --limit 0.001 --against "+program(t))
	if r := parseAgainst(t, out); r.Against.Points != 2 || r.Against.Ratio <= 0 || r.Against.Old.Sha256 == "" || !strings.Contains(stderr, "above --limit 0.001") {
		t.Errorf("%+v\n%s", r, stderr)
	}
	runWeft(t, 0, "bench bcast -n 2 -m 8:8 -i 5 -x 5 --rounds 1 --limit 1000000 --against "+program(t))
}

func TestBenchAgainstWhatIsNoWeft(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(plain, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	weft := "case $1 in version) echo weft v0; exit;; esac\n" + listing("barrier")
	for word, want := range map[string]string{
		script(t, "echo hello"):                   "is no weft",
		script(t, "echo weft v1; exit 3"):         "is no weft",
		script(t, "exit 0"):                       "is no weft",
		plain:                                     "permission denied",
		t.TempDir():                               "is a directory",
		"no-such-weft":                            "not found",
		"./no/such/weft":                          "no such file",
		script(t, weft+"echo gone >&2"):           "cannot measure here",
		script(t, weft+"echo 'weft-bench row 1'"): "cannot measure here",
		script(t, "case $1 in version) echo weft v0;; *) echo no bench; exit 2;; esac"): "cannot list its benchmarks",
	} {
		if _, stderr := runWeft(t, 1, "bench latency -m 8 --rounds 1 --against "+word); !strings.Contains(stderr, want) || !strings.Contains(stderr, word) {
			t.Errorf("%s: no %q in %s", word, want, stderr)
		}
	}
}

// The first run is the attempt before all rounds.
func TestBenchAgainstABuildThatFailsInTheMiddle(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	other := script(t, fmt.Sprintf(`[ "$1" = run ] || exec %[1]s "$@"
echo >>%[2]s
[ "$(wc -l <%[2]s)" -lt 4 ] || { echo out of luck >&2; exit 9; }
exec %[1]s "$@"
`, program(t), runs))
	out, stderr := runWeft(t, 1, "bench latency -m 8:8 -i 5 -x 5 --rounds 5 --limit 0.001 --json --against "+other)
	if r := parseAgainst(t, out); r.Comparisons[0].Rounds != 2 || !strings.Contains(r.Comparisons[0].Failure, "round 3 of 5, old") || r.Against.Points != 1 {
		t.Errorf("got %+v", r)
	}
	if !strings.Contains(stderr, "out of luck") {
		t.Errorf("its own words are not in %s", stderr)
	}
}

// A build that does not have a test yet: the suite goes without it, and says so; alone it is an error.
func TestBenchAgainstABuildThatLacksATest(t *testing.T) {
	other := script(t, listing("barrier", "latency")+"exec "+program(t)+" \"$@\"\n")
	if _, stderr := runWeft(t, 1, "bench bw -m 8 --rounds 1 --against "+other); !strings.Contains(stderr, "bw was not measured: the other build does not have it") {
		t.Errorf("got %s", stderr)
	}
	out, _ := runWeft(t, 0, "bench suite --quick -n 2 -i 5 -x 5 --rounds 1 --json --against "+other)
	r := parseAgainst(t, out)
	if len(r.Comparisons) != 2 || r.Comparisons[0].Test != "latency" || r.Comparisons[1].Test != "barrier" || !strings.Contains(strings.Join(r.Notes, "\n"), "bcast was not measured") {
		t.Errorf("got %+v", r)
	}
}

// A tool that was built by itself, on one host and between hosts: there its agents must be its own.
func TestBenchAgainstAFreshBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool")
	}
	dir := t.TempDir()
	now, old, agents := filepath.Join(dir, "weft"), filepath.Join(dir, "weft-old"), filepath.Join(dir, "agents")
	if out, err := exec.Command("go", "build", "-o", now, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Link(now, old); err != nil {
		t.Fatal(err)
	}
	t.Run("one host", func(t *testing.T) {
		out, err := exec.Command(now, strings.Fields("bench put -m 8:16 -i 5 -x 5 --rounds 1 --json --against "+old)...).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if r := parseAgainst(t, string(out)); r.Against.Points != 2 || r.Against.New.Path != now || r.Against.Old.Path != old || len(r.Comparisons[0].Libraries) != 2 {
			t.Errorf("got %+v", r)
		}
	})
	t.Run("between hosts", func(t *testing.T) {
		clustertest.Need(t)
		few := script(t, listing("barrier", "mbw_mr")+"[ \"$1\" != agent ] || echo >>"+agents+"\nexec "+old+" \"$@\"\n")
		out, err := exec.Command(now, strings.Fields("bench suite --quick -n 4 -i 5 -x 5 --rounds 1 --json --box --against "+few)...).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		r := parseAgainst(t, string(out))
		where := map[string]int{}
		for _, c := range r.Comparisons {
			where[c.Hosts]++
		}
		if where[""] != 2 || where["h0,h1"] != 2 || len(where) != 2 || r.Against.Points == 0 {
			t.Errorf("comparisons by hosts: %v, %+v", where, r.Against)
		}
		if started, err := os.ReadFile(agents); err != nil || len(started) != 3 { // one to see whether it works, one for each test
			t.Errorf("%d of its agents were started, %v", len(started), err)
		}
	})
}

func TestAgainstTakesItsOwnAgents(t *testing.T) {
	j := &weftJob{program: "/old/weft", apart: true, benchNetwork: benchNetwork{hosts: []string{"h0", "h1"}}}
	c := bench.Case{Test: bench.Test{Name: "latency"}, Ranks: 2, Steps: []bench.Step{{Size: 8, Iterations: 1, Batches: 1}}}
	if line := strings.Join(j.runArgs([]bench.Case{c}), " "); !strings.Contains(line, "--agent /old/weft ") || !strings.Contains(line, " /old/weft bench latency") {
		t.Errorf("command line %q", line)
	}
	if j.hosts = nil; strings.Contains(strings.Join(j.runArgs([]bench.Case{c}), " "), "--agent") {
		t.Error("there is an agent on one host")
	}
}
