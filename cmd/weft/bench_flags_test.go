package main

import (
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/launch"
)

func TestParseBench(t *testing.T) {
	o, err := parseBench(strings.Fields("osu_latency -m 8 -x 10 -i 1000 -c"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := o.plainCase(o.ranks)
	if err != nil {
		t.Fatal(err)
	}
	last := c.Steps[len(c.Steps)-1]
	if c.Test.Name != "latency" || !c.Validate || c.Ranks != 2 || last != (bench.Step{Size: 8, Iterations: 1000, Warmup: 10, Batches: 1}) {
		t.Errorf("got %+v", c)
	}
}

func TestParseBenchTakesOptionsAroundTheName(t *testing.T) {
	o, err := parseBench(strings.Fields("-n 4 allgather --message-size 1K:64K --json --window-size 8"))
	if err != nil {
		t.Fatal(err)
	}
	if o.ranks != 4 || o.test.Name != "allgather" || o.sizes.Min != 1024 || o.sizes.Max != 64<<10 || !o.json || o.window != 8 {
		t.Errorf("got %+v", o)
	}
}

func TestParseBenchComparison(t *testing.T) {
	o, err := parseBench(strings.Fields("bw --peer openmpi,mpich=/opt/bin --rounds 3 --bind core"))
	if err != nil {
		t.Fatal(err)
	}
	if len(o.peers) != 2 || o.peers[1] != "mpich=/opt/bin" || o.rounds != 3 || !o.bind {
		t.Errorf("got %+v", o)
	}
	c, err := o.roundCase()
	if err != nil || c.Steps[0].Batches < 2 {
		t.Errorf("a round is %+v, %v", c, err)
	}
}

// A comparison in which only one side is bound would compare bindings.
func TestAllLibrariesAreBoundAlike(t *testing.T) {
	for line, core := range map[string]bool{"latency": true, "latency --bind core": true, "latency --bind none": false} {
		o, err := parseBench(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		job := &weftJob{program: "weft", bind: o.bind}
		got := job.job(bench.Case{Test: o.test, Ranks: 1}).Bind
		want, text := launch.BindNone, "--bind-to none"
		if core {
			want, text = launch.BindCore, "--bind-to core"
		}
		if got != want || !strings.Contains(job.Settings(1), text) {
			t.Errorf("%s: bound %v, shown as %q", line, got, job.Settings(1))
		}
		if crowd := job.job(bench.Case{Test: o.test, Ranks: bench.MaxRanks}).Bind; crowd != launch.BindNone {
			t.Errorf("%s: more ranks than CPUs are bound %v", line, crowd)
		}
	}
}

func TestParseBenchRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"nothing":                                "no benchmark",
		"latency bw":                             "one benchmark",
		"latency -i 0":                           "from 1",
		"latency -m 9:8":                         "above the largest",
		"latency --colour":                       "not defined",
		"latency --json --csv":                   "one of",
		"latency --plot out.gif":                 ".svg",
		"barrier --plot out.svg":                 "no message size",
		"latency --peer openmpi -c":              "without --peer",
		"suite":                                  "--peer",
		"suite --peer mpich --csv":               "many tables",
		"latency --save x":                       "--peer",
		"latency --bind socket":                  "none or core",
		"latency --steps 8:0:0:0":                "step",
		"latency --peer ,":                       "joined by commas",
		"latency --plot /no/such/x.svg":          "no directory",
		"latency -n 99999999":                    "from 1",
		"latency -x -1":                          "from 0",
		"latency -M lots":                        "bytes",
		"latency --timeout tomorrow":             "invalid",
		"mbw_mr -W 0":                            "from 1",
		"latency --rounds none":                  "from 1",
		"latency --peer mpich --markdown --json": "one of",
	} {
		if _, err := parseBench(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", line, err, want)
		}
	}
}

func TestBenchHelpNamesEverything(t *testing.T) {
	if _, err := parseBench(nil); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("no arguments: %v, want help", err)
	}
	help := benchHelp()
	for _, test := range bench.Tests() {
		if !strings.Contains(help, "\n  "+test.Name+" ") {
			t.Errorf("help does not name %s", test.Name)
		}
	}
	for _, option := range []string{"-m sizes", "--peer libraries", "--plot figure", "-c "} {
		if !strings.Contains(help, option) {
			t.Errorf("help does not explain %s", option)
		}
	}
	if strings.Contains(help, "--steps") {
		t.Error("help shows the hidden option")
	}
}

func TestWriteFileReportsAMissingDirectory(t *testing.T) {
	if err := writeFile(filepath.Join(t.TempDir(), "no", "file"), nil); err == nil {
		t.Error("a missing directory was accepted")
	}
}

func TestProgressText(t *testing.T) {
	if got := progressText(1, 2, "bw"); got != "[===============               ]  50% bw" {
		t.Errorf("got %q", got)
	}
	var silent *progress
	silent.step("x")
	silent.skipTo(3)
	silent.clear()
}

func FuzzParseBench(f *testing.F) {
	f.Add("latency -m 8 -x 10 -i 1000 -c")
	f.Add("bw --peer openmpi,mpich --rounds 3")
	f.Add("-n 4 -- allgather")
	f.Add("suite --peer x=y --save z")
	f.Fuzz(func(t *testing.T, line string) {
		o, err := parseBench(strings.Fields(line))
		if err != nil || o.list || o.suite {
			return
		}
		c, err := o.plainCase(o.ranks)
		if err != nil {
			return
		}
		if _, err := bench.ParseSteps(bench.FormatSteps(c.Steps)); err != nil {
			t.Fatalf("%q makes steps that no rank accepts: %v", line, err)
		}
	})
}
