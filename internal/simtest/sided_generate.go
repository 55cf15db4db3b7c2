package simtest

// windows makes a program of windows, with messages and collectives between them.
func (g *generator) windows(o Options) (all []Item) {
	s := &g.c.Shape
	s.set("LAB_RMA_PUT", one(g, 0, 64, 1024))
	s.set("LAB_RMA_GET", one(g, 0, 64, 8192))
	s.set("LAB_RMA_COPY", one(g, 0, 256, 9216))
	s.Settings = append(s.Settings, o.Settings...) // these have the last word
	for range 1 + g.rng.IntN(4) {
		for range g.up(3) {
			all = append(all, g.items()...)
		}
		all = append(all, Item{Sided: g.sided()})
	}
	return all
}

// sided makes a window and what is done with it.
func (g *generator) sided() *Sided {
	c := one(g, g.comms...)
	s := &Sided{Comm: c.id, Kind: one(g, "allocated", "created", "dynamic"), Count: min(g.bytes(), 48<<10) / 8}
	for range 1 + g.up(10) {
		t := Turn{Sync: one(g, "fence", "fence", "groups", "shared", "exclusive", "all"), Shift: g.rng.IntN(c.size), One: g.chance(40), Strided: g.chance(30), Later: g.chance(30), Apart: g.chance(30)}
		for _, op := range []string{"put", "get", "accumulate", "best", "look", "draw", "count"} {
			if g.chance(50) && (op != "count" || t.Sync == "exclusive") {
				t.Ops = append(t.Ops, op)
			}
		}
		g.rng.Shuffle(len(t.Ops), func(i, j int) { t.Ops[i], t.Ops[j] = t.Ops[j], t.Ops[i] })
		s.Turns = append(s.Turns, t)
	}
	return s
}
