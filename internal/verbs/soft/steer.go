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
// F is asked about messages that come in one segment, when nothing is in the queue: all that came before has been taken.
// An empty dst leaves the message to the receive. With pause Poll returns before more of the message is fetched, because its
// beginning has told the caller of something to do.
func (c *cq) Steer(f func(qp uint32, head []byte, size int) (at int, dst []byte, pause bool)) {
	c.dev.mu.Lock()
	c.steer = f
	c.dev.mu.Unlock()
}

// aside is where a part of the message that is coming goes instead of into its receive; none if dst is empty.
type aside struct {
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
	at, dst, pause := c.steer(s.to.num, head, n)
	if len(dst) > 0 {
		s.aside.at, s.aside.dst = at, dst[:min(len(dst), n-at)]
	}
	s.dev.paused = pause
}

// list is the memory that the message which is coming goes to; buf is that of its receive.
func (a *aside) list(buf []byte) []verbs.SGE {
	a.parts = [3]verbs.SGE{{Buf: buf[:a.at]}, {Buf: a.dst}, {Buf: buf[a.at+len(a.dst):]}}
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
	if a.dst != nil {
		*a = aside{}
	}
}
