package bench

import (
	"slices"
	"strings"
	"testing"
)

func TestSizes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		test   string
		text   string // -m
		ranks  int
		memory int
		want   []int // first, second, last
	}{
		{"latency starts at 0", "latency", "", 2, 512 * mib, []int{0, 1, 4 * mib}},
		{"bandwidth starts at 1", "bw", "", 2, 512 * mib, []int{1, 2, 4 * mib}},
		{"largest only", "latency", "8", 2, 512 * mib, []int{0, 1, 8}},
		{"range", "latency", "8:64", 2, 512 * mib, []int{8, 16, 64}},
		{"open range", "bw", "1M:", 2, 512 * mib, []int{mib, 2 * mib, 4 * mib}},
		{"odd start", "bw", "100:600", 2, 512 * mib, []int{100, 128, 512}},
		{"vector starts at one element", "allreduce", "", 4, 512 * mib, []int{4, 8, mib}},
		{"vector rounds up", "scan", "6:32", 4, 512 * mib, []int{8, 16, 32}},
		{"a part for each rank", "reduce_scatter", "", 5, 512 * mib, []int{20, 32, mib}},
		{"memory limit", "alltoall", "", 4, kib, []int{1, 2, 256}},
	} {
		test := mustFind(tc.test)
		var r Range
		if tc.text != "" {
			var err error
			if r, err = ParseRange(tc.text); err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
		}
		sizes, err := Sizes(test, r, tc.ranks, tc.memory)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got := []int{sizes[0], sizes[1], sizes[len(sizes)-1]}; !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestSizesOfOneSize(t *testing.T) {
	r, err := ParseRange("8:8")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Sizes(mustFind("latency"), r, 2, mib)
	if err != nil || !slices.Equal(got, []int{8}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := Sizes(mustFind("barrier"), r, 2, mib); err != nil || !slices.Equal(got, []int{0}) {
		t.Errorf("barrier: got %v, %v", got, err)
	}
	if _, err := Sizes(mustFind("alltoall"), Range{}, 64, 8); err == nil {
		t.Error("no size fits the memory, yet no error")
	}
}

func TestParseRangeRejects(t *testing.T) {
	for _, text := range []string{"", ":", "x", "8:4", "-1", "1:2:3", "2G", "9999999999999999999", "K"} {
		if r, err := ParseRange(text); err == nil {
			t.Errorf("%q was read as %+v", text, r)
		}
	}
}

// The loop counts are those of the OSU suite; scripts compare numbers across years by them.
func TestPlainSteps(t *testing.T) {
	for _, tc := range []struct {
		test         string
		small, large Step
	}{
		{"latency", Step{Size: 8192, Iterations: 10000, Warmup: 100, Batches: 1}, Step{Size: 16384, Iterations: 1000, Warmup: 10, Batches: 1}},
		{"bw", Step{Size: 8192, Iterations: 100, Warmup: 10, Batches: 1}, Step{Size: 16384, Iterations: 20, Warmup: 2, Batches: 1}},
		{"alltoall", Step{Size: 8192, Iterations: 1000, Warmup: 100, Batches: 1}, Step{Size: 16384, Iterations: 100, Warmup: 10, Batches: 1}},
	} {
		got := PlainSteps(mustFind(tc.test), []int{8192, 16384}, Loops{})
		if want := []Step{tc.small, tc.large}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", tc.test, got, want)
		}
	}
	got := PlainSteps(mustFind("latency"), []int{8, mib}, Loops{Iterations: 7, WarmupGiven: true})
	if want := []Step{{Size: 8, Iterations: 7, Batches: 1}, {Size: mib, Iterations: 7, Batches: 1}}; !slices.Equal(got, want) {
		t.Errorf("overridden: got %v, want %v", got, want)
	}
}

func TestRoundStepsAreAllowedAndShort(t *testing.T) {
	suites := slices.Concat(Suite{Window: 64, Builds: true}.Cases(), Suite{Window: 64, Builds: true, Quick: true}.Cases())
	for _, c := range suites {
		text := FormatSteps(c.Steps)
		back, err := ParseSteps(text)
		if err != nil || !slices.Equal(back, c.Steps) {
			t.Errorf("%s on %d ranks: %q reads back as %v, %v", c.Test.Name, c.Ranks, text, back, err)
		}
		for _, s := range c.Steps {
			if s.Batches < 5 && c.Test.comparable() {
				t.Errorf("%s: %+v has too few batches for a median", c.Test.Name, s)
			}
			if s.Size <= 64 && c.Test.Operations(s) < 20 {
				t.Errorf("%s: %+v is too short for the clock", c.Test.Name, s)
			}
		}
	}
}

func TestSuiteCoversItsTable(t *testing.T) {
	cases := Suite{Window: 64}.Cases()
	if want := 2 + 5*len(SuiteRanks); len(cases) != want {
		t.Fatalf("%d cases, want %d", len(cases), want)
	}
	if first := cases[0]; first.Steps[0].Size != 0 || first.Steps[len(first.Steps)-1].Size != 4*mib {
		t.Errorf("latency runs from %d to %d bytes", first.Steps[0].Size, first.Steps[len(first.Steps)-1].Size)
	}
}

// Builds of Weft are compared in everything that the suite has, and more; a quick suite has the same tests.
func TestSuiteOfBuilds(t *testing.T) {
	tests := func(s Suite) []string {
		var names []string
		for _, c := range s.Cases() {
			if len(c.Steps) == 0 || c.Unbound != (c.Test.Shape == Overlap) {
				t.Errorf("%+v has the case %+v", s, c)
			}
			names = append(names, c.Test.Name)
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	whole, quick := tests(Suite{Builds: true, Window: 64}), tests(Suite{Builds: true, Quick: true, Window: 64})
	for _, name := range slices.Concat(collectives, []string{"latency", "bw", "mbw_mr", "put", "get"}, overlapsOf(Receiver)) {
		if !slices.Contains(whole, name) || !slices.Contains(quick, name) {
			t.Errorf("%s is not in both of %q and %q", name, whole, quick)
		}
	}
	for _, c := range (Suite{Builds: true, Ranks: 4, Window: 64}).Cases() {
		if c.Ranks != 4 {
			t.Errorf("%s on %d ranks", c.Test.Name, c.Ranks)
		}
	}
}

// TestSuiteHasEveryOperation in its rows or in its lists, and none twice; each has a bar.
func TestSuiteHasEveryOperation(t *testing.T) {
	for _, s := range []Suite{{}, {Quick: true}, {Builds: true}, {Builds: true, Quick: true}} {
		s.Window, s.Loops = 64, Loops{Iterations: 3, WarmupGiven: true, Warmup: 1}
		in := map[string]int{}
		for _, c := range s.Cases() {
			in[c.Test.Name] |= 1
		}
		for _, list := range s.Lists() {
			for _, c := range list {
				in[c.Test.Name] |= 2
				if c.Steps[0].Iterations != 3 || c.Steps[0].Warmup != 1 {
					t.Errorf("%s: %+v", c.Test.Name, c.Steps[0])
				}
				if !slices.ContainsFunc(c.Bars, func(b Bar) bool { return slices.Contains(b.Tests, c.Test.Name) }) {
					t.Errorf("%s has no bar", c.Test.Name)
				}
			}
		}
		for _, test := range EveryTests() {
			if n := in[test.Name]; n != 1 && n != 2 {
				t.Errorf("%+v: %s is in %d", s, test.Name, n)
			}
		}
		s.Ranks = 4
		for _, list := range s.Lists() {
			if list[0].Ranks != 4 {
				t.Errorf("-n 4 has %s on %d ranks", list[0].Test.Name, list[0].Ranks)
			}
		}
	}
}

func TestCheckRanks(t *testing.T) {
	for _, tc := range []struct {
		test  string
		ranks int
		want  string // part of the error, empty for none
	}{
		{"latency", 2, ""}, {"latency", 4, "exactly 2"}, {"barrier", 3, ""}, {"barrier", 1, "at least 2"},
		{"mbw_mr", 3, "even"}, {"multi_lat", 6, ""},
	} {
		err := mustFind(tc.test).CheckRanks(tc.ranks)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s on %d ranks: %v, want %q", tc.test, tc.ranks, err, tc.want)
		}
	}
}

func TestFindKnowsAliases(t *testing.T) {
	for _, name := range []string{"allreduce", "osu_allreduce"} {
		if test, err := Find(name); err != nil || test.Name != "allreduce" {
			t.Errorf("%s: %v, %v", name, test.Name, err)
		}
	}
	if _, err := Find("osu_nothing"); err == nil || !strings.Contains(err.Error(), "latency") {
		t.Errorf("error %v does not list the tests", err)
	}
}

func FuzzParseSteps(f *testing.F) {
	for _, seed := range []string{"8:1:0:1:0:0", "0:200:200:11:50:1000,1:200:200:11:0:0", "8:0:0:1:0:0", "8:1:0:1", ",", "-1:1:1:1:0:0", "1073741825:1:0:1:0:0", "8:1:0:1:-1:0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := ParseSteps(text)
		if err != nil {
			return
		}
		again, err := ParseSteps(FormatSteps(steps))
		if err != nil || !slices.Equal(again, steps) {
			t.Fatalf("%q: %v reads back as %v, %v", text, steps, again, err)
		}
		for _, s := range steps {
			if s.Size < 0 || s.Size > maxSize || s.Iterations < 1 || s.Batches < 1 || s.Warmup < 0 || s.Share < 0 || s.Work < 0 {
				t.Fatalf("%q: step out of range: %+v", text, s)
			}
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, seed := range []string{"8", "1:8", "4M", "1K:1M", ":", "1:", "G", "0,50%,100"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRange(text)
		if err == nil && (r.Min < 0 || r.Max < 0 || r.Min > maxSize || r.Max > maxSize) {
			t.Fatalf("%q gave %+v", text, r)
		}
		if shares, err := ParseShares(text); err == nil && (len(shares) == 0 || slices.Min(shares) < 0 || slices.Max(shares) > maxShare) {
			t.Fatalf("%q gave shares %v", text, shares)
		}
	})
}
