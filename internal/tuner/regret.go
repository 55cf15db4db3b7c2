package tuner

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// Study asks in virtual time what is lost by the choice of algorithms: on every profile and shape,
// for every operation and size, the time of the chosen algorithm is compared with that of the best
// one.
type Study struct {
	Profiles []string
	Shapes   []Shape
	Ops      []coll.Op
	Bytes    []int    // in order
	Env      []string // settings (WEFT_...) of the ranks
	Memory   int      // bytes that the buffers of all ranks may have together; points that need more are skipped
}

// Point is what the choice costs in one case.
type Point struct {
	Profile    string  `json:"profile"`
	Shape      string  `json:"shape"`
	Op         string  `json:"op"`
	Bytes      int     `json:"bytes"`
	Candidates int     `json:"candidates,omitempty"`
	Chosen     string  `json:"chosen,omitempty"`
	ChosenUs   float64 `json:"chosen_us,omitempty"`
	Best       string  `json:"best,omitempty"`
	BestUs     float64 `json:"best_us,omitempty"`
	Skipped    string  `json:"skipped,omitempty"` // why there are no times
}

// Regret is the chosen algorithm's time over the best one's.
func (p *Point) Regret() float64 { return p.ChosenUs / p.BestUs }

// Name says which case it is.
func (p *Point) Name() string {
	return fmt.Sprintf("%s %s %s of %d bytes", p.Profile, p.Shape, p.Op, p.Bytes)
}

// Jobs lists what there is to simulate, in order of profiles, shapes and operations. Jobs have
// nothing in common and may run at the same time.
func (s *Study) Jobs() (jobs []*StudyJob) {
	for _, profile := range s.Profiles {
		for _, shape := range s.Shapes {
			for _, op := range s.Ops {
				j := &StudyJob{cluster: Cluster{Profile: profile, Shape: shape, Env: s.Env}, op: op, memory: s.Memory}
				j.bytes = (&Config{Bytes: s.Bytes}).sizes(op)
				jobs = append(jobs, j)
			}
		}
	}
	return jobs
}

// StudyJob is one operation on one simulated cluster. Its ranks run one at a time and share it.
type StudyJob struct {
	memory  int
	cluster Cluster
	op      coll.Op
	bytes   []int
	races   map[int]*race // by bytes
	in, out []byte        // of all ranks: nobody looks at what is in them
}

// race is the algorithms that are compared for a case.
type race struct {
	names     []string
	selectors []*coll.Selector
	chosen    string
	calls     [][]span // of each algorithm
}

// span is the time of a call, from when all ranks begin until the last one is done, in nanoseconds.
type span struct{ begin, end int64 }

func (s span) took() int64 { return s.end - s.begin }

// Points is how many there are.
func (j *StudyJob) Points() int { return len(j.bytes) }

// Run simulates the job and returns its points, by size. Tell is told before each of them.
func (j *StudyJob) Run(ctx context.Context, tell func(next string)) (points []Point, err error) {
	j.races = map[int]*race{}
	ranks := j.cluster.Shape.Ranks()
	var sizes []int
	most := 0
	for _, n := range j.bytes {
		if needs(j.op, n, ranks) <= j.memory {
			sizes = append(sizes, n)
			most = n
		}
	}
	j.in, j.out = make([]byte, max(most, 8)*ranks), make([]byte, max(most, 8)*ranks)
	if len(sizes) > 0 {
		err := j.cluster.Run(func(world *comm.Comm, pause func(int64)) error {
			r := runner{job: j, world: world, pause: pause, now: world.Env().Now}
			for _, n := range sizes {
				if world.Rank() == 0 {
					tell(fmt.Sprintf("%s %s, %s of %d bytes", j.cluster.Profile, j.cluster.Shape, j.op, n))
				}
				if err := r.race(ctx, n); err != nil {
					return fmt.Errorf("%s of %d bytes: %w", j.op, n, err)
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("tuner: %s on %s: %w", j.cluster.Shape, j.cluster.Profile, err)
		}
	}
	for _, n := range j.bytes {
		p := Point{Profile: j.cluster.Profile, Shape: j.cluster.Shape.String(), Op: j.op.String(), Bytes: n}
		if r := j.races[n]; r != nil {
			r.fill(&p)
		} else {
			p.Skipped = fmt.Sprintf("buffers of %d KB", needs(j.op, n, ranks)>>10)
			tell(p.Name())
		}
		points = append(points, p)
	}
	j.races, j.in, j.out = nil, nil, nil
	return points, nil
}

// needs is how many bytes the buffers of all ranks have.
func needs(op coll.Op, bytes, ranks int) (sum int) {
	c := coll.Case{Op: op, Ranks: ranks, Bytes: bytes, Elem: 1}
	for c.Rank = range ranks {
		l := c.Lens()
		sum += l.In + l.Out
	}
	return sum
}

// fill puts the times into a point.
func (r *race) fill(p *Point) {
	p.Candidates, p.Chosen, p.BestUs = len(r.names), r.chosen, math.Inf(1)
	for i, name := range r.names {
		us := float64(least(r.calls[i])) / 1e3
		if us < p.BestUs {
			p.Best, p.BestUs = name, us
		}
		if name == r.chosen {
			p.ChosenUs = us
		}
	}
}

// least is the time of the shortest call.
func least(calls []span) int64 {
	return slices.MinFunc(calls, func(a, b span) int { return cmp.Compare(a.took(), b.took()) }).took()
}

// mostCalls is how often a call is timed at most.
const mostCalls = 8

// long is from when on, in nanoseconds, a call is so long that a registration in it does not show.
const long = 1_000_000

// settled tells that another call would take as long as these. A single short one does not tell,
// because it may be the one in which memory is registered that was used often enough.
func settled(calls []span) bool {
	n := len(calls)
	switch {
	case n == 0:
		return false
	case n == mostCalls || calls[n-1].took() > long:
		return true
	case n == 1:
		return false
	}
	a, b := calls[n-2].took(), calls[n-1].took()
	return max(a, b)-min(a, b) <= min(a, b)/50
}

// runner is one rank of a StudyJob.
type runner struct {
	job   *StudyJob
	world *comm.Comm
	pause func(ns int64)
	now   func() int64
}

// race has the rank take part in a race: for every algorithm a call that is not timed, which makes
// connections and plans, and then so many that are that their times are settled.
func (r *runner) race(ctx context.Context, bytes int) error {
	call := newCall(r.job.op, bytes, r.job.in, r.job.out)
	all, err := r.job.raceOf(r.world, call)
	if err != nil {
		return err
	}
	for i, selector := range all.selectors {
		handle := r.world.Choosing(selector)
		err := ctx.Err()
		if err == nil {
			err = handle.Run(call)
		}
		if err == nil {
			err = r.barrier()
		}
		for n := 0; err == nil && !settled(all.calls[i][:n]); n++ { // all ranks see the same n times after a barrier
			err = r.time(&all.calls[i], n, handle, call)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", all.names[i], err)
		}
	}
	return nil
}

func (r *runner) barrier() error { return r.world.Run(&comm.Call{Op: coll.Barrier}) }

// together is how long after the first rank has left a barrier all begin, in nanoseconds.
const together = 1_000_000

// time times the n-th call of an algorithm. Ranks begin at the same nanosecond.
func (r *runner) time(calls *[]span, n int, handle *comm.Comm, call *comm.Call) error {
	if len(*calls) == n {
		*calls = append(*calls, span{begin: r.now() + together})
	}
	r.pause(max((*calls)[n].begin-r.now(), 0))
	if err := handle.Run(call); err != nil {
		return err
	}
	(*calls)[n].end = max((*calls)[n].end, r.now())
	return r.barrier()
}

// raceOf is the race of a size, which the first rank that comes prepares for all.
func (j *StudyJob) raceOf(world *comm.Comm, call *comm.Call) (*race, error) {
	if r := j.races[call.Bytes]; r != nil {
		return r, nil
	}
	c := world.Case(call)
	if err := c.Validate(); err != nil {
		return nil, err
	}
	chosen, _ := world.Chooses(c)
	r := &race{names: Ways(c), chosen: chosen.Name}
	if !slices.Contains(r.names, r.chosen) {
		r.names = append(r.names, r.chosen)
	}
	r.calls = make([][]span, len(r.names))
	for _, name := range r.names {
		s, err := only(world, c.Op, name)
		if err != nil {
			return nil, err
		}
		r.selectors = append(r.selectors, s)
	}
	j.races[call.Bytes] = r
	return r, nil
}

// only is the selector of world that chooses an algorithm, wherever it fits.
func only(world *comm.Comm, op coll.Op, name string) (*coll.Selector, error) {
	rule, err := coll.Parse(op.String() + "=" + strings.TrimPrefix(name, op.String()+"/"))
	if err != nil {
		return nil, err
	}
	return world.Env().Select.With(rule...), nil
}
