package shm

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestArena allocates and frees at random: blocks never overlap, come zeroed, keep what is written to them,
// and all memory is one piece again when everything has been freed.
func TestArena(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLinks(t, smallGeometry(2), Config{})[1]
		type block struct {
			b    []byte
			mark byte
		}
		var blocks []block
		for i := range rapid.IntRange(1, 100).Draw(t, "events") {
			if len(blocks) > 0 && rapid.Bool().Draw(t, "free") {
				k := rapid.IntRange(0, len(blocks)-1).Draw(t, "which")
				for j, v := range blocks[k].b {
					if v != blocks[k].mark {
						t.Fatalf("byte %d of a block of %d changed", j, len(blocks[k].b))
					}
				}
				if err := l.Free(blocks[k].b); err != nil {
					t.Fatal(err)
				}
				blocks = append(blocks[:k], blocks[k+1:]...)
				continue
			}
			n := rapid.IntRange(1, arenaAlign/4).Draw(t, "bytes")
			b, err := l.Alloc(n)
			if err != nil {
				continue
			}
			if len(b) != n || cap(b) != n || uintptr(unsafe.Pointer(&b[0]))%allocAlign != 0 {
				t.Fatalf("asked for %d, got %d (cap %d) at %p", n, len(b), cap(b), &b[0])
			}
			for j := range b {
				if b[j] != 0 {
					t.Fatalf("byte %d is not zero", j)
				}
				b[j] = byte(i) | 1
			}
			blocks = append(blocks, block{b, byte(i) | 1})
		}
		for _, k := range blocks {
			if err := l.Free(k.b); err != nil {
				t.Fatal(err)
			}
		}
		if len(l.alloc.free) != 1 || l.alloc.free[0] != (extent{0, arenaAlign}) || len(l.alloc.used) != 0 {
			t.Fatalf("after freeing everything: %v free, %v used", l.alloc.free, l.alloc.used)
		}
	})
}

// TestArenaRefuses what it cannot give or did not give.
func TestArenaRefuses(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	if _, err := links[0].Alloc(arenaAlign + 1); err == nil {
		t.Error("more than the arena")
	}
	b, err := links[0].Alloc(100)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{"the heap's": make([]byte, 100), "a part": b[64:], "nothing": nil} {
		if links[0].Free(bad) == nil {
			t.Errorf("took back %s", name)
		}
	}
	if links[1].Free(b) == nil {
		t.Error("took back another rank's memory")
	}
	if err := links[0].Free(b); err != nil {
		t.Error(err)
	}
	if links[0].Free(b) == nil {
		t.Error("took back the same memory twice")
	}
}
