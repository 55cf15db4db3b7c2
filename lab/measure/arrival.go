package measure

import (
	"math/rand/v2"
	"time"
)

// Arrivals is how ranks come to a collective operation: each late by chance, or some of them late by a fixed time.
type Arrivals struct {
	Most  time.Duration // the latest that anybody comes
	Late  float64       // share of the ranks that come so late, the others at once; 0: everybody late by a uniform chance
	Seed  uint64
	Calls int
}

// delays returns how late each rank comes to a call. All ranks draw the same.
func (a Arrivals) delays(call, ranks int) []time.Duration {
	chance := rand.New(rand.NewPCG(a.Seed, uint64(call)))
	late := make([]time.Duration, ranks)
	if a.Late > 0 {
		for _, rank := range chance.Perm(ranks)[:int(a.Late*float64(ranks)+0.5)] {
			late[rank] = a.Most
		}
		return late
	}
	for rank := range late {
		late[rank] = time.Duration(chance.Float64() * float64(a.Most))
	}
	return late
}

// Floor returns the microseconds that a call takes at least, on average over ranks and calls, because
// nobody can end before the last has come.
func (a Arrivals) Floor(ranks int) float64 {
	sum := 0.0
	for call := range a.Calls {
		var last, all time.Duration
		for _, d := range a.delays(call, ranks) {
			last, all = max(last, d), all+d
		}
		sum += microseconds(last) - microseconds(all)/float64(ranks)
	}
	return sum / float64(max(a.Calls, 1))
}

// Uneven returns the microseconds that a rank spends in the operation, the mean of all ranks and calls,
// when ranks come to it like that. Before every call all are together.
func (g *Group) Uneven(a Arrivals, warmup int) (float64, error) {
	return g.named(warmup+a.Calls, func() (float64, error) { return g.uneven(a, warmup) })
}

func (g *Group) uneven(a Arrivals, warmup int) (float64, error) {
	k, sum := g.k, 0.0
	for call := -warmup; call < a.Calls; call++ {
		if _, err := k.together(); err != nil {
			return 0, err
		}
		if call >= 0 {
			k.Compute(a.delays(call, k.World.Size())[k.World.Rank()])
		}
		start := k.Now()
		if err := g.call(); err != nil {
			return 0, err
		}
		if call >= 0 {
			sum += microseconds(k.Now() - start)
		}
	}
	return k.mean(sum / float64(max(a.Calls, 1)))
}
