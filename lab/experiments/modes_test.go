package experiments

import (
	"context"
	"testing"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// Who serves messages while their receiver computes decides which of them wait for it. An interrupt has its price.
func TestWhoServesReceives(t *testing.T) {
	const short, long = 1 << 10, 256 << 10
	for _, c := range []struct {
		progress  string
		size      int
		flat      bool
		low, high float64 // what a delay adds where nothing waits for the receiver, in microseconds
	}{
		{"poll", short, false, 0, 0}, {"poll", long, false, 0, 0},
		{"rendezvous", short, false, 0, 0}, {"rendezvous", long, true, -3, 3},
		{"wake", short, true, -3, 3}, {"wake", long, true, -3, 3},
		{"interrupt", short, true, 5, 15}, {"interrupt", long, true, 5, 25}, // once for the RTS, once for the end of the read
	} {
		b, err := lab.NewBench(lab.Options{Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		const delay = 2 * time.Millisecond
		var found measure.Progress
		err = b.Run(context.Background(), lab.Job{On: b.Setups("MX2")[0], Ranks: 2, Settings: []string{"progress=" + c.progress}}, func(k *measure.Rank) error {
			p, err := measure.Delay(k, c.size, delay, measure.Case{Computes: measure.Receiver, Loops: measure.Loops{Warmup: 3, Timed: 1}})
			if k.Lead() {
				found = p
			}
			return err
		})
		added := found.Delayed - found.Alone
		switch {
		case err != nil:
			t.Errorf("%s, %d bytes: %v", c.progress, c.size, err)
		case c.flat && (added < c.low || added > c.high):
			t.Errorf("%s, %d bytes: a delay adds %.1f us, want %g to %g", c.progress, c.size, added, c.low, c.high)
		case !c.flat && added < 0.8*float64(delay/time.Microsecond):
			t.Errorf("%s, %d bytes: a delay of %v adds %.1f us only", c.progress, c.size, delay, added)
		}
		t.Logf("%s, %d bytes: %.1f us alone, %.1f us with a delay of %v", c.progress, c.size, found.Alone, found.Delayed, delay)
	}
}
