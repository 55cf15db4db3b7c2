package iwarp

// MaxDatagram is the longest UDP payload over IPv4, and the longest that is used at all.
const MaxDatagram = 65507

// Kind tells the two sorts of datagrams apart.
type Kind uint8

// A UD datagram is a DDP segment and its CRC; an RD datagram has a Shim before the segment, or no segment at all.
const (
	Unknown Kind = 0
	UD      Kind = Kind(ddpVersion)
	RD      Kind = Kind(shimVersion)
)

// DatagramKind looks at the first byte only.
func DatagramKind(b []byte) Kind {
	if len(b) == 0 {
		return Unknown
	}
	switch k := Kind(b[0] & kindMask); k {
	case UD, RD:
		return k
	}
	return Unknown
}

// SealDatagram adds to b the CRC of the datagram that begins at from. Datagrams of a job with a key
// have a seal in its place (package seal).
func SealDatagram(b []byte, from int) []byte { return NewCRC().Add(b[from:]).Append(b) }

// OpenDatagram returns what SealDatagram sealed, which aliases b. It is false when b is too short or its CRC is
// wrong: drop such a datagram without an answer.
func OpenDatagram(b []byte) (body []byte, ok bool) {
	if len(b) <= CRCSize || !sealed(b, NewCRC()) {
		return nil, false
	}
	end := len(b) - CRCSize
	return b[:end:end], true
}

// QN is the queue number of a datagram for queue of queue pair qpn, 24 bits. With qpn 0, for a socket that has one
// queue pair, it is the queue number of RFC 5041.
func QN(queue uint8, qpn uint32) uint32 { return qpn<<8 | uint32(queue) }

// SplitQN takes a queue number apart.
func SplitQN(qn uint32) (queue uint8, qpn uint32) { return uint8(qn), qn >> 8 }
