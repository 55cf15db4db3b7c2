package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/model"
)

func TestTuneRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"-n 1":                                  "nothing to choose",
		"-n x":                                  "x",
		"-n 2,4":                                "--algorithms only",
		"--ops allgathr":                        "allgather",
		"--ops gatherv":                         "cannot be tuned",
		"--algorithms --ops neighbor_alltoall":  "only --regret takes it",
		"--regret --ops neighbor_alltoallv":     "cannot be tuned",
		"--ops bcast":                           "--ops goes with --algorithms and --regret only",
		"-m 8":                                  "-m goes with",
		"--algorithms -m 4:2":                   "smallest",
		"--on mars":                             "sim:PROFILE",
		"--nodes 2":                             "--host",
		"--on sim:ndr --host a":                 "leave --host",
		"-n 4 --on sim:ndr --nodes 5":           "1 to 4 nodes",
		"--rounds 0":                            "1 to 1000",
		"--jobs 0":                              "1 to 1000",
		"--algorithms --spread 4,x":             "0,8",
		"--algorithms --spread -1":              "0,8",
		"--rules a --save b":                    "leave --save",
		"--rules a --regret":                    "name one",
		"--algorithms --margin 200":             "percent",
		"--algorithms --verify --against waltz": "waltz",
		"--algorithms --verify --ops bcast,allgather --against smp_turns": "bcast has none",
		"--algorithms --against flat":                                     "add --verify",
		"--verify":                                                        "--verify goes with --algorithms only",
		"what":                                                            "no option",
		"--shapes 3x2":                                                    "--shapes goes with --regret only",
		"--regret --shapes 3x":                                            "such as 3x2",
		"--regret --shapes 1x1":                                           "nothing to choose",
		"--regret --host a":                                               "--host is not for --regret",
		"--on sim:ndr,10ge":                                               "one profile",
		"--on sim:ndr,":                                                   "sim:PROFILE",
	} {
		if _, err := parseTune(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not say %q", line, err, want)
		}
	}
	o, err := parseTune(strings.Fields("--algorithms -n 8,4,8 -m 8:3000"))
	if err != nil || len(o.ranks) != 2 || o.ranks[0] != 4 {
		t.Errorf("%v, %v", o.ranks, err)
	}
	if got := o.sizes(); len(got) != 6 || got[5] != 3000 || got[4] != 2048 {
		t.Errorf("%v", got)
	}
}

// tuned runs weft tune and reads what it has kept in the file of times.
func tuned(t *testing.T, args []string, times string) (kept tuneTimes) {
	t.Helper()
	o, err := parseTune(args)
	if err == nil {
		err = tuneAll(t.Context(), o, args, new(bytes.Buffer))
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(times)
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return kept
}

// TestTuneVerifies: rules are compared with every algorithm, freshly measured or from a file, and the
// comparison is kept.
func TestTuneVerifies(t *testing.T) {
	file, times := filepath.Join(t.TempDir(), "rules"), filepath.Join(t.TempDir(), "times")
	common := []string{"--algorithms", "-n", "4", "--on", "sim:connectx-ddr", "--nodes", "2", "--ops", "bcast", "-m", "8:32", "--rounds", "1", "--quiet", "--json", times}
	for _, own := range [][]string{{"--verify", "--save", file}, {"--rules", file}} {
		args := append(common, own...)
		kept := tuned(t, args, times)
		if len(kept.Contests) != 1 || len(kept.Contests[0].Entries) < 5 || len(kept.Contests[0].Bytes) != 2 {
			t.Fatalf("%q: %+v", own, kept.Contests)
		}
		var table bytes.Buffer
		printContests(&table, kept.Contests)
		_, closest, _ := strings.Cut(kept.Contests[0].Best().Name, "/")
		for _, want := range []string{"tuned rules", "built-in rules", closest, "of 1, the rules are faster than every algorithm compared in"} {
			if !strings.Contains(table.String(), want) {
				t.Errorf("no %q in\n%s", want, table.String())
			}
		}
	}
	kept := tuned(t, append(common, "--rules", file, "--against", "flat,binomial"), times)
	if len(kept.Contests) != 1 || len(kept.Contests[0].Entries) != 3 { // and the built-in rules
		t.Errorf("against two: %+v", kept.Contests)
	}
	if err := os.WriteFile(file, []byte("bcast=waltz"), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := parseTune(append(common, "--rules", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := tuneAll(t.Context(), o, nil, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "waltz") {
		t.Errorf("a file of nonsense: %v", err)
	}
}

// TestTuneTheMachine: numbers of a simulated cluster land in a file that jobs accept, those that
// could not be measured as a remark, and all times in another.
func TestTuneTheMachine(t *testing.T) {
	file, times := filepath.Join(t.TempDir(), "machine"), filepath.Join(t.TempDir(), "times")
	args := strings.Fields("--on sim:10ge --rounds 2 --quiet --save " + file + " --json " + times)
	o, err := parseTune(args)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.tuneMachine(t.Context(), args, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "a simulated 10ge") || !strings.Contains(string(text), "# turn was not measured") {
		t.Errorf("%s, %v", text, err)
	}
	m, _, err := boot.Machine("@"+file, model.Ethernet)
	if err != nil || m.Copy < 0.29 || m.Copy > 0.30 || m.Turn != model.Ethernet.Turn {
		t.Errorf("%v: %v", err, m)
	}
	var kept machineReport
	if text, err = os.ReadFile(times); err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil || len(kept.Jobs) != 1 || len(kept.Machine) != len(model.Names()) || len(kept.Jobs[0].Nanos["byte"]) != 2 {
		t.Errorf("%v: %+v", err, kept)
	}
	var table bytes.Buffer
	printMachine(&table, kept.Machine)
	for _, want := range []string{"far_way", "+- 0 %", "not measured", "before"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
}

// TestJobSizes: without a word some jobs have more ranks than processors; who names ranks or hosts
// gets these.
func TestJobSizes(t *testing.T) {
	for line, want := range map[string]string{"-n 3 --jobs 2": "[3 3]", "--host a,b --jobs 2": "[0 0]", "--host a --hostfile f -n 4 --jobs 1": "[4]"} {
		o, err := parseTune(strings.Fields(line))
		if err != nil || fmt.Sprint(o.jobSizes()) != want {
			t.Errorf("%s: %v, %v", line, o.jobSizes(), err)
		}
	}
	o, err := parseTune(strings.Fields("--jobs 3"))
	if got := o.jobSizes(); err != nil || len(got) != 5 || got[1] != 2*got[0] || got[2] != got[0] || got[4] != got[1] {
		t.Errorf("%v, %v", got, err)
	}
}

// TestRegretIsShown: the tables have every shape and operation, the worst points by name, and what
// was left out; --json has all.
func TestRegretIsShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "points")
	o, err := parseTune(strings.Fields("--regret --on sim:10ge,roce-100g --shapes 2x2,2+1 --ops bcast,allgather -m 64:4096 --memory 64K --json " + file))
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := o.showRegret(t.Context(), &table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"10ge 2x2 ", "roce-100g 2+1 ", "bcast ", "allgather ", "all ", "the worst", "2 points were left out", "allgather of 4096 bytes: buffers of 80 KB"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
	var kept regretReport
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil || len(kept.Points) != 24 || len(kept.Shapes) != 4 || len(kept.Whole) != 1 || kept.Whole[0].Points != 22 {
		t.Errorf("%v: %+v", err, kept)
	}
}

// TestTuneWithRanksApart: every spread is measured, and told apart in what is kept.
func TestTuneWithRanksApart(t *testing.T) {
	times := filepath.Join(t.TempDir(), "times")
	args := strings.Fields("--algorithms -n 4 --on sim:connectx-ddr --nodes 2 --ops alltoall -m 64:64 --rounds 1 --quiet --spread 16,0 --json " + times)
	plot := times + ".svg"
	kept := tuned(t, append(args, "--plot", plot), times)
	if drawn, err := os.ReadFile(plot); err != nil || !bytes.Contains(drawn, []byte("alltoall, 4 ranks, 16 apart")) {
		t.Errorf("%s: %v", drawn, err)
	}
	if len(kept.Winners) != 2 || kept.Winners[0].Spread != 0 || kept.Winners[1].Spread != 16 {
		t.Errorf("%+v", kept.Winners)
	}
}

// TestTuneGoesOn: a run that is stopped writes what it knows and says how to go on; going on leads to what
// the whole run finds.
func TestTuneGoesOn(t *testing.T) {
	dir := t.TempDir()
	line := "--algorithms -n 4 --on sim:connectx-ddr --nodes 2 --ops alltoall -m 64:64 --rounds 1 --quiet --spread 16,0 --json "
	whole := tuned(t, strings.Fields(line+dir+"/whole"), dir+"/whole")

	args := strings.Fields(line + dir + "/times --save " + dir + "/rules")
	o, err := parseTune(args)
	if err != nil {
		t.Fatal(err)
	}
	notes, err := o.measureParts(t.Context(), args)
	if err != nil || len(notes) != 2 {
		t.Fatal(len(notes), err)
	}
	partial := notes[1]
	partial.Partial = true
	stopped := o.keepParts(args, []tuneNote{notes[0], partial}, context.Canceled)
	again := shellLine(append(args, "--resume", dir+"/rules.part"))
	if first := o.keepParts(args, []tuneNote{partial}, context.Canceled); first == nil || !strings.Contains(first.Error(), "stopped in the first of 2 jobs") {
		t.Errorf("%v", first)
	}
	if stopped == nil || !strings.Contains(stopped.Error(), "stopped after 1 of 2 jobs") || !strings.HasSuffix(stopped.Error(), "to go on: weft tune "+again) {
		t.Errorf("%v", stopped)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		want string // in the error
		head string // in the rules
	}{{over, "to go on: weft tune " + again, "(stopped after 1 of 2 jobs)"}, {t.Context(), "", "--save " + dir + "/rules\n"}} {
		args := strings.Fields(again)
		if o, err = parseTune(args); err != nil {
			t.Fatal(err)
		}
		err = tuneAll(c.ctx, o, args, new(bytes.Buffer))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if text, err := os.ReadFile(dir + "/rules"); err != nil || !strings.Contains(string(text), c.head) {
			t.Errorf("%v: %s", err, text)
		}
	}
	if _, err := os.Stat(dir + "/rules.part"); err == nil {
		t.Error("what the stopped run has kept is still there")
	}
	var kept tuneTimes
	text, err := os.ReadFile(dir + "/times")
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil || !reflect.DeepEqual(kept, whole) {
		t.Errorf("%v: %+v, of the whole run %+v", err, kept, whole)
	}
}

// TestTuneRefusesToGoOn: of another run, or from a file that is nothing of the kind.
func TestTuneRefusesToGoOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "part")
	for text, want := range map[string]string{"": "has not written this", `{"parts":[{},{},{}]}`: "has not written this", `{"args":["--jobs","3"],"parts":[{}]}`: "weft tune --jobs 3 --resume"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := strings.Fields("--on sim:10ge --resume=" + file)
		o, err := parseTune(args)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.tuneMachine(t.Context(), args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestProgressWithoutATerminal: a line now and then, not one for every step.
func TestProgressWithoutATerminal(t *testing.T) {
	var out bytes.Buffer
	began := time.Unix(1000, 0)
	p := &progress{to: &out, total: 100, began: began, told: began.Add(firstLine - nextLine)}
	for i := range 40 {
		p.done = i
		p.show(began.Add(time.Duration(i)*time.Second), fmt.Sprint("step ", i))
	}
	p.clear()
	if want := "weft: 5% done: step 5\nweft: 20% done: step 20\nweft: 35% done: step 35\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}

// TestTuneOnASimulatedCluster: the rules land in a file that jobs accept.
func TestTuneOnASimulatedCluster(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules")
	times := filepath.Join(t.TempDir(), "times")
	args := []string{"--algorithms", "-n", "4", "--on", "sim:connectx-ddr", "--nodes", "2", "--ops", "barrier", "--rounds", "1", "--quiet", "--save", file, "--json", times}
	o, err := parseTune(args)
	if err != nil {
		t.Fatal(err)
	}
	if err := tuneAll(t.Context(), o, args, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "a simulated connectx-ddr") {
		t.Errorf("%s, %v", text, err)
	}
	if _, _, err := boot.CollRules("@" + file); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(times); err != nil || !bytes.Contains(text, []byte(`"barrier/dissemination"`)) {
		t.Errorf("%s, %v", text, err)
	}
}
