package experiments

import (
	"context"
	"fmt"
	"math"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

var manyConnectionsExperiment = lab.Experiment{
	ID: "002.F5.1",
	Explain: [2]string{
		"One process sends a message over each of up to 256 connections, and the other answers each; drawn is half of that time divided by the number of connections. What falls below one connection's time is work that the interface does side by side.",
		"Short messages gain most with about 8 connections. With very many the interface has to fetch the state of connections from memory. Above 8 KB messages pass one after the other.",
	},
	Run: manyConnections,
}

func manyConnections(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F5.1")
	on := b.Setups("IB3")[0]
	p := r.AddPanel("Latency over connections", connectionAxis, lab.Axis{Label: "time, of one connection", Unit: "times"})
	sizes, counts := []int{1, 1 << 10, 8 << 10, 16 << 10, 64 << 10}, []int{1, 2, 4, 8, 16, 32, 64, 128, 256}
	if b.Quick() {
		counts = []int{1, 4, 8, 16, 64, 256}
	}
	if err := connectionSweep(ctx, b, on, sizes, counts, 4, p); err != nil {
		return nil, err
	}
	short, medium := p.Line(sizeName(1)), p.Line(sizeName(8<<10))
	const significant = "the document says that significant time is saved, without a number"
	r.Hold(lab.Fitted, lab.LeastAt("1 B: least with about 8 connections", short, 4, 16).Says("best with 8").By("contexts", "slots"),
		lab.AtLeast("1 B: 256 connections over 8", 1, short.At(256)/short.At(8), "times").Says("best with 8").By("contexts", "context_us"),
		lab.AtMost("1 B: 64 connections gain", 0.9, short.At(64), "times").Says("gains up to 8 KB").By("context_us", "slots"))
	r.Hold(lab.Prediction, lab.AtMost("1 KB: 8 connections gain", 0.9, p.Line(sizeName(1<<10)).At(8), "times").Says("gains up to 8 KB").Since(significant),
		lab.AtMost("8 KB: 8 connections gain", 0.9, medium.At(8), "times").Says("gains up to 8 KB").Since(significant),
		lab.AtMost("8 KB: 64 connections gain", 0.9, medium.At(64), "times").Says("gains up to 8 KB").Since(significant))
	for _, size := range []int{16 << 10, 64 << 10} {
		r.Hold(lab.Fitted, lab.Flat(sizeName(size)+" is flat", p.Line(sizeName(size)), 10).Says("none above").By("long_bytes", "long_us"))
	}
	return r, nil
}

var independentExperiment = lab.Experiment{
	ID: "002.F5.2",
	Explain: [2]string{
		"Groups of four processes, one on each node, do allgathers of their own at the same time: every process writes to the three others of its group at once, again and again, to places that all know. Time counts from when all begin until the last has ended. The second diagram divides by one group in which everything goes around a ring, one connection per process.",
		"Several connections fill the interface better than one, up to about nine of them. Large blocks from several nodes at a time meet before their target, where some of the bandwidth is lost.",
	},
	Run: independent,
}

func independent(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult("002.F5.2")
	on := b.Setups("IB3")[0]
	rates := r.AddPanel("Bandwidth of a node", lab.Bytes, lab.Megabytes)
	ratios := r.AddPanel("Over one ring", lab.Bytes, lab.Axis{Label: "bandwidth", Unit: "times"})
	sizes := doubled(64, 256<<10)
	if b.Quick() {
		sizes = []int{128, 256, 2 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10}
	}
	line := func(groups int, ring bool) string {
		if ring {
			return "one ring"
		}
		return fmt.Sprintf("%d groups", groups)
	}
	for groups := 0; groups <= 4; groups++ {
		ring := groups == 0
		name := line(groups, ring)
		if err := (apart{perNode: 4, groups: max(groups, 1), ring: ring}).measured(ctx, b, on, sizes, rates.Line(name).Add); err != nil {
			return nil, err
		}
	}
	for groups := 1; groups <= 4; groups++ {
		q := rates.Line(line(groups, false)).Over(rates.Line(line(1, true)))
		q.Name = line(groups, false)
		ratios.Series = append(ratios.Series, q)
		_, peak := q.Max()
		r.Hold(lab.Prediction, lab.Within(fmt.Sprintf("%d groups: most over one ring", groups), []float64{1.8, 2.6, 2.7, 2.7}[groups-1], peak, 35, "times").Says("2.6"))
		r.Hold(lab.Fitted, lab.Between(fmt.Sprintf("%d groups: bytes from which one ring is better", groups), 32<<10, 128<<10, belowOne(q), "bytes").Says("below 1").By("incast"),
			lab.AtMost(fmt.Sprintf("%d groups: over one ring at 128 KB", groups), 1, q.At(128<<10), "times").Says("below 1").By("incast"))
	}
	three, four := ratios.Line(line(3, false)), ratios.Line(line(4, false))
	_, a := three.Max()
	_, c := four.Max()
	r.Hold(lab.Prediction, lab.Within("most of 4 groups as of 3", a, c, 5, "times").Says("2.6"))
	return r, nil
}

// belowOne is the place from which on a line is below 1; not a number if it never is.
func belowOne(s *lab.Series) float64 {
	at := math.NaN()
	for _, p := range s.Points {
		switch {
		case p.Y >= 1:
			at = math.NaN()
		case math.IsNaN(at):
			at = p.X
		}
	}
	return at
}

const (
	group1Single = "1-group, one connection"
	group1Multi  = "1-group, many connections"
	gatherBased  = "gather-based"
	group2       = "2-group"
	group4       = "4-group"
)

var groupAllgatherExperiment = lab.Experiment{
	ID: "002.F5.6",
	Explain: [2]string{
		"Allgathers that gather the blocks of a node in its memory and then exchange them over one or many connections, driven by one, two or four cores, against the library of the platform, which doubles what it has in each step and uses no shared memory, not even within a node. The document's own algorithms write to buffers that everybody was told of once.",
		"The less there is to move, the more it counts how many messages a core has to send; in between, how often data is written to and read from the memory of a node; for the longest blocks copies cost more than they save.",
	},
	Run: contest{id: "002.F5.6", machine: "IB3", op: measure.Allgather,
		rivals: append(groupRivals("gather_groups", gatherBased, "group1_single", group1Single, "group1_multi", group1Multi, "group2", group2, "groups", group4),
			rival{name: mvapichLine, algorithm: "allgather/mvapich", settings: onlyNetwork}),
		sizes: doubled(1, 512<<10), quick: []int{16, 512, 16 << 10, 256 << 10}, bars: groupBars}.run,
}

// groupRivals are the document's own algorithms, which write to buffers that everybody was told of once.
// Named are allgathers of the library, each followed by the document's name.
func groupRivals(named ...string) (all []rival) {
	for i := 0; i < len(named); i += 2 {
		all = append(all, rival{name: named[i+1], algorithm: "allgather/" + named[i], puts: true, told: true})
	}
	return all
}

// groupBars holds, for one size of each range, who is the best there, and that it is ahead of the native library.
func groupBars(r *lab.Result, p *lab.Panel) {
	native := p.Line(mvapichLine)
	for _, c := range []struct {
		want string
		at   float64
	}{{gatherBased, 16}, {group1Multi, 512}, {group2, 16 << 10}, {mvapichLine, 256 << 10}} {
		best, place := fastest(p, c.at), sizeName(int(c.at))
		r.Hold(lab.Prediction, lab.Holds("best at "+place, c.want, best, best == c.want))
		if c.want != mvapichLine {
			r.Hold(lab.Prediction, lab.AtLeast(c.want+" at "+place+", times faster than MVAPICH", 1.1, native.At(c.at)/p.Line(c.want).At(c.at), "times").Since("the document says much better, without a number"))
		}
	}
}
