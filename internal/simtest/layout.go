package simtest

import (
	"cmp"
	"slices"
)

// program is a case laid out: what each rank does, and all messages.
type program struct {
	scripts [][]*step // by rank of the world
	groups  []*group
	sends   []*sending // by id-1
	cuts    bool       // some receive may be too small
}

// layouter makes a program of a case.
type layouter struct {
	*program
	c       *Case
	byID    map[int]*group
	recvs   []*receiving
	seq     int
	handles int
	colls   int
	end     int64 // the highest key so far
}

// layOut makes a program of a case. Items that make no sense, because what they need was left out, are left out.
func layOut(c *Case) *program {
	world := &group{members: make([]int, c.Shape.Ranks)}
	for i := range world.members {
		world.members[i] = i
	}
	l := &layouter{program: &program{scripts: make([][]*step, c.Shape.Ranks), groups: []*group{world}}, c: c, byID: map[int]*group{0: world}}
	l.each(world, step{key: -1, kind: doLayers, comm: world})
	place := 1
	for _, it := range c.Items {
		place += l.item(it, place)
	}
	l.match()
	l.ends()
	for _, g := range slices.Backward(l.groups[1:]) {
		l.each(g, step{key: g.last/perPlace*perPlace + atFree, kind: doFree, comm: g})
	}
	l.collective(&Collective{Op: "barrier"}, world, int(l.end/perPlace)+1)
	for i, s := range l.scripts {
		slices.SortStableFunc(s, func(a, b *step) int { return cmp.Or(cmp.Compare(a.key, b.key), a.seq-b.seq) })
		l.scripts[i] = join(s)
	}
	return l.program
}

// item lays out one item and returns how many places it takes.
func (l *layouter) item(it Item, place int) int {
	switch {
	case it.Message != nil:
		l.message(it.Message, place)
	case it.Storm != nil:
		return l.storm(it.Storm, place)
	case it.Exchange != nil:
		l.exchange(it.Exchange, place)
	case it.Collective != nil:
		if g := l.byID[it.Collective.Comm]; g != nil && it.Collective.Root < len(g.members) && (g.near != nil || !slices.Contains(betweenNeighbors, it.Collective.Op)) {
			l.collective(it.Collective, g, place)
		}
	case it.Sided != nil:
		l.sided(it.Sided, place)
	case it.Impatient != nil:
		l.impatient(it.Impatient, place)
	case it.Make != nil:
		l.makeComm(it.Make, place)
	case it.Compute != nil:
		if r := it.Compute.Rank; r < l.c.Shape.Ranks {
			l.add(r, step{key: keyOf(place, atAll), kind: doCompute, nanos: it.Compute.Nanos})
		}
	case it.Orphan != nil:
		l.orphan(it.Orphan, place)
	case it.Glance != nil:
		if g := l.byID[it.Glance.Comm]; g != nil && it.Glance.Rank < len(g.members) {
			g.use(tame, keyOf(place, atAll))
			l.add(g.members[it.Glance.Rank], step{key: keyOf(place, atAll), kind: doGlance, comm: g, probe: it.Glance.Probe, how: it.Glance.Wait})
		}
	}
	return 1
}

// add gives a rank of the world a step.
func (l *layouter) add(world int, s step) {
	l.seq++
	if s.seq == 0 {
		s.seq = l.seq
	}
	l.end = max(l.end, s.key)
	l.scripts[world] = append(l.scripts[world], &s)
}

// each gives a step to all ranks of a group.
func (l *layouter) each(g *group, s step) {
	l.seq++
	s.seq = l.seq
	for _, m := range g.members {
		l.add(m, s)
	}
}

// flight makes the flight of an end. Its steps come later, when all is known about it.
func (l *layouter) flight(g *group, world int, start, wait int64, how Waiting) flight {
	l.handles++
	l.seq++
	return flight{handle: l.handles, rank: world, start: max(start, g.born), wait: wait, how: how, seq: l.seq}
}

// message lays out one message on the tame layer; match decides who gets it.
func (l *layouter) message(m *Message, place int) {
	g := l.byID[m.Comm]
	if g == nil || m.From >= len(g.members) || m.To >= len(g.members) {
		return
	}
	send, recv := keyOf(place-m.Send.Lead, atStart), keyOf(place-m.Recv.Lead, atStart)
	if m.Mode == Ready {
		send = keyOf(place, atReady)
	}
	if m.Style != Plain {
		recv = keyOf(place, atWait)
	}
	s := &sending{comm: g, from: m.From, to: m.To, tag: m.Tag, bytes: m.Bytes, mode: m.Mode, kept: m.Send.Kept, slot: m.Send.Slot}
	r := &receiving{comm: g, from: m.From, to: m.To, tag: m.Tag, anyFrom: m.AnyFrom, anyTag: m.AnyTag, style: m.Style,
		kept: m.Recv.Kept, slot: m.Recv.Slot, want: m}
	r.flight = l.flight(g, g.members[m.To], recv, keyOf(place+m.Recv.Lag, atWait), m.Recv.Wait)
	if m.Mode == Ready {
		l.token(g, m, place)
	}
	s.flight = l.flight(g, g.members[m.From], send, keyOf(place+m.Send.Lag, atWait), m.Send.Wait)
	l.enlist(s, r)
}

// enlist numbers a message and adds both of its ends.
func (l *layouter) enlist(s *sending, r *receiving) {
	l.sends = append(l.sends, s)
	s.id = len(l.sends)
	l.recvs = append(l.recvs, r)
}

// token has the receiver of a ready send tell its sender that the receive is posted.
func (l *layouter) token(g *group, m *Message, place int) {
	s := &sending{comm: g, layer: control, from: m.To, to: m.From, tag: place}
	r := &receiving{comm: g, layer: control, from: m.To, to: m.From, tag: place}
	s.flight = l.flight(g, g.members[m.To], keyOf(place, atToken), keyOf(place, atWait), One)
	r.flight = l.flight(g, g.members[m.From], keyOf(place, atHear), keyOf(place, atHear), One)
	s.met, r.met = r, s
	s.flight.legal, r.flight.legal = keyOf(place, atHear)+1, keyOf(place, atToken)+1
	l.enlist(s, r)
}

// storm lays out a storm and returns the places it takes: one for early receives, one per message sent, one
// per blocking receive, one per replacement, one for the waits and one for the barrier behind which
// wildcards are safe again.
func (l *layouter) storm(st *Storm, place int) int {
	g := l.byID[st.Comm]
	n := len(st.Parts)
	if g == nil || st.To >= len(g.members) || slices.ContainsFunc(st.Parts, func(p Part) bool { return p.From >= len(g.members) }) {
		return 1
	}
	room := map[[2]int]int{} // of the longest message that a receive may get
	class := func(p Part) (c [2]int) {
		if !st.AnyFrom {
			c[0] = p.From
		}
		if !st.AnyTag {
			c[1] = p.Tag
		}
		return c
	}
	for _, p := range st.Parts {
		room[class(p)] = max(room[class(p)], p.Bytes)
	}
	sent, posted, over := place+n, place, place+1+3*n
	for i, p := range st.Parts {
		start := place + 1 + i
		s := &sending{comm: g, layer: wild, from: p.From, to: st.To, tag: p.Tag, bytes: p.Bytes, mode: p.Mode, slot: p.Slot}
		s.flight = l.flight(g, g.members[p.From], keyOf(start, atStart), keyOf(over, atWait), All)
		s.flight.legal = keyOf(over, atStart)
		r := &receiving{comm: g, layer: wild, from: p.From, to: st.To, tag: p.Tag, anyFrom: st.AnyFrom, anyTag: st.AnyTag, style: p.Style, slot: p.Slot}
		r.room = room[class(p)] + p.Room
		if p.Room < 0 {
			r.room, r.mayCut = room[class(p)]/2, true
		}
		l.cuts = l.cuts || r.mayCut
		key, wait := keyOf(min(start+p.Swap, sent), atStart), keyOf(over, atWait)
		switch {
		case p.Style != Plain && p.Style != Withdrawn:
			key = keyOf(sent+1+i, atWait)
			wait = max(wait, key)
		case st.Early:
			key = keyOf(posted, atStart)
		}
		r.flight = l.flight(g, g.members[st.To], key, wait, Any)
		r.flight.legal = min(keyOf(over, atStart), wait)
		if p.Style == Withdrawn {
			r.flight.wait = key + atAll + int64(i%3)*perPlace
			l.add(g.members[st.To], step{key: keyOf(place+1+2*n+i, atWait), kind: doReplace, recv: r})
		}
		l.enlist(s, r)
	}
	if st.AnyFrom {
		l.collective(&Collective{Op: "barrier"}, g, over+1)
	}
	return 3*n + 3
}

// orphan lays out a receive that is withdrawn for sure.
func (l *layouter) orphan(o *Orphan, place int) {
	g := l.byID[o.Comm]
	if g == nil || o.Rank >= len(g.members) {
		return
	}
	r := &receiving{comm: g, from: o.Rank, to: o.Rank, tag: orphanTags + place, anyFrom: o.AnyFrom, room: o.Room, style: Withdrawn}
	r.flight = l.flight(g, g.members[o.Rank], keyOf(place, atStart), keyOf(place+o.Lag, atAll), One)
	l.recvs = append(l.recvs, r)
}

// orphanTags are tags that no message has.
const orphanTags = 1 << 20

// exchange lays out a ring of Sendrecv calls.
func (l *layouter) exchange(e *Exchange, place int) {
	g := l.byID[e.Comm]
	n := len(e.Ranks)
	if g == nil || n == 0 || slices.ContainsFunc(e.Ranks, func(r int) bool { return r >= len(g.members) }) {
		return
	}
	g.use(control, keyOf(place, atAll))
	base := len(l.sends) + 1
	for i, r := range e.Ranks {
		s := &sending{comm: g, layer: control, from: r, to: e.Ranks[(i+1)%n], tag: place, bytes: e.Bytes, id: base + i}
		l.sends = append(l.sends, s)
		l.add(g.members[r], step{key: keyOf(place, atAll), kind: doExchange, send: s, swap: &swapping{comm: g, tag: place, bytes: e.Bytes,
			to: e.Ranks[(i+1)%n], from: e.Ranks[(i+n-1)%n], out: base + i, in: base + (i+n-1)%n, replace: e.Replace}})
	}
}

// collective lays out a call of all ranks of a group.
func (l *layouter) collective(c *Collective, g *group, place int) {
	l.colls++
	k := &collecting{Collective: c, comm: g, id: l.colls}
	wait := keyOf(place, atWait)
	if c.Later {
		wait = keyOf(place+c.End.Lag, atWait)
	}
	g.use(tame, wait)
	l.seq++
	seq := l.seq
	for _, m := range g.members {
		l.handles++
		l.add(m, step{key: keyOf(place, atStart), seq: seq, kind: doCollective, coll: k, handle: l.handles})
		l.add(m, step{key: wait, kind: doWait, handle: l.handles, how: c.End.Wait})
	}
}

// sided lays out what all ranks of a group do with a window.
func (l *layouter) sided(s *Sided, place int) {
	g := l.byID[s.Comm]
	if g == nil || slices.ContainsFunc(s.Turns, func(t Turn) bool { return t.Shift < 0 }) {
		return
	}
	l.colls++
	key := keyOf(place, atAll)
	g.use(tame, key)
	l.each(g, step{key: key, kind: doShare, share: &sharing{Sided: s, comm: g, id: l.colls}})
}

// makeComm lays out the making of communicators, one per color.
func (l *layouter) makeComm(m *Make, place int) {
	g := l.byID[m.Parent]
	if g == nil {
		return
	}
	near := (*nearby)(nil)
	if m.hasNeighbors() {
		if near = m.nearby(len(g.members)); near == nil {
			return
		}
	} else if m.How != "dup" && len(m.Colors) != len(g.members) || m.How == "split" && len(m.Keys) != len(g.members) {
		return
	}
	var made []*group
	switch m.How {
	case "graph", "grid", "hood":
		made = []*group{{number: m.ID, members: slices.Clone(g.members), near: near, made: m}}
	case "dup":
		made = []*group{{number: m.ID, members: slices.Clone(g.members), near: g.near, made: g.made}}
	case "create":
		made = []*group{{number: m.ID, members: l.colored(g, m, 0)}}
	case "split":
		for color := range slices.Max(m.Colors) + 1 {
			if members := l.colored(g, m, color); len(members) > 0 {
				made = append(made, &group{number: m.ID + color, members: members})
			}
		}
	}
	key := keyOf(place, atAll)
	g.use(tame, key)
	l.each(g, step{key: key, kind: doMake, make: m, comm: g, groups: made})
	for _, n := range made {
		n.born, n.last = key+1, key+1
		l.groups = append(l.groups, n)
		l.byID[n.number] = n
		l.each(n, step{key: key, kind: doLayers, comm: n})
	}
}

// colored returns the members of a new group in their order.
func (l *layouter) colored(g *group, m *Make, color int) []int {
	var ranks []int
	for i, c := range m.Colors {
		if c == color {
			ranks = append(ranks, i)
		}
	}
	if m.How == "split" {
		slices.SortStableFunc(ranks, func(a, b int) int { return m.Keys[a] - m.Keys[b] })
	}
	for i, r := range ranks {
		ranks[i] = g.members[r]
	}
	return ranks
}
