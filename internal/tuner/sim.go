package tuner

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Cluster is a simulated cluster and the job on it. Ranks of a node are side by side.
type Cluster struct {
	Profile string
	Shape   Shape
	Env     []string // settings (WEFT_...) of the ranks
}

// virtualBatch is how long a batch is at most, in microseconds, where nothing disturbs those who measure: a
// few calls tell.
const virtualBatch = 200

// Simulate is Run in virtual time. Every algorithm that is measured has ranks of its own: what others leave
// behind in a link makes it faster or slower.
func (c Cluster) Simulate(ctx context.Context, cfg Config) (timings []Timing, err error) {
	if cfg.Verify {
		return c.simulate(ctx, cfg)
	}
	done, all := 0, 0
	for _, op := range cfg.Ops {
		all += len(cfg.sizes(op))
	}
	for _, op := range cfg.Ops {
		for _, bytes := range cfg.sizes(op) {
			if cfg.Progress != nil {
				cfg.Progress(done, all, fmt.Sprintf("%s of %d bytes", op, bytes))
			}
			done++
			own := cfg
			own.Ops, own.Bytes, own.Progress = []coll.Op{op}, []int{bytes}, nil
			ts, err := c.simulateCase(ctx, own)
			if err != nil {
				return timings, err
			}
			timings = append(timings, ts...)
		}
	}
	return timings, nil
}

// simulateCase measures the algorithms that serve one case.
func (c Cluster) simulateCase(ctx context.Context, cfg Config) (timings []Timing, err error) {
	var names []string
	err = c.Run(func(world *comm.Comm, _ func(int64)) error {
		if world.Rank() == 0 {
			m := bench{world: world, cfg: cfg}
			names = Ways(m.caseOf(m.call(cfg.Ops[0], cfg.Bytes[0])))
		}
		return nil
	})
	for _, name := range names {
		cfg.only = name
		ts, err := c.simulate(ctx, cfg)
		if err != nil {
			return nil, err
		}
		timings = append(timings, ts...)
	}
	return timings, err
}

// simulate has all ranks of a job call Run.
func (c Cluster) simulate(ctx context.Context, cfg Config) (timings []Timing, err error) {
	err = c.Run(func(world *comm.Comm, pause func(int64)) error {
		own := cfg
		own.Pause, own.Batch = pause, min(cfg.Batch, virtualBatch)
		ts, err := Run(ctx, world, own)
		if world.Rank() == 0 {
			timings = ts
		}
		return err
	})
	return timings, err
}

// Run has all ranks do something in virtual time, one of them at a time. Pause lets a rank's time pass.
func (c Cluster) Run(each func(world *comm.Comm, pause func(int64)) error) error {
	model, err := sim.LoadProfile(c.Profile)
	if err != nil {
		return err
	}
	s := clock.NewScheduler(1)
	fabric, err := sim.New(s, sim.Cluster{Nodes: len(c.Shape), Profile: model})
	if err != nil {
		return err
	}
	crew, err := boot.NewSimCrew(boot.SimConfig{Scheduler: s, Fabric: fabric, Ranks: c.Shape.Ranks(), Env: c.Env, Place: c.Shape.place})
	if err != nil {
		return err
	}
	defer crew.Close()
	return crew.Run(func(r *boot.Rank) error { return each(r.Env.World(), r.Clock().Sleep) })
}
