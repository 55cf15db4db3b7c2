package wire

// SYNC: an EAGER with send(4) in front: the request that the ACK must name.
func appendSync(b []byte, h *Header) []byte {
	return appendEager(le.AppendUint32(b, h.Send), h)
}

func parseSync(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < 4 {
		return nil, ErrShort
	}
	h.Send = le.Uint32(b)
	return parseEager(b[4:], h)
}
