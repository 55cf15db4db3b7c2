package sim

// turns has an interface send long messages of different connections one after the other, with a pause in
// between. Those of one connection follow each other without.
type turns struct {
	whose *flow // whose message is being sent
	last  *flow // whose was the one before
	ended int64 // and when that had left
	line  []*flow
}

// take tells whether w may begin its message now. If not it is called when it may.
func (p *port) take(w *flow, now int64) bool {
	c, t := p.node.f.cost, &p.turn
	switch {
	case c.serial.get() == 0 || !c.longBytes.exceeds(w.cur.n) || t.whose == w:
		return true
	case t.whose != nil:
		w.busy, w.queued, w.at = true, true, -1
		t.line = append(t.line, w)
		return false
	}
	t.whose = w
	if begins := t.ended + c.serial.get(); t.last != nil && t.last != w && begins > now {
		w.wait(begins)
		return false
	}
	return true
}

// leave ends the turn of w, if it has it, at a time, and gives it to who waits for it.
func (p *port) leave(w *flow, at int64) {
	t := &p.turn
	if t.whose != w {
		return
	}
	t.whose, t.last, t.ended = nil, w, at
	for len(t.line) > 0 && t.whose == nil {
		next := t.line[0]
		t.line = t.line[1:]
		if !next.queued {
			continue // it has given up
		}
		next.queued = false
		t.whose = next
		if next != w {
			at += p.node.f.cost.serial.get()
		}
		next.wait(at)
	}
}
