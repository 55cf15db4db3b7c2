package iwarp

// ReadRequestSize is the size of a Read Request after its DDP header.
const ReadRequestSize = 28

// ReadRequest asks the peer to send Size bytes of its source memory as a Read Response to our sink. The peer
// copies SinkSTag and SinkTO without looking at them. The source of an empty Read is not checked either.
type ReadRequest struct {
	SinkSTag   uint32
	SinkTO     uint64
	Size       uint32
	SourceSTag uint32
	SourceTO   uint64
}

// Append adds the request to b.
func (r *ReadRequest) Append(b []byte) []byte {
	var a [ReadRequestSize]byte
	return append(b, a[:r.Put(a[:])]...)
}

// Put writes the request to the beginning of b, which must hold ReadRequestSize bytes, and returns that.
func (r *ReadRequest) Put(b []byte) int {
	_ = b[ReadRequestSize-1]
	be.PutUint32(b, r.SinkSTag)
	be.PutUint64(b[4:], r.SinkTO)
	be.PutUint32(b[12:], r.Size)
	be.PutUint32(b[16:], r.SourceSTag)
	be.PutUint64(b[20:], r.SourceTO)
	return ReadRequestSize
}

// ParseReadRequest reads the request that b consists of. It is false when b has another length.
func ParseReadRequest(b []byte) (r ReadRequest, ok bool) {
	if len(b) != ReadRequestSize {
		return r, false
	}
	return ReadRequest{
		SinkSTag: be.Uint32(b), SinkTO: be.Uint64(b[4:]), Size: be.Uint32(b[12:]),
		SourceSTag: be.Uint32(b[16:]), SourceTO: be.Uint64(b[20:]),
	}, true
}
