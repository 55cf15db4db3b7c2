package socket

import "errors"

var (
	// ErrAgain says that the call would have to wait; nothing happened.
	ErrAgain = errors.New("socket: not ready, try again when the poller says so")
	// ErrClosed says that the object was closed before or during the call.
	ErrClosed = errors.New("socket: already closed")
	// ErrNotSupported says that this operating system has no such sockets.
	ErrNotSupported = errors.New("socket: raw sockets are not supported on this system, only on Linux")
)
