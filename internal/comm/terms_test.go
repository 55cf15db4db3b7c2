package comm

import (
	"reflect"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// termsOf are the terms of a call that is served by an algorithm of this number.
func termsOf(call Call, choice uint8) (t progress.Terms) {
	setTerms(&t, &call, &plan.Plan{Choice: choice, Digest: digestOf(&call, choice)}, 1)
	return t
}

// A difference in one of the terms is seen in both digests.
func TestDigestSeesDifferences(t *testing.T) {
	base := Call{Op: coll.Reduce, Root: 3, Bytes: 800, Elem: 8, Kind: reflect.Int64, Fold: FoldOf(datatype.Sum)}
	ours := termsOf(base, 7)
	differs := func(what string, n int, call Call, choice uint8) {
		if theirs := termsOf(call, choice); theirs.Short == ours.Short || theirs.Long == ours.Long || theirs.Tag() == ours.Tag() {
			t.Errorf("%s %d has the digests of %+v: %+v", what, n, ours, theirs)
		}
	}
	for n := range 250 {
		call := base
		if call.Root = n; n != base.Root {
			differs("root", n, call, 7)
		}
		call = base
		if call.Bytes += n - 125; n != 125 {
			differs("bytes", call.Bytes, call, 7)
		}
		if n != 7 {
			differs("algorithm", n, base, uint8(n))
		}
	}
	for k := reflect.Bool; k <= reflect.Struct; k++ {
		call := base
		if call.Kind = k; k != base.Kind {
			differs("kind", int(k), call, 7)
		}
	}
	for f := Fold(0); f <= Own; f++ {
		call := base
		if call.Fold = f; f != base.Fold {
			differs("reduction", int(f), call, 7)
		}
	}
	call := base
	call.Bytes += shortPrime * 8 // messages of other lengths do not meet unnoticed, flags have the longer digest
	if theirs := termsOf(call, 7); theirs.Long == ours.Long {
		t.Errorf("%+v and %+v have the same long digest", ours, theirs)
	}
}

// What may differ between ranks does not count.
func TestDigestLeavesOut(t *testing.T) {
	for name, calls := range map[string][2]Call{
		"gatherv":   {{Op: coll.Gatherv, Bytes: 8, Elem: 8, RecvCounts: []int{1, 2}}, {Op: coll.Gatherv, Bytes: 16, Elem: 8}},
		"alltoallv": {{Op: coll.Alltoallv, Elem: 8, RecvCounts: []int{1, 2}}, {Op: coll.Alltoallv, Elem: 8, RecvCounts: []int{3, 0}}},
		"in place":  {{Op: coll.Allreduce, Bytes: 8, Elem: 8}, {Op: coll.Allreduce, Bytes: 8, Elem: 8, InPlace: true}},
		"root":      {{Op: coll.Allreduce, Bytes: 8, Elem: 8}, {Op: coll.Allreduce, Bytes: 8, Elem: 8, Root: 1}},
	} {
		if a, b := termsOf(calls[0], 1), termsOf(calls[1], 1); a.Short != b.Short || a.Long != b.Long {
			t.Errorf("%s: %+v and %+v differ", name, a, b)
		}
	}
}

// Tags are none of those that mean something else, whatever the terms.
func TestTagsStayClear(t *testing.T) {
	for op := range uint8(16) {
		for _, number := range []uint32{0, 1, 1<<20 - 1, 1<<20 - 2, 1<<32 - 1} {
			terms := progress.Terms{Op: op, Short: shortPrime - 1, Number: number}
			if tag := terms.Tag(); tag < 0 && tag > -5 {
				t.Errorf("%+v has tag %d", terms, tag)
			}
		}
	}
}
