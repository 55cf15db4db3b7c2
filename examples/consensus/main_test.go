package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestAgreeOnTheMean: whatever chords are drawn, and however ranks are numbered, the mean is that of all ranks.
func TestAgreeOnTheMean(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8} {
		for _, chords := range []int{0, 4} {
			var out bytes.Buffer
			err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, chords, uint64(n)) })
			want := fmt.Sprintf("%d ranks agree on %.6f after", n, float64(n-1)/2)
			if err != nil || !strings.HasPrefix(out.String(), want) {
				t.Errorf("%d ranks, %d chords: %v\n%swant %s", n, chords, err, out.String(), want)
			}
		}
	}
}

// TestEverybodyMovesTheSameWay: the rounds are those of a naive twin that knows all numbers and all edges.
func TestEverybodyMovesTheSameWay(t *testing.T) {
	const ranks = 6
	edges := draw(ranks, 3, rand.New(rand.NewPCG(7, 0)))
	want, rounds := twin(ranks, edges)
	err := mpi.Run(ranks, func(world *mpi.Comm) error {
		var own []mpi.Edge
		for i, e := range edges { // each tells some
			if i%ranks == world.Rank() {
				own = append(own, e)
			}
		}
		graph, err := world.GraphOf(own, false)
		if err != nil {
			return err
		}
		x, took, err := agree(graph, float64(graph.Rank()))
		if took != rounds || math.Abs(x-want[graph.Rank()]) > 1e-12 {
			t.Errorf("rank %d has %v after %d rounds, want %v after %d", graph.Rank(), x, took, want[graph.Rank()], rounds)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// twin has numbers agree, with a matrix of how many edges there are.
func twin(ranks int, edges []mpi.Edge) (x []float64, rounds int) {
	matrix, degree := make([][]float64, ranks), make([]int, ranks)
	for i := range matrix {
		matrix[i] = make([]float64, ranks)
		x = append(x, float64(i))
	}
	for _, e := range edges {
		matrix[e.To][e.From]++
		degree[e.From]++
	}
	most := slices.Max(degree)
	for slices.Max(x)-slices.Min(x) >= 1e-7 {
		next := slices.Clone(x)
		for to, row := range matrix {
			for from, times := range row {
				next[to] += times * (x[from] - x[to]) / float64(most+1)
			}
		}
		x = next
		rounds++
	}
	return x, rounds
}

func TestChordsMustBe(t *testing.T) {
	err := mpi.Run(2, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), -1, 1) })
	if err == nil || !strings.Contains(err.Error(), "-chords must be 0 or more") {
		t.Errorf("got %v", err)
	}
}
