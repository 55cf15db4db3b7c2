// Command consensus has ranks agree on the mean of their numbers, though each talks to its neighbours alone.
//
// Rank 0 draws a graph: a ring, and a few chords across it. The ranks make it their neighbours, with reorder, so
// that those that talk to each other are on one host where that can be had. In each round everybody learns the
// numbers of its neighbours and moves towards them, by weights with which the mean stays what it is. It shows
// Comm.GraphOf, Comm.Neighbors and NeighborAllgather. Run it with
//
//	weft run -n 8 ./examples/consensus
//	weft run -n 16 ./examples/consensus -chords 0
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/weft-mpi/weft/mpi"
)

func main() {
	chords := flag.Int("chords", 3, "how many chords to draw across the ring")
	seed := flag.Uint64("seed", 1, "another seed draws other chords")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		if flag.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: every option begins with -", flag.Arg(0))
		}
		return run(world, os.Stdout, *chords, *seed)
	})
}

// run has the ranks agree; rank 0 prints on what, and after how many rounds.
func run(world *mpi.Comm, out io.Writer, chords int, seed uint64) error {
	if chords < 0 {
		return errors.New("-chords must be 0 or more")
	}
	var edges []mpi.Edge
	if world.Rank() == 0 { // the others need not know the graph
		edges = draw(world.Size(), chords, rand.New(rand.NewPCG(seed, 0)))
	}
	graph, err := world.GraphOf(edges, true)
	if err != nil {
		return err
	}
	x, rounds, err := agree(graph, float64(graph.Rank()))
	if err != nil {
		return err
	}
	if graph.Rank() == 0 {
		_, err = fmt.Fprintf(out, "%d ranks agree on %.6f after %d rounds\n", graph.Size(), x, rounds)
	}
	return errors.Join(err, graph.Free())
}

// draw makes a ring with chords, each edge in both directions.
func draw(ranks, chords int, stream *rand.Rand) (edges []mpi.Edge) {
	both := func(a, b int) {
		edges = append(edges, mpi.Edge{From: a, To: b, Weight: 1}, mpi.Edge{From: b, To: a, Weight: 1})
	}
	for r := range ranks {
		both(r, (r+1)%ranks)
	}
	for range chords {
		both(stream.IntN(ranks), stream.IntN(ranks))
	}
	return edges
}

// agree moves this rank's number towards those of its neighbours until all have the same.
func agree(graph *mpi.Comm, x float64) (mean float64, rounds int, err error) {
	sources, dests := graph.Neighbors()
	most := make([]int, 1) // neighbours of any rank
	if err := mpi.Allreduce(graph, []int{len(dests)}, most, mpi.Max); err != nil {
		return 0, 0, err
	}
	around, extremes := make([]float64, len(sources)), make([]float64, 2)
	for ; ; rounds++ {
		if err := mpi.Allreduce(graph, []float64{x, -x}, extremes, mpi.Max); err != nil {
			return 0, 0, err
		}
		if extremes[0]+extremes[1] < 1e-7 {
			return x, rounds, nil
		}
		if err := mpi.NeighborAllgather(graph, []float64{x}, around); err != nil {
			return 0, 0, err
		}
		step := 0.0
		for _, other := range around {
			step += other - x
		}
		x += step / float64(most[0]+1)
	}
}
