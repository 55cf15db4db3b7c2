package experiments

import (
	"context"
	"fmt"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var overlapExperiment = lab.Experiment{
	ID: "F3.14",
	Explain: [2]string{
		"How much of a message's time a program can compute without the message taking longer, for a sender (Isend, compute, Wait) and for a receiver (Irecv, compute, Wait). 100% means that the interface did everything.",
		"A short send is over as soon as it is copied. A long one by RGET is fetched by the receiver's interface while the sender computes; by RPUT it waits for the sender to come back and see the receiver's answer. A receiver that computes sees no request of a long message before it comes back, whatever the protocol; only Myrinet's library has somebody else look.",
	},
	Run:      overlap,
	Timeline: overlapTimeline,
}

var progressExperiment = lab.Experiment{
	ID: "F3.15",
	Explain: [2]string{
		"The side that computes does not come back for a delay that is longer than the message. If the line is flat the message arrived without it; if it rises with the delay, something was left to do afterwards.",
		"What is left after the delay tells what was missing: of a short message received on iWARP only its copy out of the ring, about a quarter; of a long one everything, because its transfer had not even begun.",
	},
	Run: progress,
}

// protocol is one way to send long messages.
type protocol struct {
	name     string
	settings []string
}

// protocols are those that a network's library has: its own, or the two of verbs.
func protocols(on lab.Setup) []protocol {
	if on.Label == iWARP || on.Label == infiniBand {
		return []protocol{{rput, []string{"rndv=rput"}}, {rget, []string{"rndv=rget"}}}
	}
	return []protocol{{own, nil}}
}

const (
	rput = "RPUT"
	rget = "RGET"
	own  = "its own"
)

// computing names a line by who computes and how long messages travel.
func computing(side measure.Side, p protocol) string {
	if side == measure.Sender {
		return "send, " + p.name
	}
	return "receive, " + p.name
}

// overlap sweeps sizes for both sides and all protocols.
func overlap(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.14")
	r.Notes = append(r.Notes, "sends are synchronous, as in the earlier paper with the same program: so the communication ends at the same time on both sides, and all of it counts")
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		p := r.AddPanel("Overlap, "+on.Label, lab.Bytes, lab.Percent)
		for _, how := range protocols(on) {
			for _, side := range []measure.Side{measure.Sender, measure.Receiver} {
				if err := overlapSweep(ctx, b, on, how, side, p.Line(computing(side, how))); err != nil {
					return nil, err
				}
			}
		}
		r.Hold(lab.Prediction, overlapBars(on.Label, p)...)
	}
	return r, nil
}

// overlapSizes are 1 KB to 1 MB; a quick bench has those of the bars.
func overlapSizes(b *lab.Bench) []int {
	if b.Quick() {
		return []int{1 << 10, 8 << 10, 256 << 10, 1 << 20}
	}
	return b.Sizes(1<<10, 1<<20)
}

func overlapSweep(ctx context.Context, b *lab.Bench, on lab.Setup, how protocol, side measure.Side, line *lab.Series) error {
	return b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: how.settings}, func(k *measure.Rank) error {
		return measure.Sweep(k, overlapSizes(b), line.Add, func(size int) (float64, error) {
			percent, _, err := measure.Overlap(k, size, measure.Case{Computes: side, Synchronous: true, Loops: meetingLoops(on)})
			return percent, err
		})
	})
}

// meetingLoops is how often a single message is measured.
func meetingLoops(on lab.Setup) measure.Loops {
	if on.On.Virtual() {
		return measure.Loops{Warmup: 12, Timed: 3}
	}
	return measure.Loops{Warmup: 5, Timed: 21}
}

// overlapBars are those of one network.
func overlapBars(label string, p *lab.Panel) []lab.Check {
	const large = 1 << 20
	least := func(of protocol, side measure.Side, low, high float64) float64 {
		_, v := p.Line(computing(side, of)).Between(low, high).Min()
		return v
	}
	first := protocol{name: rput}
	switch label {
	case myrinet:
		first = protocol{name: own}
	case iWARP, infiniBand:
	default:
		return nil
	}
	below := float64(shortestRendezvous[label] / 2)
	bars := []lab.Check{
		lab.Between(label+": eager sends", 60, 100, least(first, measure.Sender, 1, below), "%"),
		lab.Between(label+": eager receives", 60, 100, least(first, measure.Receiver, 1, below), "%"),
	}
	if label == myrinet {
		return append(bars,
			lab.Between("Myrinet: send of 1 MB", 90, 100, p.Line(computing(measure.Sender, first)).At(large), "%"),
			lab.Between("Myrinet: receives from 256 KB on", 80, 100, least(first, measure.Receiver, 256<<10, large), "%"))
	}
	bars = append(bars,
		lab.Within(label+": send of 1 MB by RGET", 100, p.Line(computing(measure.Sender, protocol{name: rget})).At(large), 10, "%"),
		lab.Between(label+": send of 1 MB by RPUT", 0, 15, p.Line(computing(measure.Sender, first)).At(large), "%").Since(veryLow))
	for _, name := range []string{rput, rget} {
		_, most := p.Line(computing(measure.Receiver, protocol{name: name})).Between(256<<10, large).Max()
		bars = append(bars, lab.Between(label+": receives from 256 KB on by "+name, 0, 10, most, "%").Since(veryLow))
	}
	return bars
}

// veryLow is why a bar has no number in its middle.
const veryLow = "the document says very low, without a number"

// overlapTimeline shows a sender that computes while a long message is due, by RPUT on InfiniBand.
func overlapTimeline(ctx context.Context, b *lab.Bench) (*lab.Timeline, error) {
	var rec lab.Recorder
	on := b.Setups("IB1")[0]
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Watch: &rec, Settings: []string{"rndv=rput"}}, func(k *measure.Rank) error {
		c := measure.Case{Computes: measure.Sender, Loops: measure.Loops{Warmup: 12, Timed: 1}}
		if _, err := measure.Delay(k, 64<<10, 100*time.Microsecond, c); err != nil {
			return err
		}
		c.Loops.Warmup = 0
		rec.Start(int64(k.Now()))
		_, err := measure.Delay(k, 64<<10, 100*time.Microsecond, c)
		return err
	})
	return rec.Timeline("a sender that computes, 64 KB by RPUT, on "+on.Label, "sender", "receiver"), err
}

// delays are the documents' inserted delays, longer than any message of the figure.
func delays(b *lab.Bench) []time.Duration {
	if b.Quick() {
		return []time.Duration{500 * time.Microsecond, 2 * time.Millisecond}
	}
	return []time.Duration{500 * time.Microsecond, 1000 * time.Microsecond, 1500 * time.Microsecond, 2000 * time.Microsecond}
}

// progress delays one side and looks at when the message arrives.
func progress(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.15")
	delayed := lab.Axis{Label: "delay", Unit: "us"}
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		for _, size := range []int{8 << 10, 256 << 10} {
			for _, side := range []measure.Side{measure.Sender, measure.Receiver} {
				p := r.AddPanel(fmt.Sprintf("%s of %s, %s", verb(side), sizeName(size), on.Label), delayed, lab.Axis{Label: "latency", Unit: "us"})
				for _, how := range protocols(on) {
					d, err := delaySweep(ctx, b, on, how, side, size, p.Line(how.name))
					if err != nil {
						return nil, err
					}
					holdProgress(r, on.Label, how, side, size, d)
				}
			}
		}
	}
	return r, nil
}

func verb(side measure.Side) string {
	if side == measure.Sender {
		return "send"
	}
	return "receive"
}

// delaySweep fills a line and returns what the longest delay did.
func delaySweep(ctx context.Context, b *lab.Bench, on lab.Setup, how protocol, side measure.Side, size int, line *lab.Series) (last measure.Progress, err error) {
	err = b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: how.settings}, func(k *measure.Rank) error {
		for _, delay := range delays(b) {
			d, err := measure.Delay(k, size, delay, measure.Case{Computes: side, Loops: meetingLoops(on)})
			if err != nil {
				return err
			}
			if k.Lead() {
				if len(line.Points) == 0 {
					line.Add(0, d.Alone)
				}
				line.Add(float64(delay)/1e3, d.Delayed)
				last = d
			}
		}
		return nil
	})
	return last, err
}

// holdProgress says which lines the document has flat and which shifted by the delay.
func holdProgress(r *lab.Result, label string, how protocol, side measure.Side, size int, d measure.Progress) {
	if reuseClaims[label].flip == 0 {
		return // not one of the document's networks
	}
	name := fmt.Sprintf("%s: %s of %s", label, verb(side), sizeName(size))
	eager := size < shortestRendezvous[label]
	switch {
	case eager && how.name == rget:
		return // eager messages do not care, and the other protocol's line was held already
	case !eager:
		name += ", " + how.name
	}
	longest := 2000.0
	rise := d.Delayed - d.Alone
	flat := lab.Between(name+": rise by a delay", -10, 10, 100*rise/d.Alone, "%").Since("the document says that it is flat")
	shifted := lab.Within(name+": rise, of the delay", 100, 100*rise/longest, 10, "%")
	switch {
	case label == myrinet, side == measure.Sender && (eager || how.name == rget):
		r.Hold(lab.Prediction, flat)
		return
	case side == measure.Receiver && eager && label == iWARP:
		r.Hold(lab.Fitted, lab.Within(name+": left after the delay", 25, d.PostDelay, 35, "%").By("copy_us_per_kb"))
	case side == measure.Receiver && !eager:
		r.Hold(lab.Prediction, lab.Within(name+": left after the delay", 100, d.PostDelay, 10, "%"))
	}
	r.Hold(lab.Prediction, shifted)
}
