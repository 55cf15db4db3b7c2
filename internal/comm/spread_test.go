package comm

import (
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
)

func TestSpreadIsComparedWhenCallsHaveDoubled(t *testing.T) {
	var s spreads
	var at []int
	for call := 1; call <= 40; call++ {
		if s.stayed(coll.Bcast, 10) {
			at = append(at, call)
			s.share(coll.Bcast)
		}
	}
	if len(at) != 3 || at[0] != 8 || at[1] != 16 || at[2] != 32 {
		t.Errorf("compared at %v", at)
	}
}

func TestAgreedSpread(t *testing.T) {
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
			s = spreads{}
			s.ops[coll.Scan].sum, s.ops[coll.Scan].number, s.ops[coll.Scan].least = 3*stay, 3, c.least
			mine := s.share(coll.Scan)
			for k := range all {
				if i == 0 || mine[k] > all[k] {
					all[k] = mine[k]
				}
			}
		}
		if s.agree(coll.Scan, all); s.of(coll.Scan) != c.want || s.of(coll.Bcast) != 0 {
			t.Errorf("%v: %d, want %d", c.stays, s.of(coll.Scan), c.want)
		}
	}
}
