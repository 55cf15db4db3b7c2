package wire

// DATA: recv(4) len(8). The payload follows.
const dataSize = 12

func appendData(b []byte, h *Header) []byte {
	b = le.AppendUint32(b, h.Recv)
	return le.AppendUint64(b, uint64(h.Len))
}

func parseData(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < dataSize {
		return nil, ErrShort
	}
	h.Recv = le.Uint32(b)
	h.Len, err = parseLen(b[4:])
	return b[dataSize:], err
}
