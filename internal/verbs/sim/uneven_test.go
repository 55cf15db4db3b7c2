package sim

import (
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// unevenCluster is a cluster in which nodes have something of their own.
func unevenCluster(t *testing.T, profile string, each ...Node) (*clock.Scheduler, *Fabric) {
	t.Helper()
	p, err := LoadProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	s := clock.NewScheduler(0)
	f, err := New(s, Cluster{Nodes: len(each), Profile: p, Each: each})
	if err != nil {
		t.Fatal(err)
	}
	return s, f
}

// What is not said of a node is as the profile says, and so are nodes of which nothing is said.
func TestUnevenNodes(t *testing.T) {
	p, _ := LoadProfile("qsnet2")
	f, err := New(clock.NewScheduler(0), Cluster{Nodes: 3, Profile: p, Each: []Node{{Cores: 1, Rails: 3, Rates: []float64{1, 0.5}}, {Denies: true}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ cores, rails int }{{1, 3}, {4, 2}, {4, 2}} {
		n, err := f.Node(i)
		if err != nil || n.Cores != want.cores || n.Rails != want.rails || n.Denies != (i == 1) {
			t.Errorf("node %d: %+v, %v", i, n, err)
		}
		d, err := f.Open(i)
		if err != nil || len(d.Rails()) != want.rails || len(d.Prefixes()) != want.rails {
			t.Errorf("node %d: %v, %v", i, d.Rails(), err)
		}
	}
	d, _ := f.Open(0)
	if r := d.Rails(); r[1].Rate*2 != r[0].Rate || r[2].Rate != r[0].Rate {
		t.Errorf("rails %+v", r)
	}
	if _, err := f.Node(3); err == nil {
		t.Error("a node that there is not")
	}
	for _, each := range [][]Node{{{Cores: 1025}}, {{Cores: -1}}, {{Rails: 9}}, {{Rails: 1, Rates: []float64{1, 1}}}, {{Rates: []float64{0}}}, {{}, {}, {}, {}}} {
		if _, err := New(clock.NewScheduler(0), Cluster{Nodes: 3, Profile: p, Each: each}); err == nil {
			t.Errorf("made a cluster of %+v", each)
		}
	}
}

// A message is as slow as the slower of the rails at its ends.
func TestUnevenRates(t *testing.T) {
	s, f := unevenCluster(t, "ndr", Node{Rails: 2, Rates: []float64{1, 0.1}}, Node{Rails: 2}, Node{Rates: []float64{0.1}})
	took := func(from, to *side, rail int) int64 {
		on := func(c *verbs.QPConfig) { c.Rail = rail }
		qa, qb := from.qp(verbs.RC, on), to.qp(verbs.RC, on)
		connect(from, to, qa, qb)
		start := s.Now()
		write(from, to, qa, 1<<20)
		from.next()
		return s.Now() - start
	}
	s.Go("writes", func() {
		a, b, c := newSide(t, f, 0, 1<<20), newSide(t, f, 1, 1<<20), newSide(t, f, 2, 1<<20)
		fast := took(a, b, 0)
		for what, slow := range map[string]int64{"out of a slow rail": took(a, b, 1), "into a slow rail": took(b, c, 0), "into a slow rail of another": took(a, c, 0)} {
			if slow < 7*fast || slow > 11*fast {
				t.Errorf("%s: %d ns, over fast ones %d", what, slow, fast)
			}
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

// Places beyond the cores of a node take turns on these; places that have a core each do not.
func TestPlacesTakeTurns(t *testing.T) {
	for cores, most := range map[int]int64{1: 4, 2: 2, 3: 2, 4: 1} {
		s, f := unevenCluster(t, "ndr", Node{Cores: cores})
		var last int64
		for place := range 4 {
			h, err := f.Host(0, place)
			if err != nil {
				t.Fatal(err)
			}
			s.Go("work", func() {
				for range 10 {
					h.Spend(clock.Call, 100)
					s.Settle()
				}
				last = max(last, h.Now())
			})
		}
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		if alone := 10 * f.cost.work[clock.Call].get().of(100); last != most*alone {
			t.Errorf("%d cores: %d ns, one place alone takes %d", cores, last, alone)
		}
	}
}

// Where the kernel denies it, ranks reach what they have taken to share and nothing else, and who
// is alone is denied nothing.
func TestDenied(t *testing.T) {
	s, f := unevenCluster(t, "ndr", Node{Denies: true}, Node{})
	boxes, err := f.Shared(0, seats(s, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	own, common := make([]byte, 100), func() []byte { b, _ := boxes[0].Take(100); return b }()
	k := boxes[0].Place(common[10:20])
	if got := boxes[1].Map(0, k, 10); got == nil || &got[0] != &common[10] {
		t.Error("what they share is out of reach")
	}
	if boxes[1].Map(0, boxes[0].Place(own), 100) != nil || boxes[1].Read(0, boxes[0].Expose(1, own, false), make([]byte, 100), nil) {
		t.Error("what one has is in reach of another")
	}
	boxes[0].Give(common)
	if boxes[1].Map(0, boxes[0].Place(common), 100) != nil {
		t.Error("what was given back is still shared")
	}
	alone, _ := f.Shared(0, seats(s, 2))
	free, _ := f.Shared(1, seats(s, 3, 4))
	for i, x := range []*Shared{boxes[0], alone[0], free[0]} {
		if can, file, known := x.Votes(); can != (i > 0) || file || !known {
			t.Errorf("%d: votes %v, %v, %v", i, can, file, known)
		}
	}
}
