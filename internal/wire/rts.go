package wire

// RTS: send(4) ctx(4) tag(4) len(8) addr(8) slot(4) flags(1).
const rtsSize = 4 + eagerSize + keySize + 1

func appendRTS(b []byte, h *Header) []byte {
	b = appendKey(appendSync(b, h), h.Key)
	return append(b, byte(h.Flags))
}

func parseRTS(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < rtsSize {
		return nil, ErrShort
	}
	if b, err = parseSync(b, h); err != nil {
		return nil, err
	}
	h.Key = parseKey(b)
	h.Flags, err = parseFlags(b[keySize], rtsFlags)
	return b[keySize+1:], err
}
