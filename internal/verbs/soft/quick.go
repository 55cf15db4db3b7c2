package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// A message of one segment that is posted alone, while nothing else is under way, need not pass through the queues: it is
// put together and handed to the socket at once. Everything else, and whatever the socket does not take, goes the usual way.

// loneSize is how many bytes a work request sends, -1 if it may not go the quick way as far as can be told from itself.
func (b *base) loneSize(wr *verbs.SendWR) (n int) {
	if b.state != verbs.RTS || b.sends.Open() > 0 || wr.Flags&(verbs.Inline|verbs.Fence) != 0 || len(wr.SGL) > b.cfg.SendSGE {
		return -1
	}
	for i := range wr.SGL {
		e := &wr.SGL[i]
		if b.dev.regions.Local(b.pd.num, e, false) != nil {
			return -1
		}
		n += len(e.Buf)
	}
	return n
}

// quickDone completes a work request that went the quick way.
func (b *base) quickDone(wr *verbs.SendWR, n int, status verbs.Status) {
	if status == verbs.OK && wr.Flags&verbs.Signaled == 0 && !b.cfg.SignalAll {
		return
	}
	if c := b.slot(b.sendCQ); c != nil {
		c.ID, c.QP, c.Op, c.Status, c.Len = wr.ID, b.num, wr.Op, status, n
		b.sendCQ.added(c)
	}
}

// quick sends a Send or Write that fits one segment; it answers false if that has to go the usual way.
func (q *rc) quick(wr *verbs.SendWR) bool {
	s := q.stream
	if wr.Op != verbs.Send && wr.Op != verbs.Write || !s.free() {
		return false
	}
	size := q.loneSize(wr)
	if size < 0 || size > s.largest-iwarp.UntaggedSize {
		return false
	}
	h := iwarp.Header{Last: true}
	if wr.Op == verbs.Write {
		h.Op, h.Tagged, h.STag, h.TO = iwarp.OpWrite, true, wr.RKey, wr.RemoteAddr
	} else {
		h.Op, h.MSN = sendOpcode(wr), s.sendNum[iwarp.QueueSend]
	}
	n, err := s.hand(&h, wr.SGL, size)
	if err != nil {
		return false // the usual way meets the error again
	}
	if n < iwarp.FPDULen(h.Size()+size) {
		return q.resume(wr, n)
	}
	d := q.dev
	d.count.bytesOut += uint64(n)
	d.count.fpdusOut++
	if !h.Tagged {
		s.sendNum[iwarp.QueueSend]++
	}
	q.quickDone(wr, size, verbs.OK)
	return true
}

// free tells that the connection has nothing to send, and may send.
func (s *stream) free() bool {
	return s.frames.n == 0 && s.cur.kind == nothing && len(s.replies) == 0 && !s.muzzled && s.greeting == nil && !s.closing && !s.terms.MarkersOut
}

// SendNow sends b, which is registered with lkey, as an unsignaled Send, if it is one segment and can be handed to the socket at once:
// no work request is made. The last bytes of b are those of late, which need not be registered: they leave from where they are, and
// are copied to b afterwards. Else it answers false and has done nothing; PostSend takes b, or says why not.
func (q *rc) SendNow(b, late []byte, lkey uint32) bool {
	q.dev.mu.Lock()
	ok := q.sendNow(b, late, lkey)
	q.dev.mu.Unlock()
	return ok
}

func (q *rc) sendNow(b, late []byte, lkey uint32) bool {
	s, d := q.stream, q.dev
	if s == nil || q.state != verbs.RTS || q.sends.Open() > 0 || len(b) > s.largest-iwarp.UntaggedSize || q.cfg.SignalAll || !s.free() {
		return false
	}
	var n int
	var err error
	first, size, msn := b[:len(b)-len(late)], iwarp.LoneLen(len(b)), s.sendNum[iwarp.QueueSend]
	d.count.sendCalls++
	if len(b) <= smallFrame {
		fpdu := d.scratch[:size]
		iwarp.PutLone(fpdu, msn, first, late, s.terms.CRC)
		n, err = s.conn.Send(fpdu, false)
	} else {
		n, err = s.gatherLone(msn, first, late)
	}
	if err != nil {
		return false // the usual way meets the error again
	}
	copy(b[len(first):], late)
	if n < size {
		return q.resume(&verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: b, LKey: lkey}}}, n)
	}
	d.count.bytesOut += uint64(n)
	d.count.fpdusOut++
	s.sendNum[iwarp.QueueSend]++
	return true
}

// gatherLone gives the socket a Send that is one segment, from where its payload is, and tells how many bytes it took. The payload is
// in two pieces, the first of them a short one, or in one.
func (s *stream) gatherLone(msn uint32, first, second []byte) (int, error) {
	d, size := s.dev, len(first)+len(second)
	b := d.scratch[:iwarp.LoneSize]
	iwarp.PutLoneHead(b, msn, size)
	if len(second) == 0 {
		second = first
	} else {
		b = append(b, first...)
	}
	crc := iwarp.NewCRC()
	if s.terms.CRC {
		crc = crc.Add(b).Add(second)
	}
	v := d.vector
	v.Reset()
	v.Add(b)
	v.Add(second)
	v.Add(iwarp.AppendFPDUTail(b, iwarp.UntaggedSize+size, crc, s.terms.CRC)[len(b):])
	n, err := s.conn.SendVector(v, false)
	v.Reset()
	return n, err
}

// hand gives the socket an FPDU with a payload of n bytes in one call, and tells how many bytes it took. A short payload is
// copied next to its header, a long one gathered.
func (s *stream) hand(h *iwarp.Header, list []verbs.SGE, n int) (int, error) {
	d := s.dev
	ulpdu := h.Size() + n
	b := iwarp.AppendFPDUHead(d.scratch[:0], ulpdu)
	b = b[:len(b)+h.Put(b[len(b):cap(b)])]
	crc := iwarp.NewCRC()
	d.count.sendCalls++
	if n <= smallFrame {
		for i := range list {
			b = append(b, list[i].Buf...)
		}
		if s.terms.CRC {
			crc = crc.Add(b)
		}
		return s.conn.Send(iwarp.AppendFPDUTail(b, ulpdu, crc, s.terms.CRC), false)
	}
	head, v := len(b), d.vector
	v.Reset()
	v.Add(b)
	if s.terms.CRC {
		crc = crc.Add(b)
	}
	for i := range list {
		v.Add(list[i].Buf)
		if s.terms.CRC {
			crc = crc.Add(list[i].Buf)
		}
	}
	v.Add(iwarp.AppendFPDUTail(b, ulpdu, crc, s.terms.CRC)[head:])
	sent, err := s.conn.SendVector(v, false)
	v.Reset()
	return sent, err
}

// resume has a work request go the usual way whose first n bytes the socket has taken: the frame that is made of it is the same.
func (q *rc) resume(wr *verbs.SendWR, n int) bool {
	s := q.stream
	if q.sends.Post(&q.dev.regions, q.pd.num, wr) != nil || !s.plan() { // it was valid, and there is room: nothing else is open
		q.fatal(errCutOff)
		return true
	}
	s.advance(n)
	s.blocked = true
	s.watch(s.reads(), true)
	return true
}

// quick sends a UD Send; it answers false if that has to go the usual way.
func (q *dgram) quick(wr *verbs.SendWR) bool {
	a, ok := wr.AH.(*ah)
	if wr.Op != verbs.Send || !ok || len(wr.SGL) != 1 {
		return false
	}
	size := q.loneSize(wr)
	if size < 0 || !q.mayHand(a, wr.DestQP, size) {
		return false
	}
	err := q.hand(a.to, wr.DestQP, sendOpcode(wr), wr.SGL[0].Buf)
	if err == socket.ErrAgain {
		return false
	}
	status := verbs.OK
	if err != nil {
		status = sendStatus(err)
	}
	q.quickDone(wr, size, status)
	return true
}

// SendNow sends b, which is registered, as an unsignaled Send to queue pair num at an address, if it is short and can be
// handed to the socket at once. Else it answers false and has done nothing; PostSend takes it, or says why not.
func (q *dgram) SendNow(at verbs.AH, num uint32, b []byte) bool {
	q.base.dev.mu.Lock()
	ok := q.sendNow(at, num, b)
	q.base.dev.mu.Unlock()
	return ok
}

func (q *dgram) sendNow(at verbs.AH, num uint32, b []byte) bool {
	a, ok := at.(*ah)
	if !ok || q.state != verbs.RTS || q.sends.Open() > 0 || q.cfg.SignalAll || !q.mayHand(a, num, len(b)) || q.hand(a.to, num, iwarp.OpSend, b) != nil {
		return false // the usual way meets an error again
	}
	return true
}

// mayHand tells whether a Send of n bytes may be handed to the socket at once, as far as the way to its destination goes.
func (q *dgram) mayHand(a *ah, num uint32, n int) bool {
	u := q.sock
	return q.cfg.Type == verbs.UD && a.pd == q.pd && !a.closed && a.to.Addr().Is4() == u.is4 && num < 1<<24 && u.box == nil && u.dev.tap == nil &&
		n <= min(smallDatagram, u.longestTo(a.to))
}

// hand gives the socket a Send of the bytes b, which it has taken or met an error with.
func (q *dgram) hand(to netip.AddrPort, num uint32, op iwarp.Opcode, b []byte) error {
	u := q.sock
	h := iwarp.Header{Last: true, Op: op, QN: iwarp.QN(iwarp.QueueSend, num), MSN: q.sendNum[iwarp.QueueSend]}
	if q.named {
		h.Invalidate = q.num
	}
	datagram := u.dev.scratch[:iwarp.UntaggedSize]
	h.Put(datagram)
	err := u.sock.SendOne(to, u.seal(append(datagram, b...), 0, to))
	if err == nil {
		u.dev.count.datagramsOut++
		q.sendNum[iwarp.QueueSend]++
	}
	return err
}

// quickReceive delivers a Send that came in one piece to a receive that lies in one piece; it answers false if it has to
// go the usual way.
func (s *stream) quickReceive(h *iwarp.Header, payload []byte) bool {
	r := &s.receiveNow
	if s.midMessage || h.MO != 0 || h.QN != iwarp.QueueSend || h.MSN != s.recvNum[iwarp.QueueSend] || !s.to.take(r) {
		return false
	}
	s.midMessage, s.receiver, s.got = true, s.to, 0 // the usual way finds the receive taken
	if len(r.SGL) != 1 || len(payload) > r.Len || s.dev.regions.Local(s.to.pd.num, &r.SGL[0], true) != nil {
		return false
	}
	if s.steerable(h, len(payload)) {
		s.askEarly(payload, len(payload))
	}
	if s.aside.dst != nil {
		s.aside.fill(r.SGL[0].Buf, payload)
		s.aside.drop()
	} else {
		copy(r.SGL[0].Buf, payload)
	}
	s.dev.count.placedCopied += uint64(len(payload))
	s.recvNum[iwarp.QueueSend]++
	s.midMessage = false
	if c := s.to.slot(s.to.recvCQ); c != nil {
		c.ID, c.QP, c.Op, c.Len = r.ID, s.to.num, verbs.Recv, len(payload)
		s.to.recvCQ.added(c)
	}
	return true
}
