package boot

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// unevenCrew makes a job of ranks that are on these nodes.
func unevenCrew(t *testing.T, spots []int, each ...sim.Node) *Crew {
	t.Helper()
	profile, err := sim.LoadProfile("ndr")
	if err != nil {
		t.Fatal(err)
	}
	s := clock.NewScheduler(0)
	f, err := sim.New(s, sim.Cluster{Nodes: len(each), Profile: profile, Each: each})
	if err != nil {
		t.Fatal(err)
	}
	place := func(rank int) (node, core int) {
		for _, before := range spots[:rank] {
			if before == spots[rank] {
				core++
			}
		}
		return spots[rank], core
	}
	c, err := NewSimCrew(SimConfig{Scheduler: s, Fabric: f, Ranks: len(spots), Place: place})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Ranks know where all are, whichever nodes have none, and how many rails every node with ranks has.
func TestSimUnevenNodes(t *testing.T) {
	c := unevenCrew(t, []int{3, 1, 1, 3, 3, 4}, sim.Node{}, sim.Node{Rails: 3}, sim.Node{Rails: 1}, sim.Node{Rails: 2}, sim.Node{Rails: 4})
	want := []int{0, 1, 1, 0, 0, 2}
	for i, r := range c.Ranks {
		if nodes := r.Env.Facts.Among(everybody(len(want))).Nodes(); !slices.Equal(nodes, want) {
			t.Errorf("rank %d: nodes %v, want %v", i, nodes, want)
		}
		if n := r.Env.Facts.Rails(); n != 2 {
			t.Errorf("rank %d: %d rails, want the 2 that all have", i, n)
		}
	}
}

// What ranks know of the nodes together is what these have told: the most crowded one, and that one
// denies what others allow.
func TestSimFacts(t *testing.T) {
	c := unevenCrew(t, []int{0, 1, 0, 0, 2, 2}, sim.Node{Cores: 2}, sim.Node{Cores: 1}, sim.Node{Denies: true})
	for i, r := range c.Ranks {
		world, first := r.Env.Facts.Among(everybody(6)), r.Env.Facts.Among([]int{0, 1, 2})
		if ranks, cores := world.Crowd(); ranks != 3 || cores != 2 || world.Fetches() || !first.Fetches() {
			t.Errorf("rank %d: %d ranks on %d cores, fetches %v, without the last node %v", i, ranks, cores, world.Fetches(), first.Fetches())
		}
	}
}

// A link knows of its own node whether ranks outnumber processors there.
func TestSimCrowdedNode(t *testing.T) {
	c := unevenCrew(t, []int{0, 0, 0, 1}, sim.Node{Cores: 2}, sim.Node{Cores: 2})
	for i, crowded := range []bool{true, true, true, false} {
		if c.Ranks[i].place.crowded() != crowded {
			t.Errorf("rank %d: crowded %v", i, !crowded)
		}
	}
}
