package progress_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/progress"
)

// Messages to oneself are received in the order of their sends, whether they are kept, wait for
// their receive or meet one, and whatever their lengths.
func TestMessagesToOneselfKeepTheirOrder(t *testing.T) {
	onEveryLink(t, 1, func(t *testing.T, ends []end) {
		l := newLoops(t, ends, nil)[0]
		lengths := []int{8, 100 << 10, 8, 40 << 10, 0, 16 << 10, 16<<10 + 1, 5 << 10, 1 << 20, 8}
		for early := range len(lengths) + 1 { // so many receives are posted before the sends
			var receives, sends []progress.Handle
			bufs := make([][]byte, len(lengths))
			post := func(i int) {
				bufs[i] = make([]byte, 1<<20+1)
				tag := 7
				if i%3 == 2 {
					tag = match.Any
				}
				receives = append(receives, l.Irecv(bufs[i], at(0, tag), why("irecv")))
			}
			for i := range early {
				post(i)
			}
			for i, n := range lengths {
				b := make([]byte, n)
				for k := range b {
					b[k] = byte(i + 1)
				}
				sends = append(sends, l.Isend(b, at(0, 7), engine.Standard, why("isend")))
			}
			for i := early; i < len(lengths); i++ {
				post(i)
			}
			if _, _, err := collect(l, progress.Want{Need: 2 * len(lengths)}, append(receives, sends...)...); err != nil {
				t.Fatal(err)
			}
			for i, n := range lengths {
				if n > 0 && (bufs[i][0] != byte(i+1) || bufs[i][n-1] != byte(i+1)) || bufs[i][n] != 0 {
					t.Errorf("%d receives before the sends: receive %d has %d and ends with %d", early, i, bufs[i][0], bufs[i][n])
				}
			}
		}
	})
}
