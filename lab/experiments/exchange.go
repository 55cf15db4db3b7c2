package experiments

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var exchangeExperiment = lab.Experiment{
	ID: "F4.16",
	Explain: [2]string{
		"What programs gain from the speculative rendezvous that exchange 128 KB with a neighbour in every iteration, against the ratio of communication to computation. Model 1 posts its receives first: packing takes long enough for the RTR to arrive, so the send writes at once and the bytes travel while the program produces. Model 2 sends first: its receive, posted after the consuming, finds the RTS when it looks. As it was, both programs began to move data only in their waits.",
		"With little communication there is little to hide, with much there is too little computation to hide it behind, so the gain has its maximum in between. Model 1 overlaps with producing only; its gain comes to an end later than that of model 2, which has consumed already when data moves. Adaptation changes nothing where RTRs are of use.",
	},
	Run: exchangeGain,
}

var crossingExperiment = lab.Experiment{
	ID: "F4.19a",
	Explain: [2]string{
		"What the speculative rendezvous costs where it is of no use. Both ranks receive and send at the same moment, so every RTR crosses an RTS and is dropped. The lines show by how much a message takes longer than with the rendezvous as it was, with adaptation and without.",
		"Short messages only pay for the mark that they leave. Long ones pay for an RTR that leaves, arrives and is thrown away; adaptation stops sending them. The lines stay near zero, because an RTR is small and the message is not.",
	},
	Run: crossingCost,
}

// variant is the speculative rendezvous with or without adaptation.
type variant struct {
	name     string
	settings []string
}

// speculators returns the speculative rendezvous, adaptive and not.
func speculators() []variant {
	adaptive := specProtocols[1].settings
	return []variant{{"adaptive", adaptive}, {"not adaptive", append(adaptive[:len(adaptive):len(adaptive)], "lab_spec_threshold=0")}}
}

// exchangeBytes is the size of a message of the exchange.
const exchangeBytes = 128 << 10

// exchangeGain sweeps the ratio of communication to computation for both models.
func exchangeGain(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.16")
	p := r.AddPanel("Improvement over the current rendezvous, 128 KB", lab.Axis{Label: "communication / computation", Unit: "%"}, lab.Axis{Label: "improvement", Unit: "%"})
	ratios := []int{10, 20, 30, 40, 50, 54, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 80, 90, 100, 120, 150, 200, 300, 400}
	if b.Quick() {
		ratios = []int{10, 30, 50, 64, 66, 68, 70, 72, 80, 100, 200, 400}
	}
	on := b.Setups("IW2")[0]
	for number := 1; number <= 2; number++ {
		alone, err := exchangeTimes(ctx, b, on, number, nil, []time.Duration{0})
		if err != nil {
			return nil, err
		}
		r.Note(fmt.Sprintf("communication of model %d, current rendezvous", number), alone[0], "us")
		var works []time.Duration
		for _, ratio := range ratios {
			works = append(works, time.Duration(alone[0]*1e3*100/float64(ratio)))
		}
		before, err := exchangeTimes(ctx, b, on, number, nil, works)
		if err != nil {
			return nil, err
		}
		for _, v := range speculators() {
			after, err := exchangeTimes(ctx, b, on, number, v.settings, works)
			if err != nil {
				return nil, err
			}
			for i, ratio := range ratios {
				p.Line(fmt.Sprintf("model %d, %s", number, v.name)).Add(float64(ratio), 100*(1-after[i]/before[i]))
			}
		}
	}
	p.ClaimAt("", 80, 32)
	p.ClaimAt("", 50, 20)
	holdExchange(r, p)
	return r, nil
}

// holdExchange holds the gains against the bars.
func holdExchange(r *lab.Result, p *lab.Panel) {
	var peaks [2]float64
	for i, least := range []float64{20, 12} {
		line := p.Line(fmt.Sprintf("model %d, not adaptive", i+1))
		at, most := line.Max()
		peaks[i] = at
		first, last := line.Points[0], line.Points[len(line.Points)-1]
		r.Hold(lab.Prediction,
			lab.Holds(fmt.Sprintf("model %d: the maximum is inside the range", i+1), "little at both ends", fmt.Sprintf("%.1f%% at %g, %.1f%% at %g, %.1f%% at %g", first.Y, first.X, most, at, last.Y, last.X), first.X < at && at < last.X),
			lab.AtLeast(fmt.Sprintf("model %d: the most that is gained", i+1), least, most, "%"),
		)
	}
	r.Hold(lab.Prediction, lab.Holds("model 1 has its maximum at a higher ratio than model 2", "80% and 50%", fmt.Sprintf("%g%% and %g%%", peaks[0], peaks[1]), peaks[0] > peaks[1]))
	worst := 0.0
	for _, d := range p.Line("model 1, adaptive").Minus(p.Line("model 1, not adaptive")).Points {
		worst = max(worst, math.Abs(d.Y))
	}
	r.Hold(lab.Prediction, lab.AtMost("model 1: adaptive and not adaptive differ by", 1, worst, "points"))
}

// exchangeTimes returns the microseconds of an iteration for each amount of work, each in a job of its own: what
// adaptation has learned is not carried over.
func exchangeTimes(ctx context.Context, b *lab.Bench, on lab.Setup, number int, settings []string, works []time.Duration) ([]float64, error) {
	var all []float64
	for _, work := range works {
		err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: settings}, func(k *measure.Rank) error {
			if err := acquaint(k); err != nil {
				return err
			}
			each, err := measure.Exchange(k, measure.Model{Number: number, Neighbours: 1}, exchangeBytes, work, measure.Loops{Warmup: 10, Timed: 40})
			if k.Lead() {
				all = append(all, each)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// crossingCost sweeps crossing messages. A quick look is at the fabric only.
func crossingCost(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.19a")
	p := r.AddPanel("Latency overhead of the speculative rendezvous", lab.Bytes, lab.Axis{Label: "overhead", Unit: "%"})
	on := b.Setups("IW2")[0]
	before, err := crossingTimes(ctx, b, on, nil, b.Sizes(1, 1<<20))
	if err != nil {
		return nil, err
	}
	for _, v := range speculators() {
		after, err := crossingTimes(ctx, b, on, v.settings, b.Sizes(1, 1<<20))
		if err != nil {
			return nil, err
		}
		for _, q := range after.Over(before).Points {
			p.Line(v.name).Add(q.X, 100*(q.Y-1))
		}
		_, eager := p.Line(v.name).Between(1, exchangeBytes-1).Max()
		_, long := p.Line(v.name).Between(exchangeBytes, 1<<20).Max()
		r.Hold(lab.Prediction,
			lab.AtMost("eager, "+v.name+": most over all sizes", 1, eager, "%"),
			lab.AtMost("rendezvous, "+v.name+": most over all sizes", 3, long, "%"),
		)
	}
	if !b.Quick() && on.On.Virtual() {
		return r, crossingOnHost(ctx, b, r, p)
	}
	return r, nil
}

// crossingTimes returns the microseconds of crossing messages.
func crossingTimes(ctx context.Context, b *lab.Bench, on lab.Setup, settings []string, sizes []int) (*lab.Series, error) {
	line := &lab.Series{}
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: settings}, func(k *measure.Rank) error {
		if err := acquaint(k); err != nil {
			return err
		}
		return measure.Sweep(k, sizes, line.Add, func(size int) (float64, error) {
			l := measure.Loops{Warmup: 10, Timed: 40}
			if !on.On.Virtual() {
				l.Timed = 100
			}
			return measure.Crossing(k, size, l)
		})
	})
	return line, err
}

// crossingOnHost does the same on this host, over its network stack. Runs of both protocols take turns and the fastest
// of each counts, because others use the host too.
func crossingOnHost(ctx context.Context, b *lab.Bench, r *lab.Result, p *lab.Panel) error {
	host := b.Setups(string(lab.Host))[0]
	host.Settings = []string{"links=rail", "net_eager_max=64K"}
	sizes, line := []int{1 << 10, 16 << 10, 256 << 10, 1 << 20}, p.Line("not adaptive, this host")
	before, after := map[float64]float64{}, map[float64]float64{}
	for range 10 {
		for _, try := range []struct {
			settings []string
			best     map[float64]float64
		}{{[]string{"rndv=rget", "lab_spec_initial=off"}, before}, {append(speculators()[1].settings, "lab_spec_chain=on"), after}} {
			times, err := crossingTimes(ctx, b, host, try.settings, sizes)
			if err != nil {
				return err
			}
			for _, q := range times.Points {
				if old, ok := try.best[q.X]; !ok || q.Y < old {
					try.best[q.X] = q.Y
				}
			}
		}
	}
	for _, size := range sizes {
		line.Add(float64(size), 100*(after[float64(size)]/before[float64(size)]-1))
	}
	_, most := line.Max()
	r.Hold(lab.Prediction, lab.AtMost("on this host, not adaptive: most over all sizes", 5, most, "%").
		Because("not explained: it needs a host that nobody else uses; docs/reference/figures.md"))
	return nil
}
