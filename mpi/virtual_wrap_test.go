package mpi_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/mpi"
)

// passer is a link that passes everything on.
type passer struct{ progress.Transport }

// TestVirtualWrappedLinks: a job whose links are wrapped goes the same ways as one whose links are not, to
// the nanosecond. Many small messages to peers that have to be connected with first, and few buffers, so
// that what waits is offered again.
func TestVirtualWrappedLinks(t *testing.T) {
	plain, wrapped := wrapJob(t, nil), wrapJob(t, func(_ int, l *progress.Link) { l.Transport = passer{l.Transport} })
	if plain != wrapped {
		t.Errorf("%+v, with wrapped links %+v", plain, wrapped)
	}
	if plain.frames == 0 || plain.switches == 0 {
		t.Errorf("nothing was sent over the network: %+v", plain)
	}
}

// wrapRun is what a run is told from another by.
type wrapRun struct {
	time             float64
	switches, frames uint64
}

func wrapJob(t *testing.T, link func(int, *progress.Link)) (r wrapRun) {
	t.Helper()
	profile, err := sim.LoadProfile("connectx-ddr")
	if err != nil {
		t.Fatal(err)
	}
	s := clock.NewScheduler(0)
	f, err := sim.New(s, sim.Cluster{Nodes: 6, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	crew, err := boot.NewSimCrew(boot.SimConfig{Scheduler: s, Fabric: f, Ranks: 12, Link: link, Env: []string{"WEFT_LAB_VBUF=2K", "WEFT_LAB_SEND_BYTES=64K"}})
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	err = boot.Run(crew, func(c *mpi.Comm) error {
		out, in := make([]byte, 3000*c.Size()), make([]byte, 3000*c.Size())
		for range 4 {
			if err := mpi.Alltoall(c, out, in); err != nil {
				return err
			}
		}
		r.time = max(r.time, c.Wtime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r.switches, _ = s.Stats()
	for _, rank := range crew.Ranks {
		_, l := rank.Counters()
		r.frames += l.Counters.EagerSR
	}
	return r
}
