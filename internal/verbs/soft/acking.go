package soft

import "github.com/weft-mpi/weft/internal/socket"

// The kernel acknowledges a short message together with what is sent next, or when more than a segment has come behind it. If that is the beginning of a long
// message, the acknowledgement leaves while its receiver would copy it, and takes as long as the copy of 50 KB. So the short answer to a long
// message, such as the word that it is in place, is acknowledged by a call of our own, when a look has found nothing behind it.

// acking says who acknowledges what has come.
type acking uint8

const (
	ackByItself acking = iota // the kernel, when it sees fit
	ackAnswer                 // likewise, but what was sent last is long: its answer may have to be
	ackDue                    // we, for the answer is here, if nothing follows it at once
)

// ackLong is how many bytes have to be sent in one call.
const ackLong = 64 << 10

// noteAck notes what a call that receives has found, drained if that was less than it wanted.
func (s *stream) noteAck(drained bool, err error) {
	switch {
	case err == nil && s.ack == ackAnswer && drained:
		s.ack = ackDue
	case err == socket.ErrAgain && s.ack == ackDue:
		s.ack = ackByItself
		s.dev.count.acksAsked++
		s.conn.AckNow()
	case err == nil:
		s.ack = ackByItself
	}
}
