package soft

import (
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// A short message that is posted alone, while nothing else is under way, need not pass through the queues: it is put
// together and handed to the socket at once. Everything else, and whatever the socket does not take, goes the usual
// way.

// lone tells whether a work request may go the quick way as far as it can be told from itself.
func (b *base) lone(wr *verbs.SendWR, most int) bool {
	return b.state == verbs.RTS && b.sends.Open() == 0 && wr.Flags&(verbs.Inline|verbs.Fence) == 0 && len(wr.SGL) == 1 &&
		len(wr.SGL[0].Buf) <= most && b.dev.regions.Local(b.pd.num, &wr.SGL[0], false) == nil
}

// quickDone completes a work request that went the quick way.
func (b *base) quickDone(wr *verbs.SendWR, status verbs.Status) {
	if status == verbs.OK && wr.Flags&verbs.Signaled == 0 && !b.cfg.SignalAll {
		return
	}
	if c := b.slot(b.sendCQ); c != nil {
		c.ID, c.QP, c.Op, c.Status, c.Len = wr.ID, b.num, wr.Op, status, len(wr.SGL[0].Buf)
		b.sendCQ.added(c)
	}
}

// quick sends a Send or Write; it answers false if that has to go the usual way.
func (q *rc) quick(wr *verbs.SendWR) bool {
	s := q.stream
	if wr.Op != verbs.Send && wr.Op != verbs.Write || s.frames.n > 0 || s.cur.kind != nothing || len(s.replies) > 0 ||
		s.muzzled || s.greeting != nil || s.closing || s.terms.MarkersOut || !q.lone(wr, min(smallFrame, s.largest-iwarp.UntaggedSize)) {
		return false
	}
	h := iwarp.Header{Last: true}
	if wr.Op == verbs.Write {
		h.Op, h.Tagged, h.STag, h.TO = iwarp.OpWrite, true, wr.RKey, wr.RemoteAddr
	} else {
		h.Op, h.MSN = sendOpcode(wr), s.sendNum[iwarp.QueueSend]
	}
	d, payload := q.dev, wr.SGL[0].Buf
	b := iwarp.AppendFPDUHead(d.scratch[:0], h.Size()+len(payload))
	b = b[:len(b)+h.Put(b[len(b):cap(b)])]
	b = append(b, payload...)
	crc := iwarp.NewCRC()
	if s.terms.CRC {
		crc = crc.Add(b)
	}
	b = iwarp.AppendFPDUTail(b, len(b)-iwarp.FPDULengthSize, crc, s.terms.CRC)
	d.count.sendCalls++
	n, err := s.conn.Send(b, false)
	if err != nil {
		return false // the usual way meets the error again
	}
	if n < len(b) {
		s.greeting = append([]byte(nil), b[n:]...) // goes before everything else
		s.blocked = true
		s.watch(!s.starved, true)
	}
	d.count.bytesOut += uint64(n)
	d.count.fpdusOut++
	if !h.Tagged {
		s.sendNum[iwarp.QueueSend]++
	}
	q.quickDone(wr, verbs.OK)
	return true
}

// quick sends a UD Send; it answers false if that has to go the usual way.
func (q *dgram) quick(wr *verbs.SendWR) bool {
	u := q.sock
	a, ok := wr.AH.(*ah)
	if q.cfg.Type != verbs.UD || wr.Op != verbs.Send || !ok || a.pd != q.pd || a.closed || a.to.Addr().Is4() != u.is4 ||
		wr.DestQP >= 1<<24 || u.box != nil || u.dev.tap != nil || !q.lone(wr, min(smallDatagram, u.size-udOverhead)) {
		return false
	}
	h := iwarp.Header{Last: true, Op: sendOpcode(wr), QN: iwarp.QN(iwarp.QueueSend, wr.DestQP), MSN: q.sendNum[iwarp.QueueSend]}
	if q.named {
		h.Invalidate = q.num
	}
	b := u.dev.scratch[:iwarp.UntaggedSize]
	h.Put(b)
	b = iwarp.SealDatagram(append(b, wr.SGL[0].Buf...), 0, u.key)
	err := u.sock.SendOne(a.to, b)
	if err == socket.ErrAgain {
		return false
	}
	status := verbs.OK
	if err != nil {
		status = sendStatus(err)
	}
	u.dev.count.datagramsOut++
	q.sendNum[iwarp.QueueSend]++
	q.quickDone(wr, status)
	return true
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
		s.askWhere(payload, len(payload))
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
