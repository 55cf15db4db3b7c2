package socket

// Event says what a socket in a [Poller] is ready for.
type Event struct {
	Token uint64 // as given to Add
	Read  bool   // bytes, a connection, the end of the stream or an error can be fetched
	Write bool   // there is room to send, or a connect has finished, well or badly
	Hup   bool   // broken, or closed in both directions; Read is set too, so that receiving tells why
}

// WakeToken is the one token that a Poller keeps for itself.
const WakeToken = ^uint64(0)
