// Package engine owns the point-to-point protocol of one rank as a state machine: eager messages, rendezvous (pull,
// push, put, speculative), synchronous sends, probes, cancellation, lost peers.
//
// An event goes in (a request is posted, a packet arrives, a read or a write ends), a batch of actions comes out
// through Actions; the engine never calls a link, waits or starts a goroutine, and knows of time what Tick
// tells it. It is not safe for concurrent use: its owner serialises. Whoever drives it does
//
//	e.PostSend(r)                    // or any other event
//	for _, a := range e.Actions() {  // what the event asks for, in order
//		...                          // give a.Packet to a link, start a.Req's read, wake who waits for a.Req
//	}
//	e.Clear()
//
// Requests belong to the caller, who keeps them and their buffers alive until the Complete action; the
// engine keeps only pointers. Unexpected payloads are copied into memory of the engine's.
//
// Packets from one peer arrive in the order in which it sent them. The DONE behind a write is the exception: it may
// come late, and even before packets that left earlier.
//
// How a message travels is a protocol, a value: protocol.go has their table, and PostSend, and each
// protocol_*.go one of them with both its ends, from the send to the last packet. recv.go is what receives
// and probes start, arrive.go what comes in, cancel.go how requests are taken back, contexts.go what
// becomes of freed communicators, crowd.go what bounds the memory of messages that nobody asks for, lost.go
// what ends with a peer. docs/researching/rendezvous.md draws the protocols. In the tests, rules_test.go
// lists the rules that keep messages from going astray, and testdata has scenarios: engines against each
// other, without a network.
package engine
