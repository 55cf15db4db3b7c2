package wire

// WITHDRAW: send(4) ctx(4) tag(4): the request of an RTS or SYNC, and the envelope that it left under.
const withdrawSize = 12

func appendWithdraw(b []byte, h *Header) []byte {
	b = le.AppendUint32(b, h.Send)
	b = le.AppendUint32(b, h.Ctx)
	return le.AppendUint32(b, uint32(h.Tag))
}

func parseWithdraw(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < withdrawSize {
		return nil, ErrShort
	}
	h.Send, h.Ctx, h.Tag = le.Uint32(b), le.Uint32(b[4:]), int32(le.Uint32(b[8:]))
	return b[withdrawSize:], nil
}

// WITHDRAWN: send(4), the request of an RTS or SYNC that no receive will meet.
func appendWithdrawn(b []byte, h *Header) []byte { return appendAck(b, h) }

func parseWithdrawn(b []byte, h *Header) (rest []byte, err error) { return parseAck(b, h) }
