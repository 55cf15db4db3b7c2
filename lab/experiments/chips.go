package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var chipsExperiment = lab.Experiment{
	ID: "F3.4",
	Explain: [2]string{
		"Two ranks of one node do not use the network: they write into memory that both see. How soon one core sees what another has written depends on whether they share a processor chip and its cache.",
		"Within a chip the latency is up to 30% lower. The copies of a message cost the same on both sides, so the difference shows best for short messages.",
	},
	Run: chips,
}

// chips plays ping-pong between two cores of one chip and between cores of two.
func chips(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.4")
	gain, best := 0.0, ""
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		p := r.AddPanel("Latency within a node, "+on.Label, lab.Bytes, lab.Microseconds)
		cores := []struct {
			name  string
			apart int
		}{{"within a chip", 1}, {"between chips", 4}} // a chip has four cores
		if !on.On.Virtual() {
			cores = cores[:0]
			if err := pingPongs(ctx, b, lab.Job{On: on, Ranks: 2}, p.Line("wherever ranks run")); err != nil {
				return nil, err
			}
		}
		for _, c := range cores {
			err := b.Run(ctx, lab.Job{On: on, Ranks: 2, PerNode: 2, Apart: c.apart}, func(k *measure.Rank) error {
				return measure.Sweep(k, b.Sizes(1, 1<<10), p.Line(c.name).Add, func(size int) (float64, error) {
					return measure.PingPong(k, size, b.Loops(on, size))
				})
			})
			if err != nil {
				return nil, err
			}
		}
		if len(cores) == 0 {
			r.Notes = append(r.Notes, "ranks of this host are not bound to cores: there is nothing to compare")
			continue
		}
		for _, at := range p.Line(cores[0].name).Over(p.Line(cores[1].name)).Points {
			r.Note(fmt.Sprintf("gain of a shared chip, %s, %s", on.Label, sizeName(int(at.X))), 100*(1-at.Y), "%")
			if most := 100 * (1 - at.Y); most > gain {
				gain, best = most, on.Label+", "+sizeName(int(at.X))
			}
		}
	}
	if best != "" {
		r.Notes = append(r.Notes, "the most is gained at "+best)
		r.Hold(lab.Fitted, lab.Within("what a shared chip gains at most, any network and size", 30, gain, 35, "%").By("shared_chip"))
	}
	return r, nil
}
