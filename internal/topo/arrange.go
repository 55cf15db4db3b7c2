package topo

import (
	"slices"
)

// Arrange puts processes on the grid's places, as many as there are, so that neighbours are on one node
// where that can be had: it returns the process of each place. node tells where each process is, as
// numbers below the number of nodes. If nothing is better than their order, they stay in it.
func (g Grid) Arrange(node []int) []int {
	n := g.Len()
	best := make([]int, n)
	for i := range best {
		best[i] = i
	}
	members := byNode(node[:n])
	least := g.Cut(best, node)
	bricks := g.bricks(members)
	for _, walk := range [][]int{bricks, g.halved()} {
		if walk == nil {
			continue
		}
		order := make([]int, n)
		for i, process := range slices.Concat(members...) {
			order[walk[i]] = process
		}
		if cut := g.Cut(order, node); cut < least {
			best, least = order, cut
		}
	}
	if bricks == nil && n <= refinable && least > 0 {
		l := g.load()
		for _, order := range [][]int{l.refined(best, members, node), l.Arrange(node)} {
			if cut := g.Cut(order, node); cut < least {
				best, least = order, cut
			}
		}
	}
	return best
}

// refinable is how many places the grids have that are also arranged as any graph is, where bricks do not fit. In
// larger ones that would take longer than it is worth.
const refinable = 256

// load is one that goes between any two neighbours.
func (g Grid) load() Load {
	l := NewLoad(g.Len())
	for place := range l {
		for d := range g.Sizes {
			if _, to := g.Shift(place, d, 1); to != Nowhere {
				l.Add(place, to, 1)
			}
		}
	}
	return l
}

// Cut counts the pairs of neighbours that are on different nodes: what has to go over the network if
// everybody sends to its neighbours. order is the process of each place.
func (g Grid) Cut(order, node []int) (pairs int) {
	for place := range order {
		for d := range g.Sizes {
			if _, to := g.Shift(place, d, 1); to != Nowhere && node[order[place]] != node[order[to]] {
				pairs++
			}
		}
	}
	return pairs
}

// byNode lists the processes of each node, the nodes in the order of their first.
func byNode(node []int) (members [][]int) {
	at := map[int]int{}
	for process, number := range node {
		i, seen := at[number]
		if !seen {
			i = len(members)
			at[number] = i
			members = append(members, nil)
		}
		members[i] = append(members[i], process)
	}
	return members
}

// bricks walks through the grid brick by brick, each as large as a node, with the least surface. It is nil
// where nodes differ in size, or bricks of their size do not fill the grid.
func (g Grid) bricks(members [][]int) []int {
	size := len(members[0])
	for _, m := range members {
		if len(m) != size {
			return nil
		}
	}
	shape := g.brick(size, len(g.Sizes)-1)
	if shape == nil {
		return nil
	}
	outer := Grid{Periodic: make([]bool, len(shape))}
	for d, n := range shape {
		outer.Sizes = append(outer.Sizes, g.Sizes[d]/n)
	}
	inner := Grid{Sizes: shape, Periodic: outer.Periodic}
	walk := make([]int, 0, g.Len())
	for b := range outer.Len() {
		corner := outer.Coords(b)
		for i := range inner.Len() {
			at := inner.Coords(i)
			for d := range at {
				at[d] += corner[d] * shape[d]
			}
			walk = append(walk, g.Place(at))
		}
	}
	return walk
}

// brick is the shape of that many places in the dimensions up to last which divides the grid and has the
// least surface; nil if there is none.
func (g Grid) brick(size, last int) (best []int) {
	if last < 0 {
		if size == 1 {
			return []int{}
		}
		return nil
	}
	for _, n := range divisors(size) {
		if g.Sizes[last]%n != 0 {
			continue
		}
		if rest := g.brick(size/n, last-1); rest != nil {
			shape := append(slices.Clone(rest), n)
			if best == nil || g.surface(shape) < g.surface(best) {
				best = shape
			}
		}
	}
	return best
}

// surface is how many neighbours of a brick's places are outside, in the dimensions that it has.
func (g Grid) surface(shape []int) (sum int) {
	all := 1
	for _, n := range shape {
		all *= n
	}
	for d, n := range shape {
		if n < g.Sizes[d] {
			sum += all / n
		}
	}
	return sum
}

// halved walks through the grid half by half: places that are near each other in the walk are near in
// the grid, whatever the sizes of nodes are.
func (g Grid) halved() []int {
	low, high := make([]int, len(g.Sizes)), slices.Clone(g.Sizes)
	return g.half(low, high, make([]int, 0, g.Len()))
}

func (g Grid) half(low, high, walk []int) []int {
	longest := 0
	for d := range low {
		if high[d]-low[d] > high[longest]-low[longest] {
			longest = d
		}
	}
	if len(low) == 0 || high[longest]-low[longest] == 1 {
		return append(walk, g.Place(low))
	}
	middle := (low[longest] + high[longest]) / 2
	end, begin := slices.Clone(high), slices.Clone(low)
	end[longest], begin[longest] = middle, middle
	return g.half(begin, high, g.half(low, end, walk))
}
