package experiments

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/lab"
)

func arrivalSizes(b *lab.Bench) []int {
	if b.Quick() {
		return []int{4, 256, 8 << 10}
	}
	return []int{4, 64, 256, 1 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 128 << 10}
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
		aside := &lab.Result{}
		o, err := s.only(mvapichLine).measured(ctx, b, aside, 16, arrivalSizes(b), factors...)
		if err != nil {
			return nil, err
		}
		p := r.AddPanel(fmt.Sprintf("%s of MVAPICH on 16 processes", s.op), lab.Bytes, lab.Microseconds)
		for i, c := range factors {
			line := p.Line(c.String())
			line.Points = o.panels[c].Line(mvapichLine).Points
			over := line.Over(o.floors[c])
			_, least := over.Min()
			r.Hold(lab.Prediction, lab.AtLeast(fmt.Sprintf("%s: time over the bound, least", c), 1, least, "times"))
			if i > 0 {
				_, least := line.Over(p.Line(factors[i-1].String())).Min()
				r.Hold(lab.Prediction, lab.AtLeast(fmt.Sprintf("%s over %s, least", c, factors[i-1]), 1, least, "times"))
			}
		}
		return r, nil
	}
}

var papAlltoallExperiment = lab.Experiment{
	ID: "002.F6.4",
	Explain: [2]string{
		"Alltoall by algorithms that know who has arrived, their twins that do not, and the library of the platform. A receiver tells where it wants its blocks when it arrives; PAP_Direct sends to whoever has said so, its twin Direct in a strict order, and is held up by the first one that is late. The shared-memory pair collects the blocks of a node first.",
		"At MIF 32 the mean wait for the last rank alone is 14 T, at MIF 512 226 T, so that even a perfect algorithm gains little there. The document's factor of 3.5 at 4 B would need a native time of 50 T, where Bruck's algorithm takes about 18: that factor is not reachable with a sane rival, nor is the native library's 3.1 at 8 KB unless its recursive doubling is read literally, log2 N steps with half of all blocks each. Every result of PAP is also given as a ratio to the bound.",
	},
	Run: papFigure{"002.F6.4", alltoallStudy, []condition{mild, strong}, papAlltoallBars}.run,
}

var mild, strong = condition{factor: 32}, condition{factor: 512}

// papFigure is a study under some conditions, with its bars.
type papFigure struct {
	id         string
	s          study
	conditions []condition
	bars       func(r *lab.Result, o *findings)
}

// run measures the figure on 16 processes. Every result that knows arrivals is also given as a ratio to the bounds.
func (f papFigure) run(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(f.id)
	o, err := f.s.measured(ctx, b, r, 16, arrivalSizes(b), f.conditions...)
	if err != nil {
		return nil, err
	}
	f.bars(r, o)
	o.addBounds(r, 16, papDirect, papShm)
	return r, nil
}

// gainBars hold what PAP_Direct gains with blocks of 8 KB over its twin and over the native library.
func gainBars(r *lab.Result, o *findings, overTwin, overNative, overNativeStrong float64) {
	const at = 8 << 10
	p, q := o.panels[mild], o.panels[strong]
	p.ClaimAt("3.1 times", at, p.Line(mvapichLine).At(at)/3.1)
	over := func(panel *lab.Panel, line string) float64 {
		return panel.Line(line).At(at) / panel.Line(papDirect).At(at)
	}
	r.Hold(lab.Prediction,
		lab.AtLeast("8 KB, MIF 32: PAP_Direct over Direct", overTwin, over(p, direct), "times"),
		lab.AtLeast("8 KB, MIF 32: PAP_Direct over MVAPICH", overNative, over(p, mvapichLine), "times"),
		lab.AtLeast("8 KB, MIF 512: PAP_Direct over MVAPICH", overNativeStrong, over(q, mvapichLine), "times"))
	noteSchemes(r, o)
}

// twinBars hold that algorithms which know arrivals are nowhere above their twins.
func twinBars(r *lab.Result, name string, p *lab.Panel, pairs ...[2]string) {
	for _, pair := range pairs {
		r.Hold(lab.Prediction, notAbove(fmt.Sprintf("%s: %s not above %s at any size", name, pair[0], pair[1]), p.Line(pair[0]), p.Line(pair[1])))
	}
}

var directTwins, shmTwins = [2]string{papDirect, direct}, [2]string{papShm, shmDirect}

// papWins holds that the shared-memory algorithm that knows arrivals is the best, its twin aside.
func papWins(r *lab.Result, bar string, p *lab.Panel, x float64) {
	best := fastestOf(p, x, papShm, papDirect, direct, mvapichLine)
	r.Hold(lab.Prediction, lab.Holds(bar, papShm, best, best == papShm))
}

func papAlltoallBars(r *lab.Result, o *findings) {
	gainBars(r, o, 1.3, 2, 1.15)
	twinBars(r, "MIF 32", o.panels[mild], directTwins, shmTwins)
	twinBars(r, "MIF 512", o.panels[strong], directTwins, shmTwins)
	papWins(r, "best at 256 B, MIF 32", o.panels[mild], 256)
	boundBars(r, o)
}

// noteSchemes tells what the gain over Direct depends on.
func noteSchemes(r *lab.Result, o *findings) {
	const at = 8 << 10
	r.Note("8 KB, first condition, zero-copy only: Direct over PAP_Direct", o.ways["direct_zero"].At(at)/o.ways["pap_direct"].At(at), "times")
	r.Note("8 KB, first condition, copied only: Direct over PAP_Direct", o.ways["direct@1"].At(at)/o.ways["pap_copy"].At(at), "times")
	r.Notes = append(r.Notes, "Of Direct and PAP_Direct the better of two schemes is shown at each size, as in the document. Blocks that are copied wait for nobody, so that Direct has nothing to lose to late ranks as long as copying is the better scheme, here up to 8 KB. Copied blocks are copied out when all have come, and writes within a node go through the interface, as in the document.")
}

// boundBars hold that PAP_Direct comes near to the bound and the time of its own that the last rank needs.
func boundBars(r *lab.Result, o *findings) {
	for _, c := range o.order {
		worst := 0.0
		for _, p := range o.panels[c].Line(papDirect).Points {
			worst = max(worst, p.Y/(o.floors[c].At(p.X)+o.own[papDirect].At(p.X)))
		}
		r.Hold(lab.Prediction, lab.AtMost(fmt.Sprintf("%s: PAP_Direct over the bound and the last one's own time, worst", c), 1.3, worst, "times"))
	}
}

// notAbove holds that a line is nowhere above another by more than two per cent.
func notAbove(bar string, a, b *lab.Series) lab.Check {
	x, most := a.Over(b).Max()
	c := lab.AtMost(bar, 1.02, most, "times")
	if !c.Pass {
		c.Why = "worst at " + sizeName(int(x))
	}
	return c
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
		bounds := newBoundTable(r)
		for _, ranks := range []int{4, 8, 16} {
			o, err := s.only(mvapichLine, direct, papDirect).measured(ctx, b, &lab.Result{}, ranks, []int{size}, mild)
			if err != nil {
				return nil, err
			}
			for _, name := range []string{mvapichLine, direct, papDirect} {
				p.Line(name).Add(float64(ranks), o.panels[mild].Line(name).At(float64(size)))
			}
			o.fillBounds(bounds, ranks, papDirect)
			for _, other := range []string{mvapichLine, direct} {
				at := float64(ranks)
				r.Hold(lab.Prediction, lab.AtMost(fmt.Sprintf("%d processes: PAP_Direct over %s", ranks, other), 1.02, p.Line(papDirect).At(at)/p.Line(other).At(at), "times"))
			}
		}
		return r, nil
	}
}

var papAlltoallLateExperiment = lab.Experiment{
	ID: "002.F6.6",
	Explain: [2]string{
		"A quarter or three quarters of the ranks come late to alltoall, all by 128 times the time of a message, the others at once.",
		"If few are late, those who are there can be served meanwhile by whoever knows who they are. If most are late, there is little that can be done meanwhile.",
	},
	Run: papFigure{"002.F6.6", alltoallStudy, []condition{quarter, most}, papAlltoallLateBars}.run,
}

var quarter, most = condition{128, 0.25}, condition{128, 0.75}

func papAlltoallLateBars(r *lab.Result, o *findings) {
	few, many := o.panels[quarter], o.panels[most]
	twinBars(r, "25% late", few, directTwins, shmTwins, [2]string{papDirect, mvapichLine})
	r.Hold(lab.Prediction,
		mostly("75% late: PAP_Direct not above Direct", many.Line(papDirect), many.Line(direct)),
		mostly("75% late: PAP_Shm_Direct not above Shm_Direct", many.Line(papShm), many.Line(shmDirect)))
	twinBars(r, "25% late", few, [2]string{papShm, mvapichLine})
	twinBars(r, "75% late", many, [2]string{papShm, mvapichLine})
}

// mostly holds that a line is not above another at 70% of the sizes.
func mostly(bar string, a, b *lab.Series) lab.Check {
	return lab.Share(bar, 0.7, a.Over(b), func(y float64) bool { return y <= 1.02 })
}

var papAllgatherExperiment = lab.Experiment{
	ID: "002.F6.7",
	Explain: [2]string{
		"Allgather by algorithms that know who has arrived, their twins that do not, and the library of the platform, which doubles what it has in each step and so waits for one partner after the other.",
		"The document's factor of 3.1 over the native one at 8 KB would need it to take 90 T at MIF 32, where recursive doubling takes about 45, and 2.5 at 1 B more still. Through shared memory both twins are nearly alike: who waits for the ranks of its node has lost what it could gain by looking.",
	},
	Run: papFigure{"002.F6.7", allgatherStudy, []condition{mild, strong}, papAllgatherBars}.run,
}

func papAllgatherBars(r *lab.Result, o *findings) {
	gainBars(r, o, 1.2, 1.3, 1.05)
	q := o.panels[strong]
	_, apart := q.Line(shmDirect).Over(q.Line(papShm)).Max()
	r.Hold(lab.Prediction, lab.AtMost("MIF 512: Shm_Direct over PAP_Shm_Direct, most", 1.1, apart, "times"))
	twinBars(r, "MIF 32", o.panels[mild], directTwins, shmTwins)
	for _, x := range []float64{4, 256, 8 << 10} {
		best := fastestOf(q, x, papShm, shmDirect, papDirect, direct, mvapichLine)
		r.Hold(lab.Prediction, lab.Holds("best at "+sizeName(int(x))+", MIF 512", "the shared-memory pair", best, best == papShm || best == shmDirect))
	}
	boundBars(r, o)
}

var papAllgatherLateExperiment = lab.Experiment{
	ID: "002.F6.9",
	Explain: [2]string{
		"A quarter or three quarters of the ranks come late to allgather, all by 128 times the time of a message, the others at once.",
		"Through shared memory fewer messages are left to send once the last one has come, which counts most for short blocks.",
	},
	Run: papFigure{"002.F6.9", allgatherStudy, []condition{quarter, most}, papAllgatherLateBars}.run,
}

func papAllgatherLateBars(r *lab.Result, o *findings) {
	few, many := o.panels[quarter], o.panels[most]
	twinBars(r, "25% late", few, directTwins)
	r.Hold(lab.Prediction, notAbove("75% late: PAP_Direct not above Direct above 4 KB", many.Line(papDirect).Between(8<<10, 1<<20), many.Line(direct)))
	for _, c := range []struct {
		name string
		p    *lab.Panel
	}{{"25% late", few}, {"75% late", many}} {
		for _, x := range []float64{4, 256} {
			papWins(r, fmt.Sprintf("%s: best at %s, its twin aside", c.name, sizeName(int(x))), c.p, x)
		}
	}
}
