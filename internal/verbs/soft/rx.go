package soft

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

const (
	receiveRounds = 16      // calls of receive in a row, before others get their turn
	directPayload = 4 << 10 // a payload this long is received where it belongs, if it has not come whole already
	bulkFetch     = 8 << 10 // how much is fetched ahead of a header while long payloads come
	slop          = 64      // how much is fetched together with the end of a long payload: the next header, mostly
)

// in is the receiving half of a stream.
type in struct {
	pend    []byte // bytes of an FPDU that has not come whole, or that nobody can take yet
	starved bool   // a message waits for a receive to be posted; nothing is read meanwhile
	bulk    bool   // the last payload was a long one

	stripper *iwarp.MarkerStripper
	recvNum  [4]uint32

	receiveNow nic.Receive // of the message that is coming
	midMessage bool
	got        int // bytes of it
	writeSoFar int // bytes of the Write that is coming
	written    int // bytes of the last whole Write

	body   body
	places [][]byte
}

// body is an FPDU whose payload goes straight to its place.
type body struct {
	on      bool
	h       iwarp.Header
	n, done int // bytes of payload, and how many are here
	crc     iwarp.CRC
	tail    [8]byte
	tailGot int
	tailLen int
}

// verdict on a segment.
type verdict uint8

const (
	taken  verdict = iota
	hungry         // no receive is posted
	over           // the connection has ended
)

// between tells whether the peer may end the stream here: not in the middle of a message.
func (s *stream) between() bool {
	return len(s.pend) == 0 && !s.body.on && !s.midMessage && s.writeSoFar == 0
}

// forget gives back what the receiving half holds.
func (s *stream) forget() {
	s.keep(nil)
	if s.starved && s.qp != nil && s.qp.srq != nil {
		list := s.qp.srq.starved
		for i, x := range list {
			if x == starving(s) {
				s.qp.srq.starved = append(list[:i], list[i+1:]...)
				break
			}
		}
	}
	s.starved, s.body, s.places, s.receiveNow = false, body{}, nil, nic.Receive{}
}

// receive takes what the socket has.
func (s *stream) receive() bool {
	worked := false
	for range receiveRounds {
		asked, n, err := s.fetch()
		if err == socket.ErrAgain {
			return worked
		}
		if err != nil {
			if err == errGone {
				s.terminate(iwarp.FaultDDPSTag)
			} else {
				s.lose(err)
			}
			return true
		}
		worked = true
		if s.qp == nil || s.starved || n < asked {
			break
		}
	}
	return worked
}

// fetch makes one call of the socket and handles what it gave; it answers how much it asked for and got.
func (s *stream) fetch() (asked, n int, err error) {
	d := s.dev
	d.count.recvCalls++
	if s.body.on {
		return s.fetchBody()
	}
	have := copy(d.stage, s.pend)
	limit := len(d.stage)
	if s.bulk {
		limit = have + bulkFetch
	}
	n, err = s.conn.Recv(d.stage[have:limit])
	if err != nil {
		return 0, 0, err
	}
	d.count.bytesIn += uint64(n)
	s.parse(d.stage[:have+n])
	return limit - have, n, nil
}

// fetchBody receives more of a long payload, where it belongs.
func (s *stream) fetchBody() (asked, n int, err error) {
	d, b, v := s.dev, &s.body, s.dev.vector
	if !s.find(&b.h, b.done, b.n-b.done) {
		return 0, 0, errGone
	}
	v.Reset()
	for _, p := range s.places {
		v.Add(p)
	}
	v.Add(b.tail[b.tailGot:b.tailLen])
	v.Add(d.stage[:slop])
	asked = v.Bytes()
	n, err = s.conn.RecvVector(v)
	v.Reset()
	if err != nil {
		return 0, 0, err
	}
	d.count.bytesIn += uint64(n)
	rest := n
	for _, p := range s.places {
		k := min(rest, len(p))
		if s.terms.CRC {
			b.crc = b.crc.Add(p[:k])
		}
		rest -= k
		b.done += k
		d.count.placedDirect += uint64(k)
	}
	k := min(rest, b.tailLen-b.tailGot)
	b.tailGot += k
	rest -= k
	if b.tailGot == b.tailLen && s.endBody() && rest > 0 {
		s.parse(d.stage[:rest])
	}
	return asked, n, nil
}

// endBody checks a long payload and delivers it.
func (s *stream) endBody() bool {
	b := &s.body
	pad := b.tailLen - iwarp.CRCSize
	h, n := b.h, b.n
	b.on = false
	if s.terms.CRC && b.crc.Add(b.tail[:pad]).Sum() != leUint32(b.tail[pad:]) {
		s.terminate(iwarp.FaultCRC)
		return false
	}
	s.dev.count.fpdusIn++
	s.bulk = true
	return s.deliver(&h, n, nil) == taken
}

func leUint32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// parse handles the FPDUs in b and keeps what is left over.
func (s *stream) parse(b []byte) {
	for len(b) > 0 {
		segment, n, err := s.split(b)
		if errors.Is(err, iwarp.ErrShort) {
			if s.beginBody(b) {
				b = nil
			}
			break
		}
		if err != nil {
			s.terminate(iwarp.FaultOf(err))
			return
		}
		switch s.segment(segment) {
		case hungry:
			s.starve()
			s.keep(b)
			return
		case over:
			return
		}
		s.dev.count.fpdusIn++
		b = b[n:]
	}
	if s.qp != nil {
		s.keep(b)
	}
}

// split finds the first segment in b.
func (s *stream) split(b []byte) ([]byte, int, error) {
	if s.stripper != nil {
		return s.stripper.Parse(b)
	}
	return iwarp.ParseFPDU(b, s.terms.CRC)
}

// keep remembers bytes that cannot be handled yet. They may lie in what it remembered before.
func (s *stream) keep(b []byte) {
	if len(b) == 0 {
		if cap(s.pend) > 0 && len(s.dev.spareBytes) < 16 && cap(s.pend) <= 2*directPayload {
			s.dev.spareBytes = append(s.dev.spareBytes, s.pend[:0])
		}
		s.pend = nil
		return
	}
	if n := len(s.dev.spareBytes); cap(s.pend) == 0 && n > 0 {
		s.pend, s.dev.spareBytes = s.dev.spareBytes[n-1], s.dev.spareBytes[:n-1]
	}
	s.pend = append(s.pend[:0], b...)
}

// starve waits for a receive to be posted.
func (s *stream) starve() {
	if s.starved {
		return
	}
	s.starved = true
	s.dev.count.waitsForReceive++
	s.limit(s.dev.cfg.ReceiveWait)
	s.watch(false, s.blocked)
	if s.qp.srq != nil {
		s.qp.srq.starved = append(s.qp.srq.starved, s)
	}
}

// fed goes on after a receive was posted.
func (s *stream) fed() {
	if !s.starved {
		return
	}
	s.starved = false
	s.limit(0)
	s.parse(s.pend)
	if s.qp != nil && !s.starved {
		s.watch(true, s.blocked)
	}
}

// beginBody begins to receive a long payload where it belongs, if b is the beginning of such an FPDU; all of b is
// used up then. The payload is placed before the CRC is known, but delivered only if it fits.
func (s *stream) beginBody(b []byte) bool {
	if s.stripper != nil || s.phase != phaseOpen || len(b) < iwarp.FPDULengthSize+iwarp.UntaggedSize {
		return false
	}
	ulpdu := int(b[0])<<8 | int(b[1])
	h, size, f := iwarp.ParseHeader(b[iwarp.FPDULengthSize:])
	n := ulpdu - size
	if !f.OK() || n < directPayload || h.Op > iwarp.OpSendSolicitedInvalidate || h.Op == iwarp.OpReadRequest {
		return false
	}
	if s.check(&h, n, nil) != taken || !s.find(&h, 0, n) {
		return false // whole, it will be judged again
	}
	payload := b[iwarp.FPDULengthSize+size:]
	have := min(len(payload), n)
	s.fill(payload[:have])
	s.body = body{on: true, h: h, n: n, done: have, tailLen: iwarp.PadLen(ulpdu) + iwarp.CRCSize}
	s.body.tailGot = copy(s.body.tail[:s.body.tailLen], payload[have:])
	if s.terms.CRC {
		s.body.crc = iwarp.NewCRC().Add(b[:iwarp.FPDULengthSize+size+have])
	}
	return true
}

// segment handles a whole segment.
func (s *stream) segment(b []byte) verdict {
	h, size, f := iwarp.ParseHeader(b)
	payload := b[size:]
	if s.phase == phaseProving {
		if v, swallowed := s.first(&h, f, payload); v != taken || swallowed {
			return v
		}
	}
	if !f.OK() {
		t := iwarp.Terminate{Fault: f}
		if f == iwarp.FaultOpcode {
			t.HasHeader, t.Header, t.SegmentLen = true, h, uint16(len(b))
		}
		s.terminateFor(t)
		return over
	}
	if v := s.check(&h, len(payload), payload); v != taken {
		return v
	}
	if len(payload) > 0 && placed(h.Op) {
		if !s.find(&h, 0, len(payload)) {
			s.complain(iwarp.FaultDDPSTag, &h, len(payload), nil)
			return over
		}
		s.fill(payload)
	}
	s.bulk = s.bulk && len(payload) >= directPayload
	return s.deliver(&h, len(payload), payload)
}

// placed tells whether the payload of a message goes to memory as it is.
func placed(op iwarp.Opcode) bool {
	return op != iwarp.OpReadRequest && op <= iwarp.OpSendSolicitedInvalidate
}

// first handles the first message of an initiator from which something is due: the proof that it knows the key, or
// the sign that it is ready.
func (s *stream) first(h *iwarp.Header, f iwarp.Fault, payload []byte) (v verdict, swallowed bool) {
	key := s.dev.cfg.Key
	if len(key) > 0 {
		want := proveFirst(key, s.theirs, s.mine)
		if !f.OK() || h.Op != iwarp.OpSend || !h.Last || h.QN != iwarp.QueueSend || h.MSN != 1 || len(payload) != proofSize ||
			!same(want, [proofSize]byte(payload)) {
			s.stranger()
			return over, true
		}
		swallowed = true
	} else {
		swallowed = f.OK() && h.Op == iwarp.OpSend && len(payload) == 0 && s.terms.RTR == iwarp.RTRSend
	}
	s.phase = phaseOpen
	s.limit(0)
	s.muzzled = false
	if swallowed {
		s.recvNum[iwarp.QueueSend]++
	}
	s.established(nil)
	return taken, swallowed
}

// complain ends the connection because of a segment.
func (s *stream) complain(f iwarp.Fault, h *iwarp.Header, payload int, read *iwarp.ReadRequest) {
	t := iwarp.Terminate{Fault: f, HasHeader: true, Header: *h, SegmentLen: uint16(h.Size() + payload)}
	if read != nil {
		t.HasRead, t.Read = true, *read
	}
	s.terminateFor(t)
}

// check judges a segment with n bytes of payload before anything is placed.
func (s *stream) check(h *iwarp.Header, n int, payload []byte) verdict {
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
			return s.checkSend(h, n)
		} else if h.MO != 0 || !h.Last {
			f = iwarp.FaultMO
		}
	}
	if f.OK() {
		return taken
	}
	if payload == nil && n > 0 {
		return over // only the beginning is here; the whole segment will be judged again
	}
	s.complain(f, h, n, nil)
	return over
}

func (s *stream) checkWrite(h *iwarp.Header, n int) iwarp.Fault {
	if n == 0 {
		return iwarp.Fault{}
	}
	if h.TO+uint64(n) < h.TO {
		return iwarp.FaultDDPTOWrap
	}
	_, _, err := s.dev.regions.Remote(s.qp.pd.num, h.STag, h.TO, n, verbs.RemoteWrite)
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
func (s *stream) checkSend(h *iwarp.Header, n int) verdict {
	if !s.midMessage {
		if h.MO != 0 {
			s.complain(iwarp.FaultMO, h, n, nil)
			return over
		}
		if !s.qp.take(&s.receiveNow) {
			return hungry
		}
		s.midMessage, s.got = true, 0
	}
	if immediate(h.Op) {
		if n != 8 || !h.Last {
			s.complain(iwarp.FaultMO, h, n, nil)
			return over
		}
		return taken
	}
	if int(h.MO) != s.got {
		s.complain(iwarp.FaultMO, h, n, nil)
		return over
	}
	if s.got+n > s.receiveNow.Len {
		s.failReceive(verbs.LocalLength)
		s.complain(iwarp.FaultTooLong, h, n, nil)
		return over
	}
	if s.dev.regions.LocalList(s.qp.pd.num, s.receiveNow.SGL, true) != nil {
		s.failReceive(verbs.LocalProtection)
		s.complain(iwarp.FaultDDPLocal, h, n, nil)
		return over
	}
	return taken
}

// failReceive ends the receive of the message that is coming.
func (s *stream) failReceive(status verbs.Status) {
	s.midMessage = false
	s.qp.failedReceive(s.receiveNow.ID, status)
}

func immediate(op iwarp.Opcode) bool {
	return op == iwarp.OpImmediate || op == iwarp.OpImmediateSolicited
}

// checkResponse judges a segment of the answer to a Read: it must be the next of the oldest Read.
func (s *stream) checkResponse(h *iwarp.Header, n int) iwarp.Fault {
	if len(s.asked) == 0 {
		return iwarp.FaultDDPLocal
	}
	number := s.asked[0]
	if number == noSlot {
		if n != 0 || !h.Last {
			return iwarp.FaultDDPBounds
		}
		return iwarp.Fault{}
	}
	w := s.qp.sends.Get(number)
	switch {
	case w == nil || w.WR.Op != verbs.Read || h.STag != token(number):
		return iwarp.FaultDDPSTag
	case h.TO != w.Extra || w.Extra+uint64(n) > uint64(w.Len) || h.Last != (w.Extra+uint64(n) == uint64(w.Len)):
		return iwarp.FaultDDPBounds
	}
	return iwarp.Fault{}
}

// find sets s.places to where n bytes of a segment's payload, from off on, belong. It answers false if the memory
// may not be written any more.
func (s *stream) find(h *iwarp.Header, off, n int) bool {
	s.places = s.places[:0]
	if n == 0 {
		return true
	}
	list, at := s.receiveNow.SGL, off+int(h.MO)
	switch h.Op {
	case iwarp.OpWrite:
		buf, _, err := s.dev.regions.Remote(s.qp.pd.num, h.STag, h.TO+uint64(off), n, verbs.RemoteWrite)
		s.places = append(s.places, buf)
		return err == nil
	case iwarp.OpReadResponse:
		w := s.qp.sends.Get(s.asked[0])
		list, at = w.WR.SGL, off+int(h.TO)
	}
	if s.dev.regions.LocalList(s.qp.pd.num, list, true) != nil {
		return false
	}
	eachPiece(list, at, n, func(b []byte) { s.places = append(s.places, b) })
	return true
}

// fill copies a payload to its place.
func (s *stream) fill(b []byte) {
	s.dev.count.placedCopied += uint64(len(b))
	for _, p := range s.places {
		b = b[copy(p, b):]
	}
}

// deliver does what a segment asks for, now that its payload is in place.
func (s *stream) deliver(h *iwarp.Header, n int, payload []byte) verdict {
	if s.muzzled && s.phase == phaseOpen {
		s.muzzled = false
		if s.transmit(); s.qp == nil {
			return over
		}
	}
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
		s.terminated(payload)
	case iwarp.OpAtomicRequest:
		return s.serveAtomic(h, payload)
	case iwarp.OpAtomicResponse:
		return s.atomicDone(h, payload)
	default:
		if s.got += n; h.Last {
			s.received(h, payload)
		}
	}
	if s.qp == nil {
		return over
	}
	return taken
}

// received completes the receive of a whole message.
func (s *stream) received(h *iwarp.Header, payload []byte) {
	s.recvNum[iwarp.QueueSend]++
	s.midMessage = false
	marks, op, key, imm, n := verbs.Marks(0), verbs.Recv, uint32(0), uint32(0), s.got
	switch h.Op {
	case iwarp.OpSendInvalidate, iwarp.OpSendSolicitedInvalidate:
		// Programs on the kernel's siw cannot name a key and send 0.
		if key = h.Invalidate; key != 0 && s.dev.regions.Invalidate(s.qp.pd.num, key) != nil {
			s.qp.failedReceive(s.receiveNow.ID, verbs.RemoteInvalid)
			s.complain(iwarp.FaultInvalidateOperation, h, n, nil)
			return
		}
		marks |= verbs.Invalidated
	case iwarp.OpImmediate, iwarp.OpImmediateSolicited:
		data, _ := iwarp.ParseImmediate(payload)
		op, imm, n = verbs.RecvImm, uint32(data), s.written
		marks |= verbs.HasImm
		s.written = 0
	}
	if h.Op == iwarp.OpSendSolicited || h.Op == iwarp.OpSendSolicitedInvalidate || h.Op == iwarp.OpImmediateSolicited {
		marks |= verbs.WasSolicited
	}
	c := s.qp.slot(s.qp.recvCQ)
	if c == nil {
		return
	}
	c.ID, c.QP, c.Op, c.Marks, c.Len, c.Imm, c.Key = s.receiveNow.ID, s.qp.num, op, marks, n, imm, key
	s.qp.recvCQ.added(c)
}

// serveRead queues the answer to a Read.
func (s *stream) serveRead(h *iwarp.Header, payload []byte) verdict {
	r, ok := iwarp.ParseReadRequest(payload)
	f := iwarp.Fault{}
	switch {
	case !ok:
		s.complain(iwarp.FaultMO, h, len(payload), nil)
		return over
	case len(s.replies) >= max(s.terms.IRD, 1):
		f = iwarp.FaultStream
	case r.Size > maxMessage:
		f = iwarp.FaultBounds
	case r.Size > 0:
		_, _, err := s.dev.regions.Remote(s.qp.pd.num, r.SourceSTag, r.SourceTO, int(r.Size), verbs.RemoteRead)
		f = readFault(err)
	}
	if !f.OK() {
		s.complain(f, h, len(payload), &r)
		return over
	}
	s.recvNum[iwarp.QueueRead]++
	return s.queueReply(reply{request: r})
}

// serveAtomic carries out an atomic operation and queues its answer.
func (s *stream) serveAtomic(h *iwarp.Header, payload []byte) verdict {
	r, ok := iwarp.ParseAtomicRequest(payload)
	f := iwarp.Fault{}
	var old uint64
	switch {
	case !ok || !r.Op.Known():
		f = iwarp.FaultOpcode
	case len(s.replies) >= max(s.terms.IRD, 1):
		f = iwarp.FaultStream
	default:
		old, f = s.dev.atomic(s.qp.pd.num, &r)
	}
	if !f.OK() {
		s.complain(f, h, len(payload), nil)
		return over
	}
	s.recvNum[iwarp.QueueRead]++
	return s.queueReply(reply{atomic: true, answer: iwarp.AtomicResponse{ID: r.ID, Old: old}})
}

// atomic changes 8 bytes of a region and returns what they were.
func (d *Device) atomic(pd uint32, r *iwarp.AtomicRequest) (uint64, iwarp.Fault) {
	buf, _, err := d.regions.Remote(pd, r.STag, r.TO, 8, verbs.RemoteAtomic)
	if err != nil {
		return 0, readFault(err)
	}
	word := (*uint64)(unsafe.Pointer(unsafe.SliceData(buf)))
	if uintptr(unsafe.Pointer(word))%8 != 0 {
		return 0, iwarp.FaultStream
	}
	for {
		old := atomic.LoadUint64(word)
		if next := r.Apply(old); next == old || atomic.CompareAndSwapUint64(word, old, next) {
			return old, iwarp.Fault{}
		}
	}
}

func (s *stream) queueReply(r reply) verdict {
	s.replies = append(s.replies, r)
	if s.transmit(); s.qp == nil {
		return over
	}
	return taken
}

// responded notes that bytes of the oldest Read are here.
func (s *stream) responded(h *iwarp.Header, n int) {
	number := s.asked[0]
	if w := s.qp.sends.Get(number); number != noSlot && w != nil {
		w.Extra += uint64(n)
	}
	if h.Last {
		s.answered()
	}
}

// answered completes the oldest Read or atomic; others may go now.
func (s *stream) answered() {
	if w := s.qp.sends.Get(s.asked[0]); s.asked[0] != noSlot && w != nil {
		w.Done = true
	}
	s.asked = append(s.asked[:0], s.asked[1:]...)
	s.qp.sends.Retire(s.qp.report)
	if s.qp != nil {
		s.transmit()
	}
}

// atomicDone hands the old value to the oldest atomic.
func (s *stream) atomicDone(h *iwarp.Header, payload []byte) verdict {
	r, ok := iwarp.ParseAtomicResponse(payload)
	if !ok || len(s.asked) == 0 || uint32(s.asked[0]) != r.ID {
		s.complain(iwarp.FaultDDPLocal, h, len(payload), nil)
		return over
	}
	w := s.qp.sends.Get(s.asked[0])
	if w == nil || w.WR.Op != verbs.FetchAdd && w.WR.Op != verbs.CompareSwap {
		s.complain(iwarp.FaultDDPLocal, h, len(payload), nil)
		return over
	}
	if s.dev.regions.LocalList(s.qp.pd.num, w.WR.SGL, true) != nil {
		s.localFault(s.asked[0])
		return over
	}
	s.recvNum[iwarp.QueueAtomic]++
	putOld(w.WR.SGL, r.Old)
	if s.answered(); s.qp == nil {
		return over
	}
	return taken
}

// putOld scatters the old value of an atomic, in this host's order of bytes.
func putOld(list []verbs.SGE, old uint64) {
	value := *(*[8]byte)(unsafe.Pointer(&old))
	rest := value[:]
	for i := range list {
		rest = rest[copy(list[i].Buf, rest):]
	}
}

// terminated handles the peer's last words.
func (s *stream) terminated(payload []byte) {
	s.dev.count.terminatesIn++
	t, ok := iwarp.ParseTerminate(payload)
	if !ok {
		t.Fault = iwarp.FaultStream
	}
	s.qp.remoteError(t.Fault)
	s.qp.fatal(&PeerError{Fault: t.Fault})
}

// PeerError is what a peer said when it ended a connection, or refused a datagram.
type PeerError struct{ Fault iwarp.Fault }

func (e *PeerError) Error() string { return "the peer says: " + e.Fault.Error() }

// Unwrap gives the fault.
func (e *PeerError) Unwrap() error { return e.Fault }
