package tuner

import (
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/plan"
)

// Site is where a machine is measured: all that the plans of trials depend on.
type Site struct {
	Nodes   []int `json:"nodes"` // of each rank
	Cores   int   `json:"cores"` // of the most crowded node; 0: unknown
	Local   int   `json:"local"` // ranks there
	Rails   int   `json:"rails"`
	Shares  bool  `json:"shares"`
	Fetches bool  `json:"fetches"`
}

func siteOf(c coll.Case) Site {
	return Site{Nodes: c.Nodes, Cores: c.Cores, Local: c.Local, Rails: max(c.Rails, 1), Shares: c.Shares, Fetches: c.Fetches}
}

// crowded tells that ranks share processors.
func (s *Site) crowded() bool { return s.Cores > 0 && s.Local > s.Cores }

// layout is the site as the model sees it.
func (s *Site) layout() model.Layout {
	return model.Layout{Node: s.Nodes, Ranks: s.Local, Processors: s.Cores, Rails: s.Rails}
}

// on lists the ranks of a node.
func (s *Site) on(node int) (ranks []int) {
	for r, n := range s.Nodes {
		if n == node {
			ranks = append(ranks, r)
		}
	}
	return ranks
}

// fullest lists the ranks of the first node that has the most.
func (s *Site) fullest() (ranks []int) {
	for node := range slices.Max(s.Nodes) + 1 {
		if own := s.on(node); len(own) > len(ranks) {
			ranks = own
		}
	}
	return ranks
}

// near is two ranks of a node, nil if every rank is alone.
func (s *Site) near() []int {
	if ranks := s.fullest(); len(ranks) > 1 {
		return ranks[:2]
	}
	return nil
}

// pairs are ranks of the first node with ranks of the second one, up to most; none if there is no second.
func (s *Site) pairs(most int) (all [][]int) {
	a, b := s.on(0), s.on(1)
	for i := range min(len(a), len(b), most) {
		all = append(all, []int{a[i], b[i]})
	}
	return all
}

// fan is the first rank with ranks of other nodes, up to most, so that what limits a connection
// does not count.
func (s *Site) fan(most int) (all [][]int) {
	for r, node := range s.Nodes {
		if node != s.Nodes[0] && len(all) < most {
			all = append(all, []int{0, r})
		}
	}
	return all
}

// trial is something whose time tells one number of a machine, once others are known.
type trial struct {
	number string
	// plans adds the steps of all ranks, and tells whether there is anything to learn on the site.
	plans func(t *stage) bool
	// with is a number that is too large if the trial takes less than it would with none of its own.
	with string
}

// trials are those of all numbers that are measured, in an order in which each needs as few as
// possible of the later ones. What the library decides, up to which length messages go without
// being asked for, is not measured.
var trials = []trial{
	{number: "step", plans: func(t *stage) bool { return t.gates(t.site.fullest()[0]) }},
	{number: "copy", plans: func(t *stage) bool { return t.copies(t.site.fullest()[:1]) }},
	{number: "reduce", plans: func(t *stage) bool { return t.reduces(t.site.fullest()[0]) }},
	{number: "lanes", plans: func(t *stage) bool { return t.copies(t.roomy()) && len(t.roomy()) > 1 }},
	{number: "flag", plans: func(t *stage) bool { return t.flagged(t.site.near()) }},
	{number: "fetch", plans: func(t *stage) bool { return t.fetches(t.site.near()) }},
	{number: "near", plans: func(t *stage) bool { return t.stream(t.site.near(), short, many) }},
	{number: "near_way", plans: func(t *stage) bool { return t.pingPong(t.site.near(), short, 16) }, with: "near"},
	{number: "far", plans: func(t *stage) bool { return t.streams(t.site.fan(most), short, many/4) }},
	{number: "far_way", plans: func(t *stage) bool { return t.pingPongs(t.site.pairs(1), short, 16) }, with: "far"},
	{number: "far_gap", plans: func(t *stage) bool { return len(t.site.pairs(2)) > 1 && t.streams(t.site.pairs(most), short, many) }},
	{number: "byte", plans: func(t *stage) bool { return t.streams(t.site.pairs(1), long1, 4) }},
	{number: "touch", plans: func(t *stage) bool { return t.pingPongs(t.site.pairs(1), eager, 4) }},
	{number: "both", plans: func(t *stage) bool { return t.bothWays(t.site.pairs(1), long1, 4) }},
	{number: "turn", plans: func(t *stage) bool { return t.site.crowded() && t.turns(t.site.fullest()) }},
}

// Lengths and numbers of messages.
const (
	short = 8         // next to nothing
	eager = 16 << 10  // goes without being asked for
	long1 = 512 << 10 // is asked for
	piece = 32 << 10  // is copied
	many  = 64
	most  = 16                       // pairs at once
	room  = max(4*long1, many*piece) // bytes of a rank's buffers
)

// stage is where the plans of one trial are made.
type stage struct {
	site   *Site
	ranks  []*plan.Builder
	shares bool // memory of nodes is used
}

// plansOf returns the plans of all ranks, nil if the trial tells nothing on the site.
func (tr *trial) plansOf(s *Site) []*plan.Plan {
	t := &stage{site: s}
	for r := range s.Nodes {
		t.ranks = append(t.ranks, plan.NewBuilder("trial of "+tr.number, r, len(s.Nodes)))
	}
	if !tr.plans(t) || t.shares && !s.Shares {
		return nil
	}
	var all []*plan.Plan
	for r, b := range t.ranks {
		if t.shares {
			b.OnNode(s.Nodes[r], plan.KeyLen, many)
		}
		p := b.Build()
		p.Choice = coll.NoChoice
		all = append(all, p)
	}
	return all
}

// roomy is ranks of a node that have processors of their own.
func (t *stage) roomy() []int {
	ranks := t.site.fullest()
	if t.site.Cores > 0 {
		ranks = ranks[:min(len(ranks), t.site.Cores)]
	}
	return ranks
}

func in(n int) plan.Span      { return plan.Span{Buf: plan.In, Len: n} }
func out(at, n int) plan.Span { return plan.Span{Buf: plan.Out, Off: at, Len: n} }

// gates has a rank take many steps that do nothing.
func (t *stage) gates(rank int) bool {
	last := plan.None
	for range 4 * many {
		last = t.ranks[rank].Gate(last)
	}
	return true
}

// copies has ranks copy, all at once. They do not copy the same bytes again, which would be at hand.
func (t *stage) copies(ranks []int) bool {
	for _, r := range ranks {
		last := plan.None
		for i := range many {
			last = t.ranks[r].Copy(out(i*piece, piece), plan.Span{Buf: plan.In, Off: i * piece, Len: piece}, last)
		}
	}
	return true
}

// reduces has a rank combine.
func (t *stage) reduces(rank int) bool {
	last := plan.None
	for i := range many {
		last = t.ranks[rank].Reduce(out(i*piece, piece), plan.Span{Buf: plan.In, Off: i * piece, Len: piece}, false, last)
	}
	return true
}

// flagged has two ranks answer each other by flags.
func (t *stage) flagged(pair []int) bool {
	if t.shares = true; pair == nil {
		return false
	}
	a, b := t.ranks[pair[0]], t.ranks[pair[1]]
	lastA, lastB := plan.None, plan.None
	for f := range many {
		a.Set(f, lastA)
		lastB = b.Await(pair[0], f, lastB)
		lastB = b.Set(f, lastB)
		lastA = a.Await(pair[1], f, lastA)
	}
	return true
}

// fetches has a rank copy from another's memory again and again.
func (t *stage) fetches(pair []int) bool {
	if t.shares = true; pair == nil || !t.site.Fetches {
		return false
	}
	a, b := t.ranks[pair[0]], t.ranks[pair[1]]
	const page = 4096
	key := plan.Span{Buf: plan.Node, Len: plan.KeyLen}
	a.Set(0, a.Lend(key, in(page)))
	last := b.Await(pair[0], 0)
	for range many / 2 {
		last = b.Fetch(pair[0], out(0, page), key, 0, last)
	}
	b.Set(1, last)
	a.Await(pair[1], 1)
	return true
}

// stream has a rank send messages to another one, as fast as it can.
func (t *stage) stream(pair []int, bytes, messages int) bool {
	if pair == nil {
		return false
	}
	for i := range messages {
		t.ranks[pair[0]].Send(pair[1], in(bytes))
		t.ranks[pair[1]].Recv(pair[0], out(i*bytes, bytes))
	}
	return true
}

// streams are several at once.
func (t *stage) streams(pairs [][]int, bytes, messages int) bool {
	for _, p := range pairs {
		t.stream(p, bytes, messages)
	}
	return len(pairs) > 0
}

// bothWays has two ranks send each other messages at the same time.
func (t *stage) bothWays(pairs [][]int, bytes, messages int) bool {
	for _, p := range pairs {
		t.stream(p, bytes, messages)
		t.stream([]int{p[1], p[0]}, bytes, messages)
	}
	return len(pairs) > 0
}

// pingPong has two ranks answer each other.
func (t *stage) pingPong(pair []int, bytes, messages int) bool {
	if pair == nil {
		return false
	}
	a, b := t.ranks[pair[0]], t.ranks[pair[1]]
	lastA, lastB := plan.None, plan.None
	for i := range messages {
		at := out(i*bytes, bytes)
		a.Send(pair[1], in(bytes), lastA)
		lastB = b.Recv(pair[0], at, lastB)
		b.Send(pair[0], in(bytes), lastB)
		lastA = a.Recv(pair[1], at, lastA)
	}
	return true
}

func (t *stage) pingPongs(pairs [][]int, bytes, messages int) bool {
	return len(pairs) > 0 && t.pingPong(pairs[0], bytes, messages)
}

// turns has all ranks of a crowded node wait for all others, a few times.
func (t *stage) turns(ranks []int) bool {
	t.shares = true
	for _, r := range ranks {
		b := t.ranks[r]
		last := plan.None
		for f := range 4 {
			b.Set(f, last)
			var seen []int
			for _, other := range ranks {
				if other != r {
					seen = append(seen, b.Await(other, f, last))
				}
			}
			last = b.Gate(seen...)
		}
	}
	return true
}
