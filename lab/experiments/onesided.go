package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var putGetExperiment = lab.Experiment{
	ID: "F5.7",
	Explain: [2]string{
		"A Put, or a Get, and the fence that ends it, over and over with the same buffer: once through memory that the interface knows, with one copy, and once with the library noticing that the buffer is used often and having the interface work on it directly.",
		"A Put waits for its copy before anything leaves, so all of it is gained. A Get copies at its end, while the words of the fence are on their way already: what the copy takes longer than these can be gained. The word is posted behind the read, as the document has it (\"after initiating RDMA operations, a remote flag is set\"), and its end is seen soon after the data's; if it were posted when the data is here, the whole copy would hide behind it. The bars are for the document's library, which the first diagram plays at user level as the document describes it, with Weft's table of buffers and its cache of registrations. The second has Weft's own windows: there the copy of a Get ends before the fence tells anybody, so a Get gains as much as a Put, at all lengths.",
	},
	Run: putGet,
}

var putGetSpectrumExperiment = lab.Experiment{
	ID: "F5.8",
	Explain: [2]string{
		"Put and Get over many buffers of which some are used once and some very often, each on pages of its own.",
		"Buffers that are used seldom are copied all their life, and some are registered that never pay for it: less is gained than with one buffer. Of the document's thousand buffers every hundredth is used here. As in F5.7 the second diagram is that of Weft's own windows.",
	},
	Run: putGetSpectrum,
}

var collectiveReuseExperiment = lab.Experiment{
	ID:      "F5.9",
	Lengthy: true,
	Explain: [2]string{
		"Broadcast and scatter over binomial trees, each with a barrier after it, when short messages are copied and when they leave from buffers that are used often. Every process but the leaves of the tree sends, some several times from the same buffer. The trees are made of blocking messages, as in the document's library: the second message of the root leaves when the first has, and who passes blocks of a scatter on has them in memory that it takes for this call.",
		"A broadcast on four processes has a copy before each message on the way to the last process, so that more is gained than in a ping-pong. In a scatter the root hands the blocks of half the processes to one of them: two blocks above 4.5 KB are longer than the limit of short messages, travel by rendezvous, and there is no copy to save; nor is there when blocks are passed on, from memory that is another one each time. The second diagram has the same with Weft's own plans. There the root's messages leave side by side and share the interface piece by piece, so that the one with the longer way to go waits for the other: with copies the second was held back by its copy. That is why less is gained there from 6 KB on.",
	},
	Run: collectiveReuse,
}

// accesses measures operations of each size at user level, with and without a look at buffers.
func accesses(ctx context.Context, b *lab.Bench, a measure.Access, lend bool, sizes []int, one func(o *measure.OneSided, size int) (float64, error)) (*lab.Series, error) {
	line := &lab.Series{Name: a.String()}
	for _, size := range sizes {
		err := b.RunWires(ctx, lab.WireJob{On: b.Setups("IB2")[0], Connections: 2, Slot: lengthiest}, func(w *measure.Wires) error {
			o, err := measure.NewOneSided(w, lend)
			if err != nil {
				return err
			}
			us, err := one(o, size)
			if err != nil {
				return err
			}
			if w.Lead {
				line.Add(float64(size), us)
			}
			return o.Close()
		})
		if err != nil {
			return nil, err
		}
	}
	return line, nil
}

// accessGain is what is gained by looking at buffers.
func accessGain(ctx context.Context, b *lab.Bench, a measure.Access, sizes []int, one func(o *measure.OneSided, size int) (float64, error)) (*lab.Series, error) {
	copied, err := accesses(ctx, b, a, false, sizes, one)
	if err != nil {
		return nil, err
	}
	lent, err := accesses(ctx, b, a, true, sizes, one)
	if err != nil {
		return nil, err
	}
	return gain(a.String(), copied, lent), nil
}

// throughWindows is what is gained by looking at buffers in windows of MPI, whose operations the interface carries out.
func throughWindows(ctx context.Context, b *lab.Bench, a measure.Access, sizes []int, one func(o *measure.Windowed, size int) (float64, error)) (*lab.Series, error) {
	lines := [2]*lab.Series{{}, {}}
	for i, settings := range [][]string{copying, detecting} {
		job := lab.Job{On: b.Setups("IB2")[0], Ranks: 2, Settings: slices.Concat(settings, []string{"lab_reconnect=off", "lab_rma_put=0", "lab_rma_get=0", "lab_rma_copy=9K"})}
		for _, size := range sizes {
			err := b.Run(ctx, job, func(k *measure.Rank) error {
				o, err := measure.NewWindowed(k, size)
				if err != nil {
					return err
				}
				err = measure.Sweep(k, []int{size}, lines[i].Add, func(int) (float64, error) { return one(o, size) })
				return errors.Join(err, o.Close())
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return gain(a.String(), lines[0], lines[1]), nil
}

// always is one buffer, many times.
func always(b *lab.Bench, a measure.Access) func(o *measure.OneSided, size int) (float64, error) {
	return func(o *measure.OneSided, size int) (float64, error) { return o.Latency(a, size, accessLoops(b)) }
}

func accessLoops(b *lab.Bench) measure.Loops {
	if b.Quick() {
		return measure.Loops{Timed: 2_000}
	}
	return measure.Loops{Timed: 10_000}
}

func putGetSizes(b *lab.Bench) []int {
	if b.Quick() {
		return []int{256, 1 << 10, 2 << 10, 4 << 10, 8 << 10}
	}
	return []int{128, 256, 512, 1 << 10, 2 << 10, 3 << 10, 4 << 10, 5 << 10, 6 << 10, 7 << 10, 8 << 10}
}

func putGet(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.7")
	p, windows := r.AddPanel("Gain of Put and Get", lab.Bytes, gains), r.AddPanel("Gain of Put and Get through Weft's windows", lab.Bytes, gains)
	for _, a := range []measure.Access{measure.Put, measure.Get} {
		line, err := accessGain(ctx, b, a, putGetSizes(b), always(b, a))
		if err != nil {
			return nil, err
		}
		own, err := throughWindows(ctx, b, a, putGetSizes(b), func(o *measure.Windowed, size int) (float64, error) { return o.Latency(a, size, accessLoops(b)) })
		if err != nil {
			return nil, err
		}
		p.Series, windows.Series = append(p.Series, line), append(windows.Series, own)
	}
	p.ClaimAt("20%", lengthiest, 20)
	p.ClaimAt("17%", lengthiest, 17)
	put, get, zero := p.Line("Put"), p.Line("Get"), &lab.Series{Name: "no gain"}
	for _, x := range put.Points {
		zero.Add(x.X, 0)
	}
	r.Hold(lab.Prediction,
		lab.Within("8 KB: gain of Put", 20, put.At(lengthiest), 30, "%"),
		lossless("Put: a loss is allowed up to 256 B only", put.Between(257, lengthiest)),
		lab.Within("8 KB: gain of Get", 17, get.At(lengthiest), 35, "%"),
		above("8 KB: Put gains more than Get", put.At(lengthiest), get.At(lengthiest)),
		lab.Crossing("Get turns to a gain", get, zero, 1<<10, 4<<10),
		lab.AtMost("1 KB: gain of Get", 0, get.At(1<<10), "%").Since("the document says that Get loses up to 1 KB"))
	slow, err := accessGain(ctx, b, measure.Get, []int{lengthiest}, func(o *measure.OneSided, size int) (float64, error) {
		o.Slow = true
		return o.Latency(measure.Get, size, accessLoops(b))
	})
	r.Note("8 KB: gain of Get if the target is told only when the data is here", slow.At(lengthiest), "%")
	return r, err
}

func putGetSpectrum(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.8")
	p := r.AddPanel("Gain of Put and Get over a spectrum of use", lab.Bytes, gains)
	windows := r.AddPanel("Gain of Put and Get over a spectrum of use through Weft's windows", lab.Bytes, gains)
	uses := measure.Uses{Buffers: 10, Step: 100}
	for _, a := range []measure.Access{measure.Put, measure.Get} {
		line, err := accessGain(ctx, b, a, putGetSizes(b), func(o *measure.OneSided, size int) (float64, error) { return o.Spectrum(a, size, uses) })
		if err != nil {
			return nil, err
		}
		own, err := throughWindows(ctx, b, a, putGetSizes(b), func(o *measure.Windowed, size int) (float64, error) { return o.Spectrum(a, size, uses) })
		if err != nil {
			return nil, err
		}
		p.Series, windows.Series = append(p.Series, line), append(windows.Series, own)
		one, err := accessGain(ctx, b, a, []int{lengthiest}, always(b, a))
		if err != nil {
			return nil, err
		}
		r.Hold(lab.Prediction,
			above("8 KB: "+a.String()+" gains", line.At(lengthiest), 0),
			above("8 KB: "+a.String()+" gains less than with one buffer (F5.7)", one.At(lengthiest), line.At(lengthiest)))
	}
	return r, nil
}

// maker makes a rank's part of a collective operation.
type maker func(k *measure.Rank, op measure.Collective, size int) (*measure.Group, error)

// collectiveGain is what an operation gains on that many processes of four nodes.
func collectiveGain(ctx context.Context, b *lab.Bench, group maker, op measure.Collective, ranks int, sizes []int) (*lab.Series, error) {
	on, loops := b.Setups("IB2")[0], measure.Loops{Warmup: 40, Timed: 10_000}
	if b.Quick() {
		loops.Timed = 1000
	}
	var lines [2]*lab.Series
	for i, settings := range [][]string{copying, detecting} {
		lines[i] = &lab.Series{}
		job := placed(on, ranks)
		job.Settings = slices.Concat(settings, []string{"lab_reconnect=off"})
		for _, size := range sizes {
			err := b.Run(ctx, job, func(k *measure.Rank) error {
				return measure.Sweep(k, []int{size}, lines[i].Add, func(int) (float64, error) {
					g, err := group(k, op, size)
					if err != nil {
						return 0, err
					}
					return g.WithBarrier(loops)
				})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return gain(fmt.Sprintf("%s on %d", op, ranks), lines[0], lines[1]), nil
}

const sharply = "the document says that the gain decreases sharply above 4 KB, without a number"

func collectiveReuse(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F5.9")
	p := r.AddPanel("Gain of collectives", lab.Bytes, gains)
	r.AddPanel("Gain of Weft's own plans", lab.Bytes, gains)
	sizes := []int{512, 1 << 10, 2 << 10, 4 << 10, 5 << 10, 6 << 10, 8 << 10}
	if b.Quick() {
		sizes = []int{1 << 10, 4 << 10, 5 << 10, 8 << 10}
	}
	for _, op := range []measure.Collective{measure.Bcast, measure.Scatter} {
		for _, ranks := range []int{4, 16} {
			for i, group := range []maker{measure.NewTree, measure.NewGroup} {
				line, err := collectiveGain(ctx, b, group, op, ranks, sizes)
				if err != nil {
					return nil, err
				}
				r.Panels[i].Series = append(r.Panels[i].Series, line)
			}
		}
	}
	pingPong, err := oneBuffer(ctx, b, b.Setups("IB2")[0])
	if err != nil {
		return nil, err
	}
	r.Note("gain of a ping-pong at 8 KB", pingPong, "%")
	p.ClaimAt("25%", lengthiest, 25)
	bcast, scatter := p.Line("bcast on 4"), p.Line("scatter on 4")
	r.Hold(lab.Prediction,
		lab.Within("8 KB: gain of bcast on 4", 25, bcast.At(lengthiest), 35, "%"),
		above("8 KB: bcast on 4 gains more than a ping-pong", bcast.At(lengthiest), pingPong),
		above("8 KB: bcast on 4 gains more than on 16", bcast.At(lengthiest), p.Line("bcast on 16").At(lengthiest)),
		above("4 KB: scatter on 4 gains more than on 16", scatter.At(4<<10), p.Line("scatter on 16").At(4<<10)),
		lab.AtMost("scatter on 4: gain at 5 KB, of that at 4 KB", 1.0/3, scatter.At(5<<10)/scatter.At(4<<10), "times").Since(sharply),
		lab.AtMost("scatter on 4: gain at 8 KB, of that at 4 KB", 1.0/3, scatter.At(8<<10)/scatter.At(4<<10), "times").Since(sharply))
	return r, nil
}
