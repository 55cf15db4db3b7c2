package simtest

import (
	"math/rand/v2"
	"slices"
)

// New makes the case of a seed. What the options name is so; the seed decides the rest.
func New(seed uint64, o Options) *Case {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 0x51177e57)), c: &Case{Seed: seed}}
	g.c.Shape = g.shape(o)
	g.sizes()
	g.comms = []made{{0, g.c.Shape.Ranks}}
	g.c.Faults = g.faults(o)
	g.tags = 1 + g.rng.IntN(4)
	switch o.Programs {
	case "duels":
		g.c.Items = g.duels()
		return g.c
	case "claims":
		g.c.Items = g.claims()
		return g.c
	case "unasked":
		g.c.Items = g.unasked()
		return g.c
	case "collectives":
		g.c.Items = g.collectives(o)
		return g.c
	case "windows":
		g.c.Items = g.windows(o)
		return g.c
	case "impatient":
		g.c.Items = g.hurries()
		return g.c
	case "shapes":
		g.c.Items = g.shaped(o)
		return g.c
	}
	for range 8 + g.rng.IntN(48) {
		g.c.Items = append(g.c.Items, g.items()...)
	}
	if g.c.Shape.Asks > 0 {
		more := aside(seed, 3)
		more.c, more.limits = g.c, g.limits
		g.c.Items = append(g.c.Items, more.unasked()...)
	}
	if g.c.Shape.Spots != nil {
		more := aside(seed, 6)
		more.c, more.limits, more.comms, more.nextID = g.c, g.limits, g.comms, g.nextID
		g.c.Items = append(g.c.Items, more.across()...)
	}
	if more := aside(seed, 8); more.chance(50) {
		more.c, more.limits, more.comms, more.nextID = g.c, g.limits, g.comms, 1000
		g.c.Items = append(g.c.Items, more.near()...)
	}
	if more := aside(seed, 7); more.chance(40) {
		more.c, more.limits, more.comms = g.c, g.limits, g.comms
		g.c.Items = append(g.c.Items, Item{Impatient: more.impatient()})
	}
	if more := aside(seed, 9); more.chance(50) {
		more.c, more.limits, more.comms, more.nextID, more.tags = g.c, g.limits, g.comms, 2000, g.tags
		var own []Item
		for range 1 + more.rng.IntN(4) {
			own = append(own, more.shapes()...)
		}
		g.c.Items = more.mingle(g.c.Items, own)
		more.spread(g.c.Items)
		more.shorten(g.c.Items, o)
	}
	return g.c
}

// mingle puts two programs into one, each in its own order.
func (g *generator) mingle(a, b []Item) (all []Item) {
	for len(a)+len(b) > 0 {
		if g.rng.IntN(len(a)+len(b)) < len(a) {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return all
}

// generator makes cases.
type generator struct {
	rng    *rand.Rand
	c      *Case
	comms  []made
	nextID int
	tags   int
	limits []int // sizes around which messages change their way
	pair   [2]int

	nearest *Make // of the communicator for calls between neighbours, in programs of these
}

// made is a communicator: its number and its size.
type made struct{ id, size int }

// one returns one of some things.
func one[T any](g *generator, of ...T) T { return of[g.rng.IntN(len(of))] }

// chance is true in so many of a hundred cases.
func (g *generator) chance(percent int) bool { return g.rng.IntN(100) < percent }

// up is a number from 0 to most, mostly a small one.
func (g *generator) up(most int) int { return g.rng.IntN(g.rng.IntN(most+1) + 1) }

// sizes collects the lengths at which something changes.
func (g *generator) sizes() {
	g.limits = []int{8, 64, 256, 1024, 4096, 64 << 10}
	for _, name := range []string{"WEFT_NET_EAGER_MAX", "WEFT_LAB_VBUF", "WEFT_LAB_STRIPE", "WEFT_LAB_RING_BYTES"} {
		if n := g.c.Shape.number(name); n > 0 && n <= 128<<10 {
			g.limits = append(g.limits, n, n, 2*n)
		}
	}
}

// bytes is the length of a message.
func (g *generator) bytes() int {
	switch n := g.rng.IntN(100); {
	case n < 6:
		return 0
	case n < 30:
		return g.rng.IntN(64)
	case n < 50:
		return g.rng.IntN(2048)
	case n < 90:
		return max(0, one(g, g.limits...)+g.rng.IntN(129)-64)
	case n < 97:
		return g.rng.IntN(32 << 10)
	}
	return g.rng.IntN(300 << 10)
}

// items makes the next thing that happens.
func (g *generator) items() []Item {
	switch n := g.rng.IntN(100); {
	case n < 46:
		return []Item{{Message: g.message()}}
	case n < 51:
		return g.train()
	case n < 56:
		return g.duel()
	case n < 64:
		return []Item{{Storm: g.storm()}}
	case n < 67:
		return []Item{{Exchange: g.exchange()}}
	case n < 80:
		return []Item{{Collective: g.collective()}}
	case n < 84 && len(g.comms) < 6:
		if m := g.make(); m != nil {
			return []Item{{Make: m}}
		}
	case n < 92:
		return []Item{{Compute: &Compute{Rank: g.rng.IntN(g.c.Shape.Ranks), Nanos: int64(g.up(300_000))}}}
	case n < 95:
		c := one(g, g.comms...)
		return []Item{{Orphan: &Orphan{Comm: c.id, Rank: g.rng.IntN(c.size), Room: g.bytes(), AnyFrom: g.chance(50), Lag: g.up(4)}}}
	}
	c := one(g, g.comms...)
	return []Item{{Glance: &Glance{Comm: c.id, Rank: g.rng.IntN(c.size), Probe: g.chance(50), Wait: g.waiting()}}}
}

// ends picks who sends to whom: often the same two, so that they have much in flight.
func (g *generator) ends(c made) (from, to int) {
	if !g.chance(40) {
		g.pair = [2]int{g.rng.IntN(c.size), g.rng.IntN(c.size)}
	}
	from, to = g.pair[0]%c.size, g.pair[1]%c.size
	if g.chance(20) {
		from, to = to, from
	}
	return from, to
}

func (g *generator) waiting() Waiting {
	return one(g, One, One, One, Testing, All, Any, Some, TestAll, TestAny, TestSome)
}

func (g *generator) end(leadMost, lagMost int) End {
	e := End{Wait: g.waiting(), Kept: g.chance(12), Slot: g.up(4)}
	if g.chance(60) {
		e.Lead = g.up(leadMost)
	}
	if g.chance(60) {
		e.Lag = g.up(lagMost)
	}
	if g.chance(30) {
		e.Wait = One
	}
	return e
}

// message makes one message.
func (g *generator) message() *Message {
	c := one(g, g.comms...)
	m := &Message{Comm: c.id, Tag: g.rng.IntN(g.tags), Bytes: g.bytes(), Send: g.end(4, 6), Recv: g.end(8, 6)}
	m.From, m.To = g.ends(c)
	m.Mode = one(g, Standard, Standard, Standard, Standard, Synchronous, Buffered, Ready)
	if g.chance(25) {
		m.Style = one(g, Probed, Polled, Matched, Claimed)
	}
	m.AnyTag, m.AnyFrom = g.chance(10), g.chance(15)
	switch n := g.rng.IntN(100); {
	case n < 5:
		m.Room = -1
	case n < 30:
		m.Room = g.up(4096)
	}
	return m
}

// train makes several messages of one stream, as a loop of a program would: with the same length and memory.
func (g *generator) train() []Item {
	first := *g.message()
	var all []Item
	for range 2 + g.up(12) {
		m := first
		if g.chance(30) {
			m.Bytes = g.bytes()
		}
		if g.chance(50) {
			m.Recv.Lead, m.Send.Lag = g.up(8), g.up(8)
		}
		if g.chance(15) {
			m.From, m.To = m.To, m.From
		}
		if g.chance(20) {
			m.AnyFrom, m.AnyTag = g.chance(50), g.chance(30)
		}
		all = append(all, Item{Message: &m})
		if g.chance(15) {
			all = append(all, Item{Compute: &Compute{Rank: g.rng.IntN(g.c.Shape.Ranks), Nanos: int64(g.up(200_000))}})
		}
	}
	return all
}

// duel makes short and long messages of one stream that cross the receives posted for them: what speculation lives on.
func (g *generator) duel() []Item {
	c := one(g, g.comms...)
	from, to := g.ends(c)
	limit := g.c.Shape.number("WEFT_NET_EAGER_MAX")
	tag, any := g.rng.IntN(g.tags), g.chance(20)
	var all []Item
	for range 4 + g.rng.IntN(12) {
		m := &Message{Comm: c.id, From: from, To: to, Tag: tag, Bytes: limit + 1 + g.rng.IntN(500)}
		if g.chance(35) {
			m.Bytes = g.rng.IntN(limit + 1)
		}
		m.Send, m.Recv = End{Lead: g.up(3), Lag: g.rng.IntN(10)}, End{Lead: g.rng.IntN(10), Lag: g.rng.IntN(10), Slot: g.up(2)}
		m.Recv.Wait, m.Send.Wait = g.waiting(), g.waiting()
		m.AnyFrom = any && g.chance(50)
		switch n := g.rng.IntN(100); {
		case n < 15:
			m.Style = one(g, Matched, Claimed)
		case n < 25:
			m.Room = -1
		case n < 60:
			m.Room = limit + 600 // long enough for every other, so that it is offered early
		}
		all = append(all, Item{Message: m})
		if g.chance(20) {
			all = append(all, Item{Compute: &Compute{Rank: g.rng.IntN(g.c.Shape.Ranks), Nanos: int64(g.up(60_000))}})
		}
	}
	return all
}

// duels makes a program of two streams at most in which nearly every receive is posted early and has room
// for every message, so that its RTR meets an RTS, another message's answer, a short message or a claim on
// the way. What the rules of speculation are for takes several of these in a row.
func (g *generator) duels() (all []Item) {
	limit := g.c.Shape.number("WEFT_NET_EAGER_MAX")
	from := g.rng.IntN(g.c.Shape.Ranks)
	to := (from + 1) % g.c.Shape.Ranks
	short, claimed, behind := g.up(50), g.up(60), g.rng.IntN(12)
	for range 20 + g.rng.IntN(60) {
		m := &Message{From: from, To: to, Bytes: limit + 1 + g.rng.IntN(500)}
		if g.chance(10) {
			m.From, m.To = to, from
		}
		if g.chance(short) {
			m.Bytes = g.rng.IntN(limit + 1)
		}
		m.Room = limit + 500 - m.Bytes
		m.Send = End{Lead: g.up(3), Lag: g.rng.IntN(12), Wait: g.waiting()}
		m.Recv = End{Lead: g.up(behind), Lag: g.rng.IntN(12), Wait: g.waiting()}
		if g.chance(claimed) {
			m.Style = one(g, Matched, Claimed)
		}
		all = append(all, Item{Message: m})
		if g.chance(25) {
			all = append(all, Item{Compute: &Compute{Rank: one(g, from, to), Nanos: int64(g.up(60_000))}})
		}
	}
	return all
}

// claims makes a program of one stream in which matched probes take long messages that are received much
// later, while RTRs of other receives are under way: an RTS is then answered twice, and late.
func (g *generator) claims() (all []Item) {
	limit := g.c.Shape.number("WEFT_NET_EAGER_MAX")
	from := g.rng.IntN(g.c.Shape.Ranks)
	to := (from + 1) % g.c.Shape.Ranks
	ahead, hold, pause := 1+g.rng.IntN(6), 1+g.rng.IntN(12), 1+g.up(60_000)
	for range 3 + g.rng.IntN(8) {
		for _, what := range one(g, "scclllll", "scclslll", "sclllslll", "cllll", "clslll") {
			m := &Message{From: from, To: to, Bytes: limit + 1 + g.rng.IntN(500)}
			if what == 's' {
				m.Bytes = g.rng.IntN(limit + 1)
			}
			m.Room = limit + 500 - m.Bytes
			m.Send = End{Lead: g.up(2), Lag: 8 + g.rng.IntN(12)}
			m.Recv = End{Lead: g.up(ahead), Lag: 8 + g.rng.IntN(12)}
			if what == 'c' {
				m.Style, m.Hold = one(g, Matched, Claimed), g.up(hold)
			}
			all = append(all, Item{Message: m})
			if g.chance(40) {
				all = append(all, Item{Compute: &Compute{Rank: one(g, from, from, to), Nanos: int64(g.up(pause))}})
			}
		}
	}
	return all
}

// unasked makes a program of two ranks that send each other, one after the other, messages so long that
// they may come unasked once the receives of some were there in time. Most are; others come late, so that
// what has come is thrown away.
func (g *generator) unasked() (all []Item) {
	s := &g.c.Shape
	from := g.rng.IntN(s.Ranks)
	to := (from + 1) % s.Ranks
	least := 1 + max(s.Asks, s.number("WEFT_NET_EAGER_MAX"), s.number("WEFT_LAB_NET_EAGER_ALONE"))
	late, short, turns := g.up(30), g.up(40), g.up(30)
	for range 8 + g.rng.IntN(16) {
		m := &Message{From: from, To: to, Bytes: least + g.up(40_000), Recv: End{Lead: 1 + g.up(3), Wait: g.waiting(), Slot: g.up(3)}}
		switch {
		case g.chance(short):
			m.Bytes = g.bytes()
		case g.chance(late):
			m.Recv.Lead = 0
			all = append(all, Item{Compute: &Compute{Rank: to, Nanos: int64(g.up(400_000))}})
		}
		if g.chance(20) {
			m.Send = End{Lag: g.up(4), Wait: g.waiting(), Slot: g.up(2)}
		}
		if g.chance(10) {
			m.Style = one(g, Probed, Matched, Claimed)
		}
		if g.chance(15) {
			m.AnyFrom, m.AnyTag = g.chance(50), g.chance(50)
		}
		if g.chance(20) {
			m.Room = one(g, -1, 100, 5000)
		}
		all = append(all, Item{Compute: &Compute{Rank: from, Nanos: int64(g.up(100_000))}}, Item{Message: m})
		if g.chance(turns) {
			from, to = to, from
		}
	}
	return all
}

// storm makes a storm.
func (g *generator) storm() *Storm {
	c := one(g, g.comms...)
	s := &Storm{Comm: c.id, To: g.rng.IntN(c.size), AnyFrom: g.chance(60), AnyTag: g.chance(30), Early: g.chance(40)}
	sole, size := g.chance(30), g.bytes()
	from := g.rng.IntN(c.size)
	for range 1 + g.up(14) {
		p := Part{From: from, Tag: g.rng.IntN(g.tags), Bytes: size, Swap: g.up(4), Slot: g.up(4)}
		if !sole {
			p.From = g.rng.IntN(c.size)
		}
		if g.chance(50) {
			p.Bytes = g.bytes()
		}
		p.Mode = one(g, Standard, Standard, Standard, Synchronous, Buffered)
		if g.chance(35) {
			p.Style = one(g, Probed, Polled, Matched, Claimed, Withdrawn, Withdrawn, Withdrawn)
		}
		if g.chance(4) {
			p.Room = -1
		}
		s.Parts = append(s.Parts, p)
	}
	return s
}

// exchange makes a ring of some ranks.
func (g *generator) exchange() *Exchange {
	c := one(g, g.comms...)
	ranks := g.rng.Perm(c.size)[:1+g.rng.IntN(c.size)]
	return &Exchange{Comm: c.id, Ranks: ranks, Bytes: g.bytes(), Replace: g.chance(30)}
}

// collective makes a call of all ranks.
func (g *generator) collective() *Collective {
	c := one(g, g.comms...)
	k := &Collective{Comm: c.id, Op: one(g, collectives...), Root: g.rng.IntN(c.size), Later: g.chance(50), InPlace: g.chance(20)}
	k.Elem = one(g, "int64", "int64", "uint8", "float64", "affine", "loc", "float16", "bfloat16")
	k.Reduce = one(g, elements[k.Elem]...)
	k.End = End{Lag: g.up(6), Wait: g.waiting()}
	k.Count = g.bytes() / 8 / max(1, c.size/2)
	if g.chance(30) {
		k.Count = g.rng.IntN(4)
	}
	return k
}

// make makes a communicator, nil if the one to make it from is too small.
func (g *generator) make() *Make {
	parent := one(g, g.comms...)
	if parent.size < 2 {
		return nil
	}
	m := &Make{ID: g.nextID + 1, Parent: parent.id, How: one(g, "dup", "split", "split", "create")}
	sizes := map[int]int{}
	if m.How == "dup" {
		sizes[0] = parent.size
	} else {
		colors := 1 + g.rng.IntN(3)
		for range parent.size {
			color := g.rng.IntN(colors+1) - 1
			m.Colors = append(m.Colors, color)
			m.Keys = append(m.Keys, g.rng.IntN(4))
			if color == 0 || color > 0 && m.How == "split" {
				sizes[color]++
			}
		}
	}
	for color := range 4 {
		if sizes[color] > 0 {
			g.comms = append(g.comms, made{m.ID + color, sizes[color]})
		}
	}
	g.nextID += 4
	if m.How != "split" {
		m.Keys = nil
	}
	return m
}

// sorted is a list of names without repetition, for messages.
func sorted(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return slices.Compact(out)
}
