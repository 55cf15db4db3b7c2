package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

const (
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
		"So the tree wins for short blocks and the direct way for long ones, more so with more processes. Both write over the network, also within a node, and longer messages are cut over both rails. A step has ended when the interfaces of its receivers have everything.",
	},
	Run: contest{id: "002.F3.8", machine: "QS", op: measure.Scatter,
		rivals: []rival{{name: binomial, algorithm: "scatter/knomial@2", settings: onlyNetwork, puts: true}, {name: direct, algorithm: "scatter/direct@2", settings: onlyNetwork, puts: true}},
		sizes:  doubled(4, 64<<10), quick: []int{16, 256, 1 << 10, 4 << 10, 64 << 10}, scaled: []int{16, 64 << 10},
		bars: func(r *lab.Result, p *lab.Panel) {
			tree, straight := p.Line(binomial), p.Line(direct)
			r.Hold(lab.Fitted, lab.Crossing("the tree is faster up to a crossing", tree, straight, 256, 8<<10).By("slot_us"))
			r.Hold(lab.Prediction, lab.AtLeast("Direct at 64 KB, times faster", 1.2, tree.At(64<<10)/straight.At(64<<10), "times").Since("the document says much better, without a number"))
		}}.run,
}

var gatherExperiment = lab.Experiment{
	ID: "002.F3.9",
	Explain: [2]string{
		"Gather up a tree with two ports, against that of the library of Quadrics: up to 2 KB through shared memory and a tree of nodes, up to 4 KB a tree of all processes with one port, then tagged messages to the root.",
		"Up to 4 KB, where this figure ends, the native one writes over one rail, and its interfaces begin by themselves what waits for other writes (chains), for which they need longer than a host would. The two ports win where the bytes count. For the shortest blocks shared memory wins: a write within a node goes through the interface and costs as much as one between nodes.",
	},
	Run: contest{id: "002.F3.9", machine: "QS", op: measure.Gather,
		rivals: []rival{{name: binomial, algorithm: "gather/knomial@2", settings: onlyNetwork, puts: true}, nativeGather},
		sizes:  doubled(4, 4<<10), quick: []int{4, 64, 128, 256, 512, 1 << 10, 4 << 10}, scaled: []int{16, 4 << 10},
		bars: func(r *lab.Result, p *lab.Panel) {
			ours, native := p.Line(binomial), p.Line(elan)
			p.ClaimAt("2.15 times", 4<<10, native.At(4<<10)/2.15)
			_, best := native.Between(4, 512).Over(ours.Between(4, 512)).Min()
			r.Hold(lab.Prediction, lab.Within("at 4 KB, times faster than elan_gather", 2.15, native.At(4<<10)/ours.At(4<<10), 35, "times").Says("2.15"),
				lab.Between("elan_gather over ours where it is best, up to 512 B: slightly ahead", 0.65, 1, best, "times").Says("slightly"),
				lab.Crossing("elan_gather is faster up to a crossing", native, ours, 256, 1<<10).Says("slightly"))
		}}.run,
}

var allgatherExperiment = lab.Experiment{
	ID:      "002.F3.10",
	Lengthy: true,
	Explain: [2]string{
		"Three allgathers with two ports, all over the network, against that of the library of Quadrics: gather, through shared memory for short blocks, and then a broadcast, and from 32 KB a ring.",
		"Bruck's algorithm has the fewest steps, Direct moves every block once. Standard Exchange has as few steps as Bruck's if the number of processes is a power of three, else two more: it suffers with 16 and not with 9. The document's summary has Direct ahead from 1 KB, its text from 2 KB on. With which broadcast the native one ends beyond 2 KB is not told: both readings are drawn.",
	},
	Run: allgathers,
}

func allgathers(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	c := contest{id: "002.F3.10", machine: "QS", op: measure.Allgather,
		rivals: append([]rival{{name: direct, algorithm: "allgather/direct@2", settings: onlyNetwork, puts: true}, {name: exchange, algorithm: "allgather/exchange@2", settings: onlyNetwork, puts: true}, {name: bruck, algorithm: "allgather/bruck@2", settings: onlyNetwork, puts: true}}, nativeAllgathers...),
		sizes:  doubled(4, 64<<10), quick: []int{4, 256, 2 << 10, 4 << 10, 32 << 10}, scaled: []int{16, 32 << 10}, bars: allgatherBars}
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
	r.Hold(lab.Prediction, lab.AtMost("Standard Exchange over Bruck on 9 processes at 4 KB", 1, nine.Line(exchange).At(4<<10)/nine.Line(bruck).At(4<<10), "times").Says("Standard Exchange").Since("the document says better, without a number"))
	return r, nil
}

func allgatherBars(r *lab.Result, p *lab.Panel) {
	three := []string{direct, exchange, bruck}
	overNative(r, p, nativeAllgathers, direct, 32<<10, 1.49, "1.49")
	r.Hold(lab.Prediction, lab.AtLeast("Standard Exchange over Bruck on 16 processes at 256 B", 1, p.Line(exchange).At(256)/p.Line(bruck).At(256), "times").Says("Standard Exchange").Since("the document says penalty, without a number"),
		lab.Holds("Bruck is the best of the three at 4 B", bruck, fastestOf(p, 4, three...), fastestOf(p, 4, three...) == bruck).Says("Bruck"))
	winner(r, p, nativeAllgathers[:1], elan, three, "native best", 4, 256, 2<<10) // both readings are one up to there
	winner(r, p, nativeAllgathers, direct, three, "1.49", 4<<10, 32<<10)
}

var alltoallExperiment = lab.Experiment{
	ID: "002.F3.11",
	Explain: [2]string{
		"Three alltoalls with two ports, all over the network, against that of the library of Quadrics, of which the document says only that it has one port and is good for short blocks. It is drawn in two readings: Direct with one port, as all that is told, and with blocks up to 2 KB through the memory of nodes, as in the library's gather.",
		"Direct with two ports sends two messages per step where the native one sends one, which is why it wins from some hundred bytes on. Only in shared memory can the shortest blocks be better off: with one port and nothing else no block is.",
	},
	Run: contest{id: "002.F3.11", machine: "QS", op: measure.Alltoall,
		rivals: append([]rival{{name: direct, algorithm: "alltoall/direct@2", settings: onlyNetwork, puts: true}, {name: exchange, algorithm: "alltoall/exchange@2", settings: onlyNetwork, puts: true}, {name: bruck, algorithm: "alltoall/bruck@2", settings: onlyNetwork, puts: true}}, nativeAlltoalls...),
		sizes:  doubled(4, 64<<10), quick: []int{4, 128, 512, 2 << 10, 16 << 10}, scaled: []int{16, 2 << 10},
		bars: func(r *lab.Result, p *lab.Panel) {
			overNative(r, p, nativeAlltoalls, direct, 2<<10, 2.26, "2.26")
			winner(r, p, nativeAlltoalls, elan, []string{direct, exchange, bruck}, "native better", 4, 128, 512)
		}}.run,
}

var smpAllgatherExperiment = lab.Experiment{
	ID:      "002.F4.5",
	Lengthy: true,
	Explain: [2]string{
		"Allgathers that know which processes share a node: gather and broadcast, Direct among nodes and Bruck among nodes, each with the blocks of a node collected in its memory first. Against them Direct among all processes, and the library of Quadrics.",
		"All three end with the barrier of the network's hardware, gather and broadcast before it broadcasts. The fewer bytes, the more the number of messages counts: gather and broadcast has the fewest, Bruck among nodes has few steps, Direct moves every block only once and copies nothing. As in the document, shared memory is used for blocks up to 8 KB; were it used beyond, the model would have Direct among nodes ahead of Direct among all, for a node of four then sends a quarter of the bytes.",
	},
	Run: contest{id: "002.F4.5", machine: "QS", op: measure.Allgather, rivals: slices.Concat(smpAllgathers, nativeAllgathers),
		sizes: doubled(4, 64<<10), quick: []int{4, 64, 256, 512, 4 << 10, 8 << 10, 16 << 10, 32 << 10}, bars: smpBars}.run,
}

// smpMost is the longest block for which the document uses shared memory.
const smpMost = 8 << 10

var smpAllgathers = []rival{{name: smpGather, algorithm: "allgather/smp_gather_bcast", most: smpMost, cast: "gather/smp@2", puts: true, syncs: true}, {name: smpDirect, algorithm: "allgather/smp_direct@2", most: smpMost, puts: true, syncs: true}, {name: smpBruck, algorithm: "allgather/smp_bruck@2", most: smpMost, puts: true, syncs: true},
	{name: direct, algorithm: "allgather/direct@2", settings: onlyNetwork, puts: true}}

func smpBars(r *lab.Result, p *lab.Panel) {
	own := []string{smpGather, smpDirect, smpBruck, direct}
	winner(r, p, nativeAllgathers[:1], smpGather, own, "256 B", 64, 256) // both readings are one up to 2 KB
	winner(r, p, nativeAllgathers[:1], smpBruck, own, "512 B", 512)
	winner(r, p, nativeAllgathers, smpBruck, own, "512 B", 4<<10)
	winner(r, p, nativeAllgathers, direct, own, "16 KB", 16<<10, 32<<10)
	overNative(r, p, nativeAllgathers, smpBruck, 4<<10, 1.96, "512 B")
	overNative(r, p, nativeAllgathers, direct, 32<<10, 1.49, "16 KB")
	for _, x := range []float64{64, 256} {
		r.Hold(lab.Prediction, lab.Between(smpGather+" at "+sizeName(int(x))+", times faster than elan: slightly", 1, 1.35, p.Line(elan).At(x)/p.Line(smpGather).At(x), "times").Says("256 B"))
	}
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
	c := contest{id: "002.F4.6", machine: "QS", op: measure.Allgather, rivals: slices.Concat(smpAllgathers, nativeAllgathers), sizes: nil, scaled: []int{64, 4 << 10, 32 << 10},
		bars: func(*lab.Result, *lab.Panel) {}}
	r := b.NewResult(c.id)
	if err := c.scale(ctx, b, r, b.Setups("QS")[0]); err != nil {
		return nil, err
	}
	for i, size := range c.scaled {
		p := r.Panels[i]
		best := fastestOf(p, 16, smpGather, smpDirect, smpBruck, direct)
		for _, v := range nativeAllgathers {
			r.Hold(lab.Prediction, lab.AtLeast(fmt.Sprintf("%s: the best of ours on 16 is no slower than %s on 8", sizeName(size), v.name), 1, p.Line(v.name).At(8)/p.Line(best).At(8), "times").Since("the document says that the order stays, without a number"))
		}
	}
	return r, nil
}
