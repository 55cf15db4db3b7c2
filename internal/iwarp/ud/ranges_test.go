package ud

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// naiveRanges are the runs of true in set.
func naiveRanges(set []bool) (all []Range) {
	for i, in := range set {
		switch {
		case in && (i == 0 || !set[i-1]):
			all = append(all, Range{uint32(i), uint32(i) + 1})
		case in:
			all[len(all)-1].To++
		}
	}
	return all
}

func TestRangesAgainstBytes(t *testing.T) {
	const size = 60
	span := rapid.Custom(func(t *rapid.T) Range {
		from := rapid.Uint32Max(size).Draw(t, "from")
		return Range{from, min(size, from+rapid.Uint32Max(6).Draw(t, "length"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		var s Ranges
		set := make([]bool, size)
		for _, add := range rapid.SliceOfN(span, 1, 60).Draw(t, "adds") {
			bigger := slices.Clone(set)
			for i := add.From; i < add.To; i++ {
				bigger[i] = true
			}
			before, fits := s, len(naiveRanges(bigger)) <= MaxRanges
			if got := s.Add(add.From, add.To); got != fits || !fits && s != before {
				t.Fatalf("add %v to %v: %v, now %v", add, before.All(), got, s.All())
			}
			if fits {
				set = bigger
			}
			if want := naiveRanges(set); !slices.Equal(s.All(), want) {
				t.Fatalf("after adding %v: %v, want %v", add, s.All(), want)
			}
			asked := span.Draw(t, "asked")
			hole := slices.Index(set[asked.From:max(asked.From, asked.To)], false)
			gap, ok := s.Gap(asked.From, asked.To)
			if ok != (hole >= 0) || s.Covers(asked.From, asked.To) == ok {
				t.Fatalf("%v in %v: gap %v, %v", asked, s.All(), gap, ok)
			}
			if ok && (gap.From != asked.From+uint32(hole) || slices.Contains(set[gap.From:gap.To], true) ||
				gap.To < asked.To && !set[gap.To] || gap.To > asked.To) {
				t.Fatalf("%v in %v: gap %v", asked, s.All(), gap)
			}
		}
	})
}

// TestRangesAreComparable: sets that hold the same bytes are equal, however they came about.
func TestRangesAreComparable(t *testing.T) {
	var a, b Ranges
	a.Add(0, 1)
	a.Add(4, 5)
	a.Add(1, 4)
	b.Add(0, 5)
	if a != b {
		t.Errorf("%v and %v differ", a, b)
	}
}

func TestRangesToTheEnd(t *testing.T) {
	const end = 1<<32 - 1
	var s Ranges
	if !s.Add(end-1, end) || !s.Add(0, end-1) || !s.Covers(0, end) || len(s.All()) != 1 {
		t.Errorf("got %v", s.All())
	}
}
