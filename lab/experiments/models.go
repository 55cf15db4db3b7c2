package experiments

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var modelsExperiment = lab.Experiment{
	ID: "F4.15",
	Explain: [2]string{
		"Programs that exchange data with neighbours in every iteration come in two kinds. Model 1 posts its receives first, packs, sends, produces the next data while messages travel, waits and consumes. Model 2 sends first, consumes what came in the iteration before, posts its receives only then, produces and waits.",
		"The difference matters to protocols: in model 1 receives are early, in model 2 sends are. Both programs run here on two ranks, and what they were seen to do is compared with the document's listing step by step.",
	},
	Run: models,
}

// listings are the steps of the two programs in the document.
var listings = map[int][]string{
	1: {"receive", "pack and send", "produce", "wait", "consume"},
	2: {"pack and send", "consume", "receive", "produce", "wait"},
}

// models runs both programs and compares the steps of an iteration in the middle with the listing.
func models(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.15")
	t := r.AddTable("Steps of one iteration", "model", "the document", "ours")
	for _, on := range b.Setups(string(lab.Host)) {
		for _, number := range []int{1, 2} {
			steps, err := stepsOf(ctx, b, on, number)
			if err != nil {
				return nil, err
			}
			want := listings[number]
			text := strings.Join(steps, ", ")
			t.Add(string(rune('0'+number)), strings.Join(want, ", "), text)
			r.Hold(lab.Structural, lab.Holds("model "+string(rune('0'+number))+" does the listed steps in their order", strings.Join(want, ", "), text, slices.Equal(steps, want)))
		}
	}
	return r, nil
}

// stepsOf returns what rank 0 did in the second of three iterations.
func stepsOf(ctx context.Context, b *lab.Bench, on lab.Setup, number int) ([]string, error) {
	var mu sync.Mutex
	var all []string
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		if k.Lead() {
			k.Seen = func(what string, _, _ int64) {
				mu.Lock()
				defer mu.Unlock()
				if slices.Contains(listings[1], what) {
					all = append(all, what)
				}
			}
		}
		_, err := measure.Exchange(k, measure.Model{Number: number, Neighbours: 1}, 1024, 2*time.Microsecond, measure.Loops{Timed: 3})
		return err
	})
	n := len(listings[number])
	if number == 2 {
		n-- // the first iteration has nothing to consume
	}
	if err != nil || len(all) < 2*n+1 {
		return all, err
	}
	return all[n : n+len(listings[number])], nil
}
