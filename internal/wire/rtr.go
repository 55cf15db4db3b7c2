package wire

// RTR: send(4) recv(4) len(8), where len is how much the receiver can take.
const rtrSize = 16

func appendRTR(b []byte, h *Header) []byte {
	b = le.AppendUint32(b, h.Send)
	b = le.AppendUint32(b, h.Recv)
	return le.AppendUint64(b, uint64(h.Len))
}

func parseRTR(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < rtrSize {
		return nil, ErrShort
	}
	h.Send, h.Recv = le.Uint32(b), le.Uint32(b[4:])
	h.Len, err = parseLen(b[8:])
	return b[rtrSize:], err
}
