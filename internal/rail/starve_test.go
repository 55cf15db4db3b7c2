package rail

import "testing"

// TestStarved: peers that found no buffer are named as buffers come back, in order and no more than there are; a peer that
// needs a large one is not named for a small one.
func TestStarved(t *testing.T) {
	r := newRig(t, 4, nil)
	l := r.links[0]
	var taken []*buffer
	for b := l.large.get(); b != nil; b = l.large.get() {
		taken = append(taken, b)
	}
	for rank := 1; rank < 4; rank++ {
		l.peer(rank).starve(l.large.size)
		if !l.Reaching(rank) {
			t.Errorf("rank %d is not waited for", rank)
		}
	}
	if got := l.Reached(); len(got) != 0 {
		t.Errorf("%v named without a large buffer", got)
	}
	for i, b := range taken[:2] {
		b.pool.put(b)
		if i == 0 {
			if got := l.Reached(); len(got) != 1 || got[0] != 1 || l.Reaching(1) {
				t.Errorf("one buffer names %v", got)
			}
		}
	}
	if got := l.Reached(); len(got) != 2 || got[0] != 2 || got[1] != 3 {
		t.Errorf("two buffers name %v", got)
	}
	for _, b := range taken[2:] {
		b.pool.put(b)
	}
}
