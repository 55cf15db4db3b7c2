package soft

import (
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// session is the RDMAP state of a conversation in which messages arrive whole and in order: a TCP connection, or a
// flow of reliable datagrams. What is sent it cuts into segments (message.go); what arrives it judges, places and
// delivers. How segments travel is the business of its side.
type session struct {
	dev  *Device
	side side
	to   *base // the queue pair of the message that is coming

	cur     message
	steers  bool    // programs may say where messages go that are longer than their receives
	named   bool    // our queue pairs share a socket: messages say which one sent them
	replies []reply // answers that are due, oldest first
	asked   []ask   // our Reads and atomics without answer, oldest first
	sendNum [4]uint32
	maxAsk  int // Reads and atomics that may be without answer, and that the peer may have so
	maxServ int

	h          iwarp.Header      // of the segment that is being handled; kept here, because making it would allocate
	request    iwarp.ReadRequest // likewise, if that is what it is
	recvNum    [4]uint32
	receiveNow nic.Receive // of the message that is coming
	receiver   *base       // whose receive that is, while midMessage
	midMessage bool
	got        int // bytes of it
	writeSoFar int // bytes of the Write that is coming
	written    int // bytes of the last whole Write
	places     [][]byte
	aside      aside // where a part of it goes instead
	headLen    int   // of the last message that was longer than its receive, and which part of it was taken for the receive; 0 after other long ones
}

// side is the transport below a session.
type side interface {
	// complain tells the peer what is wrong with a segment of it.
	complain(f iwarp.Fault, h *iwarp.Header, payload int, read *iwarp.ReadRequest)
	// told handles what the peer says is wrong with ours.
	told(payload []byte)
	// proceed sends what there is to send; it answers false when the session has ended.
	proceed() bool
	// alive tells whether the session has not ended.
	alive() bool
}

// ask is a Read or atomic of ours; the queue pair is nil for one that no program asked for, or not any more.
type ask struct {
	q      *base
	number uint64
	msn    uint32 // RD: of the request
	orphan bool   // the queue pair is gone; whatever comes is dropped
}

// get finds the work request, nil if it is over.
func (a ask) get() *nic.Sending {
	if a.q == nil {
		return nil
	}
	return a.q.sends.Get(a.number)
}

// restart begins the numbering of messages anew in both directions.
func (s *session) restart() {
	s.sendNum = [4]uint32{1, 1, 1, 1}
	s.restartIn()
}

// restartIn begins anew what the peer sends; a message half received is forgotten, its receive fails.
func (s *session) restartIn() {
	if s.midMessage {
		s.failReceive(verbs.Flushed)
	}
	s.recvNum = [4]uint32{1, 1, 1, 1}
	s.got, s.writeSoFar, s.written = 0, 0, 0
}

// verdict on a segment.
type verdict uint8

const (
	taken  verdict = iota
	hungry         // no receive is posted
	long           // it is longer than its receive, and somebody may be told of it
	later          // nothing is done before whoever was told of it has answered
	over           // it was refused; the session may have ended
)

// take handles a whole segment: judge, place, deliver.
func (s *session) take(h *iwarp.Header, payload []byte) verdict {
	v := s.check(h, len(payload), true)
	if v != taken {
		return v
	}
	if len(payload) > 0 && placed(h.Op) {
		if !s.find(h, 0, len(payload)) {
			s.misplaced(h, len(payload))
			return over
		}
		s.fill(payload)
	}
	return s.deliver(h, len(payload), payload)
}

// misplaced refuses a segment whose place may not be written.
func (s *session) misplaced(h *iwarp.Header, n int) {
	f := iwarp.FaultDDPSTag
	if !h.Tagged {
		f = iwarp.FaultDDPLocal
		s.failReceive(verbs.LocalProtection)
	}
	if s.side.alive() {
		s.side.complain(f, h, n, nil)
	}
}

// placed tells whether the payload of a message goes to memory as it is.
func placed(op iwarp.Opcode) bool {
	return op != iwarp.OpReadRequest && op <= iwarp.OpSendSolicitedInvalidate
}

// check judges a segment with n bytes of payload before anything is placed. If it is not here as a whole, a refusal
// is not reported: it will be judged again.
func (s *session) check(h *iwarp.Header, n int, whole bool) verdict {
	f := iwarp.Fault{}
	switch h.Op {
	case iwarp.OpWrite:
		f = s.checkWrite(h, n)
	case iwarp.OpReadResponse:
		f = s.checkResponse(h, n)
	case iwarp.OpTerminate:
		return taken
	default:
		if h.QN != h.Op.Queue() {
			f = iwarp.FaultQN
		} else if h.MSN != s.recvNum[h.QN] {
			f = iwarp.FaultMSN
		} else if h.QN == iwarp.QueueSend {
			return s.checkSend(h, n, whole)
		} else if h.MO != 0 || !h.Last {
			f = iwarp.FaultMO
		}
	}
	if f.OK() {
		return taken
	}
	if whole {
		s.side.complain(f, h, n, nil)
	}
	return over
}

func (s *session) checkWrite(h *iwarp.Header, n int) iwarp.Fault {
	if n == 0 {
		return iwarp.Fault{}
	}
	if h.TO+uint64(n) < h.TO {
		return iwarp.FaultDDPTOWrap
	}
	_, _, err := s.dev.regions.Remote(s.to.pd.num, h.STag, h.TO, n, verbs.RemoteWrite)
	return writeFault(err)
}

// writeFault is what is wrong with the target of a Write.
func writeFault(err error) iwarp.Fault {
	switch err {
	case nil:
		return iwarp.Fault{}
	case verbs.ErrBounds:
		return iwarp.FaultDDPBounds
	case verbs.ErrAccess:
		return iwarp.FaultAccess
	}
	return iwarp.FaultDDPSTag
}

// readFault is what is wrong with the source of a Read, or the target of an atomic.
func readFault(err error) iwarp.Fault {
	switch err {
	case nil:
		return iwarp.Fault{}
	case verbs.ErrBounds:
		return iwarp.FaultBounds
	case verbs.ErrAccess:
		return iwarp.FaultAccess
	}
	return iwarp.FaultSTag
}

// checkSend judges a segment of queue 0; the first of a message takes a receive.
func (s *session) checkSend(h *iwarp.Header, n int, whole bool) verdict {
	if !s.midMessage {
		if h.MO != 0 {
			if whole {
				s.side.complain(iwarp.FaultMO, h, n, nil)
			}
			return over
		}
		if !s.to.take(&s.receiveNow) {
			return hungry
		}
		s.midMessage, s.receiver, s.got = true, s.to, 0
	}
	switch {
	case immediate(h.Op):
		if n == 8 && h.Last {
			return taken
		}
	case int(h.MO) != s.got:
	case s.got+n <= s.receiveNow.Len || s.aside.long:
		return taken
	case s.longer(h):
		return long
	default:
		if whole {
			s.tooLong(h, n)
		}
		return over
	}
	if whole {
		s.refuse(iwarp.FaultMO, verbs.LocalFault, h, n)
	}
	return over
}

// tooLong refuses a segment that does not fit its receive.
func (s *session) tooLong(h *iwarp.Header, n int) {
	s.refuse(iwarp.FaultTooLong, verbs.LocalLength, h, n)
}

// refuse ends the receive of the message that is coming, and tells the peer why.
func (s *session) refuse(f iwarp.Fault, status verbs.Status, h *iwarp.Header, n int) {
	s.failReceive(status)
	if s.side.alive() {
		s.side.complain(f, h, n, nil)
	}
}

// failReceive ends the receive of the message that is coming.
func (s *session) failReceive(status verbs.Status) {
	s.midMessage = false
	s.aside.drop()
	s.receiver.failedReceive(s.receiveNow.ID, status)
}

// cutOff leaves the receive of a message that will not come to its end to the queue pair, which flushes it if it
// goes to Error.
func (s *session) cutOff() {
	s.aside.drop()
	if s.midMessage {
		s.midMessage = false
		s.receiver.cutOff = append(s.receiver.cutOff, s.receiveNow.ID)
	}
}

func immediate(op iwarp.Opcode) bool {
	return op == iwarp.OpImmediate || op == iwarp.OpImmediateSolicited
}

// checkResponse judges a segment of the answer to a Read: it must be the next of the oldest Read.
func (s *session) checkResponse(h *iwarp.Header, n int) iwarp.Fault {
	if len(s.asked) == 0 {
		return iwarp.FaultDDPLocal
	}
	a := s.asked[0]
	if a.q == nil {
		if !a.orphan && (n != 0 || !h.Last) {
			return iwarp.FaultDDPBounds
		}
		return iwarp.Fault{}
	}
	w := a.get()
	switch {
	case w == nil || w.WR.Op != verbs.Read || h.STag != token(a.number):
		return iwarp.FaultDDPSTag
	case h.TO != w.Extra || w.Extra+uint64(n) > uint64(w.Len) || h.Last != (w.Extra+uint64(n) == uint64(w.Len)):
		return iwarp.FaultDDPBounds
	}
	return iwarp.Fault{}
}

// find sets s.places to where n bytes of a segment's payload, from off on, belong. It answers false if the memory
// may not be written any more.
func (s *session) find(h *iwarp.Header, off, n int) bool {
	s.places = s.places[:0]
	if n == 0 {
		return true
	}
	q, list, at := s.to, s.receiveNow.SGL, off+int(h.MO)
	switch h.Op {
	case iwarp.OpWrite:
		buf, _, err := s.dev.regions.Remote(q.pd.num, h.STag, h.TO+uint64(off), n, verbs.RemoteWrite)
		s.places = append(s.places, buf)
		return err == nil
	case iwarp.OpReadResponse:
		a := s.asked[0]
		w := a.get()
		if w == nil {
			return a.orphan
		}
		q, list, at = a.q, w.WR.SGL, off+int(h.TO)
	}
	if s.dev.regions.LocalList(q.pd.num, list, true) != nil {
		return false
	}
	aside := !h.Tagged && (s.aside.long || s.aside.dst != nil)
	if aside {
		list = s.aside.list(list[0].Buf)
	}
	eachPiece(list, at, n, func(b []byte) { s.places, n = append(s.places, b), n-len(b) })
	if n > 0 && aside {
		s.places = append(s.places, s.dev.waste(n))
	}
	return true
}

// fill copies a payload to its place.
func (s *session) fill(b []byte) {
	s.dev.count.placedCopied += uint64(len(b))
	for _, p := range s.places {
		b = b[copy(p, b):]
	}
}

// deliver does what a segment asks for, now that its payload is in place.
func (s *session) deliver(h *iwarp.Header, n int, payload []byte) verdict {
	switch h.Op {
	case iwarp.OpWrite:
		if s.writeSoFar += n; h.Last {
			s.written, s.writeSoFar = s.writeSoFar, 0
		}
	case iwarp.OpReadRequest:
		return s.serveRead(h, payload)
	case iwarp.OpReadResponse:
		s.responded(h, n)
	case iwarp.OpTerminate:
		s.side.told(payload)
	case iwarp.OpAtomicRequest:
		return s.serveAtomic(h, payload)
	case iwarp.OpAtomicResponse:
		return s.atomicDone(h, payload)
	default:
		if s.got += n; h.Last {
			return s.received(h, payload)
		}
	}
	return s.still()
}

// still is taken unless the session has ended.
func (s *session) still() verdict {
	if s.side.alive() {
		return taken
	}
	return over
}

// received completes the receive of a whole message.
func (s *session) received(h *iwarp.Header, payload []byte) verdict {
	s.recvNum[iwarp.QueueSend]++
	s.midMessage = false
	marks, op, key, imm, n := verbs.Marks(0), verbs.Recv, uint32(0), uint32(0), s.got
	if s.aside.long {
		n = s.aside.at
	}
	s.aside.drop()
	switch h.Op {
	case iwarp.OpSendInvalidate, iwarp.OpSendSolicitedInvalidate:
		// Programs on the kernel's siw cannot name a key and send 0.
		if key = h.Invalidate; key != 0 && s.dev.regions.Invalidate(s.to.pd.num, key) != nil {
			s.to.failedReceive(s.receiveNow.ID, verbs.RemoteInvalid)
			if s.side.alive() {
				s.side.complain(iwarp.FaultInvalidateOperation, h, n, nil)
			}
			return over
		}
		marks |= verbs.Invalidated
	case iwarp.OpImmediate, iwarp.OpImmediateSolicited:
		data, _ := iwarp.ParseImmediate(payload)
		op, imm, n = verbs.RecvImm, uint32(data), s.written
		marks |= verbs.HasImm
		s.written = 0
	}
	if solicited(h.Op) {
		marks |= verbs.WasSolicited
	}
	if c := s.to.slot(s.to.recvCQ); c != nil {
		c.ID, c.QP, c.Op, c.Marks, c.Len, c.Imm, c.Key = s.receiveNow.ID, s.to.num, op, marks, n, imm, key
		c.Src, c.SrcQP = s.to.source, s.to.sourceQP
		s.to.recvCQ.added(c)
	}
	return s.still()
}

func solicited(op iwarp.Opcode) bool {
	return op == iwarp.OpSendSolicited || op == iwarp.OpSendSolicitedInvalidate || op == iwarp.OpImmediateSolicited
}
