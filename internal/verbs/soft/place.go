package soft

import (
	"slices"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// A program that sees from the beginning of a message where its end belongs can have it put there, past the
// receive: the bytes are copied once less. It is told of the beginning when it polls, by a completion
// RecvHead, and nothing more is read of the connection until it has answered (QP.Place), has polled
// again, or somebody else drives the device. Messages that have come whole are not told of.
//
// One that is longer than its receive is told of if its peer is of our own kind, and comes in several
// segments. It waits for an answer, however long that takes.

// telling is how far the program has been told of a message.
type telling uint8

const (
	untold  telling = iota
	told            // it may answer
	settled         // it has answered, or had the time to
)

// aside is where a part of the message that is coming goes instead of into its receive; none if dst is empty.
type aside struct {
	telling telling
	size    int  // of the message that the program is told of; 0 if it is longer than its receive
	long    bool // it may be longer than its receive: what does not fit dst goes nowhere
	at      int
	dst     []byte
	parts   [3]verbs.SGE
}

// tells tells whether whoever polls is to be told of a message of n bytes, of which the rest is still to come.
func (s *stream) tells(h *iwarp.Header, n int) bool {
	c := s.dev.polling
	return c != nil && c == s.to.recvCQ && c.placeMin > 0 && n >= c.placeMin && s.aside.telling == untold &&
		h.Op == iwarp.OpSend && h.Last && h.MO == 0 && len(s.receiveNow.SGL) == 1
}

// longer tells whether somebody may be told of a message that is longer than its receive: this is the first
// of several segments.
func (s *session) longer(h *iwarp.Header) bool {
	return s.steers && h.Op == iwarp.OpSend && h.MO == 0 && !h.Last && s.to.recvCQ.placeMin > 0 && len(s.receiveNow.SGL) == 1 &&
		s.aside.telling == untold
}

// tell tells whoever polls of a message of so many bytes, of which b is what has come and head the payload.
// What has come stays where it is, if that may be lent; a whole segment, of a message that is longer than
// its receive, may have others behind it, and is kept.
func (s *stream) tell(b, head []byte, size int) {
	d := s.dev
	if size > 0 && d.lends {
		d.lend()
		s.keep(nil)
		s.pend, s.lent = b, true
	} else {
		if s.stripper != nil { // markers were taken out of it
			head = slices.Clone(head)
		}
		if s.keep(b); s.stripper == nil {
			head = s.pend[iwarp.FPDULengthSize+iwarp.UntaggedSize:][:len(head)]
		}
	}
	s.aside.telling, s.aside.size = told, size
	s.wait()
	d.paused = true
	if c := s.to.slot(s.to.recvCQ); c != nil {
		c.QP, c.Op, c.Len, c.Data = s.to.num, verbs.RecvHead, size, head
		s.to.recvCQ.added(c)
	}
}

// tellLong tells of a message that is longer than its receive. If whoever should know does not poll, he is
// told that he should.
func (s *stream) tellLong(b, head []byte) {
	if s.dev.polling == s.to.recvCQ {
		s.tell(b, head, 0)
	} else {
		s.keep(b)
		s.wait()
		s.to.recvCQ.beckon()
	}
	if s.alive() {
		s.watch(false, s.blocked)
	}
}

// wait has the stream wait for whoever has been told, or is to be.
func (s *stream) wait() {
	s.waits = true
	s.dev.waiting = append(s.dev.waiting, s)
}

// Place answers where the message goes that the program was told of last.
func (q *rc) Place(at int, dst []byte) bool {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	s := q.stream
	if s == nil || s.aside.telling != told {
		return false
	}
	a := &s.aside
	switch {
	case a.size > 0 && len(dst) > 0 && at >= 0 && at <= a.size:
		a.at, a.dst = at, dst[:min(len(dst), a.size-at)]
	case a.size == 0 && at > 0 && at <= s.receiveNow.Len:
		a.long, a.at, a.dst = true, at, dst
		s.headLen = at
	}
	s.goOn()
	return true
}

// goOn goes on with the message of which somebody was told.
func (s *stream) goOn() {
	d := s.dev
	d.lends, s.waits = false, false
	d.waiting = slices.DeleteFunc(d.waiting, func(x *stream) bool { return x == s })
	if s.aside.telling == told {
		s.aside.telling = settled
	}
	if s.parse(s.pend); s.qp != nil && s.reads() {
		s.watch(true, s.blocked)
	}
	s.remind()
}

// overdue tells that a message waits for an answer, and somebody else than who should give it drives the device.
func (s *stream) overdue() bool {
	return s.aside.telling == told && s.aside.size > 0 && s.to.recvCQ != s.dev.polling
}

// goOn has streams go on that wait for whoever polls c, or waits for a completion: he has answered, or will
// not. Of a message that is longer than its receive he is told again.
func (c *cq) goOn() {
	for _, s := range slices.Clone(c.dev.waiting) {
		if !s.waits || s.to.recvCQ != c || c.dev.polling != c && s.aside.size == 0 {
			continue
		}
		if s.aside.size == 0 {
			s.aside.telling = untold
		}
		s.goOn()
	}
}

// inLong tells whether a message that is longer than its receive is coming. All of it has been sent: there
// is nothing better to do than to stay at it.
func (s *stream) inLong() bool { return s.aside.long && s.body.on }

// list is the memory that the message which is coming goes to; buf is that of its receive.
func (a *aside) list(buf []byte) []verbs.SGE {
	a.parts = [3]verbs.SGE{{Buf: buf[:a.at]}, {Buf: a.dst}}
	if !a.long {
		a.parts[2].Buf = buf[a.at+len(a.dst):]
	}
	return a.parts[:]
}

// drop forgets it: nothing is written there any more.
func (a *aside) drop() {
	if a.telling != untold {
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
