package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// rival is an algorithm of a figure: its name there, that of this library, and the settings that it runs with.
type rival struct {
	name, algorithm string
	settings        []string
	most            int // longest block that it is used for; 0: any
}

// The document's own algorithms write over the network also within a node. Those of the library of Quadrics use shared memory
// there, and one rail only: the document measured that (F3.4). Where they send tagged messages, these are cut over both.
var (
	onlyNetwork = []string{"links=rail"}
	oneRail     = []string{"rails=1"}
	tagged      []string
)

// forced are the settings of a rival's job.
func (v rival) forced() []string {
	return slices.Concat(v.settings, []string{"coll=" + strings.Replace(v.algorithm, "/", "=", 1)})
}

// placed is ranks on the four nodes of a platform, evenly.
func placed(on lab.Setup, ranks int) lab.Job {
	return lab.Job{On: on, Ranks: ranks, PerNode: max(ranks/4, 1)}
}

// collectiveLine measures an operation with one algorithm over sizes.
func collectiveLine(ctx context.Context, b *lab.Bench, job lab.Job, op measure.Collective, v rival, sizes []int, add func(size, us float64)) error {
	job.Settings = slices.Concat(job.Settings, v.forced())
	if v.most > 0 {
		sizes = slices.DeleteFunc(slices.Clone(sizes), func(size int) bool { return size > v.most })
	}
	return b.Run(ctx, job, func(k *measure.Rank) error {
		return measure.Sweep(k, sizes, add, func(size int) (float64, error) {
			g, err := measure.NewGroup(k, op, size)
			if err != nil {
				return 0, err
			}
			return g.Slowest(measure.Loops{Warmup: 12, Timed: 4})
		})
	})
}

// contest draws an operation with several algorithms, over sizes on 16 processes and over processes at some sizes.
type contest struct {
	id, machine string
	op          measure.Collective
	rivals      []rival
	sizes       []int // all, and those that the bars need
	quick       []int
	scaled      []int // sizes of the panels over processes
	bars        func(r *lab.Result, p *lab.Panel)
}

// run measures everything.
func (c contest) run(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(c.id)
	on := b.Setups(c.machine)[0]
	p := r.AddPanel(fmt.Sprintf("%s on 16 processes", c.op), lab.Bytes, lab.Microseconds)
	sizes := c.sizes
	if b.Quick() {
		sizes = c.quick
	}
	for _, v := range c.rivals {
		if err := collectiveLine(ctx, b, placed(on, 16), c.op, v, sizes, p.Line(v.name).Add); err != nil {
			return nil, err
		}
	}
	if err := c.scale(ctx, b, r, on); err != nil {
		return nil, err
	}
	c.bars(r, p)
	return r, nil
}

// scale adds the panels over processes.
func (c contest) scale(ctx context.Context, b *lab.Bench, r *lab.Result, on lab.Setup) error {
	panels := map[float64]*lab.Panel{}
	for _, size := range c.scaled {
		panels[float64(size)] = r.AddPanel(fmt.Sprintf("%s of %s", c.op, sizeName(size)), processAxis, lab.Microseconds)
	}
	for _, v := range c.rivals {
		for _, ranks := range []int{4, 8, 16} {
			add := func(size, us float64) { panels[size].Line(v.name).Add(float64(ranks), us) }
			if len(c.scaled) > 0 {
				if err := collectiveLine(ctx, b, placed(on, ranks), c.op, v, c.scaled, add); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

var processAxis = lab.Axis{Label: "processes"}

// fastest names the line that is lowest at a place.
func fastest(p *lab.Panel, x float64) string {
	name, least := "", math.Inf(1)
	for _, s := range p.Series {
		if us := s.At(x); us < least { // a line that ends before has no value
			name, least = s.Name, us
		}
	}
	return name
}

const (
	elan      = "elan"
	direct    = "Direct"
	bruck     = "Bruck"
	exchange  = "Standard Exchange"
	binomial  = "binomial tree"
	smpBruck  = "SMP Bruck"
	smpDirect = "SMP Direct"
	smpGather = "SMP gather and broadcast"
)

// doubled are the powers of two from low to high.
func doubled(low, high int) (sizes []int) {
	for s := low; s <= high; s *= 2 {
		sizes = append(sizes, s)
	}
	return sizes
}

var scatterExperiment = lab.Experiment{
	ID: "002.F3.8",
	Explain: [2]string{
		"Scatter with two ports: down a tree in which everybody hands on the blocks of those below it, two messages at a time, or straight from the root, two at a time. The tree needs fewer steps, the direct way fewer bytes.",
		"So the tree wins for short blocks and the direct way for long ones, more so with more processes. Both write over the network, also within a node, and longer messages are cut over both rails. That the tree wins for the shortest blocks is an input: what the interface takes per message was chosen for it.",
	},
	Run: contest{id: "002.F3.8", machine: "QS", op: measure.Scatter,
		rivals: []rival{{binomial, "scatter/knomial@2", onlyNetwork, 0}, {direct, "scatter/direct@2", onlyNetwork, 0}},
		sizes:  doubled(4, 64<<10), quick: []int{16, 256, 1 << 10, 4 << 10, 64 << 10}, scaled: []int{16, 64 << 10},
		bars: func(r *lab.Result, p *lab.Panel) {
			tree, straight := p.Line(binomial), p.Line(direct)
			r.Hold(lab.Crossing("the tree is faster up to a crossing", tree, straight, 256, 8<<10),
				lab.AtLeast("Direct at 64 KB, times faster", 1.2, tree.At(64<<10)/straight.At(64<<10), "times"))
		}}.run,
}

var gatherExperiment = lab.Experiment{
	ID: "002.F3.9",
	Explain: [2]string{
		"Gather up a tree with two ports, against that of the library of Quadrics: up to 2 KB through shared memory and a tree of nodes, up to 4 KB a tree of all processes with one port, then tagged messages to the root.",
		"Up to 4 KB, where this figure ends, the native one writes over one rail. The two ports win where the bytes count. For the shortest blocks shared memory wins: a write within a node goes through the interface and costs as much as one between nodes.",
	},
	Run: contest{id: "002.F3.9", machine: "QS", op: measure.Gather,
		rivals: []rival{{binomial, "gather/knomial@2", onlyNetwork, 0}, {elan, "gather/elan", oneRail, 0}},
		sizes:  doubled(4, 4<<10), quick: []int{4, 64, 512, 4 << 10}, scaled: []int{16, 4 << 10},
		bars: func(r *lab.Result, p *lab.Panel) {
			ours, native := p.Line(binomial), p.Line(elan)
			p.ClaimAt("2.15 times", 4<<10, native.At(4<<10)/2.15)
			_, best := native.Between(4, 512).Over(ours.Between(4, 512)).Min()
			r.Hold(lab.AtLeast("at 4 KB, times faster than elan_gather", 1.5, native.At(4<<10)/ours.At(4<<10), "times"),
				lab.AtMost("elan_gather over ours where it is best, up to 512 B", 1, best, "times"))
		}}.run,
}

var allgatherExperiment = lab.Experiment{
	ID: "002.F3.10",
	Explain: [2]string{
		"Three allgathers with two ports, all over the network, against that of the library of Quadrics: gather, through shared memory for short blocks, and then a broadcast, and from 32 KB a ring.",
		"Bruck's algorithm has the fewest steps, Direct moves every block once. Standard Exchange has as few steps as Bruck's if the number of processes is a power of three, else two more: it suffers with 16 and not with 9. The document's summary has Direct ahead from 1 KB, its text from 2 KB on.",
	},
	Run: allgathers,
}

var nativeAllgather = rival{elan, "allgather/elan", oneRail, 0}

func allgathers(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	c := contest{id: "002.F3.10", machine: "QS", op: measure.Allgather,
		rivals: []rival{{direct, "allgather/direct@2", onlyNetwork, 0}, {exchange, "allgather/exchange@2", onlyNetwork, 0}, {bruck, "allgather/bruck@2", onlyNetwork, 0}, nativeAllgather},
		sizes:  doubled(4, 64<<10), quick: []int{4, 256, 2 << 10, 32 << 10}, scaled: []int{16, 32 << 10}, bars: allgatherBars}
	r, err := c.run(ctx, b)
	if err != nil {
		return nil, err
	}
	nine := r.AddPanel("allgather on 9 processes", lab.Bytes, lab.Microseconds)
	for _, v := range c.rivals[1:3] {
		job := lab.Job{On: b.Setups("QS")[0], Ranks: 9, PerNode: 3}
		if err := collectiveLine(ctx, b, job, c.op, v, []int{64, 1 << 10, 4 << 10}, nine.Line(v.name).Add); err != nil {
			return nil, err
		}
	}
	r.Hold(lab.AtMost("Standard Exchange over Bruck on 9 processes at 4 KB", 1, nine.Line(exchange).At(4<<10)/nine.Line(bruck).At(4<<10), "times"))
	return r, nil
}

func allgatherBars(r *lab.Result, p *lab.Panel) {
	native := p.Line(elan)
	p.ClaimAt("1.49 times", 32<<10, native.At(32<<10)/1.49)
	r.Hold(lab.AtLeast("Direct at 32 KB, times faster than elan_gather", 1.25, native.At(32<<10)/p.Line(direct).At(32<<10), "times"),
		lab.AtLeast("Standard Exchange over Bruck on 16 processes at 256 B", 1, p.Line(exchange).At(256)/p.Line(bruck).At(256), "times"),
		lab.Holds("Bruck is the best of the three at 4 B", bruck, fastestOf(p, 4, direct, exchange, bruck), fastestOf(p, 4, direct, exchange, bruck) == bruck))
	for _, size := range []float64{4, 256, 2 << 10} {
		r.Hold(lab.Holds("best at "+sizeName(int(size)), elan, fastest(p, size), fastest(p, size) == elan))
	}
}

// fastestOf is fastest among some lines.
func fastestOf(p *lab.Panel, x float64, names ...string) string {
	best := names[0]
	for _, name := range names {
		if p.Line(name).At(x) < p.Line(best).At(x) {
			best = name
		}
	}
	return best
}

var alltoallExperiment = lab.Experiment{
	ID: "002.F3.11",
	Explain: [2]string{
		"Three alltoalls with two ports, all over the network, against that of the library of Quadrics, of which the document says only that it has one port and is good for short blocks: here it is Direct with one port, through shared memory within a node.",
		"Direct with two ports sends two messages per step where the native one sends one, which is why it wins from some hundred bytes on. The shortest blocks are better off in shared memory.",
	},
	Run: contest{id: "002.F3.11", machine: "QS", op: measure.Alltoall,
		rivals: []rival{{direct, "alltoall/direct@2", onlyNetwork, 0}, {exchange, "alltoall/exchange@2", onlyNetwork, 0}, {bruck, "alltoall/bruck@2", onlyNetwork, 0}, {elan, "alltoall/elan", oneRail, 0}},
		sizes:  doubled(4, 64<<10), quick: []int{4, 128, 512, 2 << 10, 16 << 10}, scaled: []int{16, 2 << 10},
		bars: func(r *lab.Result, p *lab.Panel) {
			native := p.Line(elan)
			p.ClaimAt("2.26 times", 2<<10, native.At(2<<10)/2.26)
			r.Hold(lab.AtLeast("Direct at 2 KB, times faster than elan_alltoall", 1.5, native.At(2<<10)/p.Line(direct).At(2<<10), "times"))
			for _, size := range []float64{4, 128, 512} {
				r.Hold(lab.Holds("best at "+sizeName(int(size)), elan, fastest(p, size), fastest(p, size) == elan))
			}
		}}.run,
}

var smpAllgatherExperiment = lab.Experiment{
	ID: "002.F4.5",
	Explain: [2]string{
		"Allgathers that know which processes share a node: gather and broadcast, Direct among nodes and Bruck among nodes, each with the blocks of a node collected in its memory first. Against them Direct among all processes, and the library of Quadrics.",
		"The fewer bytes, the more the number of messages counts: gather and broadcast has the fewest, Bruck among nodes has few steps, Direct moves every block only once and copies nothing. As in the document, shared memory is used for blocks up to 8 KB; were it used beyond, the model would have Direct among nodes ahead of Direct among all, for a node of four then sends a quarter of the bytes.",
	},
	Run: contest{id: "002.F4.5", machine: "QS", op: measure.Allgather, rivals: smpAllgathers,
		sizes: doubled(4, 64<<10), quick: []int{4, 64, 256, 512, 4 << 10, 8 << 10, 16 << 10, 32 << 10}, bars: smpBars}.run,
}

// smpMost is the longest block for which the document uses shared memory.
const smpMost = 8 << 10

var smpAllgathers = []rival{{smpGather, "allgather/smp_gather_bcast", nil, smpMost}, {smpDirect, "allgather/smp_direct@2", nil, smpMost}, {smpBruck, "allgather/smp_bruck@2", nil, smpMost},
	{direct, "allgather/direct@2", onlyNetwork, 0}, nativeAllgather}

func smpBars(r *lab.Result, p *lab.Panel) {
	native := p.Line(elan)
	p.ClaimAt("1.96 times", 4<<10, native.At(4<<10)/1.96)
	for _, c := range []struct {
		want string
		at   []float64
	}{{smpGather, []float64{64, 256}}, {smpBruck, []float64{512, 4 << 10}}, {direct, []float64{16 << 10, 32 << 10}}} {
		for _, x := range c.at {
			r.Hold(lab.Holds("best at "+sizeName(int(x)), c.want, fastest(p, x), fastest(p, x) == c.want))
		}
	}
	r.Hold(lab.AtLeast("SMP Bruck at 4 KB, times faster than elan_gather", 1.5, native.At(4<<10)/p.Line(smpBruck).At(4<<10), "times"),
		lab.AtLeast("Direct at 32 KB, times faster than elan_gather", 1.25, native.At(32<<10)/p.Line(direct).At(32<<10), "times"))
}

var smpScaleExperiment = lab.Experiment{
	ID: "002.F4.6",
	Explain: [2]string{
		"The same allgathers on 4, 8 and 16 processes of four nodes: one, two and four per node.",
		"With one process per node there is nothing to share, and the algorithms for nodes are those for processes. What wins on 16 should not lose on 8.",
	},
	Run: smpScale,
}

func smpScale(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	c := contest{id: "002.F4.6", machine: "QS", op: measure.Allgather, rivals: smpAllgathers, sizes: nil, scaled: []int{64, 4 << 10, 32 << 10},
		bars: func(*lab.Result, *lab.Panel) {}}
	r := b.NewResult(c.id)
	if err := c.scale(ctx, b, r, b.Setups("QS")[0]); err != nil {
		return nil, err
	}
	for i, size := range c.scaled {
		p := r.Panels[i]
		best := fastest(p, 16)
		r.Hold(lab.AtLeast(fmt.Sprintf("%s: the best on 16 is no slower than elan_gather on 8", sizeName(size)), 1, p.Line(elan).At(8)/p.Line(best).At(8), "times"))
	}
	return r, nil
}
