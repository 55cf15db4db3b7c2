package coll

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/plan"
)

// Cost is what an algorithm takes, as the model says.
type Cost struct {
	Algorithm Algorithm
	Nanos     float64
}

// Kind is what cases have in common whose algorithms cost the same: the operation, the order of
// magnitude of its bytes, and where the ranks are.
type Kind struct {
	op                                       Op
	size                                     int8
	commutative, shares, fetches, noSlips    bool
	ranks, local, cores, rails, ports, limit int
	scheme                                   plan.Way
	nodes                                    string
	graph                                    uint64 // of neighbours
}

// Kind returns the kind of a case: the same on all ranks of a call.
func (c Case) Kind() Kind {
	k := Kind{c.Op, magnitude(c.Size()), c.Commutative, c.Shares, c.Fetches, c.NoSlips,
		c.Ranks, c.Local, c.Cores, c.Rails, c.Ports, c.Stripe, c.Scheme, c.places(), 0}
	if c.Op.Neighborly() {
		k.graph = c.Graph.Digest()
	}
	return k
}

// magnitude is the power of two that is nearest to n, as its exponent and 1; 0 for nothing.
func magnitude(n int) int8 {
	m := bits.Len(uint(n))
	if m > 0 && n > int(math.Sqrt2*float64(int(1)<<(m-1))) {
		m++
	}
	return int8(m)
}

// bytesOf is the length that stands for a magnitude.
func bytesOf(magnitude int8) int { return 1 << magnitude >> 1 }

// places tells where the ranks are, shortly.
func (c Case) places() string {
	var b []byte
	for i := 0; i < len(c.Nodes); {
		first := i
		for i++; i < len(c.Nodes) && c.Nodes[i] == c.Nodes[first]; i++ {
		}
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(c.Nodes[first])), uint64(i-first))
	}
	return string(b)
}

// unknown are the lengths that stand for blocks whose lengths not all ranks know.
var unknown = []int{64, 8 << 10}

// Costs returns what the algorithms cost that could serve cases of this kind, the best first.
func (s *Selector) Costs(c Case) []Cost {
	lengths := unknown
	if !c.Op.Private() {
		lengths = []int{bytesOf(magnitude(c.Size()))}
	}
	var all []Cost
	for _, a := range Algorithms(c.Op) {
		if a.Rival() {
			continue
		}
		if ns, fits := s.reckonAll(a, c, lengths); fits {
			all = append(all, Cost{a, ns})
		}
	}
	return ranked(all)
}

// ranked puts the cheapest first. Where the cheapest gains next to nothing, what comes first in the
// table, which lists plain ways before artful ones, goes before it.
func ranked(all []Cost) []Cost {
	least := math.Inf(1)
	for _, k := range all {
		least = min(least, k.Nanos)
	}
	weight := func(k Cost) float64 { // those that are as good as the best stay in their order
		if k.Nanos <= least*(1+nothing) {
			return least
		}
		return k.Nanos
	}
	slices.SortStableFunc(all, func(a, b Cost) int { return cmp.Compare(weight(a), weight(b)) })
	return all
}

// nothing is a gain that the model cannot see.
const nothing = 0.02

// reckonAll returns the nanoseconds of an algorithm for blocks of
// several lengths, a mean of them; it fits if it does for all.
func (s *Selector) reckonAll(a Algorithm, c Case, lengths []int) (ns float64, fits bool) {
	for i, n := range lengths {
		like := c.like(n)
		if !a.Fits(like) {
			return 0, false
		}
		if own := s.reckon(a, like); i == 0 {
			ns = own
		} else {
			ns = math.Sqrt(ns * own)
		}
	}
	return ns, true
}

// like is a case of the same kind in which all blocks have n bytes, as its first rank sees it.
func (c Case) like(n int) Case {
	c.Rank, c.Root, c.Bytes, c.Elem, c.InPlace, c.Spread = 0, 0, n, min(max(n, 1), 8), false, 0
	c.SendCounts, c.SendDispls, c.RecvCounts, c.RecvDispls = nil, nil, nil, nil
	send, recv := c.wants()
	blocks := c.Ranks
	if c.Op.Neighborly() {
		blocks = c.Graph.Degree() // of any rank
	}
	counts, displs := make([]int, blocks), make([]int, blocks)
	for i := range counts {
		counts[i], displs[i] = n, i*n
	}
	if send {
		c.SendCounts, c.SendDispls = counts, displs
	}
	if recv {
		c.RecvCounts, c.RecvDispls = counts, displs
	}
	return c
}

// enough is how many steps all ranks together may have to be followed one by one.
const enough = 4096

// neighborly is how many times that the steps may be where ranks talk to neighbours only: nobody has many.
const neighborly = 8

// reckon returns the nanoseconds of an algorithm. A job that is too large to follow all of its
// ranks is taken for a smaller one, and then for as much slower as its ranks have more to do.
func (s *Selector) reckon(a Algorithm, c Case) float64 {
	if c.Op.Neighborly() { // a smaller job would have other neighbours
		if 2*c.Graph.Edges() <= enough*neighborly {
			return s.time(a, c)
		}
		return s.work(a, c)
	}
	if max(len(a.Plan(c).Steps), len(a.Plan(c.of(c.Ranks-1)).Steps))*c.Ranks <= enough {
		return s.time(a, c)
	}
	small := c.shrunk()
	if small.Ranks == c.Ranks || !a.Fits(small) {
		return s.time(a, c)
	}
	return s.time(a, small) * s.work(a, c) / s.work(a, small)
}

// time follows all ranks.
func (s *Selector) time(a Algorithm, c Case) float64 {
	plans := make([]*plan.Plan, c.Ranks)
	for rank := range plans {
		plans[rank] = a.Plan(c.of(rank))
	}
	return s.machine.Time(c.modelled(), plans)
}

// of is the case as a rank sees it.
func (c Case) of(rank int) Case {
	c.Rank = rank
	return c
}

// work returns what ranks of the first node have to do.
func (s *Selector) work(a Algorithm, c Case) float64 {
	ranks := c.layout().ranks[0]
	samples := []model.Sample{{Plan: a.Plan(c.of(ranks[0])), For: 1}}
	if n := len(ranks); n > 1 {
		samples = append(samples, model.Sample{Plan: a.Plan(c.of(ranks[n-1])), For: n - 1})
	}
	return s.machine.Work(c.modelled(), samples)
}

// modelled is where the ranks are, for the model.
func (c Case) modelled() model.Layout {
	return model.Layout{Node: c.layout().node, Ranks: c.Local, Processors: c.Cores, Rails: c.Rails}
}

// shrunk is a smaller job of the same kind: fewer nodes with fewer ranks each, all alike. Numbers
// that are powers of two stay so, others do not become one.
func (c Case) shrunk() Case {
	few := func(n, most int) int {
		switch {
		case n <= most:
			return n
		case isPow2(n):
			return most
		}
		return most * 3 / 4
	}
	nodes, local := c.NodeCount(), c.MostLocal()
	m, l := few(nodes, 8), few(local, 4)
	switch {
	case nodes == 1:
		l = few(local, 16)
	case local == 1:
		m = few(nodes, 16)
	}
	if c.Local > 0 && c.Cores > 0 {
		c.Local, c.Cores = l, max((l*c.Cores+c.Local-1)/c.Local, 1)
	}
	c.Ranks = m * l
	c.Nodes = make([]int, c.Ranks)
	for i := range c.Nodes {
		c.Nodes[i] = i / l
	}
	return c.like(c.Bytes)
}

// Memory keeps costs that were reckoned, because they take longer to reckon than most calls.
type Memory interface {
	// Costs returns those of a kind, and has reckon reckon them if it does not know them.
	Costs(k Kind, reckon func() []Cost) []Cost
}

// Remembering returns a selector that keeps what it has reckoned.
func (s *Selector) Remembering(m Memory) *Selector {
	own := *s
	own.memory = m
	return &own
}

// costs are those of the kind of a case.
func (s *Selector) costs(c Case) []Cost {
	if s.memory == nil {
		return s.Costs(c)
	}
	return s.memory.Costs(c.Kind(), func() []Cost { return s.Costs(c) })
}

// formatNanos writes a time for people.
func formatNanos(ns float64) string {
	switch {
	case ns < 1e4:
		return fmt.Sprintf("%.2f us", ns/1e3)
	case ns < 1e7:
		return fmt.Sprintf("%.1f us", ns/1e3)
	}
	return fmt.Sprintf("%.1f ms", ns/1e6)
}

// bytesText names the length for which a case is reckoned.
func bytesText(c Case) string {
	if c.Op.Private() {
		return "short and long blocks"
	}
	return formatBytes(bytesOf(magnitude(c.Size()))) + " bytes"
}

// costTable lists costs for people, a line each.
func costTable(costs []Cost, c Case) string {
	var w strings.Builder
	for _, k := range costs {
		note := ""
		if !k.Algorithm.Fits(c) {
			note = "  does not fit this case"
		}
		fmt.Fprintf(&w, "  %12s  %.2f  %s%s\n", formatNanos(k.Nanos), k.Nanos/max(costs[0].Nanos, 1e-9), k.Algorithm.Name, note)
	}
	return w.String()
}
