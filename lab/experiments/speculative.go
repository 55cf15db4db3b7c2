package experiments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// speculationExperiments are those of chapter 4 of the first document.
func speculationExperiments() []lab.Experiment {
	return append(slices.Concat(timingExperiments(), flowExperiments(), raceExperiments()), patternsExperiment, waitingExperiment, offersExperiment, extraVolumeExperiment, specOverlapExperiment, specProgressExperiment, exchangeExperiment, crossingExperiment)
}

var specOverlapExperiment = lab.Experiment{
	ID: "F4.13",
	Explain: [2]string{
		"Which part of a long message's time can be hidden behind computation, with the rendezvous as MPICH2 had it and with the speculative one. There are four cases: the side that computes is the receiver or the sender, and the side that comes first is the sender or the receiver. As it was, a receive found no RTS when it was posted, so nothing moved until its wait. Now a receive looks for arrived packets first, and if it is early it tells the sender where to write.",
		"Look at the receives: both new lines are near the top, both old ones at the bottom. Sends overlapped well before; when the receiver is first they lose a little, because the sender itself starts the write and tells the end of it only after its computation.",
	},
	Run:      specOverlap,
	Timeline: specProgressTimeline,
}

var specProgressExperiment = lab.Experiment{
	ID: "F4.14",
	Explain: [2]string{
		"One side of a 1 MB message computes for a given time between its call and its wait, and the time until the message is there is measured at the receiver. If the message makes its way by itself, that time does not depend on the delay; if it waits for the library to be called again, it grows with the delay.",
		"With the rendezvous as it was, receives grow with the delay; with the speculative one they do not, whoever comes first. The sender's line with an early receiver turns upwards when the delay is longer than the message: the bytes have arrived, but the packet that says so leaves when the sender calls the library again. What is left to do after the delay is 4 to 15% of the message's time.",
	},
	Run:      specProgress,
	Timeline: specProgressTimeline,
}

// specProtocols are the rendezvous of the chapter: as MPICH2 had it (the platform's own settings), and the
// speculative one. DONE leaves with the sender's next call, as in the document.
var specProtocols = []struct {
	name     string
	settings []string
}{
	{"plain", nil},
	{"speculative", []string{"rndv=speculative", "lab_spec_initial=on", "lab_spec_chain=off"}},
}

// specAhead is by how much the side comes first that does: longer than a buffer takes to register and a
// control packet to travel.
const specAhead = time.Millisecond

// specCases are the four cases of the chapter.
var specCases = []struct{ computes, first measure.Side }{
	{measure.Receiver, measure.Sender}, {measure.Receiver, measure.Receiver},
	{measure.Sender, measure.Sender}, {measure.Sender, measure.Receiver},
}

// specLine is the line of one case under one protocol.
func specLine(panels map[measure.Side]*lab.Panel, computes, first measure.Side, protocol string) *lab.Series {
	return panels[computes].Line(fmt.Sprintf("%s, %s first", protocol, first))
}

// eachSpecCase runs body for every case and protocol, on two ranks that have talked before.
func eachSpecCase(ctx context.Context, b *lab.Bench, panels map[measure.Side]*lab.Panel, body func(k *measure.Rank, c measure.Case, line *lab.Series) error) error {
	on := b.Setups("IW2")[0]
	for _, p := range specProtocols {
		for _, m := range specCases {
			line := specLine(panels, m.computes, m.first, p.name)
			c := measure.Case{Computes: m.computes, First: m.first, Ahead: specAhead, Loops: measure.Loops{Warmup: 4, Timed: 1}}
			err := b.Run(ctx, lab.Job{On: on, Ranks: 2, Settings: p.settings}, func(k *measure.Rank) error {
				if err := acquaint(k); err != nil {
					return err
				}
				return body(k, c, line)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// acquaint has two ranks exchange so many short messages that connections, rings and their buffers are there.
func acquaint(k *measure.Rank) error {
	_, err := measure.PingPong(k, 8, measure.Loops{Warmup: 40, Timed: 1})
	return err
}

// specOverlap searches for the overlap of each case from 128 KB to 1 MB.
func specOverlap(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.13")
	y := lab.Axis{Label: "overlap", Unit: "%"}
	panels := map[measure.Side]*lab.Panel{
		measure.Receiver: r.AddPanel("Overlap of receives", lab.Bytes, y), measure.Sender: r.AddPanel("Overlap of sends", lab.Bytes, y)}
	err := eachSpecCase(ctx, b, panels, func(k *measure.Rank, c measure.Case, line *lab.Series) error {
		return measure.Sweep(k, b.Sizes(128<<10, 1<<20), line.Add, func(size int) (float64, error) {
			percent, _, err := measure.Overlap(k, size, c)
			return percent, err
		})
	})
	if err != nil {
		return nil, err
	}
	panels[measure.Receiver].Claim("speculative: at least 80%", 80)
	panels[measure.Receiver].Claim("plain: at most 10%", 10)
	holdSpecOverlap(r, panels)
	return r, nil
}

// holdSpecOverlap holds the overlap of all sizes.
func holdSpecOverlap(r *lab.Result, panels map[measure.Side]*lab.Panel) {
	const plain, speculative = "plain", "speculative"
	for _, first := range []measure.Side{measure.Sender, measure.Receiver} {
		_, least := specLine(panels, measure.Receiver, first, speculative).Min()
		_, most := specLine(panels, measure.Receiver, first, plain).Max()
		stated := map[measure.Side]float64{measure.Sender: 80, measure.Receiver: 92}[first]
		r.Hold(lab.Prediction,
			lab.Between(fmt.Sprintf("receive, %s first, speculative: least over all sizes", first), stated, 100, least, "%"),
			lab.Between(fmt.Sprintf("receive, %s first, plain: most over all sizes", first), 0, 10, most, "%").Since("the document says less than 10%"),
		)
	}
	lost := func(first measure.Side) (most float64) {
		_, most = specLine(panels, measure.Sender, first, plain).Minus(specLine(panels, measure.Sender, first, speculative)).Max()
		return most
	}
	r.Hold(lab.Prediction,
		lab.AtMost("send, sender first: what the new protocol loses, most over all sizes", 2, lost(measure.Sender), "points").Since("the document says the same level or better"),
		lab.Within("send, receiver first: what the new protocol loses, most over all sizes", 14, lost(measure.Receiver), 35, "points"),
	)
}

// specProgress delays one side of a 1 MB message.
func specProgress(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F4.14")
	x, y := lab.Axis{Label: "inserted delay", Unit: "us"}, lab.Axis{Label: "message", Unit: "us"}
	panels := map[measure.Side]*lab.Panel{
		measure.Receiver: r.AddPanel("Receive, 1 MB", x, y), measure.Sender: r.AddPanel("Send, 1 MB", x, y)}
	left := map[*lab.Series]float64{}
	const size, longest = 1 << 20, 4000
	err := eachSpecCase(ctx, b, panels, func(k *measure.Rank, c measure.Case, line *lab.Series) error {
		for delay := 0; delay <= longest; delay += 500 {
			if b.Quick() && delay%2000 != 0 {
				continue
			}
			p, err := measure.Delay(k, size, time.Duration(delay)*time.Microsecond, c)
			if err != nil {
				return err
			}
			if k.Lead() {
				line.Add(float64(delay), p.Delayed)
				left[line] = p.PostDelay
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, m := range specCases {
		for _, p := range specProtocols {
			line := specLine(panels, m.computes, m.first, p.name)
			r.Note(fmt.Sprintf("left after %d us, %s computes, %s", longest, m.computes, line.Name), left[line], "%")
		}
	}
	for _, first := range []measure.Side{measure.Sender, measure.Receiver} {
		line := specLine(panels, measure.Receiver, first, "speculative")
		r.Hold(lab.Prediction, lab.Between(fmt.Sprintf("receive, %s first, new: rise of the message's time, part of the delay", first), -5, 5, 100*(line.At(longest)-line.At(0))/longest, "%").Since("the document says that it is not affected"))
	}
	return r, specResidue(ctx, b, r)
}

// specResidue is what is left to a sender with an early receiver after a delay, over sizes.
func specResidue(ctx context.Context, b *lab.Bench, r *lab.Result) error {
	line := r.AddPanel("Left after the delay, send, receiver first", lab.Bytes, lab.Percent).Line("speculative")
	c := measure.Case{Computes: measure.Sender, First: measure.Receiver, Ahead: specAhead, Loops: measure.Loops{Warmup: 4, Timed: 1}}
	err := b.Run(ctx, lab.Job{On: b.Setups("IW2")[0], Ranks: 2, Settings: specProtocols[1].settings}, func(k *measure.Rank) error {
		if err := acquaint(k); err != nil {
			return err
		}
		return measure.Sweep(k, b.Sizes(128<<10, 1<<20), line.Add, func(size int) (float64, error) {
			p, err := measure.Delay(k, size, 4*time.Millisecond, c)
			return p.PostDelay, err
		})
	})
	_, least := line.Min()
	_, most := line.Max()
	r.Hold(lab.Prediction,
		lab.Within("send, receiver first, new: least over all sizes that is left after the delay", 4, least, 35, "%"),
		lab.Within("send, receiver first, new: most over all sizes that is left after the delay", 15, most, 35, "%"),
	)
	return err
}
