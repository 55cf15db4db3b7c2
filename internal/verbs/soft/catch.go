package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// A program that can use a message where it has landed, at once, needs no receive and no completion for it: it catches the message.
// Like Steer, that is for whoever polls, so that it may look at its own queues meanwhile.

// Catch has f see messages that come to the queue pair, during Poll of its receive queue's completions and with the device locked.
// If f answers true it has used the message, and that is the end of it: no receive is taken, nothing completes. All others go the
// usual way. The bytes are f's for the call only, and f must not call the device.
//
// F is shown Sends that have come whole in one segment, when nothing is in the completion queue: all that came before has been taken.
func (q *rc) Catch(f func(message []byte) bool) {
	q.dev.mu.Lock()
	q.catch = f
	q.dev.mu.Unlock()
}

// caught shows whoever polls the message that b begins with. It answers how long its FPDU is, 0 if that has to go the usual way.
func (s *stream) caught(b []byte) int {
	d, q := s.dev, s.qp
	if d.catching == nil || q == nil || q.catch == nil || d.catching != q.recvCQ || q.recvCQ.Len() > 0 ||
		s.midMessage || s.phase != phaseOpen || s.muzzled || s.stripper != nil {
		return 0
	}
	message, n := iwarp.ParseLone(b, s.recvNum[iwarp.QueueSend], s.terms.CRC)
	if n == 0 || !q.catch(message) {
		return 0
	}
	s.recvNum[iwarp.QueueSend]++
	d.count.fpdusIn++
	d.count.caught++
	s.noteLength(len(message))
	return n
}

// CatchFrom is Catch for datagrams: f is told where a message comes from, and is shown those of UD queue pairs only.
func (q *dgram) CatchFrom(f func(message []byte, from netip.AddrPort) bool) {
	q.base.dev.mu.Lock()
	q.catch = f
	q.base.dev.mu.Unlock()
}

// caught shows whoever polls a message and answers whether he has used it.
func (q *dgram) caught(h *iwarp.Header, payload []byte, from netip.AddrPort) bool {
	d := q.base.dev
	if q.catch == nil || d.catching != q.recvCQ || q.recvCQ.Len() > 0 || h.Op != iwarp.OpSend || !q.catch(payload, from) {
		return false
	}
	d.count.caught++
	return true
}
