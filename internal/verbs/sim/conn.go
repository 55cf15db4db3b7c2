package sim

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

// listener accepts connections.
type listener struct {
	d      *Device
	port   *port
	addr   netip.AddrPort
	open   []*request
	closed bool
}

// request is a queue pair that asks for a connection. from is nil when it gave up or was answered.
type request struct {
	l       *listener
	from    *qp
	addr    netip.AddrPort
	private []byte
}

// Listen accepts connections on a rail.
func (d *Device) Listen(cfg verbs.ListenConfig) (verbs.Listener, error) {
	switch {
	case d.dead():
		return nil, verbs.ErrClosed
	case cfg.Rail < 0 || cfg.Rail >= len(d.node.ports):
		return nil, fmt.Errorf("sim: %w: rail %d of %d", verbs.ErrArgument, cfg.Rail, len(d.node.ports))
	}
	p := d.node.ports[cfg.Rail]
	l := &listener{d: d, port: p, addr: netip.AddrPortFrom(p.addr, cfg.Port)}
	if cfg.Port == 0 {
		l.addr = p.address()
	}
	if d.f.listeners[l.addr] != nil {
		return nil, fmt.Errorf("sim: somebody listens at %v: %w", l.addr, verbs.ErrBusy)
	}
	d.f.listeners[l.addr] = l
	d.listen = append(d.listen, l)
	return l, nil
}

func (l *listener) Addr() netip.AddrPort { return l.addr }

// Close ends listening; what was not answered is rejected.
func (l *listener) Close() error {
	l.d.f.s.Settle()
	if !l.closed {
		l.shut()
	}
	return nil
}

func (l *listener) shut() {
	l.closed = true
	delete(l.d.f.listeners, l.addr)
	for _, r := range l.open {
		r.refuse(nil)
	}
	l.open = nil
	l.d.listen = without(l.d.listen, l)
}

func tooLong(private []byte) error {
	if len(private) > maxPrivate {
		return fmt.Errorf("sim: %w: %d bytes of private data, the limit is %d", verbs.ErrArgument, len(private), maxPrivate)
	}
	return nil
}

// Connect asks for a connection.
func (q *qp) Connect(to netip.AddrPort, private []byte) error {
	f := q.p.d.f
	f.s.Settle()
	switch {
	case q.dead():
		return verbs.ErrClosed
	case q.cfg.Type != verbs.RC || !to.IsValid():
		return fmt.Errorf("sim: %w: connect %v to %v", verbs.ErrArgument, q.cfg.Type, to)
	case q.state != verbs.Init:
		return fmt.Errorf("sim: connect in %v: %w", q.state, verbs.ErrState)
	}
	if err := tooLong(private); err != nil {
		return err
	}
	q.state, q.addr = verbs.RTR, q.port.address()
	r := &request{from: q, addr: q.addr, private: slices.Clone(private)}
	q.asked = r
	far := f.portAt(to.Addr())
	if f.cannot(q.port, far) {
		f.later(f.cost.retry.get(), q, func() {
			q.refused(verbs.Event{Kind: verbs.ConnectFailed, Err: fmt.Errorf("sim: %v does not answer", to)})
		})
		return nil
	}
	f.laterFor(f.listening(to), f.cost.connect.get()+f.cost.trip(q.port, far), q, func() { r.arrive(to) })
	return nil
}

// arrive is the request at the peer's node.
func (r *request) arrive(to netip.AddrPort) {
	q := r.from
	if q == nil {
		return
	}
	f := q.p.d.f
	l := f.listeners[to]
	if l == nil {
		f.later(f.cost.trip(q.port, f.portAt(to.Addr())), q, func() {
			q.refused(verbs.Event{Kind: verbs.ConnectFailed, Err: fmt.Errorf("sim: nobody listens at %v", to)})
		})
		return
	}
	r.l = l
	l.open = append(l.open, r)
	l.d.event(verbs.Event{Kind: verbs.ConnectRequest, Peer: r.addr, Request: r})
}

// later has g called after d nanoseconds, unless q has changed meanwhile so that it does not concern it any more.
func (f *Fabric) later(d int64, q *qp, g func()) { f.laterFor(q.recvCQ, d, q, g) }

// laterFor is later for something that is news to whoever looks at c, nil if to nobody.
func (f *Fabric) laterFor(c *cq, d int64, q *qp, g func()) {
	epoch, at := q.epoch, f.s.Now()+d
	if c != nil {
		c.agenda.add(at)
	}
	f.s.At(at, func() {
		if c != nil {
			c.agenda.done()
		}
		if q.epoch == epoch && !q.dead() {
			g()
		}
	})
}

// listening is a queue of who listens at an address, nil if nobody does.
func (f *Fabric) listening(at netip.AddrPort) *cq {
	if l := f.listeners[at]; l != nil && len(l.d.cqs) > 0 {
		return l.d.cqs[0]
	}
	return nil
}

// refused ends an attempt to connect.
func (q *qp) refused(e verbs.Event) {
	e.Num = q.num
	q.asked = nil
	q.p.d.event(e)
	q.die(errBroken)
}

func (r *request) From() netip.AddrPort { return r.addr }
func (r *request) Private() []byte      { return r.private }

// done takes the request off its listener's list.
func (r *request) done() {
	r.l.open = without(r.l.open, r)
}

// Accept connects.
func (r *request) Accept(with verbs.QP, private []byte) error {
	f := r.l.d.f
	f.s.Settle()
	q, mine := with.(*qp)
	if !mine || q.p.d != r.l.d || q.cfg.Type != verbs.RC {
		return fmt.Errorf("sim: %w: accept with no queue pair of this device", verbs.ErrArgument)
	}
	if err := tooLong(private); err != nil {
		return err
	}
	a := r.from
	if a == nil || q.state != verbs.Init || q.dead() || r.l.closed {
		return fmt.Errorf("sim: answered before, given up, or a queue pair in %v: %w", q.state, verbs.ErrState)
	}
	r.done()
	r.from, a.asked = nil, nil
	a.peer, q.peer = q, a
	q.state, q.addr = verbs.RTR, q.port.address()
	said, way := slices.Clone(private), f.cost.connect.get()+f.cost.trip(q.port, a.port)
	f.later(way, a, func() { a.established(said) })
	f.later(2*way, q, func() { q.established(nil) })
	return nil
}

// established lets a queue pair send.
func (q *qp) established(private []byte) {
	if q.peer == nil || q.state != verbs.RTR {
		return
	}
	q.state = verbs.RTS
	q.p.d.event(verbs.Event{Kind: verbs.Established, Num: q.num, Peer: q.peer.addr, Private: private})
}

// Reject says no.
func (r *request) Reject(private []byte) error {
	r.l.d.f.s.Settle()
	if err := tooLong(private); err != nil {
		return err
	}
	if r.from == nil {
		return fmt.Errorf("sim: answered before, or given up: %w", verbs.ErrState)
	}
	r.done()
	r.refuse(private)
	return nil
}

func (r *request) refuse(private []byte) {
	a := r.from
	if a == nil {
		return
	}
	r.from = nil
	f, said := a.p.d.f, slices.Clone(private)
	f.later(f.cost.trip(a.port, r.l.port), a, func() { a.refused(verbs.Event{Kind: verbs.Rejected, Private: said}) })
}

// Disconnect ends the connection when what was posted is done.
func (q *qp) Disconnect() error {
	q.p.d.f.s.Settle()
	if q.dead() || q.peer == nil {
		return fmt.Errorf("sim: not connected: %w", verbs.ErrState)
	}
	q.leaving = true
	q.leave()
	return nil
}

// leave ends a connection in order, when nothing is left to do.
func (q *qp) leave() {
	if !q.leaving {
		return
	}
	q.sends.Retire(q.report)
	if q.sends.Open() == 0 {
		q.leaving = false
		q.die(nil)
	}
}
