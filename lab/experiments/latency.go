package experiments

import (
	"context"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var latencyExperiment = lab.Experiment{
	ID: "F3.3",
	Explain: [2]string{
		"Half the time of a message there and back, against its size, on three networks and plain Ethernet. For short messages the network's own latency decides, and Ethernet's software path costs eight times InfiniBand's; for long ones the bandwidth does. Where eager turns into rendezvous, a step shows the handshake.",
		"The second diagram takes away the latency of a bare remote write. What is left is MPI: matching, headers and copies. Messages that still fit into the work request save the interface a fetch from memory; the header counts, so just below that limit a message that would fit at user level no longer does, and the overhead peaks.",
	},
	Run:      latency,
	Timeline: rendezvousTimeline,
}

// latency sweeps ping-pongs over the networks, and takes the user level's away.
func latency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.3")
	total := r.AddPanel("MPI latency", lab.Bytes, lab.Microseconds)
	for _, on := range b.Setups("IW1", "IB1", "MX1", "GE1") {
		if err := pingPongs(ctx, b, on, total.Line(on.Label)); err != nil {
			return nil, err
		}
	}
	for _, c := range []struct {
		on    string
		paper float64
	}{{iWARP, 7}, {infiniBand, 1.5}, {myrinet, 3}, {ethernet, 13}} {
		total.ClaimAt("", 1, c.paper)
		r.Hold(lab.Within("latency on "+c.on+" at 1 B", c.paper, total.Line(c.on).At(1), 5, "us"))
	}
	return r, nil
}

// pingPongs fills a line with latencies from 1 B to 1 MB.
func pingPongs(ctx context.Context, b *lab.Bench, on lab.Setup, line *lab.Series) error {
	return b.Run(ctx, lab.Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		return measure.Sweep(k, b.Sizes(1, 1<<20), line.Add, func(size int) (float64, error) {
			return measure.PingPong(k, size, b.Loops(on, size))
		})
	})
}

// rendezvousTimeline shows one short and one long message on InfiniBand.
func rendezvousTimeline(ctx context.Context, b *lab.Bench) (*lab.Timeline, error) {
	var rec lab.Recorder
	on := b.Setups("IB1")[0]
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Watch: &rec}, func(k *measure.Rank) error {
		for _, size := range []int{64, 32 << 10} {
			if _, err := measure.PingPong(k, size, measure.Loops{Warmup: 20, Timed: 0}); err != nil {
				return err
			}
		}
		rec.Start(int64(k.Now()))
		for _, size := range []int{64, 32 << 10} {
			if _, err := measure.PingPong(k, size, measure.Loops{Timed: 1}); err != nil {
				return err
			}
		}
		return nil
	})
	return rec.Timeline("64 B and 32 KB there and back on "+on.Label, "rank 0", "rank 1"), err
}
