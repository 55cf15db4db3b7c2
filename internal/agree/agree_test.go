package agree

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHostTwins: what Append wrote Parse reads, whatever the name.
func TestHostTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 50
		h := Host{
			Name: clean(rapid.String().Draw(t, "name")), CPUs: rapid.IntRange(0, 1<<20).Draw(t, "cpus"), Rails: rapid.IntRange(0, 8).Draw(t, "rails"),
			Fetches: rapid.Bool().Draw(t, "fetches"), Room: rapid.IntRange(0, 1<<44).Draw(t, "room"),
		}
		for rank := range size {
			if rapid.Bool().Draw(t, "here") {
				h.Ranks = append(h.Ranks, rank)
			}
		}
		got, err := Parse(string(h.Append(nil)), size)
		if err != nil || !reflect.DeepEqual(got, h) {
			t.Fatalf("told %+v, heard %+v, %v", h, got, err)
		}
	})
}

// FuzzParse: what a host tells is facts or an error.
func FuzzParse(f *testing.F) {
	f.Add("4:2:1:1048576:0-3:h0", 4)
	f.Add("1:1:0:0:1-7+2:h:1", 8)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = min(max(size, 1), 1000)
		h, err := Parse(text, size)
		if err != nil {
			if !errors.Is(err, ErrTold) {
				t.Fatal(err)
			}
			return
		}
		if facts, err := On(size, []Host{h}, Terms{}); err == nil {
			facts.Among(h.Ranks)
		}
	})
}

// TestAmong: the facts of some ranks speak of the hosts that they are on.
func TestAmong(t *testing.T) {
	hosts := []Host{
		{Name: "big", Ranks: []int{0, 1, 2}, CPUs: 64, Fetches: true},
		{Name: "small", Ranks: []int{3}, CPUs: 1},
		{Name: "crowded", Ranks: []int{4, 5}, CPUs: 1, Fetches: true, Rails: 3},
		{Name: "denied", Ranks: []int{6, 7}, CPUs: 4, Rails: 2},
		{Name: "unknown", Ranks: []int{8}},
	}
	f, err := On(9, hosts, Terms{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ranks       []int
		nodes       []int
		local, cpus int
		fetches     bool
	}{
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{0, 0, 0, 1, 2, 2, 3, 3, 4}, 2, 1, false},
		{[]int{5, 3, 2, 0}, []int{0, 1, 2, 2}, 2, 1, true},
		{[]int{3, 2, 6}, []int{0, 1, 2}, 1, 1, true}, // nobody of them shares a node
		{[]int{7, 6}, []int{0, 0}, 2, 4, false},
		{[]int{8}, []int{0}, 1, 0, true},
		{[]int{8, 1}, []int{0, 1}, 3, 64, true},
	} {
		s := f.Among(c.ranks)
		if local, cpus := s.Crowd(); !reflect.DeepEqual(s.Nodes(), c.nodes) || local != c.local || cpus != c.cpus || s.Fetches() != c.fetches {
			t.Errorf("ranks %v: nodes %v, %d on %d, %v; want %+v", c.ranks, s.Nodes(), local, cpus, s.Fetches(), c)
		}
	}
	if f.Rails() != 1 {
		t.Errorf("%d rails, though some hosts have one", f.Rails())
	}
}

// TestOn: hosts that tell of the same rank, or of no host for one, cannot be right.
func TestOn(t *testing.T) {
	for _, hosts := range [][]Host{{{Ranks: []int{0, 1}}, {Ranks: []int{1}}}, {{Ranks: []int{0}}}, {{Ranks: []int{0, 1, 2}}}} {
		if _, err := On(2, hosts, Terms{}); !errors.Is(err, ErrTold) {
			t.Errorf("%v: %v", hosts, err)
		}
	}
}

// TestCompare: sheets are the same if all entries are, and differences are told with both sides.
func TestCompare(t *testing.T) {
	sheet := func(who string, values ...string) Sheet {
		s := Sheet{Who: who}
		for i, name := range []string{"A", "B", "C"} {
			s.Entries = append(s.Entries, Entry{name, values[i]})
		}
		return s
	}
	long := strings.Repeat("rule,", 1000)
	first := sheet("rank 0", "1", "", long)
	for _, c := range []struct {
		s    Sheet
		want string
	}{
		{sheet("rank 1", "1", "x", long), ""},
		{sheet("rank 1", "", "", long), ""},
		{sheet("rank 1", "2", "", long), "A is 2 on rank 1 and 1 on rank 0"},
		{sheet("rank 1", "1", "", long+"x"), "C is rule,"},
	} {
		err := c.s.Compare(first.Text())
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrDiffer) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.40v: %v, want %q", c.s, err, c.want)
		}
	}
	if err := sheet("rank 1", "1", "2", "3").Compare("no sheet!"); !errors.Is(err, ErrTold) {
		t.Error(err)
	}
}
