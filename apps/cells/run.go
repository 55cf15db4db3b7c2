package cells

import (
	"fmt"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/cfd"
)

// Problem is a size of the problem, and the official results.
type Problem struct {
	N, Steps           int
	Dt                 float64
	Residual, Distance cfd.Vec
}

// Fits tells whether there can be so many ranks: each has at least three points along an axis.
func (p Problem) Fits(ranks int) bool { return apps.Square("", ranks) && p.N/Side(ranks) >= 3 }

// Part is what a rank has of the problem.
func (p Problem) Part(e *apps.Env) *Part { return New(e, cfd.NewGrid(p.N, p.Dt)) }

// Run makes all steps, after one for the caches that is not timed. operations are those of a step.
func (p Problem) Run(e *apps.Env, part *Part, step func() error, operations float64) (apps.Result, error) {
	steps := e.Limit(p.Steps)
	part.Begin()
	if err := step(); err != nil {
		return apps.Result{}, err
	}
	part.Begin()
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	for range steps {
		if err := step(); err != nil {
			return apps.Result{}, err
		}
	}
	seconds, err := e.Stop()
	if err != nil {
		return apps.Result{}, err
	}
	if err := part.Residual(1, 0); err != nil {
		return apps.Result{}, err
	}
	residual, distance, err := part.norms()
	return apps.Result{
		Size: fmt.Sprintf("%d^3 points", p.N), Iterations: steps, Seconds: seconds, Mops: apps.Rate(float64(steps)*operations, seconds),
		Checks: cfd.Checks(residual, p.Residual, distance, p.Distance),
	}, err
}
