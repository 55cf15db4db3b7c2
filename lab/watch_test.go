package lab

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// TestLand: packets are matched with deliveries in their order, by direction and size, and a transfer with
// its last piece.
func TestLand(t *testing.T) {
	arrows := []Arrow{
		{From: 0, To: 1, Sent: 30, Received: 90, What: "write", Bytes: 1 << 20},
		{From: 0, To: 1, Sent: 10, Received: 100, What: "RTS"},
		{From: 0, To: 1, Sent: 20, Received: 100, What: "FIN"},
		{From: 1, To: 0, Sent: 10, Received: 15, What: "CTS"},
	}
	land(arrows, []sim.Delivery{{From: 0, To: 1, Bytes: 64, At: 5}, {From: 0, To: 1, Bytes: 64, At: 17}, {From: 0, To: 1, Bytes: 64, At: 27},
		{From: 0, To: 1, Bytes: 1 << 19, At: 40}, {From: 0, To: 1, Bytes: 1 << 19, At: 80}, {From: 1, To: 0, Bytes: 64, At: 16}})
	want := map[string]int64{"write": 80, "RTS": 17, "FIN": 27, "CTS": 0} // CTS was seen before anything came
	for _, a := range arrows {
		if a.Landed != want[a.What] {
			t.Errorf("%s landed at %d, want %d", a.What, a.Landed, want[a.What])
		}
	}
}
