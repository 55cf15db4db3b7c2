package main

import (
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/peers"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/launch"
)

func TestParseBench(t *testing.T) {
	o, err := parseBench(strings.Fields("osu_latency -m 8 -x 10 -i 1000 -c"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := o.plainCase(o.startRanks())
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

func TestParseBenchStudy(t *testing.T) {
	o, err := parseBench(strings.Fields("overlap --set rndv=rget,progress=poll --set progress=auto --sizes 64K:256K"))
	if err != nil {
		t.Fatal(err)
	}
	if o.study == nil || !o.net || len(o.arms) != 2 || o.arms[0].Name != "rget+poll" {
		t.Errorf("got %+v", o)
	}
	if o, err = parseBench(strings.Fields("overlap --net=false")); err != nil || o.net {
		t.Errorf("--net=false: %v, %+v", err, o)
	}
	// A rank that the starter runs gets a test, also where a study has the same name.
	if o, err = parseBench(strings.Fields("crossing --steps 8:1:0:1:0:0")); err != nil || o.study != nil || o.test.Name != "crossing" {
		t.Errorf("--steps: %v, %+v", err, o)
	}
}

// What a side gets as its environment, and what the report says about it.
func TestArmsBecomeEnvironment(t *testing.T) {
	o := &benchOptions{benchNetwork: benchNetwork{net: true, iface: "rail0,rail1", hosts: []string{"h0", "h1"}}}
	arm, err := bench.NewArm("rndv=rput,progress=poll")
	if err != nil {
		t.Fatal(err)
	}
	job, err := newWeftJob(o, arm, true)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"WEFT_LINKS=rail", "WEFT_IFACE=rail0,rail1", "WEFT_RNDV=rput", "WEFT_PROGRESS=poll"}
	if !slices.Equal(job.environ, want) || job.wrong != nil {
		t.Errorf("environment %q (%v), want %q", job.environ, job.wrong, want)
	}
	for _, part := range append(want, "--host h0,h1") {
		if !strings.Contains(job.Settings(2), part) {
			t.Errorf("settings %q do not say %s", job.Settings(2), part)
		}
	}
	c := bench.Case{Test: bench.Test{Name: "latency"}, Ranks: 2, Steps: []bench.Step{{Size: 8, Iterations: 1, Batches: 1}}}
	line := strings.Join(job.runArgs([]bench.Case{c}), " ")
	if !strings.HasPrefix(line, "run --host h0,h1 --map-by node") || !strings.Contains(line, "bench latency -W 0 --steps 8:1:0:1:0:0") {
		t.Errorf("command line %q", line)
	}
	if job, err = newWeftJob(&benchOptions{}, bench.Arm{Name: "x", Set: []string{"nothing=1"}}, true); err != nil {
		t.Fatal(err)
	}
	if _, err := job.Measure(t.Context(), c); err == nil || !strings.Contains(err.Error(), "no setting is called WEFT_NOTHING") {
		t.Errorf("an unknown setting gave %v", err)
	}
	if _, err := newWeftJob(&benchOptions{}, bench.Arm{Name: "x", Set: []string{"progress=never"}}, true); err == nil {
		t.Error("a value that makes no sense was accepted")
	}
}

func TestNetSuiteHoldsEveryBar(t *testing.T) {
	for line, rails := range map[string]bool{"suite --net --peer mpich": false, "suite --net --peer mpich --iface a,b": true} {
		o, err := parseBench(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		open := &opener{o: o, peers: map[bool][]*peers.Peer{true: {}, false: {}}}
		trials, notes, err := open.netSuite(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if (len(notes) == 0) != rails {
			t.Errorf("%s: notes %q", line, notes)
		}
		for _, b := range bench.NetBars() {
			held := slices.ContainsFunc(trials, func(t bench.Trial) bool {
				return slices.ContainsFunc(t.Cases[0].Bars, func(other bench.Bar) bool { return other.Text == b.Text }) &&
					slices.Contains(b.Tests, t.Cases[0].Test.Name) && (b.Ranks == 0 || b.Ranks == t.Cases[0].Ranks)
			})
			if !held && (rails || !strings.Contains(b.Text, "rails")) {
				t.Errorf("%s holds nothing against %q", line, b.Text)
			}
		}
	}
}

// A comparison in which only one side is bound would compare bindings.
func TestAllLibrariesAreBoundAlike(t *testing.T) {
	for line, core := range map[string]bool{"latency": true, "latency --bind core": true, "latency --bind none": false} {
		o, err := parseBench(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		job := &weftJob{program: "weft", bind: o.bind, settings: &boot.Settings{}}
		got := job.job([]bench.Case{{Test: o.test, Ranks: 1}}, nil).Bind
		want, text := launch.BindNone, "--bind-to none"
		if core {
			want, text = launch.BindCore, "--bind-to core"
		}
		if got != want || !strings.Contains(job.Settings(1), text) {
			t.Errorf("%s: bound %v, shown as %q", line, got, job.Settings(1))
		}
		if crowd := job.job([]bench.Case{{Test: o.test, Ranks: bench.MaxRanks}}, nil).Bind; crowd != launch.BindNone {
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
		"latency --set rndv=rget -c":             "without --peer",
		"suite":                                  "--peer",
		"suite --quick":                          "--against BINARY",
		"latency --quick":                        "suite --quick",
		"suite --net --quick --against weft":     "without --net",
		"latency --limit 1.02":                   "add --against",
		"latency --against weft --limit 0":       "such as 1.02",
		"latency --against weft --limit x":       "such as 1.02",
		"latency --against weft --set a=old":     "called old",
		"latency --against weft -c":              "--against",
		"latency --peer ./weft":                  "named by --against",
		"latency --box --host h0":                "without --host",
		"suite --peer mpich --csv":               "many tables",
		"latency --save x":                       "--peer",
		"crossing_pair":                          "no benchmark",
		"overlap_send_sender_first -c":           "cannot check data",
		"overlap -c":                             "plain run",
		"datagram --peer mpich":                  "without --peer",
		"rails":                                  "two network interfaces",
		"rails --iface eth0":                     "two network interfaces",
		"suite --peer mpich --set rndv=rget":     "without --set",
		"suite --peer mpich -n 3":                "one of these",
		"latency --iface lo":                     "--net",
		"latency --net --host h0,,h1":            "joined by commas",
		"latency --net --host -x":                "joined by commas",
		"latency --set rndv":                     "name=value",
		"latency --set a=b --set c=b":            "both called b",
		"reuse --shares half":                    "percentage",
		"latency --net=perhaps":                  "invalid",
		"latency --bind socket":                  "none or core",
		"latency --steps 8:0:0:0":                "step",
		"latency --peer ,":                       "joined by commas",
		"latency --plot /no/such/x.svg":          "no directory",
		"latency -n 99999999":                    "from 1",
		"latency -x -1":                          "from 0",
		"latency -M lots":                        "bytes",
		"latency --timeout tomorrow":             "invalid",
		"latency --timeout -1s":                  "is no time",
		"latency --timeout 0":                    "nothing can be measured",
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
	help, err := theTool().Help("bench")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range bench.Tests() {
		if !strings.Contains(help, "\n  "+test.Name+" ") {
			t.Errorf("help does not name %s", test.Name)
		}
	}
	for _, study := range bench.Studies() {
		if !strings.Contains(help, "\n  "+study.Name+" ") {
			t.Errorf("help does not name %s", study.Name)
		}
	}
	for _, option := range []string{"-m, --sizes, --message-size [MIN:]MAX", "--peer PEER", "--plot FILE", "-c, --validation ", "--set NAME=VALUE", "--net", "--host HOST", "--against PATH",
		"--limit RATIO", "--quick", "--box"} {
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
	f.Add("overlap --set rndv=rget,progress=poll --net=false -m 1K:2K")
	f.Add("reuse --shares 0,50% --host a,b --iface c")
	f.Fuzz(func(t *testing.T, line string) {
		o, err := parseBench(strings.Fields(line))
		if err != nil || o.list || o.suite {
			return
		}
		if o.study != nil {
			cases, err := o.study.Cases(bench.Setup{Sizes: o.sizes, Loops: o.loops, Ranks: o.ranks, Window: o.window, Memory: o.memory})
			if err != nil {
				return
			}
			for _, c := range cases {
				if _, err := bench.ParseSteps(bench.FormatSteps(c.Steps)); err != nil {
					t.Fatalf("%q makes steps that no rank accepts: %v", line, err)
				}
			}
			return
		}
		c, err := o.plainCase(o.startRanks())
		if err != nil {
			return
		}
		if _, err := bench.ParseSteps(bench.FormatSteps(c.Steps)); err != nil {
			t.Fatalf("%q makes steps that no rank accepts: %v", line, err)
		}
	})
}
