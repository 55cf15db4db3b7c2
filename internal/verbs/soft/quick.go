package soft

import (
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// A message of one segment that is posted alone, while nothing else is under way, need not pass through the
// send queue: its frame, or its datagram, is made and handed to the socket at once. Whatever the socket
// does not take goes the usual way.

// loneSize is how many bytes a work request sends, -1 if it may not go the quick way as far as can be told from itself.
func (b *base) loneSize(wr *verbs.SendWR) (n int) {
	if b.state != verbs.RTS || b.sends.Open() > 0 || wr.Flags&verbs.Fence != 0 || len(wr.SGL) > b.cfg.SendSGE {
		return -1
	}
	inline := wr.Flags&verbs.Inline != 0
	for i := range wr.SGL {
		e := &wr.SGL[i]
		if !inline && b.dev.regions.Local(b.pd.num, e, false) != nil {
			return -1
		}
		n += len(e.Buf)
	}
	if inline && n > b.cfg.Inline {
		return -1
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
	f := &q.dev.lone
	f.load.list, f.n = wr.SGL, size
	h := &f.header
	if *h = (iwarp.Header{Last: true}); wr.Op == verbs.Write {
		h.Op, h.Tagged, h.STag, h.TO = iwarp.OpWrite, true, wr.RKey, wr.RemoteAddr
	} else {
		h.Op, h.MSN = sendOpcode(wr), s.sendNum[iwarp.QueueSend]
	}
	n, err := s.sendLone(f)
	f.load.list = nil
	if err != nil {
		return false // the usual way meets the error again
	}
	if n < f.size {
		q.resume(wr, n)
		return true
	}
	q.dev.count.bytesOut += uint64(n)
	q.dev.count.fpdusOut++
	if wr.Op == verbs.Send {
		s.sendNum[iwarp.QueueSend]++
	}
	q.quickDone(wr, size, verbs.OK)
	if s.rests() {
		s.blocked = true
		s.watch(s.reads(), true)
	}
	return true
}

// sendLone hands a frame to the socket that has no others before it, and tells how many bytes that took.
func (s *stream) sendLone(f *frame) (int, error) {
	d := s.dev
	d.count.sendCalls++
	if s.frame(f); f.n <= smallFrame {
		return s.send(f.append(d.scratch[:0], s.terms.CRC))
	}
	f.gather(d.vector)
	n, err := s.sendVector(d.vector)
	d.vector.Reset()
	return n, err
}

// free tells that the connection has nothing to send, and may send.
func (s *stream) free() bool {
	return s.frames.n == 0 && s.cur.kind == nothing && len(s.replies) == 0 && !s.muzzled && s.greeting == nil &&
		!s.closing && !s.terms.MarkersOut && !s.rests()
}

// resume has a work request go the usual way whose first n bytes the socket has taken: the frame that is
// made of it is the same.
func (q *rc) resume(wr *verbs.SendWR, n int) {
	s := q.stream
	if q.sends.Post(&q.dev.regions, q.pd.num, wr) != nil || !s.plan() { // it was valid, and there is room: nothing else is open
		q.fatal(errCutOff)
		return
	}
	s.advance(n)
	s.blocked = true
	s.watch(s.reads(), true)
}

// quick sends a UD Send; it answers false if that has to go the usual way.
func (q *dgram) quick(wr *verbs.SendWR) bool {
	u := q.sock
	a, ok := wr.AH.(*ah)
	if wr.Op != verbs.Send || q.cfg.Type != verbs.UD || !ok || a.pd != q.pd || a.closed || a.to.Addr().Is4() != u.is4 || wr.DestQP >= 1<<24 ||
		u.box != nil || u.dev.tap != nil {
		return false
	}
	size := q.loneSize(wr)
	if size < 0 || size > min(smallDatagram, u.longestTo(a.to)) {
		return false
	}
	h := iwarp.Header{Last: true, Op: sendOpcode(wr), QN: iwarp.QN(iwarp.QueueSend, wr.DestQP), MSN: q.sendNum[iwarp.QueueSend]}
	if q.named {
		h.Invalidate = q.num
	}
	b := q.base.dev.scratch[:iwarp.UntaggedSize]
	h.Put(b)
	err := u.sock.SendOne(a.to, u.complete(b, 0, a.to, &load{list: wr.SGL}, 0, size))
	switch err {
	case nil:
		q.sendNum[iwarp.QueueSend]++
		q.base.dev.count.datagramsOut++
		q.quickDone(wr, size, verbs.OK)
	case socket.ErrAgain:
		return false
	default:
		q.quickDone(wr, size, sendStatus(err))
	}
	return true
}

// quickReceive delivers a Send that came in one piece to a receive that lies in one piece; it answers false
// if it has to go the usual way.
func (s *stream) quickReceive(h *iwarp.Header, payload []byte) bool {
	r := &s.receiveNow
	if s.midMessage || h.MO != 0 || h.QN != iwarp.QueueSend || h.MSN != s.recvNum[iwarp.QueueSend] || !s.to.take(r) {
		return false
	}
	s.midMessage, s.receiver, s.got = true, s.to, 0 // the usual way finds the receive taken
	if len(r.SGL) != 1 || len(payload) > r.Len || s.dev.regions.Local(s.to.pd.num, &r.SGL[0], true) != nil {
		return false
	}
	copy(r.SGL[0].Buf, payload)
	s.dev.count.placedCopied += uint64(len(payload))
	s.recvNum[iwarp.QueueSend]++
	s.midMessage = false
	if c := s.to.slot(s.to.recvCQ); c != nil {
		c.ID, c.QP, c.Op, c.Len = r.ID, s.to.num, verbs.Recv, len(payload)
		s.to.recvCQ.added(c)
	}
	return true
}
