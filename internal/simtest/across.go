package simtest

import (
	"math/bits"
	"strings"
)

// across makes calls of collectives on communicators whose ranks follow each other on the nodes in other orders than those of the world:
// backwards, and at random. Lengths are of all orders of magnitude, so that rules of all algorithms are met.
func (g *generator) across() (all []Item) {
	n := g.c.Shape.Ranks
	back, shuffled := make([]int, n), g.rng.Perm(n)
	sides, sizes := make([]int, n), [2]int{}
	for i := range back {
		back[i] = n - 1 - i
		sides[i] = g.rng.IntN(2)
		sizes[sides[i]]++
	}
	id := g.nextID + 1
	all = []Item{
		{Make: &Make{ID: id, How: "split", Colors: make([]int, n), Keys: back}},
		{Make: &Make{ID: id + 1, How: "split", Colors: sides, Keys: shuffled}},
	}
	g.comms = append(g.comms, made{id, n})
	for side, size := range sizes {
		if size > 0 {
			g.comms = append(g.comms, made{id + 1 + side, size})
		}
	}
	for _, i := range g.rng.Perm(len(collectives))[:6+g.rng.IntN(6)] {
		all = append(all, Item{Collective: g.sized(collectives[i])})
	}
	return all
}

// sized makes a call of an operation whose length is of any order of magnitude, as long as all ranks together have not too much to do.
func (g *generator) sized(op string) *Collective {
	k := g.collective()
	k.Op = op
	n := 1
	for _, c := range g.comms {
		if c.id == k.Comm {
			n = c.size
		}
	}
	most := one(g, 1<<20, 1<<20, 8<<20) / n
	if strings.HasPrefix(op, "all") && op != "allreduce" { // every rank has something of every other
		most /= n
	}
	k.Count = (1 << g.rng.IntN(bits.Len(uint(most)))) / elementBytes[k.Elem]
	return k
}
