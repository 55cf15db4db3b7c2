package experiments

import (
	"context"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var bandwidthExperiment = lab.Experiment{
	ID: "F3.5",
	Explain: [2]string{
		"How many megabytes per second two ranks move: by ping-pong, where only one message is on its way at a time, and both ways with a window of messages each. Long messages approach what link or bus allow: 10 Gb/s Ethernet for iWARP and Myrinet, the PCI Express bus for InfiniBand.",
		"Both ways, plain Ethernet with its copies in the host reaches about half of the link. The knee in each line is where messages stop being copied and travel by remote reads or writes instead.",
	},
	Run: bandwidth,
}

// bandwidth sweeps ping-pongs and windows both ways from 1 KB to 1 MB.
func bandwidth(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.5")
	one, both := r.AddPanel("Ping-pong", lab.Bytes, lab.Megabytes), r.AddPanel("Both ways", lab.Bytes, lab.Megabytes)
	sizes := b.Sizes(1<<10, 1<<20)
	for _, on := range b.Setups("IW1", "IB1", "MX1", "GE1") {
		err := b.Run(ctx, lab.Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
			return measure.Sweep(k, sizes, one.Line(on.Label).Add, func(size int) (float64, error) {
				half, err := measure.PingPong(k, size, b.Loops(on, size))
				return float64(size) / half, err
			})
		})
		if err == nil {
			err = bothWays(ctx, b, lab.Job{On: on, Ranks: 2}, sizes, both.Line(on.Label))
		}
		if err != nil {
			return nil, err
		}
	}
	const large = 1 << 20
	for _, c := range []struct {
		on              string
		oneWay, bothWay float64
	}{{iWARP, 1100, 2300}, {infiniBand, 1600, 3200}, {myrinet, 1200, 2300}} {
		one.ClaimAt("", large, c.oneWay)
		both.ClaimAt("", large, c.bothWay)
		r.Hold(lab.Input,
			lab.Within("ping-pong on "+c.on, c.oneWay, one.Line(c.on).At(large), 5, "MB/s"),
			lab.Within("both ways on "+c.on, c.bothWay, both.Line(c.on).At(large), 5, "MB/s"),
		)
	}
	both.ClaimAt("", 64<<10, 1400)
	r.Hold(lab.Fitted, lab.Within("both ways on 10GE at 64 KB", 1400, both.Line(ethernet).At(64<<10), 5, "MB/s").By("stream_us_per_kb"))
	return r, nil
}

// bothWays sweeps windows both ways, each size in a job of its own: two ranks that stream fall into step,
// and into which one depends on what they did before.
func bothWays(ctx context.Context, b *lab.Bench, job lab.Job, sizes []int, line *lab.Series) error {
	for _, size := range sizes {
		err := b.Run(ctx, job, func(k *measure.Rank) error {
			return measure.Sweep(k, []int{size}, line.Add, func(size int) (float64, error) {
				return measure.BothWays(k, size, measure.Window, streamLoops(b, size))
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// streamLoops is how many windows of messages of a size to count: so many that what they find no longer
// depends on it. A window of short messages is over before the pipe is full.
func streamLoops(b *lab.Bench, size int) measure.Loops {
	switch {
	case size <= 4<<10:
		return measure.Loops{Warmup: 8, Timed: b.Often(40)}
	case size <= 32<<10:
		return measure.Loops{Warmup: 2, Timed: b.Often(10)}
	}
	return measure.Loops{Warmup: 1, Timed: b.Often(4)}
}
