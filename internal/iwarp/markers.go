package iwarp

import "encoding/binary"

// Markers lie in the stream every markerSpacing bytes, counted from the end of the start-up frame.
const (
	markerSize    = 4
	markerSpacing = 512
	betweenMarks  = markerSpacing - markerSize
)

// toMarker is how many bytes of the stream come before the next marker when pos have come already.
func toMarker(pos uint64) int { return int(-pos % markerSpacing) }

// MarkedLen is the length in the stream of an FPDU of n bytes that begins at pos. A marker just before it belongs
// to it, one just after it to the next.
func MarkedLen(n int, pos uint64) int {
	first := toMarker(pos)
	if n <= first {
		return n
	}
	return n + markerSize*(1+(n-first-1)/betweenMarks)
}

// MarkedMULPDU is the longest segment whose FPDU fills a TCP segment of emss bytes if it begins at pos, markers
// included. It is at least MULPDU, which must do for every pos.
func MarkedMULPDU(emss int, pos uint64) int {
	n, first := emss-emss%4, toMarker(pos)
	if n > first {
		n -= markerSize * (1 + (n-first-1)/markerSpacing)
	}
	return min(max(n-FPDULengthSize-CRCSize, minULPDU), MaxULPDU)
}

// Marking is an FPDU that is put into a stream with markers, piece by piece: its length field and segment, then End.
// The pieces are copied once, and summed up once all are there.
type Marking struct {
	from, start int // in what is added to: where the FPDU begins, and its length field
	pos         uint64
}

// BeginMarked begins an FPDU at the end of dst, when pos bytes of the stream, with markers, have gone before it.
func BeginMarked(dst []byte, pos uint64) Marking {
	m := Marking{from: len(dst), start: len(dst), pos: pos}
	if toMarker(pos) == 0 { // the length field is behind the marker that comes before it
		m.start += markerSize
	}
	return m
}

// Append adds bytes of the FPDU to dst.
func (m *Marking) Append(dst, b []byte) []byte {
	for len(b) > 0 {
		n := toMarker(m.pos)
		if n == 0 {
			dst = appendMarker(dst, max(len(dst)-m.start, 0))
			m.pos += markerSize
			n = betweenMarks
		}
		n = min(n, len(b))
		dst = append(dst, b[:n]...)
		b = b[n:]
		m.pos += uint64(n)
	}
	return dst
}

// End adds what comes after a segment of ulpdu bytes: zero pad, and the CRC, which covers markers, or zero with crcOn
// false. All of them lie before the next marker, or behind it: what precedes the CRC fills words of four.
func (m *Marking) End(dst []byte, ulpdu int, crcOn bool) []byte {
	var zeros [CRCSize]byte
	dst = m.Append(dst, zeros[:PadLen(ulpdu)])
	dst = m.Append(dst, zeros[:])
	if crcOn {
		end := len(dst) - CRCSize
		binary.LittleEndian.PutUint32(dst[end:], NewCRC().Add(dst[m.from:end]).Sum())
	}
	return dst
}

// appendMarker adds a marker that lies back bytes behind the length field of its FPDU.
func appendMarker(b []byte, back int) []byte {
	return be.AppendUint16(be.AppendUint16(b, 0), uint16(back))
}

// MarkerStripper is ParseFPDU for a stream with markers. It remembers how much of the stream it has parsed, and
// owns the memory of the segment it returned last.
type MarkerStripper struct {
	crcOn bool
	pos   uint64
	fpdu  []byte
}

// NewMarkerStripper makes a stripper for the stream that follows a start-up frame.
func NewMarkerStripper(crcOn bool) *MarkerStripper { return &MarkerStripper{crcOn: crcOn} }

// Parse finds the segment in the FPDU that begins b, where the last one that it found ended, and says how many
// bytes of the stream it took. The segment is good until the next call. The error is ErrShort when b does not
// hold all of it, and nothing has changed then (n is how long it will be, 0 if that is not known yet); else a
// *Fault, after which the stream cannot be followed.
func (m *MarkerStripper) Parse(b []byte) (ulpdu []byte, n int, err error) {
	start := 0 // where the length field is
	if toMarker(m.pos) == 0 {
		start = markerSize
	}
	if len(b) < start+FPDULengthSize {
		return nil, 0, ErrShort
	}
	size := int(be.Uint16(b[start:]))
	if size > MaxULPDU {
		return nil, 0, FaultMarker.err()
	}
	if n = MarkedLen(FPDULen(size), m.pos); len(b) < n {
		return nil, n, ErrShort
	}
	if f := m.strip(b[:n], start); !f.OK() {
		return nil, 0, f.err()
	}
	if m.crcOn && !sealed(b[:n], NewCRC()) {
		return nil, 0, FaultCRC.err()
	}
	m.pos += uint64(n)
	return m.fpdu[FPDULengthSize : FPDULengthSize+size], n, nil
}

// Back takes back the FPDU that Parse found last, n bytes long: the next call will find it again.
func (m *MarkerStripper) Back(n int) { m.pos -= uint64(n) }

// strip copies b, a whole FPDU whose length field is at start, to m.fpdu without its markers, which must all point
// to that field.
func (m *MarkerStripper) strip(b []byte, start int) Fault {
	m.fpdu = m.fpdu[:0]
	for i := 0; i < len(b); {
		pos := m.pos + uint64(i)
		if toMarker(pos) == 0 {
			if int(be.Uint16(b[i+2:])) != max(i-start, 0) {
				return FaultMarker
			}
			i += markerSize
			pos += markerSize
		}
		n := min(toMarker(pos), len(b)-i)
		m.fpdu = append(m.fpdu, b[i:i+n]...)
		i += n
	}
	return Fault{}
}
