package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var limitsExperiment = lab.Experiment{
	ID: "T5.2",
	Explain: [2]string{
		"Where short messages end and long ones begin, in the experiments on buffers that are used often: short messages are copied, so only there is a copy to be saved. The document left the limit of two-sided messages at 9 KB and raised that of one-sided ones from 4 to 9 KB.",
		"The limit is a setting (net_eager_max). That it is kept is seen in what the ranks count: a message of exactly 9 KB travels with its envelope, one byte more makes it a rendezvous.",
	},
	Run: limits,
}

var copyExperiment = lab.Experiment{
	ID: "F5.1",
	Explain: [2]string{
		"How much of a short message's latency is one copy? That is the most that could be gained if the interface took the payload from where the program has it. Short messages hardly notice the copy; with the size it becomes a growing part, until at the eager limit the rendezvous does without it anyway. The model's copy was chosen so that 8 KB come near the document's 15%; how the part grows, and the one-sided line, follow from the rest of the model.",
		"Two-sided messages are copied twice, of which one can go; their latency is that of a ping-pong. A Put is copied once. Put and fence are played at user level as the document describes them, a copy, a remote write, and words in both directions.",
	},
	Run: copyPart,
}

var flowExperiment = lab.Experiment{
	ID: "F5.2",
	Explain: [2]string{
		"The way of an eager message: from the program's buffer into memory that the interface knows, over the network into such memory of the receiver, and from there into its program's buffer. If the sender's buffer is used often, the first copy goes: the interface gathers the header from the library's memory and the payload from the program's.",
		"The table counts copies of messages of 4 KB as the library does; the receiver's are not counted apart, every message that arrived is one. With the document's thresholds a buffer of that size is registered at its 15th use; from then on there is one copy per message, the receiver's.",
	},
	Run: flow,
}

var oneSidedFlowExperiment = lab.Experiment{
	ID: "F5.3",
	Explain: [2]string{
		"A Put copies once, at the origin, and a Get once, at the end. With a buffer that is used often there is no copy left: the interface writes from, or reads into, the program's buffer.",
		"Put and Get are played at user level as the document describes them, with the library's table of buffers and its cache of registrations.",
	},
	Run: oneSidedFlow,
}

var dataFlowExperiment = lab.Experiment{
	ID: "001.F2",
	Explain: [2]string{
		"The way of a short message with and without the sender's copy, two-sided and one-sided. What the interface does for a two-sided message is a remote write into the peer's ring or a send to a posted receive: in both cases it can gather the header from the library's memory and the payload from the program's.",
		"The tables count copies as the library does, for 1000 messages of 4 KB. Put and Get are played at user level as the document describes them, with the library's table of buffers and its cache of registrations.",
	},
	Run: dataFlow,
}

// limits counts how messages around the limit travel.
func limits(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("T5.2")
	on := b.Setups("IB2")[0]
	const limit = 9 << 10
	t := r.AddTable("How messages travel", "size", "with their envelope", "by rendezvous")
	var long [2]uint64
	for i, size := range []int{limit, limit + 1} {
		var eager uint64
		const messages = 100
		job := lab.Job{On: on, Ranks: 2, Report: func(rank int, e engine.Counters, _ *rail.Report) {
			if rank == 0 {
				eager, long[i] = e.EagerSends, e.RendezvousSends
			}
		}}
		err := b.Run(ctx, job, func(k *measure.Rank) error {
			_, err := measure.PingPong(k, size, measure.Loops{Timed: messages})
			return err
		})
		if err != nil {
			return nil, err
		}
		t.Add(fmt.Sprintf("%d", size), fmt.Sprintf("%d", eager), fmt.Sprintf("%d", long[i]))
	}
	r.Hold(lab.Input, lab.Holds("two-sided: 9 KB travel with their envelope, one byte more by rendezvous", "0 and 100 of 100 by rendezvous",
		fmt.Sprintf("%d and %d", long[0], long[1]), long == [2]uint64{0, 100}))
	r.Hold(lab.Structural, lab.Exactly("one-sided: bytes of the longest that is copied, raised from 4 KB", 9<<10, float64(comm.Defaults().Window.Copy), "B"))
	return r, nil
}

// copyPart compares the latency of short messages with one copy of them.
func copyPart(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.1")
	on := b.Setups("IB2")[0]
	costs, err := b.Prices(ctx, on, false)
	if err != nil {
		return nil, err
	}
	two, err := shortLatency(ctx, b, on, eagerPaths[0], copying)
	if err != nil {
		return nil, err
	}
	noteHost(r, on)
	parts := []*lab.Series{copyPanels(r, "two-sided", two, costs)}
	if on.On.Virtual() {
		one, err := puts(ctx, b, on)
		if err != nil {
			return nil, err
		}
		parts = append(parts, copyPanels(r, "one-sided", one, costs))
	} else {
		parts = append(parts, &lab.Series{})
	}
	r.Hold(lab.Structural, // a price per byte divided by one that begins above 0
		lab.Rising("two-sided: the copy's part rises with the size", parts[0], 0),
		lab.Rising("one-sided: the copy's part rises with the size", parts[1], 0),
	)
	r.Hold(lab.Fitted, lab.Within("two-sided: one copy of 8 KB", 15, parts[0].At(lengthiest), 20, "%").By("copy_us_per_kb"))
	r.Hold(lab.Prediction, lab.Between("one-sided: one copy of 8 KB", 15, 22, parts[1].At(lengthiest), "%").Since("the document says up to 20%, of both kinds together"))
	return r, nil
}

// copyPanels draws a latency beside the cost of a copy, and returns its part in the latency.
func copyPanels(r *lab.Result, name string, latency *lab.Series, costs reuse.Costs) *lab.Series {
	times := r.AddPanel("Latency and one copy, "+name, lab.Bytes, lab.Microseconds)
	total, one := times.Line("latency"), times.Line("one copy")
	part := r.AddPanel("One copy as part of the latency, "+name, lab.Bytes, lab.Percent).Line("one copy")
	for _, p := range latency.Points {
		copied := costs.At(int(p.X)).Copy / 1e3
		total.Add(p.X, p.Y)
		one.Add(p.X, copied)
		part.Add(p.X, 100*copied/p.Y)
	}
	return part
}

// puts measures Put and fence.
func puts(ctx context.Context, b *lab.Bench, on lab.Setup) (*lab.Series, error) {
	line := &lab.Series{}
	err := b.RunWires(ctx, lab.WireJob{On: on, Connections: 2, Slot: lengthiest}, func(w *measure.Wires) error {
		o, err := measure.NewOneSided(w, false)
		if err != nil {
			return err
		}
		for _, size := range shortSizes(b) {
			us, err := o.Latency(measure.Put, size, measure.Loops{Warmup: 20, Timed: 100})
			if err != nil {
				return err
			}
			if w.Lead {
				line.Add(float64(size), us)
			}
		}
		return o.Close()
	})
	return line, err
}

// flow counts the copies of eager messages on the fast path.
func flow(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.2")
	return r, eagerCopies(ctx, b, r, eagerPaths[0], "")
}

// dataFlow counts the copies of eager messages that are written and that are sent, and of one-sided ones.
func dataFlow(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("001.F2")
	for i, p := range eagerPaths {
		if err := eagerCopies(ctx, b, r, p, []string{"written: ", "sent: "}[i]); err != nil {
			return nil, err
		}
	}
	return r, oneSidedCopies(ctx, b, r)
}

// eagerCopies counts what becomes of messages from one buffer on a path, before and after.
func eagerCopies(ctx context.Context, b *lab.Bench, r *lab.Result, p path, what string) error {
	on := b.Setups("IB2")[0]
	t := r.AddTable("Copies of 1000 messages of 4 KB from one buffer, "+p.name, "sender", "copied by the sender", "sent from the program's buffer", "copied later", "copied by the receiver", "copies per message")
	var per [2]float64
	for i, c := range []path{{"as before", copying}, {"with buffers used often", detecting}} {
		var sent *rail.Report
		var arrived uint64
		job := lab.Job{On: on, Ranks: 2, Settings: slices.Concat(p.settings, c.settings), Report: func(rank int, e engine.Counters, l *rail.Report) {
			if rank == 0 {
				sent, arrived = l, e.Expected+e.Unexpected
			}
		}}
		err := b.Run(ctx, job, func(k *measure.Rank) error {
			_, err := measure.PingPong(k, 4<<10, measure.Loops{Timed: 1000})
			return err
		})
		switch {
		case err != nil:
			return err
		case sent == nil:
			return fmt.Errorf("%w %s: nobody counts there", lab.ErrPlatform, on.On)
		}
		n := sent.Counters
		per[i] = float64(n.Copies+n.LateCopies)/float64(n.Copies+n.ZeroCopies) + 1
		t.Add(c.name, fmt.Sprint(n.Copies), fmt.Sprint(n.ZeroCopies), fmt.Sprint(n.LateCopies), fmt.Sprint(arrived), fmt.Sprintf("%.2f", per[i]))
	}
	r.Hold(lab.Structural,
		lab.Exactly(what+"copies per message as before", 2, per[0], ""),
		lab.Within(what+"copies per message with buffers used often", 1, per[1], 5, ""),
	)
	return nil
}

// oneSidedFlow counts the copies of Put and Get.
func oneSidedFlow(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.3")
	return r, oneSidedCopies(ctx, b, r)
}

// oneSidedCopies counts what becomes of operations on one buffer, before and after.
func oneSidedCopies(ctx context.Context, b *lab.Bench, r *lab.Result) error {
	on := b.Setups("IB2")[0]
	t := r.AddTable("Copies of 1000 operations of 4 KB on one buffer", "operation", "origin", "copied", "without a copy", "copies per operation")
	for _, a := range []measure.Access{measure.Put, measure.Get} {
		for i, name := range []string{"as before", "with buffers used often"} {
			var copied, lent int
			err := b.RunWires(ctx, lab.WireJob{On: on, Connections: 2, Slot: lengthiest}, func(w *measure.Wires) error {
				o, err := measure.NewOneSided(w, i == 1)
				if err != nil {
					return err
				}
				if _, err = o.Latency(a, 4<<10, measure.Loops{Timed: 1000}); err != nil {
					return err
				}
				if w.Lead {
					copied, lent = o.Copies, o.Lent
				}
				return o.Close()
			})
			if err != nil {
				return err
			}
			per := float64(copied) / float64(copied+lent)
			t.Add(a.String(), name, fmt.Sprint(copied), fmt.Sprint(lent), fmt.Sprintf("%.2f", per))
			if i == 0 {
				r.Hold(lab.Structural, lab.Exactly(a.String()+": copies as before", 1, per, ""))
			} else {
				r.Hold(lab.Structural, lab.Between(a.String()+": copies with buffers used often", 0, 0.05, per, ""))
			}
		}
	}
	return nil
}
