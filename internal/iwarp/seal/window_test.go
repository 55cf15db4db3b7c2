package seal

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// naive is a window that remembers everything.
type naive struct {
	top  uint32
	seen map[uint32]bool
}

func (w *naive) look(n uint32) Verdict {
	switch {
	case n <= w.top && w.top-n >= windowWidth:
		return Old
	case w.seen[n]:
		return Replayed
	}
	return Genuine
}

func (w *naive) add(n uint32) {
	w.seen[n] = true
	w.top = max(w.top, n)
}

// Both windows let the same numbers through, in whatever order these come.
func TestWindowAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, twin := window{}, naive{seen: map[uint32]bool{}}
		at := rapid.SampledFrom([]uint32{1, 60, windowWidth, math.MaxUint32 - 5000}).Draw(t, "start")
		for range rapid.IntRange(1, 300).Draw(t, "numbers") {
			step := rapid.OneOf(rapid.IntRange(-3, 3), rapid.IntRange(-windowWidth-70, windowWidth+200), rapid.SampledFrom([]int{-windowWidth, 1 - windowWidth, windowWords * 64})).Draw(t, "step")
			at = uint32(min(max(int64(at)+int64(step), 1), math.MaxUint32))
			got, want := w.look(at), twin.look(at)
			if got != want {
				t.Fatalf("%d with %d on top: %v, want %v", at, w.top, got, want)
			}
			if got == Genuine {
				w.add(at)
				twin.add(at)
			}
		}
	})
}
