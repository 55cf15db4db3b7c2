package iwarp

// RecordSize is the size of the Record header, between the DDP header and the payload.
const RecordSize = 12

// Record is the second header of a Write-Record on datagrams: a Write that tells its sink what has arrived. One
// record may come in several pieces, each a datagram of its own.
type Record struct {
	RMSN   uint32 // number of the record, per sending queue pair
	Length uint32 // of the whole record
	Offset uint32 // of this piece in it
}

// Append adds the header to b.
func (r *Record) Append(b []byte) []byte {
	var a [RecordSize]byte
	return append(b, a[:r.Put(a[:])]...)
}

// Put writes the header to the beginning of b, which must hold RecordSize bytes, and returns that.
func (r *Record) Put(b []byte) int {
	_ = b[RecordSize-1]
	be.PutUint32(b, r.RMSN)
	be.PutUint32(b[4:], r.Length)
	be.PutUint32(b[8:], r.Offset)
	return RecordSize
}

// ParseRecord reads the header at the beginning of b, where the payload follows it. It is false when the header is
// cut short or the piece reaches beyond the record.
func ParseRecord(b []byte) (r Record, ok bool) {
	if len(b) < RecordSize {
		return r, false
	}
	r = Record{RMSN: be.Uint32(b), Length: be.Uint32(b[4:]), Offset: be.Uint32(b[8:])}
	return r, uint64(r.Offset)+uint64(len(b)-RecordSize) <= uint64(r.Length)
}
