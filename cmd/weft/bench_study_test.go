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

// study runs a study with --json and returns its report.
func study(t *testing.T, line string) bench.Report {
	t.Helper()
	out, _ := runWeft(t, 0, "bench "+line+" --json")
	var r struct {
		Host        bench.Host
		Comparisons []struct {
			Test, Failure string
			Ranks, Rounds int
			Libraries     []bench.Library
			Points        []struct {
				Size, Share int
				Sides       []bench.Side
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	report := bench.Report{Host: r.Host}
	for _, c := range r.Comparisons {
		cmp := bench.Comparison{Test: c.Test, Ranks: c.Ranks, Rounds: c.Rounds, Libraries: c.Libraries, Failure: c.Failure}
		for _, p := range c.Points {
			cmp.Points = append(cmp.Points, bench.Point{Size: p.Size, Share: p.Share, Sides: p.Sides})
		}
		report.Comparisons = append(report.Comparisons, cmp)
	}
	return report
}

func TestStudiesAsUsersRunThem(t *testing.T) {
	t.Run("overlap", func(t *testing.T) {
		r := study(t, "overlap --net=false --set progress=poll --rounds 1 -m 64K -i 2 -x 1")
		if len(r.Comparisons) != 4 || len(r.Comparisons[0].Points) != 1 || r.Comparisons[3].Test != "overlap_recv_receiver_first" {
			t.Errorf("got %+v", r)
		}
	})
	t.Run("exchange", func(t *testing.T) {
		r := study(t, "exchange --net=false --set progress=poll --rounds 1 -m 4K -i 2 -x 1 --shares 50,200")
		if len(r.Comparisons) != 4 {
			t.Fatalf("got %+v", r)
		}
		for _, c := range r.Comparisons {
			if len(c.Points) != 2 || c.Points[1].Share != 200 || c.Points[1].Sides[0].Summary.Median <= 0 {
				t.Errorf("%s: %+v", c.Test, c.Points)
			}
		}
	})
	t.Run("settings side by side over the network", func(t *testing.T) {
		r := study(t, "crossing --set rndv=speculative,progress=poll --set rndv=rget,progress=poll --rounds 1 -m 128K -i 2 -x 0")
		sides := r.Comparisons[0].Libraries
		if len(sides) != 2 || sides[0].Name != "speculative+poll" || !strings.Contains(sides[1].Settings, "WEFT_RNDV=rget") {
			t.Fatalf("sides %+v", sides)
		}
		if !strings.Contains(sides[0].Counters, "Engine.RTRSent ") || strings.Contains(sides[1].Counters, "RTR") {
			t.Errorf("counters do not show who speculates: %q and %q", sides[0].Counters, sides[1].Counters)
		}
	})
	t.Run("memory that the library counts", func(t *testing.T) {
		r := study(t, "memory -n 3 --rounds 1 -i 2 --set channel=srq --set channel=sr")
		if len(r.Comparisons) != 2 || r.Comparisons[0].Test != "buffers" || r.Comparisons[0].Points[0].Sides[1].Summary.Median <= 0 {
			t.Errorf("got %+v", r)
		}
	})
	t.Run("ranks that wait", func(t *testing.T) {
		r := study(t, "idle -n 3 --net=false --set wait=hybrid --set wait=spin --rounds 1 -i 1")
		if len(r.Comparisons) != 2 || r.Comparisons[0].Test != "idle" {
			t.Fatalf("%+v", r)
		}
		sides := r.Comparisons[0].Points[0].Sides
		if sleeps, spins := sides[0].Summary.Median, sides[1].Summary.Median; spins < 10*sleeps {
			t.Errorf("who sleeps uses %.2f%% of a processor, who spins %.2f%%", sleeps, spins)
		}
	})
	t.Run("beside long messages", func(t *testing.T) {
		r := study(t, "qos --set channel=srq --set channel=hybrid --rounds 1 -i 2 -x 1 --shares 0,5")
		c := r.Comparisons[0]
		if len(r.Comparisons) != 1 || c.Test != "busy_latency" || len(c.Points) != 2 || c.Points[1].Share != 5 || c.Points[1].Size != 8 ||
			c.Points[1].Sides[1].Summary.Median <= 0 {
			t.Fatalf("got %+v", r)
		}
		if !strings.Contains(c.Libraries[0].Counters, "Rail.Counters.Reads ") {
			t.Errorf("no long message is among the counters %q", c.Libraries[0].Counters)
		}
	})
}

func TestStudiesInAJobWithFiguresAndRefused(t *testing.T) {
	t.Run("inside a job", func(t *testing.T) {
		out, _ := runWeft(t, 0, "run -n 2 "+program(t)+" bench progress -m 1K:1K -i 2 -x 1 --shares 100")
		if strings.Count(out, "# Progress Test") != 4 || !regexp.MustCompile(`(?m)^1024 +[\d.]+ +[\d.]+ +100$`).MatchString(out) {
			t.Errorf("got\n%s", out)
		}
	})
	t.Run("figures", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "out.svg")
		runWeft(t, 0, "bench spectrum --net=false --set wait=spin --rounds 1 -m 64:128 -i 3 --plot "+path)
		for _, name := range []string{"out-spectrum_packed.svg", "out-spectrum_paged.svg", "out.csv"} {
			if info, err := os.Stat(filepath.Join(filepath.Dir(path), name)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("a setting that is none", func(t *testing.T) {
		if _, stderr := runWeft(t, 1, "bench reuse --set colour=red --rounds 1 -i 1"); !strings.Contains(stderr, "no setting is called WEFT_COLOUR") {
			t.Errorf("got %s", stderr)
		}
	})
	t.Run("counted over shared memory", func(t *testing.T) {
		if _, stderr := runWeft(t, 1, "bench buffers --set channel=srq -n 2 -m 1K:1K -i 1 --rounds 1"); !strings.Contains(stderr, "with --net") {
			t.Errorf("got %s", stderr)
		}
	})
}

func TestStudyAgainstAPeerOverTCP(t *testing.T) {
	if _, err := exec.LookPath("mpicc.mpich"); err != nil {
		t.Skip("mpich is not installed")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	r := study(t, "overlap --set progress=auto --rounds 1 -m 64K -i 2 -x 1 --peer mpich --timeout 45s") // MPICH 4.0.2 over UCX hangs in MPI_Finalize now and then
	sides := r.Comparisons[0].Libraries
	if len(sides) != 2 || !strings.Contains(sides[1].Settings, "UCX_TLS tcp,self") || !strings.Contains(sides[0].Settings, "WEFT_LINKS=rail") {
		t.Errorf("sides %+v", sides)
	}
}
