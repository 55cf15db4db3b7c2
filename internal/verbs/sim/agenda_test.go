package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAgenda: what comes next is the earliest of all times that have not come, however they were added.
func TestAgenda(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda
		var open []int64
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if len(open) > 0 && rapid.Bool().Draw(t, "comes") {
				a.done()
				open = open[1:]
			} else {
				at := rapid.Int64Range(0, 50).Draw(t, "at")
				a.add(at)
				i, _ := slices.BinarySearch(open, at)
				open = slices.Insert(open, i, at)
			}
			want := int64(math.MaxInt64)
			if len(open) > 0 {
				want = open[0]
			}
			if a.next() != want {
				t.Fatalf("%d comes next, want %d", a.next(), want)
			}
		}
	})
}
