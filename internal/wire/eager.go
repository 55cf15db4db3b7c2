package wire

// EAGER: ctx(4) tag(4) len(8). The payload follows.
const eagerSize = 16

func appendEager(b []byte, h *Header) []byte {
	b = le.AppendUint32(b, h.Ctx)
	b = le.AppendUint32(b, uint32(h.Tag))
	return le.AppendUint64(b, uint64(h.Len))
}

func parseEager(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < eagerSize {
		return nil, ErrShort
	}
	h.Ctx, h.Tag = le.Uint32(b), int32(le.Uint32(b[4:]))
	h.Len, err = parseLen(b[8:])
	return b[eagerSize:], err
}
