// Package iwarp turns the frames of iWARP into values and back: MPA start-up and framing (RFC 5044, 6581), DDP
// segments (RFC 5041), RDMAP messages (RFC 5040, 7306), and the datagram variant that carries the same segments
// over UDP.
//
// It owns the wire formats and nothing else. Codecs come as twins, one frame kind per file: Parse reads
// what Append and Put write. Append adds to a slice; Put fills an array of the caller's that is known to be
// large enough, and returns how much it filled. Put, CRC and the parsing of a good frame never allocate.
// Parsers take whatever a network may bring: they never panic, never read past the slice they are given,
// and keep no reference to it except where they say so. What they accept is well formed; whether it makes
// sense at this moment (a sequence number, a key, a bound) is for the caller to judge.
//
// A finding about a peer's bytes is a Fault, in the terms in which a Terminate message would report it. All
// integers on the wire are big-endian except the CRC.
//
// The package must not know of sockets, queue pairs, memory regions or time. The state machines that need to
// remember something live below it, in rd and ud; only MarkerStripper, which must, remembers something here.
package iwarp

import (
	"encoding/binary"
	"errors"
)

var be = binary.BigEndian

// What a start-up frame or an FPDU can be besides good; test with errors.Is.
var (
	ErrShort    = errors.New("iwarp: more bytes are needed")
	ErrStart    = errors.New("iwarp: bad start-up frame")
	ErrRejected = errors.New("iwarp: the peer rejected the connection")
)
