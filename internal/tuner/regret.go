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
	Neighbors  int     `json:"neighbors,omitempty"` // of each rank, in calls between neighbours
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
	text := fmt.Sprintf("%s %s %s of %d bytes", p.Profile, p.Shape, p.Op, p.Bytes)
	if p.Neighbors > 0 {
		text += fmt.Sprintf(", %d neighbours", p.Neighbors)
	}
	return text
}

// Jobs lists what there is to simulate, in order of profiles, shapes and operations. Jobs have
// nothing in common and may run at the same time.
func (s *Study) Jobs() (jobs []*StudyJob) {
	for _, profile := range s.Profiles {
		for _, shape := range s.Shapes {
			for _, op := range s.Ops {
				for _, around := range circlesOf(op) {
					j := &StudyJob{cluster: Cluster{Profile: profile, Shape: shape, Env: s.Env}, op: op, around: around, memory: s.Memory}
					j.bytes = (&Config{Bytes: s.Bytes}).sizes(op)
					jobs = append(jobs, j)
				}
			}
		}
	}
	return jobs
}

// StudyJob is one operation on one simulated cluster.
type StudyJob struct {
	memory  int
	cluster Cluster
	op      coll.Op
	around  circle // of calls between neighbours
	bytes   []int
	in, out []byte // of all ranks: nobody looks at what is in them
}

// Points is how many there are.
func (j *StudyJob) Points() int { return len(j.bytes) }

// Run simulates the job and returns its points, by size. Tell is told before each of them.
//
// Every algorithm has ranks of its own: what others leave behind in a link, such as memory that is
// registered, connections and what it has learnt of its peers, makes it faster or slower.
func (j *StudyJob) Run(ctx context.Context, tell func(next string)) (points []Point, err error) {
	ranks := j.cluster.Shape.Ranks()
	for _, n := range j.bytes {
		p := Point{Profile: j.cluster.Profile, Shape: j.cluster.Shape.String(), Op: j.op.String(), Bytes: n, BestUs: math.Inf(1)}
		blocks := ranks
		if j.op.Neighborly() {
			p.Neighbors = len(j.around.offsets)
			blocks = p.Neighbors
		}
		tell(p.Name())
		if sum := needs(j.op, n, ranks, blocks); sum > j.memory {
			p.Skipped, p.BestUs = fmt.Sprintf("buffers of %d KB", sum>>10), 0
		} else if err := j.race(ctx, &p); err != nil {
			return nil, fmt.Errorf("tuner: %s: %w", p.Name(), err)
		}
		points = append(points, p)
	}
	j.in, j.out = nil, nil
	return points, nil
}

// race times all algorithms that serve a case.
func (j *StudyJob) race(ctx context.Context, p *Point) error {
	if need := max(p.Bytes, 8) * max(j.cluster.Shape.Ranks(), p.Neighbors); len(j.in) < need {
		j.in, j.out = make([]byte, need), make([]byte, need)
	}
	call := newCall(j.op, p.Bytes, j.in, j.out)
	var names []string
	err := j.cluster.Run(func(world *comm.Comm, _ func(int64)) (err error) {
		if world, err = j.around.of(world); err != nil {
			return err
		}
		if world.Rank() == 0 {
			names, p.Chosen, err = candidates(world.Case(call), world)
		}
		return err
	})
	for _, name := range names {
		var ns int64
		if ns, err = j.least(ctx, call, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p.note(name, float64(ns)/1e3)
	}
	return err
}

// candidates are the algorithms that are worth trying for a case, with the one that is chosen.
func candidates(c coll.Case, world *comm.Comm) (names []string, chosen string, err error) {
	if err := c.Validate(); err != nil {
		return nil, "", err
	}
	inForce, _ := world.Chooses(c)
	if names = Ways(c); !slices.Contains(names, inForce.Name) {
		names = append(names, inForce.Name)
	}
	return names, inForce.Name, nil
}

// note takes the time of an algorithm.
func (p *Point) note(name string, us float64) {
	p.Candidates++
	if us < p.BestUs {
		p.Best, p.BestUs = name, us
	}
	if name == p.Chosen {
		p.ChosenUs = us
	}
}

// needs is how many bytes the buffers of all ranks have; so many blocks are those of a call between neighbours.
func needs(op coll.Op, bytes, ranks, blocks int) (sum int) {
	switch op {
	case coll.NeighborAllgather:
		return ranks * (1 + blocks) * bytes
	case coll.NeighborAlltoall:
		return ranks * 2 * blocks * bytes
	}
	c := coll.Case{Op: op, Ranks: ranks, Bytes: bytes, Elem: 1}
	for c.Rank = range ranks {
		l := c.Lens()
		sum += l.In + l.Out
	}
	return sum
}

// mostCalls is how often a call is timed. The shortest one counts: in others memory is registered
// that was used often enough, and connections are made for it.
const mostCalls = 8

// long is from when on, in nanoseconds, a call is so long that a registration in it does not show.
const long = 1_000_000

// enough tells that no other call would be much shorter than these.
func enough(calls []span) bool {
	n := len(calls)
	return n == mostCalls || n > 0 && calls[n-1].took() > long
}

// span is the time of a call, from when all ranks begin until the last one is done, in nanoseconds.
type span struct{ begin, end int64 }

func (s span) took() int64 { return s.end - s.begin }

// runner is one rank of a job that times an algorithm. Ranks run one at a time and share the calls.
type runner struct {
	world *comm.Comm
	pause func(ns int64)
	now   func() int64
	calls *[]span
}

// least has the ranks of a job call an algorithm: once untimed, which makes connections and plans,
// and then often enough. It returns the shortest time.
func (j *StudyJob) least(ctx context.Context, call *comm.Call, name string) (int64, error) {
	var calls []span
	err := j.cluster.Run(func(world *comm.Comm, pause func(int64)) error {
		world, err := j.around.of(world)
		if err != nil {
			return err
		}
		s, err := only(world, j.op, name)
		if err != nil {
			return err
		}
		r := runner{world: world, pause: pause, now: world.Env().Now, calls: &calls}
		return r.run(ctx, world.Choosing(s), call)
	})
	if err != nil {
		return 0, err
	}
	return slices.MinFunc(calls, func(a, b span) int { return cmp.Compare(a.took(), b.took()) }).took(), nil
}

func (r *runner) run(ctx context.Context, handle *comm.Comm, call *comm.Call) error {
	err := ctx.Err()
	if err == nil {
		err = handle.Run(call)
	}
	if err == nil {
		err = r.barrier()
	}
	for n := 0; err == nil && !enough((*r.calls)[:n]); n++ { // all ranks see the same n times after a barrier
		err = r.time(n, handle, call)
	}
	return err
}

func (r *runner) barrier() error { return r.world.Run(&comm.Call{Op: coll.Barrier}) }

// together is how long after the first rank has left a barrier all begin, in nanoseconds.
const together = 1_000_000

// time times the n-th call. Ranks begin at the same nanosecond.
func (r *runner) time(n int, handle *comm.Comm, call *comm.Call) error {
	if len(*r.calls) == n {
		*r.calls = append(*r.calls, span{begin: r.now() + together})
	}
	r.pause(max((*r.calls)[n].begin-r.now(), 0))
	if err := handle.Run(call); err != nil {
		return err
	}
	(*r.calls)[n].end = max((*r.calls)[n].end, r.now())
	return r.barrier()
}

// only is the selector of world that chooses an algorithm, wherever it fits.
func only(world *comm.Comm, op coll.Op, name string) (*coll.Selector, error) {
	rule, err := coll.Parse(op.String() + "=" + strings.TrimPrefix(name, op.String()+"/"))
	if err != nil {
		return nil, err
	}
	return world.Env().Select.With(rule...), nil
}
