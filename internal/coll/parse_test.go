package coll

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	rule := func(op Op, way string, change func(*Rule)) Rule {
		r := everything(op, op.String()+"/"+way)
		change(&r)
		return r
	}
	for text, want := range map[string]Rule{
		"allreduce=ring":              rule(Allreduce, "ring", func(*Rule) {}),
		" bcast : 64K- : 8- = flat ":  rule(Bcast, "flat", func(r *Rule) { r.Bytes, r.Ranks = Range{64 << 10, -1}, Range{8, -1} }),
		"scan:1M-1G:-7=scan/chain":    rule(Scan, "chain", func(r *Rule) { r.Bytes, r.Ranks = Range{1 << 20, 1 << 30}, Range{0, 7} }),
		"barrier:*:64:crowded=flat":   rule(Barrier, "flat", func(r *Rule) { r.Ranks, r.Crowded = Range{64, 64}, Yes }),
		"reduce:roomy:5:ordered=flat": rule(Reduce, "flat", func(r *Rule) { r.Bytes, r.Crowded, r.Commutative = Range{5, 5}, No, No }),
		"reduce::3:commutative=flat":  rule(Reduce, "flat", func(r *Rule) { r.Ranks, r.Commutative = Range{3, 3}, Yes }),
		"allgather:nodes2-:local4:rails2-3:spread8-=bruck@2": rule(Allgather, "bruck@2", func(r *Rule) {
			r.Nodes, r.Local, r.Rails, r.Spread = Range{2, -1}, Range{4, 4}, Range{2, 3}, Range{8, -1}
		}),
		"# the whole\nbcast=flat # always\n": rule(Bcast, "flat", func(*Rule) {}),
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
		"allgather=tree":         {`"tree"`, "there are flat, ring, doubling, bruck"},
		"allgather=":             {`no algorithm ""`},
		"bcast=allgather/ring":   {`"allgather/ring"`, "scatter_ring"},
		"bcast:x=flat":           {`"x"`, "number of bytes"},
		"bcast:K=flat":           {`"K"`, "number of bytes"},
		"bcast:1:4K=flat":        {`"4K"`, "not a number"},
		"bcast:9-8=flat":         {`"9-8"`, "ends before it begins"},
		"bcast:-=flat":           {`"-"`, "write * for any"},
		"bcast:1-2-3=flat":       {`"2-3"`},
		"bcast:1:2:3=flat":       {`"3"`, "one range too many"},
		"bcast:9999999999G=flat": {`"9999999999G"`},
		"bcast:+4=flat":          {`"+4"`},
		"bcast:nodes=flat":       {`"nodes"`, "nodes2-4"},
		"bcast:rails-=flat":      {`"-"`, "write * for any"},
		"bcast:localx=flat":      {`"x"`, "not a number"},
		"allgather=bruck@0":      {`"bruck@0"`},
		"allgather=bruck@9":      {`"bruck@9"`},
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
	f.Add(exceptions)
	for _, text := range []string{"", "allreduce=ring", "bcast:64K-:8-=binomial,alltoall=pairwise",
		"barrier:*:3-64:crowded=flat", "scan:0=chain", "bcast:-=flat", "x:::", "bcast:K=flat", "bcast:1024K:-=flat",
		"allgather:nodes2-:local4:rails2-3:spread8-=bruck@2 # why\n# and\nreduce:ordered:5=flat"} {
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

// FuzzChoose: whatever rules are asked first, every case gets an algorithm of its operation that fits, the
// same one each time.
func FuzzChoose(f *testing.F) {
	f.Add("allgather:nodes2-:local4:rails2-3:spread8-=bruck@2", uint8(Allgather), 64, uint8(8), uint8(2), uint8(2), 8, true)
	f.Add("bcast=shm,bcast=shm_fetch,bcast=scatter_doubling", uint8(Bcast), 1<<20, uint8(5), uint8(1), uint8(1), 0, true)
	f.Add("", uint8(ReduceScatter), 1<<30, uint8(40), uint8(7), uint8(8), 1<<20, false)
	f.Fuzz(func(t *testing.T, text string, op uint8, bytes int, ranks, nodes, rails uint8, spread int, commutative bool) {
		rules, err := Parse(text)
		if err != nil {
			return
		}
		c := Case{Op: Op(op) % ops, Ranks: 1 + int(ranks)%64, Bytes: max(bytes, 0) % (1 << 40), Commutative: commutative, Rails: int(rails),
			Spread: max(spread, 0), Cores: 2, Shares: rails%2 == 0, Fetches: rails%4 == 0}
		c.Nodes = make([]int, c.Ranks)
		for r := range c.Nodes {
			c.Nodes[r] = r * (1 + int(nodes)%c.Ranks) / c.Ranks
		}
		c.Local = c.MostLocal()
		if c.Op == Allgatherv {
			c.RecvCounts = slices.Repeat([]int{c.Bytes}, c.Ranks)
		}
		s := Default().With(rules...)
		a, why := s.Choose(c)
		if a.Op != c.Op || !a.Fits(c) || why.Override != (why.Number > 0 && why.Number <= len(rules)) {
			t.Fatalf("%+v: %s by %v", c, a.Name, why)
		}
		if again, _ := s.Choose(c); again.Name != a.Name {
			t.Fatalf("%+v: %s, then %s", c, a.Name, again.Name)
		}
	})
}
