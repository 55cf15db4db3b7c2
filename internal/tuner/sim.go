package tuner

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// Simulate measures on a simulated cluster of so many nodes, in virtual time. Ranks are put on nodes evenly, those of a node
// side by side. env are settings (WEFT_...) of the ranks.
func Simulate(ctx context.Context, profile string, ranks, nodes int, env []string, cfg Config) ([]Timing, error) {
	model, err := sim.LoadProfile(profile)
	if err != nil {
		return nil, err
	}
	s := clock.NewScheduler(1)
	fabric, err := sim.New(s, sim.Cluster{Nodes: nodes, Profile: model})
	if err != nil {
		return nil, err
	}
	each := (ranks + nodes - 1) / nodes
	crew, err := boot.NewSimCrew(boot.SimConfig{Scheduler: s, Fabric: fabric, Ranks: ranks, Env: env,
		Place: func(rank int) (node, core int) { return rank / each, rank % each }})
	if err != nil {
		return nil, err
	}
	defer crew.Close()
	var timings []Timing
	for i, r := range crew.Ranks {
		crew.Go(i, func() {
			own, err := Measure(ctx, r.Env.World(), cfg)
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
