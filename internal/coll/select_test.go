package coll

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/choices.txt anew")

// choices lists, for every operation, the lengths at which the choice changes.
func choices(s *Selector) string {
	var w strings.Builder
	for _, m := range []oneNode{{false, false}, {true, false}, {false, true}, {true, true}} {
		for _, commutes := range []bool{true, false} {
			for _, op := range Ops() {
				if !commutes && !reduces(op) {
					continue
				}
				for _, ranks := range []int{2, 4, 7, 16, 100} {
					fmt.Fprintf(&w, "%s ranks=%d crowded=%v shared=%v commutative=%v:%s\n",
						op, ranks, m.crowded, m.shared, commutes, steps(s, op, ranks, m, commutes))
				}
			}
		}
	}
	return w.String()
}

// oneNode is a node, whose ranks share cores or memory or neither.
type oneNode struct{ crowded, shared bool }

// steps lists from which length on which algorithm is used.
func steps(s *Selector, op Op, ranks int, m oneNode, commutes bool) (line string) {
	last := ""
	for size := 1; size <= 16<<20; size *= 8 {
		c := Case{Op: op, Ranks: ranks, Bytes: size, Commutative: commutes, Local: ranks, Cores: ranks,
			Nodes: make([]int, ranks), Shares: m.shared, Fetches: m.shared}
		if op == Allgatherv {
			c.RecvCounts = slices.Repeat([]int{size}, ranks)
		}
		if op.Neighborly() {
			c.Graph = graphs(ranks)[0]
		}
		if m.crowded {
			c.Cores = 1
		}
		a, _ := s.Choose(c)
		if a.Name != last {
			last = a.Name
			_, way, _ := strings.Cut(a.Name, "/")
			line += fmt.Sprintf(" %d %s", size, way)
		}
	}
	return line
}

// notebook is a Memory.
type notebook map[Kind][]Cost

func (n notebook) Costs(k Kind, reckon func() []Cost) []Cost {
	costs, known := n[k]
	if !known {
		costs = reckon()
		n[k] = costs
	}
	return costs
}

func TestDefaultChoices(t *testing.T) {
	const file = "testdata/choices.txt"
	got := choices(Default().Remembering(notebook{}))
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	if len(gotLines) != len(wantLines) {
		t.Errorf("%d lines, want %d", len(gotLines), len(wantLines))
	}
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Errorf("line %d\n got %s\nwant %s", i+1, gotLines[i], wantLines[i])
		}
	}
	if t.Failed() {
		t.Log("if the new choices are meant, run go test -rewrite and review the difference")
	}
}

// TestFewExceptions: the model decides, and what it does not decide has been given a reason.
func TestFewExceptions(t *testing.T) {
	if n := len(Default().rules); n > 25 {
		t.Errorf("%d exceptions; mend the model", n)
	}
	for line := range strings.Lines(exceptions) {
		if rule, reason, _ := strings.Cut(strings.TrimSpace(line), "#"); rule != "" && strings.TrimSpace(reason) == "" {
			t.Errorf("%q has no reason", line)
		}
	}
}

func TestNamesAreUniqueAndSpellTheOperation(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range table {
		if seen[a.Name] {
			t.Errorf("%s is registered twice", a.Name)
		}
		seen[a.Name] = true
		if op, _, _ := strings.Cut(a.Name, "/"); op != a.Op.String() {
			t.Errorf("%s is registered for %s", a.Name, a.Op)
		}
	}
	for _, op := range Ops() {
		if got, known := ParseOp(op.String()); got != op || !known {
			t.Errorf("ParseOp(%q) is %v, %v", op, got, known)
		}
	}
}

func TestOverridesComeFirst(t *testing.T) {
	rules, err := Parse("allreduce=ring, bcast:64K-:8-=bcast/flat")
	if err != nil {
		t.Fatal(err)
	}
	s := Default().With(rules...)
	for _, c := range []struct {
		c         Case
		algorithm string
		why       string
	}{
		{Case{Op: Allreduce, Ranks: 4, Bytes: 8, Commutative: true}, "allreduce/ring", "rule 1 (override) allreduce=ring"},
		{Case{Op: Allreduce, Ranks: 4, Bytes: 8}, "allreduce/doubling", "us; allreduce/ring would match but does not fit"},
		{Case{Op: Bcast, Ranks: 8, Bytes: 64 << 10}, "bcast/flat", "rule 2 (override) bcast:64K-:8-=flat"},
		{Case{Op: Bcast, Ranks: 7, Bytes: 64 << 10}, "bcast/", "the model"},
		{Case{Op: Bcast, Ranks: 8, Bytes: 64<<10 - 1}, "bcast/", "the model"},
	} {
		a, why := s.Choose(c.c)
		if !strings.HasPrefix(a.Name, c.algorithm) || !strings.Contains(why.String(), c.why) {
			t.Errorf("%+v: %s by %s, want %s by %s", c.c, a.Name, why, c.algorithm, c.why)
		}
	}
	if n := strings.Count(s.Print(), " override "); n != 2 {
		t.Errorf("the table shows %d overrides, want 2", n)
	}
	if a, _ := Default().Choose(Case{Op: Allreduce, Ranks: 4, Bytes: 8}); a.Name != "allreduce/doubling" {
		t.Error("With changed the selector it was called on")
	}
	first, _, _ := strings.Cut(s.Print(), "\n")
	if first != "  1 override   allreduce=ring" {
		t.Errorf("the table begins %q", first)
	}
}

// TestBindingRules: where rules are binding, what does not fit is refused and nothing else taken, if a user
// names it; what fits, and what no rule speaks of, is not.
func TestBindingRules(t *testing.T) {
	rules, err := Parse("alltoall:1K-=shm_direct,alltoall:1K-=pairwise,allgather=ring")
	if err != nil {
		t.Fatal(err)
	}
	free := Default().With(rules...)
	fits := Case{Op: Alltoall, Ranks: 4, Bytes: 1 << 10, Shares: true, Nodes: []int{0, 0, 1, 1}}
	alone := fits
	alone.Shares = false
	short := alone
	short.Bytes = 8
	for _, c := range []struct {
		name    string
		s       *Selector
		c       Case
		refused bool
		takes   string
	}{
		{"fits", free.Binding(), fits, false, "alltoall/shm_direct"},
		{"does not fit", free.Binding(), alone, true, ""},
		{"does not fit, with more rules", free.Binding().With(), alone, true, ""},
		{"does not fit, not binding", free, alone, false, "alltoall/pairwise"},
		{"no rule speaks of it", free.Binding(), short, false, ""},
	} {
		a, why := c.s.Choose(c.c)
		if err := c.s.Refusal(why); errors.Is(err, ErrUnfit) != c.refused || c.refused && !strings.Contains(err.Error(), "alltoall/shm_direct") {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.takes != "" && a.Name != c.takes {
			t.Errorf("%s: %s", c.name, a.Name)
		}
	}
}

func TestRuleForAnotherOperationIsPassedOver(t *testing.T) {
	s := Default().With(everything(Bcast, "barrier/flat"))
	if a, why := s.Choose(Case{Op: Bcast, Ranks: 2, Bytes: 8}); a.Op != Bcast || len(why.Skipped) != 1 {
		t.Errorf("%s by %s", a.Name, why)
	}
}

func TestExplain(t *testing.T) {
	c := Case{Op: Gather, Rank: 1, Ranks: 3, Root: 2, Bytes: 32 << 10, Local: 3, Cores: 2}
	got, err := Default().Explain(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"case: gather, 32K bytes, 3 ranks, root 2, crowded (3 ranks on 2 cores)\nchosen: gather/",
		"costs, for 32K bytes and lengths near it:\n",
		"gather/flat\n", "gather/knomial\n", "plan: gather/flat: rank 1 of 3, 1 steps, scratch 0 bytes\n0: send to 2 <- in[0:32768]\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "gather/elan") {
		t.Errorf("what other libraries do is a candidate:\n%s", got)
	}
	if _, err := Default().Explain(Case{Op: Gather, Ranks: 0}); err == nil {
		t.Error("a case without ranks was explained")
	}
	if got, _ := Default().Explain(Case{Op: Gatherv, Rank: 1, Ranks: 2, Bytes: 4}); !strings.Contains(got, "gatherv/direct") {
		t.Error(got)
	}
}

// TestExplainArrival: what is chosen when ranks come apart is told where rules ask, and where somebody asks
// though no rule does.
func TestExplainArrival(t *testing.T) {
	rules, err := Parse("alltoall:spread8-63=pap_direct,alltoall:spread64-=pap_copy,alltoall=pairwise")
	if err != nil {
		t.Fatal(err)
	}
	c := Case{Op: Alltoall, Ranks: 5, Bytes: 1 << 20}
	for _, k := range []struct {
		s      *Selector
		spread int
		want   string
	}{
		{Default().With(rules...), 0, "by arrival: from 0 on alltoall/pairwise, from 8 on alltoall/pap_direct, from 64 on alltoall/pap_copy\n"},
		{Default().With(rules...), 9, "chosen: alltoall/pap_direct by rule 1 (override)"},
		{Default(), 9, "by arrival: no rule for alltoall asks"},
	} {
		c.Spread = k.spread
		if got, err := k.s.Explain(c); err != nil || !strings.Contains(got, k.want) {
			t.Errorf("%v, no %q in\n%s", err, k.want, got)
		}
	}
	if got, _ := Default().Explain(Case{Op: Alltoall, Ranks: 5, Bytes: 1 << 20}); strings.Contains(got, "by arrival") {
		t.Errorf("nobody asks about arrival:\n%s", got)
	}
}
