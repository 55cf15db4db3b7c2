package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/experiments"
)

// labOutput runs a command of weft lab and returns what it prints.
func labOutput(t *testing.T, args ...string) (string, error) {
	t.Helper()
	registry, err := experiments.Registry()
	if err != nil {
		t.Fatal(err)
	}
	return labOutputWith(t, registry, args...)
}

func labOutputWith(t *testing.T, registry *lab.Registry, args ...string) (string, error) {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	err = labDo(t.Context(), registry, args[0], args[1:], out, out)
	text, readErr := os.ReadFile(out.Name())
	if readErr != nil {
		t.Fatal(readErr)
	}
	return string(text), err
}

// labOutputOf runs a command that must succeed with experiments of a test's own.
func labOutputOf(t *testing.T, registry *lab.Registry, args ...string) string {
	t.Helper()
	out, err := labOutputWith(t, registry, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out
}

// wants runs a command that must succeed and print all of these.
func wants(t *testing.T, args []string, texts ...string) string {
	t.Helper()
	out, err := labOutput(t, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("%v: no %q in\n%s", args, text, out)
		}
	}
	return out
}

// TestLabProfiles: every platform that --on takes is there, with its title and numbers.
func TestLabProfiles(t *testing.T) {
	table := wants(t, []string{"list", "--profiles"}, "µs between nodes", "100 Gbit/s RoCE")
	var all []listedProfile
	if err := json.Unmarshal([]byte(wants(t, []string{"list", "--profiles", "--json"})), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != len(sim.Profiles()) || len(all) < 10 {
		t.Errorf("%+v", all)
	}
	for _, p := range all {
		if !strings.Contains(table, p.Name) || p.Title == "" || p.Cores < 1 || p.Rails < 1 || !(p.FarUs > p.NearUs && p.NearUs > 0) || p.MBs <= 0 {
			t.Errorf("%+v", p)
		}
	}
}

func TestLabList(t *testing.T) {
	all := wants(t, []string{"list"}, "F3.3 ", "not yet built", "not regenerable", " of 146 can be made", "document 004: High-Performance and Scalable MPI over InfiniBand", "what it shows", "predictions kept", "checks, each experiment once, with --quick: ", "\nIW1 ", "NetEffect NE020 iWARP", "sim:ne020-r805")
	built := wants(t, []string{"list", "--built", "--doc", "003"}, "003.F3", "document 003: ")
	if len(built) >= len(all) || strings.Contains(built, "F3.3 ") || strings.Contains(built, "document 000") || strings.Contains(built, "\nQS ") {
		t.Errorf("--built --doc 003 lists\n%s", built)
	}
	var figures []listed
	if err := json.Unmarshal([]byte(wants(t, []string{"list", "--json"})), &figures); err != nil || len(figures) != len(lab.Figures()) {
		t.Errorf("%d figures in JSON, %v", len(figures), err)
	}
}

func TestLabRunSaveReportCompare(t *testing.T) {
	dir, page := filepath.Join(t.TempDir(), "saved"), filepath.Join(t.TempDir(), "page")
	wants(t, []string{"run", "F3.13", "figure 6.4", "--quick", "--save", dir, "--set", "lab_hold=0,lab_reuse=off"}, "F3.13", "F6.4", "checks: ", "all 2 figures: ")
	for _, name := range []string{"F3.13.json", "F3.13.csv", "F6.4.svg", "F6.4.pdf"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	var results []lab.Result
	if err := json.Unmarshal([]byte(wants(t, []string{"run", "F6.4", "--quick", "--json", "--on", "sim:ndr", "--seed", "7"})), &results); err != nil || len(results) != 1 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	if r := results[0]; r.Command != "weft lab run F6.4 --on sim:ndr --seed 7 --quick" || r.Platform[0] != "sim:ndr" || r.Seed != 7 {
		t.Errorf("the record: %+v", r)
	}
	wants(t, []string{"report", "--from", dir, "--save", page}, "index.html")
	html, err := os.ReadFile(filepath.Join(page, "index.html"))
	if err != nil || !strings.Contains(string(html), `id="fig-F6-4"`) || !strings.Contains(string(html), "--set lab_hold=0,lab_reuse=off") {
		t.Errorf("the page: %v", err)
	}
	wants(t, []string{"compare", dir, page}, "geometric mean of the ratio: 1 times", "page over saved")
	wants(t, []string{"compare", "F6.4", "--quick", "--set", "lab_ud_ack_every=50", "--set", "lab_ud_ack_every=1", "--save", page}, "lab_ud_ack_every=1 over lab_ud_ack_every=50")
}

// TestLabRunShowsSomeChecks: --kind and --misses leave the checks that were asked for, and the counts are of all.
func TestLabRunShowsSomeChecks(t *testing.T) {
	registry, err := lab.NewRegistry([]lab.Experiment{{ID: "F3.3", Run: fourKinds}})
	if err != nil {
		t.Fatal(err)
	}
	counts := "1 of 2 predictions kept, input 1 of 1, structural 0 of 1, fitted 1 of 1"
	for _, c := range []struct {
		args  []string
		shows string // bars, in this order
	}{
		{nil, "right wrong given drawn tuned"},
		{[]string{"--kind", "prediction"}, "right wrong"},
		{[]string{"--kind", "fitted"}, "tuned"},
		{[]string{"--misses"}, "wrong drawn"},
		{[]string{"--misses", "--kind", "prediction"}, "wrong"},
		{[]string{"--misses", "--kind", "input"}, ""},
	} {
		text := labOutputOf(t, registry, append([]string{"run", "F3.3"}, c.args...)...)
		for _, bar := range strings.Fields("right wrong given drawn tuned") {
			if strings.Contains(text, " "+bar+" ") != slices.Contains(strings.Fields(c.shows), bar) {
				t.Errorf("%v: %s is there or not in\n%s", c.args, bar, text)
			}
		}
		if !strings.Contains(text, counts) || strings.Contains(text, "alone: 3") != (c.args == nil) {
			t.Errorf("%v: no %q, or numbers, in\n%s", c.args, counts, text)
		}
		var results []counted
		text = labOutputOf(t, registry, append([]string{"run", "F3.3", "--json"}, c.args...)...)
		if err := json.Unmarshal([]byte(text), &results); err != nil || len(results) != min(1, len(c.shows)) {
			t.Fatalf("%v: %v in\n%s", c.args, err, text)
		}
		for _, r := range results {
			var bars []string
			for _, check := range r.Checks {
				bars = append(bars, check.Bar)
			}
			if strings.Join(bars, " ") != c.shows || r.Counts.String() != counts {
				t.Errorf("%v: %v, %v", c.args, bars, r.Counts)
			}
		}
	}
}

// TestLabEvidence: a check comes with the document's statement and its place, the command, and what it was fitted by.
func TestLabEvidence(t *testing.T) {
	registry, err := lab.NewRegistry([]lab.Experiment{{ID: "F3.8", Run: func(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
		r, err := fourKinds(ctx, b)
		r.ID = "F3.8"
		return r, err
	}}})
	if err != nil {
		t.Fatal(err)
	}
	text := labOutputOf(t, registry, "run", "f3.8", "--evidence", "--kind", "fitted")
	for _, want := range []string{"pass  fitted  tuned\n", "document   1\n", "fitted by  rest_us\n", "stated     scaling stops after 4 pairs\n",
		"where      document 000, section 3.4.2, figure 3.8\n", "made by    weft lab run F3.8\n"} {
		if !strings.Contains(text, want) || strings.Contains(text, "wrong") {
			t.Errorf("no %q, or another check, in\n%s", want, text)
		}
	}
}

// fourKinds is a result with bars of all kinds.
func fourKinds(context.Context, *lab.Bench) (*lab.Result, error) {
	r := &lab.Result{ID: "F3.3"}
	r.Note("alone", 3, "")
	r.Hold(lab.Prediction, lab.Exactly("right", 1, 1, ""), lab.Exactly("wrong", 1, 2, ""))
	r.Hold(lab.Input, lab.Exactly("given", 1, 1, ""))
	r.Hold(lab.Structural, lab.Exactly("drawn", 1, 2, ""))
	r.Hold(lab.Fitted, lab.Exactly("tuned", 1, 1, "").By("rest_us"))
	return r, nil
}

func TestLabExplain(t *testing.T) {
	wants(t, []string{"explain", "F3.3"}, "Half the time of a message", "The document states (document 000, section 3.3.2, figure 3.3):", "RTS", "CTS")
	wants(t, []string{"explain", "004.F9"}, "not yet built")
	svg := filepath.Join(t.TempDir(), "x.svg")
	wants(t, []string{"explain", "f3.3a", "--svg", svg})
	if text, err := os.ReadFile(svg); err != nil || !strings.HasPrefix(string(text), "<svg") {
		t.Errorf("%v, begins with %.20q", err, text)
	}
}

func TestLabTimeline(t *testing.T) {
	wants(t, []string{"timeline", "put", "-n", "2", "--size", "64K"}, "Put of 64 KB on 2 ranks", "Fence for", "write 64 KB")
	wants(t, []string{"timeline", "send", "-n", "2", "--size", "1M", "--set", "rndv=rput", "--on", "sim:ndr"}, "RTS", "CTS", "write 1 MB")
	svg := filepath.Join(t.TempDir(), "x.svg")
	wants(t, []string{"timeline", "allreduce", "--svg", svg})
	if text, err := os.ReadFile(svg); err != nil || !strings.Contains(string(text), ">rank 3<") {
		t.Errorf("%v, begins with %.20q", err, text)
	}
}

func TestLabErrors(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run"}, "takes ids"},
		{[]string{"run", "F3.33"}, "did you mean F3.3"},
		{[]string{"run", "F4"}, "003.F4"},
		{[]string{"run", "004.F9"}, "not yet built"},
		{[]string{"run", "F1.1"}, "not regenerable"},
		{[]string{"run", "F3.3", "--on", "mars"}, "sim:ne020"},
		{[]string{"run", "F3.3", "--on", "sim:mars"}, "mars"},
		{[]string{"run", "F3.3", "--set", "warp=9"}, "WEFT_WARP"},
		{[]string{"run", "F3.3", "--sets", "x"}, "-sets"},
		{[]string{"run", "F3.3", "--kind", "guess"}, "prediction"},
		{[]string{"list", "all"}, `no "all"`},
		{[]string{"list", "--quick"}, "-quick"},
		{[]string{"list", "--doc", "7"}, "000 to 004"},
		{[]string{"compare", "a"}, "two directories"},
		{[]string{"compare", empty, empty}, "no results"},
		{[]string{"report", "--from", filepath.Join(empty, "none")}, "no directory"},
		{[]string{"explain"}, "one id"},
		{[]string{"explain", "F2.1", "--svg", "x.svg"}, "no timeline"},
		{[]string{"compar"}, "did you mean compare"},
		{[]string{"timeline"}, "allreduce"},
		{[]string{"timeline", "sing"}, "allreduce"},
		{[]string{"timeline", "send", "-n", "1"}, "2 to 32"},
		{[]string{"timeline", "send", "--size", "1T"}, "1T"},
		{[]string{"timeline", "send", "--size", "1G"}, "4 MB"},
		{[]string{"timeline", "send", "--on", "host"}, "virtual time"},
	} {
		if out, err := labOutput(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want an error with %q\n%s", c.args, err, c.want, out)
		}
	}
}
