package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
)

// asWeft in the environment makes this test program the tool, so that the tests below run it as users do, with real
// ranks that are again this program.
const asWeft = "TEST_PROGRAM_IS_WEFT"

func init() {
	if os.Getenv(asWeft) != "" {
		os.Exit(weft("weft", os.Args[1:]))
	}
}

func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// runWeft returns what weft printed; it fails the test unless weft ended with that code.
func runWeft(t *testing.T, code int, line string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t), strings.Fields(line)...)
	cmd.Env = append(os.Environ(), asWeft+"=1")
	var out, complaints strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &complaints
	_ = cmd.Run() // the code says it all
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("weft %s: exit code %d, want %d\n%s%s", line, got, code, out.String(), complaints.String())
	}
	return out.String(), complaints.String()
}

func TestBenchAsUsersRunIt(t *testing.T) {
	t.Run("acceptance test", func(t *testing.T) {
		out, _ := runWeft(t, 0, "bench osu_latency -m 8 -x 10 -i 100 -c")
		for _, want := range []string{`\A# OSU MPI Latency Test v7\.0\n# Size          Latency \(us\)        Validation\n0 `, `(?m)^8.*Pass`, `(?m)^8\s+(\S+)`} {
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("no %s in\n%s", want, out)
			}
		}
	})
	t.Run("inside a job", func(t *testing.T) {
		out, _ := runWeft(t, 0, "run -n 4 "+program(t)+" bench allreduce -m 64 -i 10 -f")
		if !strings.Contains(out, "# OSU MPI Allreduce Latency Test v7.0\n") || strings.Count(out, "\n64 ") != 1 {
			t.Errorf("got\n%s", out)
		}
	})
	t.Run("json", func(t *testing.T) {
		out, _ := runWeft(t, 0, "bench bw -m 1K:2K -i 5 --json")
		var r bench.Result
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Test != "bw" || len(r.Rows) != 2 || r.Rows[1].Value <= 0 {
			t.Errorf("%v, %+v", err, r)
		}
	})
	t.Run("figure", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "out.svg")
		runWeft(t, 0, "bench bcast -n 3 -m 8:64 -i 5 --csv --plot "+path)
		for _, file := range []string{path, strings.TrimSuffix(path, "svg") + "csv"} {
			if info, err := os.Stat(file); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v", file, err)
			}
		}
	})
	t.Run("wrong ranks", func(t *testing.T) {
		if _, stderr := runWeft(t, 1, "bench latency -n 3"); !strings.Contains(stderr, "exactly 2 ranks") {
			t.Errorf("got %s", stderr)
		}
	})
	t.Run("wrong option", func(t *testing.T) {
		runWeft(t, codeUsage, "bench latency --nothing")
	})
}

func TestBenchAgainstAPeer(t *testing.T) {
	if _, err := exec.LookPath("mpicc.mpich"); err != nil {
		t.Skip("mpich is not installed")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	save := filepath.Join(t.TempDir(), "report")
	out, _ := runWeft(t, 0, "bench latency -m 8:16 --peer mpich --timeout 45s --rounds 2 --save "+save)
	if !regexp.MustCompile(`(?m)^8 +[\d.]+ +[\d.]+ +[\d.]+ \[[\d.]+-[\d.]+\]  (yes|no)`).MatchString(out) {
		t.Errorf("got\n%s", out)
	}
	text, err := os.ReadFile(save + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Comparisons []struct{ Rounds int }
	}
	if err := json.Unmarshal(text, &r); err != nil || len(r.Comparisons) != 1 || r.Comparisons[0].Rounds != 2 {
		t.Errorf("%v, %+v", err, r)
	}
}
