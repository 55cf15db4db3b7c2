package mpi

import (
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// TestRanksAgreeHowFarApartTheyCome: rules that ask for the spread get the same answer on all ranks, and it
// is large where one rank is late.
func TestRanksAgreeHowFarApartTheyCome(t *testing.T) {
	t.Setenv("WEFT_COLL", "allreduce:spread4-=ring,allreduce=doubling")
	spread := make([]int, 3)
	err := Run(3, func(world *Comm) error {
		for range 40 {
			if world.Rank() == 1 {
				time.Sleep(time.Millisecond)
			}
			sum := make([]int, 5)
			if err := Allreduce(world, []int{1, 2, 3, 4, 5}, sum, Sum); err != nil {
				return err
			}
			if sum[4] != 15 {
				t.Errorf("%v", sum)
			}
		}
		spread[world.Rank()] = world.c.Spread(&comm.Call{Op: coll.Allreduce, Bytes: 40})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if spread[0] < 4 || spread[1] != spread[0] || spread[2] != spread[0] {
		t.Errorf("spreads of %v", spread)
	}
}
