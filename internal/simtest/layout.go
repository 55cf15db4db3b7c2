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
		if g := l.there(it.Collective.Comm, place); g.serves(it.Collective) {
			l.collective(it.Collective, g, place)
			return max(it.Collective.Turns, 1)
		}
	case it.Parted != nil:
		return l.parted(it.Parted, place)
	case it.Brief != nil:
		if g := l.there(it.Brief.Comm, place); g != nil && g.first == 0 {
			l.colls++
			key := keyOf(place, atAll)
			g.use(tame, key)
			l.each(g, step{key: key, kind: doBrief, brief: &briefing{Brief: it.Brief, comm: g, id: l.colls}})
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
		if g := l.there(it.Glance.Comm, place); g != nil && it.Glance.Rank < len(g.members) {
			g.use(tame, keyOf(place, atAll))
			l.add(g.members[it.Glance.Rank], step{key: keyOf(place, atAll), kind: doGlance, comm: g, probe: it.Glance.Probe, how: it.Glance.Wait})
		}
	}
	return 1
}

// there is a communicator that there is at a place; nil if there is none.
func (l *layouter) there(id, place int) *group {
	if g := l.byID[id]; g != nil && g.born <= keyOf(place, atStart) {
		return g
	}
	return nil
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
	g := l.there(m.Comm, place)
	if g == nil || m.From >= len(g.members) || m.To >= len(g.members) || !g.reaches(m.From, m.To) {
		return
	}
	send, recv := keyOf(place-m.Send.Lead, atStart), keyOf(place-m.Recv.Lead, atStart)
	if m.Mode == Ready {
		send = keyOf(place, atReady)
	}
	if m.Style != Plain {
		recv = keyOf(place, atWait)
	}
	s := &sending{comm: g, from: m.From, to: m.To, tag: m.Tag, bytes: m.Bytes, mode: m.Mode, kept: m.Send.Kept, slot: m.Send.Slot,
		shape: m.Send.Shape}
	r := &receiving{comm: g, from: m.From, to: m.To, tag: m.Tag, anyFrom: m.AnyFrom, anyTag: m.AnyTag, style: m.Style,
		kept: m.Recv.Kept, slot: m.Recv.Slot, shape: m.Recv.Shape, want: m}
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
	g := l.there(st.Comm, place)
	n := len(st.Parts)
	if g == nil || st.To >= len(g.members) || slices.ContainsFunc(st.Parts, func(p Part) bool { return p.From >= len(g.members) || !g.reaches(p.From, st.To) }) {
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
		s := &sending{comm: g, layer: wild, from: p.From, to: st.To, tag: p.Tag, bytes: p.Bytes, mode: p.Mode, slot: p.Slot, shape: p.Shape}
		s.flight = l.flight(g, g.members[p.From], keyOf(start, atStart), keyOf(over, atWait), All)
		s.flight.legal = keyOf(over, atStart)
		r := &receiving{comm: g, layer: wild, from: p.From, to: st.To, tag: p.Tag, anyFrom: st.AnyFrom, anyTag: st.AnyTag, style: p.Style, slot: p.Slot, shape: p.Shape}
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
	g := l.there(o.Comm, place)
	if g == nil || o.Rank >= len(g.members) {
		return
	}
	from := o.Rank
	if g.first > 0 {
		_, other := g.groupOf(o.Rank)
		from = other[0]
	}
	r := &receiving{comm: g, from: from, to: o.Rank, tag: orphanTags + place, anyFrom: o.AnyFrom, room: o.Room, style: Withdrawn}
	r.flight = l.flight(g, g.members[o.Rank], keyOf(place, atStart), keyOf(place+o.Lag, atAll), One)
	l.recvs = append(l.recvs, r)
}

// orphanTags are tags that no message has.
const orphanTags = 1 << 20

// exchange lays out a ring of Sendrecv calls.
func (l *layouter) exchange(e *Exchange, place int) {
	g := l.there(e.Comm, place)
	n := len(e.Ranks)
	if g == nil || g.first > 0 || n == 0 || slices.ContainsFunc(e.Ranks, func(r int) bool { return r >= len(g.members) }) {
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

// serves tells whether a call makes sense on a communicator.
func (g *group) serves(c *Collective) bool {
	switch {
	case g == nil || c.Root < 0 || c.Root >= len(g.members):
		return false
	case g.first > 0:
		return slices.Contains(between, c.Op)
	}
	return g.near != nil || !slices.Contains(betweenNeighbors, c.Op)
}

// collective lays out a call of all ranks of a group; one that is started again and again takes a place each time.
func (l *layouter) collective(c *Collective, g *group, place int) {
	l.colls++
	k := &collecting{Collective: c, comm: g, id: l.colls}
	for turn := range max(c.Turns, 1) {
		at := place + turn
		wait := keyOf(at, atWait)
		if c.Later && c.Turns == 0 {
			wait = keyOf(at+c.End.Lag, atWait)
		}
		g.use(tame, wait)
		l.seq++
		seq := l.seq
		for _, m := range g.members {
			l.handles++
			l.add(m, step{key: keyOf(at, atStart), seq: seq, kind: doCollective, coll: k, turn: turn, handle: l.handles})
			l.add(m, step{key: wait, kind: doWait, handle: l.handles, how: c.End.Wait})
		}
	}
}

// sided lays out what all ranks of a group do with a window.
func (l *layouter) sided(s *Sided, place int) {
	g := l.there(s.Comm, place)
	if g == nil || g.first > 0 || slices.ContainsFunc(s.Turns, func(t Turn) bool { return t.Shift < 0 }) {
		return
	}
	l.colls++
	key := keyOf(place, atAll)
	g.use(tame, key)
	l.each(g, step{key: key, kind: doShare, share: &sharing{Sided: s, comm: g, id: l.colls}})
}

// makeComm lays out the making of communicators, one per color.
func (l *layouter) makeComm(m *Make, place int) {
	g := l.there(m.Parent, place)
	if g == nil {
		return
	}
	made := l.madeOf(g, m)
	if made == nil {
		return
	}
	key := keyOf(place, atAll)
	g.use(tame, key)
	l.each(g, step{key: key, kind: doMake, make: m, comm: g, groups: made})
	if m.How == "idup" { // each rank waits for it when it likes
		for i, rank := range g.members {
			own := keyOf(place+(m.ID+5*i)%(m.Lag+1), atWait)
			l.add(rank, step{key: own, kind: doMade, make: m, comm: g, groups: made})
		}
		key = keyOf(place+m.Lag, atWait) + 1
		g.use(tame, key)
	}
	for _, n := range made {
		n.born, n.last = key+1, key+1
		l.groups = append(l.groups, n)
		l.byID[n.number] = n
		l.each(n, step{key: key, kind: doLayers, comm: n})
	}
}

// madeOf are the communicators that are made; none if that makes no sense.
func (l *layouter) madeOf(g *group, m *Make) (made []*group) {
	like := func(members []int, first int) *group { return &group{number: m.ID, members: members, first: first} }
	all := slices.Clone(g.members)
	colors := len(m.Colors) == len(g.members)
	keys := colors && len(m.Keys) == len(g.members)
	switch {
	case m.How == "dup" || m.How == "idup":
		n := like(all, g.first)
		n.near, n.made = g.near, g.made
		return []*group{n}
	case m.How == "merge" && g.first > 0:
		if m.High == 0 {
			all = slices.Concat(all[g.first:], all[:g.first])
		}
		return []*group{like(all, 0)}
	case m.How == "split" && keys:
		made = []*group{} // all call, whether anything comes of it or not
		for color := range slices.Max(m.Colors) + 1 {
			if n := l.coloredGroup(g, m, color); len(n.members) > 0 {
				made = append(made, n)
			}
		}
		return made
	case g.first > 0:
		return nil
	case m.hasNeighbors():
		if near := m.nearby(len(g.members)); near != nil {
			n := like(all, 0)
			n.near, n.made = near, m
			return []*group{n}
		}
	case m.How == "create" && colors:
		return []*group{like(l.colored(g, m, 0), 0)}
	case m.How == "group" && keys:
		if members := l.colored(g, m, 0); len(members) > 0 {
			return []*group{like(members, 0)}
		}
	case m.How == "inter" && keys:
		first, second := l.colored(g, m, 0), l.colored(g, m, 1)
		if len(first) > 0 && len(second) > 0 {
			return []*group{like(slices.Concat(first, second), len(first))}
		}
	}
	return nil
}

// coloredGroup is the group of a color, or both groups.
func (l *layouter) coloredGroup(g *group, m *Make, color int) *group {
	n := &group{number: m.ID + color, members: l.colored(g, m, color)}
	if g.first == 0 {
		return n
	}
	inFirst := func(world int) bool { return g.rankOf(world) < g.first }
	var first, second []int
	for _, world := range n.members {
		if inFirst(world) {
			first = append(first, world)
		} else {
			second = append(second, world)
		}
	}
	n.members, n.first = slices.Concat(first, second), len(first)
	if len(first) == 0 || len(second) == 0 { // there is none then
		n.members = nil
	}
	return n
}

// colored returns the members of a new group in their order.
func (l *layouter) colored(g *group, m *Make, color int) []int {
	var ranks []int
	for i, c := range m.Colors {
		if c == color {
			ranks = append(ranks, i)
		}
	}
	if len(m.Keys) > 0 {
		slices.SortStableFunc(ranks, func(a, b int) int { return m.Keys[a] - m.Keys[b] })
	}
	for i, r := range ranks {
		ranks[i] = g.members[r]
	}
	return ranks
}
