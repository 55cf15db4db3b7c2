package coll

import (
	"fmt"
	"os"
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// The whole matrix: every case on every machine. WEFT_SOAK=1 tries all of it, WEFT_SOAK=3/40 the third of
// 40 parts, which take about the same time each, so that it can be run in pieces.
//
// Many machines come to the same plans: an algorithm that does not look at nodes has one for all layouts.
// Such plans are tried once per case, since all that a trial depends on are the plans, the buffers and the
// order of events.

// share is a part of the matrix.
type share struct{ part, parts uint64 }

// parseShare reads WEFT_SOAK: part/parts, or anything else for all.
func parseShare(text string) (s share, err error) {
	if n, _ := fmt.Sscanf(text, "%d/%d", &s.part, &s.parts); n == 0 || n == 1 && text == "1" {
		return share{1, 1}, nil
	}
	if s.part < 1 || s.part > s.parts {
		return s, fmt.Errorf("WEFT_SOAK=%s: write 1 for everything, or a part such as 3/40", text)
	}
	return s, nil
}

// soaking returns the part of the matrix that is asked for, if any is.
func soaking(t *testing.T) (s share, soaks bool) {
	text := os.Getenv("WEFT_SOAK")
	if text == "" {
		return share{}, false
	}
	s, err := parseShare(text)
	if err != nil {
		t.Fatal(err)
	}
	return s, true
}

// has reports whether a unit of work belongs to the part. Neighbours, which cost about the same, go to different parts.
func (s share) has(unit int) bool {
	l := lottery(unit)
	l.pick(1)
	return (uint64(l)>>33)%s.parts == s.part-1
}

func TestPartsOfTheMatrix(t *testing.T) {
	for text, want := range map[string]share{"1": {1, 1}, "yes": {1, 1}, "3/40": {3, 40}, "40/40": {40, 40}} {
		if got, err := parseShare(text); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"0/4", "5/4", "3/", "7"} {
		if got, err := parseShare(text); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
	const parts = 7
	of := [parts]int{}
	for unit := range 5000 {
		owners := 0
		for part := range parts {
			if (share{uint64(part + 1), parts}).has(unit) {
				owners++
				of[part]++
			}
		}
		if owners != 1 {
			t.Fatalf("%d parts have unit %d", owners, unit)
		}
	}
	for part, n := range of {
		if n < 5000/parts*9/10 {
			t.Errorf("part %d has %d of 5000 units", part+1, n)
		}
	}
}

// soakAlgorithm tries all cases of the share's numbers of ranks. first is the unit of the algorithm with no ranks.
func soakAlgorithm(t *testing.T, a Algorithm, s share, first int) {
	k := soak{a: a}
	for ranks := 1; ranks <= mostRanks; ranks++ {
		if !s.has(first + ranks) {
			continue
		}
		k.order = lottery(first + ranks)
		for _, c := range variants(a.Op, ranks) {
			if err := k.everywhere(c); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d cases fit, %d of them with plans of their own", k.fit, k.tried)
}

// soak tries cases of an algorithm.
type soak struct {
	a          Algorithm
	order      lottery
	fit, tried int
}

// everywhere tries a case on every machine.
func (k *soak) everywhere(c Case) error {
	n := irregular(c, &k.order)
	seen := map[uint64]bool{}
	for _, m := range machines(c.Ranks) {
		if !k.a.Fits(c.on(m)) {
			continue
		}
		k.fit++
		cases := views(c, m, n)
		mark := fingerprint(k.a, cases)
		if seen[mark] {
			continue
		}
		seen[mark] = true
		k.tried++
		k.order++
		if err := try(k.a, cases, uint64(k.order)); err != nil {
			return fmt.Errorf("on %s: %w", m, err)
		}
	}
	return nil
}

// fingerprint is a number that plans of all ranks have in common only if they are alike but for the rails,
// which a trial does not look at.
func fingerprint(a Algorithm, cases []Case) uint64 {
	h := uint64(14695981039346656037)
	mix := func(n int) {
		h = (h ^ uint64(n)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	for _, c := range cases {
		p := a.Plan(c)
		for _, n := range []int{len(p.Steps), p.TmpLen, p.Group, p.NodeLen, p.Flags} {
			mix(n)
		}
		if p.ByArrival {
			mix(1)
		}
		for i := range p.Steps {
			mixStep(mix, &p.Steps[i])
			for _, d := range p.Deps(i) {
				mix(int(d))
			}
			mix(-1)
		}
	}
	return h
}

func mixStep(mix func(int), s *plan.Step) {
	first := 0
	if s.SrcFirst {
		first = 1
	}
	mix(int(s.Kind)<<40 | int(s.Way)<<32 | first<<48 | int(s.Peer))
	mix(int(s.Flag))
	for _, b := range []plan.Span{s.Src, s.Dst} {
		mix(int(b.Buf)<<48 | b.Off)
		mix(b.Len)
	}
}
