package wire

// FIN: send(4) flags(1), the request of the RTS whose payload has been read.
const finSize = 5

func appendFIN(b []byte, h *Header) []byte {
	return append(le.AppendUint32(b, h.Send), byte(h.Flags))
}

func parseFIN(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < finSize {
		return nil, ErrShort
	}
	h.Send = le.Uint32(b)
	h.Flags, err = parseFlags(b[4], AdaptResume|Waited)
	return b[finSize:], err
}
