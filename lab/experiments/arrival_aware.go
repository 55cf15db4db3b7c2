package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/lab"
)

// arrivalSizes are those of a figure; of a quick bench, those that its bars need.
func arrivalSizes(b *lab.Bench, quick ...int) []int {
	if b.Quick() {
		return quick
	}
	return []int{1, 4, 64, 256, 1 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 128 << 10}
}

var nativeAlltoallExperiment = lab.Experiment{
	ID: "002.F6.2",
	Explain: [2]string{
		"Ranks compute for a random time, at most MIF times the time T of one message, before they call alltoall; drawn is the mean time that a rank spends in the call of the library of the document's platform. The later the last one may come, the longer the others wait.",
		"Nobody can end before the last has come: of N ranks the mean wait is at least (N/(N+1) - 1/2) MIF T, 0.44 MIF T for 16. The bound of the diagram is that of the arrivals which were drawn.",
	},
	Run: nativeUnderArrivals("002.F6.2", alltoallStudy),
}

var nativeAllgatherExperiment = lab.Experiment{
	ID: "002.F6.3",
	Explain: [2]string{
		"Ranks compute for a random time, at most MIF times the time T of one message, before they call allgather; drawn is the mean time that a rank spends in the call of the library of the document's platform.",
		"In recursive doubling a rank waits in each step for one partner, who may wait for another: the time grows with MIF faster than the bound, below which nobody can come because all need the block of the last.",
	},
	Run: nativeUnderArrivals("002.F6.3", allgatherStudy),
}

// nativeUnderArrivals draws the native algorithm with all factors in one panel.
func nativeUnderArrivals(id string, s study) func(context.Context, *lab.Bench) (*lab.Result, error) {
	return func(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
		r := b.NewResult(id)
		factors := []condition{{factor: 1}, {factor: 32}, {factor: 128}, {factor: 512}}
		o, err := s.only(s.natives()...).measured(ctx, b, &lab.Result{}, 16, arrivalSizes(b, 4, 256, 8<<10), factors...)
		if err != nil {
			return nil, err
		}
		for _, native := range s.natives() {
			p := r.AddPanel(fmt.Sprintf("%s of %s on 16 processes", s.op, native), lab.Bytes, lab.Microseconds)
			for i, c := range factors {
				line := p.Line(c.String())
				line.Points = o.panels[c].Line(native).Points
				_, least := line.Over(o.floors[c]).Min()
				r.Hold(lab.Structural, lab.AtLeast(fmt.Sprintf("%s, %s: time over the bound, least", native, c), 1, least, "times").
					Since("nobody can end before the last has come"))
				if i > 0 {
					_, least := line.Over(p.Line(factors[i-1].String())).Min()
					r.Hold(lab.Prediction, lab.AtLeast(fmt.Sprintf("%s, %s over %s, least", native, c, factors[i-1]), ahead, least, "times").
						Since("the document says that the time is greatly affected, and gives no number"))
				}
			}
		}
		return r, nil
	}
}

var papAlltoallExperiment = lab.Experiment{
	ID:      "002.F6.4",
	Lengthy: true,
	Explain: [2]string{
		"Alltoall by algorithms that know who has arrived, their twins that do not, and the library of the platform. A receiver tells where it wants its blocks when it arrives; PAP_Direct sends to whoever has said so, its twin Direct in a strict order, and is held up by the first one that is late. The shared-memory pair collects the blocks of a node first.",
		"Of Direct and PAP_Direct the better of two schemes is drawn at each size, as in the document. Blocks that are copied to memory which waits at the receiver wait for nobody, so that late ranks can harm Direct only where copies cost more than they do on the model: the tables have both schemes. At MIF 32 the mean wait for the last rank alone is 14 T, at MIF 512 226 T, so that even a perfect algorithm gains little there.",
	},
	Run:      papFigure{"002.F6.4", alltoallStudy, []condition{mild, strong}, []int{4, 256, 1 << 10, 8 << 10}, papAlltoallBars}.run,
	Timeline: heldUpTimeline,
}

var mild, strong = condition{factor: 32}, condition{factor: 512}

// papFigure is a study under some conditions, with its bars and the sizes that these need.
type papFigure struct {
	id         string
	s          study
	conditions []condition
	quick      []int
	bars       func(r *lab.Result, o *findings)
}

// run measures the figure on 16 processes. Every result that knows arrivals is also given as a ratio to the bounds.
func (f papFigure) run(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(f.id)
	o, err := f.s.measured(ctx, b, r, 16, arrivalSizes(b, f.quick...), f.conditions...)
	if err != nil {
		return nil, err
	}
	f.bars(r, o)
	o.addBounds(r, 16, papDirect, papShm)
	r.Notes = append(r.Notes, "Copied blocks are copied out when all have come, and writes within a node go through the interface, as in the document. A line ends where its algorithm does not fit: node memory for collectives takes 1 MB.")
	return r, nil
}

func papAlltoallBars(r *lab.Result, o *findings) {
	o.gainBars(r, nativeGains{at: 8 << 10, mild: 3.1, strong: 1.5, strongLeast: 1.15, shmAt: 4, shmMild: 3.5, shmStrong: 1.2, mildClaim: "3.1 times at 8 KB"})
	o.twinBars(r, 1.3, mild, strong)
	o.aheadOf(r, "MIF 32", o.panels[mild], shmTwins)
	o.aheadOf(r, "MIF 512", o.panels[strong], shmTwins)
	papWins(r, "best at 4 B, MIF 32", o.panels[mild], 4)
	papWins(r, "best at 256 B, MIF 32", o.panels[mild], 256)
	p, q := o.panels[mild], o.panels[strong]
	r.Hold(lab.Prediction,
		lab.AtLeast("1 KB, MIF 32: PAP_Shm_Direct over PAP_Direct", 1, p.Line(papShm).At(1<<10)/p.Line(papDirect).At(1<<10), "times").Since("the document has PAP_Shm_Direct ahead up to 256 B"),
		lab.AtLeast("256 B, MIF 512: PAP_Shm_Direct over PAP_Direct", 1, q.Line(papShm).At(256)/q.Line(papDirect).At(256), "times").Since("the document says that it is not ahead up to 256 B there"))
	o.boundBars(r)
}

var papAlltoallScaleExperiment = lab.Experiment{
	ID: "002.F6.5",
	Explain: [2]string{
		"The same on 4, 8 and 16 processes of four nodes, for PAP_Direct, Direct and the library of the platform, at MIF 32 and 8 KB.",
		"A late rank holds up one sender at a time in Direct, and everybody behind it in the row; the more ranks, the longer the row.",
	},
	Run: papScale("002.F6.5", alltoallStudy, 8<<10),
}

var papAllgatherScaleExperiment = lab.Experiment{
	ID: "002.F6.8",
	Explain: [2]string{
		"The same on 4, 8 and 16 processes of four nodes, for PAP_Direct, Direct and the library of the platform, at MIF 32 and 32 KB.",
		"The document has PAP_Direct ahead for large messages.",
	},
	Run: papScale("002.F6.8", allgatherStudy, 32<<10),
}

// papScale draws PAP_Direct, Direct and the native algorithm over processes.
func papScale(id string, s study, size int) func(context.Context, *lab.Bench) (*lab.Result, error) {
	return func(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
		r := b.NewResult(id)
		p := r.AddPanel(fmt.Sprintf("%s of %s, MIF 32", s.op, sizeName(size)), processAxis, lab.Microseconds)
		bounds, at := newBoundTable(r), float64(size)
		schemes := r.AddTable("Both schemes, us", "processes", "Direct, copied", "Direct, zero-copy", "PAP_Direct, copied", "PAP_Direct, zero-copy")
		others := append(s.natives(), direct)
		for _, ranks := range []int{4, 8, 16} {
			o, err := s.only(append(others, papDirect)...).measured(ctx, b, &lab.Result{}, ranks, []int{size}, mild)
			if err != nil {
				return nil, err
			}
			for _, name := range append(others, papDirect) {
				p.Line(name).Add(float64(ranks), o.panels[mild].Line(name).At(at))
			}
			o.fillBounds(bounds, ranks, papDirect)
			row := []string{fmt.Sprint(ranks)}
			for _, way := range append(o.way(direct), o.way(papDirect)...) {
				row = append(row, fmt.Sprintf("%.1f", o.ways[mild][way].At(at)))
			}
			schemes.Add(row...)
			for _, other := range others {
				n := float64(ranks)
				o.hold(r, other, size, lab.AtLeast(fmt.Sprintf("%d processes: PAP_Direct over %s", ranks, other), ahead, p.Line(other).At(n)/p.Line(papDirect).At(n), "times").Since(superior))
			}
		}
		return r, nil
	}
}

var papAlltoallLateExperiment = lab.Experiment{
	ID:      "002.F6.6",
	Lengthy: true,
	Explain: [2]string{
		"A quarter or three quarters of the ranks come late to alltoall, all by 128 times the time of a message, the others at once.",
		"If few are late, those who are there can be served meanwhile by whoever knows who they are. If most are late, there is little that can be done meanwhile.",
	},
	Run: papFigure{"002.F6.6", alltoallStudy, []condition{quarter, most}, []int{4, 256, 1 << 10, 8 << 10}, papAlltoallLateBars}.run,
}

var quarter, most = condition{128, 0.25}, condition{128, 0.75}

func papAlltoallLateBars(r *lab.Result, o *findings) {
	few, many := o.panels[quarter], o.panels[most]
	o.aheadOf(r, "25% late", few, directTwins, shmTwins)
	r.Hold(lab.Prediction,
		mostly("75% late: PAP_Direct ahead of Direct", many.Line(direct), many.Line(papDirect)),
		mostly("75% late: PAP_Shm_Direct ahead of Shm_Direct", many.Line(shmDirect), many.Line(papShm)))
	o.zeroCopyBars(r, quarter)
	for _, native := range o.natives() {
		o.aheadOf(r, "25% late", few, [2]string{papDirect, native}, [2]string{papShm, native})
		o.aheadOf(r, "75% late", many, [2]string{papShm, native})
		narrow, wide := many.Line(native).Over(many.Line(papShm)).Mean(), few.Line(native).Over(few.Line(papShm)).Mean()
		o.hold(r, native, 8<<10, lab.AtMost(fmt.Sprintf("%s over PAP_Shm_Direct, mean: 75%% late over 25%% late", native), 1, narrow/wide, "times").Since("the document says that the margin is less at 75%"))
	}
}

// mostly holds that the second line is ahead of the first at 70% of the sizes.
func mostly(bar string, behind, before *lab.Series) lab.Check {
	return lab.Share(bar, 0.7, behind.Over(before), func(y float64) bool { return y >= ahead }).Since("the document says mostly")
}

var papAllgatherExperiment = lab.Experiment{
	ID:      "002.F6.7",
	Lengthy: true,
	Explain: [2]string{
		"Allgather by algorithms that know who has arrived, their twins that do not, and the library of the platform, which doubles what it has in each step and so waits for one partner after the other.",
		"Through shared memory both twins are nearly alike: who waits for the ranks of its node has lost what it could gain by looking.",
	},
	Run: papFigure{"002.F6.7", allgatherStudy, []condition{mild, strong}, []int{1, 256, 1 << 10, 8 << 10, 16 << 10, 32 << 10}, papAllgatherBars}.run,
}

func papAllgatherBars(r *lab.Result, o *findings) {
	o.gainBars(r, nativeGains{at: 8 << 10, mild: 3.1, strong: 1.3, strongLeast: 1.05, shmAt: 1, shmMild: 2.5, shmStrong: 1.2, mildClaim: "3.1 times at 8 KB"})
	o.twinBars(r, 1.2, mild, strong)
	o.aheadOf(r, "MIF 32", o.panels[mild], shmTwins)
	q := o.panels[strong]
	r.Hold(lab.Prediction, alike("MIF 512: Shm_Direct over PAP_Shm_Direct", q.Line(shmDirect), q.Line(papShm)))
	for _, x := range []float64{1, 256, 1 << 10} {
		papWins(r, fmt.Sprintf("best at %s, MIF 32", sizeName(int(x))), o.panels[mild], x)
	}
	for _, x := range []float64{1, 256, 8 << 10, 16 << 10, 32 << 10} {
		best := fastestOf(q, x, papShm, shmDirect, papDirect, direct, mvapichLine)
		r.Hold(lab.Prediction, lab.Holds("best at "+sizeName(int(x))+", MIF 512", "the shared-memory pair", best, best == papShm || best == shmDirect))
	}
	o.boundBars(r)
}

var papAllgatherLateExperiment = lab.Experiment{
	ID:      "002.F6.9",
	Lengthy: true,
	Explain: [2]string{
		"A quarter or three quarters of the ranks come late to allgather, all by 128 times the time of a message, the others at once.",
		"Through shared memory fewer messages are left to send once the last one has come, which counts most for short blocks.",
	},
	Run: papFigure{"002.F6.9", allgatherStudy, []condition{quarter, most}, []int{4, 256, 1 << 10, 4 << 10, 8 << 10}, papAllgatherLateBars}.run,
}

func papAllgatherLateBars(r *lab.Result, o *findings) {
	few, many := o.panels[quarter], o.panels[most]
	o.aheadOf(r, "25% late", few, directTwins)
	_, least := many.Line(direct).Between(8<<10, 1<<20).Over(many.Line(papDirect)).Min()
	r.Hold(lab.Prediction,
		lab.AtLeast("75% late: PAP_Direct over Direct above 4 KB, least", ahead, least, "times").Since(superior),
		alike("25% late: Shm_Direct over PAP_Shm_Direct", few.Line(shmDirect), few.Line(papShm)),
		alike("75% late: Shm_Direct over PAP_Shm_Direct", many.Line(shmDirect), many.Line(papShm)))
	o.zeroCopyBars(r, quarter)
	for _, x := range []float64{4, 256, 1 << 10, 4 << 10} { // 8 KB in the document; the bar is within one power of two
		papWins(r, "25% late: best at "+sizeName(int(x))+", its twin aside", few, x)
	}
	for _, x := range []float64{4, 256, 1 << 10} { // 2 KB, likewise
		papWins(r, "75% late: best at "+sizeName(int(x))+", its twin aside", many, x)
	}
}
