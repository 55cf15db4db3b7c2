package iwarp

// Sizes of the DDP header, control bytes included.
const (
	TaggedSize   = 14
	UntaggedSize = 18
)

const (
	ddpTagged   byte = 0x80
	ddpLast     byte = 0x40
	ddpVersion  byte = 0x01
	versionMask byte = 0x03

	rdmapVersion     byte = 0x40
	rdmapVersionMask byte = 0xc0
	rdmapRecord      byte = 0x20
	opcodeMask       byte = 0x0f
)

// Header is the header of a DDP segment together with RDMAP's share of it (RFC 5041 §4, RFC 5040 §4.1). A segment
// has no length of its own: it ends where its FPDU or its datagram does.
type Header struct {
	Tagged bool   // the segment names its target (STag, TO) instead of a queue and a message
	Last   bool   // the last segment of the message
	Record bool   // a Write-Record: a Record header follows; on Write only
	Op     Opcode // 4 bits

	STag uint32 // tagged: the target memory
	TO   uint64 // tagged: where in it

	Invalidate uint32 // untagged: what Send with Invalidate invalidates; on datagrams the source QPN of others
	QN         uint32 // untagged: the queue
	MSN        uint32 // untagged: number of the message in its queue
	MO         uint32 // untagged: offset of the segment in the message
}

// Size is the number of bytes that Put fills.
func (h *Header) Size() int {
	if h.Tagged {
		return TaggedSize
	}
	return UntaggedSize
}

// Append adds the header to b.
func (h *Header) Append(b []byte) []byte {
	var a [UntaggedSize]byte
	return append(b, a[:h.Put(a[:])]...)
}

// Put writes the header to the beginning of b, which must hold Size bytes, and returns Size.
func (h *Header) Put(b []byte) int {
	_ = b[h.Size()-1]
	b[0] = ddpVersion | bit(h.Tagged, ddpTagged) | bit(h.Last, ddpLast)
	b[1] = rdmapVersion | bit(h.Record, rdmapRecord) | byte(h.Op)&opcodeMask
	if h.Tagged {
		be.PutUint32(b[2:], h.STag)
		be.PutUint64(b[6:], h.TO)
		return TaggedSize
	}
	be.PutUint32(b[2:], h.Invalidate)
	be.PutUint32(b[6:], h.QN)
	be.PutUint32(b[10:], h.MSN)
	be.PutUint32(b[14:], h.MO)
	return UntaggedSize
}

// ParseHeader reads the header of the segment b and returns its size. It checks both versions, the length,
// and that the opcode is known and agrees with the tagged bit and with Record; reserved bits are ignored,
// as the RFCs want. With FaultOpcode, h and n are complete nevertheless, so that an error message can quote
// them.
func ParseHeader(b []byte) (h Header, n int, f Fault) {
	if len(b) < 2 {
		return h, 0, FaultMarker
	}
	tagged := b[0]&ddpTagged != 0
	switch {
	case b[0]&versionMask != ddpVersion && tagged:
		return h, 0, FaultDDPTaggedVersion
	case b[0]&versionMask != ddpVersion:
		return h, 0, FaultDDPUntaggedVersion
	case b[1]&rdmapVersionMask != rdmapVersion:
		return h, 0, FaultVersion
	}
	if n = h.read(b); n == 0 {
		return h, 0, FaultMarker
	}
	if !h.Op.Known() || h.Tagged != h.Op.Tagged() || h.Record && h.Op != OpWrite {
		f = FaultOpcode
	}
	return h, n, f
}

// read fills h from b without judging it and returns its size, 0 if it is cut short.
func (h *Header) read(b []byte) int {
	if len(b) < TaggedSize || b[0]&ddpTagged == 0 && len(b) < UntaggedSize {
		return 0
	}
	*h = Header{
		Tagged: b[0]&ddpTagged != 0, Last: b[0]&ddpLast != 0,
		Record: b[1]&rdmapRecord != 0, Op: Opcode(b[1] & opcodeMask),
	}
	if h.Tagged {
		h.STag, h.TO = be.Uint32(b[2:]), be.Uint64(b[6:])
		return TaggedSize
	}
	h.Invalidate, h.QN = be.Uint32(b[2:]), be.Uint32(b[6:])
	h.MSN, h.MO = be.Uint32(b[10:]), be.Uint32(b[14:])
	return UntaggedSize
}
