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

// markedLen is the length in the stream of an FPDU of n bytes that begins at pos. A marker just before it belongs
// to it, one just after it to the next.
func markedLen(n int, pos uint64) int {
	first := toMarker(pos)
	if n <= first {
		return n
	}
	return n + markerSize*(1+(n-first-1)/betweenMarks)
}

// AppendMarked adds the FPDU fpdu, made without markers, to dst as it must look when pos bytes of the stream, with
// markers, have gone before it. The CRC covers markers: it is made anew, or left zero with crcOn false.
func AppendMarked(dst, fpdu []byte, pos uint64, crcOn bool) []byte {
	from := len(dst)
	start := from // where the length field is: behind a marker that comes before it
	if toMarker(pos) == 0 {
		start += markerSize
	}
	for body := fpdu; len(body) > 0; {
		if toMarker(pos) == 0 {
			dst = appendMarker(dst, max(len(dst)-start, 0))
			pos += markerSize
		}
		n := min(toMarker(pos), len(body))
		dst = append(dst, body[:n]...)
		body = body[n:]
		pos += uint64(n)
	}
	end, sum := len(dst)-CRCSize, uint32(0)
	if crcOn {
		sum = NewCRC().Add(dst[from:end]).Sum()
	}
	binary.LittleEndian.PutUint32(dst[end:], sum)
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
// hold all of it, and nothing has changed then; else a *Fault, after which the stream cannot be followed.
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
	if n = markedLen(FPDULen(size), m.pos); len(b) < n {
		return nil, 0, ErrShort
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
