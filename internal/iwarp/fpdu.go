package iwarp

import "encoding/binary"

// FPDULengthSize is the size of the length field that begins an FPDU; MaxULPDU is the longest segment in one, and
// minULPDU the least that MPA promises room for.
const (
	FPDULengthSize = 2
	MaxULPDU       = 64768
	minULPDU       = 128
)

// PadLen is the number of pad bytes after a segment of ulpdu bytes: length, segment and pad fill words of four.
func PadLen(ulpdu int) int { return -(FPDULengthSize + ulpdu) & 3 }

// FPDULen is the length of the whole FPDU around a segment of ulpdu bytes, without markers.
func FPDULen(ulpdu int) int { return FPDULengthSize + ulpdu + PadLen(ulpdu) + CRCSize }

// MULPDU is the longest segment whose FPDU fits a TCP segment of emss bytes.
func MULPDU(emss int, markers bool) int {
	n := emss - FPDULengthSize - CRCSize - emss%4
	if markers {
		n -= markerSize * ((emss + markerSpacing - 1) / markerSpacing)
	}
	return min(max(n, minULPDU), MaxULPDU)
}

// AppendFPDUHead adds what comes before a segment of ulpdu bytes, at most MaxULPDU.
func AppendFPDUHead(b []byte, ulpdu int) []byte { return be.AppendUint16(b, uint16(ulpdu)) }

// AppendFPDUTail adds what comes after a segment of ulpdu bytes: zero pad and CRC. The caller has run crc over the
// length field and the segment; with on false the CRC field is there but zero, and crc does not matter.
func AppendFPDUTail(b []byte, ulpdu int, crc CRC, on bool) []byte {
	var zeros [3]byte
	pad := zeros[:PadLen(ulpdu)]
	b = append(b, pad...)
	sum := uint32(0)
	if on {
		sum = crc.addFew(pad).Sum()
	}
	return binary.LittleEndian.AppendUint32(b, sum)
}

// ParseFPDU finds the segment in the FPDU that begins b and says how long that FPDU is. The segment aliases b. The
// error is ErrShort when b does not hold all of it, else a *Fault. Pad bytes are in the CRC, but need not be zero.
func ParseFPDU(b []byte, crcOn bool) (ulpdu []byte, n int, err error) {
	if len(b) < FPDULengthSize {
		return nil, 0, ErrShort
	}
	size := int(be.Uint16(b))
	if size > MaxULPDU {
		return nil, 0, FaultMarker.err()
	}
	if n = FPDULen(size); len(b) < n {
		return nil, 0, ErrShort
	}
	if crcOn && !sealed(b[:n], NewCRC()) {
		return nil, 0, FaultCRC.err()
	}
	end := FPDULengthSize + size
	return b[FPDULengthSize:end:end], n, nil
}

// sealed says whether the last four bytes of b are the CRC of those before, continued from crc.
func sealed(b []byte, crc CRC) bool {
	end := len(b) - CRCSize
	return crc.Add(b[:end]).Sum() == binary.LittleEndian.Uint32(b[end:])
}
