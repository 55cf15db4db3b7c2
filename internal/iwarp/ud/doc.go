// Package ud remembers what unreliable datagrams make one remember: which pieces of a Write-Record have arrived,
// which parts of a Read are still missing, and whom an error message was sent to a moment ago. Everything else on
// unreliable datagrams is one datagram at a time and needs no memory.
//
// The machines are pure: a datagram's header and the time go in, a verdict comes out, and payload is never seen.
// Time is in nanoseconds, above zero and never running backwards; a deadline of 0 means that nothing is due. All
// state is bounded, is allocated when it is first needed, and is reused from then on: nothing a peer sends makes it
// grow.
//
// Peers and sources are keys of the caller's choice, usually socket addresses; the package only compares them. It
// must not know of sockets, queue pairs or memory, and starts nothing by itself: the caller asks for Deadline,
// waits for it or for a datagram, whichever is first, and then asks what is due.
package ud
