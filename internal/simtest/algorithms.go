package simtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
)

// Programs of collectives put one algorithm after the other through what a seed brings: the rule that names
// it stands before the built-in ones, and most calls of the program are its operation's.

// Algorithms returns the names of the algorithms that words name: all, an operation, or an algorithm,
// perhaps with a number of ports (allgather/bruck@2).
func Algorithms(words []string) (names []string, err error) {
	for _, word := range words {
		own, err := algorithmsOf(word)
		if err != nil {
			return nil, err
		}
		for _, name := range own {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

func algorithmsOf(word string) (names []string, err error) {
	ops := coll.Ops()
	if op, isOp := coll.ParseOp(word); isOp {
		ops = []coll.Op{op}
	} else if word != "all" {
		if _, known := coll.Find(word); !known {
			return nil, fmt.Errorf("there is no algorithm %q: write all, an operation such as allgather, or a name such as allgather/ring", word)
		}
		return []string{word}, nil
	}
	for _, op := range ops {
		for _, a := range coll.Algorithms(op) {
			names = append(names, a.Name)
		}
	}
	return names, nil
}

// most ranks of a program of collectives.
const mostCalling = 40

// collectives makes a job in which an algorithm serves most calls, and its program. The seed chooses the
// algorithm unless the options name it, and the number of ports unless the name does.
func (g *generator) collectives(o Options) []Item {
	name := o.Algorithm
	if name == "" {
		all, _ := algorithmsOf("all")
		name = one(g, all...)
	}
	if ports := one(g, 0, 0, 1, 2, 3, 4, coll.MaxPorts); ports > 0 && !strings.Contains(name, "@") {
		name = fmt.Sprintf("%s@%d", name, ports)
	}
	a, known := coll.Find(name)
	if !known {
		return nil // whoever takes names from outside asks Algorithms
	}
	g.settle(a, o)
	op, way, _ := strings.Cut(name, "/")
	g.c.Shape.set("COLL", op+"="+way)
	g.c.Shape.Settings = append(g.c.Shape.Settings, o.Settings...) // these have the last word
	g.comms = []made{{0, g.c.Shape.Ranks}}
	g.c.Faults = g.faults(o)
	var all []Item
	if g.nearest != nil {
		all = append(all, Item{Make: g.nearest})
	}
	for range 4 + g.rng.IntN(12) {
		all = append(all, g.calling(op))
	}
	return all
}

// settle places ranks so that the algorithm fits, if a few attempts find such a place.
func (g *generator) settle(a coll.Algorithm, o Options) {
	s, nodes := &g.c.Shape, aside(g.c.Seed, 7)
	for range 12 {
		if s.Ranks = 2 + g.up(mostCalling-2); o.Ranks > 0 {
			s.Ranks = o.Ranks
		}
		s.Nodes = 1 + g.rng.IntN(min(6, s.Ranks))
		s.Layout = one(g, layouts...)
		links := one(g, "auto", "auto", "rail")
		nodes.nodesOf(s, o)
		c := coll.Case{Op: a.Op, Ranks: s.Ranks, Bytes: 64, Elem: 8, Commutative: true, Nodes: s.numbered(), Shares: links == "auto", Fetches: links == "auto" && !s.denies()}
		if a.Op.Neighborly() {
			g.comms = []made{{0, s.Ranks}}
			m := g.makeNear(g.comms[0], one(g, "graph", "grid", "hood", "hood"))
			g.nearest, c.Graph = m, m.graph(s.Ranks)
			if a.Op.Private() {
				c.SendCounts, c.RecvCounts = make([]int, len(c.Graph.Out(0))), make([]int, len(c.Graph.In(0)))
			}
		}
		if a.Op == coll.Allgatherv || a.Op == coll.ReduceScatter {
			c.RecvCounts = slices.Repeat([]int{64}, s.Ranks)
		}
		if a.Fits(c) {
			s.set("LINKS", links)
			return
		}
	}
}

// calling makes the next item of a program of collectives: mostly a call of the operation.
func (g *generator) calling(op string) Item {
	switch n := g.rng.IntN(100); {
	case n < 8 && len(g.comms) < 4:
		if m := g.make(); m != nil {
			return Item{Make: m}
		}
	case n < 14:
		return Item{Compute: &Compute{Rank: g.rng.IntN(g.c.Shape.Ranks), Nanos: int64(g.up(300_000))}}
	case n < 20:
		return Item{Message: g.message()}
	case n < 26:
		return Item{Collective: g.collective()}
	}
	if g.nearest != nil {
		return Item{Collective: g.betweenNeighbors(g.nearest.ID, strings.ReplaceAll(op, "_", ""))}
	}
	k := g.collective()
	switch k.Op = op; op {
	case "reduce_scatter":
		k.Op = one(g, "reducescatter", "reducescatterv")
	case "alltoall", "alltoallv":
		k.Count /= 4 // a rank has as many for every other
	}
	return Item{Collective: k}
}

// served counts the calls of a job's program that the named algorithm serves, by the rules of the job.
func (j *job) served() (calls int) {
	rule := j.Shape.value("WEFT_COLL")
	op, way, named := strings.Cut(rule, "=")
	if !named {
		return 0
	}
	seen := map[*collecting]bool{}
	for _, script := range j.program.scripts {
		for _, s := range script {
			if k := s.coll; k != nil && !seen[k] {
				seen[k] = true
				if c, ok := j.caseOf(k); ok {
					if a, _ := j.crew.Ranks[0].Env.Select.Choose(c); a.Name == op+"/"+way {
						calls++
					}
				}
			}
		}
	}
	return calls
}

// elementBytes are the lengths of elements.
var elementBytes = map[string]int{"int64": 8, "uint8": 1, "float64": 8, "affine": 8, "loc": 16, "float16": 2, "bfloat16": 2}

// operationOf is the operation that a call of a program is of.
func operationOf(call string) (coll.Op, bool) {
	name := strings.NewReplacer("reducescatter", "reduce_scatter", "neighbor", "neighbor_").Replace(strings.TrimSuffix(call, "v"))
	if strings.HasSuffix(call, "v") && name != "reduce_scatter" {
		name += "v"
	}
	return coll.ParseOp(name)
}

// caseOf is a call as the selector sees it at rank 0 of its communicator.
func (j *job) caseOf(k *collecting) (c coll.Case, ok bool) {
	env, n := j.crew.Ranks[0].Env, len(k.comm.members)
	op, known := operationOf(k.Op)
	if !known || n < 2 || k.comm.first > 0 {
		return c, false
	}
	elem := elementBytes[k.Elem]
	c = coll.Case{Op: op, Ranks: n, Root: k.Root, Bytes: k.Count * elem, Elem: elem, Commutative: k.Elem != "affine", InPlace: k.InPlace}
	env.Lay(&c, k.comm.members)
	if op.Neighborly() {
		c.Graph = k.comm.made.graph(n)
		if c.Graph.Secluded() {
			return c, false
		}
	}
	if k.Op == "allgatherv" || k.Op == "reducescatterv" {
		p := &part[byte]{collecting: k, n: n}
		c.RecvCounts, _ = p.counts(0, n, func(r int) int { return elem * p.count(r) })
	}
	return c, true
}
