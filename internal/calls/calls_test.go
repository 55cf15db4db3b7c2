package calls

import (
	"encoding/json"
	"flag"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

var rewrite = flag.Bool("rewrite", false, "write what is found to the files that it is compared with")

// clock is a time that only moves when it is told to.
type clock struct{ ns int64 }

func (c *clock) now() int64 { return c.ns }

// library takes what is called by this name for the library's.
func library(function string) bool { return strings.HasSuffix(function, ".entry") }

// entry stands for a call of the library, two frames above Recorder.End.
//
//go:noinline
func entry(r *Recorder, c *clock, name string, peer, bytes int, took int64) {
	within(r, c, name, peer, bytes, took)
}

//go:noinline
func within(r *Recorder, c *clock, name string, peer, bytes int, took int64) {
	defer r.End(r.Begin(name, peer, bytes))
	c.ns += took
}

// TestTally holds what is counted against a plain list of calls.
func TestTally(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := new(clock)
		r := Start(c.now)
		type made struct {
			name        string
			peer, bytes int
			took        int64
		}
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) made {
			return made{rapid.SampledFrom([]string{"send", "recv"}).Draw(t, "name"), rapid.IntRange(Nobody, 2).Draw(t, "peer"),
				rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, 1<<40)).Draw(t, "bytes"), rapid.Int64Range(0, 1000).Draw(t, "took")}
		}), 1, 40).Draw(t, "calls")
		want, peers, inside := map[string]Line{}, map[int]Peer{}, int64(0)
		for i, m := range list {
			entry(r, c, m.name, m.peer, m.bytes, m.took)
			l, seen := want[m.name]
			if !seen {
				l.Shortest = m.took
			}
			l.Count, l.Time, l.Bytes = l.Count+1, l.Time+m.took, l.Bytes+int64(m.bytes)
			l.Longest, l.Shortest, l.Peak = max(l.Longest, m.took), min(l.Shortest, m.took), max(l.Peak, int64(m.bytes))
			want[m.name] = l
			if m.peer != Nobody {
				p := peers[m.peer]
				peers[m.peer] = Peer{m.peer, p.Messages + 1, p.Bytes + int64(m.bytes)}
			}
			inside += m.took
			c.ns += int64(i) // the program computes
		}
		page := r.Page(3, Received{5, 7}, library)
		if page.Rank != 3 || page.Inside != inside || page.Time != c.ns || page.Received != (Received{5, 7}) || len(page.Lines) != len(want) || len(page.Peers) != len(peers) {
			t.Fatalf("page %+v, want %d lines, %d peers, %d inside of %d", page, len(want), len(peers), inside, c.ns)
		}
		for _, l := range page.Lines {
			w := want[l.Call]
			if l.Count != w.Count || l.Time != w.Time || l.Bytes != w.Bytes || l.Longest != w.Longest || l.Shortest != w.Shortest || l.Peak != w.Peak {
				t.Errorf("%+v, want %+v", l, w)
			}
			if !strings.HasPrefix(l.Place, "calls/calls_test.go:") {
				t.Errorf("%s came from %q", l.Call, l.Place)
			}
			for i, n := range l.Sizes {
				for _, m := range list {
					if m.name == l.Call && bits.Len(uint(m.bytes)) == i {
						n--
					}
				}
				if n != 0 {
					t.Errorf("%s: class %d (%s) has %d calls too many", l.Call, i, sizeClass(i), n)
				}
			}
		}
		for _, p := range page.Peers {
			if p != peers[p.Rank] {
				t.Errorf("peer %+v, want %+v", p, peers[p.Rank])
			}
		}
	})
}

// TestPlaces: calls are told apart by where the function that calls the library was called.
func TestPlaces(t *testing.T) {
	c := new(clock)
	r := Start(c.now)
	wrapper := func() { entry(r, c, "send", 1, 8, 10) }
	wrapper()
	wrapper()
	for range 3 {
		wrapper()
	}
	var counts []int64
	for _, l := range r.Page(0, Received{}, library).Lines {
		if counts = append(counts, l.Count); strings.Count(l.Place, "calls/calls_test.go:") != 2 || strings.Count(l.Place, " < ") != 1 {
			t.Errorf("place %q", l.Place)
		}
	}
	if !slices.Equal(counts, []int64{3, 1, 1}) {
		t.Errorf("calls by place: %d, want 3, 1, 1", counts)
	}
}

// TestAtOnce: goroutines may call at the same time.
func TestAtOnce(t *testing.T) {
	r := Start(func() int64 { return 0 })
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				r.End(r.Begin("send", 0, 1))
			}
		})
	}
	all.Wait()
	if p := r.Page(0, Received{}, library); p.Peers[0] != (Peer{0, 800, 800}) {
		t.Errorf("%+v", p)
	}
}

// report is one of two ranks, one of which waits for the other.
func report() *Report {
	return &Report{Program: "heat", Ranks: []Page{
		{Rank: 0, Time: 2e9, Inside: 15e8, Peers: []Peer{{1, 3, 1040}}, Received: Received{2, 6}, Lines: []Line{
			{Call: "wait", Place: "heat/main.go:98", Count: 4, Time: 15e8, Longest: 1e9, Shortest: 1},
			{Call: "isend", Place: "heat/main.go:96", Count: 3, Time: 900, Longest: 400, Shortest: 100, Bytes: 1040, Peak: 1024, Sizes: []int64{0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1}}}},
		{Rank: 1, Time: 2e9, Inside: 0, Lines: nil},
	}}
}

// TestText holds the report for people against a file.
func TestText(t *testing.T) {
	for name, r := range map[string]*Report{"heat.txt": report(), "nothing.txt": {Program: "idle", Ranks: []Page{{}}}} {
		b := new(strings.Builder)
		if err := r.Text(b, 10); err != nil {
			t.Fatal(err)
		}
		path := "testdata/" + name
		if *rewrite {
			if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, b, want)
		}
	}
}

// TestTop: places beyond the limit are left out, and the report says so.
func TestTop(t *testing.T) {
	b := new(strings.Builder)
	if err := report().Text(b, 1); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "The 1 of 2 places") || strings.Contains(b.String(), "main.go:96") {
		t.Error(b)
	}
}

// TestManyRanks: of many ranks those at both ends are told of.
func TestManyRanks(t *testing.T) {
	r := new(Report)
	for i := range 100 {
		r.Ranks = append(r.Ranks, Page{Rank: i, Time: 1e9, Inside: int64((i*37 + 11) % 100 * 1e6)})
	}
	some, choice := r.told()
	var inside []int64
	for _, p := range some {
		inside = append(inside, p.Inside/1e6)
	}
	if want := []int64{0, 1, 2, 3, 4, 5, 6, 7, 92, 93, 94, 95, 96, 97, 98, 99}; !slices.Equal(inside, want) || !strings.Contains(choice, "of 100") {
		t.Errorf("%v, %q; want %v", inside, choice, want)
	}
	if some, choice := (&Report{Ranks: r.Ranks[:32]}).told(); len(some) != 32 || choice != "" {
		t.Errorf("%d of 32, %q", len(some), choice)
	}
}

// TestJSON: what is written can be read.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(report())
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil || len(back.Ranks) != 2 || back.Ranks[0].Lines[1].Sizes[11] != 1 {
		t.Errorf("%+v, %v", back, err)
	}
}
