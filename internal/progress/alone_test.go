package progress_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
)

// A message that is alone on its way to its peer travels with its envelope though it is longer than short
// ones, if that is switched on; one behind it does not, nor does one whose sender wants to know that it was
// received.
func TestAlone(t *testing.T) {
	const alone, length = 128 << 10, 100 << 10
	for _, limit := range []int{0, alone} {
		// Nobody answers while several are posted: the receiver makes progress in its calls only.
		answerLate := func(c *progress.Config) {
			if c.Self == 1 {
				c.Mode = progress.Poll
			}
		}
		loops := newLoops(t, rails(rail.SRQ, func(c *rail.Config) { c.EagerAlone = limit })(t, 2), answerLate)
		meetAlone(t, loops)
		check := func(what string, eager, long uint64) {
			t.Helper()
			if limit == 0 {
				eager, long = 0, eager+long
			}
			if c := loops[0].Counters(); c.EagerAlone != eager || c.RendezvousSends != long {
				t.Errorf("limit %d, %s: %d long messages went alone and %d were offered, want %d and %d", limit, what, c.EagerAlone, c.RendezvousSends, eager, long)
			}
		}
		prefixed(t, loops, length, length, false)
		check("one message", 1, 0)
		meetAlone(t, loops)
		prefixed(t, loops, length, length, true)
		check("one that comes before its receive", 2, 0)
		meetAlone(t, loops)
		prefixed(t, loops, alone+1, alone+1, false)
		check("a longer one", 2, 1)
		meetAlone(t, loops)
		many(t, loops, length, engine.Standard, engine.Standard, engine.Standard)
		check("three at once", 3, 3)
		meetAlone(t, loops)
		many(t, loops, length, engine.Sync)
		check("one with proof", 3, 4)
	}
}

// meetAlone has both loops know that the other has all that was sent.
func meetAlone(t *testing.T, loops []*progress.Loop) {
	t.Helper()
	for from := range loops {
		r := loops[1-from].Irecv(nil, at(from, 3), why("irecv"))
		s := loops[from].Isend(nil, at(1-from, 3), engine.Standard, why("isend"))
		for i, h := range []progress.Handle{r, s} {
			if _, _, err := collect(loops[1-from^i], progress.Want{Need: 1}, h); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// many sends messages of loop 0 in the given modes, all at once, to receives of loop 1.
func many(t *testing.T, loops []*progress.Loop, length int, modes ...engine.Mode) {
	t.Helper()
	var sends, recvs []progress.Handle
	for range modes {
		recvs = append(recvs, loops[1].Irecv(make([]byte, length), at(0, 5), why("irecv")))
	}
	for _, m := range modes {
		sends = append(sends, loops[0].Isend(make([]byte, length), at(1, 5), m, why("isend")))
	}
	for i, hs := range [][]progress.Handle{recvs, sends} {
		if _, errs, err := collect(loops[1-i], progress.Want{Need: len(hs)}, hs...); err != nil || len(errs) != len(hs) {
			t.Fatalf("%d ended, want %d: %v, %v", len(errs), len(hs), errs, err)
		}
	}
}
