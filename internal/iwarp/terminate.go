package iwarp

import "math"

const (
	terminateSize = 4

	terminateLength byte = 0x80 // M: the segment length counts
	terminateHeader byte = 0x40 // D: the failed DDP header is there, after the segment length
	terminateRead   byte = 0x20 // R: so is the failed Read Request
	terminateMask        = terminateLength | terminateHeader | terminateRead

	siwHeader byte = 0x02 // siw's M D R are bits 0, 1 and 2
	siwRead   byte = 0x04
	siwMask   byte = 0x07
)

// MaxTerminateSize is the size of the longest Terminate after its DDP header.
const MaxTerminateSize = terminateSize + 2 + UntaggedSize + ReadRequestSize

// Terminate is the last message of a stream: what went wrong, and in which segment (RFC 5040 §4.8). On datagrams it
// is a mere error message.
type Terminate struct {
	Fault Fault

	HasHeader  bool   // SegmentLen and Header are there
	SegmentLen uint16 // of the failed segment, its header included
	Header     Header // of the failed segment

	HasRead bool // with HasHeader: the segment was the Read Request Read
	Read    ReadRequest

	// Foreign: the message came in the form of Linux siw on little-endian machines and was translated; Append
	// writes the form of the RFC nevertheless. siw puts a Read's size where its MSN belongs; MSN is 0 then.
	Foreign bool
}

// Append adds the message, without its own DDP header, to b.
func (t *Terminate) Append(b []byte) []byte {
	flags := byte(0)
	if t.HasHeader {
		flags = terminateLength | terminateHeader | bit(t.HasRead, terminateRead)
	}
	b = append(b, t.Fault.Layer<<4|t.Fault.Type&15, t.Fault.Code, flags, 0)
	if !t.HasHeader {
		return b
	}
	b = be.AppendUint16(b, t.SegmentLen)
	b = t.Header.Append(b)
	if t.HasRead {
		b = t.Read.Append(b)
	}
	return b
}

// ParseTerminate reads the message b, its own DDP header stripped. When it is false, b is cut short; as much of it
// as could be read is in t nevertheless, for a Terminate ends its stream in any case.
//
// A message in siw's form is recognised by flags where the RFC has reserved bits, or by a fault that the RFCs do not
// know unless layer and type change places. siw's "unexpected opcode" reads as FaultIRD: nothing tells them apart.
func ParseTerminate(b []byte) (t Terminate, ok bool) {
	if len(b) < terminateSize {
		return t, false
	}
	t.Fault = Fault{b[0] >> 4, b[0] & 15, b[1], true}
	header, read := b[2]&terminateHeader != 0, b[2]&terminateRead != 0
	swapped := Fault{t.Fault.Type, t.Fault.Layer, t.Fault.Code, true}
	unknown := b[2]&(terminateMask|siwMask) == 0 && !t.Fault.Registered() && swapped.Registered()
	if b[2]&terminateMask == 0 && b[2]&siwMask != 0 || unknown {
		t.Foreign, t.Fault = true, swapped
		header, read = b[2]&siwHeader != 0, b[2]&siwRead != 0
	}
	if !header {
		return t, true
	}
	return t, t.readHeaders(b[terminateSize:], read)
}

// readHeaders reads what follows the first word, and says whether all of it is there.
func (t *Terminate) readHeaders(b []byte, read bool) (ok bool) {
	if len(b) < 2 {
		return false
	}
	t.SegmentLen = be.Uint16(b)
	n := t.Header.read(b[2:])
	if n == 0 {
		return false
	}
	if t.HasHeader = true; read {
		b = b[2+n:]
		t.Read, t.HasRead = ParseReadRequest(b[:min(len(b), ReadRequestSize)])
	}
	if t.Foreign {
		t.translate()
	}
	return t.HasRead == read
}

// translate undoes siw's other habits: it counts the payload alone, and loses the MSN of a Read Request.
func (t *Terminate) translate() {
	length := int(t.SegmentLen) + t.Header.Size()
	if t.HasRead {
		length += ReadRequestSize
		t.Header.MSN = 0
	}
	t.SegmentLen = uint16(min(length, math.MaxUint16))
}
