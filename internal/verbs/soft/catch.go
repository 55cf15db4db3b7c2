package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// A program that can use a message where it has landed, at once, needs no receive and no completion for it: it catches the message.
// Like Steer, that is for whoever polls, so that it may look at its own queues meanwhile.

// Catch has c see messages that come to the queue pair, during Poll of its receive queue's completions and with the device locked.
// Where they come from it is not told, for that is the peer. C is shown Sends that have come whole in one segment, when nothing is in the completion queue: all that came before has been taken.
func (q *rc) Catch(c verbs.Catcher) bool {
	q.dev.mu.Lock()
	q.catch = c
	q.catchPlaced, _ = c.(verbs.PlacedCatcher)
	q.dev.mu.Unlock()
	return true
}

// catches tells whether whoever polls c is shown the messages that come.
func (s *stream) catches(c *cq) bool {
	q := s.qp
	return q != nil && q.catch != nil && q.recvCQ == c && !s.midMessage && s.phase == phaseOpen && !s.muzzled && s.stripper == nil
}

// caught shows whoever polls, and catches, the message that b begins with. It answers how long its FPDU is, 0 if that has to go the
// usual way.
func (s *stream) caught(b []byte) int {
	message, n := iwarp.ParseLone(b, s.recvNum[iwarp.QueueSend], s.terms.CRC)
	if n == 0 || !s.qp.catch.Catch(message, netip.AddrPort{}) {
		return 0
	}
	s.recvNum[iwarp.QueueSend]++
	s.dev.count.fpdusIn++
	s.dev.count.caught++
	s.noteLength(len(message))
	return n
}

// caughtPlaced shows whoever polls, and catches, that the message has come whole, of n bytes, whose place he has told. It answers false if
// that has to be reported the usual way. Those who wait for a receive are not to be overlooked: they get it from whoever posts it.
func (s *stream) caughtPlaced(n int) bool {
	d, q := s.dev, s.qp
	if s.aside.dst == nil || s.aside.long || d.catching == nil || d.catching != q.recvCQ || q.catchPlaced == nil || d.catching.Len() > 0 ||
		q.recvs.Full() || q.srq != nil && len(q.srq.starved) > 0 {
		return false
	}
	ok, next := q.catchPlaced.CatchPlaced(s.receiveNow.SGL[0].Buf[:s.aside.at], n)
	if !ok {
		return false
	}
	q.recvs.GiveBack(&s.receiveNow)
	s.recvNum[iwarp.QueueSend]++
	s.midMessage = false
	s.aside.drop()
	d.count.caught++
	d.paused = d.paused || next == verbs.Pause
	return true
}

// Catch is the same for datagrams, of UD queue pairs only.
func (q *dgram) Catch(c verbs.Catcher) bool {
	q.base.dev.mu.Lock()
	q.catch = c
	q.base.dev.mu.Unlock()
	return true
}

// caught shows whoever polls a message and answers whether he has used it.
func (q *dgram) caught(h *iwarp.Header, payload []byte, from netip.AddrPort) bool {
	d := q.base.dev
	if q.catch == nil || d.catching != q.recvCQ || q.recvCQ.Len() > 0 || h.Op != iwarp.OpSend || !q.catch.Catch(payload, from) {
		return false
	}
	d.count.caught++
	return true
}
