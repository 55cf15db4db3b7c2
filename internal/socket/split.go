package socket

// span is one datagram inside the buffers of an Inbox: bytes from:to of the slab, out of message msg.
type span struct {
	msg, from, to int
}

// split appends the spans of a received message: length bytes at from, which the kernel joined out of datagrams
// of size bytes, the last maybe smaller. Size 0 or below: it was a single one.
func split(into []span, msg, from, length, size int) []span {
	if size <= 0 || size >= length {
		return append(into, span{msg, from, from + length})
	}
	for end := from + length; from < end; from += size {
		into = append(into, span{msg, from, min(from+size, end)})
	}
	return into
}
