package rail

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// Every length around that of a frame arrives: where one byte more makes two frames of one, and where a packet's own
// header is shorter than the longest there is.
func TestLengthsAroundAFrame(t *testing.T) {
	eachChannel(t, func(t *testing.T, c Channel) {
		r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel = c })
		frames := []int{r.links[0].cfg.Vbuf}
		if n := r.links[0].wholeMax; n < frames[0] {
			frames = append(frames, n)
		}
		var lens []int
		for _, most := range frames {
			for n := most - headerSize - wire.MaxSize - 2; n <= most+2; n++ {
				lens = append(lens, n)
			}
		}
		for i, n := range lens {
			r.send(0, 1, 7, pattern(n, i))
		}
		r.until("arrival", func() bool {
			got := r.boxes[1].got
			return len(got) == len(lens) && !got[len(got)-1].open
		})
		for i, m := range r.boxes[1].got {
			if m.open || m.h.Tag != 7 || !bytes.Equal(m.data, pattern(lens[i], i)) {
				t.Fatalf("message %d of %d bytes: tag %d, %d bytes, open %v", i, lens[i], m.h.Tag, len(m.data), m.open)
			}
		}
		if n := r.links[1].Counters.BadFrames; n != 0 {
			t.Errorf("%d bad frames", n)
		}
	})
}
