package iwarp

// Most messages of a program are Sends of one segment. Both ends have a short way for these: the same bytes as Header.Put and
// AppendFPDUTail make, and ParseFPDU and ParseHeader read.

// LoneSize is how many bytes come before the payload of a lone Send: the length and the header.
const LoneSize = FPDULengthSize + UntaggedSize

// loneControl are the control bytes of a Send's last segment.
const loneControl = uint16(ddpVersion|ddpLast)<<8 | uint16(rdmapVersion|byte(OpSend))

// LoneLen is the length of the FPDU of a Send that is one segment, with so many bytes of payload.
func LoneLen(payload int) int { return FPDULen(UntaggedSize + payload) }

// PutLoneHead writes what comes before n bytes of payload of a Send that is one segment, message msn of its queue: LoneSize bytes.
func PutLoneHead(b []byte, msn uint32, n int) {
	h := (*[LoneSize]byte)(b)
	be.PutUint64(h[:], uint64(UntaggedSize+n)<<48|uint64(loneControl)<<32)
	be.PutUint64(h[8:], QueueSend<<32|uint64(msn))
	be.PutUint32(h[16:], 0)
}

// PutLone writes the FPDU of a Send that is one segment, message msn of its queue, to b, which has LoneLen bytes. The payload comes in
// two pieces.
func PutLone(b []byte, msn uint32, first, second []byte, crcOn bool) {
	be.PutUint64(b[len(b)-8:], 0) // pad and CRC, and what is written again below
	PutLoneHead(b, msn, len(first)+len(second))
	payload := b[LoneSize:]
	copy(payload[copy(payload, first):], second)
	if crcOn {
		covered := b[:len(b)-CRCSize]
		NewCRC().Add(covered).Append(covered)
	}
}

// ParseLone finds the payload of the FPDU that begins b if that is a Send of one segment, message msn of its queue, and is whole and
// sound; n is the length of the FPDU. For all others n is 0: the usual way tells what they are. The payload aliases b.
func ParseLone(b []byte, msn uint32, crcOn bool) (payload []byte, n int) {
	if len(b) < LoneSize || be.Uint16(b[2:]) != loneControl || be.Uint64(b[8:]) != QueueSend<<32|uint64(msn) || be.Uint32(b[16:]) != 0 {
		return nil, 0
	}
	size := int(be.Uint16(b))
	whole := FPDULen(size)
	if size < UntaggedSize || size > MaxULPDU || len(b) < whole || crcOn && !sealed(b[:whole], NewCRC()) {
		return nil, 0
	}
	end := FPDULengthSize + size
	return b[LoneSize:end:end], whole
}
