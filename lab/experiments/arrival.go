package experiments

import (
	"context"
	"fmt"
	"maps"
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

// contender is a line of a figure, and the algorithms of which the best counts at each size: the document
// shows the better of two schemes, blocks that are copied into memory that waits at the receiver, and
// blocks that go straight to where the receiver has said it wants them.
type contender struct {
	name string
	ways []approach
}

// approach is an algorithm of the library. In virtual time it is played below MPI if there are plans for
// that: the document's algorithms are programs of remote writes, also within a node, to memory that was
// made known before (copied blocks) or that the receiver makes known when it arrives. Those of shared
// memory are not played: of them each node sends few messages.
type approach struct {
	way    string
	plans  planner
	staged bool // see stage
}

// zeroCopy has an algorithm of an operation played.
func zeroCopy(op measure.Collective, way string) approach {
	return approach{way: way, plans: func(c coll.Case) ([]*plan.Plan, error) { return plansOf(string(op)+"/"+way, c) }}
}

// copied has Direct played with copies.
func copied(way string, byArrival bool) approach {
	return approach{way: way, plans: copyPlans(byArrival), staged: true}
}

// studyOf is an operation by the document's algorithms, and native ones of its platform by what its text can mean.
func studyOf(op measure.Collective, native ...contender) study {
	return study{op, append(native,
		contender{direct, []approach{copied("direct@1", false), zeroCopy(op, "direct_zero")}},
		contender{papDirect, []approach{copied("pap_copy", true), zeroCopy(op, "pap_direct")}},
		contender{shmDirect, []approach{{way: "shm_direct"}}},
		contender{papShm, []approach{{way: "pap_shm_direct"}}},
	)}
}

// The lines of the document. Of "Recursive-Doubling" in the native alltoall there are two readings: a
// hypercube, in which blocks travel up to log2 N times, and pairs that exchange their blocks, N-1 of them.
const (
	mvapichLine  = "MVAPICH"
	mvapichPairs = "MVAPICH, by pairs"
	papDirect    = "PAP_Direct"
	shmDirect    = "Shm_Direct"
	papShm       = "PAP_Shm_Direct"
)

var (
	hypercube = contender{mvapichLine, []approach{{way: "mvapich"}}}
	byPairs   = contender{mvapichPairs, []approach{{way: "mvapich_xor"}}}

	alltoallStudy  = studyOf(measure.Alltoall, hypercube, byPairs)
	allgatherStudy = studyOf(measure.Allgather, hypercube)
)

// natives are the lines of the platform's own library.
func (s study) natives() (names []string) {
	for _, line := range s.lines {
		if line.name == mvapichLine || line.name == mvapichPairs {
			names = append(names, line.name)
		}
	}
	return names
}

// only returns the study with some of its lines.
func (s study) only(names ...string) study {
	s.lines = slices.DeleteFunc(slices.Clone(s.lines), func(c contender) bool { return !slices.Contains(names, c.name) })
	return s
}

// condition is how unevenly ranks come: the factor by which the latest exceeds the time of one message, and
// which share is late.
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

// arrivals are those of a condition for messages that take t microseconds. A quick bench draws as many:
// with fewer the ratios of algorithms depend on the draw.
func (c condition) arrivals(t float64) measure.Arrivals {
	return measure.Arrivals{Most: time.Duration(float64(c.factor) * t * 1e3), Late: c.late, Seed: 2010, Calls: 40}
}

// findings are what a study found: by condition and size.
type findings struct {
	study
	order  []condition              // all ranks go through them in it
	panels map[condition]*lab.Panel // over sizes
	floors map[condition]*lab.Series
	own    map[string]*lab.Series               // by line: the time when all come together; by algorithm, too
	ways   map[condition]map[string]*lab.Series // by algorithm
	tally  map[counted]*waits
	sizes  []int
	times  map[int]float64
}

// counted is what waits are counted for.
type counted struct {
	c    condition
	way  string
	size int
}

// waits are what all ranks count in a call.
type waits struct{ blocked, early float64 }

// newFindings begins a study of that many ranks, with a panel per condition.
func newFindings(s study, r *lab.Result, ranks int, times map[int]float64, conditions []condition) *findings {
	o := &findings{study: s, order: conditions, panels: map[condition]*lab.Panel{}, floors: map[condition]*lab.Series{}, own: map[string]*lab.Series{},
		ways: map[condition]map[string]*lab.Series{}, tally: map[counted]*waits{}, sizes: slices.Sorted(maps.Keys(times)), times: times}
	for _, c := range conditions {
		o.panels[c] = r.AddPanel(fmt.Sprintf("%s on %d processes, %s", s.op, ranks, c), lab.Bytes, lab.Microseconds)
		o.floors[c], o.ways[c] = &lab.Series{Name: "bound"}, map[string]*lab.Series{}
		for _, size := range o.sizes {
			o.floors[c].Add(float64(size), c.arrivals(times[size]).Floor(ranks))
		}
	}
	for _, line := range s.lines {
		o.own[line.name] = &lab.Series{Name: line.name}
		for _, a := range line.ways {
			o.own[a.way] = &lab.Series{Name: a.way}
		}
	}
	return o
}

// measured runs a study with that many ranks and adds a panel per condition.
func (s study) measured(ctx context.Context, b *lab.Bench, r *lab.Result, ranks int, sizes []int, conditions ...condition) (*findings, error) {
	return s.measuredOn(ctx, b, b.Setups("IB3")[0], r, ranks, sizes, conditions...)
}

func (s study) measuredOn(ctx context.Context, b *lab.Bench, on lab.Setup, r *lab.Result, ranks int, sizes []int, conditions ...condition) (*findings, error) {
	times, err := messageTimes(ctx, b, on, sizes)
	if err != nil {
		return nil, err
	}
	o := newFindings(s, r, ranks, times, conditions)
	for _, line := range s.lines {
		for _, way := range line.ways {
			if err := o.add(ctx, b, placed(on, ranks), line.name, way); err != nil {
				return nil, err
			}
		}
	}
	o.tell(r)
	for _, c := range conditions {
		o.panels[c].Series = append(o.panels[c].Series, o.floors[c])
	}
	return o, nil
}

// add measures one algorithm of a line under all conditions. It has no points at sizes that it does not fit.
func (o *findings) add(ctx context.Context, b *lab.Bench, job lab.Job, line string, a approach) error {
	group, t := maker(measure.NewGroup), (*theatre)(nil)
	job.Settings = []string{fmt.Sprintf("coll=%s=%s", o.op, a.way)}
	if a.plans != nil && job.On.On.Virtual() {
		kind, _ := coll.ParseOp(string(o.op))
		t = newTheatre(job, kind, a.plans)
		t.staged = a.staged
		job.Puts, group = true, t.group
	}
	for _, c := range o.order {
		o.ways[c][a.way] = &lab.Series{Name: a.way}
	}
	return b.Run(ctx, job, func(k *measure.Rank) error {
		for _, size := range o.sizes {
			g, err := group(k, o.op, size)
			if err == nil {
				err = o.addSize(k, g, t, line, a.way, size)
			}
			if err != nil && !measure.Unfit(err) {
				return err
			}
		}
		return nil
	})
}

// addSize measures one algorithm at one size.
func (o *findings) addSize(k *measure.Rank, g *measure.Group, t *theatre, line, way string, size int) error {
	const warmup = 60 // connections, rings and registrations stand; fewer calls leave some of that to the measurement
	us, err := g.Uneven(measure.Arrivals{Calls: 4}, warmup)
	if err != nil {
		return err
	}
	better(k, o.own[line], size, us)
	better(k, o.own[way], size, us)
	for _, c := range o.order {
		a, before := c.arrivals(o.times[size]), waitsOf(k, t)
		if us, err = g.Uneven(a, 0); err != nil {
			return err
		}
		o.count(counted{c, way, size}, before, waitsOf(k, t), a.Calls)
		better(k, o.panels[c].Line(line), size, us)
		better(k, o.ways[c][way], size, us)
	}
	return nil
}

// waitsOf is what a rank has counted so far; of what is played, the leading rank tells for all.
func waitsOf(k *measure.Rank, t *theatre) (w waits) {
	switch {
	case t != nil && k.Lead():
		w.blocked = float64(t.blocked())
	case t == nil && k.Counted != nil:
		n := k.Counted()
		w = waits{float64(n.BlockedSends), float64(n.EarlyBytes)}
	}
	return w
}

// count adds a rank's part. In virtual time one rank runs at a time; on a host nobody counts.
func (o *findings) count(of counted, before, after waits, calls int) {
	if before == after {
		return
	}
	w := o.tally[of]
	if w == nil {
		w = new(waits)
		o.tally[of] = w
	}
	w.blocked += (after.blocked - before.blocked) / float64(calls)
	w.early += (after.early - before.early) / float64(calls)
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
