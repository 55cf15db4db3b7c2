package tuner

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Cluster is a simulated cluster and the job on it. Ranks are put on nodes evenly, those of a node side by side.
type Cluster struct {
	Profile      string
	Ranks, Nodes int
	Env          []string // settings (WEFT_...) of the ranks
}

// virtualBatch is how long a batch is at most, in microseconds, where nothing disturbs those who measure: a few calls tell.
const virtualBatch = 200

// Simulate has all ranks call Run.
func (c Cluster) Simulate(ctx context.Context, cfg Config) ([]Timing, error) {
	return c.Run(func(world *comm.Comm, pause func(int64)) ([]Timing, error) {
		own := cfg
		own.Pause, own.Batch = pause, min(cfg.Batch, virtualBatch)
		return Run(ctx, world, own)
	})
}

// Run has all ranks measure, in virtual time, and returns what rank 0 got. Pause lets a rank's time pass.
func (c Cluster) Run(measure func(world *comm.Comm, pause func(int64)) ([]Timing, error)) ([]Timing, error) {
	model, err := sim.LoadProfile(c.Profile)
	if err != nil {
		return nil, err
	}
	s := clock.NewScheduler(1)
	fabric, err := sim.New(s, sim.Cluster{Nodes: c.Nodes, Profile: model})
	if err != nil {
		return nil, err
	}
	each := (c.Ranks + c.Nodes - 1) / c.Nodes
	crew, err := boot.NewSimCrew(boot.SimConfig{Scheduler: s, Fabric: fabric, Ranks: c.Ranks, Env: c.Env,
		Place: func(rank int) (node, core int) { return rank / each, rank % each }})
	if err != nil {
		return nil, err
	}
	defer crew.Close()
	var timings []Timing
	for i, r := range crew.Ranks {
		crew.Go(i, func() {
			own, err := measure(r.Env.World(), r.Clock().Sleep)
			if err != nil {
				crew.Fail(fmt.Errorf("rank %d: %w", i, err))
			}
			if i == 0 {
				timings = own
			}
			crew.Leave(i)
		})
	}
	if err := crew.Wait(); err != nil {
		return nil, err
	}
	return timings, crew.Cause()
}
