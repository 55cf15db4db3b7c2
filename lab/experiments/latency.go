package experiments

import (
	"context"
	"slices"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
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
	total, overhead := r.AddPanel("MPI latency", lab.Bytes, lab.Microseconds), r.AddPanel("MPI overhead", lab.Bytes, lab.Axis{Label: "time", Unit: "us"})
	var means []lab.Scalar
	for _, on := range b.Setups("IW1", "IB1", "MX1", "GE1") {
		if err := pingPongs(ctx, b, lab.Job{On: on, Ranks: 2}, total.Line(on.Label)); err != nil {
			return nil, err
		}
		if on.Label == ethernet || !on.On.Virtual() {
			continue // there is no user level below it
		}
		bare := &lab.Series{Name: on.Label}
		if err := userLevel(ctx, b, on, false, bare); err != nil {
			return nil, err
		}
		over := total.Line(on.Label).Minus(bare).Between(1, 1<<10)
		over.Name = on.Label
		overhead.Series = append(overhead.Series, over)
		means = append(means, lab.Scalar{Name: on.Label, Value: over.Mean(), Unit: "us"})
	}
	for _, c := range []struct {
		on    string
		paper float64
	}{{iWARP, 7}, {infiniBand, 1.5}, {myrinet, 3}, {ethernet, 13}} {
		total.ClaimAt("", 1, c.paper)
		at := lab.Within("latency on "+c.on+" at 1 B", c.paper, total.Line(c.on).At(1), 5, "us")
		switch c.on {
		case ethernet:
			r.Hold(lab.Fitted, at.By("stream_us", "interrupt_us"))
		case myrinet:
			r.Hold(lab.Fitted, at.By("cqe_us", "post_recv_us"))
		default:
			r.Hold(lab.Input, at)
		}
	}
	r.Hold(lab.Fitted, lab.PeakAt("the overhead on InfiniBand peaks at the edge of programmed I/O", overhead.Line(infiniBand).Between(1, 512), 64, 127).By("dma_us", "pio_bytes"))
	r.Hold(lab.Fitted, lab.PeakAt("the overhead on iWARP peaks at the edge of programmed I/O", overhead.Line(iWARP).Between(1, 512), 32, 63).By("pio_bytes"))
	r.Hold(lab.Input, lab.Lowest("the lowest mean overhead up to 1 KB", myrinet, means)) // what is left of MPI's latency without that of the user level
	return r, nil
}

// latencySizes are the powers of two from 1 B to 1 MB, and some more where interfaces begin to fetch messages by
// themselves: 64 B on iWARP, 128 B on InfiniBand.
func latencySizes(b *lab.Bench) []int {
	sizes := append(b.Sizes(1, 1<<20), 32, 48, 63, 64, 96, 127, 128)
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// pingPongs fills a line with latencies from 1 B to 1 MB.
func pingPongs(ctx context.Context, b *lab.Bench, job lab.Job, line *lab.Series) error {
	return b.Run(ctx, job, func(k *measure.Rank) error {
		return measure.Sweep(k, latencySizes(b), line.Add, func(size int) (float64, error) {
			return measure.PingPong(k, size, b.Loops(job.On, size))
		})
	})
}

// rendezvousTimeline shows one short and one long message on InfiniBand, when connections and registrations are there.
func rendezvousTimeline(ctx context.Context, b *lab.Bench) (*lab.Timeline, error) {
	var rec lab.Recorder
	on := b.Setups("IB1")[0]
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Watch: &rec}, func(k *measure.Rank) error {
		short, long := make([]byte, 64), make([]byte, 32<<10)
		for round := range 21 {
			if err := mpi.Barrier(k.World); err != nil {
				return err
			}
			if round == 20 {
				rec.Start(int64(k.Now()))
			}
			for _, buf := range [][]byte{short, long} {
				if err := sendOrReceive(k, buf); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return rec.Timeline("64 B eager, then 32 KB by rendezvous, on "+on.Label, "rank 0", "rank 1"), err
}

// sendOrReceive moves a message from rank 0 to rank 1.
func sendOrReceive(k *measure.Rank, buf []byte) error {
	if k.Lead() {
		defer k.Span("Send")()
		return mpi.Send(k.World, buf, 1, 0)
	}
	defer k.Span("Recv")()
	_, err := mpi.Recv(k.World, buf, 0, 0)
	return err
}
