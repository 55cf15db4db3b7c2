package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var userLatencyExperiment = lab.Experiment{
	ID: "F3.1",
	Explain: [2]string{
		"Half the time of a remote write there and back without MPI: the target looks at its memory until the last byte has changed. It is what the interfaces, the bus and the switch take by themselves, and everything that MPI adds comes on top.",
		"The second diagram has both processes on one node. On InfiniBand and iWARP they talk through the interface all the same, which saves only the switch; Myrinet's library uses shared memory, which is why its line lies far below.",
	},
	Run: userLatency,
}

var userBandwidthExperiment = lab.Experiment{
	ID: "F3.2",
	Explain: [2]string{
		"Two processes write to each other at the same time, with many writes on their way. InfiniBand and iWARP come near their limit with 4 KB messages already.",
		"Myrinet's library changes its protocol at 64 KB: shorter messages are moved by its slower path, which shows as a jump.",
	},
	Run: userBandwidth,
}

var connectionLatencyExperiment = lab.Experiment{
	ID: "F3.6",
	Explain: [2]string{
		"One process sends a message over each of n connections, and the other answers each. The time per message falls with n as far as the interface works on several at once.",
		"Short messages gain up to 16 connections on InfiniBand and iWARP. From a few kilobytes on the bus or the wire is busy all the time, and more connections change nothing.",
	},
	Run: connectionLatency,
}

var connectionBandwidthExperiment = lab.Experiment{
	ID: "F3.7",
	Explain: [2]string{
		"The same connections with many messages on their way in both directions. What one connection leaves idle, others use.",
		"With 64 KB messages one connection saturates InfiniBand and iWARP. Myrinet stays below two thirds of its link with many endpoints.",
	},
	Run: connectionBandwidth,
}

var registrationExperiment = lab.Experiment{
	ID: "F3.10",
	Explain: [2]string{
		"What it costs to register memory with an interface, and to take it back, against its size. Pages have to be pinned and written into the interface's tables, so long buffers cost more.",
		"On iWARP taking back is cheap and hardly depends on size. On InfiniBand it is the dearer half for small buffers, which is why libraries put it off.",
	},
	Run: registration,
}

// userLevel sweeps remote writes between two processes and adds half round trips to a line.
func userLevel(ctx context.Context, b *lab.Bench, on lab.Setup, sameNode bool, line *lab.Series) error {
	job := lab.WireJob{On: on, Connections: 1, Slot: 1 << 20, SameNode: sameNode}
	return b.RunWires(ctx, job, func(w *measure.Wires) error {
		for _, size := range latencySizes(b) {
			half, err := measure.WriteLatency(w, size, 1, measure.Loops{Warmup: 2, Timed: b.Often(16)})
			if err != nil {
				return err
			}
			if w.Lead {
				line.Add(float64(size), half)
			}
		}
		return nil
	})
}

func userLatency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.1")
	inter, intra := r.AddPanel("Between nodes", lab.Bytes, lab.Microseconds), r.AddPanel("Within a node", lab.Bytes, lab.Microseconds)
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		if err := userLevel(ctx, b, on, false, inter.Line(on.Label)); err != nil {
			return nil, err
		}
		var err error
		if on.Label == myrinet { // its library talks through shared memory
			err = pingPongs(ctx, b, lab.Job{On: on, Ranks: 2, PerNode: 2}, intra.Line(on.Label))
		} else {
			err = userLevel(ctx, b, on, true, intra.Line(on.Label))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, c := range []struct {
		on    string
		paper float64
	}{{iWARP, 6.6}, {infiniBand, 1.2}, {myrinet, 2.9}} {
		inter.ClaimAt("", 1, c.paper)
		r.Hold(lab.Input, lab.Within("latency on "+c.on+" at 1 B", c.paper, inter.Line(c.on).At(1), 5, "us"))
		share := intra.Line(c.on).At(1) / inter.Line(c.on).At(1)
		if c.on == myrinet {
			r.Hold(lab.Prediction, lab.AtMost("within a node over between nodes on "+c.on, 0.5, share, "times").Since("the document says only that shared memory is used"))
		} else {
			r.Hold(lab.Prediction, lab.Between("within a node over between nodes on "+c.on, 0.7, 1, share, "times"))
		}
	}
	return r, nil
}

// streamed fills a line with both-way bandwidths over connections in turn.
func streamed(ctx context.Context, b *lab.Bench, on lab.Setup, connections int, sizes []int, add func(size int, rate float64)) error {
	job := lab.WireJob{On: on, Connections: connections, Slot: sizes[len(sizes)-1]}
	return b.RunWires(ctx, job, func(w *measure.Wires) error {
		for _, size := range sizes {
			rate, err := measure.WriteBandwidth(w, size, connections, measure.Window, streamLoops(b, size).Timed*measure.Window)
			if err != nil {
				return err
			}
			if w.Lead {
				add(size, rate)
			}
		}
		return nil
	})
}

func userBandwidth(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.2")
	p := r.AddPanel("User-level bandwidth, both ways", lab.Bytes, lab.Megabytes)
	sizes := b.Sizes(64, 1<<20)
	if b.Quick() {
		sizes = []int{64, 4 << 10, 32 << 10, 64 << 10, 256 << 10, 1 << 20}
	}
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		line := p.Line(on.Label)
		if err := streamed(ctx, b, on, 1, sizes, func(size int, rate float64) { line.Add(float64(size), rate) }); err != nil {
			return nil, err
		}
	}
	for _, c := range []struct {
		on    string
		paper float64
	}{{iWARP, 2200}, {infiniBand, 3100}, {myrinet, 2300}} {
		p.ClaimAt("", 1<<20, c.paper)
		line := p.Line(c.on)
		_, most := line.Max()
		r.Hold(lab.Input, lab.Within("plateau on "+c.on, c.paper, line.At(1<<20), 5, "MB/s"))
		if c.on != myrinet {
			r.Hold(lab.Fitted, lab.Between("4 KB over the plateau on "+c.on, 0.85, 1, line.At(4<<10)/most, "times").By("rest_bytes"))
		}
	}
	mx := p.Line(myrinet)
	r.Hold(lab.Fitted, lab.AtLeast("Myrinet, 64 KB over 32 KB", 1.3, mx.At(64<<10)/mx.At(32<<10), "times").By("medium_bytes", "medium_mb_s").Since("the document says that there is a jump, without a number"))
	r.Hold(lab.Prediction, lab.AtMost("Myrinet, 256 KB, of the link: still far from it", 0.70, mx.At(256<<10)/myrinetLink, "times").
		Since("the document says that Myrinet is slowly saturated, and that one connection moves 256 KB messages at no more than two thirds of the link (F3.7), almost as here"))
	return r, nil
}

// mostConnections is how many connections a network's library allows.
func mostConnections(on lab.Setup) int {
	if on.Label == myrinet {
		return 15
	}
	return 16
}

// counts are the numbers of connections of a figure, up to a most.
func counts(most int) []int {
	all := []int{1, 2, 4, 8}
	return append(all, most)
}

var connectionAxis = lab.Axis{Label: "connections"}

func connectionLatency(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.6")
	sizes := []int{8, 256, 1 << 10, 2 << 10, 4 << 10, 16 << 10}
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		p := r.AddPanel("Latency over connections, "+on.Label, connectionAxis, lab.Axis{Label: "time, of one connection", Unit: "times"})
		if err := connectionSweep(ctx, b, on, sizes, counts(mostConnections(on)), 16, p); err != nil {
			return nil, err
		}
		holdConnections(r, on.Label, float64(mostConnections(on)), p)
	}
	return r, nil
}

// holdConnections holds one network. The document has InfiniBand and iWARP flat above 2 KB; Myrinet, at any
// size, gains up to 4 connections and no further.
func holdConnections(r *lab.Result, label string, most float64, p *lab.Panel) {
	switch label {
	case myrinet:
		worst := 0.0
		for _, line := range p.Series {
			worst = max(worst, line.At(4))
			r.Hold(lab.Fitted, lab.Within("Myrinet, "+line.Name+": 15 connections as 4", line.At(4), line.At(most), 10, "times").By("slots", "slot_us", "slot_us_per_kb"))
		}
		r.Hold(lab.Prediction, lab.AtMost("Myrinet, the size that gains least: 4 connections over one", 0.85, worst, "times").
			Since("the document says that the latency of all sizes decreases well up to four connections, without a number"))
	case iWARP, infiniBand:
		r.Hold(lab.Fitted, lab.AtMost("8 B over 16 connections on "+label, 0.5, p.Line(sizeName(8)).At(most), "times").By("slots", "contexts").Since("the document says that it decreases up to 16 connections, without a number"))
		for _, size := range []int{4 << 10, 16 << 10} {
			r.Hold(lab.Fitted, lab.Flat(sizeName(size)+" is flat on "+label, p.Line(sizeName(size)), 15).By("serial_us", "long_bytes"))
		}
	}
}

// connectionSweep adds one line per size over numbers of connections, of which one is the first, relative
// to it. So many rounds are timed.
func connectionSweep(ctx context.Context, b *lab.Bench, on lab.Setup, sizes, counts []int, timed int, p *lab.Panel) error {
	job := lab.WireJob{On: on, Connections: counts[len(counts)-1], Slot: sizes[len(sizes)-1]}
	return b.RunWires(ctx, job, func(w *measure.Wires) error {
		for _, size := range sizes {
			alone := 0.0
			for _, n := range counts {
				each, err := measure.WriteLatency(w, size, n, measure.Loops{Warmup: 2, Timed: b.Often(timed)})
				if err != nil {
					return err
				}
				if n == 1 {
					alone = each
				}
				if w.Lead {
					p.Line(sizeName(size)).Add(float64(n), each/alone)
				}
			}
		}
		return nil
	})
}

// sizeName is the name of a line about one message size.
func sizeName(size int) string {
	if size >= 1<<10 {
		return fmt.Sprintf("%d KB", size>>10)
	}
	return fmt.Sprintf("%d B", size)
}

func connectionBandwidth(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.7")
	sizes := []int{256, 2 << 10, 64 << 10, 256 << 10}
	for _, on := range b.Setups("IW1", "IB1", "MX1") {
		p := r.AddPanel("Bandwidth over connections, "+on.Label, connectionAxis, lab.Megabytes)
		for _, n := range counts(mostConnections(on)) {
			err := streamed(ctx, b, on, n, sizes, func(size int, rate float64) { p.Line(sizeName(size)).Add(float64(n), rate) })
			if err != nil {
				return nil, err
			}
		}
		if on.Label == myrinet {
			holdMyrinetRates(r, p.Line(sizeName(256<<10)))
			continue
		}
		line := p.Line(sizeName(64 << 10))
		_, most := line.Max()
		r.Hold(lab.Prediction, lab.Between("64 KB over one connection, of the most, on "+on.Label, 0.95, 1, line.At(1)/most, "times"))
	}
	return r, nil
}

// myrinetLink is what the Myrinet link carries both ways, in MB/s.
const myrinetLink = 2500

// holdMyrinetRates: two thirds of the link with any number of connections, and a little more with two than with one.
func holdMyrinetRates(r *lab.Result, line *lab.Series) {
	r.Hold(lab.Fitted, lab.Between("Myrinet, 256 KB over 15 connections, of the link", 0.5, 0.70, line.At(15)/myrinetLink, "times").By("long_us"))
	r.Hold(lab.Prediction,
		lab.AtMost("Myrinet, 256 KB over one connection, of the link", 0.70, line.At(1)/myrinetLink, "times").Since("the document says no more than two thirds, with any number of endpoints"),
		lab.Between("Myrinet, 256 KB: two connections over one", 1, 1.35, line.At(2)/line.At(1), "times"),
	)
}

func registration(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("F3.10")
	for _, on := range b.Setups("IW1", "IB1") {
		p := r.AddPanel("Registration, "+on.Label, lab.Bytes, lab.Microseconds)
		on1, off := p.Line("register"), p.Line("deregister")
		if !on.On.Virtual() {
			if err := hostRegistration(ctx, b, on1, off); err != nil {
				return nil, err
			}
			r.Hold(lab.Fitted, registrationBars(on.Label, on1, off)[0].Because("the software interface pins no pages"))
			continue
		}
		err := b.RunWires(ctx, lab.WireJob{On: on, Connections: 1, Slot: 8}, func(w *measure.Wires) error {
			for _, size := range b.Sizes(4<<10, 1<<20) {
				if !w.Lead {
					return nil
				}
				cost, err := measure.Register(w, size, measure.Loops{Warmup: 1, Timed: 4})
				if err != nil {
					return err
				}
				on1.Add(float64(size), cost.Register)
				off.Add(float64(size), cost.Deregister)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		r.Hold(lab.Fitted, registrationBars(on.Label, on1, off)...)
	}
	return r, nil
}

func registrationBars(label string, register, deregister *lab.Series) []lab.Check {
	const small, large = 4 << 10, 1 << 20
	const words = "the document gives the order in words, without numbers"
	bars := []lab.Check{lab.AtLeast("registering 1 MB over 4 KB on "+label, 3, register.At(large)/register.At(small), "times").By("register_us", "register_page_us").Since(words)}
	if label == infiniBand {
		return append(bars,
			lab.AtLeast("InfiniBand, 4 KB: deregistering is dearer", 1, deregister.At(small)/register.At(small), "times").By("deregister_us").Since(words),
			lab.AtLeast("InfiniBand, 1 MB: registering is much dearer", 2, register.At(large)/deregister.At(large), "times").By("register_page_us", "deregister_page_us").Since(words))
	}
	return append(bars,
		lab.AtLeast(label+", 4 KB: registering is dearer", 1, register.At(small)/deregister.At(small), "times").By("deregister_us").Since(words),
		lab.Flat(label+": deregistering is flat", deregister, 20).By("deregister_page_us"))
}
