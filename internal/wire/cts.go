package wire

// CTS: send(4) recv(4) len(8) addr(8) slot(4), where len is how much of the payload is wanted. The zero key asks
// for DATA, any other for a write and a DONE.
const ctsSize = 16 + keySize

func appendCTS(b []byte, h *Header) []byte {
	b = le.AppendUint32(b, h.Send)
	b = le.AppendUint32(b, h.Recv)
	b = le.AppendUint64(b, uint64(h.Len))
	return appendKey(b, h.Key)
}

func parseCTS(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < ctsSize {
		return nil, ErrShort
	}
	h.Send, h.Recv = le.Uint32(b), le.Uint32(b[4:])
	h.Len, err = parseLen(b[8:])
	h.Key = parseKey(b[16:])
	return b[ctsSize:], err
}
