package soft

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
)

// handshakes is what a device knows of connections that are being made.
type handshakes struct {
	shaking  int // how many there are
	unproven unprovens
	fresh    auth.Nonces // of requests for connections
}

// dial begins to connect q.
func (d *Device) dial(q *rc, to netip.AddrPort, private []byte) (*stream, error) {
	conn, err := d.cfg.tcp().Dial(d.rails[q.cfg.Rail].Addr, to)
	if err != nil {
		return nil, err
	}
	if err := d.prepare(conn); err != nil {
		conn.Close()
		return nil, err
	}
	s := d.newStream(conn, phaseDialing)
	s.initiator, s.peer = true, to
	wish := d.cfg.wish(&q.cfg)
	if len(d.cfg.Key) > 0 {
		s.mine = auth.NewNonce()
		wish.PeerToPeer = false // the proof is the first message
		said, kind := s.dressPublic(private), d.kind()
		private = kind.Dress(s.mine, kind.Request(d.cfg.Key, s.mine, to, said), said)
	}
	s.start = iwarp.Request(wish, append([]byte(nil), private...))
	if s.greeting, err = s.start.Append(nil); err != nil {
		s.drop()
		return nil, err
	}
	s.wanted = s.greeting
	s.watch(true, true)
	if s.phase == phaseDead {
		return nil, errNoPoller
	}
	s.limit(d.dialWait())
	return s, nil
}

// dialWait is how long the peer's host may take to answer at all: it may as well be silent before the
// connection stands as after.
func (d *Device) dialWait() int64 {
	if d.cfg.Silence > 0 {
		return min(d.cfg.Silence, d.cfg.ConnectWait)
	}
	return d.cfg.ConnectWait
}

// prepare sets what every connection needs: nothing waits in the kernel for more, and a silent peer is noticed.
func (d *Device) prepare(conn *socket.Conn) error {
	if err := conn.SetNoDelay(true); err != nil || d.cfg.Silence == 0 {
		return err
	}
	const probes = 3
	pause := int(max(d.cfg.Silence/(probes+1)/second, 1))
	if err := conn.SetKeepAlive(pause, pause, probes); err != nil {
		return err
	}
	return conn.SetUserTimeout(int(d.cfg.Silence / 1e6))
}

// answer takes a new connection, of which nothing is known yet. Only so many may be in this state: the oldest has
// to go when another comes, because who is slow is more likely to be a stranger.
func (d *Device) answer(conn *socket.Conn, l *listener) {
	if d.unproven.len() >= d.cfg.UnprovenConns {
		old := d.unproven.oldest()
		if old.shake(false); old.phase == phaseAwaiting { // it still has nothing to say
			old.stranger()
		}
	}
	s := d.newStream(conn, phaseAwaiting)
	s.listener = l
	d.unproven.add(s)
	s.limit(d.cfg.ConnectWait)
	if err := d.prepare(conn); err != nil {
		s.drop()
		return
	}
	s.watch(true, false)
}

// unprovens are connections whose peers have not shown anything, oldest first.
type unprovens []*stream

func (u unprovens) len() int        { return len(u) }
func (u unprovens) oldest() *stream { return u[0] }
func (u *unprovens) add(s *stream)  { *u = append(*u, s) }

// proven takes a connection off the list of those that have shown nothing.
func (d *Device) proven(s *stream) {
	for i, x := range d.unproven {
		if x == s {
			d.unproven = append(d.unproven[:i], d.unproven[i+1:]...)
			return
		}
	}
}

// unproven tells whether the peer has been accepted but still owes the proof of knowing the key.
func (s *stream) unproven() bool { return s.phase == phaseProving && len(s.dev.cfg.Key) > 0 }

// stranger drops a connection whose peer did not show that it belongs here.
func (s *stream) stranger() {
	s.dev.count.strangers++
	if q := s.qp; q != nil { // it had been accepted, but the proof did not come
		q.fatal(errProof)
		return
	}
	s.drop()
}

// connectFailed ends an attempt to connect.
func (s *stream) connectFailed(err error) {
	q := s.qp
	s.drop()
	if q == nil {
		return
	}
	q.state = verbs.Error
	s.dev.event(verbs.Event{Kind: verbs.ConnectFailed, Num: q.num, Peer: s.peer, Err: err})
	q.flush()
}

// shake goes on with making the connection.
func (s *stream) shake(write bool) bool {
	if s.phase == phaseDialing {
		if !write {
			return false
		}
		if err := s.conn.Connected(); err == socket.ErrAgain {
			return false
		} else if err != nil {
			s.connectFailed(err)
			return true
		}
		s.qp.local = s.conn.LocalAddr()
		s.phase = phaseAsked
		s.limit(s.dev.cfg.ConnectWait)
	}
	if !s.greet() {
		return true
	}
	for s.phase == phaseAsked || s.phase == phaseAwaiting {
		n, err := s.conn.Recv(s.dev.land().stage[:iwarp.MaxStart])
		if err == socket.ErrAgain {
			return true
		}
		if err != nil {
			s.refused(err)
			return true
		}
		s.heard = append(s.heard, s.dev.room.stage[:n]...)
		if frame, used, err := iwarp.ParseStart(s.heard); err == nil {
			rest := s.heard[used:]
			s.pend = append(s.pend, rest...)
			s.heard = s.heard[:used]
			s.greeted(frame)
		} else if !errors.Is(err, iwarp.ErrShort) {
			s.refused(err)
		}
	}
	return true
}

// refused ends a connection whose peer does not speak as it should.
func (s *stream) refused(err error) {
	if s.phase == phaseAwaiting {
		s.stranger()
		return
	}
	s.connectFailed(err)
}

// greet sends what is left of our start-up frame; it answers whether all is gone.
func (s *stream) greet() bool {
	for len(s.greeting) > 0 {
		n, err := s.conn.Send(s.greeting, false)
		if err == socket.ErrAgain {
			s.watch(true, true)
			return false
		}
		if err != nil {
			s.lose(err)
			return false
		}
		s.greeting = s.greeting[n:]
	}
	s.greeting = nil
	if s.spot.write && s.phase != phaseDead {
		s.watch(true, false)
	}
	return s.phase != phaseDead
}

// greeted handles the peer's start-up frame.
func (s *stream) greeted(frame iwarp.StartFrame) {
	if s.phase == phaseAsked {
		s.replied(frame)
		return
	}
	private, alien := append([]byte(nil), frame.Private...), false
	if key := s.dev.cfg.Key; len(key) > 0 {
		kind, n, proof, said, ok := auth.UndressAny(private)
		if !ok || !auth.Same(proof, kind.Request(key, n, s.conn.LocalAddr(), said)) || !s.dev.fresh.Add(n) {
			s.stranger()
			return
		}
		if s.theirs, private, alien = n, said, kind != s.dev.kind(); !alien {
			private, ok = s.undressPublic(said)
		}
		if !ok {
			s.stranger()
			return
		}
	}
	if frame.Reply {
		s.stranger()
		return
	}
	s.dev.proven(s)
	if s.start = frame; alien {
		s.reject(nil)
		return
	}
	s.wanted = s.heard
	s.start, s.private, s.phase = frame, private, phaseOffered
	s.start.Private = nil
	s.limit(s.dev.cfg.ConnectWait)
	s.watch(false, false)
	s.dev.event(verbs.Event{Kind: verbs.ConnectRequest, Peer: s.peer, Private: private,
		Request: &request{s: s, from: s.peer, private: private}})
}

// dressReply puts our proof before what the user says in a reply.
func (s *stream) dressReply(rejected bool, private []byte) []byte {
	if key := s.dev.cfg.Key; len(key) > 0 {
		if s.mine = auth.NewNonce(); !rejected {
			private = s.dressPublic(private)
		}
		kind := s.dev.kind()
		return kind.Dress(s.mine, kind.Reply(key, s.theirs, s.mine, rejected, private), private)
	}
	return private
}

// accept answers the request for q.
func (s *stream) accept(q *rc, private []byte) error {
	reply, terms, err := iwarp.Answer(s.start, s.dev.cfg.wish(&q.cfg), s.dressReply(false, private))
	if err != nil {
		s.stranger()
		return fmt.Errorf("soft: accept: %w", err)
	}
	if s.greeting, err = reply.Append(nil); err != nil {
		return fmt.Errorf("soft: accept: %w", err)
	}
	if err := s.conceal(s.wanted, s.greeting); err != nil {
		return err
	}
	q.link(s)
	s.setTerms(terms)
	s.dev.count.connsTaken++
	s.muzzled = true
	keyed := len(s.dev.cfg.Key) > 0
	s.opened()
	if keyed || terms.PeerToPeer {
		s.phase = phaseProving
		s.limit(s.dev.cfg.ConnectWait)
	}
	s.watch(true, false)
	if !s.sendGreeting() {
		return nil // the program learns of it by an event
	}
	if s.phase == phaseOpen {
		s.established(nil)
	}
	if len(s.pend) > 0 && s.qp != nil {
		s.parse(s.pend)
	}
	s.remind()
	return nil
}

// sendGreeting puts a start-up frame in front of everything else that the stream sends.
func (s *stream) sendGreeting() bool {
	s.transmit()
	return s.qp != nil
}

// reject answers the request with no.
func (s *stream) reject(private []byte) {
	reply, _, err := iwarp.Answer(s.start, iwarp.Wish{}, s.dressReply(true, private))
	s.dev.count.connsRefused++
	if err == nil {
		reply.Reject = true
		if s.greeting, err = reply.Append(nil); err == nil {
			s.greet() // 20 bytes and little more on a fresh connection; if they do not fit, so be it
		}
	}
	if s.phase == phaseDead {
		return
	}
	s.part()
}

// replied handles the reply to our request.
func (s *stream) replied(frame iwarp.StartFrame) {
	private := append([]byte(nil), frame.Private...)
	key := s.dev.cfg.Key
	if len(key) > 0 {
		kind, n, proof, said, ok := auth.UndressAny(private)
		ok = ok && auth.Same(proof, kind.Reply(key, s.mine, n, frame.Reject, said))
		if ok && frame.Reject && kind != s.dev.kind() {
			s.otherKind(kind)
			return
		}
		if s.theirs, private = n, said; ok && !frame.Reject {
			private, ok = s.undressPublic(said)
		}
		if !ok || kind != s.dev.kind() {
			s.dev.count.strangers++
			s.connectFailed(errProof)
			return
		}
	}
	terms, err := iwarp.Conclude(s.start, frame)
	q := s.qp
	switch f := iwarp.FaultOf(err); {
	case errors.Is(err, iwarp.ErrRejected):
		s.drop()
		q.state = verbs.Error
		s.dev.event(verbs.Event{Kind: verbs.Rejected, Num: q.num, Peer: s.peer, Private: private})
		q.flush()
		return
	case !f.OK():
		s.setTerms(iwarp.Terms{CRC: s.start.CRC})
		s.lastWords(&iwarp.Terminate{Fault: f})
		s.connectFailed(err)
		return
	case err != nil:
		s.connectFailed(err)
		return
	}
	if err := s.conceal(s.wanted, s.heard); err != nil {
		s.connectFailed(err)
		return
	}
	s.setTerms(terms)
	s.dev.count.connsMade++
	mine, theirs := s.mine, s.theirs
	s.opened()
	if len(key) > 0 {
		proof := auth.First(key, mine, theirs)
		s.speakFirst(iwarp.Header{Last: true, Op: iwarp.OpSend, QN: iwarp.QueueSend, MSN: 1}, proof[:])
	} else if terms.PeerToPeer {
		s.speakFirst(rtrMessage(terms.RTR), nil)
	}
	if s.qp == nil {
		return
	}
	s.established(private)
	if len(s.pend) > 0 {
		s.parse(s.pend)
	}
	s.remind()
}
