package experiments

import (
	"context"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var pairLatencyExperiment = lab.Experiment{
	ID:      "F3.8",
	Lengthy: true,
	Explain: [2]string{
		"Up to eight ranks of one node each play ping-pong with a rank of another node, all at the same time and through one interface. The half round trip is divided by the number of pairs: if the interface served every pair as if it were alone, the line would fall to an eighth.",
		"It falls to about four pairs and hardly any further: by then the interface has as many messages in work as it can handle side by side. Each pair is a connection of its own, as in the figure over connections at user level, but here every message also has the processor time of a rank behind it.",
	},
	Run: pairLatency,
}

var pairBandwidthExperiment = lab.Experiment{
	ID: "F3.9",
	Explain: [2]string{
		"The same pairs exchange windows of messages in both directions, and the bandwidths of all pairs are added up. One pair cannot fill the network with 2 KB messages, because its processors copy each of them; several pairs can.",
		"On InfiniBand and iWARP the lines rise until link or bus are full. On Myrinet they hardly rise at all: whatever the number of pairs, messages of one size pass one after the other through one path of the interface.",
	},
	Run: pairBandwidth,
}

// pairCounts are the numbers of pairs that the document has.
func pairCounts(b *lab.Bench) []int {
	if b.Quick() {
		return []int{1, 4, 8}
	}
	return []int{1, 2, 4, 6, 8}
}

var pairAxis = lab.Axis{Label: "pairs of ranks"}

// overPairs measures each size with each number of pairs between two nodes, and adds one line per size.
func overPairs(ctx context.Context, b *lab.Bench, on lab.Setup, sizes []int, p *lab.Panel, of func(k *measure.Rank, size int) (float64, error)) error {
	for _, pairs := range pairCounts(b) {
		err := b.Run(ctx, lab.Job{On: on, Ranks: 2 * pairs, PerNode: pairs}, func(k *measure.Rank) error {
			if _, err := measure.PingPong(k, 8, measure.Loops{Warmup: 50, Timed: 1}); err != nil { // connections stand
				return err
			}
			add := func(size, value float64) { p.Line(sizeName(int(size))).Add(float64(pairs), value) }
			return measure.Sweep(k, sizes, add, func(size int) (float64, error) { return of(k, size) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pairLatency divides the half round trip of pairs that play side by side by their number.
func pairLatency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.8")
	sizes := []int{8, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10}
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		p := r.AddPanel("Latency per pair, "+on.Label, pairAxis, lab.Microseconds)
		err := overPairs(ctx, b, on, sizes, p, func(k *measure.Rank, size int) (float64, error) {
			return measure.PairLatency(k, size, pairLoops(b, on, size))
		})
		if err != nil {
			return nil, err
		}
		for i, line := range p.Series {
			gain := 100 * (1 - line.At(8)/line.At(4))
			bar := lab.Between(line.Name+" on "+on.Label+": what 8 pairs gain over 4", -15, 15, gain, "%").Since("the document says that it almost stops after four pairs, without a number")
			if sizes[i] <= 1<<10 {
				r.Hold(lab.Fitted, bar.By("rest_us", "rest_us_per_kb", "rest_bytes", "segment_bytes"))
			} else {
				r.Hold(lab.Prediction, bar)
			}
		}
	}
	return r, nil
}

// pairBandwidth adds up what pairs exchange in both directions.
func pairBandwidth(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.9")
	sizes := []int{2 << 10, 64 << 10, 256 << 10}
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		p := r.AddPanel("Bandwidth of pairs, "+on.Label, pairAxis, lab.Megabytes)
		err := overPairs(ctx, b, on, sizes, p, func(k *measure.Rank, size int) (float64, error) {
			return measure.BothWays(k, size, measure.Window, streamLoops(b, size))
		})
		if err != nil {
			return nil, err
		}
		holdPairRates(r, on.Label, p)
	}
	return r, nil
}

// holdPairRates: the document has Myrinet's bandwidth almost fixed, and the others' grow very fast.
func holdPairRates(r *lab.Result, label string, p *lab.Panel) {
	short := p.Line(sizeName(2 << 10))
	growth := lab.AtLeast(label+", 2 KB: 4 pairs over one", 1.8, short.At(4)/short.At(1), "times").Since("the document says that it increases very fast, without a number")
	switch label {
	case infiniBand:
		r.Hold(lab.Fitted, growth.By("doorbell_us", "copy_us_per_kb"))
	case iWARP:
		r.Hold(lab.Prediction, growth)
	case myrinet:
		for _, line := range p.Series {
			fixed := lab.Within("Myrinet, "+line.Name+": 8 pairs over one", 1, line.At(8)/line.At(1), 20, "times")
			if line == short {
				r.Hold(lab.Fitted, fixed.By("medium_mb_s"))
			} else {
				r.Hold(lab.Prediction, fixed)
			}
		}
	}
}

// pairLoops is many rounds, so that pairs that begin together come out of step, as they do in a long run.
func pairLoops(b *lab.Bench, on lab.Setup, size int) measure.Loops {
	if size > 4<<10 || !on.On.Virtual() {
		return measure.Loops{Warmup: 20, Timed: b.Often(200)}
	}
	return measure.Loops{Warmup: 100, Timed: b.Often(1200)}
}
