package wire

// RTS: send(4) ctx(4) tag(4) len(8) addr(8) slot(4).
const rtsSize = 4 + eagerSize + 12

func appendRTS(b []byte, h *Header) []byte {
	b = appendSync(b, h)
	b = le.AppendUint64(b, h.Key.Addr)
	return le.AppendUint32(b, h.Key.Slot)
}

func parseRTS(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < rtsSize {
		return nil, ErrShort
	}
	if b, err = parseSync(b, h); err != nil {
		return nil, err
	}
	h.Key = Key{Addr: le.Uint64(b), Slot: le.Uint32(b[8:])}
	return b[12:], nil
}
