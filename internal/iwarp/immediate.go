package iwarp

// ImmediateSize is the size of the data of an Immediate message, which is all it has after its DDP header.
const ImmediateSize = 8

// AppendImmediate adds the data of an Immediate message to b.
func AppendImmediate(b []byte, data uint64) []byte { return be.AppendUint64(b, data) }

// ParseImmediate reads the data that b consists of. It is false when b has another length.
func ParseImmediate(b []byte) (data uint64, ok bool) {
	if len(b) != ImmediateSize {
		return 0, false
	}
	return be.Uint64(b), true
}
