package soft

import (
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
)

// The answer to a long Read comes in many segments, each of which is received where it belongs. Where the
// next ones belong is known before they come, if they are as long as this one: so one call receives
// several. A header that turns out not to be the expected one leaves the bytes behind it where the Read
// wanted others; they are put together and looked at like all others, and what the Read wanted there is yet
// to come. How long a Write is nobody knows but its sender, so that is received a segment per call.

const (
	// aheadFrom is how many bytes have to be missing behind the current segment of an answer. Shorter ones
	// are there sooner if they are taken in smaller parts: while a call copies, the kernel does not take in
	// what arrives. A message that is longer than its receive is sent in one call, and taken in as few as
	// can be.
	aheadFrom = 384 << 10
	shortEnd  = 16 << 10                                                      // an end that is not longer comes close behind, and is received with what precedes it
	aheadMax  = 6                                                             // segments received in one call, beside the current one
	gapMax    = 3 + iwarp.CRCSize + iwarp.FPDULengthSize + iwarp.UntaggedSize // between two payloads
)

// ahead is what a call that receives several segments expects behind the current one.
type ahead struct {
	n    int
	next [aheadMax]expected
}

// expected is a segment that should come next.
type expected struct {
	gap  [gapMax]byte // the end of the segment before it, and its header
	size int          // of that
	h    iwarp.Header
	dst  []byte // where its payload goes
}

// most is how long the payloads of the segments are that follow the current one, but for the last: as long
// as this one, without the head that the first of a Send has.
func (s *stream) most() int {
	if s.body.h.Tagged || s.body.h.MO != 0 {
		return s.body.n
	}
	return s.body.n - s.aside.at
}

// forget lets go of the memory of payloads.
func (a *ahead) forget() {
	for i := range a.n {
		a.next[i].dst = nil
	}
}

// lookAhead adds to v, behind the payload of the current segment, what should follow it: ends and headers,
// and where payloads go.
func (s *stream) lookAhead(v *socket.Vector) {
	d, b := s.dev, &s.body
	a := &d.ahead
	a.n = 0
	tail := b.tailLen - b.tailGot
	if !b.h.Last {
		tail = s.expect(v, tail)
	}
	v.Add(d.land().stage[:tail+slop])
}

// sink is the memory that the rest of a message in several segments goes to, and where in it the next one
// belongs; nil if that is not known.
func (s *stream) sink() (buf []byte, at int) {
	b := &s.body
	switch {
	case b.h.Op == iwarp.OpReadResponse:
		if w := s.asked[0].get(); w != nil && len(w.WR.SGL) == 1 {
			return w.WR.SGL[0].Buf[:w.Len], int(b.h.TO) + b.n
		}
	case b.h.Op == iwarp.OpSend && s.aside.long && b.n > s.aside.at:
		return s.aside.dst, int(b.h.MO) + b.n - s.aside.at
	}
	return nil, 0
}

// expect adds the segments to v that should follow the current one; tail is how many bytes of that follow
// its payload. It returns the same of the last one that is expected.
func (s *stream) expect(v *socket.Vector, tail int) int {
	a, b := &s.dev.ahead, &s.body
	sink, at := s.sink()
	if left := len(sink) - at; left < aheadFrom && left > shortEnd && !s.aside.long {
		return tail
	}
	most := s.most()
	for at < len(sink) && a.n < aheadMax {
		e := &a.next[a.n]
		a.n++
		e.dst = sink[at:min(at+most, len(sink))]
		e.h = b.h
		e.h.Last = at+len(e.dst) == len(sink)
		if e.h.Tagged {
			e.h.TO = uint64(at)
		} else {
			e.h.MO = uint32(at + s.aside.at)
		}
		e.size = tail + iwarp.FPDULengthSize + e.h.Size()
		v.Add(e.gap[:e.size])
		v.Add(e.dst)
		tail = iwarp.PadLen(e.h.Size()+len(e.dst)) + iwarp.CRCSize
		at += len(e.dst)
	}
	return tail
}

// behind handles the n bytes that came behind the payload of the current segment, into what lookAhead has added.
func (s *stream) behind(n int) {
	a := &s.dev.ahead
	defer a.forget()
	for i := range a.n {
		e := &a.next[i]
		got := min(n, e.size)
		head, ended := s.endWith(e.gap[:got])
		if !ended {
			return
		}
		if n -= got; !s.begins(e, head) {
			s.parse(s.join(head, i, n))
			return
		}
		got = min(n, len(e.dst))
		if s.place(e.dst[:got]); got < len(e.dst) {
			return
		}
		n -= got
	}
	if rest, ended := s.endWith(s.dev.room.stage[:n]); ended && len(rest) > 0 {
		s.parse(rest)
	}
}

// endWith ends the current segment with the first bytes of b and returns the others. It answers false if
// they are not all there, or if nothing that follows matters any more.
func (s *stream) endWith(b []byte) (rest []byte, ended bool) {
	t := &s.body
	k := copy(t.tail[t.tailGot:t.tailLen], b)
	t.tailGot += k
	return b[k:], t.tailGot == t.tailLen && s.endBody()
}

// begins begins the segment that head is the header of, and tells whether it is the expected one.
func (s *stream) begins(e *expected, head []byte) bool {
	if len(head) != iwarp.FPDULengthSize+e.h.Size() {
		return false
	}
	ulpdu := int(head[0])<<8 | int(head[1])
	var size int
	var f iwarp.Fault
	h := &s.h // on the heap already
	*h, size, f = iwarp.ParseHeader(head[iwarp.FPDULengthSize:])
	if !f.OK() || *h != e.h || ulpdu != size+len(e.dst) || s.check(h, len(e.dst), false) != taken {
		return false
	}
	s.body = body{on: true, h: *h, n: len(e.dst), tailLen: iwarp.PadLen(ulpdu) + iwarp.CRCSize}
	if s.terms.CRC {
		s.body.crc = iwarp.NewCRC().Add(head)
	}
	return true
}

// place notes that a part of the current payload has been received where it belongs.
func (s *stream) place(b []byte) {
	if s.terms.CRC {
		s.body.crc = s.body.crc.Add(b)
	}
	s.body.done += len(b)
	s.dev.count.placedDirect += uint64(len(b))
}

// join puts the header that was not the expected one, of the i-th segment, and the n bytes behind it together.
func (s *stream) join(head []byte, i, n int) []byte {
	a := &s.dev.ahead
	all := append([]byte(nil), head...)
	add := func(b []byte) {
		b = b[:min(n, len(b))]
		all, n = append(all, b...), n-len(b)
	}
	for ; i < a.n; i++ {
		add(a.next[i].dst)
		if i+1 < a.n {
			add(a.next[i+1].gap[:a.next[i+1].size])
		}
	}
	add(s.dev.room.stage)
	return all
}
