package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var railWritesExperiment = lab.Experiment{
	ID: "002.F3.1",
	Explain: [2]string{
		"Remote writes without MPI between two nodes with two interfaces each: streams one way, messages there and back, and streams both ways, over one rail and cut evenly over both. Each interface sits in a bus slot of its own, so two move twice as much.",
		"Only messages above 1 KB are cut, so short ones take as long over two rails as over one. The bandwidth of one rail both ways, and the latency, are inputs of the model; that two rails double it is not.",
	},
	Run: railWrites,
}

var railTagsExperiment = lab.Experiment{
	ID: "002.F3.2",
	Explain: [2]string{
		"Messages that are matched by tags, with the matching done off the processors of the program (Tports): the sender announces a long message, and whoever matches it fetches it over all rails at a time.",
		"One rail carries as much as remote writes do. Two carry less than two rails of writes, for the handshake before each message is not cut: it takes as long as ever, while the data takes half the time.",
	},
	Run: railTags,
}

var railMPIExperiment = lab.Experiment{
	ID: "002.F3.3",
	Explain: [2]string{
		"The same with MPI on top of tagged messages, as windows of non-blocking sends and receives. One way and alternating, two rails nearly double the bandwidth.",
		"Both ways the document has less than twice: the processors of the hosts and the handshakes of both directions share the buses with the data of both directions.",
	},
	Run: railMPI,
}

// railsUsed is how many rails a line uses.
var railsUsed = []int{1, 2}

func railLine(t measure.Traffic, rails int) string {
	if rails == 1 {
		return string(t) + ", one rail"
	}
	return fmt.Sprintf("%s, %d rails", t, rails)
}

func railSizes(b *lab.Bench) []int {
	if b.Quick() {
		return []int{4, 2 << 10, 64 << 10, 1 << 20}
	}
	return b.Sizes(4, 1<<20)
}

// railStream is how many messages of a size a stream has: enough for its end, an answer, not to count.
func railStream(size int) measure.Loops {
	if size <= 4<<10 {
		return measure.Loops{Timed: 512}
	}
	return measure.Loops{Timed: 64}
}

// railWrites streams remote writes over one and two rails.
func railWrites(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F3.1")
	on := b.Setups("QS")[0]
	p := r.AddPanel("Remote writes", lab.Bytes, lab.Megabytes)
	times := r.AddPanel("Latency of short writes", lab.Bytes, lab.Microseconds)
	for _, rails := range railsUsed {
		job := lab.WireJob{On: on, Connections: rails, Rails: rails, Slot: 1 << 20}
		err := b.RunWires(ctx, job, func(w *measure.Wires) error {
			for _, size := range railSizes(b) {
				cut := rails
				if size <= 1<<10 {
					cut = 1
				}
				for _, t := range measure.Traffics() {
					rate, err := measure.Striped(w, t, size, cut, b.Longer(railStream(size)).Timed)
					if err != nil {
						return err
					}
					if w.Lead {
						p.Line(railLine(t, rails)).Add(float64(size), rate)
					}
				}
			}
			half, err := measure.WriteLatency(w, 4, 1, b.Longer(measure.Loops{Warmup: 2, Timed: 16}))
			if w.Lead {
				times.Line(railLine(measure.Bi, rails)).Add(4, half)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	const large = 1 << 20
	p.ClaimAt("", large, 670)
	p.ClaimAt("", large, 1332)
	one, two := p.Line(railLine(measure.Both, 1)), p.Line(railLine(measure.Both, 2))
	r.Hold(lab.Input, lab.Within("both ways, one rail, 1 MB", 670, one.At(large), 5, "MB/s").Says("670"), lab.Within("both ways, 2 rails, 1 MB", 1332, two.At(large), 5, "MB/s").Says("670"))
	for _, t := range measure.Traffics() {
		kind := lab.Prediction
		if t == measure.Both { // it follows from the two above
			kind = lab.Input
		}
		r.Hold(kind, lab.Between(string(t)+": two rails over one at 1 MB", 1.9, 2.0, rounded(p.Line(railLine(t, 2)).At(large)/p.Line(railLine(t, 1)).At(large)), "times").Says("670"))
	}
	short := times.Line(railLine(measure.Bi, 1)).At(4)
	r.Hold(lab.Input, lab.Between("4 B put", 2, 2.77, short, "us").Says("short latency"))
	r.Hold(lab.Structural, lab.Within("4 B put over 2 rails as over one", short, times.Line(railLine(measure.Bi, 2)).At(4), 10, "us").Says("short latency"))
	return r, nil
}

// rounded cuts a ratio to three digits behind the point: more of them say nothing.
func rounded(v float64) float64 { return float64(int(v*1000+0.5)) / 1000 }

// overRails measures messages of MPI over one and two rails.
func overRails(ctx context.Context, b *lab.Bench, p *lab.Panel) error {
	on := b.Setups("QS")[0]
	for _, rails := range railsUsed {
		job := lab.Job{On: on, Ranks: 2, Settings: []string{fmt.Sprintf("rails=%d", rails)}}
		err := b.Run(ctx, job, func(k *measure.Rank) error {
			for _, t := range measure.Traffics() {
				line := p.Line(railLine(t, rails))
				err := measure.Sweep(k, railSizes(b), line.Add, func(size int) (float64, error) {
					return measure.Moved(k, t, size, b.Longer(measure.Loops{Warmup: 8, Timed: 16}))
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func railTags(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F3.2")
	p := r.AddPanel("Tagged messages", lab.Bytes, lab.Megabytes)
	if err := overRails(ctx, b, p); err != nil {
		return nil, err
	}
	for _, t := range measure.Traffics() {
		r.Hold(lab.Prediction, lab.Between(string(t)+": two rails over one at 1 MB", 1.5, 1.95, p.Line(railLine(t, 2)).At(1<<20)/p.Line(railLine(t, 1)).At(1<<20), "times").Says("two rails"))
	}
	r.Hold(lab.Prediction, lab.Within("both ways, one rail as remote writes", 670, p.Line(railLine(measure.Both, 1)).At(1<<20), 10, "MB/s").Says("one rail"))
	return r, nil
}

func railMPI(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F3.3")
	p := r.AddPanel("Messages of MPI", lab.Bytes, lab.Megabytes)
	if err := overRails(ctx, b, p); err != nil {
		return nil, err
	}
	gain := func(t measure.Traffic) float64 {
		return p.Line(railLine(t, 2)).At(1<<20) / p.Line(railLine(t, 1)).At(1<<20)
	}
	r.Hold(lab.Prediction,
		lab.Within("one way: two rails over one at 1 MB", 2, gain(measure.Uni), 10, "times"),
		lab.Within("alternating: two rails over one at 1 MB", 2, gain(measure.Bi), 10, "times"),
		lab.Between("both ways: two rails over one at 1 MB", 1, 1.8, gain(measure.Both), "times"))
	return r, nil
}
