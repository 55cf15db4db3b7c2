package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// networkExperiments are those of chapter 3 of the first document that compare networks under MPI.
func networkExperiments() []lab.Experiment {
	return []lab.Experiment{
		switchingExperiment, chipsExperiment, pairLatencyExperiment, pairBandwidthExperiment,
		regcacheExperiment, reuseExperiment, overlapExperiment, progressExperiment,
	}
}

var switchingExperiment = lab.Experiment{
	ID: "T3.1",
	Explain: [2]string{
		"Short messages travel eagerly, with their data in the first packet; long ones by rendezvous, with a request first. The table states from which size on each library used the rendezvous.",
		"The size is not taken from the settings but found by sending: two ranks exchange messages, and what leaves the sender is watched. Halving the range finds the shortest message that begins with a request.",
	},
	Run: switching,
}

// switching finds the shortest message that each network sends by rendezvous.
func switching(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("T3.1")
	t := r.AddTable("Where eager turns into rendezvous", "network", "the document", "shortest message by rendezvous")
	papers := map[string]int{iWARP: 32 << 10, infiniBand: 9 << 10, myrinet: 32 << 10}
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		low, high := 1, 1<<20 // eager, by rendezvous
		for high-low > 1 {
			middle := (low + high) / 2
			asked, err := requested(ctx, b, on, middle)
			if err != nil {
				return nil, err
			}
			if asked {
				high = middle
			} else {
				low = middle
			}
		}
		paper, stated := papers[on.Label]
		if !stated {
			t.Add(on.Label, "", fmt.Sprintf("%d bytes", high))
			r.Note("shortest message by rendezvous, "+on.Label, float64(high), "bytes")
			continue
		}
		t.Add(on.Label, sizeName(paper), fmt.Sprintf("%d bytes", high))
		r.Hold(lab.Input, lab.Exactly("the protocol changes on "+on.Label, float64(paper), float64(high), "bytes"))
	}
	return r, nil
}

// requested tells whether a message of that size begins with a request.
func requested(ctx context.Context, b *lab.Bench, on lab.Setup, size int) (bool, error) {
	var rec lab.Recorder
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Watch: &rec}, func(k *measure.Rank) error {
		return sendOrReceive(k, make([]byte, size))
	})
	for _, a := range rec.Timeline("", "", "").Arrows {
		if a.What == "RTS" {
			return true, err
		}
	}
	return false, err
}
