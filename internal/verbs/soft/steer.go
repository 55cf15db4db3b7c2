package soft

import (
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// A program that sees from the beginning of a message where its end belongs can have it put there, past the receive: the
// bytes are copied once less. It is asked only while it polls, so that it may look at its own queues to decide.

// steerMin is how long a message must be: shorter ones are copied sooner than asked about.
const steerMin = 2 << 10

// Steer has f decide, during Poll and with the device locked, where messages go that report to this queue: given the number of the queue pair,
// the beginning of a message and its size it answers that the bytes from at on go to dst, which ends with the message at
// the latest. All others go where they would have gone in the receive, whose completion is the same as ever. The device
// writes to dst until that completion, or until the queue pair is closed or in error.
//
// F is asked when nothing is in the queue: all that came before has been taken. An empty dst leaves the message to the receive.
//
// It is asked as well about a message whose first segment of several is longer than its receive; the size of that is not known, and
// told as 0. Unless at is 0, which makes such a message the error that it is elsewhere, what does not fit dst is thrown away,
// and the completion is that of a message of at bytes.
func (c *cq) Steer(f verbs.Steering) bool {
	c.dev.mu.Lock()
	c.steer = f
	c.dev.mu.Unlock()
	return true
}

// aside is where a part of the message that is coming goes instead of into its receive; none if dst is empty.
type aside struct {
	long  bool // of a message that may be longer than its receive: what does not fit dst goes nowhere
	at    int
	dst   []byte
	parts [3]verbs.SGE
}

// steerable tells whether whoever polls wants to be asked about a message of n bytes.
func (s *session) steerable(h *iwarp.Header, n int) bool {
	c := s.dev.steering
	return c != nil && c == s.to.recvCQ && n >= steerMin && h.Op == iwarp.OpSend && h.Last && h.MO == 0
}

// askWhere asks where a message goes whose receive has been taken and is long enough.
func (s *session) askWhere(head []byte, n int) {
	c := s.to.recvCQ
	if len(s.receiveNow.SGL) != 1 || c.Len() > 0 {
		return
	}
	at, dst, next := c.steer(s.to.num, head, n)
	if len(dst) > 0 {
		s.aside.at, s.aside.dst = at, dst[:min(len(dst), n-at)]
	}
	s.dev.paused = next == verbs.Pause
}

// longer tells whether somebody may be asked about a message that is longer than its receive: this is the first of several segments.
func (s *session) longer(h *iwarp.Header) bool {
	return s.steers && h.Op == iwarp.OpSend && h.MO == 0 && !h.Last && s.to.recvCQ.steer != nil && len(s.receiveNow.SGL) == 1
}

// askLong asks where a message goes that is longer than its receive, of which this is the beginning. It answers taken if that is
// known, later if nobody can be asked now, and over if nobody knows.
func (s *session) askLong(head []byte) verdict {
	c := s.to.recvCQ
	if s.dev.steering != c || c.Len() > 0 {
		return later
	}
	at, dst, next := c.steer(s.to.num, head, 0)
	switch {
	case next == verbs.Later:
		return later
	case at == 0 || at > s.receiveNow.Len:
		return over
	}
	s.aside.long, s.aside.at, s.aside.dst = true, at, dst
	s.headLen = at
	return taken
}

// inLong tells whether a message that is longer than its receive is coming. All of it has been sent: there is nothing better to do
// than to stay at it.
func (s *stream) inLong() bool { return s.aside.long && s.body.on }

// list is the memory that the message which is coming goes to; buf is that of its receive.
func (a *aside) list(buf []byte) []verbs.SGE {
	a.parts = [3]verbs.SGE{{Buf: buf[:a.at]}, {Buf: a.dst}}
	if !a.long {
		a.parts[2].Buf = buf[a.at+len(a.dst):]
	}
	return a.parts[:]
}

// fill copies a whole message to where it goes.
func (a *aside) fill(buf, payload []byte) {
	n := copy(buf[:a.at], payload)
	n += copy(a.dst, payload[n:])
	copy(buf[n:], payload[n:])
}

// drop forgets it: nothing is written there any more.
func (a *aside) drop() {
	if a.dst != nil || a.long {
		*a = aside{}
	}
}

// waste is memory for n bytes that nobody wants.
func (d *Device) waste(n int) []byte {
	if len(d.wasted) < n {
		d.wasted = make([]byte, n)
	}
	return d.wasted[:n]
}

// postpone leaves what the stream has to say until whoever has to be asked about it polls, and tells him that he should.
func (s *stream) postpone() {
	s.postponed = true
	s.dev.postponed = append(s.dev.postponed, s)
	s.watch(false, s.blocked)
	s.to.recvCQ.beckon()
}

// goOn has streams go on whose next message somebody who polls now has to be asked about.
func (d *Device) goOn() (worked bool) {
	list := d.postponed
	d.postponed = nil
	for _, s := range list {
		if !s.postponed {
			continue // it has ended
		}
		s.postponed = false
		s.parse(s.pend)
		if s.qp != nil && s.reads() {
			s.watch(true, s.blocked)
			worked = true
		}
	}
	return worked
}
