package cfd

import (
	"fmt"
	"math"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// Mean adds up what the ranks bring of a sum of squares, and makes it the root of the mean over the inner points.
func (g *Grid) Mean(comm *meter.Comm, squares Vec) (Vec, error) {
	all := make([]float64, 5)
	err := meter.Allreduce(comm, squares[:], all, mpi.Sum)
	for c := range all {
		all[c] = math.Sqrt(all[c] / math.Pow(float64(g.N-2), 3))
	}
	return Vec(all), err
}

// Checks holds the residual and the error that a run ends with against the official ones.
func Checks(residual, wantResidual, distance, wantDistance Vec) (all []apps.Check) {
	for c := range 5 {
		all = append(all, apps.Check{What: fmt.Sprintf("residual %d", c+1), Got: residual[c], Want: wantResidual[c], Tolerance: 1e-8})
	}
	for c := range 5 {
		all = append(all, apps.Check{What: fmt.Sprintf("error %d", c+1), Got: distance[c], Want: wantDistance[c], Tolerance: 1e-8})
	}
	return all
}
