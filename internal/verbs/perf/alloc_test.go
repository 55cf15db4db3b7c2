//go:build !race

package perf

import (
	"runtime"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// The loops must not disturb what they measure. The race detector does: with it, waiting for another
// goroutine allocates.
func TestLoopsAllocateNothing(t *testing.T) {
	local := Local{Open: openSoft}
	server := startServer(t, &Server{Local: local})
	s := dial(t, server, local)
	way, err := s.Open(Way{Kind: RC}.complete(64))
	if err != nil {
		t.Fatal(err)
	}
	allocated := func(exchanges int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		runBatch(t, s, way, Batch{Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 64, Iterations: exchanges})
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	allocated(10) // what is made once
	var few, many uint64
	for range 5 { // other goroutines allocate too, but not every time
		if few, many = allocated(10), allocated(210); many < few+150 {
			return
		}
	}
	t.Errorf("%d allocations in a batch of 10 exchanges, %d in one of 210", few, many)
}
