package topo

import "slices"

// Load is how much goes between places: by place, to each other one that it has to do with, both ways
// together.
type Load []map[int]int

// NewLoad is that of a number of places between which nothing goes.
func NewLoad(places int) Load {
	l := make(Load, places)
	for p := range l {
		l[p] = map[int]int{}
	}
	return l
}

// Add notes that so much goes from one place to another.
func (l Load) Add(from, to, weight int) {
	if from != to {
		l[from][to] += weight
		l[to][from] += weight
	}
}

// Arrange puts processes on the places so that little goes over the network: it returns the process of each
// place. node tells where each process is, as numbers below the number of nodes. If nothing is better than
// their order, they stay in it.
func (l Load) Arrange(node []int) []int {
	best := make([]int, len(l))
	for i := range best {
		best[i] = i
	}
	members := byNode(node[:len(l)])
	if len(members) == 1 {
		return best
	}
	least := l.Cut(best, node)
	stay := make([]int, len(l)) // the node of each place, in the order of their first processes
	for i, m := range members {
		for _, process := range m {
			stay[process] = i
		}
	}
	for _, part := range [][]int{stay, l.grown(members)} {
		l.refine(part, len(members))
		order := ordered(part, members)
		if cut := l.Cut(order, node); cut < least {
			best, least = order, cut
		}
	}
	return best
}

// refined is an order of processes after exchanges between nodes that gain something.
func (l Load) refined(order []int, members [][]int, node []int) []int {
	at := map[int]int{} // by the number of a node: which of members
	for i, m := range members {
		at[node[m[0]]] = i
	}
	part := make([]int, len(order))
	for place, process := range order {
		part[place] = at[node[process]]
	}
	l.refine(part, len(members))
	return ordered(part, members)
}

// Cut is how much goes between nodes, if order is the process of each place.
func (l Load) Cut(order, node []int) (sum int) {
	for p, to := range l {
		for q, weight := range to {
			if p < q && node[order[p]] != node[order[q]] {
				sum += weight
			}
		}
	}
	return sum
}

// ordered gives the places of each part the processes of its node, in their order.
func ordered(part []int, members [][]int) []int {
	order, next := make([]int, len(part)), make([]int, len(members))
	for place, i := range part {
		order[place] = members[i][next[i]]
		next[i]++
	}
	return order
}

// grown fills one node after the other, each with the places that have most to do with those in it already
// and, of these, least with others. It begins where there is least to do with places that are not in yet.
func (l Load) grown(members [][]int) []int {
	part := slices.Repeat([]int{-1}, len(l))
	outside := make([]int, len(l)) // what goes to places that are in no node yet
	for p, to := range l {
		for _, weight := range to {
			outside[p] += weight
		}
	}
	for i, m := range members {
		inside := make([]int, len(l)) // what goes to places of this node
		for range m {
			next := -1
			for p := range part {
				if part[p] < 0 && (next < 0 || inside[p] > inside[next] || inside[p] == inside[next] && outside[p] < outside[next]) {
					next = p
				}
			}
			part[next] = i
			for q, weight := range l[next] {
				inside[q] += weight
				outside[q] -= weight
			}
		}
	}
	return part
}

// refinements is how often refine goes through all places at most.
const refinements = 8

// refine exchanges places between nodes as long as less goes over the network after it: each place with the
// best of the nodes that it has something to do with.
func (l Load) refine(part []int, nodes int) {
	to := make([][]int, len(l)) // by place and node: what goes there
	for p := range l {
		to[p] = make([]int, nodes)
		for q, weight := range l[p] {
			to[p][part[q]] += weight
		}
	}
	for range refinements {
		moved := false
		for p := range l {
			if q := l.partner(p, part, to); q >= 0 {
				l.exchange(p, q, part, to)
				moved = true
			}
		}
		if !moved {
			return
		}
	}
}

// partner is the place whose exchange with p gains most; -1 if nothing is gained.
func (l Load) partner(p int, part []int, to [][]int) int {
	best, gain := -1, 0
	for q := range l {
		a, b := part[p], part[q]
		if a == b || to[p][b] == 0 {
			continue
		}
		if g := to[p][b] - to[p][a] + to[q][a] - to[q][b] - 2*l[p][q]; g > gain {
			best, gain = q, g
		}
	}
	return best
}

// exchange has two places change nodes.
func (l Load) exchange(p, q int, part []int, to [][]int) {
	a, b := part[p], part[q]
	for r, weight := range l[p] {
		to[r][a] -= weight
		to[r][b] += weight
	}
	for r, weight := range l[q] {
		to[r][b] -= weight
		to[r][a] += weight
	}
	part[p], part[q] = b, a
}
