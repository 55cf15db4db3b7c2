package lab

import (
	"testing"

	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// TestCensus: a short message is one packet, a long one four: offer, answer, data and end. Those within a node are not
// the network's.
func TestCensus(t *testing.T) {
	b, err := NewBench(Options{Version: "x"})
	if err != nil {
		t.Fatal(err)
	}
	const short, long, times = 100, 1 << 20, 3
	for perNode, want := range map[int][3]uint64{1: {times, times, 3 * times}, 2: {0, 0, 0}} {
		c := Census{}
		err := b.Run(t.Context(), Job{On: b.Setups("IB5")[0], Ranks: 2, PerNode: perNode, Census: c}, func(k *measure.Rank) error {
			for range times {
				for _, bytes := range []int{short, long} {
					buf := make([]byte, bytes)
					if k.Lead() {
						if err := mpi.Send(k.World, buf, 1, 0); err != nil {
							return err
						}
					} else if _, err := mpi.Recv(k.World, buf, 0, 0); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]uint64{c[short], c[long], c[0]}; got != want || c.Messages() != want[0]+want[1]+want[2] {
			t.Errorf("%d ranks on a node: %v, want short, long and control packets %v", perNode, c, want)
		}
	}
}
