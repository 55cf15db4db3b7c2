package coll

import (
	"fmt"
	"slices"
	"testing"
)

// The matrix: every algorithm of the table on every number of ranks up to 40,
// with every length, root and place, on machines that differ in how ranks lie
// on nodes and in the number of ports. A normal run draws cases, and a machine
// for each; with WEFT_SOAK every case runs on every machine, see soak_test.go.

// machine is what ranks run on.
type machine struct {
	name   string
	nodes  []int
	shares bool
	ports  int
}

func (m machine) String() string {
	return fmt.Sprintf("%s, shares %v, %d ports", m.name, m.shares, m.ports)
}

// layouts returns ways in which ranks may lie on nodes.
func layouts(ranks int) []machine {
	by := func(name string, node func(rank int) int) machine {
		m := machine{name: name, nodes: make([]int, ranks), shares: true}
		for rank := range m.nodes {
			m.nodes[rank] = node(rank)
		}
		return m
	}
	uneven := func(rank int) int { // nodes of 1, 3, 7, 1, 3, 7, ... ranks
		inside := rank % 11
		node := rank / 11 * 3
		switch {
		case inside >= 4:
			return node + 2
		case inside >= 1:
			return node + 1
		}
		return node
	}
	return []machine{
		{name: "unknown nodes"},
		by("one node", func(int) int { return 0 }),
		by("a node each", func(rank int) int { return rank }),
		by("2 per node", func(rank int) int { return rank / 2 }),
		by("4 per node", func(rank int) int { return rank / 4 }),
		by("1, 3, 7 per node", uneven),
		by("3 nodes in turn", func(rank int) int { return rank % 3 }),
	}
}

// machines returns every layout with every number of ports up to 4, and the
// most, where there is shared memory also without using it.
func machines(ranks int) (all []machine) {
	for _, m := range layouts(ranks) {
		for _, k := range []int{1, 2, 3, 4, MaxPorts} {
			m.ports = k
			all = append(all, m)
			if m.shares {
				alone := m
				alone.shares = false
				all = append(all, alone)
			}
		}
	}
	return all
}

// on returns the case on a machine.
func (c Case) on(m machine) Case {
	c.Nodes, c.Shares, c.Ports, c.Rails = m.nodes, m.shares, m.ports, m.ports
	return c
}

// lengths returns the bytes of cases. All but reductions also come in pieces
// that are no whole words.
func lengths(op Op, ranks int) []int {
	switch {
	case op == Barrier:
		return []int{0}
	case reduces(op):
		return []int{0, elemSize, 3 * elemSize, 257 * elemSize}
	case ranks > 17:
		return []int{0, 1, 3 * elemSize, 333}
	}
	return []int{0, 1, 3 * elemSize, 1021}
}

// variants returns the cases of one operation on some ranks that differ in
// length, root, place and commutativity.
func variants(op Op, ranks int) []Case {
	roots := []int{0}
	if (Case{Op: op}).rooted() && ranks > 1 {
		roots = slices.Compact([]int{0, ranks / 2, ranks - 1})
	}
	if op.Neighborly() {
		return betweenNeighbors(op, ranks)
	}
	var all []Case
	for _, n := range lengths(op, ranks) {
		for _, root := range roots {
			for _, inPlace := range []bool{false, true} {
				for _, commutes := range []bool{true, false} {
					if !commutes && !reduces(op) {
						continue
					}
					c := Case{Op: op, Ranks: ranks, Root: root, Bytes: n, InPlace: inPlace, Commutative: commutes, Segment: 256}
					if reduces(op) {
						c.Elem = elemSize
					}
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// uneven draws counts for the v forms: some zero, some long, none the same as all others.
func uneven(ranks int, l *lottery) counts {
	n := make(counts, ranks)
	for i := range n {
		n[i] = make([]int, ranks)
		for j := range n[i] {
			n[i][j] = max(0, l.pick(9)-2) * elemSize
			if l.pick(8) == 0 {
				n[i][j] *= 4 << 10 / ranks
			}
		}
	}
	return n
}

// draws returns how many cases of an algorithm are tried on a number of ranks:
// the more, the fewer ranks there are; with -short few.
func draws(ranks int, l *lottery) int {
	switch {
	case testing.Short() && ranks > 8:
		return 1 - min(ranks%14, 1) // on 14 and 28
	case testing.Short():
		return ranks % 2
	case ranks > 17:
		return 1 - min(l.pick(3), 1)
	case ranks > 9:
		return 2
	}
	return 7
}

// some returns n of the cases, drawn by lot.
func some[T any](all []T, n int, l *lottery) []T {
	if n >= len(all) {
		return all
	}
	rest := slices.Clone(all)
	for i := range n {
		j := i + l.pick(len(rest)-i)
		rest[i], rest[j] = rest[j], rest[i]
	}
	return rest[:n]
}

// trials runs cases of an algorithm on machines.
type trials struct {
	a     Algorithm
	order lottery
}

// irregular draws counts if the case is one of blocks of different lengths.
func irregular(c Case, l *lottery) counts {
	if c.regular() || c.Op == ReduceScatter && c.Bytes%8 == 0 {
		return nil
	}
	return uneven(c.Ranks, l)
}

// views returns what each rank knows of the case on a machine, with counts if they are given.
func views(c Case, m machine, n counts) []Case {
	if c = c.on(m); n != nil {
		c.Bytes = 0
	}
	return describe(c, n)
}

// run tries the case on a machine, with blocks of different lengths where the
// operation has such.
func (t *trials) run(c Case, m machine) error {
	if !t.a.Fits(c.on(m)) {
		return nil
	}
	cases := views(c, m, irregular(c, &t.order))
	t.order++
	if err := try(t.a, cases, uint64(t.order)); err != nil {
		return fmt.Errorf("on %s: %w", m, err)
	}
	return nil
}

// mostRanks is how many the matrix goes up to.
const mostRanks = 40

func TestEveryAlgorithmAgainstTheNaiveResult(t *testing.T) {
	share, soaks := soaking(t)
	for i, a := range table {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			if soaks {
				soakAlgorithm(t, a, share, i*mostRanks)
				return
			}
			tr := trials{a, lottery(len(a.Name))}
			for ranks := 1; ranks <= mostRanks; ranks++ {
				for _, c := range some(variants(a.Op, ranks), draws(ranks, &tr.order), &tr.order) {
					for _, m := range some(machines(ranks), 1, &tr.order) {
						if err := tr.run(c, m); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		})
	}
}
