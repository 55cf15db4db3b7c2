package peers

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
)

func TestUnknownPeerNamesTheKnown(t *testing.T) {
	_, err := Open(t.Context(), "lam", t.TempDir(), false)
	if err == nil || !strings.Contains(err.Error(), "openmpi mpich") {
		t.Fatalf("error %v does not list the peers", err)
	}
}

func TestMissingPeerSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, name := range Names() {
		if _, err := Open(t.Context(), name, t.TempDir(), false); err == nil || !strings.Contains(err.Error(), "make bench-deps") {
			t.Errorf("%s: error %v does not name `make bench-deps`", name, err)
		}
	}
	if _, err := Open(t.Context(), "mpich="+t.TempDir(), t.TempDir(), false); err == nil {
		t.Error("a directory without mpicc was accepted")
	}
}

func TestSettings(t *testing.T) {
	openMPI := &Peer{kind: kinds[0], launcher: "/usr/bin/mpirun", cpus: 2, bind: true}
	if got := openMPI.Settings(2); !strings.Contains(got, "--bind-to core") || strings.Contains(got, "yield") {
		t.Errorf("two ranks on two CPUs: %q", got)
	}
	if got := openMPI.Settings(4); !strings.Contains(got, "--bind-to none") || !strings.Contains(got, "mpi_yield_when_idle 1") {
		t.Errorf("four ranks on two CPUs: %q", got)
	}
	mpich := &Peer{kind: kinds[1], launcher: "/usr/bin/mpiexec", yield: "/cache/yield.so", cpus: 2}
	if got := mpich.Settings(4); strings.Contains(got, "/cache") || !strings.Contains(got, "LD_PRELOAD yield.so") {
		t.Errorf("four ranks on two CPUs: %q", got)
	}
}

// open returns the peer or skips where its compiler is not installed.
func open(t *testing.T, name, cache string) *Peer {
	t.Helper()
	k, _, err := findKind(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath(k.compilers[0]); err != nil {
		t.Skipf("%s is not installed", name)
	}
	p, err := Open(t.Context(), name, cache, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// quickest is the peer whose launcher takes least time to start.
const quickest = "mpich"

func TestTwinRunsEveryTest(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			p := open(t, name, t.TempDir())
			for _, test := range bench.Tests() {
				if (testing.Short() || name != quickest) && test.Name != "latency" && test.Name != "allgather" {
					continue // both compile the same source; one of them runs all of it
				}
				steps := []bench.Step{{Size: 16, Iterations: 2, Warmup: 1, Batches: 3}, {Size: 64, Iterations: 1, Batches: 2}}
				out, err := p.Measure(t.Context(), bench.Case{Test: test, Ranks: 2, Window: 4, Steps: steps})
				if err != nil {
					t.Fatalf("%s: %v", test.Name, err)
				}
				if len(out.Rows) != 2 || out.Rows[0].Size != 16 || out.Rows[0].Value <= 0 || out.Library == "" {
					t.Errorf("%s gave %+v", test.Name, out)
				}
			}
		})
	}
}

func TestCompiledTwinIsReused(t *testing.T) {
	cache := t.TempDir()
	p := open(t, "mpich", cache)
	before, err := os.Stat(p.twin)
	if err != nil {
		t.Fatal(err)
	}
	again := open(t, "mpich", cache)
	after, err := os.Stat(again.twin)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the second Open compiled anew (%v)", err)
	}
	left, err := filepath.Glob(filepath.Join(cache, "build-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestMeasureReportsFailureAndCancellation(t *testing.T) {
	p := open(t, "mpich", t.TempDir())
	c := bench.Case{Ranks: 2, Window: 4, Steps: []bench.Step{{Size: 8, Iterations: 1, Batches: 1}}}
	c.Test.Name = "nothing"
	if _, err := p.Measure(t.Context(), c); err == nil || !strings.Contains(err.Error(), "no such test") {
		t.Errorf("a wrong test gave %v, want the twin's own words", err)
	}
	c.Test.Name = "latency"
	c.Steps[0].Iterations = 100_000_000
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := p.Measure(ctx, c); err == nil || !strings.Contains(err.Error(), "did not finish") {
		t.Errorf("an endless run gave %v", err)
	}
}
