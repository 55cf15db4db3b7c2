package soft

import "github.com/weft-mpi/weft/internal/iwarp"

// A peer may ask for markers in what it is sent, and be sent them by whoever we ask. Frames are copied once, between
// their markers, and summed up there, as many as go out in one call; of what arrives a segment is copied out from
// between them, once it is whole, and then placed like any other.

// frameMarked notes where in the stream a frame will be. It is made when it is sent: with markers it lies elsewhere anyway.
func (s *stream) frameMarked(f *frame) {
	f.at = s.position
	f.size = iwarp.MarkedLen(f.size, f.at)
	s.position += uint64(f.size)
}

// segmentLen is how many bytes the next segment may have. If every FPDU begins a TCP segment, it fills that, markers
// included, because only full ones go out together.
func (s *stream) segmentLen() int {
	if !s.terms.MarkersOut || s.aligned == 0 {
		return s.largest
	}
	n := iwarp.MarkedMULPDU(s.aligned, s.position)
	if limit := s.dev.cfg.MaxFPDU; limit > 0 {
		n = min(n, limit)
	}
	return n
}

// writeMarked is write for a stream with markers. What the socket does not take is kept: to make it again would cost
// more than to copy it.
func (s *stream) writeMarked() (int, error) {
	b := s.marked
	if len(b) == 0 {
		var err error
		if b, err = s.mark(); err != nil {
			return 0, err
		}
	}
	s.dev.count.sendCalls++
	n, err := s.send(b)
	if rest := b[max(n, 0):]; len(s.marked) > 0 {
		s.marked = rest
	} else if len(rest) > 0 {
		s.marked = append([]byte(nil), rest...)
	}
	return n, err
}

// mark makes the frames that go out together, in memory of the device.
func (s *stream) mark() ([]byte, error) {
	d := s.dev
	b := d.scratch[:0]
	for i := range s.frames.n {
		f := s.frames.at(i)
		if s.aligned > 0 && i > 0 && s.frames.at(i-1).size != s.aligned || len(b)+f.size > cap(b) && i > 0 {
			break
		}
		if !f.checked && !f.load.valid(&d.regions) {
			return nil, errGone
		}
		b = f.appendMarked(b, s.terms.CRC)
	}
	d.scratch = b[:0]
	return b, nil
}

// appendMarked adds a whole frame to b, with the markers that belong to where it will be.
func (f *frame) appendMarked(b []byte, sum bool) []byte {
	ulpdu := f.header.Size() + f.extraLen + f.n
	m := iwarp.BeginMarked(b, f.at)
	b = m.Append(b, f.putHead(f.head[:0], ulpdu))
	f.load.each(f.off, f.n, func(p []byte) { b = m.Append(b, p) })
	return m.End(b, ulpdu, sum)
}

// keepMarked is keep for the beginning of a long FPDU with markers, whole bytes long: there is room for the rest behind
// it.
func (s *stream) keepMarked(b []byte, whole int) {
	switch s.whole = whole; {
	case cap(s.pend) < whole:
		s.pend = append(make([]byte, 0, whole), b...)
	case len(b) > 0 && &b[0] == &s.pend[:1][0]: // it is there already
		s.pend = b
	default:
		s.pend = append(s.pend[:0], b...)
	}
}

// fetchMarked receives more of a long FPDU with markers, behind what has come of it.
func (s *stream) fetchMarked() (asked, n int, err error) {
	have := len(s.pend)
	if n, err = s.recv(s.pend[have:s.whole]); err != nil {
		return 0, 0, err
	}
	s.dev.count.bytesIn += uint64(n)
	s.parse(s.pend[:have+n])
	return s.whole - have, n, nil
}
