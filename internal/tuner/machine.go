package tuner

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/plan"
)

// Samples are the times of trials in one job, from which Fit learns what the machine is like.
type Samples struct {
	Site   Site                 `json:"site"`
	Before model.Machine        `json:"before"` // what the machine was taken for
	Nanos  map[string][]float64 `json:"nanos"`  // by number that the trial tells: a time per round
}

// untimedRounds go before those that count, because first calls make connections and touch memory.
const untimedRounds = 4

// Sample runs the trials on the ranks of world, all of which call it, in interleaved rounds. Rank 0
// gets their times. Progress, which may be nil, is told there how many of all rounds are done.
func Sample(ctx context.Context, world *comm.Comm, rounds int, progress func(done, all int, next string)) (*Samples, error) {
	m := &bench{world: world.WithContext(ctx), rank: world.Rank(), in: make([]byte, room), out: make([]byte, room)}
	s := &Samples{Site: siteOf(m.world.Case(&comm.Call{Op: coll.Barrier})), Before: world.Env().Select.Machine(), Nanos: map[string][]float64{}}
	own := map[string]*plan.Plan{}
	for i := range trials {
		if plans := trials[i].plansOf(&s.Site); plans != nil {
			own[trials[i].number] = plans[m.rank]
		}
	}
	for round := range untimedRounds + rounds {
		if progress != nil && m.rank == 0 {
			progress(round, untimedRounds+rounds, fmt.Sprintf("round %d", round+1))
		}
		for _, t := range trials {
			if own[t.number] == nil {
				continue
			}
			us, err := m.trial(own[t.number])
			if err != nil {
				return nil, fmt.Errorf("tuner: trial of %s: %w", t.number, err)
			}
			if round >= untimedRounds {
				s.Nanos[t.number] = append(s.Nanos[t.number], 1e3*us)
			}
		}
	}
	return s, nil
}

// trial runs a plan, and returns the microseconds of the slowest rank.
func (m *bench) trial(p *plan.Plan) (float64, error) {
	if err := m.barrier(); err != nil {
		return 0, err
	}
	sum, _ := datatype.Kernel(datatype.Sum, datatype.Float64)
	now := m.world.Env().Now
	from := now()
	err := m.world.RunPlan(p, &comm.Call{Op: coll.Barrier, In: m.in, Out: m.out, Elem: 8, Combine: func(dst, src []byte, _ bool) { sum(dst, src) }})
	if err != nil {
		return 0, err
	}
	return m.slowest(float64(now()-from) / 1e3)
}

// Sample runs the trials in virtual time.
func (c Cluster) Sample(ctx context.Context, rounds int) (s *Samples, err error) {
	err = c.Run(func(world *comm.Comm, _ func(int64)) error {
		own, err := Sample(ctx, world, rounds, nil)
		if world.Rank() == 0 {
			s = own
		}
		return err
	})
	return s, err
}
