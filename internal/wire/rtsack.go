package wire

// RTS_ACK: send(4) flags(1): the RTS has met a receive that sent no RTR.
func appendRTSAck(b []byte, h *Header) []byte { return appendFIN(b, h) }

func parseRTSAck(b []byte, h *Header) (rest []byte, err error) { return parseFIN(b, h) }
