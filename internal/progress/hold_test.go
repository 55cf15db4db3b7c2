package progress_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
)

// Short messages that a link holds back leave though who drives sleeps, and though nobody calls again:
// quick ones, and those that take a request.
func TestHeldBackIsLetGo(t *testing.T) {
	const burst = 5
	make := rails(rail.SRQ, func(c *rail.Config) { c.Hold = 1 << 40 }) // everything but the first follows another one
	for _, size := range []int{10, 8 << 10} {
		for _, asleep := range []bool{true, false} {
			loops := newLoops(t, make(t, 2), func(c *progress.Config) { c.Mode = progress.Auto })
			got := async(func() {
				for range burst + 1 {
					if _, err := recv(loops[1], pattern(size, 0), 0, 1); err != nil {
						t.Error(err)
					}
				}
			})
			if err := send(loops[0], pattern(size, 1), 1, 1); err != nil { // the connection stands
				t.Fatal(err)
			}
			var slept <-chan struct{}
			if asleep {
				slept = async(func() {
					if _, err := recv(loops[0], nil, 1, 2); err != nil {
						t.Error(err)
					}
				})
				waiting(t, loops[0], 1)
			}
			for i := range burst {
				if err := send(loops[0], pattern(size, i), 1, 1); err != nil {
					t.Fatal(err)
				}
			}
			within(t, "the burst", got)
			if asleep {
				if err := send(loops[1], nil, 0, 2); err != nil {
					t.Fatal(err)
				}
				within(t, "who slept", slept)
			}
		}
	}
}
