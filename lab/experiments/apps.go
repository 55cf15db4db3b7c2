package experiments

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// speeds is how many million operations a second a core of machine IB5 does in each application, as the original
// counts operations; of is and radix they are keys, of nbody pairs of bodies. They are assumed, from what was usual
// for processors of the time, and were written down before any figure was looked at.
var speeds = map[string]float64{"is": 35, "cg": 250, "mg": 650, "ft": 550, "lu": 850, "bt": 800, "sp": 500,
	"radix": 35, "nbody": 20}

// cores is how many times as fast as those of IB5 the cores of the other machines are: assumed, by clock and kind.
var cores = map[string]float64{"IB5": 1, "IW2": .85, "IB2": .85, "IB3": .85, "C1": .83, "C2": 1.1, "QS": .35}

// How uneven ranks are, as a share of their speed: ranks differ from each other, and what a rank computes twice takes
// longer or shorter. Assumed as well; without it all ranks would do everything at the same nanosecond.
const (
	uneven  = .01  // the standard deviation between ranks
	unquiet = .005 // at most, up or down
)

// howAppsRun is what the pages of all figures with applications say of them.
const howAppsRun = "The applications are those of apps/, in virtual time: they make the calls of the originals with buffers of the same lengths from the same places, and in " +
	"place of their arithmetic the rank is busy for as long as it would take, by the operations that the original counts and one speed of a core for each application and machine " +
	"(lab/experiments/apps.go). These speeds are assumed; no document states them. A rank's speed differs from the others' by 1%, and from piece to piece by up to 0.5%. Of long runs some steps " +
	"are made, and the others are like them."

// play is an application on a model of one of the documents' machines.
type play struct {
	app      apps.App
	class    string
	on       string // machine
	ranks    int
	perNode  int
	settings []string
	seed     uint64 // of how uneven ranks are
}

// String names it as the documents do: CG.B on 16.
func (p play) String() string { return fmt.Sprintf("%s.%s on %d", title(p.app), p.class, p.ranks) }

// part is what one rank found out.
type part struct {
	elapsed float64            // seconds of the part that is timed
	spent   map[string]float64 // of these in calls, by kind
	buffers map[meter.Buffer]int
	calls   []entry // collective ones, of the whole run
	engine  engine.Counters
	rail    *rail.Report
}

// entry is when a rank came to a call.
type entry struct {
	name  string
	bytes int
	at    int64
}

// collective are the kinds of calls that all ranks make together.
var collective = map[string]bool{"bcast": true, "reduce": true, "allreduce": true, "allgather": true, "alltoall": true,
	"alltoallv": true}

// inCalls is how long the rank was in calls.
func (p part) inCalls() (sum float64) {
	for _, t := range p.spent {
		sum += t
	}
	return sum
}

// acted is what came of a run.
type acted struct {
	steps  int
	parts  []part
	census lab.Census // of the whole run, with what comes before and after the part that is timed
}

// mean is the mean of something over all ranks.
func (a acted) mean(of func(p part) float64) (sum float64) {
	for _, p := range a.parts {
		sum += of(p)
	}
	return sum / float64(len(a.parts))
}

// most is the most of something over all ranks.
func (a acted) most(of func(p part) float64) (most float64) {
	for _, p := range a.parts {
		most = max(most, of(p))
	}
	return most
}

// run makes so many steps of the application; 0 is all of them.
func (p play) run(ctx context.Context, b *lab.Bench, steps int) (acted, error) {
	if err := p.app.Check(p.class, p.ranks); err != nil {
		return acted{}, err
	}
	on := b.Setups(p.on)[0]
	if !on.On.Virtual() {
		return acted{}, fmt.Errorf("%w %s: there ranks of an application are processes; use weft run ./apps/run",
			lab.ErrPlatform, on.On)
	}
	out := acted{steps: steps, parts: make([]part, p.ranks), census: lab.Census{}}
	job := lab.Job{On: on, Ranks: p.ranks, PerNode: p.perNode, Settings: p.settings, Census: out.census,
		Report: func(rank int, e engine.Counters, l *rail.Report) {
			out.parts[rank].engine, out.parts[rank].rail = e, l
		}}
	err := b.Run(ctx, job, func(k *measure.Rank) error {
		e := apps.NewEnv(k.World, p.class)
		e.Steps, e.Timed = steps, true
		e.Instead = p.busy(k)
		e.Comm.NoteBuffers()
		mine := &out.parts[k.World.Rank()]
		e.Comm.Enter = func(name string, bytes int) {
			if collective[name] {
				mine.calls = append(mine.calls, entry{name, bytes, int64(k.Now())})
			}
		}
		if _, err := p.app.Run(e); err != nil {
			return err
		}
		mine.elapsed, mine.spent, mine.buffers = e.Elapsed, e.Spent, e.Comm.Buffers()
		return nil
	})
	if err != nil {
		return acted{}, fmt.Errorf("%s: %w", p, err)
	}
	return out, nil
}

// busy is how a rank stands for its arithmetic.
func (p play) busy(k *measure.Rank) func(operations float64) {
	chance := rand.New(rand.NewPCG(p.seed, uint64(k.World.Rank())))
	second := speeds[p.app.Name] * cores[p.on] * 1e6 * (1 + uneven*chance.NormFloat64())
	return func(operations float64) {
		took := operations / second * (1 + unquiet*(2*chance.Float64()-1))
		k.World.Charge(time.Duration(took * 1e9))
	}
}

// stretched is what a run of all steps would count and take, by two that are shorter.
type stretched struct {
	short, long acted
	times       float64 // how many times what the long run has more comes on top of the short one
}

// whole makes two short runs. Where those would be the whole run, the second is.
func (p play) whole(ctx context.Context, b *lab.Bench, steps int) (w stretched, err error) {
	if w.short, err = p.run(ctx, b, steps); err != nil {
		return w, err
	}
	if w.long, err = p.run(ctx, b, 2*steps); err != nil {
		return w, err
	}
	w.times = float64(p.app.Steps(p.class)-steps) / float64(steps)
	return w, nil
}

// of is a number of the whole run.
func (w stretched) of(count func(a acted) float64) float64 {
	short := count(w.short)
	return short + w.times*(count(w.long)-short)
}

// title is what the documents call an application.
func title(a apps.App) string {
	switch a.Name {
	case "nbody":
		return "N-BODY"
	case "radix":
		return "RADIX"
	}
	return string([]byte{a.Name[0] - 'a' + 'A', a.Name[1] - 'a' + 'A'})
}
