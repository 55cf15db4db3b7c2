package rail

import "testing"

// emptied takes every buffer of a pool.
func emptied(p *pool) (taken []*buffer) {
	for b := p.get(); b != nil; b = p.get() {
		taken = append(taken, b)
	}
	return taken
}

// TestStarved: peers that found no buffer are named as buffers come back, in order and no more than there
// are; a peer that needs a large one is not named for a smaller one.
func TestStarved(t *testing.T) {
	r := newRig(t, 4, nil)
	l := r.links[0]
	large := l.sending[2]
	taken := emptied(large)
	for rank := 1; rank < 4; rank++ {
		l.peer(rank).starve(large.size)
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

// TestSizesOfBuffers: a frame gets the smallest buffer that it fits, and a larger one when there is none; a
// peer that waits for one is named for any that is large enough.
func TestSizesOfBuffers(t *testing.T) {
	l := newRig(t, 2, nil).links[0]
	for i, size := range []int{shortFrame, middleFrame, l.cfg.Vbuf} {
		for _, n := range []int{size - 1, size} {
			if b := l.sendBuffer(n); b.pool != l.sending[i] || len(b.mem) < n {
				t.Errorf("a frame of %d bytes gets a buffer of %d", n, len(b.mem))
			}
		}
	}
	for _, p := range l.sending {
		emptied(p)
	}
	for need, size := range []int{shortFrame, middleFrame, l.cfg.Vbuf} {
		for freed, p := range l.sending {
			l.peer(1).starve(size)
			p.put(p.all[0])
			if named, fits := len(l.Reached()) == 1, freed >= need; named != fits {
				t.Errorf("a peer that needs %d bytes is named for a buffer of %d: %t", size, p.size, named)
			}
			if b := l.sendBuffer(1); b != p.all[0] {
				t.Fatalf("with one buffer of %d bytes left a short frame gets %v", p.size, b)
			}
			l.sending[2].put(l.sending[2].all[0]) // whoever still waits has not to any more
			l.Reached()
			l.sending[2].get()
		}
	}
}
