package soak

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// EveryConfig says how Every walks.
type EveryConfig struct {
	Bytes []int // lengths: of the vector, or of one rank's block
	// Most is how many bytes one rank may hold of a call in which it holds a block of every rank;
	// longer blocks are cut. 0: 16 MB.
	Most int
}

// Every calls every collective that there is with every length, blocking and not, on the world, on
// its ranks in reverse order, on those with even and odd numbers, and on halves; the root goes
// round. It returns how many calls this rank made and found right.
func Every(world *mpi.Comm, cfg EveryConfig) (calls int, err error) {
	if cfg.Most == 0 {
		cfg.Most = 16 << 20
	}
	rank, size := world.Rank(), world.Size()
	for i, split := range []struct {
		name       string
		color, key int
	}{{"the world", 0, rank}, {"the reversed world", 0, -rank}, {"even or odd ranks, reversed", rank % 2, -rank}, {"halves", 2 * rank / size, rank}} {
		c := world
		if i > 0 {
			if c, err = world.Split(split.color, split.key); err != nil {
				return calls, err
			}
		}
		n, err := newGroup(c, mix(uint64(i), uint64(split.color)), i).every(cfg)
		if calls += n; err != nil {
			return calls, fmt.Errorf("%s: %w", split.name, err)
		}
		if i > 0 {
			if err := c.Free(); err != nil {
				return calls, err
			}
		}
	}
	return calls, mpi.Barrier(world)
}

func (g *group) every(cfg EveryConfig) (calls int, err error) {
	for _, bytes := range cfg.Bytes {
		var steps []step
		for k, s := range kinds {
			for s.how = range hows {
				s.root, s.count = (k+int(s.how))%g.ranks, min(bytes, cfg.Most/g.ranks)/8
				steps = append(steps, s)
			}
		}
		n, err := g.runSteps(steps)
		if calls += n; err != nil {
			return calls, err
		}
	}
	return calls, nil
}
