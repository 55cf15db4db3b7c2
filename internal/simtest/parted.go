package simtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// Parted is a message in parts, which is made once and started in several turns. Its bytes are Unit times the numbers
// of parts of both ends, so that each end can cut them its own way.
type Parted struct {
	Comm                 int
	From, To, Tag        int
	Unit                 int
	SendParts, RecvParts int
	Turns                int
	Late                 bool `json:",omitempty"` // the receiver makes its end one item later
	Later                bool `json:",omitempty"` // it starts when the first parts are ready
	Looks                bool `json:",omitempty"` // it reads parts as they arrive
	Send, Recv           End
}

// lengths calls note for every number.
func (m *Parted) lengths(note func(int)) {
	for _, n := range []int{m.Unit, m.SendParts - 1, m.RecvParts - 1, m.Turns} {
		note(n)
	}
	if few := 1 << 20; max(m.Unit, m.SendParts, m.RecvParts, m.Turns) > few {
		note(-1)
	}
	note(m.bytes())
}

func (m *Parted) bytes() int { return m.Unit * m.SendParts * m.RecvParts }

// parting is what one end does at one time.
type parting struct {
	*Parted
	comm   *group
	id     int
	sends  bool
	turn   int
	does   string // make, start, ready, look, free
	which  int    // ready: the first or the second half of the parts
	handle int
	legal  int64
}

// partedKey is one end of such a message; a rank may have both.
type partedKey struct {
	id    int
	sends bool
}

type partedEnd struct {
	buf  []byte
	req  mpi.Request
	send mpi.PartSend
	recv mpi.PartRecv
}

// parted lays out a message in parts and returns the places it takes.
func (l *layouter) parted(m *Parted, place int) int {
	g := l.there(m.Comm, place)
	if g == nil || min(m.From, m.To) < 0 || max(m.From, m.To) >= len(g.members) || !g.reaches(m.From, m.To) {
		return 1
	}
	l.colls++
	id := l.colls
	last := place + 1 + 2*m.Turns
	g.use(tame, keyOf(last, atFree-1))
	for _, sends := range []bool{true, false} {
		world, end, made := g.members[m.To], m.Recv, place
		if sends {
			world, end = g.members[m.From], m.Send
		} else if m.Late {
			made++
		}
		add := func(key int64, p parting) {
			p.Parted, p.comm, p.id, p.sends = m, g, id, sends
			l.add(world, step{key: key, kind: doParted, handle: p.handle, part: &p})
		}
		add(keyOf(made, atStart), parting{does: "make"})
		for turn := range m.Turns {
			at := place + 2 + 2*turn
			start := keyOf(at, atStart)
			if !sends && m.Later {
				start = keyOf(at, atReady)
			}
			l.handles++
			add(start, parting{does: "start", turn: turn, handle: l.handles, legal: keyOf(at, atAll) + 2})
			if sends {
				add(keyOf(at, atHear), parting{does: "ready", turn: turn})
				add(keyOf(at, atAll)+1, parting{does: "ready", turn: turn, which: 1})
			} else if m.Looks {
				add(keyOf(at, atAll), parting{does: "look", turn: turn})
				add(keyOf(at, atAll)+2, parting{does: "look", turn: turn, which: 1})
			}
			l.add(world, step{key: keyOf(at, atWait), kind: doWait, handle: l.handles, how: end.Wait})
		}
		add(keyOf(last, atFree-2), parting{does: "free"})
	}
	return last - place + 1
}

// payload is the number of a turn's message: no other message has it.
func (p *parting) payload() int { return 1<<50 | p.id<<16 | p.turn }

// inParts does the next thing at one end.
func (a *actor) inParts(s *step) error {
	p, key := s.part, partedKey{s.part.id, s.part.sends}
	e := a.parted[key]
	switch p.does {
	case "make":
		a.parted[key] = p.make(a.comm(p.comm, tame))
	case "start":
		return a.startParts(p, e)
	case "ready":
		return p.ready(e)
	case "look":
		return p.look(e)
	case "free":
		delete(a.parted, key)
		return e.req.Free()
	}
	return nil
}

func (p *parting) make(c *mpi.Comm) *partedEnd {
	e := &partedEnd{buf: make([]byte, p.bytes())}
	if p.sends {
		e.send = mpi.PsendInit(c, e.buf, p.SendParts, p.comm.called(p.To), p.Tag)
		e.req = e.send.Request
	} else {
		e.recv = mpi.PrecvInit(c, e.buf, p.RecvParts, p.comm.called(p.From), p.Tag)
		e.req = e.recv.Request
	}
	return e
}

// startParts starts a turn. The sender fills in parts when they get ready.
func (a *actor) startParts(p *parting, e *partedEnd) error {
	paint(e.buf, blank)
	if err := mpi.Start(e.req); err != nil {
		return err
	}
	a.fly(&live{handle: p.handle, legal: p.legal, req: e.req, finish: func(st mpi.Status, err error) error {
		if err != nil {
			return err
		}
		if at := differs(e.buf, p.payload()); at >= 0 {
			return fmt.Errorf("byte %d of %d is wrong in turn %d of message in parts %d", at, len(e.buf), p.turn, p.id)
		}
		from, expected := p.comm.heard(p.comm.rankOf(a.rank), st.Source), !p.sends && st.Source != unknown
		if expected && (from != p.From || st.Tag != p.Tag || st.Bytes != len(e.buf)) {
			return fmt.Errorf("the status of a message in parts of %d bytes is %+v", len(e.buf), st)
		}
		if p.sends {
			paint(e.buf, spent)
		} else {
			a.checked += int64(len(e.buf))
		}
		return nil
	}})
	return nil
}

// ready fills in half of the parts, and says one after the other, in some order, that they are ready.
func (p *parting) ready(e *partedEnd) error {
	whole := make([]byte, len(e.buf))
	fill(whole, p.payload())
	var errs []error
	var run []int // parts next to each other
	flush := func() {
		if len(run) == 1 {
			errs = append(errs, e.send.Ready(run...))
		} else if len(run) > 1 {
			errs = append(errs, e.send.ReadyRange(slices.Min(run), slices.Max(run)+1))
		}
		run = nil
	}
	size := len(e.buf) / p.SendParts
	order := make([]int, p.SendParts)
	for i := range order {
		order[i] = i
	}
	if p.turn%2 > 0 {
		slices.Reverse(order)
	}
	for _, i := range order {
		if mix(uint64(p.payload()), uint64(i))>>7%2 != uint64(p.which) {
			flush()
			continue
		}
		copy(e.buf[i*size:(i+1)*size], whole[i*size:])
		run = append(run, i)
	}
	flush()
	return errors.Join(errs...)
}

// look reads the parts that have arrived.
func (p *parting) look(e *partedEnd) error {
	whole := make([]byte, len(e.buf))
	fill(whole, p.payload())
	size := len(e.buf) / p.RecvParts
	for i := range p.RecvParts {
		here, err := e.recv.Arrived(i)
		if err != nil {
			return err
		}
		if part := e.buf[i*size : (i+1)*size]; here && string(part) != string(whole[i*size:(i+1)*size]) {
			return fmt.Errorf("part %d of %d has arrived in turn %d, and its bytes are wrong", i, p.RecvParts, p.turn)
		}
	}
	return nil
}
