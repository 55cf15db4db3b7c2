package simtest

// hurries makes a program of calls whose contexts end, with messages and collectives between them.
func (g *generator) hurries() (all []Item) {
	for range 1 + g.rng.IntN(4) {
		for range g.up(3) {
			all = append(all, g.items()...)
		}
		all = append(all, Item{Impatient: g.impatient()})
	}
	return all
}

// impatient makes a duplicate and the calls on it.
func (g *generator) impatient() *Impatient {
	c := one(g, g.comms...)
	m := &Impatient{Comm: c.id}
	nanos := func() int64 { return int64(g.up(one(g, 2_000, 20_000, 200_000))) }
	for range 1 + g.up(4) {
		from, to := g.ends(c)
		h := Hurry{From: from, To: to, Mode: one(g, Standard, Standard, Synchronous), Later: g.chance(40), Probe: g.chance(20), SendNanos: nanos(), RecvNanos: nanos(), Pause: nanos()}
		for range 1 + g.up(3) {
			h.Bytes = append(h.Bytes, hurryMin+g.bytes())
		}
		if g.chance(40) {
			h.SendShape, h.RecvShape = one(g, append(shapes, "", "")...), one(g, append(shapes, "", "")...)
		}
		h.Tries = g.up(len(h.Bytes) + 2)
		m.Hurries = append(m.Hurries, h)
	}
	if g.chance(60) {
		q := &Quit{Op: one(g, quits...), Count: 1 + g.bytes()/8/c.size, Absent: g.rng.IntN(c.size+1) - 1, Later: g.chance(30), Nanos: nanos(), Spread: nanos()}
		if g.c.Shape.value("WEFT_CHECK") == "on" { // it would be told that it has missed a call
			q.Absent = -1
		}
		m.Quit = q
	}
	return m
}
