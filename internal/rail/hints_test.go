package rail

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// The first packet to a peer says by which rail short ones leave, modulo those there are; later ones keep their order behind it.
func TestRailHint(t *testing.T) {
	for hint, want := range map[uint8]int{0: 0, 1: 0, 2: 1, 3: 0, 8: 1} {
		t.Run(fmt.Sprint(hint), func(t *testing.T) {
			r := newRig(t, 2, twoRails)
			for i := range 20 {
				pk := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 1, Tag: int32(i), Len: 3}, Data: []byte("abc"), Peer: 1, Rail: hint + uint8(i)%2*hint}
				r.until("room", func() bool { return r.links[0].Send(pk) })
			}
			r.until("all", func() bool { return len(r.boxes[1].got) >= 20 })
			for i, p := range r.boxes[1].got {
				if p.h.Tag != int32(i) {
					t.Fatalf("packet %d has tag %d", i, p.h.Tag)
				}
			}
			p := r.links[0].peers.at(1)
			if at := p.paths[p.express.path].local; at != want {
				t.Errorf("short messages leave by rail %d, not %d", at, want)
			}
		})
	}
}
