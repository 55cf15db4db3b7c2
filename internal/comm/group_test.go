package comm

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// someGroup is a group of distinct processes below 12, in any order, often the whole job in its own.
func someGroup(t *rapid.T, name string) *Group {
	all := make([]int, 12)
	for i := range all {
		all[i] = i
	}
	if rapid.Bool().Draw(t, name+" in order") {
		return NewGroup(all[:rapid.IntRange(0, 12).Draw(t, name+" size")])
	}
	return NewGroup(rapid.Permutation(all).Draw(t, name)[:rapid.IntRange(0, 12).Draw(t, name+" size")])
}

// TestGroupsAgainstNaive compares the algebra with searches through slices.
func TestGroupsAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, h := someGroup(t, "g"), someGroup(t, "h")
		var both, only, union []int
		for _, p := range g.procs {
			if slices.Contains(h.procs, p) {
				both = append(both, p)
			} else {
				only = append(only, p)
			}
		}
		union = slices.Clone(g.procs)
		for _, p := range h.procs {
			if !slices.Contains(g.procs, p) {
				union = append(union, p)
			}
		}
		if !slices.Equal(g.Intersection(h).procs, both) || !slices.Equal(g.Difference(h).procs, only) || !slices.Equal(g.Union(h).procs, union) {
			t.Fatalf("%v and %v: intersection %v, difference %v, union %v", g.procs, h.procs,
				g.Intersection(h).procs, g.Difference(h).procs, g.Union(h).procs)
		}
		for p := -1; p < 13; p++ {
			want := slices.Index(g.procs, p)
			if want < 0 {
				want = Undefined
			}
			if g.Rank(p) != want {
				t.Fatalf("rank of %d in %v is %d", p, g.procs, g.Rank(p))
			}
		}
		ranks := make([]int, g.Size())
		for i := range ranks {
			ranks[i] = i
		}
		there, err := g.Translate(ranks, h)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range there {
			if r != h.Rank(g.procs[i]) {
				t.Fatalf("rank %d translates to %d", i, r)
			}
		}
	})
}

// TestInclExcl take a group apart and together again.
func TestInclExcl(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := someGroup(t, "g")
		if g.Size() == 0 {
			return
		}
		ranks := rapid.SliceOfDistinct(rapid.IntRange(0, g.Size()-1), func(r int) int { return r }).Draw(t, "ranks")
		in, err1 := g.Incl(ranks...)
		out, err2 := g.Excl(ranks...)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if in.Size()+out.Size() != g.Size() || in.Intersection(out).Size() != 0 {
			t.Fatalf("%v: in %v, out %v", g.procs, in.procs, out.procs)
		}
		for i, r := range ranks {
			if in.Process(i) != g.Process(r) {
				t.Fatalf("incl %v of %v is %v", ranks, g.procs, in.procs)
			}
		}
		if _, err := g.Incl(g.Size()); !errors.Is(err, ErrRank) {
			t.Fatalf("a rank outside: %v", err)
		}
		if _, err := g.Excl(0, 0); !errors.Is(err, ErrGroup) {
			t.Fatalf("a rank twice: %v", err)
		}
	})
}

// TestOrder: the members of a split are sorted by key, then by old rank; the first one leads.
func TestOrder(t *testing.T) {
	old := NewGroup([]int{10, 11, 12, 13})
	procs, leader := order([]member{{key: 5, rank: 0}, {key: -1, rank: 3, id: 7}, {key: -1, rank: 1, id: 9}, {key: 5, rank: 2}}, old)
	if !slices.Equal(procs, []int{11, 13, 10, 12}) || leader.id != 9 || leader.rank != 1 {
		t.Errorf("processes %v, leader %+v", procs, leader)
	}
}
