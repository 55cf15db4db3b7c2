package sim

import (
	"errors"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

// virtual has the suite's cases run in virtual time, each in a scheduler of its own.
type virtual struct {
	s       *clock.Scheduler
	profile string
	sameBox bool // both ends on one node
	asks    int  // see Cluster.Asks
	spoil   func(*Fabric)
}

// world makes the world of the next case.
func (v *virtual) world(tb testing.TB) *verbstest.World {
	s := clock.NewScheduler(0)
	v.s = s
	return &verbstest.World{
		Run: func(body func()) {
			s.Go("case", body)
			var stuck *clock.Deadlock
			if err := s.Run(); errors.As(err, &stuck) {
				tb.Fatal(stuck)
			} else if err != nil {
				tb.Fatal(err)
			}
		},
		Go:    func(f func()) { s.Go("beside", f) },
		Now:   func() time.Duration { return time.Duration(s.Now()) },
		Sleep: func(d time.Duration) { s.Sleep(int64(d)) },
		Pass:  func() { s.Sleep(100) },
	}
}

// open opens devices in the world of the case.
func (v *virtual) open(tb testing.TB, n int) []verbs.Device {
	p, err := LoadProfile(v.profile)
	if err != nil {
		tb.Fatal(err)
	}
	f, err := New(v.s, Cluster{Nodes: n, Profile: p, Seed: 1, Asks: v.asks})
	if err != nil {
		tb.Fatal(err)
	}
	if v.spoil != nil {
		v.spoil(f)
	}
	var devs []verbs.Device
	for i := range n {
		if v.sameBox {
			i = 0
		}
		d, err := f.Open(i)
		if err != nil {
			tb.Fatal(err)
		}
		devs = append(devs, d)
	}
	return devs
}

// TestConformance holds the fabric to the seam's promises, on platforms that differ most.
func TestConformance(t *testing.T) {
	for _, profile := range []string{"connectx-ddr", "10ge"} {
		t.Run(profile, func(t *testing.T) {
			v := &virtual{profile: profile}
			brief := profile != "connectx-ddr"
			verbstest.Run(t, v.open, verbstest.Options{World: v.world, Brief: brief})
		})
	}
}

// TestConformanceOnOneNode does so for two processes of one node.
func TestConformanceOnOneNode(t *testing.T) {
	v := &virtual{profile: "qsnet2", sameBox: true}
	verbstest.Run(t, v.open, verbstest.Options{World: v.world, Brief: true})
}

// TestConformanceLossy does so for datagrams that get lost, doubled and overtaken.
func TestConformanceLossy(t *testing.T) {
	v := &virtual{profile: "10ge", spoil: func(f *Fabric) {
		if err := f.Datagrams(Chance{Loss: 0.05, Duplicate: 0.05, Reorder: 0.1, Delay: 500}); err != nil {
			t.Fatal(err)
		}
	}}
	verbstest.Run(t, v.open, verbstest.Options{World: v.world, Brief: true, Lossy: true})
}

// TestConformanceAsks does so for interfaces that lend messages, and tell of the beginning of long ones.
func TestConformanceAsks(t *testing.T) {
	v := &virtual{profile: "10ge", asks: 65_000}
	verbstest.Run(t, v.open, verbstest.Options{World: v.world, Brief: true})
}
