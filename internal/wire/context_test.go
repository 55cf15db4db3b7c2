package wire

import "testing"

// TestContextKinds: the contexts of a communicator are as many as there are kinds, all different, all related,
// and none is related to those of the next one.
func TestContextKinds(t *testing.T) {
	const own, next = 0xabcd_1230, 0xabcd_1230 + contextKinds
	seen := map[uint32]bool{}
	for kind := Messages; kind <= Service; kind++ {
		ctx := ContextOf(own, kind)
		if seen[ctx] {
			t.Errorf("kind %d shares its context", kind)
		}
		seen[ctx] = true
		if ContextKind(ctx) != kind || ContextOf(ctx, Messages) != own {
			t.Errorf("kind %d became %d of %#x", kind, ContextKind(ctx), ContextOf(ctx, Messages))
		}
		if !Related(ctx, own) || Related(ctx, ContextOf(next, kind)) {
			t.Errorf("kind %d belongs to another communicator", kind)
		}
	}
	if len(seen) != contextKinds || contextKinds != 1<<KindBits {
		t.Errorf("%d kinds in %d bits", len(seen), KindBits)
	}
}
