package bench

import (
	"slices"
	"strings"
	"testing"
)

func TestParseLayout(t *testing.T) {
	for text, want := range map[string]Layout{"2": {Ranks: 2}, "48": {Ranks: 48}, "2x1": {2, 1}, "3x2": {3, 2}} {
		if got, err := ParseLayout(text); err != nil || got != want || got.String() != text {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "0", "-2", "1x4", "0x4", "2x0", "2x", "x2", "2x2x2", "99999x99999", "two"} {
		if got, err := ParseLayout(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

// TestEveryCases: all operations are there, each with the sizes it can have.
func TestEveryCases(t *testing.T) {
	sizes := []int{6, 64, 8 * kib}
	for _, l := range []Layout{{Ranks: 2}, {Ranks: 32}, {Hosts: 3, Ranks: 2}} {
		steps := map[string][]int{}
		for _, list := range EveryCases(EveryTests(), l, sizes) {
			for _, c := range list {
				for _, s := range c.Steps {
					steps[c.Test.Name] = append(steps[c.Test.Name], s.Size)
				}
				if c.Ranks != l.Total() || c.Window < 1 {
					t.Errorf("%v: %+v", l, c)
				}
			}
		}
		want := map[string][]int{"bcast": sizes, "barrier": {0}, "fetch_op": {8}, "allreduce": {64, 8 * kib}, "put_post": sizes, "dup": {0}}
		want["reduce_scatterv_skewed"] = want["allreduce"]
		if l.Total() == 32 {
			want["reduce_scatterv_skewed"] = []int{8 * kib}
		}
		for name, sizes := range want {
			if !slices.Equal(steps[name], sizes) {
				t.Errorf("%v: %s has %v, want %v", l, name, steps[name], sizes)
			}
		}
		if len(steps) != len(EveryTests()) {
			t.Errorf("%v: %d operations, want %d", l, len(steps), len(EveryTests()))
		}
	}
	if odd := EveryCases([]Test{mustFind("ssend"), mustFind("bcast")}, Layout{Ranks: 3}, sizes); len(odd) != 1 || len(odd[0]) != 1 {
		t.Errorf("on three ranks: %+v", odd)
	}
}

func TestCasesAsText(t *testing.T) {
	cases := casesOf(EveryTests(), Layout{Ranks: 4}, []int{64, kib})
	got, err := ParseCases(FormatCases(cases))
	if err != nil || len(got) != len(cases) {
		t.Fatalf("%d of %d cases: %v", len(got), len(cases), err)
	}
	for i, c := range got {
		if c.Test.Name != cases[i].Test.Name || !slices.Equal(c.Steps, cases[i].Steps) {
			t.Errorf("%+v, want %+v", c, cases[i])
		}
	}
	for _, text := range []string{"", "bcast", "bcast=", "nothing=8:1:1:1:0:0", "bcast=8:1:1:1:0:0/", "bcast=8:1:1:1:0:0//scan=8:1:1:1:0:0"} {
		if got, err := ParseCases(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func FuzzParseCases(f *testing.F) {
	f.Add("bcast=8:1:1:1:0:0/scan=64:10:2:3:0:0,8:1:1:1:0:0")
	f.Add("barrier=0:1:1:1:0:0")
	f.Fuzz(func(t *testing.T, text string) {
		cases, err := ParseCases(text)
		if err != nil {
			return
		}
		again, err := ParseCases(FormatCases(cases))
		if err != nil || len(again) != len(cases) {
			t.Fatalf("%q was read and cannot be read again: %v", text, err)
		}
	})
}

// everyReport has one operation without sizes and one with, on this host and on two.
func everyReport(t *testing.T) Report {
	t.Helper()
	weft := &valued{name: "weft", value: func(c Case, s Step) float64 {
		if c.Test.Name == "bcast" && s.Size == 64 && c.Hosts != "" {
			return 8
		}
		return 2
	}}
	slow := &valued{name: "openmpi", value: func(Case, Step) float64 { return 4 }}
	quick := &valued{name: "mpich", value: func(_ Case, s Step) float64 { return 2.5 }}
	var trials []Trial
	for _, l := range []Layout{{Ranks: 2}, {Hosts: 2, Ranks: 2}} {
		for _, list := range EveryCases([]Test{mustFind("barrier"), mustFind("bcast"), mustFind("put")}, l, []int{64, kib}) {
			impls := []Implementation{weft, slow, quick}
			if l.Hosts > 0 {
				impls = impls[:2]
				for i := range list {
					list[i].Hosts = "h0:2,h1:2"
				}
			}
			trials = append(trials, Trial{Cases: list, Impls: impls, Rounds: 3})
		}
	}
	r := RunSuite(t.Context(), trials, nil, nil)
	r.HoldEvery([]int{64, kib})
	r.Host = Host{}
	return r
}

const wantEvery = `# weft: weft
# openmpi: openmpi
# mpich: mpich
# time of Weft over that of the fastest other library, median of 3 interleaved rounds; * is above 1.30; tests without sizes stand under the first

ranks     | 2               |
operation |   64 B    1 KB  | mean
barrier   |   0.80          | 0.80
bcast     |   0.80    0.80  | 0.80
put       |   0.80    0.80  | 0.80
mean      |   0.80    0.80  | 0.80

hosts x ranks | 2x2             |
operation     |   64 B    1 KB  | mean
barrier       |   0.50          | 0.50
bcast         |   2.00*   0.50  | 1.00
put           |   0.50    0.50  | 0.50
mean          |   0.79    0.50  | 0.66
# geometric mean 0.727 over 10 points: target met (at most 0.90)
# above 1.30: 1 point: target missed (none)
# worst: bcast, 64 B on 2x2: 2.00 [2.00-2.00] of openmpi, 8.0 us against 4.0 us
# worst: barrier on 2 ranks: 0.80 [0.80-0.80] of mpich, 2.0 us against 2.5 us
`

func TestEveryText(t *testing.T) {
	r := everyReport(t)
	var out strings.Builder
	if err := r.WriteEvery(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), wantEvery) {
		t.Errorf("got\n%s\nwant at the beginning\n%s", out.String(), wantEvery)
	}
	if e := r.Every; e.Above != 1 || len(e.Points) != 10 || len(e.Tests) != 3 || e.Tests[1].Test != "bcast" || e.Tests[1].Points != 4 {
		t.Errorf("%+v", e)
	}
}
