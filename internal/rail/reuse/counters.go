package reuse

// Counters prove what the table did since it was made.
type Counters struct {
	Entries            uint64 // buffers in the table now
	Chains             uint64 // insertions that began or lengthened a chain
	Frequent           uint64 // buffers now that were worth registering
	GrowthStopped      bool   // no buffers are added any more
	ZeroCopy           uint64 // uses sent from the buffer itself
	Copied             uint64 // uses that could have been, but were copied
	CopiesAvoidedBytes uint64 // bytes of uses that were not copied first
	Registrations      uint64 // buffers that were to be registered because of their use
	Wasted             uint64 // those of them that were not used as often as it takes to pay
	Refused            uint64 // registrations that failed
}

// Counters returns what was counted so far.
func (t *Table) Counters() Counters {
	if t == nil {
		return Counters{}
	}
	return t.count
}
