package experiments

import (
	"context"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var datagramLatencyExperiment = lab.Experiment{
	ID: "F6.4",
	Explain: [2]string{
		"The same ping-pong over connections (TCP) and over datagrams (UDP) with reliability on top. Datagrams save the stream's framing and its copies, and one queue pair serves all peers.",
		"Both are settings of the same library: channel=srq is one connection per peer, channel=ud is datagrams, with an acknowledgement for every 50 messages.",
	},
	Run: datagramLatency,
}

var datagramBandwidthExperiment = lab.Experiment{
	ID: "F6.5",
	Explain: [2]string{
		"Two pairs of ranks stream in opposite directions between two nodes, over connections and over datagrams. At 2 KB a stream pays for framing and for one system call per message, where datagrams leave in batches.",
		"On a host the two ranks of a pair share processors with the kernel's own work for them, which makes the lines closer than on a fabric.",
	},
	Run: datagramBandwidth,
}

// channels are the two settings that the datagram figures compare.
var channels = []struct {
	name     string
	settings []string
}{
	{"connections (RC)", []string{"links=rail", "channel=srq"}},
	{"datagrams (UD)", []string{"links=rail", "channel=ud"}},
}

func datagramLatency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F6.4")
	p := r.AddPanel("MPI latency, datagrams and connections", lab.Bytes, lab.Microseconds)
	for _, on := range b.Setups("C1") {
		for _, c := range channels {
			err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: c.settings}, func(k *measure.Rank) error {
				return measure.Sweep(k, b.Sizes(1, 64<<10), p.Line(c.name).Add, func(size int) (float64, error) {
					return measure.PingPong(k, size, b.Loops(on, size))
				})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	rc, ud := p.Line(channels[0].name), p.Line(channels[1].name)
	r.Hold(lab.AtMost("up to 1 KB, mean of UD over RC", 0.90, ud.Over(rc).Between(1, 1<<10).Mean(), "times"))
	return r, nil
}

func datagramBandwidth(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F6.5")
	p := r.AddPanel("Two opposite pairs, datagrams and connections", lab.Bytes, lab.Megabytes)
	least := 1.25
	for _, on := range b.Setups("C1") {
		if !on.On.Virtual() {
			least = 1.1
		}
		for _, c := range channels {
			err := b.Run(ctx, lab.Job{On: on, Ranks: 4, PerNode: 2, Settings: c.settings}, func(k *measure.Rank) error {
				return measure.Sweep(k, b.Sizes(256, 64<<10), p.Line(c.name).Add, func(size int) (float64, error) {
					return measure.OppositePairs(k, size, measure.Window, measure.Loops{Warmup: 2, Timed: 5})
				})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	rc, ud := p.Line(channels[0].name), p.Line(channels[1].name)
	r.Hold(lab.RatioAt("2 KB: UD over RC", ud, rc, 2<<10, least))
	return r, nil
}
