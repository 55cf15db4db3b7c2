package progress_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
)

// Long messages to a rank whose receives are there in time follow their offers unasked. One that comes before its receive is
// thrown away and read later, and the next ones are asked for again.
func TestUnasked(t *testing.T) {
	const length, limit = 300 << 10, 1 << 20
	loops := newLoops(t, rails(rail.SRQ, func(c *rail.Config) { c.Unasked = limit })(t, 2), func(c *progress.Config) {
		c.Engine.Now = func() int64 { return 0 } // everything is fast
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
