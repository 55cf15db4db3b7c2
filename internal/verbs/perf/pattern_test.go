package perf

import (
	"slices"
	"testing"
)

func TestVerifyNoticesEveryChange(t *testing.T) {
	for _, size := range []int{0, 1, 7, 8, 9, 100, 4096} {
		b := make([]byte, size)
		fill(b, 5)
		if err := verify(b, 5); err != nil {
			t.Fatal(err)
		}
		for i := range b {
			b[i] ^= 0x10
			if verify(b, 5) == nil {
				t.Errorf("a change of byte %d of %d was not noticed", i, size)
			}
			b[i] ^= 0x10
		}
	}
}

func TestDataDependsOnSenderBatchAndPlace(t *testing.T) {
	data := func(seed uint64) []byte {
		b := make([]byte, 64)
		fill(b, seed)
		return b
	}
	first := data(leadSeed(1))
	for name, other := range map[string][]byte{"the peer's": data(followSeed(1)), "the next batch's": data(leadSeed(2)),
		"moved by 8": append(data(leadSeed(1))[8:], data(leadSeed(1))[:8]...), "nothing": make([]byte, 64)} {
		if slices.Equal(first, other) || verify(other, leadSeed(1)) == nil {
			t.Errorf("data that is %s passes", name)
		}
	}
	prefix := make([]byte, 20)
	fill(prefix, leadSeed(1))
	if !slices.Equal(prefix, first[:20]) {
		t.Error("short messages are not the beginning of long ones")
	}
}

func TestMarksAreNeverTakenForData(t *testing.T) {
	for size := range 2 * longestMark {
		m, a := markLen(size), answerLen(size)
		if m == size || a == size || m == a || max(m, a) > longestMark || min(m, a) < 1 {
			t.Errorf("size %d: marks of %d, answers of %d bytes", size, m, a)
		}
	}
}

func TestFlagsChangeEveryTurn(t *testing.T) {
	for turn := range 1000 {
		if flag(turn) == 0 || flag(turn) == flag(turn+1) {
			t.Errorf("turn %d has flag %d, the next %d", turn, flag(turn), flag(turn+1))
		}
	}
}
