package simtest

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/mpi"
)

// Result is what a run came to.
type Result struct {
	Err      error          // nil if everything was as it must be
	Virtual  int64          // nanoseconds that it took
	Messages int            // of the program, without those of collectives
	Bytes    int64          // of messages and of results of collectives that were compared with what they must be
	Served   int            // calls of collectives that the algorithm which the case names serves
	Died     bool           // a rank was killed before it had ended
	Faults   map[string]int // misfortunes that began, by kind; a break is counted once per connection
	Layout   []string       // what there is to say of where ranks are
	Counters Counters
}

// longest is the virtual time after which a run hangs, in nanoseconds: far beyond every time-out that a seed sets.
const longest = 600e9

// stageInTime runs ranks as tasks in virtual time.
type stageInTime struct {
	crew *boot.Crew
	out  io.Writer
}

func (s *stageInTime) compute(rank int, nanos int64) { s.crew.Ranks[rank].Clock().Sleep(nanos) }
func (s *stageInTime) now(rank int) int64            { return s.crew.Ranks[rank].Clock().Now() }

func (s *stageInTime) trace(rank int, format string, a ...any) {
	if s.out != nil {
		fmt.Fprintf(s.out, "%14.3f us  rank %-3d %s\n", float64(s.now(rank))/1e3, rank, fmt.Sprintf(format, a...))
	}
}

// job is a case that runs.
type job struct {
	*Case
	program   *program
	scheduler *clock.Scheduler
	fabric    *sim.Fabric
	crew      *boot.Crew
	stage     *stageInTime
	actors    []*actor
	chance    sim.Chance
	begun     map[string]int // misfortunes, as in Result
	died      bool           // as in Result
}

// Run runs a case in virtual time and judges it. With a trace, it writes there what happens when.
func Run(c *Case, trace io.Writer) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r.Err = fmt.Errorf("panic outside of the ranks: %v\n%s", p, debug.Stack())
		}
	}()
	j, err := newJob(c, trace)
	if err != nil {
		return Result{Err: err}
	}
	err = boot.Run(j.crew, func(w *mpi.Comm) error { return j.actors[w.Rank()].perform(w, j.program.scripts[w.Rank()]) })
	r = j.result(err)
	j.crew.Close()
	return r
}

// CheckProfile tells what is wrong with the name of a network profile.
func CheckProfile(name string) error {
	_, err := sim.LoadProfile(name)
	return err
}

// newJob makes a job of a case.
func newJob(c *Case, trace io.Writer) (*job, error) {
	j := &job{Case: c, program: layOut(c), scheduler: clock.NewScheduler(c.Seed), begun: map[string]int{}}
	j.scheduler.Limit(longest)
	profile, err := sim.LoadProfile(c.Shape.Profile)
	if err != nil {
		return nil, err
	}
	if j.fabric, err = sim.New(j.scheduler, sim.Cluster{Nodes: c.Shape.Nodes, Profile: profile, Rails: c.Shape.Rails, Each: c.Shape.Each, Asks: c.Shape.Asks, Inline: c.Shape.Inline, Seed: c.Seed}); err != nil {
		return nil, err
	}
	cfg := boot.SimConfig{Scheduler: j.scheduler, Fabric: j.fabric, Ranks: c.Shape.Ranks, Place: j.place, Env: c.Shape.Settings, Seed: c.Seed,
		Site: func() string { return "" }}
	if trace != nil {
		cfg.Link = j.listen
	}
	j.stage = &stageInTime{out: trace}
	if j.crew, err = boot.NewSimCrew(cfg); err != nil {
		return nil, err
	}
	j.stage.crew = j.crew
	for i := range c.Shape.Ranks {
		j.actors = append(j.actors, newActor(i, j.stage))
	}
	for _, a := range j.actors {
		a.crew = j.actors
	}
	if err := j.misfortunes(); err != nil {
		j.crew.Close()
		return nil, err
	}
	return j, nil
}

// place is where a rank is.
func (j *job) place(rank int) (node, core int) { return j.Shape.nodeOf(rank) }

// result judges what the ranks did. ended is how boot.Run ended.
func (j *job) result(ended error) Result {
	r := Result{Virtual: j.scheduler.Now(), Messages: len(j.program.sends), Died: j.died,
		Served: j.served(), Faults: j.begun, Layout: j.layout(), Counters: Counters{}}
	for _, a := range j.actors {
		r.Bytes += a.checked
	}
	whole := true
	for i, rank := range j.crew.Ranks {
		if whole = whole && !j.crew.Dead(i); !j.crew.Dead(i) {
			e, l := rank.Counters()
			r.Counters.add(e, l)
		}
	}
	if r.Err = j.excuse(ended, r.Died); r.Err != nil {
		if where := unfinished(j.actors); where != nil {
			r.Err = fmt.Errorf("%w\n%w", r.Err, where)
		}
		return r
	}
	r.Err = judge(j.program, j.actors, r.Died)
	if r.Err == nil && whole {
		r.Err = r.Counters.balance(j)
	}
	return r
}

// excuse tells whether a job may have ended so: if a rank has died, the others may have learned of it.
func (j *job) excuse(ended error, died bool) error {
	if !died || ended == nil {
		return ended
	}
	var dead *clock.Deadlock
	if errors.As(ended, &dead) || errors.Is(ended, clock.ErrLimit) || !errors.Is(ended, mpi.ErrProcFailed) {
		return fmt.Errorf("after a rank's death: %w", ended)
	}
	for i, a := range j.actors {
		// Who gets an error sooner goes on sooner, and may give up a communicator that others are still busy with.
		if a.err != nil && !errors.Is(a.err, mpi.ErrProcFailed) && !errors.Is(a.err, mpi.ErrAborted) && !errors.Is(a.err, mpi.ErrGivenUp) {
			return fmt.Errorf("after a rank's death, rank %d: %w", i, a.err)
		}
	}
	return nil
}
