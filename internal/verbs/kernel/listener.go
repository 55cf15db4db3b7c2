package kernel

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
)

// listener accepts connections.
type listener struct {
	deadline // when to take connections again, after the host could not give us descriptors
	rail     int
	sock     *socket.Listener
	token    uint64
	closed   bool
}

const backlog = 1024

// Listen accepts connections at the address of a rail.
func (d *Device) Listen(cfg verbs.ListenConfig) (verbs.Listener, error) {
	if cfg.Rail < 0 || cfg.Rail >= len(d.rails) {
		return nil, fmt.Errorf("kernel: listen: %w: rail %d of %d", verbs.ErrArgument, cfg.Rail, len(d.rails))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, verbs.ErrClosed
	}
	if d.iwarp() {
		return d.openHall(cfg.Rail, cfg.Port)
	}
	sock, err := socket.Listen(netip.AddrPortFrom(d.rails[cfg.Rail].Rail.Addr, cfg.Port), backlog)
	if err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	l := &listener{rail: cfg.Rail, sock: sock}
	l.deadline = deadline{dev: d, of: l}
	if l.token, err = d.watch(l, sock.FD(), false); err != nil {
		return nil, errors.Join(fmt.Errorf("kernel: listen: %w", err), sock.Close())
	}
	d.doors[l] = true
	return l, nil
}

// Addr is where peers connect to.
func (l *listener) Addr() netip.AddrPort { return l.sock.Addr() }

// acceptPause is for how long a host that cannot give us descriptors is left alone.
const acceptPause = second / 20

// ready takes connections. When the host has no descriptors left it tries again in a while.
func (l *listener) ready(bool, bool) {
	d := l.dev
	for {
		conn, err := l.sock.Accept()
		if err == socket.ErrAgain {
			return
		}
		if err != nil {
			d.count.connsRefused++
			d.poll.Want(l.sock.FD(), l.token, false, false)
			l.limit(acceptPause)
			return
		}
		if len(d.unproven) >= d.cfg.UnprovenConns {
			d.unproven[0].stranger()
		}
		k := d.newLink(conn, awaiting, conn.RemoteAddr())
		k.listener = l
		if k.begin(false) == nil {
			d.unproven = append(d.unproven, k)
		}
	}
}

// expire tries again.
func (l *listener) expire() {
	l.limit(0)
	l.dev.poll.Want(l.sock.FD(), l.token, true, false)
}

// forget takes a link off the list of those that have shown nothing.
func (d *Device) forget(l *link) {
	for i, x := range d.unproven {
		if x == l {
			d.unproven = append(d.unproven[:i], d.unproven[i+1:]...)
			return
		}
	}
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
	for k := range l.dev.links {
		if k.listener == l && k.phase == offered {
			k.reject(nil)
		} else if k.listener == l && k.phase == awaiting {
			k.drop()
		}
	}
	l.closed = true
	delete(l.dev.doors, l)
	l.limit(0)
	l.dev.unwatch(l.sock.FD(), l.token)
	l.sock.Close()
}

// requested is an initiator's request: the program is asked.
func (l *link) requested(body []byte) {
	d, key := l.dev, l.dev.cfg.Key
	said, ok := l.undress(body, func(n auth.Nonce, said []byte) [auth.ProofSize]byte {
		return auth.Request(key, n, l.conn.LocalAddr(), said)
	})
	if !ok || len(key) > 0 && !d.asked.Add(l.theirs) {
		l.stranger()
		return
	}
	there, private, err := parsePlace(said)
	if err != nil || len(private) > maxPrivate {
		l.stranger()
		return
	}
	d.forget(l)
	l.there, l.private, l.phase = there, append([]byte(nil), private...), offered
	l.limit(d.cfg.ConnectWait)
	d.event(verbs.Event{Kind: verbs.ConnectRequest, Peer: l.peer, Private: l.private, Request: &request{d, l}})
}

// dress puts our proof before what is said in answer to a request.
func (l *link) dress(rejected bool, body []byte) []byte {
	key := l.dev.cfg.Key
	if len(key) == 0 {
		return body
	}
	return auth.Dress(l.mine, auth.Reply(key, l.theirs, l.mine, rejected, body), body)
}

// reject answers a request with no.
func (l *link) reject(private []byte) {
	l.dev.count.connsRefused++
	l.conn.Send(appendFrame(nil, frameReject, l.dress(true, private)), false) // the first bytes on a connection fit
	l.drop()
}

func (l *link) from() netip.AddrPort { return l.peer }
func (l *link) said() []byte         { return l.private }
func (l *link) rail() int            { return l.listener.rail }
func (l *link) waiting() bool        { return l.phase == offered }

// accept answers a request with a queue pair.
func (l *link) accept(q *qp, private []byte) error {
	if err := q.join(&l.there); err != nil {
		return err
	}
	l.qp, l.phase = q, proving
	q.tie, q.local, q.state = l, l.conn.LocalAddr(), verbs.RTR
	l.dev.count.connsTaken++
	l.limit(l.dev.cfg.ConnectWait)
	l.say(frameAccept, l.dress(false, append(appendPlace(nil, q.place()), private...)))
	return nil
}
