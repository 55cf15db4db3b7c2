package progress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
)

// Long messages bring their first bytes along, whether a receive waits for them or not, and come whole or
// as far as there is room.
func TestPrefix(t *testing.T) {
	lengths := []int{64<<10 + 1, 80 << 10, 300_000}
	for _, channel := range []rail.Channel{rail.SRQ, rail.SR, rail.ArdmaSRQ} {
		for _, prefix := range []int{0, 1, 3000, 16 << 10, 1 << 20} { // less than a device shows first, a frame, all that may
			t.Run(fmt.Sprint(channel, prefix), func(t *testing.T) {
				loops := newLoops(t, rails(channel, func(c *rail.Config) { c.Prefix = prefix })(t, 2), nil)
				n := 0
				for _, length := range lengths {
					for _, room := range []int{length, length + 9, length - 9, 2000} {
						prefixed(t, loops, length, room, false)
						prefixed(t, loops, length, room, true)
						n += 2
					}
				}
				c := loops[0].Counters()
				if want := uint64(n * min(prefix, 64<<10)); c.PrefixBytes != want || c.RendezvousSends != uint64(n) {
					t.Errorf("%d bytes came with %d offers, want %d", c.PrefixBytes, c.RendezvousSends, want)
				}
			})
		}
	}
}

// prefixed sends a long message from loop 0 to a receive of loop 1, which is there first or comes when the
// offer has arrived.
func prefixed(t *testing.T, loops []*progress.Loop, length, room int, late bool) {
	t.Helper()
	src, dst := pattern(length, room), make([]byte, room)
	var s, r progress.Handle
	post := func() { r = loops[1].Irecv(dst, at(0, 7), why("irecv")) }
	if !late {
		post()
	}
	s = loops[0].Isend(src, at(1, 7), engine.Standard, why("isend"))
	if late {
		st, err := loops[1].Probe(context.Background(), at(0, 7), why("probe"))
		if err != nil || st.Len != length {
			t.Fatalf("probe: %+v, %v", st, err)
		}
		post()
	}
	_, errs, err := collect(loops[1], progress.Want{Need: 1}, r)
	if err != nil || len(errs) != 1 || errors.Is(errs[0], engine.ErrTruncate) != (length > room) || errs[0] != nil && length <= room {
		t.Fatalf("receive of %d bytes with room for %d, late %v: %v, %v", length, room, late, errs, err)
	}
	if n := min(length, room); !bytes.Equal(dst[:n], src[:n]) {
		t.Fatalf("%d bytes with room for %d, late %v, came broken", length, room, late)
	}
	if _, errs, err := collect(loops[0], progress.Want{Need: 1}, s); err != nil || len(errs) != 1 || errs[0] != nil {
		t.Fatalf("send: %v, %v", errs, err)
	}
}
