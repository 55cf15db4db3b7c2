package simtest

// shaped makes a program of data that does not lie together, groups that talk to each other, calls that are made once,
// and messages in parts.
func (g *generator) shaped(o Options) (all []Item) {
	for range 3 + g.rng.IntN(6) {
		for range g.up(3) {
			all = append(all, g.items()...)
		}
		all = append(all, g.shapes()...)
	}
	g.spread(all)
	g.shorten(all, o)
	return all
}

// shapes makes some of it.
func (g *generator) shapes() (all []Item) {
	switch n := g.rng.IntN(100); {
	case n < 14:
		return g.idup()
	case n < 25:
		return g.subgroup()
	case n < 48:
		return g.inter()
	case n < 61:
		c := g.collective()
		c.Turns = 1 + g.rng.IntN(4)
		c.Count /= 2
		return []Item{{Collective: c}}
	case n < 70:
		c := g.collective()
		c.Op, c.InPlace = "alltoalllayout", false
		return []Item{{Collective: c}}
	case n < 83:
		c := one(g, g.comms...)
		from, to := g.ends(c)
		return []Item{{Parted: g.parted(c, from, to)}}
	case n < 90:
		return g.near()
	case n < 95:
		return []Item{{Sided: g.sided()}}
	}
	c := one(g, g.comms...)
	return []Item{{Brief: g.brief(c)}}
}

// spread has the bytes of messages lie apart, at one end or both.
func (g *generator) spread(all []Item) {
	shape := func() string {
		if g.chance(60) {
			return one(g, shapes...)
		}
		return ""
	}
	for _, it := range all {
		if m := it.Message; m != nil && g.chance(60) {
			m.Send.Shape, m.Recv.Shape = shape(), shape()
		}
		if it.Storm != nil && g.chance(40) {
			for i := range it.Storm.Parts {
				it.Storm.Parts[i].Shape = shape()
			}
		}
	}
}

// shorten has the numbers of communicators come again soon, if there are brief ones.
func (g *generator) shorten(all []Item, o Options) {
	most, brief := 8, false
	for _, it := range all {
		if it.Make != nil {
			most += int(layers) + 1
		}
		brief = brief || it.Brief != nil
	}
	if !brief {
		return
	}
	g.c.Shape.set("LAB_COMM_NUMBERS", most)
	for _, it := range all {
		if it.Brief != nil {
			it.Brief.Rounds = most/2 + g.rng.IntN(most)
		}
	}
	g.c.Shape.Settings = append(g.c.Shape.Settings, o.Settings...) // these have the last word
}

// idup makes a duplicate meanwhile.
func (g *generator) idup() (all []Item) {
	c := one(g, g.comms...)
	g.nextID++
	m := &Make{ID: g.nextID, Parent: c.id, How: "idup", Lag: g.rng.IntN(5)}
	all = append(all, Item{Make: m})
	for range m.Lag { // they come between, on other communicators and that one
		k := g.collective()
		if g.chance(50) {
			k.Comm, k.Root = c.id, g.rng.IntN(c.size)
		}
		all = append(all, Item{Collective: k})
	}
	g.comms = append(g.comms, made{m.ID, c.size})
	return all
}

// subgroup makes a communicator that its ranks alone make.
func (g *generator) subgroup() []Item {
	c := one(g, g.comms...)
	g.nextID++
	m := &Make{ID: g.nextID, Parent: c.id, How: "group"}
	size := 0
	for range c.size {
		color := 0
		if g.chance(35) {
			color = -1
		} else {
			size++
		}
		m.Colors, m.Keys = append(m.Colors, color), append(m.Keys, g.rng.IntN(3))
	}
	if size > 0 {
		g.comms = append(g.comms, made{m.ID, size})
	}
	return []Item{{Make: m}}
}

// pair is a communicator between two groups.
type pair struct{ id, first, size int }

// inter makes a communicator between two groups, what these tell each other, and what comes of it.
func (g *generator) inter() (all []Item) {
	c := one(g, g.comms...)
	if c.size < 2 {
		return nil
	}
	g.nextID++
	m := &Make{ID: g.nextID, Parent: c.id, How: "inter", Leads: [2]int{g.rng.IntN(4), g.rng.IntN(4)}}
	var sizes [2]int
	for i := range c.size {
		color := g.rng.IntN(2)
		if i < 2 {
			color = i
		} else if g.chance(15) {
			color = -1
		}
		if color >= 0 {
			sizes[color]++
		}
		m.Colors, m.Keys = append(m.Colors, color), append(m.Keys, g.rng.IntN(3))
	}
	p := pair{m.ID, sizes[0], sizes[0] + sizes[1]}
	all = append(all, Item{Make: m})
	for range 2 + g.rng.IntN(5) {
		all = append(all, g.across2(p)...)
	}
	g.nextID++
	switch after := (&Make{ID: g.nextID, Parent: p.id, High: g.rng.IntN(2)}); g.rng.IntN(4) {
	case 0:
		after.How = "merge"
		g.comms = append(g.comms, made{after.ID, p.size})
		all = append(all, Item{Make: after})
	case 1:
		after.How, after.Lag = one(g, "dup", "idup"), g.rng.IntN(3)
		all = append(append(all, Item{Make: after}), g.across2(pair{after.ID, p.first, p.size})...)
	case 2:
		after.How = "split"
		for range p.size {
			after.Colors, after.Keys = append(after.Colors, g.rng.IntN(3)-1), append(after.Keys, g.rng.IntN(3))
		}
		g.nextID++ // it makes up to two
		all = append(all, Item{Make: after}, Item{Collective: g.betweenGroups(pair{after.ID, 1, 2})},
			Item{Collective: g.betweenGroups(pair{after.ID + 1, 1, 2})})
	}
	return all
}

// across2 is what two groups tell each other next.
func (g *generator) across2(p pair) []Item {
	from, to := g.rng.IntN(p.first), p.first+g.rng.IntN(p.size-p.first)
	if g.chance(50) {
		from, to = to, from
	}
	switch n := g.rng.IntN(100); {
	case n < 35:
		var all []Item
		for range 1 + g.up(4) {
			m := g.message()
			m.Comm, m.From, m.To = p.id, from, to
			all = append(all, Item{Message: m})
		}
		return all
	case n < 45:
		s := g.storm()
		s.Comm, s.To = p.id, to
		for i := range s.Parts {
			if s.Parts[i].From = g.rng.IntN(p.first); to < p.first {
				s.Parts[i].From = p.first + g.rng.IntN(p.size-p.first)
			}
		}
		return []Item{{Storm: s}}
	case n < 55:
		return []Item{{Parted: g.parted(made{p.id, p.size}, from, to)}}
	case n < 60:
		return []Item{{Orphan: &Orphan{Comm: p.id, Rank: to, Room: g.bytes(), AnyFrom: g.chance(50), Lag: g.up(4)}}}
	}
	return []Item{{Collective: g.betweenGroups(p)}}
}

// betweenGroups makes a call of two groups.
func (g *generator) betweenGroups(p pair) *Collective {
	k := g.collective()
	k.Comm, k.Op, k.Root, k.InPlace = p.id, one(g, between...), g.rng.IntN(p.size), false
	if k.Op == "reducescatter" {
		k.Count /= p.size
	}
	if g.chance(30) && k.Op != "alltoalllayout" {
		k.Turns = 1 + g.rng.IntN(3)
	}
	return k
}

// parted makes a message in parts.
func (g *generator) parted(c made, from, to int) *Parted {
	m := &Parted{Comm: c.id, From: from, To: to, Tag: g.rng.IntN(g.tags), Turns: 1 + g.rng.IntN(3)}
	m.SendParts, m.RecvParts = 1+g.up(20), 1+g.up(20)
	m.Unit = (g.bytes() + g.bytes()) / (m.SendParts * m.RecvParts)
	if g.chance(20) {
		m.Unit = 4096 / one(g, m.SendParts, m.RecvParts)
	}
	m.Late, m.Later, m.Looks = g.chance(40), g.chance(40), g.chance(50)
	m.Send.Wait, m.Recv.Wait = g.waiting(), g.waiting()
	return m
}

// brief makes communicators whose numbers come again; how many, shorten says.
func (g *generator) brief(c made) *Brief {
	k := &Brief{Comm: c.id, Bytes: g.bytes()}
	for range 1 + g.rng.IntN(3) {
		k.Ways = append(k.Ways, one(g, briefWays...))
	}
	if k.Bytes > 64<<10 {
		k.Bytes = 64 << 10
	}
	return k
}
