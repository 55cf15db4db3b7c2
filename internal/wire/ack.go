package wire

// ACK: send(4), the request of the SYNC that it answers.
func appendAck(b []byte, h *Header) []byte {
	return le.AppendUint32(b, h.Send)
}

func parseAck(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < 4 {
		return nil, ErrShort
	}
	h.Send = le.Uint32(b)
	return b[4:], nil
}
