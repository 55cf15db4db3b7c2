package rail

import "testing"

// TestLearnKeys: what a peer tells of keys is checked, and only so much of it is kept.
func TestLearnKeys(t *testing.T) {
	l := new(Link)
	p := &peer{link: l}
	p.keyed, p.paths = true, []path{{0, 0}, {0, 1}, {0, 2}}
	tell := func(words ...uint32) {
		var body []byte
		for _, w := range words {
			body = le.AppendUint32(body, w)
		}
		p.learnKeys(body)
	}
	tell(7, 8)
	x := &transfer{peer: p, keys: p.bulk.keys[7]}
	x.key.Slot = 7
	for at, want := range map[int]uint32{0: 7, 1: 8, 2: 0} {
		if key, has := x.keyBy(at); key != want || has != (want != 0) {
			t.Errorf("path %d: key %d, %v, want %d", at, key, has, want)
		}
	}
	if tell(7, 9); p.bulk.keys[7][0] != 9 || x.keys[0] != 8 {
		t.Error("memory that is known by another key now, and a transfer that has begun")
	}
	p.keyed = false
	if key, has := x.keyBy(2); key != 7 || !has {
		t.Errorf("a peer whose keys do not differ: %d, %v", key, has)
	}
	tell(1)
	tell(1, 2, 3, 4, 5, 6, 7, 8, 9)
	p.learnKeys(nil)
	p.learnKeys(make([]byte, 9))
	if l.Counters.BadFrames != 4 || len(p.bulk.keys) != 1 {
		t.Errorf("%d bad frames, %d keys", l.Counters.BadFrames, len(p.bulk.keys))
	}
	for i := range uint32(3 * railKeysMost) {
		tell(i, i)
	}
	if n := len(p.bulk.keys); n > railKeysMost {
		t.Errorf("%d pieces of memory are remembered", n)
	}
}
