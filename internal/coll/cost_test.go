package coll

import (
	"math"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/model"
)

// shaped is a case on nodes of so many ranks each, all with a processor of their own.
func shaped(op Op, bytes int, nodes ...int) Case {
	c := Case{Op: op, Bytes: bytes, Commutative: true, Shares: true, Fetches: true, Rails: 1}
	for node, ranks := range nodes {
		c.Nodes = append(c.Nodes, slices.Repeat([]int{node}, ranks)...)
	}
	c.Ranks = len(c.Nodes)
	c.Local = slices.Max(nodes)
	c.Cores = c.Local
	return c
}

// even are nodes of the same number of ranks.
func even(nodes, ranks int) []int { return slices.Repeat([]int{ranks}, nodes) }

// TestLargeJobs: what is reckoned for jobs that are too large to be followed rank by rank leads to
// much the same choices as if they were.
func TestLargeJobs(t *testing.T) {
	s := Default()
	sum, cases, worst := 0.0, 0, 1.0
	for _, nodes := range [][]int{even(16, 4), even(12, 6), even(48, 1), even(1, 48), even(40, 2)} {
		for _, op := range []Op{Barrier, Bcast, Reduce, Allreduce, Gather, Scatter, Allgather, Alltoall, ReduceScatter, Scan} {
			for _, bytes := range []int{64, 8 << 10} {
				c := shaped(op, bytes, nodes...).like(bytes)
				chosen, best := math.Inf(1), math.Inf(1)
				for _, k := range s.Costs(c) {
					full := s.time(k.Algorithm, c)
					if math.IsInf(chosen, 1) {
						chosen = full
					}
					best = min(best, full)
				}
				sum += math.Log(chosen / best)
				cases++
				if worst = max(worst, chosen/best); chosen/best > 2.5 {
					t.Errorf("%s of %d bytes on %d nodes of %d: %.2f of the best", op, bytes, len(nodes), nodes[0], chosen/best)
				}
			}
		}
	}
	mean := math.Exp(sum / float64(cases))
	t.Logf("%d cases: mean %.3f, worst %.2f", cases, mean, worst)
	if mean > 1.1 {
		t.Errorf("chosen algorithms take %.2f of the time of the best", mean)
	}
}

// TestCostsAreRemembered: cases of one kind are reckoned once, others by themselves.
func TestCostsAreRemembered(t *testing.T) {
	book := notebook{}
	s := Default().Remembering(book)
	c := shaped(Allgather, 1000, 2, 2)
	s.Choose(c)
	for _, other := range []Case{shaped(Allgather, 1030, 2, 2), shaped(Allgather, 1024, 2, 2)} {
		other.Rank, other.InPlace = 3, true
		if s.Choose(other); len(book) != 1 {
			t.Errorf("%d kinds after a case like the first", len(book))
		}
	}
	for i, other := range []Case{shaped(Allgather, 2048, 2, 2), shaped(Allgather, 1000, 3, 1), shaped(Allgather, 1000, 1, 3), shaped(Allgatherv, 1000, 2, 2)} {
		if other.Op == Allgatherv {
			other = other.like(1000)
		}
		if s.Choose(other); len(book) != i+2 {
			t.Errorf("%d kinds after %d other cases", len(book), i+1)
		}
	}
}

// TestMagnitude: a length is reckoned as the power of two next to it.
func TestMagnitude(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 4, 5: 4, 6: 8, 1000: 1024, 1448: 1024, 1449: 2048, 1 << 30: 1 << 30} {
		if got := bytesOf(magnitude(n)); got != want {
			t.Errorf("%d is reckoned as %d, want %d", n, got, want)
		}
	}
}

// TestTheMachineDecides: where messages are dear and memory is cheap, a node's memory is used; where
// flags are dear, it is not.
func TestTheMachineDecides(t *testing.T) {
	c := shaped(Allreduce, 64, 4)
	for _, k := range []struct{ machine, want string }{{"near=5000", "allreduce/shm"}, {"flag=50000", "allreduce/doubling"}} {
		m, err := model.Ethernet.Parse(k.machine)
		if err != nil {
			t.Fatal(err)
		}
		if a, why := For(m).Choose(c); a.Name != k.want {
			t.Errorf("with %s: %s by %s, want %s", k.machine, a.Name, why, k.want)
		}
	}
}

// BenchmarkCosts is what the first call of a kind costs.
func BenchmarkCosts(b *testing.B) {
	s := Default()
	for _, k := range []struct {
		name  string
		nodes []int
	}{{"1x4", even(1, 4)}, {"2x4", even(2, 4)}, {"8x8", even(8, 8)}, {"48x24", even(48, 24)}} {
		for _, op := range []Op{Allreduce, Alltoall} {
			b.Run(k.name+"/"+op.String(), func(b *testing.B) {
				c := shaped(op, 1024, k.nodes...)
				for b.Loop() {
					s.Costs(c)
				}
			})
		}
	}
}
