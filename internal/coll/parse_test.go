package coll

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Rule{
		"allreduce=ring":              {Allreduce, anything, anything, Either, Either, "allreduce/ring"},
		" bcast : 64K- : 8- = flat ":  {Bcast, Range{64 << 10, -1}, Range{8, -1}, Either, Either, "bcast/flat"},
		"scan:1M-1G:-7=scan/chain":    {Scan, Range{1 << 20, 1 << 30}, Range{0, 7}, Either, Either, "scan/chain"},
		"barrier:*:64:crowded=flat":   {Barrier, anything, Range{64, 64}, Yes, Either, "barrier/flat"},
		"reduce:roomy:5:ordered=flat": {Reduce, Range{5, 5}, anything, No, No, "reduce/flat"},
		"reduce::3:commutative=flat":  {Reduce, anything, Range{3, 3}, Either, Yes, "reduce/flat"},
	} {
		got, err := Parse(text)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	if got, err := Parse(" , ,"); len(got) != 0 || err != nil {
		t.Errorf("empty rules: %v, %v", got, err)
	}
}

func TestParseErrorsNameThePieceAndTheChoices(t *testing.T) {
	for text, want := range map[string][]string{
		"bcast=flat,allreduce":   {`"allreduce"`, "no '='"},
		"brcast=flat":            {`"brcast"`, "barrier, bcast, reduce"},
		"=flat":                  {`no operation ""`},
		"allgather=tree":         {`"tree"`, "flat, ring, doubling, bruck, gather_bcast"},
		"allgather=":             {`no algorithm ""`},
		"bcast=allgather/ring":   {`"allgather/ring"`, "scatter_ring"},
		"bcast:x=flat":           {`"x"`, "number of bytes"},
		"bcast:K=flat":           {`"K"`, "number of bytes"},
		"bcast:1:4K=flat":        {`"4K"`, "number of ranks"},
		"bcast:9-8=flat":         {`"9-8"`, "ends before it begins"},
		"bcast:-=flat":           {`"-"`, "write * for any"},
		"bcast:1-2-3=flat":       {`"2-3"`},
		"bcast:1:2:3=flat":       {`"3"`, "one range too many"},
		"bcast:9999999999G=flat": {`"9999999999G"`},
		"bcast:+4=flat":          {`"+4"`},
	} {
		_, err := Parse(text)
		if err == nil {
			t.Errorf("%q: no error", text)
			continue
		}
		for _, piece := range want {
			if !strings.Contains(err.Error(), piece) {
				t.Errorf("%q: %q does not mention %q", text, err, piece)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(strings.ReplaceAll(defaultRules, "\n", ","))
	for _, text := range []string{"", "allreduce=ring", "bcast:64K-:8-=binomial,alltoall=pairwise",
		"barrier:*:3-64:crowded=flat", "scan:0=chain", "bcast:-=flat", "x:::", "bcast:K=flat", "bcast:1024K:-=flat"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := Parse(text)
		if err != nil {
			return
		}
		var printed []string
		for _, r := range rules {
			if a, known := Find(r.Algorithm); !known || a.Op != r.Op {
				t.Fatalf("%q gives the unknown algorithm %q", text, r.Algorithm)
			}
			printed = append(printed, r.String())
		}
		again, err := Parse(strings.Join(printed, ","))
		if err != nil || !slices.Equal(again, rules) {
			t.Fatalf("%q gives %+v, printed and read again %+v (%v)", text, rules, again, err)
		}
	})
}
