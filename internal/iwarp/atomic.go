package iwarp

import "strconv"

// Sizes of the atomic messages after their DDP header. The figure of RFC 7306 counts for the response, its text
// does not.
const (
	AtomicRequestSize  = 52
	AtomicResponseSize = 12
)

// AtomicOp says what an Atomic Request does to the 64-bit word it names.
type AtomicOp uint8

// The operations that every peer with atomics has.
const (
	FetchAdd    AtomicOp = 0
	CompareSwap AtomicOp = 2
)

// String is the name of the operation.
func (o AtomicOp) String() string {
	switch o {
	case FetchAdd:
		return "FetchAdd"
	case CompareSwap:
		return "CompareSwap"
	}
	return "atomic operation " + strconv.Itoa(int(o))
}

// Known says whether Apply can do the operation; a request with another one deserves FaultOpcode.
func (o AtomicOp) Known() bool { return o == FetchAdd || o == CompareSwap }

// AtomicRequest asks the peer to change one word of its memory and to tell what it was before (RFC 7306 §5).
// Whoever serves it checks that TO is a multiple of eight.
type AtomicRequest struct {
	Op   AtomicOp // 4 bits
	ID   uint32   // comes back in the response
	STag uint32
	TO   uint64

	Data        uint64 // what to add or to store
	Mask        uint64 // FetchAdd: bits out of which no carry goes; CompareSwap: bits to be stored
	Compare     uint64 // CompareSwap: what must be there
	CompareMask uint64 // CompareSwap: in these bits; FetchAdd: all ones
}

// AtomicResponse answers the request of the same ID.
type AtomicResponse struct {
	ID  uint32
	Old uint64 // the word before the operation
}

// Apply returns what becomes of the word old. An unknown operation leaves it alone.
func (r *AtomicRequest) Apply(old uint64) uint64 {
	switch {
	case r.Op == FetchAdd:
		// Bits of Mask are zero in both terms, so a carry into one stops there; their own sum comes in by xor.
		return (old&^r.Mask + r.Data&^r.Mask) ^ (old^r.Data)&r.Mask
	case r.Op == CompareSwap && (r.Compare^old)&r.CompareMask == 0:
		return old&^r.Mask | r.Data&r.Mask
	}
	return old
}

// Append adds the request to b.
func (r *AtomicRequest) Append(b []byte) []byte {
	var a [AtomicRequestSize]byte
	return append(b, a[:r.Put(a[:])]...)
}

// Put writes the request to the beginning of b, which must hold AtomicRequestSize bytes, and returns that.
func (r *AtomicRequest) Put(b []byte) int {
	_ = b[AtomicRequestSize-1]
	be.PutUint32(b, uint32(r.Op&15))
	be.PutUint32(b[4:], r.ID)
	be.PutUint32(b[8:], r.STag)
	be.PutUint64(b[12:], r.TO)
	be.PutUint64(b[20:], r.Data)
	be.PutUint64(b[28:], r.Mask)
	be.PutUint64(b[36:], r.Compare)
	be.PutUint64(b[44:], r.CompareMask)
	return AtomicRequestSize
}

// ParseAtomicRequest reads the request that b consists of. It is false when b has another length. The operation may
// be unknown.
func ParseAtomicRequest(b []byte) (r AtomicRequest, ok bool) {
	if len(b) != AtomicRequestSize {
		return r, false
	}
	return AtomicRequest{
		Op: AtomicOp(b[3] & 15), ID: be.Uint32(b[4:]), STag: be.Uint32(b[8:]), TO: be.Uint64(b[12:]),
		Data: be.Uint64(b[20:]), Mask: be.Uint64(b[28:]), Compare: be.Uint64(b[36:]), CompareMask: be.Uint64(b[44:]),
	}, true
}

// Append adds the response to b.
func (r *AtomicResponse) Append(b []byte) []byte {
	var a [AtomicResponseSize]byte
	return append(b, a[:r.Put(a[:])]...)
}

// Put writes the response to the beginning of b, which must hold AtomicResponseSize bytes, and returns that.
func (r *AtomicResponse) Put(b []byte) int {
	_ = b[AtomicResponseSize-1]
	be.PutUint32(b, r.ID)
	be.PutUint64(b[4:], r.Old)
	return AtomicResponseSize
}

// ParseAtomicResponse reads the response that b consists of. It is false when b has another length.
func ParseAtomicResponse(b []byte) (r AtomicResponse, ok bool) {
	if len(b) != AtomicResponseSize {
		return r, false
	}
	return AtomicResponse{ID: be.Uint32(b), Old: be.Uint64(b[4:])}, true
}
