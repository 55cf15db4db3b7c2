package main

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/simtest"
)

func TestParseSim(t *testing.T) {
	o, err := parseSim([]string{"--seeds", "3,7,20-30", "--channel", "ud", "--faults", "loss", "--set", "rndv=rput", "--ranks", "4", "--programs", "duels", "--nodes", "uneven"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []simtest.Range{{First: 3, Last: 3}, {First: 7, Last: 7}, {First: 20, Last: 30}}; !reflect.DeepEqual(o.seeds, want) {
		t.Errorf("seeds %v", o.seeds)
	}
	// The command that repeats a seed must make the same case.
	words := strings.Fields(o.replay(7))[3:]
	again, err := parseSim(words)
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	if !again.trace || !reflect.DeepEqual(simtest.New(7, again.cases), simtest.New(7, o.cases)) {
		t.Errorf("%q makes another case", words)
	}
}

func TestParseSimRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--seeds", "5-3"}, "must be numbers and ranges"},
		{[]string{"--seeds", "x"}, "must be numbers and ranges"},
		{[]string{"--channel", "xrc"}, "must be one of"},
		{[]string{"--faults", "flood"}, "must be one of"},
		{[]string{"--programs", "waltz"}, "must be one of"},
		{[]string{"--nodes", "odd"}, "must be one of"},
		{[]string{"--profile", "nonesuch"}, "--profile"},
		{[]string{"--ranks", "1"}, "must be 2 to 64"},
		{[]string{"--jobs", "0"}, "must be 1 to 1024"},
		{[]string{"--trace"}, "single seed"},
		{[]string{"--algorithms", "allgather/waltz"}, "no algorithm"},
		{[]string{"--algorithms", "all", "--programs", "duels"}, "leave --programs out"},
		{[]string{"--algorithms", "bcast", "--trace", "--seeds", "1"}, "one algorithm"},
		{[]string{"--hours", "-1"}, "must be more than 0"},
		{[]string{"--hours", "NaN"}, "must be more than 0"},
		{[]string{"--save", "/nonesuch"}, "is no directory"},
		{[]string{"seeds"}, "is no option"},
	} {
		if _, err := parseSim(c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
}

// --hours is a soak: so much virtual time, in bad weather, over as many seeds as that takes. What is said
// otherwise holds.
func TestParseSimHours(t *testing.T) {
	o, err := parseSim([]string{"--hours", "0.5"})
	if err != nil {
		t.Fatal(err)
	}
	if o.virtual != 30*time.Minute || o.cases.Faults != "soak" || o.seeds[0].Last < 1e9 || !strings.Contains(o.replay(7), "--faults soak") {
		t.Errorf("%+v, again: %s", o, o.replay(7))
	}
	if o, err = parseSim([]string{"--hours", "2", "--faults", "loss", "--seeds", "5-9"}); err != nil {
		t.Fatal(err)
	}
	if o.virtual != 2*time.Hour || o.cases.Faults != "loss" || o.seeds[0].Last != 9 {
		t.Errorf("%+v", o)
	}
}

// TestSimAlgorithms: every algorithm gets a line, and the command that repeats one makes the same case.
func TestSimAlgorithms(t *testing.T) {
	o, err := parseSim(strings.Fields("--algorithms scan,bcast/chain@2 --seeds 1-3 --shrink 0"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := o.runAlgorithms(&out); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"scan/doubling", "scan/chain", "bcast/chain@2", "5 algorithms"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line for %s in\n%s", want, out.String())
		}
	}
	again, err := parseSim(strings.Fields("--trace --seeds 2 --algorithms bcast/chain@2"))
	if err != nil {
		t.Fatal(err)
	}
	cases := o.cases
	cases.Algorithm = "bcast/chain@2"
	if !reflect.DeepEqual(simtest.New(2, again.cases), simtest.New(2, cases)) {
		t.Error("a replay makes another case")
	}
}
