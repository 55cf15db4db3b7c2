package simtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/mpi"
)

// told is what the ranks of one generation of communicators were told, which must be the same for all.
type told map[string]string

// hears notes what a rank was told, and says if another one was told something else.
func (all told) hears(what string, args ...any) error {
	text := fmt.Sprint(args...)
	if was, known := all[what]; known && was != text {
		return fmt.Errorf("%s: one rank hears %s, another one %s", what, was, text)
	}
	all[what] = text
	return nil
}

// mortals is a simulated job of which ranks die.
type mortals struct {
	crew   *boot.Crew
	rng    *rand.Rand
	rounds int
	told   told
}

// live is what every rank does: rounds of messages and collectives, each of which all agree on; after a death with
// those who are left, from the round that was agreed on last.
func (m *mortals) live(world *mpi.Comm) error {
	c, generation, done := world, 0, 0
	for done < m.rounds {
		err := m.round(c, done)
		if err != nil && !errors.Is(err, mpi.ErrProcFailed) && !errors.Is(err, mpi.ErrRevoked) {
			return err
		}
		have := uint64(1)
		if err != nil {
			have = 0
			if err := c.Revoke(); err != nil { // others may wait for this rank
				return err
			}
		}
		all, agreed := c.Agree(have)
		name := fmt.Sprintf("agreement of generation %d after round %d", generation, done)
		if err := m.told.hears(name, all, agreed != nil); err != nil {
			return err
		}
		if all == 1 && have == 0 {
			return fmt.Errorf("%s: all have what rank %d has not", name, world.Rank())
		}
		if done += int(all); agreed == nil && all == 1 {
			continue
		}
		if err := c.Revoke(); err != nil { // all may, and who was told of a death by Agree is the first
			return err
		}
		next, err := c.Shrink()
		if err != nil {
			return err
		}
		generation++
		if err := m.told.hears(fmt.Sprintf("generation %d", generation), next.Size()); err != nil {
			return err
		}
		if generation > 1 {
			if err := c.Free(); err != nil {
				return err
			}
		}
		c = next
	}
	return m.told.hears("the end", generation, c.Size())
}

// round is some traffic in which everything is compared with what it must be.
func (m *mortals) round(c *mpi.Comm, n int) error {
	size, me := c.Size(), c.Rank()
	long := 1 + n*7919%40_000
	out, in := make([]int32, long), make([]int32, long)
	out[long-1] = int32(n*100 + me)
	if _, err := mpi.Sendrecv(c, out, (me+1)%size, n, in, (me+size-1)%size, n); err != nil {
		return err
	}
	if want := int32(n*100 + (me+size-1)%size); in[long-1] != want {
		return fmt.Errorf("message of round %d: %d, want %d", n, in[long-1], want)
	}
	sum := make([]int, 1+n*31%3000)
	own := make([]int, len(sum))
	own[0] = me
	if err := mpi.Allreduce(c, own, sum, mpi.Sum); err != nil {
		return err
	}
	if sum[0] != size*(size-1)/2 {
		return fmt.Errorf("sum of round %d: %d of %d ranks", n, sum[0], size)
	}
	if me > 0 {
		return mpi.Send(c, own[:1], 0, 77)
	}
	for range size - 1 {
		if _, err := mpi.Recv(c, own[:1], mpi.AnySource, 77); err != nil {
			return err
		}
	}
	return nil
}

// die has ranks die at any moment, and the others hear of it later.
func (m *mortals) die(s *clock.Scheduler, ranks int) (deaths int) {
	deaths = m.rng.IntN(ranks)
	for _, victim := range m.rng.Perm(ranks)[:deaths] {
		at, later := m.rng.Int64N(3_000_000), []int64{1, 50_000, 5_000_000}[m.rng.IntN(3)]
		s.Daemon("fate", func() {
			s.Sleep(at)
			m.crew.Kill(victim)
			s.Sleep(later)
			m.crew.Bury(victim)
		})
	}
	return deaths
}

// runMortals runs a job of a seed and returns how many ranks have died.
func runMortals(seed uint64) (deaths int, err error) {
	rng := rand.New(rand.NewPCG(seed, 31))
	s := clock.NewScheduler(seed)
	s.Limit(longest)
	profile, err := sim.LoadProfile("roce-100g")
	if err != nil {
		return 0, err
	}
	nodes := 1 + rng.IntN(3)
	ranks := max(2, nodes*(1+rng.IntN(3)))
	fabric, err := sim.New(s, sim.Cluster{Nodes: nodes, Profile: profile, Rails: 1, Seed: seed})
	if err != nil {
		return 0, err
	}
	env := [][]string{nil, {"WEFT_CHANNEL=ud"}, {"WEFT_CHANNEL=hybrid"}, {"WEFT_RNDV=speculative"}}[rng.IntN(4)]
	crew, err := boot.NewSimCrew(boot.SimConfig{
		Scheduler: s, Fabric: fabric, Ranks: ranks, Env: env, Seed: seed, Site: func() string { return "" },
	})
	if err != nil {
		return 0, err
	}
	defer crew.Close()
	m := &mortals{crew: crew, rng: rng, rounds: 5 + rng.IntN(30), told: told{}}
	m.die(s, ranks)
	if err := boot.Run(crew, m.live); err != nil {
		return 0, err
	}
	for i := range ranks {
		if crew.Dead(i) {
			deaths++
		}
	}
	return deaths, nil
}

// TestMortals: whoever dies at whatever moment, those who are left get through all rounds, with the right results, and
// have agreed on the same.
func TestMortals(t *testing.T) {
	seeds := uint64(80)
	if soaking() {
		seeds = 10_000
	}
	deaths := 0
	for seed := range seeds {
		n, err := runMortals(seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		deaths += n
	}
	if deaths < int(seeds)/4 {
		t.Errorf("%d deaths in %d jobs", deaths, seeds)
	}
	t.Logf("%d deaths in %d jobs", deaths, seeds)
}
