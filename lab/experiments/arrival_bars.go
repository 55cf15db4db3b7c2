package experiments

import (
	"fmt"
	"math"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// ahead is the least factor by which somebody is ahead: less cannot be seen in a drawing, and moves with
// the arrivals that were drawn.
const ahead = 1.02

// superior is what the document says where it gives no factor.
const superior = "the document says better or superior, and gives no number"

var directTwins, shmTwins = [2]string{papDirect, direct}, [2]string{papShm, shmDirect}

// hold holds bars against a line at some size. That the native alltoall of long blocks is a hypercube was
// read out of a text that allows two readings, with figure 6.4 in sight: such a bar is fitted, and the one
// against the other reading is beside it.
func (s study) hold(r *lab.Result, line string, size int, checks ...lab.Check) {
	if s.op != measure.Alltoall || line != mvapichLine || size <= 256 {
		r.Hold(lab.Prediction, checks...)
		return
	}
	for _, c := range checks {
		r.Hold(lab.Fitted, c.By("the native alltoall of long blocks read as a hypercube"))
	}
}

// aheadOf holds that algorithms are ahead of others at all sizes that both fit.
func (s study) aheadOf(r *lab.Result, name string, p *lab.Panel, pairs ...[2]string) {
	for _, pair := range pairs {
		over := p.Line(pair[1]).Over(p.Line(pair[0]))
		x, least := over.Min()
		c := lab.AtLeast(fmt.Sprintf("%s: %s over %s, least", name, pair[0], pair[1]), ahead, least, "times").Since(superior)
		if !c.Pass && !math.IsNaN(x) {
			_, best := over.Max()
			c.Why += fmt.Sprintf("; at %s, %.3g at best", sizeName(int(x)), best)
		}
		s.hold(r, pair[1], 8<<10, c)
	}
}

// alike holds that two lines are very close: within 10% of each other at all sizes that both fit.
func alike(bar string, a, b *lab.Series) lab.Check {
	_, most := a.Over(b).Max()
	_, least := a.Over(b).Min()
	far := most
	if 1/least > most {
		far = least
	}
	return lab.Between(bar+", the farthest from 1", 0.9, 1.1, far, "times").Since("the document says very close")
}

// nativeGains is what the document states of PAP_Direct and PAP_Shm_Direct over the native library, each at
// a size, with MIF 32 and 512.
type nativeGains struct {
	at           int
	mild, strong float64
	strongLeast  float64 // the catalogue's
	shmAt        int
	shmMild      float64
	shmStrong    float64
	mildClaim    string // words of the catalogue for those at MIF 32
}

// gainBars hold them. A factor near 1 would be within 35% of no gain at all: there has to be one.
func (o *findings) gainBars(r *lab.Result, g nativeGains) {
	over := func(c condition, native, line string, at int) float64 {
		p := o.panels[c]
		return p.Line(native).At(float64(at)) / p.Line(line).At(float64(at))
	}
	o.panels[mild].ClaimAt(fmt.Sprintf("%g times", g.mild), float64(g.at), o.panels[mild].Line(mvapichLine).At(float64(g.at))/g.mild)
	for _, native := range o.natives() {
		at := sizeName(g.at)
		o.hold(r, native, g.at,
			lab.Within(fmt.Sprintf("%s, MIF 32: PAP_Direct over %s", at, native), g.mild, over(mild, native, papDirect, g.at), 35, "times").Says(g.mildClaim),
			someGain(fmt.Sprintf("%s, MIF 512: PAP_Direct over %s", at, native), g.strong, g.strongLeast, over(strong, native, papDirect, g.at)).Says("MIF 512: "))
	}
	at := sizeName(g.shmAt) // both readings are Bruck's algorithm there
	r.Hold(lab.Prediction,
		lab.Within(fmt.Sprintf("%s, MIF 32: PAP_Shm_Direct over MVAPICH", at), g.shmMild, over(mild, mvapichLine, papShm, g.shmAt), 35, "times").Says(g.mildClaim),
		someGain(fmt.Sprintf("%s, MIF 512: PAP_Shm_Direct over MVAPICH", at), g.shmStrong, ahead, over(strong, mvapichLine, papShm, g.shmAt)).Says("MIF 512: "))
}

// someGain holds a factor that is so near to 1 that 35% of it would take in no gain.
func someGain(bar string, stated, least, ours float64) lab.Check {
	c := lab.Between(bar, max(least, 0.65*stated), 1.35*stated, ours, "times").Since("within 35%, and a gain")
	c.Paper = fmt.Sprintf("%g times (%s)", stated, c.Paper)
	return c
}

// twinBars hold PAP_Direct against Direct: by the least factor of the catalogue at 8 KB and the first
// condition, and ahead at all sizes and conditions; by the better scheme of each, and of blocks that are
// not copied.
func (o *findings) twinBars(r *lab.Result, least float64, conditions ...condition) {
	const at = 8 << 10
	p := o.panels[conditions[0]]
	r.Hold(lab.Prediction, lab.AtLeast(fmt.Sprintf("8 KB, %s: PAP_Direct over Direct", conditions[0]), least, p.Line(direct).At(at)/p.Line(papDirect).At(at), "times").
		Since("the document says clearly better, and gives no number"))
	for _, c := range conditions {
		o.aheadOf(r, c.String(), o.panels[c], directTwins)
	}
	w := o.ways[conditions[0]]
	r.Hold(lab.Prediction, lab.AtLeast(fmt.Sprintf("8 KB, %s, zero-copy: PAP_Direct over Direct", conditions[0]), least, w["direct_zero"].At(at)/w["pap_direct"].At(at), "times").
		Since("the document says clearly better, and gives no number"))
	o.zeroCopyBars(r, conditions...)
}

// zeroCopyBars hold the same of blocks that are not copied, and what ranks have counted there: by arrival
// no send holds up another.
func (o *findings) zeroCopyBars(r *lab.Result, conditions ...condition) {
	held := map[string]float64{}
	for _, c := range conditions {
		_, least := o.ways[c]["direct_zero"].Over(o.ways[c]["pap_direct"]).Min()
		r.Hold(lab.Prediction, lab.AtLeast(fmt.Sprintf("%s, zero-copy: PAP_Direct over Direct, least", c), ahead, least, "times").Since(superior))
		for _, way := range []string{"direct_zero", "pap_direct"} {
			for _, size := range o.sizes {
				held[way] += o.waits(c, way, size).blocked
			}
		}
	}
	r.Hold(lab.Structural,
		lab.Exactly("sends of PAP_Direct that a rank which had not arrived held up, and that held up others", 0, held["pap_direct"], ""),
		lab.Holds("sends of Direct likewise, per call", "some", fmt.Sprintf("%.1f of %d", held["direct_zero"]/float64(len(o.sizes)*len(conditions)), 16*14), held["direct_zero"] > 0))
}

// papWins holds that the shared-memory algorithm that knows arrivals is the best, its twin aside.
func papWins(r *lab.Result, bar string, p *lab.Panel, x float64) {
	best := fastestOf(p, x, papShm, papDirect, direct, mvapichLine)
	c := lab.Holds(bar, papShm, best, best == papShm)
	if !c.Pass {
		c.Why = fmt.Sprintf("by %.1f%%", 100*(p.Line(papShm).At(x)/p.Line(best).At(x)-1))
	}
	r.Hold(lab.Prediction, c)
}

// boundBars hold that PAP_Direct comes near to the bound and the time of its own that the last rank needs.
func (o *findings) boundBars(r *lab.Result) {
	for _, c := range o.order {
		worst := 0.0
		for _, p := range o.panels[c].Line(papDirect).Points {
			worst = max(worst, p.Y/(o.floors[c].At(p.X)+o.own[papDirect].At(p.X)))
		}
		r.Hold(lab.Prediction, lab.AtMost(fmt.Sprintf("%s: PAP_Direct over the bound and the last one's own time, worst", c), 1.3, worst, "times").
			Since("the document has no bound; nobody should need more than this"))
	}
}
