package rail_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/mpi"
)

// portsJob runs allgathers by one algorithm on ranks that are a node with two rails each, and returns the
// bytes that each rank sent by each rail in those after the first ones, per allgather; amid, if any, is
// called by rank 0 between two of them.
func portsJob(t *testing.T, way string, ranks, block int, amid func(*sim.Fabric)) [][]uint64 {
	t.Helper()
	s := clock.NewScheduler(1)
	s.Limit(3600e9)
	profile, err := sim.LoadProfile("connectx-ddr")
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := sim.New(s, sim.Cluster{Nodes: ranks, Profile: profile, Rails: 2})
	if err != nil {
		t.Fatal(err)
	}
	crew, err := boot.NewSimCrew(boot.SimConfig{Scheduler: s, Fabric: fabric, Ranks: ranks, Env: []string{"WEFT_COLL=allgather=" + way, "WEFT_RAILS=2"}})
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	const first, rest = 20, 10 // connections of the second rail are being made meanwhile
	sent := make([][]uint64, ranks)
	err = boot.Run(crew, func(c *mpi.Comm) error {
		all := make([]byte, ranks*block)
		for i := range first + rest {
			if i == first {
				sent[c.Rank()] = railBytes(crew.Ranks[c.Rank()])
			}
			if i == first+rest/2 && amid != nil && c.Rank() == 0 {
				amid(fabric)
			}
			if err := mpi.Allgather(c, bytes.Repeat([]byte{byte(c.Rank() + i)}, block), all); err != nil {
				return err
			}
			for r := range ranks {
				if all[r*block] != byte(r+i) || all[(r+1)*block-1] != byte(r+i) {
					return fmt.Errorf("allgather %d: block %d is wrong", i, r)
				}
			}
		}
		for rail, n := range railBytes(crew.Ranks[c.Rank()]) {
			sent[c.Rank()][rail] = (n - sent[c.Rank()][rail]) / rest
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

// railBytes is what a rank has sent of short messages by each rail.
func railBytes(r *boot.Rank) (n []uint64) {
	_, l := r.Counters()
	for _, rail := range l.Rails {
		n = append(n, rail.Short)
	}
	return n
}

// What algorithms with two ports send by each rail is what their plans say.
func TestPlansChooseRails(t *testing.T) {
	for _, way := range []string{"direct@2", "bruck@2", "exchange@2"} {
		for _, ranks := range []int{3, 4, 6} {
			const block = 4000
			got := portsJob(t, way, ranks, block, nil)
			a, ok := coll.Find("allgather/" + way)
			if !ok {
				t.Fatalf("no algorithm %s", way)
			}
			both := 0
			for rank := range ranks {
				p := a.Plan(coll.Case{Op: coll.Allgather, Rank: rank, Ranks: ranks, Bytes: block, Rails: 2, Stripe: 64 << 10})
				by := p.Tally().RailBytes
				want := []uint64{uint64(by[1]), uint64(by[2])}
				if by[0] != 0 || !slices.Equal(got[rank], want) {
					t.Errorf("%s, %d ranks: rank %d sent %d bytes by its rails, its plan says %d, and %d by any", way, ranks, rank, got[rank], want, by[0])
				}
				if want[0] > 0 && want[1] > 0 {
					both++
				}
			}
			if both == 0 {
				t.Errorf("%s, %d ranks: nobody uses both rails: the test shows nothing", way, ranks)
			}
		}
	}
}

// A rail that goes down amid a program with two ports is done without.
func TestPlansLoseARail(t *testing.T) {
	for rail := range 2 {
		portsJob(t, "direct@2", 4, 4000, func(f *sim.Fabric) {
			if err := f.RailDown(0, rail); err != nil {
				t.Error(err)
			}
		})
	}
}
