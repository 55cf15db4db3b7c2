package wire

// RTR_CANCEL, RENOUNCE and their answer RTR_CANCEL_ACK: recv(4) ctx(4) tag(4) send(4). There is no send to
// name: the field tells an answer from that to an earlier cancel of a receive that had the same number.
const rtrCancelSize = 16

func appendRTRCancel(b []byte, h *Header) []byte {
	b = le.AppendUint32(b, h.Recv)
	b = le.AppendUint32(b, h.Ctx)
	b = le.AppendUint32(b, uint32(h.Tag))
	return le.AppendUint32(b, h.Send)
}

func parseRTRCancel(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < rtrCancelSize {
		return nil, ErrShort
	}
	h.Recv, h.Ctx, h.Tag = le.Uint32(b), le.Uint32(b[4:]), int32(le.Uint32(b[8:]))
	h.Send = le.Uint32(b[12:])
	return b[rtrCancelSize:], nil
}
