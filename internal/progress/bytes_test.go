package progress_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/progress"
)

// Every byte that is sent and arrives is counted once, however its message travels: short or long, to a receive that
// waits, to none yet, or to ourselves.
func TestBytesAreCounted(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, nil)
		messages, bytes := uint64(0), uint64(0)
		for i, n := range []int{0, 1, 100, 4 << 10, 5 << 10, 70 << 10, 1 << 20} {
			for _, receive := range []bool{true, false} {
				b := make([]byte, n)
				var early progress.Handle
				if receive {
					early = loops[1].Irecv(b, at(0, i), why("irecv"))
				}
				done := async(func() {
					if err := send(loops[0], pattern(n, i), 1, i); err != nil {
						t.Error(err)
					}
				})
				if !receive { // the message may be there already
					early = loops[1].Irecv(b, at(0, i), why("irecv"))
				}
				if _, errs, err := collect(loops[1], progress.Want{Need: 1}, early); err != nil || errs[0] != nil {
					t.Fatal(errs, err)
				}
				within(t, "the send", done)
				messages, bytes = messages+1, bytes+uint64(n)
			}
		}
		sent, got := loops[0].Counters(), loops[1].Counters()
		if n := sent.EagerSends + sent.SyncSends + sent.RendezvousSends + sent.AnnouncedSends; n != messages || sent.SentBytes != bytes {
			t.Errorf("%d messages of %d bytes are counted as %d of %d when sent", messages, bytes, n, sent.SentBytes)
		}
		if n := got.Expected + got.Unexpected; n != messages || got.ArrivedBytes != bytes {
			t.Errorf("%d messages of %d bytes are counted as %d of %d when they arrive", messages, bytes, n, got.ArrivedBytes)
		}
	})
}
