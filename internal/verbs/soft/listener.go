package soft

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// listener accepts connections.
type listener struct {
	dev    *Device
	sock   *socket.Listener
	spot   seat
	closed bool
	pause  *timer // set while the host cannot give us descriptors
}

const backlog = 1024

// Listen accepts connections on a rail.
func (d *Device) Listen(cfg verbs.ListenConfig) (verbs.Listener, error) {
	if cfg.Rail < 0 || cfg.Rail >= len(d.rails) {
		return nil, fmt.Errorf("soft: listen: %w: rail %d of %d", verbs.ErrArgument, cfg.Rail, len(d.rails))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, verbs.ErrClosed
	}
	sock, err := d.cfg.tcp().Listen(netip.AddrPortFrom(d.rails[cfg.Rail].Addr, cfg.Port), backlog)
	if err != nil {
		return nil, fmt.Errorf("soft: %w", err)
	}
	l := &listener{dev: d, sock: sock, spot: seat{fd: sock.FD()}}
	l.pause = newTimer(func(int64) { l.watch() })
	if err := l.watch(); err != nil {
		sock.Close()
		return nil, fmt.Errorf("soft: listen: %w", err)
	}
	d.listeners[l] = true
	return l, nil
}

func (l *listener) watch() error { return l.dev.watch(l, true, false) }

func (l *listener) seat() *seat { return &l.spot }

func (l *listener) Addr() netip.AddrPort { return l.sock.Addr() }

// acceptRounds is how many connections are taken in a row, before others get their turn.
const acceptRounds = 16

// ready takes connections. When the host has no descriptors left it tries again in a while.
func (l *listener) ready(bool, bool) bool {
	for i := range acceptRounds {
		conn, err := l.sock.Accept()
		if err == socket.ErrAgain {
			return i > 0
		}
		if err != nil {
			l.dev.count.connsRefused++
			l.dev.watch(l, false, false)
			l.dev.setTimer(l.pause, clock.Now()+second/20)
			return true
		}
		l.dev.answer(conn, l)
	}
	return true
}

// Close stops accepting; requests that wait for an answer are rejected.
func (l *listener) Close() error {
	l.dev.mu.Lock()
	defer l.dev.mu.Unlock()
	if l.closed || l.dev.closed {
		return verbs.ErrClosed
	}
	l.close()
	return nil
}

func (l *listener) close() {
	for s := range l.dev.links {
		if s.listener == l && s.phase == phaseOffered {
			s.reject(nil)
		} else if s.listener == l && s.phase == phaseAwaiting {
			s.drop()
		}
	}
	l.dev.setTimer(l.pause, 0)
	l.dev.unwatch(l)
	l.closed = true
	delete(l.dev.listeners, l)
	l.sock.Close()
}

// request is a peer that asks for a connection.
type request struct {
	s       *stream
	from    netip.AddrPort
	private []byte
}

func (r *request) From() netip.AddrPort { return r.from }
func (r *request) Private() []byte      { return r.private }

// Accept connects a queue pair.
func (r *request) Accept(qp verbs.QP, private []byte) error {
	q, ok := qp.(*rc)
	if !ok || q.dev != r.s.dev {
		return fmt.Errorf("soft: accept: %w: not an RC queue pair of this device", verbs.ErrArgument)
	}
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	switch err := q.usable(); {
	case err != nil:
		return err
	case q.state != verbs.Init:
		return fmt.Errorf("soft: accept: %w", nic.StateErrors[q.state])
	case len(private) > maxPrivate:
		return fmt.Errorf("soft: accept: %w: %d bytes of private data, the limit is %d", verbs.ErrArgument, len(private), maxPrivate)
	case r.s.phase != phaseOffered:
		return fmt.Errorf("soft: accept: %w: the request from %v is over", verbs.ErrState, r.from)
	}
	return r.s.accept(q, private)
}

// Reject says no.
func (r *request) Reject(private []byte) error {
	d := r.s.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.s.phase != phaseOffered {
		return fmt.Errorf("soft: reject: %w: the request from %v is over", verbs.ErrState, r.from)
	}
	if len(private) > maxPrivate {
		return fmt.Errorf("soft: reject: %w: %d bytes of private data, the limit is %d", verbs.ErrArgument, len(private), maxPrivate)
	}
	r.s.reject(private)
	return nil
}

// rtrMessage is the ready-to-receive message of a kind, as a header.
func rtrMessage(kind iwarp.RTRKind) iwarp.Header {
	switch kind {
	case iwarp.RTRWrite:
		return iwarp.Header{Tagged: true, Last: true, Op: iwarp.OpWrite}
	case iwarp.RTRRead:
		return iwarp.Header{Last: true, Op: iwarp.OpReadRequest, QN: iwarp.QueueRead, MSN: 1}
	}
	return iwarp.Header{Last: true, Op: iwarp.OpSend, QN: iwarp.QueueSend, MSN: 1}
}
