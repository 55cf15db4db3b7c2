package reuse

import "iter"

// Counters prove what the table did since it was made.
type Counters struct {
	Entries            uint64 // buffers in the table now
	Chains             uint64 // insertions that began or lengthened a chain
	Frequent           uint64 // buffers now that were worth registering
	GrowthStopped      bool   // no buffers are added any more
	ZeroCopy           uint64 // uses sent from the buffer itself
	Copied             uint64 // uses that could have been, but were copied
	CopiesAvoidedBytes uint64
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

// All lists the counters by name, in a fixed order.
func (n Counters) All() iter.Seq2[string, uint64] {
	stopped := uint64(0)
	if n.GrowthStopped {
		stopped = 1
	}
	return func(yield func(string, uint64) bool) {
		_ = yield("reuse_table_entries", n.Entries) &&
			yield("reuse_chains", n.Chains) &&
			yield("reuse_frequent", n.Frequent) &&
			yield("reuse_growth_stopped", stopped) &&
			yield("reuse_zero_copy_sends", n.ZeroCopy) &&
			yield("reuse_copy_sends", n.Copied) &&
			yield("reuse_copies_avoided_bytes", n.CopiesAvoidedBytes) &&
			yield("reuse_registrations", n.Registrations) &&
			yield("reuse_wasted_registrations", n.Wasted) &&
			yield("reuse_refused", n.Refused)
	}
}
