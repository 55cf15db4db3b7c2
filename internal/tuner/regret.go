package tuner

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// Study asks in virtual time what is lost by the choice of algorithms: on every profile and shape, for every operation and size, the
// time of the chosen algorithm is compared with that of the best one.
type Study struct {
	Profiles []string
	Shapes   []Shape
	Ops      []coll.Op
	Bytes    []int    // in order
	Env      []string // settings (WEFT_...) of the ranks
	Jobs     int      // how many are simulated at the same time; 0: one
	// Progress is told how many of all points are done, and which is next, by one job at a time; may be nil.
	Progress func(done, all int, next string)
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

// Run simulates everything and returns the points in order of profiles, shapes, operations and sizes.
func (s *Study) Run(ctx context.Context) ([]Point, error) {
	var jobs []*studyJob
	all := 0
	for _, profile := range s.Profiles {
		for _, shape := range s.Shapes {
			for _, op := range s.Ops {
				j := &studyJob{study: s, cluster: Cluster{Profile: profile, Shape: shape, Env: s.Env}, op: op}
				j.bytes = (&Config{Bytes: s.Bytes}).sizes(op)
				jobs, all = append(jobs, j), all+len(j.bytes)
			}
		}
	}
	var mu sync.Mutex
	done := 0
	tell := func(next string) {
		mu.Lock()
		defer mu.Unlock()
		if s.Progress != nil {
			s.Progress(done, all, next)
		}
		done++
	}
	if err := inParallel(max(s.Jobs, 1), jobs, func(j *studyJob) error { return j.run(ctx, tell) }); err != nil {
		return nil, err
	}
	var points []Point
	for _, j := range jobs {
		points = append(points, j.points...)
	}
	return points, nil
}

// inParallel does all jobs, some at the same time, until one fails.
func inParallel[T any](workers int, jobs []T, do func(T) error) (failed error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	take := func() (j T, more bool) {
		mu.Lock()
		defer mu.Unlock()
		if more = len(jobs) > 0 && failed == nil; more {
			j, jobs = jobs[0], jobs[1:]
		}
		return j, more
	}
	for range workers {
		wg.Go(func() {
			for j, more := take(); more; j, more = take() {
				if err := do(j); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return failed
}

// studyJob is one operation on one simulated cluster. Its ranks run one at a time and share it.
type studyJob struct {
	study   *Study
	cluster Cluster
	op      coll.Op
	bytes   []int
	points  []Point
	races   map[int]*race // by bytes
	in, out []byte        // of all ranks: nobody looks at what is in them
}

// race is the algorithms that are compared for a case.
type race struct {
	names     []string
	selectors []*coll.Selector
	chosen    string
	begin     []int64 // by algorithm: when all ranks begin
	end       []int64 // and when the last one is done
}

// mostBytes is how much memory the buffers of all ranks may need together.
const mostBytes = 1 << 30

// run simulates the job, and notes its points.
func (j *studyJob) run(ctx context.Context, tell func(string)) error {
	j.races = map[int]*race{}
	ranks := j.cluster.Shape.Ranks()
	var sizes []int
	most := 0
	for _, n := range j.bytes {
		if needs(j.op, n, ranks) <= mostBytes {
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
			return fmt.Errorf("tuner: %s on %s: %w", j.cluster.Shape, j.cluster.Profile, err)
		}
	}
	for _, n := range j.bytes {
		p := Point{Profile: j.cluster.Profile, Shape: j.cluster.Shape.String(), Op: j.op.String(), Bytes: n}
		if r := j.races[n]; r != nil {
			r.fill(&p)
		} else {
			p.Skipped = fmt.Sprintf("buffers of %d MB", needs(j.op, n, ranks)>>20)
			tell(p.Name())
		}
		j.points = append(j.points, p)
	}
	j.races, j.in, j.out = nil, nil, nil
	return nil
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
		us := float64(r.end[i]-r.begin[i]) / 1e3
		if us < p.BestUs {
			p.Best, p.BestUs = name, us
		}
		if name == r.chosen {
			p.ChosenUs = us
		}
	}
}

// runner is one rank of a studyJob.
type runner struct {
	job   *studyJob
	world *comm.Comm
	pause func(ns int64)
	now   func() int64
}

// race has the rank take part in a race: for every algorithm a call that is not timed, which makes connections and plans, and one
// that is.
func (r *runner) race(ctx context.Context, bytes int) error {
	call := newCall(r.job.op, bytes, r.job.in, r.job.out)
	all, err := r.job.raceOf(r.world, call)
	if err != nil {
		return err
	}
	for i, selector := range all.selectors {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.try(all, i, r.world.Choosing(selector), call); err != nil {
			return fmt.Errorf("%s: %w", all.names[i], err)
		}
	}
	return nil
}

// together is how long after the first rank has left a barrier all begin, in nanoseconds.
const together = 1_000_000

// try times one algorithm. Ranks begin at the same nanosecond.
func (r *runner) try(all *race, i int, handle *comm.Comm, call *comm.Call) error {
	barrier := &comm.Call{Op: coll.Barrier}
	if err := handle.Run(call); err != nil {
		return err
	}
	if err := r.world.Run(barrier); err != nil {
		return err
	}
	if all.begin[i] == 0 {
		all.begin[i] = r.now() + together
	}
	r.pause(max(all.begin[i]-r.now(), 0))
	if err := handle.Run(call); err != nil {
		return err
	}
	all.end[i] = max(all.end[i], r.now())
	return r.world.Run(barrier)
}

// raceOf is the race of a size, which the first rank that comes prepares for all.
func (j *studyJob) raceOf(world *comm.Comm, call *comm.Call) (*race, error) {
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
	r.begin, r.end = make([]int64, len(r.names)), make([]int64, len(r.names))
	for _, name := range r.names {
		s, err := only(c.Op, name)
		if err != nil {
			return nil, err
		}
		r.selectors = append(r.selectors, s)
	}
	j.races[call.Bytes] = r
	return r, nil
}

// only is the selector that chooses an algorithm, wherever it fits.
func only(op coll.Op, name string) (*coll.Selector, error) {
	rule, err := coll.Parse(op.String() + "=" + strings.TrimPrefix(name, op.String()+"/"))
	if err != nil {
		return nil, err
	}
	return coll.Default().With(rule...), nil
}
