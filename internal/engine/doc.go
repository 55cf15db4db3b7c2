// Package engine owns the point-to-point protocol of one rank as a state machine: eager messages,
// rendezvous (pull and push), synchronous sends, probes, cancellation.
//
// An event goes in (a request is posted, a packet arrives, a read ends), a batch of actions comes out
// through Actions; the engine never calls out, waits, looks at a clock or starts a goroutine. It is not
// safe for concurrent use: its owner serialises. Whoever drives it does
//
//	e.PostSend(r)                    // or any other event
//	for _, a := range e.Actions() {  // what the event asks for, in order
//		...                          // give a.Packet to a link, start a.Req's read, wake who waits for a.Req
//	}
//	e.Clear()
//
// Requests belong to the caller, who keeps them and their buffers alive until the Complete action; the
// engine keeps only pointers. Unexpected payloads are copied into memory of the engine's.
package engine
