package model

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

type listener struct {
	d    *device
	addr netip.AddrPort
	open []*request
}

// request is a queue pair that wants a connection. from is nil when it gave up or was answered.
type request struct {
	l       *listener
	from    *qp
	addr    netip.AddrPort
	private []byte
}

func (d *device) Listen(cfg verbs.ListenConfig) (verbs.Listener, error) {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	switch {
	case d.closed:
		return nil, verbs.ErrClosed
	case cfg.Rail != 0:
		return nil, fmt.Errorf("rail %d of 1: %w", cfg.Rail, verbs.ErrArgument)
	}
	l := &listener{d: d, addr: netip.AddrPortFrom(loopback, cfg.Port)}
	if cfg.Port == 0 {
		l.addr = d.f.address()
	}
	if d.f.listeners[l.addr] != nil {
		return nil, fmt.Errorf("somebody listens at %v: %w", l.addr, verbs.ErrBusy)
	}
	d.f.listeners[l.addr] = l
	return l, nil
}

func (l *listener) Addr() netip.AddrPort { return l.addr }

func (l *listener) Close() error {
	l.d.f.mu.Lock()
	defer l.d.f.mu.Unlock()
	l.shut()
	return nil
}

func (l *listener) shut() {
	delete(l.d.f.listeners, l.addr)
	for _, r := range l.open {
		r.refuse(nil)
	}
	l.open = nil
}

func tooLong(private []byte, d *device) error {
	if most := d.Caps().MaxPrivate; len(private) > most {
		return fmt.Errorf("%d bytes of private data, the limit is %d: %w", len(private), most, verbs.ErrArgument)
	}
	return nil
}

func (q *qp) Connect(to netip.AddrPort, private []byte) error {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	switch {
	case q.cfg.Type != verbs.RC || !to.IsValid():
		return fmt.Errorf("%v to %v: %w", q.cfg.Type, to, verbs.ErrArgument)
	case q.state != verbs.Init:
		return fmt.Errorf("connect in %v: %w", q.state, verbs.ErrState)
	}
	if err := tooLong(private, q.p.d); err != nil {
		return err
	}
	q.state, q.addr = verbs.RTR, q.p.d.f.address()
	l := q.p.d.f.listeners[to]
	if l == nil {
		q.p.d.event(verbs.Event{Kind: verbs.ConnectFailed, Num: q.num, Err: fmt.Errorf("nobody listens at %v", to)})
		q.die(errBroken)
		return nil
	}
	r := &request{l: l, from: q, addr: q.addr, private: append([]byte(nil), private...)}
	q.asked = r
	l.open = append(l.open, r)
	l.d.event(verbs.Event{Kind: verbs.ConnectRequest, Peer: q.addr, Request: r})
	return nil
}

func (q *qp) Disconnect() error {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	if q.peer == nil {
		return fmt.Errorf("not connected: %w", verbs.ErrState)
	}
	q.leaving = true
	q.work()
	return nil
}

func (r *request) From() netip.AddrPort { return r.addr }
func (r *request) Private() []byte      { return r.private }

func (r *request) Accept(with verbs.QP, private []byte) error {
	r.l.d.f.mu.Lock()
	defer r.l.d.f.mu.Unlock()
	q, mine := with.(*qp)
	if !mine || q.p.d != r.l.d || q.cfg.Type != verbs.RC {
		return fmt.Errorf("queue pair: %w", verbs.ErrArgument)
	}
	if err := tooLong(private, r.l.d); err != nil {
		return err
	}
	a := r.from
	if a == nil || q.state != verbs.Init {
		return fmt.Errorf("answered before, given up, or a queue pair in %v: %w", q.state, verbs.ErrState)
	}
	r.from, a.asked = nil, nil
	a.peer, q.peer = q, a
	a.state, q.state, q.addr = verbs.RTS, verbs.RTS, r.l.d.f.address()
	a.p.d.event(verbs.Event{Kind: verbs.Established, Num: a.num, Peer: q.addr, Private: append([]byte(nil), private...)})
	q.p.d.event(verbs.Event{Kind: verbs.Established, Num: q.num, Peer: a.addr})
	return nil
}

func (r *request) Reject(private []byte) error {
	r.l.d.f.mu.Lock()
	defer r.l.d.f.mu.Unlock()
	if err := tooLong(private, r.l.d); err != nil {
		return err
	}
	if r.from == nil {
		return fmt.Errorf("answered before, or given up: %w", verbs.ErrState)
	}
	r.refuse(private)
	return nil
}

func (r *request) refuse(private []byte) {
	if a := r.from; a != nil {
		r.from, a.asked = nil, nil
		a.p.d.event(verbs.Event{Kind: verbs.Rejected, Num: a.num, Private: append([]byte(nil), private...)})
		a.die(errBroken)
	}
}
