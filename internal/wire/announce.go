package wire

// ANNOUNCE: recv(4) ctx(4) tag(4) len(8) addr(8) slot(4), as RTR: where a receive wants the message that
// its sender keeps back until then. The zero key asks for the message as a packet.

func appendAnnounce(b []byte, h *Header) []byte { return appendRTR(b, h) }

func parseAnnounce(b []byte, h *Header) (rest []byte, err error) { return parseRTR(b, h) }
