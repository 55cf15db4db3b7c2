package wire

// DONE: recv(4) len(8), the receive whose buffer now holds len bytes that the sender has written.
const doneSize = 12

func appendDone(b []byte, h *Header) []byte { return appendData(b, h) }

func parseDone(b []byte, h *Header) (rest []byte, err error) { return parseData(b, h) }
