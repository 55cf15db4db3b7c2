package simtest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// memory is a buffer that several messages of a rank use one after the other.
type memory struct {
	bytes []byte
	busy  bool
}

// keptKey is what a persistent request is made with; keptRequest is one that is made.
type keptKey struct {
	recv             bool
	comm             *mpi.Comm
	peer, tag, bytes int
	mode             Mode
}

type keptRequest struct {
	req  mpi.Request
	buf  []byte
	busy bool
}

// buffer returns n bytes, from a slot if it is free, and what gives them back. own tells that nobody else
// will use them.
func (a *actor) buffer(slot, n int) (buf []byte, done func(), own bool) {
	if slot > 0 {
		m := a.slots[slot]
		if m == nil {
			m = &memory{}
			a.slots[slot] = m
		}
		if !m.busy {
			if cap(m.bytes) < n {
				m.bytes = make([]byte, n, n+n/2)
			}
			m.busy = true
			return m.bytes[:n], func() { m.busy = false }, false
		}
	}
	return make([]byte, n), func() {}, true
}

// send starts a message, and waits for it if that is the next step.
func (a *actor) send(s *step) error {
	m := s.send
	a.sent = append(a.sent, m)
	c := a.comm(m.comm, m.layer)
	if m.kept && (m.mode == Standard || m.mode == Synchronous) {
		return a.sendKept(s, c)
	}
	if m.shape != "" && m.mode == Standard {
		return a.sendApart(s, c)
	}
	buf, release, _ := a.buffer(m.slot, m.bytes)
	fill(buf, m.id)
	end := func(_ mpi.Status, err error) error {
		if at := differs(buf, m.id); at >= 0 {
			return fmt.Errorf("byte %d of the send buffer has changed", at)
		}
		paint(buf, spent)
		release()
		return err
	}
	if s.block {
		return end(mpi.Status{}, sendBlocking(m.mode, c, buf, m.comm.called(m.to), m.tag))
	}
	a.fly(&live{handle: s.handle, legal: m.flight.legal, req: sendLater(m.mode, c, buf, m.comm.called(m.to), m.tag), finish: end})
	return nil
}

// sendApart sends a message whose bytes do not lie next to each other.
func (a *actor) sendApart(s *step, c *mpi.Comm) error {
	m := s.send
	l := lay(m.shape, m.bytes, m.id)
	buf := make([]byte, m.bytes)
	fill(buf, m.id)
	l.put(buf, blank)
	end := func(_ mpi.Status, err error) error {
		if err := l.get(buf, blank); err != nil {
			return fmt.Errorf("the send buffer: %w", err)
		}
		if at := differs(buf, m.id); at >= 0 {
			return fmt.Errorf("byte %d of the message has changed where it was sent from", at)
		}
		paint(buf, spent)
		l.put(buf, spent)
		return err
	}
	if s.block {
		return end(mpi.Status{}, l.send(c, m.comm.called(m.to), m.tag))
	}
	a.fly(&live{handle: s.handle, legal: m.flight.legal, req: l.isend(c, m.comm.called(m.to), m.tag), finish: end})
	return nil
}

func sendBlocking(mode Mode, c *mpi.Comm, buf []byte, to, tag int) error {
	switch mode {
	case Synchronous:
		return mpi.Ssend(c, buf, to, tag)
	case Ready:
		return mpi.Rsend(c, buf, to, tag)
	case Buffered:
		return mpi.Bsend(c, buf, to, tag)
	}
	return mpi.Send(c, buf, to, tag)
}

func sendLater(mode Mode, c *mpi.Comm, buf []byte, to, tag int) mpi.Request {
	switch mode {
	case Synchronous:
		return mpi.Issend(c, buf, to, tag)
	case Ready:
		return mpi.Irsend(c, buf, to, tag)
	case Buffered:
		return mpi.Ibsend(c, buf, to, tag)
	}
	return mpi.Isend(c, buf, to, tag)
}

// keep returns a persistent request that is not in use.
func (a *actor) keep(k keptKey, make func(buf []byte) mpi.Request, buf func() []byte) *keptRequest {
	if p := a.kept[k]; p != nil && !p.busy {
		return p
	}
	b := buf()
	p := &keptRequest{req: make(b), buf: b}
	if a.kept[k] == nil {
		a.kept[k] = p
	}
	return p
}

// sendKept sends by a persistent request.
func (a *actor) sendKept(s *step, c *mpi.Comm) error {
	m := s.send
	p := a.keep(keptKey{false, c, m.to, m.tag, m.bytes, m.mode}, func(buf []byte) mpi.Request {
		if m.mode == Synchronous {
			return mpi.SsendInit(c, buf, m.comm.called(m.to), m.tag)
		}
		return mpi.SendInit(c, buf, m.comm.called(m.to), m.tag)
	}, func() []byte { return make([]byte, m.bytes) })
	fill(p.buf, m.id)
	p.busy = true
	if err := mpi.Start(p.req); err != nil {
		return err
	}
	a.fly(&live{handle: s.handle, legal: m.flight.legal, req: p.req, finish: func(_ mpi.Status, err error) error {
		paint(p.buf, spent)
		p.busy = false
		return err
	}})
	return nil
}

// receive starts a receive in its style.
func (a *actor) receive(s *step) error {
	r := s.recv
	r.withdrew = false
	switch r.style {
	case Probed, Polled:
		return a.receiveProbed(s, r)
	case Matched, Claimed:
		return a.receiveMatched(s, r)
	}
	if r.kept {
		return a.receiveKept(s, r)
	}
	return a.receivePlain(s, r)
}

// asked notes a receive.
func (a *actor) asked(r *receiving) *note {
	n := &note{r: r, comm: r.comm, layer: r.layer, from: r.from, tag: r.tag}
	if r.anyFrom {
		n.from = mpi.AnySource
	}
	if r.anyTag {
		n.tag = mpi.AnyTag
	}
	a.notes = append(a.notes, n)
	return n
}

// landing is where a message goes, next to each other or apart, and what looks at it when the message is there.
type landing struct {
	buf   []byte
	apart *laid // nil: the bytes go to buf
	end   func(mpi.Status, error) error
}

// landing makes the buffer of a receive.
func (a *actor) landing(r *receiving, n *note) *landing {
	if r.shape != "" {
		d := &landing{buf: make([]byte, r.room), apart: lay(r.shape, r.room, r.flight.handle)}
		paint(d.buf, blank)
		d.apart.put(d.buf, blank)
		d.end = func(st mpi.Status, err error) error {
			if err := d.apart.get(d.buf, blank); err != nil {
				return err
			}
			return a.arrived(n, d.buf, false, st, err)
		}
		return d
	}
	buf, release, own := a.buffer(r.slot, r.room)
	paint(buf, blank)
	return &landing{buf: buf, end: func(st mpi.Status, err error) error {
		release()
		return a.arrived(n, buf, own, st, err)
	}}
}

// recv and the others receive there, by what the library calls the sender.
func (d *landing) recv(c *mpi.Comm, from, tag int) (mpi.Status, error) {
	if d.apart != nil {
		return d.apart.recv(c, from, tag)
	}
	return mpi.Recv(c, d.buf, from, tag)
}

func (d *landing) irecv(c *mpi.Comm, from, tag int) mpi.Request {
	if d.apart != nil {
		return d.apart.irecv(c, from, tag)
	}
	return mpi.Irecv(c, d.buf, from, tag)
}

func (d *landing) mrecv(m *mpi.Message) (mpi.Status, error) {
	if d.apart != nil {
		return d.apart.mrecv(m)
	}
	return mpi.Mrecv(m, d.buf)
}

func (d *landing) imrecv(m *mpi.Message) mpi.Request {
	if d.apart != nil {
		return d.apart.imrec(m)
	}
	return mpi.Imrecv(m, d.buf)
}

// wrong is an error about the bytes of a receive from a rank of its communicator. If that rank's calls have
// ended with the job, it counts as that: the sender has its memory back, although a device may still read
// it for a receiver that does not know yet.
func (a *actor) wrong(n *note, from int, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if a.crew == nil || from < 0 || from >= len(n.comm.members) || !errors.Is(a.crew[n.comm.members[from]].err, mpi.ErrAborted) {
		return err
	}
	n.done = false // nobody judges it
	return fmt.Errorf("%w; %w", err, mpi.ErrAborted)
}

// arrived notes what a receive came to.
func (a *actor) arrived(n *note, buf []byte, own bool, st mpi.Status, err error) error {
	st.Source = n.comm.heard(n.comm.rankOf(a.rank), st.Source)
	n.cut = errors.Is(err, mpi.ErrTruncate)
	if err != nil && !n.cut {
		return err
	}
	n.done, n.st = true, st
	if st.Cancelled {
		n.kind = withdrawn
		if at := unpainted(buf, blank); at >= 0 {
			return fmt.Errorf("byte %d of a withdrawn receive's buffer was written", at)
		}
		return nil
	}
	got := buf
	if st.Source != unknown {
		if st.Bytes < 0 || st.Bytes > len(buf) && !n.cut {
			return fmt.Errorf("%d bytes arrived in a buffer of %d", st.Bytes, len(buf))
		}
		got = buf[:min(st.Bytes, len(buf))]
		if at := unpainted(buf[len(got):], blank); at >= 0 {
			return fmt.Errorf("byte %d was written behind a message of %d bytes", len(got)+at, len(got))
		}
		if n.id = idOf(got); n.id != 0 {
			if at := differs(got, n.id); at >= 0 {
				return a.wrong(n, st.Source, "byte %d of %d is wrong in what looks like message %d", at, len(got), n.id)
			}
		}
	} else if n.r.met != nil {
		got = buf[:min(n.r.met.bytes, len(buf))]
		if n.id = idOf(got); differs(got, n.r.met.id) >= 0 {
			return a.wrong(n, n.r.met.from, "byte %d of %d is wrong in message %d", differs(got, n.r.met.id), len(got), n.r.met.id)
		}
	}
	a.checked += int64(len(got))
	if len(got) < 8 {
		n.short = bytes.Clone(got)
	} else if own {
		n.keep, n.keepID = got, n.id
	}
	return nil
}

// receivePlain receives by Recv or Irecv.
func (a *actor) receivePlain(s *step, r *receiving) error {
	n := a.asked(r)
	d := a.landing(r, n)
	c := a.comm(r.comm, r.layer)
	if s.block {
		return d.end(d.recv(c, n.called(), n.tag))
	}
	a.fly(&live{handle: s.handle, legal: r.flight.legal, alone: r.mayCut || r.style == Withdrawn, wild: r.met == nil,
		req: d.irecv(c, n.called(), n.tag), finish: d.end})
	return nil
}

// called is what the library calls the sender that was asked for.
func (n *note) called() int { return n.comm.called(n.from) }

// receiveKept receives by a persistent request.
func (a *actor) receiveKept(s *step, r *receiving) error {
	n := a.asked(r)
	c := a.comm(r.comm, r.layer)
	p := a.keep(keptKey{true, c, n.from, n.tag, r.room, Standard}, func(buf []byte) mpi.Request {
		return mpi.RecvInit(c, buf, n.called(), n.tag)
	}, func() []byte { return make([]byte, r.room) })
	paint(p.buf, blank)
	p.busy = true
	if err := mpi.Start(p.req); err != nil {
		return err
	}
	a.fly(&live{handle: s.handle, legal: r.flight.legal, alone: r.mayCut, wild: r.met == nil, req: p.req,
		finish: func(st mpi.Status, err error) error {
			p.busy = false
			return a.arrived(n, p.buf, false, st, err)
		}})
	return nil
}

// receiveProbed looks for a message and receives the one it has found.
func (a *actor) receiveProbed(s *step, r *receiving) error {
	c := a.comm(r.comm, r.layer)
	seen := a.asked(r)
	seen.kind = saw
	st, found, err := mpi.Status{}, false, error(nil)
	if r.style == Probed {
		st, err = mpi.Probe(c, seen.called(), seen.tag)
		found = true
	}
	for pause := int64(firstPause); !found && err == nil; pause = min(2*pause, lastPause) {
		if st, found, err = mpi.Iprobe(c, seen.called(), seen.tag); !found {
			a.stage.compute(a.rank, pause)
		}
	}
	if err != nil {
		return err
	}
	a.stage.trace(a.rank, "a probe finds %+v", st)
	n := a.asked(r)
	n.from, n.tag = r.comm.heard(r.comm.rankOf(a.rank), st.Source), st.Tag
	seen.done, seen.st = true, st
	seen.st.Source = n.from
	d := a.landing(r, n)
	got, err := d.recv(c, st.Source, st.Tag)
	if err == nil && got != st {
		return fmt.Errorf("a probe found %+v, the receive got %+v", st, got)
	}
	return d.end(got, err)
}

// receiveMatched takes a message out of the queue and receives it, unless that comes later.
func (a *actor) receiveMatched(s *step, r *receiving) error {
	c := a.comm(r.comm, r.layer)
	n := a.asked(r)
	var m *mpi.Message
	var err error
	if r.style == Matched {
		m, err = mpi.Mprobe(c, n.called(), n.tag)
	}
	for pause := int64(firstPause); r.style == Claimed && m == nil && err == nil; pause = min(2*pause, lastPause) {
		if m, err = mpi.Improbe(c, n.called(), n.tag); m == nil {
			a.stage.compute(a.rank, pause)
		}
	}
	if err != nil {
		return err
	}
	a.stage.trace(a.rank, "a probe takes %+v", m.Status())
	a.claims[s.handle] = claim{m, n}
	if r.held() {
		return nil
	}
	return a.takeClaimed(s, r)
}

// takeClaimed receives a message that was taken out of the queue before.
func (a *actor) takeClaimed(s *step, r *receiving) error {
	m, n := a.claims[s.handle].m, a.claims[s.handle].n
	delete(a.claims, s.handle)
	seen := m.Status()
	d := a.landing(r, n)
	check := func(st mpi.Status, err error) error {
		if err == nil && st.Source != unknown && st != seen {
			return fmt.Errorf("a matched probe found %+v, the receive got %+v", seen, st)
		}
		return d.end(st, err)
	}
	if s.block {
		return check(d.mrecv(m))
	}
	a.fly(&live{handle: s.handle, legal: r.flight.legal, alone: r.mayCut, wild: r.met == nil, req: d.imrecv(m), finish: check})
	return nil
}

// cancel withdraws a receive, or has what it got.
func (a *actor) cancel(s *step) error {
	l := a.find(s.handle)
	if l == nil {
		return nil // a glance has seen it end
	}
	if err := l.req.Cancel(); err != nil {
		return err
	}
	st, err := l.req.Wait()
	s.recv.withdrew = st.Cancelled
	return a.land(l, st, err)
}

// exchange passes a message on while another comes.
func (a *actor) exchange(s *step) error {
	x := s.swap
	a.sent = append(a.sent, s.send)
	c := a.comm(x.comm, control)
	out := make([]byte, x.bytes)
	fill(out, x.out)
	r := &receiving{comm: x.comm, layer: control, from: x.from, to: s.send.from, tag: x.tag, room: x.bytes}
	n := a.asked(r)
	if x.replace {
		st, err := mpi.SendrecvReplace(c, out, x.to, x.tag, x.from, x.tag)
		return a.arrived(n, out, true, st, err)
	}
	in := make([]byte, x.bytes)
	paint(in, blank)
	st, err := mpi.Sendrecv(c, out, x.to, x.tag, in, x.from, x.tag)
	if at := differs(out, x.out); at >= 0 {
		return fmt.Errorf("byte %d of the send buffer has changed", at)
	}
	paint(out, spent)
	return a.arrived(n, in, true, st, err)
}
