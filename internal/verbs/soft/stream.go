package soft

import (
	"errors"
	"io"
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
)

// phase is where a connection is in its life.
type phase uint8

const (
	phaseDialing  phase = iota // initiator: TCP is connecting
	phaseAsked                 // initiator: the reply is due
	phaseAwaiting              // responder: the request is due; nothing is proven
	phaseOffered               // responder: the program has been asked
	phaseProving               // responder: the initiator's first message is due
	phaseOpen                  // messages flow
	phaseParting               // nothing more is sent; the peer's end is awaited
	phaseDead
)

// stream is one TCP connection and the iWARP state of both its directions.
type stream struct {
	conn      *socket.Conn
	qp        *rc // from Connect or Accept until the end of the connection
	listener  *listener
	initiator bool
	shaking   bool // being made
	phase     phase
	timer     *timer // limits the phase

	spot seat // in the poller

	// While the connection is made.
	peer     netip.AddrPort
	start    iwarp.StartFrame // the request, ours or theirs
	private  []byte           // what the user said in it
	mine     auth.Nonce
	theirs   auth.Nonce
	common   []byte // shared with the peer beside the key, of a connection that is to be encrypted
	wanted   []byte // the request as it is on the way, likewise
	greeting []byte // what is left to send of a start-up frame
	heard    []byte // what has come of one

	secret  *secret // of an encrypted connection, once the start-up frames are exchanged
	terms   iwarp.Terms
	largest int // bytes of a segment we send
	closing bool
	muzzled bool // a responder must not send before it has received

	session
	out
	in
}

// newStream wraps a connection.
func (d *Device) newStream(conn *socket.Conn, p phase) *stream {
	s := &stream{conn: conn, phase: p, peer: conn.RemoteAddr()}
	s.dev, s.side = d, s
	s.spot.fd = conn.FD()
	s.timer = newTimer(s.timeout)
	d.links[s] = true
	d.shaking++
	s.shaking = true
	return s
}

// settled ends the making of the connection, well or badly.
func (s *stream) settled() {
	if s.shaking {
		s.shaking = false
		s.dev.shaking--
	}
}

// limit sets how long the phase may last, 0 for ever.
func (s *stream) limit(wait int64) {
	at := int64(0)
	if wait > 0 {
		at = clock.Now() + wait
	}
	s.dev.setTimer(s.timer, at)
}

func (s *stream) seat() *seat { return &s.spot }

// watch keeps the poller's interest in step with what the stream waits for.
func (s *stream) watch(read, write bool) {
	if err := s.dev.watch(s, read, write); err != nil {
		s.lose(err)
	}
}

// timeout ends a phase that lasted too long.
func (s *stream) timeout(int64) {
	switch s.phase {
	case phaseDialing, phaseAsked:
		s.connectFailed(errNoAnswer)
	case phaseOpen:
		if s.starved {
			s.terminate(iwarp.FaultNoBuffer)
		}
	case phaseOffered:
		s.reject(nil)
	case phaseAwaiting, phaseProving:
		s.stranger()
	default:
		s.drop()
	}
}

var (
	errNoAnswer = errors.New("the peer did not answer in time")
	errCutOff   = errors.New("the connection ended in the middle of a message")
	errNoPoller = errors.New("the host cannot watch another socket")
	errProof    = errors.New("the peer does not know the job's key")
)

// ready is called when the socket may have something to read or room to write.
func (s *stream) ready(read, write bool) bool {
	switch s.phase {
	case phaseOpen, phaseProving:
		worked := false
		if write || s.blocked {
			worked = s.transmit()
		}
		if s.overdue() {
			s.goOn()
		}
		if read && s.reads() && (s.phase == phaseOpen || s.phase == phaseProving) {
			worked = s.receive() || worked
		}
		return worked
	case phaseDead:
		return false
	case phaseParting:
		return s.discard()
	}
	return s.shake(write)
}

// opened begins the flow of messages.
func (s *stream) opened() {
	s.phase = phaseOpen
	s.settled()
	s.limit(0)
	s.heard, s.private, s.start, s.wanted = nil, nil, iwarp.StartFrame{}, nil
	s.dev.addDirect(s)
}

// longest is the longest segment to our own kind: the payloads of a long Write or of the answer to a Read
// are so many lines of cache, because copies that begin with one are faster.
const longest = iwarp.TaggedSize + (iwarp.MaxULPDU-iwarp.TaggedSize)/64*64

// setTerms takes what both sides agreed on.
func (s *stream) setTerms(t iwarp.Terms) {
	s.terms = t
	s.restart()
	s.maxAsk, s.maxServ = max(t.ORD, 1), max(t.IRD, 1)
	if t.MarkersIn {
		s.stripper = iwarp.NewMarkerStripper(t.CRC)
	}
	emss, err := s.conn.MSS()
	if err != nil || emss < 512 {
		emss = 512
	}
	s.largest = iwarp.MULPDU(emss, t.MarkersOut)
	if len(s.dev.cfg.Key) > 0 {
		s.largest = longest // our own kind: no need to fit a TCP segment
		s.steers = true
	} else if !s.dev.cfg.NoAlign {
		s.aligned = emss
		s.conn.MarkRecords(true)
	}
	if limit := s.dev.cfg.MaxFPDU; limit > 0 {
		s.largest = min(s.largest, limit)
	}
}

// established tells the program that the queue pair may send.
func (s *stream) established(private []byte) {
	s.qp.state = verbs.RTS
	s.dev.event(verbs.Event{Kind: verbs.Established, Num: s.qp.num, Peer: s.peer, Private: private})
}

// idle tells whether nothing is under way.
func (s *stream) idle() bool {
	return s.frames.n == 0 && s.cur.kind == nothing && len(s.replies) == 0 && len(s.asked) == 0 &&
		s.qp.sends.Waiting() == 0 && !s.rests()
}

// part ends our direction in order; the queue pair is on its own from here.
func (s *stream) part() {
	s.settled()
	s.dev.dropDirect(s)
	s.farewell()
	s.unhook()
	s.phase = phaseParting
	if err := s.conn.CloseWrite(); err != nil {
		s.drop()
		return
	}
	s.limit(5 * second)
	s.watch(true, false)
}

// unhook separates stream and queue pair.
func (s *stream) unhook() {
	s.release()
	if s.qp != nil {
		s.qp.stream, s.qp = nil, nil
	}
}

// drop closes the connection at once.
func (s *stream) drop() {
	if s.phase == phaseDead {
		return
	}
	s.settled()
	s.dev.dropDirect(s)
	s.dev.proven(s)
	s.unhook()
	s.phase = phaseDead
	s.limit(0)
	s.dev.unwatch(s)
	delete(s.dev.links, s)
	s.conn.Close()
}

// lose ends an open connection because of err, or one that is being made.
func (s *stream) lose(err error) {
	switch q := s.qp; {
	case s.phase == phaseDead:
	case s.unproven():
		s.stranger()
	case q == nil || s.phase != phaseOpen && s.phase != phaseProving:
		if s.initiator && q != nil {
			s.connectFailed(err)
			return
		}
		s.drop()
	case err == io.EOF && s.between():
		s.drop()
		s.dev.event(verbs.Event{Kind: verbs.Disconnected, Num: q.num, Peer: s.peer})
		q.toError()
	default:
		if err == io.EOF {
			err = errCutOff
		}
		q.fatal(err)
	}
}

// discard reads what the peer still sends after we have ended, for a while before others get their turn.
func (s *stream) discard() bool {
	for range receiveRounds {
		_, err := s.conn.Recv(s.dev.land().stage)
		if err == socket.ErrAgain {
			return false
		}
		if err != nil {
			s.drop()
			return true
		}
	}
	return true
}

// terminate tells the peer what it did wrong and ends the connection.
func (s *stream) terminate(f iwarp.Fault) { s.terminateFor(iwarp.Terminate{Fault: f}) }

func (s *stream) terminateFor(t iwarp.Terminate) {
	q := s.qp
	if q == nil || s.phase == phaseDead || s.phase == phaseParting {
		return
	}
	s.dev.count.terminatesOut++
	s.lastWords(&t)
	if s.qp == nil { // the connection was lost while saying so
		return
	}
	s.part()
	q.fatal(t.Fault)
}
