package wire

// FIN and ACK: send(4), the request of the RTS or SYNC that they answer.
func appendDone(b []byte, h *Header) []byte {
	return le.AppendUint32(b, h.Send)
}

func parseDone(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < 4 {
		return nil, ErrShort
	}
	h.Send = le.Uint32(b)
	return b[4:], nil
}
