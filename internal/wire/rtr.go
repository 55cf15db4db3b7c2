package wire

// RTR: recv(4) ctx(4) tag(4) len(8) addr(8) slot(4), where len is how much the receive can take at the key.
const rtrSize = 4 + eagerSize + keySize

func appendRTR(b []byte, h *Header) []byte {
	b = appendEager(le.AppendUint32(b, h.Recv), h)
	return appendKey(b, h.Key)
}

func parseRTR(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < rtrSize {
		return nil, ErrShort
	}
	h.Recv = le.Uint32(b)
	if b, err = parseEager(b[4:], h); err != nil {
		return nil, err
	}
	h.Key = parseKey(b)
	return b[keySize:], nil
}
