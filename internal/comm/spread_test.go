package comm

import (
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
)

func TestSpreadIsComparedWhenCallsHaveDoubled(t *testing.T) {
	var s spreads
	var at []int
	for call := 1; call <= 40; call++ {
		if s.stayed(spreadKind{op: coll.Bcast}, 10) {
			at = append(at, call)
			s.share(spreadKind{op: coll.Bcast})
		}
	}
	if len(at) != 3 || at[0] != 8 || at[1] != 16 || at[2] != 32 {
		t.Errorf("compared at %v", at)
	}
}

func TestAgreedSpread(t *testing.T) {
	kind := spreadKind{coll.Scan, 3}
	for _, c := range []struct {
		stays []int64 // of the ranks, on average
		least int64
		want  int
	}{
		{[]int64{100, 100}, 10, 0},
		{[]int64{100, 109}, 10, 0},
		{[]int64{100, 110}, 10, 1},
		{[]int64{100, 170, 130}, 10, 4}, // 7, rounded down to a power of two
		{[]int64{0, 1000}, 1, 512},
	} {
		var all [3]int64
		var s spreads
		for i, stay := range c.stays {
			s = spreads{kinds: map[spreadKind]*stays{kind: {sum: 3 * stay, number: 3, least: c.least}}}
			mine := s.share(kind)
			for k := range all {
				if i == 0 || mine[k] > all[k] {
					all[k] = mine[k]
				}
			}
		}
		if s.agree(kind, all); s.of(kind) != c.want || s.of(spreadKind{op: coll.Scan, class: 4}) != 0 {
			t.Errorf("%v: %d, want %d", c.stays, s.of(kind), c.want)
		}
	}
}

// TestSpreadKind: lengths that ranks know of each other tell kinds apart, others do not.
func TestSpreadKind(t *testing.T) {
	kind := func(c Call) spreadKind { return c.spreadKind() }
	short, long := Call{Op: coll.Allreduce, Bytes: 8}, Call{Op: coll.Allreduce, Bytes: 1 << 20}
	if kind(short) == kind(long) || kind(short) != kind(Call{Op: coll.Allreduce, Bytes: 15}) || kind(short) == kind(Call{Op: coll.Reduce, Bytes: 8}) {
		t.Error("8 bytes and 1 MB are one kind, or 8 and 15 are two")
	}
	for _, op := range []coll.Op{coll.Gatherv, coll.Scatterv, coll.Allgatherv, coll.Alltoallv, coll.Barrier} {
		if kind(Call{Op: op, Bytes: 8}) != kind(Call{Op: op, Bytes: 1 << 20, RecvCounts: []int{1}}) {
			t.Errorf("%v: a rank's own length makes a kind", op)
		}
	}
	if counts := (Call{Op: coll.ReduceScatter, Bytes: 8, RecvCounts: []int{8, 24}}); kind(counts) != kind(Call{Op: coll.ReduceScatter, Bytes: 24, RecvCounts: []int{8, 24}}) {
		t.Error("the own block of a reduce_scatter makes a kind")
	}
}
