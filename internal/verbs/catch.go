package verbs

import "net/netip"

// Catching is a queue pair whose device may show messages to whoever polls: those that come while nothing waits in the queue of its
// receives' completions.
type Catching interface {
	// Catch has c see them from now on, or answers false: the device shows none.
	Catch(c Catcher) bool
}

// Catcher is a program that may use messages where they have landed.
type Catcher interface {
	// Catch is shown a message while the device is locked, and where it comes from if it is a datagram. If it answers true it has used
	// the message, and that is the end of it: no receive is taken, nothing completes. Else the message goes the usual way. The
	// bytes are the program's for the call only, and it must not call the device.
	Catch(message []byte, from netip.AddrPort) bool
}

// PlacedCatcher is a Catcher that may also use messages whose place it has told, see Steering, before they complete.
type PlacedCatcher interface {
	// CatchPlaced is told, as Catch is, that such a message has come whole: all but the head, which went to the receive, is where it was
	// to go. If it answers true that is the end of the message: nothing completes, and the receive is posted as before. Next is what
	// the device does then, Fetch or Pause.
	CatchPlaced(head []byte, size int) (caught bool, next Next)
}
