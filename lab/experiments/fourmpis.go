package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var fourLatencyExperiment = lab.Experiment{
	ID: "003.F2",
	Explain: [2]string{
		"Latency and bandwidth both ways of four MPI libraries on three networks: MVAPICH and MVAPICH2 on InfiniBand, MPICH-MX on Myrinet whose cards were forced to a narrow bus, and MPICH2 on iWARP. The comparison shows that they are near enough to each other for the document's other figures to mean something.",
		"iWARP takes longest for short messages, because TCP is done by the card, and carries most for long ones. Myrinet carries least: half of its bus was switched off.",
	},
	Run: fourLatency,
}

var fourOverlapExperiment = lab.Experiment{
	ID: "003.F4",
	Explain: [2]string{
		"Which part of a message's time computation can hide, with synchronous sends so that both sides end together. Eager messages leave with the call. Of long ones, a sender whose receiver reads (RGET: MVAPICH, MPICH2-iWARP) is free at once, while one that has to see a CTS first (RPUT: MVAPICH2) moves nothing until its wait. A receiver finds its RTS only in its wait, unless somebody else looks for it, as Myrinet's thread does.",
		"Look where each line falls: it is where eager turns into rendezvous, at 5980 B on InfiniBand and 128 KB on iWARP. Before that, iWARP's line has a dip at 64 KB, because copying takes a growing part of the time.",
	},
	Run: fourOverlap,
}

var fourSendExperiment = lab.Experiment{
	ID: "003.F5",
	Explain: [2]string{
		"A sender computes for longer than its message takes, between call and wait, and the time is measured where the message arrives. A flat line means that the message made its way without the sender.",
		"Eager messages do, and so do long ones of which the receiver takes care itself. MVAPICH2's long messages come after the delay, with most of their work still to be done.",
	},
	Run: fourSend,
}

var fourReceiveExperiment = lab.Experiment{
	ID: "003.F6",
	Explain: [2]string{
		"A receiver computes for longer than the message takes, and looks at the end of its buffer meanwhile. A flat line means that the message came without the receiver's library.",
		"Eager messages lie in the library's buffers until it is called, and what is left is a copy: a small part of the whole. Of long messages nothing has moved, so all of it is left; only Myrinet's thread takes care of them.",
	},
	Run: fourReceive,
}

// fourMPIs are the experiments of the document on overlap and progress.
func fourMPIs() []lab.Experiment {
	return []lab.Experiment{fourLatencyExperiment, fourOverlapExperiment, fourSendExperiment, fourReceiveExperiment}
}

// The labels of the four libraries.
const (
	mvapich1 = "MVAPICH (RGET)"
	mvapich2 = "MVAPICH2 (RPUT)"
	mpichMX  = "MPICH-MX"
	mpich2iw = "MPICH2-iWARP"
)

// libraries returns the four libraries on the models of their machines.
func libraries(b *lab.Bench) []lab.Setup {
	all := b.Setups("IB4", "IB4", "MX2", "IW3")
	if len(all) < 4 { // the user insists on a platform
		return all
	}
	for i, name := range []string{mvapich1, mvapich2, mpichMX, mpich2iw} {
		all[i].Label = name
	}
	all[0].Settings = append(all[0].Settings, "rndv=rget")
	return all
}

// eachLibrary runs body on two ranks of each library that have talked before.
func eachLibrary(ctx context.Context, b *lab.Bench, body func(k *measure.Rank, on lab.Setup) error) error {
	for _, on := range libraries(b) {
		err := b.Run(ctx, lab.Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
			if err := acquaint(k); err != nil {
				return err
			}
			return body(k, on)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fourLatency sweeps ping-pongs and windows both ways.
func fourLatency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("003.F2")
	latency, both := r.AddPanel("MPI latency", lab.Bytes, lab.Microseconds), r.AddPanel("MPI bandwidth both ways", lab.Bytes, lab.Megabytes)
	err := eachLibrary(ctx, b, func(k *measure.Rank, on lab.Setup) error {
		return measure.Sweep(k, b.Sizes(1, 1<<20), latency.Line(on.Label).Add, func(size int) (float64, error) {
			return measure.PingPong(k, size, b.Loops(on, size))
		})
	})
	if err != nil {
		return nil, err
	}
	for _, on := range libraries(b) {
		if err := bothWays(ctx, b, lab.Job{On: on, Ranks: 2}, b.Sizes(1<<10, 1<<20), both.Line(on.Label)); err != nil {
			return nil, err
		}
	}
	const large = 1 << 20
	low, high, others := latency.Line(mvapich1).At(1), 0.0, 0.0
	for _, line := range latency.Series {
		low, high = min(low, line.At(1)), max(high, line.At(1))
		if line.Name != mpich2iw {
			others = max(others, line.At(1))
		}
	}
	r.Hold(lab.Prediction,
		lab.AtMost("the same order of magnitude: highest latency over lowest, at 1 B", 10, high/low, "times").Since("the document says no more"),
		lab.Holds("iWARP has the highest latency at 1 B", "considerably higher", fmt.Sprintf("%.1f us, the others up to %.1f us", latency.Line(mpich2iw).At(1), others), latency.Line(mpich2iw).At(1) > others),
	)
	least, most := both.Line(mpichMX).At(large), 0.0
	for _, line := range both.Series {
		if line.Name != mpich2iw {
			most = max(most, line.At(large))
		}
		least = min(least, line.At(large))
	}
	r.Hold(lab.Prediction, lab.Holds("iWARP has the highest bandwidth at 1 MB", "higher", fmt.Sprintf("%.0f MB/s, the others up to %.0f MB/s", both.Line(mpich2iw).At(large), most), both.Line(mpich2iw).At(large) > most))
	r.Hold(lab.Input, // 64 KB take 162 us there
		lab.Holds("Myrinet has the lowest bandwidth at 1 MB", "low, because of PCIe x4", fmt.Sprintf("%.0f MB/s of at least %.0f MB/s", both.Line(mpichMX).At(large), least), both.Line(mpichMX).At(large) == least),
	)
	return r, nil
}

// fourOverlap searches for the overlap of sends and receives.
func fourOverlap(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("003.F4")
	y := lab.Axis{Label: "overlap", Unit: "%"}
	send, receive := r.AddPanel("Send", lab.Bytes, y), r.AddPanel("Receive", lab.Bytes, y)
	sizes := append(b.Sizes(4, 1<<20), 32<<10, 64<<10, 128<<10)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	err := eachLibrary(ctx, b, func(k *measure.Rank, on lab.Setup) error {
		for _, side := range []measure.Side{measure.Sender, measure.Receiver} {
			line := send.Line(on.Label)
			if side == measure.Receiver {
				line = receive.Line(on.Label)
			}
			c := measure.Case{Computes: side, Synchronous: true, Loops: measure.Loops{Warmup: 3, Timed: 1}}
			err := measure.Sweep(k, sizes, line.Add, func(size int) (float64, error) {
				percent, _, err := measure.Overlap(k, size, c)
				return percent, err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	holdFourOverlaps(r, send, receive)
	return r, nil
}

// holdFourOverlaps holds the overlap of sends and receives.
func holdFourOverlaps(r *lab.Result, send, receive *lab.Panel) {
	const large, none = 1 << 20, "the document says close to zero"
	r.Hold(lab.Prediction,
		lab.Within("send, 1 MB, RGET, MVAPICH", 100, send.Line(mvapich1).At(large), 10, "%"),
		lab.Within("send, 1 MB, RGET, MPICH2-iWARP", 100, send.Line(mpich2iw).At(large), 10, "%"),
		lab.Between("send, 1 MB, RPUT, MVAPICH2", 0, 10, send.Line(mvapich2).At(large), "%").Since(none),
		lab.LeastAt("send, MPICH2-iWARP: a sharp decrease at 64 KB", send.Line(mpich2iw).Between(1<<10, large), 64<<10, 64<<10),
	)
	for _, name := range []string{mvapich1, mvapich2, mpich2iw} {
		r.Hold(lab.Prediction, lab.Between("receive, 1 MB, "+name, 0, 10, receive.Line(name).At(large), "%").Since(none))
	}
	_, least := receive.Line(mpichMX).Between(64<<10, large).Min()
	_, eager := receive.Line(mpichMX).Between(1, 16<<10).Min()
	r.Hold(lab.Prediction,
		lab.Between("receive, rendezvous, Myrinet: least from 64 KB on", 80, 100, least, "%"),
		lab.Between("receive, eager, Myrinet: least up to 16 KB", 30, 75, eager, "%").Since("the document says in the range of 30 to 75%"),
	)
}

// longestDelay is for how many microseconds a side of a message computes at most: longer than the message takes on the
// slowest network.
var longestDelay = map[int]int{64: 40, 1 << 10: 40, 4 << 10: 80, 32 << 10: 200, 64 << 10: 400, 256 << 10: 2000, 1 << 20: 8000}

// delaySteps is how many delays are tried, from none to the longest.
const delaySteps = 8

// delayed is what the longest delay did to a message.
type delayed struct {
	library string
	size    int
}

// fourDelays delays one side of messages of the given sizes. It returns how the messages did under the longest delay.
func fourDelays(ctx context.Context, b *lab.Bench, r *lab.Result, side measure.Side, sizes []int) (map[delayed]measure.Progress, error) {
	found, panels := map[delayed]measure.Progress{}, map[int]*lab.Panel{}
	for _, size := range sizes {
		panels[size] = r.AddPanel(fmt.Sprintf("%d B", size), lab.Axis{Label: "inserted delay", Unit: "us"}, lab.Axis{Label: "message", Unit: "us"})
	}
	err := eachLibrary(ctx, b, func(k *measure.Rank, on lab.Setup) error {
		c := measure.Case{Computes: side, Loops: measure.Loops{Warmup: 3, Timed: 1}}
		for _, size := range sizes {
			for step := range delaySteps + 1 {
				delay := time.Duration(longestDelay[size]*step/delaySteps) * time.Microsecond
				p, err := measure.Delay(k, size, delay, c)
				if err != nil {
					return err
				}
				if k.Lead() {
					panels[size].Line(on.Label).Add(float64(delay/time.Microsecond), p.Delayed)
					found[delayed{on.Label, size}] = p
				}
			}
		}
		return nil
	})
	return found, err
}

// added is by how many per cent a delay made a message's time longer.
func added(p measure.Progress) float64 { return 100 * (p.Delayed/p.Alone - 1) }

// fourSend delays senders.
func fourSend(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("003.F5")
	sizes := []int{1 << 10, 4 << 10, 32 << 10, 64 << 10, 1 << 20}
	found, err := fourDelays(ctx, b, r, measure.Sender, sizes)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{mvapich1, mpich2iw} {
		worst := 0.0
		for _, size := range sizes {
			if by := added(found[delayed{name, size}]); math.Abs(by) > math.Abs(worst) {
				worst = by
			}
		}
		r.Hold(lab.Prediction, lab.Between(name+" is flat at all sizes: most that a delay adds", -10, 10, worst, "%").Since("the document says that it is flat"))
	}
	r.Hold(lab.Prediction,
		lab.Within("MVAPICH2, 32 KB: left after the delay", 84, found[delayed{mvapich2, 32 << 10}].PostDelay, 16, "%"),
		lab.Between("Myrinet, 64 KB: left after the delay", 10, 40, found[delayed{mpichMX, 64 << 10}].PostDelay, "%").Since("the document says 15 to 35%"),
	)
	return r, nil
}

// fourReceive delays receivers.
func fourReceive(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("003.F6")
	found, err := fourDelays(ctx, b, r, measure.Receiver, []int{64, 1 << 10, 4 << 10, 32 << 10, 64 << 10, 256 << 10})
	if err != nil {
		return nil, err
	}
	const small = "the document says a small portion, of iWARP up to 30%"
	for _, name := range []string{mvapich1, mpichMX, mpich2iw} { // MVAPICH2 differs from MVAPICH in long messages only
		for _, size := range []int{64, 1 << 10, 4 << 10} {
			left := lab.Between(fmt.Sprintf("eager, %d B, %s: left after the delay", size, name), 10, 40, found[delayed{name, size}].PostDelay, "%").Since(small)
			if name == mvapich1 {
				r.Hold(lab.Fitted, left.By("packet_us"))
			} else {
				r.Hold(lab.Prediction, left)
			}
		}
	}
	most := 0.0
	for _, size := range []int{64, 1 << 10, 4 << 10, 32 << 10, 64 << 10} {
		most = max(most, found[delayed{mpich2iw, size}].PostDelay)
	}
	r.Hold(lab.Prediction, lab.Within("eager, MPICH2-iWARP: the most that is left, any size", 30, most, 35, "%"))
	for _, name := range []string{mvapich1, mvapich2, mpich2iw} {
		r.Hold(lab.Prediction, lab.Within("rendezvous, 256 KB, "+name+": left after the delay", 100, found[delayed{name, 256 << 10}].PostDelay, 10, "%"))
	}
	r.Hold(lab.Prediction, lab.Between("rendezvous, 256 KB, Myrinet is flat: what the delay adds", -10, 10, added(found[delayed{mpichMX, 256 << 10}]), "%").Since("the document says that it is flat"))
	return r, nil
}

// knownOthers are the bars that are not kept outside the first document.
var knownOthers = []Miss{
	{"003.F5", "Myrinet, 64 KB: left after the delay", Model, "who negotiates does not explain it: of 64 KB, 0% are left by RGET, with or without a thread at the sender, 0% by RPUT with one (progress=rendezvous), 96% by RPUT without (weft lab run 003.F5 --set rndv=rput,progress=poll); the document names a copy and the end of the protocol, and the thesis finds nothing left on a later MX (F3.15)"},
	{"003.F4", "receive, eager, Myrinet: least up to 16 KB", Model, "as in F6: the short message waits for the receiver's call, and what is left to do then, to take a packet apart and to copy it, is 4 to 11% of its time on the model; all else is hidden"},
	{"003.F6", "eager, 64 B, MPICH-MX: left after the delay", Document, littleOfMX},
	{"003.F6", "eager, 1024 B, MPICH-MX: left after the delay", Document, littleOfMX},
	{"003.F6", "eager, 4096 B, MPICH-MX: left after the delay", Document, littleOfMX},
	{"003.F6", "eager, 64 B, MPICH2-iWARP: left after the delay", Document, smallLeft},
	{"003.F6", "eager, 1024 B, MPICH2-iWARP: left after the delay", Document, smallLeft},
}

// Reasons that several misses have.
const (
	smallLeft  = "two documents want two values: a tenth of such a message needs 0.7 µs to take a packet apart, where the thesis leaves 0.4 µs for all of MPI on the same interface (F3.3). This document gives no size for its 30%; ours are 4, 7 and 11% at 64 B, 1 and 4 KB, and 22% at 64 KB"
	littleOfMX = "the short message waits for the receiver's call, as in the document, which states a share for iWARP only; here 0.1 µs to take a packet apart are left beside the copy, because the thesis leaves 0.1 µs for all of MPI over MX"
)
