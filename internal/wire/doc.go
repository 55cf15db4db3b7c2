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
//	push         RTS, RTR, DATA            the receiver asks, the sender sends
package wire
