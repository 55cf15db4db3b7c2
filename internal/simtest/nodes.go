package simtest

import (
	"math/bits"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Nodes are the choices of whoever runs seeds: nodes that are all alike, or not. Without a choice
// half of the jobs have the one, half the other.
var Nodes = []string{"even", "uneven"}

// layouts are how ranks may lie on nodes: dealt out in turn, side by side, or so that each node has
// as many as all before it.
var layouts = []string{"", "blocks", "doubling"}

// nodeOf returns the node of a rank and its place there.
func (s *Shape) nodeOf(rank int) (node, core int) {
	if s.Spots != nil {
		node = s.Spots[rank]
		for _, other := range s.Spots[:rank] {
			if other == node {
				core++
			}
		}
		return node, core
	}
	switch s.Layout {
	case "blocks":
		each := (s.Ranks + s.Nodes - 1) / s.Nodes
		return rank / each, rank % each
	case "doubling":
		node = min(bits.Len(uint(rank)), s.Nodes-1)
		first := 1 << node >> 1
		return node, rank - first
	}
	return rank % s.Nodes, rank / s.Nodes
}

// numbered is the node of each rank, numbered in the order in which they first appear.
func (s *Shape) numbered() []int {
	nodes := make([]int, s.Ranks)
	for rank := range nodes {
		nodes[rank], _ = s.nodeOf(rank)
	}
	return inOrder(nodes)
}

// inOrder numbers nodes in the order in which they first appear.
func inOrder(nodes []int) []int {
	known, numbers := map[int]int{}, make([]int, len(nodes))
	for i, node := range nodes {
		if _, seen := known[node]; !seen {
			known[node] = len(known)
		}
		numbers[i] = known[node]
	}
	return numbers
}

// mostNodes is how many nodes a job has at most that are not alike.
const mostNodes = 12

// nodesOf has a job run on nodes that are not alike, unless the options or the seed want them even.
// Ranks are dealt out unevenly, some nodes may have none, and processors, rails, their rates and
// what the kernel denies are each node's own.
func (g *generator) nodesOf(s *Shape, o Options) {
	s.Spots, s.Each = nil, nil
	if even := g.chance(50); o.Nodes == "even" || o.Nodes == "" && even {
		return
	}
	s.Layout = ""
	s.Nodes = one(g, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, mostNodes)
	s.Spots = g.spots(s)
	cores, rails, denies := g.chance(75), g.chance(50), g.chance(50)
	for range s.Nodes {
		var n sim.Node
		if cores {
			n.Cores = 1 + g.up(7)
		}
		if rails {
			n.Rails = 1 + g.rng.IntN(3)
		}
		for range n.Rails {
			n.Rates = append(n.Rates, one(g, 1, 1, 0.5, 0.25, 0.1))
		}
		n.Denies = denies && g.chance(50)
		s.Each = append(s.Each, n)
		s.Rails = max(s.Rails, n.Rails)
	}
}

// spots deals out ranks to nodes: one to each, or some to each, side by side, in turn or at random,
// and in some jobs none to some.
func (g *generator) spots(s *Shape) []int {
	if s.Ranks <= mostNodes && g.chance(10) {
		s.Nodes = max(s.Nodes, s.Ranks)
		return g.rng.Perm(s.Nodes)[:s.Ranks]
	}
	open := g.rng.Perm(s.Nodes)
	if g.chance(25) {
		open = open[:1+g.rng.IntN(s.Nodes)]
	}
	spots, counts, skewed := make([]int, s.Ranks), make([]int, s.Nodes), g.chance(50)
	for i := range spots {
		spots[i] = open[g.rng.IntN(len(open))]
		if skewed {
			spots[i] = open[g.up(len(open)-1)]
		}
		counts[spots[i]]++
	}
	switch one(g, "side by side", "in turn", "at random") {
	case "side by side":
		slices.Sort(spots)
	case "in turn":
		spots = spots[:0]
		for len(spots) < s.Ranks {
			for node := range counts {
				if counts[node]--; counts[node] >= 0 {
					spots = append(spots, node)
				}
			}
		}
	}
	return spots
}

// denies tells whether some node's kernel keeps ranks from each other's memory.
func (s *Shape) denies() bool {
	return slices.ContainsFunc(s.Each, func(n sim.Node) bool { return n.Denies })
}

// counts is how many ranks each node has.
func (s *Shape) counts() []int {
	counts := make([]int, s.Nodes)
	for rank := range s.Ranks {
		node, _ := s.nodeOf(rank)
		counts[node]++
	}
	return counts
}

// order is how ranks follow each other on the nodes.
func (s *Shape) order() string {
	counts := s.counts()
	moves, rounds := 0, true
	for rank := 1; rank < s.Ranks; rank++ {
		node, core := s.nodeOf(rank)
		last, before := s.nodeOf(rank - 1)
		if node != last {
			moves++
		}
		rounds = rounds && core >= before
	}
	switch used := s.Nodes - times(counts, 0); {
	case used == 1:
		return "one node"
	case slices.Max(counts) == 1:
		return "one rank each"
	case moves == used-1:
		return "side by side"
	case rounds:
		return "in turn"
	}
	return "at random"
}

// times counts how often something is in a list.
func times[T comparable](list []T, what T) (n int) {
	for _, x := range list {
		if x == what {
			n++
		}
	}
	return n
}

// layout is what there is to say of where a job's ranks are: their order, and in what nodes with
// ranks differ.
func (j *job) layout() []string {
	s := &j.Shape
	told, counts := []string{s.order()}, s.counts()
	var crowded, denied []bool
	var ranks, rails []int
	var rates []float64
	for i, n := range counts {
		own, err := j.fabric.Node(i)
		if must(err); n == 0 {
			continue
		}
		crowded, denied = append(crowded, n > own.Cores), append(denied, own.Denies)
		ranks, rails, rates = append(ranks, n), append(rails, own.Rails), append(rates, own.Rates...)
	}
	for _, fact := range []struct {
		words string
		holds bool
	}{
		{"empty nodes", slices.Contains(counts, 0)}, {"more ranks on some", differ(ranks)}, {"crowded on some", differ(crowded)},
		{"crowded", !differ(crowded) && crowded[0]}, {"denied on some", differ(denied)}, {"more rails on some", differ(rails)}, {"slower rails on some", differ(rates)},
	} {
		if fact.holds {
			told = append(told, fact.words)
		}
	}
	return told
}

// differ tells whether not all of a list are alike.
func differ[T comparable](list []T) bool { return len(list) > 0 && times(list, list[0]) < len(list) }
