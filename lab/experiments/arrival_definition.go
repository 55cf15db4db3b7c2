package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/lab"
)

var arrivalDefinitionExperiment = lab.Experiment{
	ID: "002.F6.1",
	Explain: [2]string{
		"Processes reach a collective operation at different times, a_i, and leave it at e_i. How unevenly they come is told by two numbers: the mean distance from the mean arrival, and the time between the first and the last arrival. Divided by the time of one message they are the average and the worst imbalance factor.",
		"The arrivals of the table are made up; the sums are those of the profiler that records programs. A mean distance can never exceed the range: the document's table 6.1 gives MG class B an average of 9,101 and a worst of 2,917, where a digit must be missing.",
	},
	Run: arrivalDefinition,
}

func arrivalDefinition(_ context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F6.1")
	call := arrival.Call{Routine: "alltoall", Bytes: 1 << 10, Arrive: []int64{0, 4000, 6000, 10000}, Leave: []int64{13000, 13000, 14000, 15000}}
	t := r.AddTable("Four processes, one call", "process", "arrives", "leaves", "inside")
	for i := range call.Arrive {
		t.Add(fmt.Sprint(i), fmt.Sprintf("%d us", call.Arrive[i]/1000), fmt.Sprintf("%d us", call.Leave[i]/1000), fmt.Sprintf("%d us", (call.Leave[i]-call.Arrive[i])/1000))
	}
	profile := arrival.Profile{Ranks: 4, Costs: []arrival.Cost{{Bytes: 1 << 10, Nanos: 2000}}, Calls: []arrival.Call{call}}
	row := profile.Rows(false)[0]
	uneven := call.Imbalance()
	r.Hold(lab.Structural,
		lab.Exactly("mean arrival 5 us: mean distance from it, (5+1+1+5)/4", 3, uneven.Average/1000, "us"),
		lab.Exactly("first to last arrival", 10, uneven.Worst/1000, "us"),
		lab.Exactly("average factor, for a message of 2 us", 1.5, row.Average, ""),
		lab.Exactly("worst factor", 5, row.Worst, ""),
		lab.Exactly("mean time inside", 8.75, row.Inside/1000, "us"),
		lab.Holds("the worst factor is never below the average one", "of 1000 patterns", fmt.Sprintf("%d patterns broke it", brokenPatterns(1000)), brokenPatterns(1000) == 0))
	return r, nil
}

// brokenPatterns counts patterns of arrivals, drawn from a fixed row of numbers, whose average exceeds their worst.
func brokenPatterns(n int) (broken int) {
	state := uint64(1)
	for range n {
		var c arrival.Call
		for range 16 {
			state = state*6364136223846793005 + 1442695040888963407
			c.Arrive = append(c.Arrive, int64(state>>40))
		}
		if u := c.Imbalance(); u.Average > u.Worst {
			broken++
		}
	}
	return broken
}
