package progress_test

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
)

// still is a clock that never moves.
type still struct{ clock.Clock }

func (still) Now() int64 { return 0 }

// Long messages to a rank whose receives are there in time follow their offers unasked. One that comes
// before its receive is thrown away and read later, and the next ones are asked for again.
func TestUnasked(t *testing.T) {
	const length, limit = 300 << 10, 1 << 20
	loops := newLoops(t, rails(rail.SRQ, func(c *rail.Config) { c.Unasked = limit })(t, 2), func(c *progress.Config) {
		c.Clock = still{clock.Real} // everything is fast
	})
	check := func(what string, unasked, taken, read uint64) {
		t.Helper()
		sent, got := loops[0].Counters(), loops[1].Counters()
		if sent.Unasked != unasked || got.Taken != taken || got.Reads != read {
			t.Errorf("%s: %d were sent unasked, %d taken, %d read; want %d, %d and %d", what, sent.Unasked, got.Taken, got.Reads, unasked, taken, read)
		}
	}
	send := func(length, room int, late bool) {
		t.Helper()
		meetAlone(t, loops)
		prefixed(t, loops, length, room, late)
	}
	send(length, length, false)
	send(length, length, false)
	check("the first", 0, 0, 2)
	send(length, length, false)
	send(length, length+5, false)
	send(length, length-5, false)
	check("receives in time", 3, 3, 2)
	send(limit+1, limit+1, false)
	check("one that is too long", 3, 3, 3)
	send(length, length, true)
	check("one that comes before its receive", 4, 3, 4)
	send(length, length, false)
	check("the one behind it", 4, 3, 5)
}

// So do windows of messages, one behind the other, whichever way their lengths are cut into segments. Those
// that are longer follow nobody.
func TestUnaskedWindow(t *testing.T) {
	const window = 24
	loops := newLoops(t, rails(rail.SRQ, func(c *rail.Config) { c.Unasked = 1 << 20 })(t, 2), func(c *progress.Config) {
		c.Clock = still{clock.Real} // everything is fast
	})
	for range 2 {
		meetAlone(t, loops)
		prefixed(t, loops, 300<<10, 300<<10, false)
	}
	exchange := func(length, extra int) (unasked, taken, read uint64) {
		t.Helper()
		before, had := loops[0].Counters(), loops[1].Counters()
		var sends, recvs []progress.Handle
		var out, in [][]byte
		for i := range window {
			out, in = append(out, pattern(length+i*extra, i)), append(in, make([]byte, length+i*extra))
			recvs = append(recvs, loops[1].Irecv(in[i], at(0, 5), why("irecv")))
		}
		for i := range window {
			sends = append(sends, loops[0].Isend(out[i], at(1, 5), engine.Standard, why("isend")))
		}
		for i, hs := range [][]progress.Handle{recvs, sends} {
			if _, errs, err := collect(loops[1-i], progress.Want{Need: window}, hs...); err != nil || len(errs) != window {
				t.Fatalf("%d ended, want %d: %v, %v", len(errs), window, errs, err)
			}
		}
		for i := range window {
			if !bytes.Equal(in[i], out[i]) {
				t.Fatalf("message %d of %d bytes came broken", i, len(out[i]))
			}
		}
		after, has := loops[0].Counters(), loops[1].Counters()
		return after.Unasked - before.Unasked, has.Taken - had.Taken, has.Reads - had.Reads
	}
	for _, length := range []int{70 << 10, 128 << 10, 256 << 10, 300 << 10} {
		if unasked, taken, read := exchange(length, 321); unasked != window || taken != window || read != 0 {
			t.Errorf("messages of %d bytes: %d were sent unasked, %d taken, %d read; want all to be unasked", length, unasked, taken, read)
		}
	}
	if unasked, _, read := exchange(500<<10, 0); unasked > 1 || unasked+read != window {
		t.Errorf("long messages: %d were sent unasked, %d read", unasked, read)
	}
}
