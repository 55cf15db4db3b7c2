package simtest

import (
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
)

// Every algorithm comes to the right results whatever goes wrong meanwhile. weft sim test --algorithms all
// runs more seeds.
func TestEveryAlgorithmInBadWeather(t *testing.T) {
	seeds := uint64(1)
	if soaking() {
		seeds = 300
	}
	names, err := Algorithms([]string{"all"})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for i, name := range names {
		if testing.Short() && i%8 != 0 {
			continue // in virtual time one runs at a time, and the race detector, which short tests are for, finds nothing in most
		}
		tally := sweep(t, 1, seeds, Options{Programs: "collectives", Algorithm: name})
		if tally.Served == 0 {
			t.Errorf("%s served no call of %d seeds", name, seeds)
		}
		calls += tally.Served
	}
	t.Logf("%d algorithms served %d calls", len(names), calls)
}

// The job of a program of collectives is one that its algorithm fits, and what is said of who serves a call
// is so: without the rule others do.
func TestAlgorithmsServe(t *testing.T) {
	for _, name := range []string{"barrier/shm", "allgatherv/smp_direct", "reduce_scatter/smp_slices", "bcast/scatter_doubling", "alltoall/bruck"} {
		fits, served, others := 0, 0, 0
		for seed := range uint64(8) {
			c := New(seed+1, Options{Programs: "collectives", Algorithm: name, Faults: "none"})
			r := Run(c, nil)
			if r.Err != nil {
				t.Errorf("%s, seed %d: %v", name, c.Seed, r.Err)
			}
			served += r.Served
			if r.Served > 0 {
				fits++
			}
			c.Shape.set("COLL", "scan=chain")
			others += Run(c, nil).Served
		}
		if fits < 6 || others >= served {
			t.Errorf("%s serves calls of %d of 8 seeds, %d in all, %d with another rule", name, fits, served, others)
		}
	}
}

func TestAlgorithmNames(t *testing.T) {
	got, err := Algorithms([]string{"scan", "scan/chain", "bcast/flat@3"})
	if err != nil || strings.Join(got, " ") != "scan/doubling scan/chain scan/shm scan/smp bcast/flat@3" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Algorithms([]string{"bcast/waltz"}); err == nil {
		t.Error("bcast/waltz is none")
	}
	all, err := Algorithms([]string{"all"})
	most := 0
	for _, op := range coll.Ops() {
		most += len(coll.Algorithms(op))
	}
	if err != nil || len(all) != most {
		t.Errorf("%d names of %d algorithms, %v", len(all), most, err)
	}
}

// Uneven nodes are of all kinds, each rank has a place of its own, and the words for them are true.
func TestUnevenNodes(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		s := New(seed, Options{Nodes: "uneven", Faults: "none"}).Shape
		if len(s.Spots) != s.Ranks || len(s.Each) != s.Nodes || s.Nodes > mostNodes {
			t.Fatalf("seed %d: %+v", seed, s)
		}
		seen[s.order()]++
		if s.denies() {
			seen["denied"]++
		}
		if times(s.counts(), 0) > 0 {
			seen["empty"]++
		}
	}
	for _, what := range []string{"one node", "one rank each", "side by side", "in turn", "at random", "denied", "empty"} {
		if seen[what] < 20 {
			t.Errorf("%s: %d of 400 jobs", what, seen[what])
		}
	}
	for want, spots := range map[string][]int{"one node": {1, 1}, "one rank each": {2, 0, 1}, "side by side": {2, 2, 0, 1, 1}, "in turn": {0, 1, 2, 0, 2, 2}, "at random": {0, 0, 1, 0}} {
		s := Shape{Ranks: len(spots), Nodes: 3, Spots: spots}
		if got := s.order(); got != want {
			t.Errorf("%v: %s, want %s", spots, got, want)
		}
	}
	for _, bad := range []string{`"Spots":[0]`, `"Spots":[0,2]`, `"Spots":[0,-1]`} {
		if _, err := parse([]byte(`{"Shape":{"Ranks":2,"Nodes":2,"Rails":1,` + bad + `}}`)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// Layouts put every rank on a node of the job, and cases of unknown ones are refused.
func TestLayouts(t *testing.T) {
	for _, layout := range layouts {
		for ranks := 1; ranks <= 17; ranks++ {
			for nodes := 1; nodes <= min(ranks, 6); nodes++ {
				s := Shape{Ranks: ranks, Nodes: nodes, Layout: layout}
				taken := map[[2]int]bool{}
				for r := range ranks {
					node, core := s.nodeOf(r)
					if node < 0 || node >= nodes || core < 0 || taken[[2]int{node, core}] {
						t.Errorf("layout %q: rank %d of %d is on node %d of %d, core %d", layout, r, ranks, node, nodes, core)
					}
					taken[[2]int{node, core}] = true
				}
			}
		}
	}
	if _, err := parse([]byte(`{"Shape":{"Ranks":2,"Nodes":1,"Rails":1,"Layout":"waltz"}}`)); err == nil {
		t.Error("a layout that is none was taken")
	}
}
