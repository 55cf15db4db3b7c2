package iwarp

// Most messages of a program are Sends of one segment. There is a short way to read them: it finds what
// ParseFPDU and ParseHeader find.

// LoneSize is how many bytes come before the payload of a lone Send: the length and the header.
const LoneSize = FPDULengthSize + UntaggedSize

// loneControl are the control bytes of a Send's last segment.
const loneControl = uint16(ddpVersion|ddpLast)<<8 | uint16(rdmapVersion|byte(OpSend))

// ParseLone finds the payload of the FPDU that begins b if that is a Send of one segment, message msn of
// its queue, and is whole and sound; n is the length of the FPDU. For all others n is 0: the usual way
// tells what they are. The payload aliases b.
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
