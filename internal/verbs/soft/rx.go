package soft

import (
	"errors"
	"slices"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs/auth"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

const (
	receiveRounds = 16       // calls of receive in a row, before others get their turn
	directPayload = 4 << 10  // a payload this long is received where it belongs, if it has not come whole already
	longPayload   = 20 << 10 // likewise one of a Send that is whole in its segment: shorter ones are sooner copied, several of them from one call. After a payload this long another one is expected, and only its header is fetched at first
	slop          = 80       // how much that is, and how much is fetched together with the end of a long payload: headers of a program's own, too, and of the answer to a Read a line of cache
	expectLong    = 6        // for so many segments after a long one: between two Writes there are the short end of one, a message that tells of it, and a Read and an answer of nothing
)

// in is the receiving half of a stream.
type in struct {
	pend    []byte // bytes of an FPDU that has not come whole, or that nobody can take yet
	starved bool   // a message waits for a receive to be posted; nothing is read meanwhile
	lent    bool   // pend is where it has landed, which is lent to whoever polls
	waits   bool   // for whoever has been told of a message, or is to be; nothing is read meanwhile
	bulk    int    // segments for which a long payload is expected, because one came not long ago

	stripper *iwarp.MarkerStripper
	whole    int // with markers: how long the FPDU will be of which pend is the beginning, if it is a long one
	body     body
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

// between tells whether the peer may end the stream here: not in the middle of a message.
func (s *stream) between() bool {
	return len(s.pend) == 0 && !s.body.on && !s.midMessage && s.writeSoFar == 0
}

// forget gives back what the receiving half holds.
func (s *stream) forget() {
	s.keep(nil)
	s.cutOff()
	if s.starved && s.qp != nil && s.qp.srq != nil {
		list := s.qp.srq.starved
		for i, x := range list {
			if x == starving(s) {
				s.qp.srq.starved = append(list[:i], list[i+1:]...)
				break
			}
		}
	}
	if s.waits {
		s.dev.waiting = slices.DeleteFunc(s.dev.waiting, func(x *stream) bool { return x == s })
	}
	s.starved, s.waits, s.body, s.places, s.receiveNow = false, false, body{}, nil, nic.Receive{}
}

// reads tells whether there is nobody to wait for before more is read.
func (s *stream) reads() bool { return !s.starved && !s.waits }

// receive takes what the socket has.
func (s *stream) receive() bool {
	worked, d := false, s.dev
	for range receiveRounds {
		asked, n, err := s.fetch()
		if err == socket.ErrAgain {
			return worked
		}
		if err != nil {
			if err == errGone {
				s.misplaced(&s.body.h, s.body.n)
			} else {
				s.lose(err)
			}
			return true
		}
		worked = true
		if s.qp == nil || !s.reads() || n < asked && !s.inLong() && !s.opensMore() || d.paused {
			break
		}
	}
	s.remind()
	return worked
}

// fetch makes one call of the socket and handles what it gave; it answers how much it asked for and got.
func (s *stream) fetch() (asked, n int, err error) {
	d := s.dev
	d.count.recvCalls++
	if s.body.on {
		return s.fetchBody()
	}
	if s.whole > 0 {
		return s.fetchMarked()
	}
	stage := d.land().stage
	have, limit := 0, len(stage)
	if len(s.pend) > 0 {
		have = copy(stage, s.pend)
	}
	if first := s.first(); have < first && (s.bulk > 0 || len(s.asked) > 0 && s.awaitsLong()) {
		limit = have + first
	}
	n, err = s.recv(stage[have:limit])
	if err != nil {
		return 0, 0, err
	}
	d.count.bytesIn += uint64(n)
	s.parse(stage[:have+n])
	return limit - have, n, nil
}

// first is how much is fetched of a segment at first: as much as a program has to see to tell where a
// message goes. If it has told that of a longer one it is exactly the head of that, and what follows is
// received where lines of cache begin.
func (s *stream) first() int {
	if s.headLen > 0 {
		return iwarp.FPDULengthSize + iwarp.UntaggedSize + s.headLen
	}
	return slop
}

// noteLength learns from the length of a payload what to expect of the next ones.
func (s *stream) noteLength(n int) {
	if n >= longPayload {
		s.bulk = expectLong
	} else if s.bulk > 0 {
		s.bulk--
	}
}

// awaitsLong tells whether the answer that comes next, to the oldest of our Reads and atomics, is that to a long Read.
func (s *stream) awaitsLong() bool {
	w := s.asked[0].get()
	return w != nil && w.Len >= longPayload
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
	s.lookAhead(v)
	asked = v.Bytes()
	n, err = s.recvVector(v)
	v.Reset()
	if err != nil {
		return 0, 0, err
	}
	d.count.bytesIn += uint64(n)
	rest := n
	for _, p := range s.places {
		k := min(rest, len(p))
		s.place(p[:k])
		rest -= k
	}
	s.behind(rest)
	return asked, n, nil
}

// endBody checks a long payload and delivers it.
func (s *stream) endBody() bool {
	b := &s.body
	pad := b.tailLen - iwarp.CRCSize
	n := b.n
	s.h = b.h
	b.on = false
	if b.h.Tagged {
		s.headLen = 0
	}
	if s.terms.CRC && b.crc.Add(b.tail[:pad]).Sum() != leUint32(b.tail[pad:]) {
		s.terminate(iwarp.FaultCRC)
		return false
	}
	s.dev.count.fpdusIn++
	s.noteLength(n)
	if s.unmuzzle(); s.qp == nil {
		return false
	}
	return s.deliver(&s.h, n, nil) == taken
}

func leUint32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// parse handles the FPDUs in b and keeps what is left over.
func (s *stream) parse(b []byte) {
	for len(b) > 0 {
		if s.dev.lends && s.borrows(s.dev.polling) {
			if n := s.borrow(b); n > 0 {
				b = b[n:]
				continue
			}
		}
		segment, n, err := s.split(b)
		if err != nil && errors.Is(err, iwarp.ErrShort) {
			if s.stripper != nil && n > directPayload {
				s.keepMarked(b, n)
				return
			}
			switch s.beginBody(b) {
			case taken:
				b = nil
			case later:
				return
			}
			break
		}
		if err != nil {
			if s.unproven() {
				s.stranger()
			} else {
				s.terminate(iwarp.FaultOf(err))
			}
			return
		}
		switch v := s.segment(segment); v {
		case hungry, long:
			if s.stripper != nil {
				s.stripper.Back(n)
			}
			if v == long {
				s.tellLong(b, segment[iwarp.UntaggedSize:])
			} else {
				s.keep(b)
				s.starve()
			}
			return
		case over:
			return
		}
		s.dev.count.fpdusIn++
		b = b[n:]
	}
	if s.qp != nil && len(b)+cap(s.pend) > 0 {
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
	if s.whole = 0; s.lent {
		s.pend, s.lent = nil, false
	}
	if len(b) == 0 && s.stripper != nil { // for the next long FPDU
		s.pend = s.pend[:0]
		return
	}
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
	if s.qp != nil && s.reads() {
		s.watch(true, s.blocked)
	}
	s.remind()
}

// beginBody begins to receive a long payload where it belongs, if b is the beginning of such an FPDU; all
// of b is used up then. The payload is placed before the CRC is known, but delivered only if it fits. One
// of which less than slop has come waits for more, from which the program can tell where it goes; if that
// is told of it, the answer is later.
func (s *stream) beginBody(b []byte) verdict {
	if s.stripper != nil || s.phase != phaseOpen || len(b) < min(slop, s.first()) {
		return over
	}
	ulpdu := int(b[0])<<8 | int(b[1])
	var size int
	var f iwarp.Fault
	h := &s.h
	*h, size, f = iwarp.ParseHeader(b[iwarp.FPDULengthSize:])
	n := ulpdu - size
	lone := h.Op == iwarp.OpSend && h.Last && h.MO == 0
	short := (n < directPayload || lone && n < longPayload) && (!s.aside.long || h.Tagged) // the end of a message that is longer than its receive is no different from the rest
	if !f.OK() || short || h.Op > iwarp.OpSendSolicitedInvalidate || h.Op == iwarp.OpReadRequest {
		return over
	}
	payload := b[iwarp.FPDULengthSize+size:]
	have := min(len(payload), n)
	switch v := s.check(h, n, false); {
	case v == long && have >= s.first()-iwarp.FPDULengthSize-iwarp.UntaggedSize: // enough to tell of it
		s.tellLong(b, payload[:have])
		return later
	case v != taken:
		return over // whole, it will be judged again
	case s.tells(h, n):
		s.tell(b, payload[:have], n)
		return later
	}
	if !s.find(h, 0, n) {
		return over
	}
	s.fill(payload[:have])
	s.body = body{on: true, h: *h, n: n, done: have, tailLen: iwarp.PadLen(ulpdu) + iwarp.CRCSize}
	s.body.tailGot = copy(s.body.tail[:s.body.tailLen], payload[have:])
	if s.terms.CRC {
		s.body.crc = iwarp.NewCRC().Add(b[:iwarp.FPDULengthSize+size+have])
	}
	return taken
}

// segment handles a whole segment.
func (s *stream) segment(b []byte) verdict {
	var size int
	var f iwarp.Fault
	h := &s.h
	*h, size, f = iwarp.ParseHeader(b)
	payload := b[size:]
	if s.phase == phaseProving {
		if v, swallowed := s.hearFirst(h, f, payload); v != taken || swallowed {
			return v
		}
	}
	if !f.OK() {
		t := iwarp.Terminate{Fault: f}
		if f == iwarp.FaultOpcode {
			t.HasHeader, t.Header, t.SegmentLen = true, *h, uint16(len(b))
		}
		s.terminateFor(t)
		return over
	}
	s.noteLength(len(payload))
	if s.unmuzzle(); s.qp == nil {
		return over
	}
	if h.Op == iwarp.OpSend && h.Last && s.quickReceive(h, payload) {
		return s.still()
	}
	return s.take(h, payload)
}

// unmuzzle lets a responder send, now that it has received.
func (s *stream) unmuzzle() {
	if s.muzzled && s.phase == phaseOpen {
		s.muzzled = false
		s.transmit()
	}
}

// hearFirst handles the first message of an initiator from which something is due: the proof that it knows the key, or
// the sign that it is ready.
func (s *stream) hearFirst(h *iwarp.Header, f iwarp.Fault, payload []byte) (v verdict, swallowed bool) {
	key := s.dev.cfg.Key
	if len(key) > 0 {
		want := auth.First(key, s.theirs, s.mine)
		if !f.OK() || h.Op != iwarp.OpSend || !h.Last || h.QN != iwarp.QueueSend || h.MSN != 1 || len(payload) != auth.ProofSize ||
			!auth.Same(want, [auth.ProofSize]byte(payload)) {
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

// told handles the peer's last words.
func (s *stream) told(payload []byte) {
	s.dev.count.terminatesIn++
	t, ok := iwarp.ParseTerminate(payload)
	if !ok {
		t.Fault = iwarp.FaultStream
	}
	s.qp.remoteError(t.Fault)
	s.qp.fatal(&PeerError{Fault: t.Fault})
}

// alive tells whether the connection still belongs to a queue pair.
func (s *stream) alive() bool { return s.qp != nil }

// PeerError is what a peer said when it ended a connection, or refused a datagram.
type PeerError struct{ Fault iwarp.Fault }

func (e *PeerError) Error() string { return "the peer says: " + e.Fault.Error() }

// Unwrap gives the fault.
func (e *PeerError) Unwrap() error { return e.Fault }
