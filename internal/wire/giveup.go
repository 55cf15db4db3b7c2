package wire

// GIVE_UP: ctx(4), the context of the collectives of a communicator that its ranks no longer agree about.
func appendGiveUp(b []byte, h *Header) []byte { return le.AppendUint32(b, h.Ctx) }

func parseGiveUp(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < 4 {
		return nil, ErrShort
	}
	h.Ctx = le.Uint32(b)
	return b[4:], nil
}
