package verbs

// Catcher is a program that may use messages where they have landed, see the Catch of queue pairs that have it.
type Catcher interface {
	// Catch is shown a message while the device is locked. If it answers true it has used the message, and that is the end of it: no
	// receive is taken, nothing completes. Else the message goes the usual way. The bytes are the program's for the call only, and it
	// must not call the device.
	Catch(message []byte) bool
}
