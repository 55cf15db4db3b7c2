package experiments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// study is a collective operation under patterns of arrival, with the algorithms that the document compares.
type study struct {
	op    measure.Collective
	lines []contender
}

// contender is a line of a figure, and the algorithms of which the best counts at each size: the document shows the better of two
// schemes, blocks that are copied into memory that waits at the receiver, and blocks that go straight to where the receiver has
// said it wants them.
type contender struct {
	name string
	ways []approach
}

// approach is an algorithm of the library. In virtual time it is played below MPI if there are plans for that: the document's
// algorithms are programs of remote writes, also within a node, to memory that was made known before (copied blocks) or that the
// receiver makes known when it arrives. Those of shared memory are not played: of them each node sends few messages.
type approach struct {
	way   string
	plans planner
}

// zeroCopy has an algorithm of an operation played.
func zeroCopy(op measure.Collective, way string) approach {
	return approach{way, func(c coll.Case) ([]*plan.Plan, error) { return plansOf(string(op)+"/"+way, c) }}
}

// studyOf is an operation by the document's algorithms.
func studyOf(op measure.Collective) study {
	return study{op, []contender{
		{mvapichLine, []approach{{way: "mvapich"}}},
		{direct, []approach{{"direct@1", copyPlans(false)}, zeroCopy(op, "direct_zero")}},
		{papDirect, []approach{{"pap_copy", copyPlans(true)}, zeroCopy(op, "pap_direct")}},
		{shmDirect, []approach{{way: "shm_direct"}}},
		{papShm, []approach{{way: "pap_shm_direct"}}},
	}}
}

// The lines of the document.
const (
	mvapichLine = "MVAPICH"
	papDirect   = "PAP_Direct"
	shmDirect   = "Shm_Direct"
	papShm      = "PAP_Shm_Direct"
)

var alltoallStudy, allgatherStudy = studyOf(measure.Alltoall), studyOf(measure.Allgather)

// only returns the study with some of its lines.
func (s study) only(names ...string) study {
	s.lines = slices.DeleteFunc(slices.Clone(s.lines), func(c contender) bool { return !slices.Contains(names, c.name) })
	return s
}

// condition is how unevenly ranks come: the factor by which the latest exceeds the time of one message, and which share is late.
type condition struct {
	factor int // MIF
	late   float64
}

func (c condition) String() string {
	if c.late > 0 {
		return fmt.Sprintf("%.0f%% late, MIF %d", 100*c.late, c.factor)
	}
	return fmt.Sprintf("MIF %d", c.factor)
}

// messageTimes are the times of one message between nodes, T, by size.
func messageTimes(ctx context.Context, b *lab.Bench, on lab.Setup, sizes []int) (map[int]float64, error) {
	times := map[int]float64{}
	err := b.Run(ctx, lab.Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		return measure.Sweep(k, sizes, func(size, us float64) { times[int(size)] = us }, func(size int) (float64, error) {
			return measure.PingPong(k, size, b.Loops(on, size))
		})
	})
	return times, err
}

// arrivals are those of a condition for messages that take t microseconds. A quick bench draws as many: with fewer the ratios of
// algorithms depend on the draw.
func (c condition) arrivals(t float64) measure.Arrivals {
	return measure.Arrivals{Most: time.Duration(float64(c.factor) * t * 1e3), Late: c.late, Seed: 2010, Calls: 40}
}

// findings are what a study found: by condition and size.
type findings struct {
	order  []condition              // all ranks go through them in it
	panels map[condition]*lab.Panel // over sizes
	floors map[condition]*lab.Series
	own    map[string]*lab.Series // by line: the time when all come together
	ways   map[string]*lab.Series // by algorithm, under the first condition
	sizes  []int
	times  map[int]float64
}

// measured runs a study with that many ranks and adds a panel per condition.
func (s study) measured(ctx context.Context, b *lab.Bench, r *lab.Result, ranks int, sizes []int, conditions ...condition) (*findings, error) {
	on := b.Setups("IB3")[0]
	times, err := messageTimes(ctx, b, on, sizes)
	if err != nil {
		return nil, err
	}
	o := &findings{order: conditions, panels: map[condition]*lab.Panel{}, floors: map[condition]*lab.Series{}, own: map[string]*lab.Series{}, ways: map[string]*lab.Series{}, sizes: sizes, times: times}
	for _, c := range conditions {
		o.panels[c] = r.AddPanel(fmt.Sprintf("%s on %d processes, %s", s.op, ranks, c), lab.Bytes, lab.Microseconds)
		o.floors[c] = &lab.Series{Name: "bound"}
		for _, size := range sizes {
			o.floors[c].Add(float64(size), c.arrivals(times[size]).Floor(ranks))
		}
	}
	for _, line := range s.lines {
		o.own[line.name] = &lab.Series{Name: line.name}
		for _, way := range line.ways {
			if err := o.add(ctx, b, placed(on, ranks), s.op, line.name, way); err != nil {
				return nil, err
			}
		}
	}
	t := r.AddTable("When all come together, us", "line")
	for _, size := range sizes {
		t.Head = append(t.Head, sizeName(size))
	}
	for _, line := range s.lines {
		row := []string{line.name}
		for _, p := range o.own[line.name].Points {
			row = append(row, fmt.Sprintf("%.1f", p.Y))
		}
		t.Add(row...)
	}
	for _, c := range conditions {
		o.panels[c].Series = append(o.panels[c].Series, o.floors[c])
	}
	return o, nil
}

// add measures one algorithm of a line under all conditions.
func (o *findings) add(ctx context.Context, b *lab.Bench, job lab.Job, op measure.Collective, line string, a approach) error {
	way, group := a.way, maker(measure.NewGroup)
	job.Settings = []string{fmt.Sprintf("coll=%s=%s", op, way)}
	if a.plans != nil && job.On.On.Virtual() {
		kind, _ := coll.ParseOp(string(op))
		job.Puts, group = true, newTheatre(job, kind, a.plans).group
	}
	o.ways[way] = &lab.Series{Name: way}
	return b.Run(ctx, job, func(k *measure.Rank) error {
		const warmup = 60 // connections, rings and registrations stand; fewer calls leave some of that to the measurement
		for _, size := range o.sizes {
			g, err := group(k, op, size)
			if err != nil {
				return err
			}
			us, err := g.Uneven(measure.Arrivals{Calls: 4}, warmup)
			if err != nil {
				return err
			}
			better(k, o.own[line], size, us)
			for i, c := range o.order {
				if us, err = g.Uneven(c.arrivals(o.times[size]), 0); err != nil {
					return err
				}
				better(k, o.panels[c].Line(line), size, us)
				if i == 0 {
					better(k, o.ways[way], size, us)
				}
			}
		}
		return nil
	})
}

// better adds a value to a line, or puts it in the place of a greater one. Only the leading rank does.
func better(k *measure.Rank, s *lab.Series, size int, us float64) {
	if !k.Lead() {
		return
	}
	for i, p := range s.Points {
		if p.X == float64(size) {
			s.Points[i].Y = min(p.Y, us)
			return
		}
	}
	s.Add(float64(size), us)
}

// bound is the time that a call takes at least on average, if one message takes t.
func (c condition) bound(ranks int, t float64) float64 {
	return lab.ArrivalBound(ranks, c.factor, c.late, t)
}

// newBoundTable begins the table of results beside their bounds.
func newBoundTable(r *lab.Result) *lab.Table {
	return r.AddTable("Beside the bound", "line", "processes", "condition", "size", "time us", "bound us", "time over bound", "of these arrivals us", "time over that", "and own time us")
}

// addBounds shows lines beside the arithmetic bound, that of the arrivals which were drawn, and the latter with the time
// that the last rank needs for itself.
func (o *findings) addBounds(r *lab.Result, ranks int, lines ...string) {
	o.fillBounds(newBoundTable(r), ranks, lines...)
}

func (o *findings) fillBounds(t *lab.Table, ranks int, lines ...string) {
	for _, name := range lines {
		for _, c := range o.order {
			for _, p := range o.panels[c].Line(name).Points {
				bound, drawn := c.bound(ranks, o.times[int(p.X)]), o.floors[c].At(p.X)
				t.Add(name, fmt.Sprint(ranks), c.String(), sizeName(int(p.X)), fmt.Sprintf("%.1f", p.Y), fmt.Sprintf("%.1f", bound), fmt.Sprintf("%.2f", p.Y/bound),
					fmt.Sprintf("%.1f", drawn), fmt.Sprintf("%.2f", p.Y/drawn), fmt.Sprintf("%.1f", drawn+o.own[name].At(p.X)))
			}
		}
	}
}
