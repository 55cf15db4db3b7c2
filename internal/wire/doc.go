// Package wire owns Weft's own packets: the header every link carries, the twins that append it to and
// parse it from bytes, and the two small contracts between whoever makes packets and whoever moves them
// (Packet going down, Sink coming up).
//
// It promises that Parse of what Append wrote gives the same header back, and that Parse of anything else
// gives an error, never a panic. It knows nothing of sockets, memory keys' meaning, or matching.
//
// The words are the same in code, in traces and in the documents:
//
//	eager        EAGER                     the payload travels with its envelope
//	synchronous  SYNC, ACK                 eager, but the receiver tells when it has matched
//	pull         RTS, (read), FIN          the receiver fetches the payload
//	push         RTS, CTS, DATA            the receiver asks, the sender sends
//	put          RTS, CTS, (write), DONE   the receiver asks with a key, the sender writes
//	speculative  RTR, RTR_ACK, (write), DONE   the receive was there first and has offered its buffer
//	held         HOLD, RELEASE             the receiver has too much unreceived: short messages are offered, too, until it says otherwise
//	taken back   WITHDRAW, WITHDRAWN       an RTS or SYNC that met no receive is gone; or the receiver has freed the communicator
//	given up     GIVE_UP                   a collective was cancelled: nobody may count on its communicator any more
//	one-sided    RMA                       for a window: puts, gets and the like where its memory is out of reach, locks, answers
//
// A speculative RTS whose receive has sent no RTR is acknowledged by RTS_ACK just before the next RTR of
// its envelope, unless FIN or CTS has answered it by then. RTR_CANCEL takes an RTR back, RTR_CANCEL_ACK
// says that the sender will not use it any more.
package wire
