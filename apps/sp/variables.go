package sp

import (
	"math"

	"github.com/weft-mpi/weft/apps/cfd"
)

// half is the square root of one half.
var half = math.Sqrt(.5)

// begin changes a point's right side to the variables in which the equations along x are separate.
func begin(u, w *cfd.Vec) {
	r, v1, v2, v3 := u[0], u[1]/u[0], u[2]/u[0], u[3]/u[0]
	q, a := (u[1]*u[1]+u[2]*u[2]+u[3]*u[3])/(2*u[0]*u[0]), sound(u)
	t := .4 / (a * a) * (q*w[0] - v1*w[1] - v2*w[2] - v3*w[3] + w[4])
	g := half * (v1*w[0] - w[1]) / r
	s := half * a * t / r
	*w = cfd.Vec{w[0] - t, (w[3] - v3*w[0]) / r, (v2*w[0] - w[2]) / r, -g + s, g + s}
}

// change is what leads from the variables of an axis to those of the next, and from the last ones back to the
// change of the state.
var change = [3]func(u, w *cfd.Vec){afterX, afterY, afterZ}

func afterX(_, w *cfd.Vec) {
	mean, difference := (w[3]+w[4])/2, half*(w[3]-w[4])
	*w = cfd.Vec{-w[1], w[0], difference, -half*w[2] + mean, half*w[2] + mean}
}

func afterY(_, w *cfd.Vec) {
	mean, difference := (w[3]+w[4])/2, half*(w[3]-w[4])
	*w = cfd.Vec{difference, -w[2], w[1], -half*w[0] + mean, half*w[0] + mean}
}

func afterZ(u, w *cfd.Vec) {
	r, v1, v2, v3 := u[0], u[1]/u[0], u[2]/u[0], u[3]/u[0]
	q, a := (u[1]*u[1]+u[2]*u[2]+u[3]*u[3])/(2*u[0]*u[0]), sound(u)
	t1 := half * r * (w[3] + w[4]) / a
	t2, t3 := w[2]+t1, half*r*(w[3]-w[4])
	*w = cfd.Vec{t2, -r*w[1] + v1*t2, r*w[0] + v2*t2, v3*t2 + t3, r*(v2*w[0]-v1*w[1]) + q*t2 + 2.5*a*a*t1 + v3*t3}
}
