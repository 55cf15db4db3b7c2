package comm

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/coll"
)

// TestLayouts: a copy is the same and has the same hash whatever becomes of the original; one
// number more or less, or displacements that only one of two gives, make a difference.
func TestLayouts(t *testing.T) {
	ints := rapid.SliceOfN(rapid.IntRange(0, 3), 2, 2)
	maybe := rapid.OneOf(ints, rapid.Just([]int(nil)))
	rapid.Check(t, func(t *rapid.T) {
		l := layouts{maybe.Draw(t, "send"), maybe.Draw(t, "at"), ints.Draw(t, "recv"), maybe.Draw(t, "at")}
		o := layouts{maybe.Draw(t, "send"), maybe.Draw(t, "at"), ints.Draw(t, "recv"), maybe.Draw(t, "at")}
		differ := !slices.Equal(l.sendCounts, o.sendCounts) || !slices.Equal(l.sendDispls, o.sendDispls) ||
			!slices.Equal(l.recvCounts, o.recvCounts) || !slices.Equal(l.recvDispls, o.recvDispls)
		if l.same(&o) == differ {
			t.Fatalf("%v and %v: same is %v", l, o, !differ)
		}
		kept, hash := l.clone(), l.hash()
		if !kept.same(&l) || kept.hash() != hash {
			t.Fatalf("the copy %v of %v is another, or has another hash", kept, l)
		}
		l.recvCounts[1]++
		if kept.same(&l) || kept.hash() != hash {
			t.Fatalf("the copy %v changed with %v", kept, l)
		}
	})
}

// TestShelf: it holds no more plans and no more counts than it may, and always the one that was put last.
func TestShelf(t *testing.T) {
	for _, ranks := range []int{1, 1000, keptCounts, 2 * keptCounts} {
		var s shelf
		for i := range 3 * keptPlans {
			key := shelfKey{planKey: planKey{op: coll.Gatherv, bytes: i}}
			k := &keptPlan{layouts: layouts{recvCounts: make([]int, ranks)}}
			s.put(key, k)
			n := 0
			for _, kept := range s.plans {
				n += kept.layouts.len()
			}
			if len(s.plans) > keptPlans || n != s.counts || n > max(keptCounts, ranks) || s.plans[key] != k {
				t.Fatalf("%d counts each: %d plans with %d counts, said to be %d", ranks, len(s.plans), n, s.counts)
			}
		}
	}
}

// TestInBytes: displacements that are not given put one block behind the other.
func TestInBytes(t *testing.T) {
	if bytes, at := inBytes([]int{2, 0, 3}, nil, 8); !slices.Equal(bytes, []int{16, 0, 24}) || !slices.Equal(at, []int{0, 16, 16}) {
		t.Errorf("%v at %v", bytes, at)
	}
	if bytes, at := inBytes([]int{2, 1}, []int{5, 0}, 4); !slices.Equal(bytes, []int{8, 4}) || !slices.Equal(at, []int{20, 0}) {
		t.Errorf("%v at %v", bytes, at)
	}
	if bytes, at := inBytes(nil, nil, 4); bytes != nil || at != nil {
		t.Errorf("%v at %v", bytes, at)
	}
}

// TestSettle: counts that are all the same are none, where all ranks know.
func TestSettle(t *testing.T) {
	even := Call{Op: coll.ReduceScatter, Elem: 8, RecvCounts: []int{3, 3}}
	if even.settle(); even.RecvCounts != nil || even.Bytes != 24 {
		t.Errorf("%+v", even)
	}
	for _, c := range []Call{
		{Op: coll.ReduceScatter, Elem: 8, RecvCounts: []int{3, 4}},
		{Op: coll.Allgatherv, Elem: 8, RecvCounts: []int{3, 3}}, // places may differ
		{Op: coll.Gatherv, Elem: 8, RecvCounts: []int{3, 3}},
	} {
		if c.settle(); c.RecvCounts == nil {
			t.Errorf("%v lost its counts", c.Op)
		}
	}
}
