package rail

import "github.com/weft-mpi/weft/internal/rail/stripe"

// Long messages that come and long messages that go have a lane in common at first. A lane is served in
// order: a Read that is posted behind a Write is asked for when the Write has left, and one that is posted
// while the peer reads from us, when it has its answer, although the bytes of both travel in opposite
// directions. So where they meet, the path gets a second lane, and each lane carries the bytes of one
// direction from then on: bulk those that go to the higher rank, back the others. Requests to read find
// nothing before them there, because what they ask for comes from the other end.

// way is a direction in which the bytes of long messages travel: in for those that we read, out for those
// that we write.
type way struct {
	sched  *stripe.Scheduler // made when the paths are known
	active []*transfer       // not all under way or done, oldest first
}

// waits tells whether there is something to put on lanes.
func (b *bulkState) waits() bool { return len(b.in.active)+len(b.out.active) > 0 }

// way is the direction of a transfer.
func (t *transfer) way() *way {
	if t.write {
		return &t.peer.bulk.out
	}
	return &t.peer.bulk.in
}

// ways are the directions in which bytes travel.
func (p *peer) ways() [2]*way { return [2]*way{&p.bulk.in, &p.bulk.out} }

// classOf is the class of lanes for the bytes of a direction.
func (p *peer) classOf(w *way) class {
	if (w == &p.bulk.in) == (p.link.cfg.Self < p.rank) {
		return back
	}
	return bulk
}

// laneFor is the lane by which a part of a transfer takes a path: that of its direction, else the one there is, or nil.
func (p *peer) laneFor(t *transfer, path int) *lane {
	c := p.classOf(t.way())
	if ln := p.standing(c, path); ln != nil {
		return ln
	}
	return p.standing(bulk+back-c, path)
}

// lacks is the class of the lane that a path lacks because what comes and what goes share the only one
// there is; express if it lacks none. Of the peer's reads we only know that it may read.
func (p *peer) lacks(path int) class {
	only, other := p.standing(bulk, path), p.standing(back, path)
	if other != nil {
		only, other = other, only
	}
	if only == nil || other != nil {
		return express
	}
	coming := len(p.bulk.in.active)+only.reads > 0
	going := len(p.bulk.out.active)+len(only.open) > only.reads || p.bulk.exposed > 0
	if coming && going {
		return bulk + back - only.class
	}
	return express
}

// scheduler decides how long messages of a direction use the paths to a peer. It is made with the first of
// them: most peers of a large job never see one. Paths count as down until a lane is there.
func (p *peer) scheduler(w *way) *stripe.Scheduler {
	if w.sched != nil {
		return w.sched
	}
	c := &p.link.cfg
	modes := map[string]stripe.Mode{"auto": stripe.Adaptive, "rate": stripe.Adaptive, "even": stripe.Even, "off": stripe.Multiplex}
	s, err := stripe.New(stripe.Config{Paths: len(p.paths), Mode: modes[c.Striping], Min: max(c.Stripe-1, 1), Window: pathWindow, Most: mostSpans * p.link.message})
	if err != nil {
		panic(err) // there are as many paths as find allows, and Config was checked
	}
	for i := range p.paths {
		if p.standing(bulk, i) == nil && p.standing(back, i) == nil {
			s.Down(i)
		}
	}
	w.sched = s
	return s
}

// pathWindow is how many pieces may be under way on a path.
const pathWindow = 16

// dialBulk asks for the lanes that long messages want: one on each path, and a second one where they meet each other.
func (p *peer) dialBulk() {
	for i := range p.paths {
		if p.lanes[p.slot(bulk, i)] == nil && p.standing(back, i) == nil {
			p.dial(bulk, i)
		}
		if c := p.lacks(i); c.long() {
			p.dial(c, i)
		}
	}
}

// pathUp has both directions use a path from now on: on probation if it was lost before.
func (p *peer) pathUp(path int, again bool) {
	for _, w := range p.ways() {
		switch {
		case w.sched == nil:
		case again:
			w.sched.Up(path)
		default:
			w.sched.Open(path)
		}
	}
}

// pathDown has no direction use a path any more.
func (p *peer) pathDown(path int) {
	for _, w := range p.ways() {
		if w.sched != nil {
			w.sched.Down(path)
		}
	}
}

// laneUp: a lane of long messages can be used, perhaps not the first one in its slot.
func (p *peer) laneUp(ln *lane, again bool) {
	if ln.class == back {
		p.link.Counters.BackLanes++
	}
	other := &p.berths[p.slot(bulk+back-ln.class, ln.path)]
	p.pathUp(ln.path, again || other.wasUp)
	p.pump()
}
