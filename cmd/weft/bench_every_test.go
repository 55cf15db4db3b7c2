package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
)

func TestEveryFlags(t *testing.T) {
	for line, want := range map[string]string{
		"-n 1":                    "neither a number of ranks",
		"-n 2x2":                  "--box 2x2",
		"--box 4":                 "-n 4",
		"--box 1x4":               "HOSTSxRANKS",
		"-n none":                 "nothing left to measure",
		"--sizes 64,many":         "not a number of bytes",
		"--ops bcast,latency":     "no operation that every measures; there are: multi_lat",
		"--rounds 0":              "want a number",
		"--peer ./weft-old":       "is a path",
		"allreduce":               "operations are named by --ops",
		"-n none --peer nobody=x": "nothing left",
	} {
		if _, stderr := runWeft(t, codeUsage, "bench every "+line); !strings.Contains(stderr, want) {
			t.Errorf("%s: %q does not say %q", line, stderr, want)
		}
	}
	if out, _ := runWeft(t, 0, "bench every -h"); !strings.Contains(out, "--box HOSTSxRANKS") || strings.Contains(out, "--steps") {
		t.Errorf("help\n%s", out)
	}
	if _, stderr := runWeft(t, 1, "bench every -n 2 --peer openmpi=/nowhere"); !strings.Contains(stderr, "openmpi: neither of mpicc.openmpi") {
		t.Errorf("a peer that is not there: %q", stderr)
	}
}

// everyPeer skips where Open MPI, which is compared with everywhere, is not installed.
func everyPeer(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("mpicc.openmpi"); err != nil {
		t.Skip("Open MPI is not installed; make bench-deps installs it")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

func TestEvery(t *testing.T) {
	everyPeer(t)
	out, _ := runWeft(t, 0, "bench every -n 2,3 --ops ssend,ialltoallv,dup,compare_swap --sizes 64,1K --rounds 2 --peer openmpi --timeout 90s")
	for _, want := range []string{
		`(?m)^ranks +\| 2 +\| 3 +\|$`,
		`(?m)^ialltoallv +\|( *[\d.]+[* ]){2} \|( *[\d.]+[* ]){2} \| [\d.]+$`,
		`(?m)^ssend +\|( *[\d.]+[* ]){2} \| +\| [\d.]+$`, // pairs of three ranks there are none
		`(?m)^dup +\| +[\d.]+[* ] +\| +[\d.]+[* ] +\| [\d.]+$`,
		`(?m)^# geometric mean [\d.]+ over 9 points: target`,
		`(?m)^# worst: .* of openmpi, `,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// TestEveryInABox: ranks fill the hosts one after the other, and windows are measured between hosts, too.
func TestEveryInABox(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool and makes a cluster")
	}
	clustertest.Need(t)
	now := filepath.Join(t.TempDir(), "weft")
	if out, err := exec.Command("go", "build", "-o", now, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	everyPeer(t) // after the build, whose cache is where the user's is
	out, err := exec.Command(now, strings.Fields("bench every -n none --box 2x2 --ops bcast,put --sizes 64 --rounds 1 --timeout 90s --json")...).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var r bench.Report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Comparisons) != 2 || r.Every == nil || len(r.Every.Points) != 2 || r.Every.Points[0].Layout != "2x2" {
		t.Fatalf("got %+v", r)
	}
	c := r.Comparisons[0]
	if c.Hosts != "h0:2,h1:2" || c.Ranks != 4 || len(c.Libraries) != 2 || c.Libraries[1].Name != "openmpi" {
		t.Errorf("got %+v", c)
	}
	for _, lib := range c.Libraries {
		if strings.Contains(lib.Settings, "bind-to core") {
			t.Errorf("%s is bound on hosts that share processors: %s", lib.Name, lib.Settings)
		}
	}
}

func TestLeftText(t *testing.T) {
	for _, tc := range []struct {
		done, total int
		spent       time.Duration
		want        string
	}{
		{1, 4, time.Minute, ", 3m0s left"},
		{3, 4, time.Minute, ", 20s left"},
		{4, 4, time.Minute, ""},
		{0, 4, time.Second, ""},
		{99, 100, time.Minute, ""},
	} {
		if got := leftText(tc.done, tc.total, tc.spent); got != tc.want {
			t.Errorf("%d of %d after %v: %q, want %q", tc.done, tc.total, tc.spent, got, tc.want)
		}
	}
}
