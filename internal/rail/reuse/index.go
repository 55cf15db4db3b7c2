package reuse

import "math/bits"

// golden is 2^64 divided by the golden ratio.
const golden = 0x9e3779b97f4a7c15

// bucket is where an address belongs.
func (t *Table) bucket(addr uintptr) *int32 {
	h := uint64(addr) * golden
	return &t.hash[(h^h>>32)*golden>>t.shift]
}

// find returns the entry of an address, or 0.
func (t *Table) find(addr uintptr) int32 {
	if t.cfg.Index == Tree {
		i, _ := t.tree.Get(addr)
		return i
	}
	if t.hash == nil {
		return 0
	}
	i := *t.bucket(addr)
	for i != 0 && t.entries[i].addr != addr {
		i = t.entries[i].next
	}
	return i
}

// insert begins to count an address that is not in the table, unless the table no longer grows.
func (t *Table) insert(addr uintptr) {
	switch {
	case t.count.GrowthStopped:
	case t.count.Entries >= uint64(t.cfg.Entries):
		t.count.GrowthStopped = true
	case t.cfg.Index == Tree:
		t.tree.Set(addr, t.take(addr, 0))
	default:
		t.link(addr)
	}
}

// link puts an address into its bucket. If that begins or lengthens a chain while few of the buffers are frequent, it
// is not put there and the table stops growing: searching chains for buffers that do not come again is pure cost.
func (t *Table) link(addr uintptr) {
	if t.hash == nil {
		t.hash = make([]int32, t.cfg.Buckets)
		t.shift = uint8(64 - bits.TrailingZeros(uint(t.cfg.Buckets)))
	}
	b := t.bucket(addr)
	if t.chained(*b) {
		if float64(t.count.Frequent) < t.cfg.Adapt*float64(t.count.Entries) {
			t.count.GrowthStopped = true
			return
		}
		t.count.Chains++
	}
	*b = t.take(addr, *b)
}

// chained tells whether one more entry before i makes a chain.
func (t *Table) chained(i int32) bool {
	n := 1
	for ; i != 0; i = t.entries[i].next {
		n++
	}
	return n > t.cfg.Chain
}

// take makes an entry for an address.
func (t *Table) take(addr uintptr, next int32) int32 {
	t.count.Entries++
	e := entry{addr: addr, uses: 1, next: next}
	if len(t.entries) == 0 {
		t.entries = append(t.entries, entry{})
	}
	t.entries = append(t.entries, e)
	return int32(len(t.entries) - 1)
}
