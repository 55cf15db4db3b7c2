package kernel

import (
	"errors"
	"fmt"
	"io"
	"net/netip"

	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// phase is where a link is in its life.
type phase uint8

const (
	dialing  phase = iota // TCP connects
	asking                // the request is on its way, or being thought about
	awaiting              // the peer's request is to come
	offered               // the program is to answer it
	proving               // accepted; the initiator is to say that it is ready
	open
	dead
)

// link is a TCP connection to a peer, for one queue pair.
type link struct {
	deadline // of its phase
	conn     *socket.Conn
	token    uint64
	phase    phase
	listener *listener // that took it
	qp       *qp
	peer     netip.AddrPort

	mine, theirs auth.Nonce
	there        place  // of the peer's queue pair
	private      []byte // what the peer said
	in, out      []byte // what has come of a frame, and what is to go
	doomed       error  // the connection is broken, and the driver may still tell why
}

// Errors of connections.
var (
	errLost    = errors.New("the connection to the peer is lost")
	errProof   = errors.New("the peer does not know the key of the job")
	errTimeout = errors.New("the peer does not answer in time")
)

// grace is for how long the driver may still say how sends ended, when the peer has said that the connection is broken.
const grace = second / 4

// Connect begins to connect the queue pair.
func (q *qp) Connect(to netip.AddrPort, private []byte) error {
	d := q.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	switch err := q.usable(); {
	case err != nil:
		return err
	case q.cfg.Type != verbs.RC:
		return errType
	case !to.IsValid() || to.Port() == 0:
		return fmt.Errorf("kernel: connect: %w: no address", verbs.ErrArgument)
	case len(private) > d.caps.MaxPrivate:
		return fmt.Errorf("kernel: connect: %w: %d bytes of private data, the limit is %d", verbs.ErrArgument, len(private), d.caps.MaxPrivate)
	case q.state != verbs.Init:
		return fmt.Errorf("kernel: connect: %w", nic.StateErrors[q.state])
	}
	begin := q.call
	if d.iwarp() {
		begin = q.dial
	}
	if err := begin(to, private); err != nil {
		return fmt.Errorf("kernel: connect: %w", err)
	}
	return nil
}

// call begins to connect over TCP.
func (q *qp) call(to netip.AddrPort, private []byte) error {
	d := q.dev
	conn, err := socket.Dial(q.port().Rail.Addr, to)
	if err != nil {
		return err
	}
	l := d.newLink(conn, dialing, to)
	l.qp = q
	body := append(appendPlace(nil, q.place()), private...)
	if key := d.cfg.Key; len(key) > 0 {
		body = auth.Dress(l.mine, auth.Request(key, l.mine, to, body), body)
	}
	l.out = appendFrame(nil, frameRequest, body)
	if err := l.begin(true); err != nil {
		return err
	}
	q.tie, q.state = l, verbs.RTR
	return nil
}

// newLink makes the link of a TCP connection.
func (d *Device) newLink(conn *socket.Conn, at phase, peer netip.AddrPort) *link {
	l := &link{conn: conn, phase: at, peer: peer, mine: auth.NewNonce()}
	l.deadline = deadline{dev: d, of: l}
	return l
}

// begin has the poller tell of the link.
func (l *link) begin(write bool) error {
	d := l.dev
	err := d.prepare(l.conn)
	if err == nil {
		l.token, err = d.watch(l, l.conn.FD(), write)
	}
	if err != nil {
		l.conn.Close()
		return err
	}
	d.links[l] = true
	l.limit(d.cfg.ConnectWait)
	return nil
}

// place is where the queue pair is.
func (q *qp) place() *place {
	p := q.port()
	return &place{gid: p.GID, lid: p.LID, qp: q.driver.Num(), psn: q.psn, mtu: p.mtu, reads: uint8(q.cfg.Reads), readsIn: uint8(q.cfg.ReadsIn)}
}

// expire ends a link whose time is up.
func (l *link) expire() {
	switch {
	case l.doomed != nil:
		l.dev.breaks(l.qp, l.doomed, false)
		l.limit(0)
	case l.phase == awaiting:
		l.stranger()
	case l.phase == offered:
		l.reject(nil)
	default:
		l.lose(errTimeout)
	}
}

// ready goes on with what the poller tells.
func (l *link) ready(read, write bool) {
	if l.phase == dialing {
		switch err := l.conn.Connected(); {
		case err == socket.ErrAgain:
			return
		case err != nil:
			l.lose(err)
			return
		}
		l.qp.local, l.phase = l.conn.LocalAddr(), asking
		l.limit(l.dev.cfg.ConnectWait)
	}
	if len(l.out) > 0 && !l.flush() {
		return
	}
	if read {
		l.hear()
	}
}

// flush sends what is to go; it answers whether all is gone.
func (l *link) flush() bool {
	for len(l.out) > 0 {
		n, err := l.conn.Send(l.out, false)
		if err == socket.ErrAgain {
			l.dev.poll.Want(l.conn.FD(), l.token, true, true)
			return false
		}
		if err != nil {
			l.lose(err)
			return false
		}
		l.out = l.out[n:]
	}
	l.out = nil
	l.dev.poll.Want(l.conn.FD(), l.token, true, false)
	return true
}

// say sends a frame.
func (l *link) say(kind frameKind, body []byte) {
	l.out = appendFrame(l.out, kind, body)
	l.flush()
}

// hear takes what has come.
func (l *link) hear() {
	var room [2 * (2 + 1 + maxBody)]byte
	for l.phase != dead {
		n, err := l.conn.Recv(room[:])
		if err == socket.ErrAgain {
			return
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errLost
			}
			l.lose(err)
			return
		}
		l.in = append(l.in, room[:n]...)
		for l.phase != dead {
			kind, body, used, err := parseFrame(l.in)
			if err != nil {
				l.lose(err)
				return
			}
			if used == 0 {
				break
			}
			l.frame(kind, body)
			l.in = l.in[used:]
		}
	}
}

// frame deals with what the peer says.
func (l *link) frame(kind frameKind, body []byte) {
	switch {
	case kind == frameRequest && l.phase == awaiting:
		l.requested(body)
	case kind == frameAccept && l.phase == asking:
		l.accepted(body)
	case kind == frameReject && l.phase == asking:
		l.rejected(body)
	case kind == frameReady && l.phase == proving:
		l.proven(body)
	case kind == frameBye && l.phase == open:
		l.qp.left()
	case kind == frameBroken && (l.phase == open || l.phase == proving):
		told, reason, err := parseBroken(body)
		if err != nil {
			l.lose(err)
			return
		}
		l.broke(fmt.Errorf("the peer says: %s", reason), told)
	default:
		l.lose(errFrame)
	}
}

// undress takes the proof off what the peer says, and looks at it.
func (l *link) undress(body []byte, prove func(auth.Nonce, []byte) [auth.ProofSize]byte) ([]byte, bool) {
	if len(l.dev.cfg.Key) == 0 {
		return body, true
	}
	n, proof, said, ok := auth.Undress(body)
	if !ok || !auth.Same(proof, prove(n, said)) {
		return nil, false
	}
	l.theirs = n
	return said, true
}

// accepted is the acceptor's word: the queue pair may send.
func (l *link) accepted(body []byte) {
	key := l.dev.cfg.Key
	said, ok := l.undress(body, func(n auth.Nonce, said []byte) [auth.ProofSize]byte { return auth.Reply(key, l.mine, n, false, said) })
	if !ok {
		l.dev.count.strangers++
		l.lose(errProof)
		return
	}
	there, private, err := parsePlace(said)
	if err == nil {
		err = l.qp.join(&there)
	}
	if err != nil {
		l.lose(err)
		return
	}
	proof := auth.First(key, l.mine, l.theirs)
	l.phase = open
	l.limit(0)
	l.dev.count.connsMade++
	l.qp.state = verbs.RTS
	l.dev.event(verbs.Event{Kind: verbs.Established, Num: l.qp.num, Peer: l.peer, Private: append([]byte(nil), private...)})
	l.say(frameReady, proof[:])
}

// rejected is the acceptor's no.
func (l *link) rejected(body []byte) {
	key := l.dev.cfg.Key
	private, ok := l.undress(body, func(n auth.Nonce, said []byte) [auth.ProofSize]byte { return auth.Reply(key, l.mine, n, true, said) })
	if !ok {
		l.dev.count.strangers++
		l.lose(errProof)
		return
	}
	q := l.qp
	l.drop()
	q.state = verbs.Error
	l.dev.event(verbs.Event{Kind: verbs.Rejected, Num: q.num, Peer: l.peer, Private: append([]byte(nil), private...)})
	if err := q.end(true); err != nil {
		l.dev.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Err: err})
	}
}

// proven is the initiator's word that it can be sent to, and that its request was not an old one.
func (l *link) proven(body []byte) {
	want := auth.First(l.dev.cfg.Key, l.theirs, l.mine)
	if len(l.dev.cfg.Key) > 0 && (len(body) != auth.ProofSize || !auth.Same(want, [auth.ProofSize]byte(body))) {
		l.dev.count.strangers++
		l.lose(errProof)
		return
	}
	l.phase = open
	l.limit(0)
	l.qp.state = verbs.RTS
	l.dev.event(verbs.Event{Kind: verbs.Established, Num: l.qp.num, Peer: l.peer})
}

// broke ends the connection because the peer says so, or is gone. With sends open the driver may be about
// to say how they ended.
func (l *link) broke(err error, told bool) {
	if told && l.qp.sends.Open() > 0 && l.phase == open {
		l.doomed = err
		l.limit(grace)
		return
	}
	l.dev.breaks(l.qp, err, false)
}

// lose ends a link that is of no use any more.
func (l *link) lose(err error) {
	switch {
	case l.phase == awaiting || l.phase == offered:
		l.stranger()
	case l.phase == dead || l.doomed != nil:
		l.hangUp()
	default:
		l.hangUp()
		l.broke(err, true)
	}
}

// stranger drops a link whose peer did not show that it belongs here, or went away.
func (l *link) stranger() {
	if l.phase == awaiting {
		l.dev.count.strangers++
	}
	l.drop()
}

// hangUp closes the connection; the link is still its queue pair's.
func (l *link) hangUp() {
	if l.conn.FD() >= 0 {
		l.dev.unwatch(l.conn.FD(), l.token)
		l.conn.Close()
	}
}

// drop ends a link for its queue pair, too.
func (l *link) drop() {
	d := l.dev
	if l.phase == dead {
		return
	}
	l.hangUp()
	l.limit(0)
	d.forget(l)
	l.phase = dead
	delete(d.links, l)
	if l.qp != nil {
		l.qp.tie = nil
	}
}

func (l *link) far() netip.AddrPort { return l.peer }

// part ends it, and says why.
func (l *link) part(why error, told bool) { l.bye(frameBroken, appendBroken(nil, told, why.Error())) }

// leave ends it in order.
func (l *link) leave() { l.bye(frameBye, nil) }

// bye ends a link with a last word, if the peer is listening.
func (l *link) bye(kind frameKind, body []byte) {
	if l.conn.FD() >= 0 && (l.phase == open || l.phase == proving) {
		l.conn.Send(appendFrame(l.out, kind, body), false) // few bytes on a connection that is idle; if they do not fit, its end says enough
	}
	l.drop()
}

// join brings the driver's queue pair to where it can send to another.
func (q *qp) join(to *place) error {
	p := q.port()
	way := ibv.AHAttr{DGID: to.gid, SGIDIndex: p.GIDIndex, HopLimit: hopLimit, TrafficClass: p.TrafficClass, DLID: to.lid, SL: p.ServiceLevel, Port: p.Number}
	if p.Global {
		way.IsGlobal = 1
	}
	err := q.driver.Modify(&ibv.QPAttr{State: ibv.RTR, PathMTU: min(p.mtu, to.mtu), DestQP: to.qp, RecvPSN: to.psn,
		MaxReadsIn: min(uint8(q.cfg.ReadsIn), to.reads), MinRNRTimer: minRNRTimer, AH: way},
		ibv.MaskState|ibv.MaskAH|ibv.MaskPathMTU|ibv.MaskDestQP|ibv.MaskRecvPSN|ibv.MaskReadsIn|ibv.MaskRNRTimer)
	if err != nil {
		return fmt.Errorf("to RTR: %w", err)
	}
	err = q.driver.Modify(&ibv.QPAttr{State: ibv.RTS, SendPSN: q.psn, Timeout: ackTimeout, RetryCount: 7, RNRRetry: 7, MaxReads: min(uint8(q.cfg.Reads), to.readsIn)},
		ibv.MaskState|ibv.MaskTimeout|ibv.MaskRetryCount|ibv.MaskRNRRetry|ibv.MaskSendPSN|ibv.MaskReads)
	if err != nil {
		return fmt.Errorf("to RTS: %w", err)
	}
	return nil
}

const (
	minRNRTimer = 1  // 10 us until a send that found no receive is tried again; for ever, since RNRRetry is 7
	ackTimeout  = 14 // 67 ms until a packet is sent again
	hopLimit    = 64 // routers on the way
)
