// Package ep is the benchmark EP, embarrassingly parallel: pairs of normally distributed numbers are drawn and
// counted by how large they are. Its ranks talk at the end only.
package ep

import (
	"fmt"
	"math"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/apps/rand46"
	"github.com/weft-mpi/weft/mpi"
)

// App is the benchmark.
var App = apps.App{Name: "ep", About: "pairs of normally distributed numbers, counted", Classes: "SWAB", Ranks: "any number of ranks",
	Fits: apps.AnyRanks, Run: run,
	Steps: func(_ string) int { return 1 }}

const (
	seed     = 271828183
	logBatch = 16 // pairs that are drawn in one piece
	rings    = 10
)

// classes are the logarithm of the number of pairs, and the official sums.
var classes = map[string]struct {
	log    int
	sx, sy float64
}{
	"S": {24, -3247.83465203, -6958.40707838},
	"W": {25, -2863.31973165, -6320.05367911},
	"A": {28, -4295.87516563, -15807.3257368},
	"B": {30, 40338.1554244, -26606.6919281},
}

// tally is what one rank has found: the sums of both numbers of its pairs, and how many lie in each square ring.
type tally struct {
	sx, sy float64
	in     [rings]float64
}

func run(e *apps.Env) (apps.Result, error) {
	class := classes[e.Class]
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	var mine tally
	batches, ranks, rank := 1<<(class.log-logBatch), e.Comm.Size(), e.Comm.Rank()
	for k := batches * rank / ranks; k < batches*(rank+1)/ranks; k++ {
		e.Work(2<<logBatch, func() { mine.draw(k) })
	}
	all, err := mine.sum(e)
	if err != nil {
		return apps.Result{}, err
	}
	seconds, err := e.Stop()
	return apps.Result{
		Size: fmt.Sprintf("2^%d pairs", class.log), Iterations: 1, Seconds: seconds,
		Mops:   apps.Rate(math.Ldexp(1, class.log+1), seconds),
		Checks: []apps.Check{{What: "sum of x", Got: all.sx, Want: class.sx, Tolerance: 1e-8}, {What: "sum of y", Got: all.sy, Want: class.sy, Tolerance: 1e-8}},
	}, err
}

// draw adds the pairs of batch k: points in the unit circle, made normal by the polar method.
func (t *tally) draw(k int) {
	from := rand46.At(seed, uint64(k)<<(logBatch+1))
	for range 1 << logBatch {
		x, y := 2*from.Next()-1, 2*from.Next()-1
		r := x*x + y*y
		if r > 1 {
			continue
		}
		f := math.Sqrt(-2 * math.Log(r) / r)
		x, y = x*f, y*f
		t.in[int(max(math.Abs(x), math.Abs(y)))]++
		t.sx, t.sy = t.sx+x, t.sy+y
	}
}

// sum adds up what all ranks have found.
func (t *tally) sum(e *apps.Env) (tally, error) {
	sx, sy, in := make([]float64, 1), make([]float64, 1), make([]float64, rings)
	for _, part := range []struct{ mine, all []float64 }{{[]float64{t.sx}, sx}, {[]float64{t.sy}, sy}, {t.in[:], in}} {
		if err := meter.Allreduce(e.Comm, part.mine, part.all, mpi.Sum); err != nil {
			return tally{}, err
		}
	}
	return tally{sx[0], sy[0], [rings]float64(in)}, nil
}
