package progress_test

import (
	"context"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
)

// eventually looks until a thing is so, for at most a second.
func eventually(is func() bool) bool {
	for range 1000 {
		if is() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// Short messages wait for the receiver's next call in mode Rendezvous, also behind a long one that has been
// served; in mode Interrupt none does. Sends are synchronous, so that their sender knows.
func TestRendezvousLeavesShortMessages(t *testing.T) {
	for _, mode := range []progress.Mode{progress.Rendezvous, progress.Interrupt} {
		onEveryLink(t, 2, func(t *testing.T, ends []end) {
			loops := newLoops(t, ends, func(c *progress.Config) { c.Mode = mode })
			const long = 1 << 20
			short, big := make([]byte, 64), make([]byte, long)
			hs := []progress.Handle{loops[1].Irecv(big, at(0, 1), why("irecv")), loops[1].Irecv(short, at(0, 2), why("irecv"))}
			post := func(n, tag int) <-chan struct{} {
				return async(func() {
					if err := loops[0].Send(context.Background(), pattern(n, tag), at(1, tag), engine.Sync, why("ssend")); err != nil {
						t.Error(err)
					}
				})
			}
			within(t, "the long message", post(long, 1))
			if !eventually(func() bool { return loops[1].Pending() == 1 }) {
				t.Error("the long message has not ended where it was received")
			}
			if c := loops[1].Counters(); c.Reads > 0 && c.Started.Background == 0 {
				t.Errorf("%+v: nobody began to read in the background", c.Started)
			}
			sent := post(len(short), 2)
			if mode == progress.Interrupt {
				within(t, "the short message", sent)
			} else {
				select {
				case <-sent:
					t.Error("a short message was served")
				case <-time.After(30 * time.Millisecond):
				}
			}
			if _, errs, err := collect(loops[1], progress.Want{Need: 2}, hs...); err != nil || errs[0] != nil || errs[1] != nil {
				t.Error(errs, err)
			}
			within(t, "the short message", sent)
		})
	}
}

// What comes while nothing is in flight is taken in mode Interrupt alone, and Waits tells that it woke somebody.
func TestInterruptServesUnasked(t *testing.T) {
	for _, mode := range []progress.Mode{progress.Wake, progress.Rendezvous, progress.Interrupt} {
		loops := newLoops(t, inprocEnds(t, 2), func(c *progress.Config) { c.Mode = mode })
		if _, _, err := loops[1].Iprobe(at(0, 1)); err != nil { // the background begins with the first call
			t.Fatal(err)
		}
		r := loops[1].Irecv(nil, at(0, 9), why("irecv"))
		if err := send(loops[0], nil, 1, 9); err != nil {
			t.Fatal(err)
		}
		if _, errs, err := collect(loops[1], progress.Want{Need: 1}, r); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		say := func() {
			if err := send(loops[0], pattern(64, 1), 1, 1); err != nil {
				t.Fatal(err)
			}
		}
		say()
		here := func() bool { return loops[1].Counters().Unexpected > 0 }
		if mode != progress.Interrupt {
			time.Sleep(20 * time.Millisecond)
			if here() {
				t.Errorf("mode %d: a message was taken though nothing is in flight", mode)
			}
			continue
		}
		if !eventually(here) {
			t.Error("nobody took a message though nothing is in flight")
		}
		before := loops[1].Learned().Woken
		if !eventually(func() bool { say(); return loops[1].Learned().Woken > before }) { // the first may have come before it slept
			t.Error("nobody was woken")
		}
	}
}
