package wire

// RTR_ACK: recv(4) send(4) len(8): the message of that length is being written to the receive, by that send.
const rtrAckSize = 16

func appendRTRAck(b []byte, h *Header) []byte {
	b = le.AppendUint32(b, h.Recv)
	b = le.AppendUint32(b, h.Send)
	return le.AppendUint64(b, uint64(h.Len))
}

func parseRTRAck(b []byte, h *Header) (rest []byte, err error) {
	if len(b) < rtrAckSize {
		return nil, ErrShort
	}
	h.Recv, h.Send = le.Uint32(b), le.Uint32(b[4:])
	h.Len, err = parseLen(b[8:])
	return b[rtrAckSize:], err
}
