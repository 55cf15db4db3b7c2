package simtest

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
)

// across makes calls of collectives on communicators whose ranks follow each other on the nodes in
// other orders than those of the world: backwards, and at random. Lengths are of all orders of
// magnitude, so that rules of all algorithms are met.
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
	most := one(g, moderate, moderate, moderate, moderate, moderate, much)
	for _, i := range g.rng.Perm(len(collectives))[:6+g.rng.IntN(6)] {
		all = append(all, Item{Collective: g.sized(collectives[i], most)})
	}
	return all
}

// sized makes a call of an operation whose length lies at the border of a rule, if all ranks
// together then have not too much to do, or is of any order of magnitude.
func (g *generator) sized(op string, most int) *Collective {
	k := g.collective()
	k.Op = op
	n := g.comms[slices.IndexFunc(g.comms, func(c made) bool { return c.id == k.Comm })].size
	each := n // bytes that all have to do with for each of the length
	if strings.HasPrefix(op, "all") && op != "allreduce" {
		each *= n
	}
	lengths := []int{1 << g.rng.IntN(max(bits.Len(uint(min(most, moderate)/each)), 1))}
	if kind, known := operationOf(op); known {
		for _, border := range coll.Default().Borders(kind) {
			if border*each <= most {
				lengths = append(lengths, border, border)
			}
		}
	}
	elem := elementBytes[k.Elem]
	k.Count = max(one(g, lengths...)/elem+g.rng.IntN(3)-1, 0)
	return k
}

// How many bytes the ranks of a call have to do with in most jobs, and in some.
const (
	moderate = 1 << 20
	much     = 48 << 20
)
