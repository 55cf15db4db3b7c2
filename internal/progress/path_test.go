package progress_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
)

// BenchmarkPath is what the software of one small message costs, send and receive together, without the way
// from one processor's cache to another's: both ends of a shared segment are worked by one goroutine.
func BenchmarkPath(b *testing.B) {
	f, err := shm.Create(shm.GeometryFor(2, 0))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var loops [2]*progress.Loop
	for i := range loops {
		seg, err := shm.Open(f)
		if err != nil {
			b.Fatal(err)
		}
		defer seg.Close()
		link := shm.NewLink(shm.Config{Segment: seg, Self: i})
		loops[i] = progress.New(progress.Config{Self: i, Links: []progress.Link{link}, Bell: link.Bell(), Policy: clock.PolicyFor(2, 2)})
		defer loops[i].Close()
	}
	msg := make([]byte, 8)
	b.ReportAllocs()
	for b.Loop() {
		if err := loops[0].Send(nil, msg, progress.Peer{Peer: 1, Tag: 3}, engine.Standard, progress.Why{Op: "send"}); err != nil {
			b.Fatal(err)
		}
		if _, err := loops[1].Recv(nil, msg, progress.Peer{Peer: 0, Tag: 3}, progress.Why{Op: "recv"}); err != nil {
			b.Fatal(err)
		}
	}
}
