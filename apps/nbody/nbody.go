// Package nbody moves bodies that attract each other, by the algorithm of Barnes and Hut: what is far away
// counts as one body. Space is halved again and again until every rank has a part with as many bodies as
// the others; in each step the halves are shifted after the bodies. Then ranks send each other what of
// their trees the other needs. It is made of many allgathers of few bytes, and of messages between pairs.
package nbody

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/apps/rand46"
	"github.com/weft-mpi/weft/mpi"
)

// App is the application.
var App = apps.App{Name: "nbody", About: "bodies that attract each other", Classes: "SWAB",
	Ranks: "1, 2, 4, 8 and so on, at most 128 ranks",
	Fits:  func(class string, ranks int) bool { return apps.PowerOfTwo(class, ranks) && ranks <= 128 }, Run: run,
	Steps: func(string) int { return steps }}

const (
	steps     = 10
	timeStep  = .025
	opening   = .8  // a cell whose size is less than so much of its distance counts as one body
	softening = .05 // of the force between bodies that are near each other
)

// logs is how many bodies there are, as logarithms.
var logs = map[string]int{"S": 10, "W": 12, "A": 14, "B": 16}

// vec is a place in space, or a direction.
type vec [3]float64

// body is one of those that are moved.
type body struct {
	at, speed vec
	mass      float64
}

// energy is what a rank tells of its bodies after each step.
type energy struct {
	kinetic, potential float64
	pairs              float64 // that were computed
}

// cluster is one rank's part of the bodies.
type cluster struct {
	*apps.Env
	bodies      []body
	coming      []body    // from a partner; its memory
	pull        []vec     // on each body
	cuts        []float64 // where the rank's part of space was halved, half by half
	mine, total energy
	all         []energy // of all ranks
	tree        *tree
	boxes       []box   // of all ranks: where their bodies are
	heaviest    []top   // of all ranks: the topmost cells of their trees
	outlines    []edges // of these
	out, in     []point // what a rank sends of its tree, and what comes
}

func run(e *apps.Env) (apps.Result, error) {
	c := newCluster(e)
	if err := c.begin(); err != nil {
		return apps.Result{}, err
	}
	before := c.total
	todo := e.Limit(steps)
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	pairs := 0.
	for range todo {
		if err := c.step(); err != nil {
			return apps.Result{}, err
		}
		pairs += c.total.pairs
	}
	seconds, err := e.Stop()
	if err != nil {
		return apps.Result{}, err
	}
	checks, err := c.check(before)
	return apps.Result{Size: fmt.Sprintf("2^%d bodies", logs[e.Class]), Iterations: todo, Seconds: seconds,
		Mops: apps.Rate(pairs, seconds), Checks: checks}, err
}

func newCluster(e *apps.Env) *cluster {
	ranks := e.Comm.Size()
	c := &cluster{Env: e, bodies: make([]body, 1<<logs[e.Class]/ranks), cuts: make([]float64, bits.Len(uint(ranks))),
		all: make([]energy, ranks), boxes: make([]box, ranks),
		heaviest: make([]top, ranks), outlines: make([]edges, ranks)}
	c.Work(0, c.fill)
	return c
}

// fill makes this rank's bodies: a ball of stars at rest as a whole, as Plummer has it, of mass 1 and energy -1/4.
func (c *cluster) fill() {
	first := len(c.bodies) * c.Comm.Rank()
	for i := range c.bodies {
		from := rand46.At(rand46.Seed, uint64(first+i)<<8)
		radius := 1 / math.Sqrt(math.Pow(.999*from.Next(), -2./3)-1)
		speed := math.Sqrt2 * share(&from) / math.Pow(1+radius*radius, .25)
		const scale = 3 * math.Pi / 16
		c.bodies[i] = body{anywhere(&from, scale*radius), anywhere(&from, speed/math.Sqrt(scale)),
			1 / float64(int(1)<<logs[c.Class])}
	}
}

// share is the speed of a star as a part of that with which it would escape.
func share(from *rand46.Source) float64 {
	for {
		x, y := from.Next(), .1*from.Next()
		if y < x*x*math.Pow(1-x*x, 3.5) {
			return x
		}
	}
}

// anywhere is a direction of that length.
func anywhere(from *rand46.Source, length float64) vec {
	z, angle := 2*from.Next()-1, 2*math.Pi*from.Next()
	r := math.Sqrt(1 - z*z)
	return vec{length * r * math.Cos(angle), length * r * math.Sin(angle), length * z}
}

// begin deals the bodies out, and finds the forces that they begin with. It is not timed.
func (c *cluster) begin() error {
	for reach := 2.; reach > 1e-3; reach /= 4 {
		if err := c.divide(reach); err != nil {
			return err
		}
	}
	if err := c.attract(); err != nil {
		return err
	}
	return c.addUp()
}

// step moves the bodies for one step: half of the change of speed comes before that of place, and half after it.
func (c *cluster) step() error {
	const reach = .02 // by which a half is shifted at first
	c.Work(0, func() {
		c.kick()
		for i := range c.bodies {
			c.bodies[i].at = c.bodies[i].at.plus(timeStep, c.bodies[i].speed)
		}
	})
	if err := c.divide(reach); err != nil {
		return err
	}
	if err := c.attract(); err != nil {
		return err
	}
	c.Work(0, c.kick)
	return c.addUp()
}

// addUp tells everybody the energy of all bodies.
func (c *cluster) addUp() error {
	c.Work(0, func() {
		c.mine.kinetic = 0
		for i := range c.bodies {
			b := &c.bodies[i]
			c.mine.kinetic += b.mass / 2 * b.speed.times(b.speed)
		}
	})
	err := meter.Allgather(c.Comm, []energy{c.mine}, c.all)
	c.total = energy{}
	for _, e := range c.all {
		c.total.kinetic += e.kinetic
		c.total.potential += e.potential
		c.total.pairs += e.pairs
	}
	return err
}

// kick changes speeds as forces do in half a step.
func (c *cluster) kick() {
	for i, f := range c.pull {
		c.bodies[i].speed = c.bodies[i].speed.plus(timeStep/2, f)
	}
}

func (v vec) plus(factor float64, w vec) vec {
	return vec{v[0] + factor*w[0], v[1] + factor*w[1], v[2] + factor*w[2]}
}

func (v vec) times(w vec) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

// check tells, at rank 0, whether energy was kept, and whether forces are what all pairs of bodies make of them.
func (c *cluster) check(before energy) ([]apps.Check, error) {
	everything := make([]point, len(c.bodies))
	for i, b := range c.bodies {
		everything[i] = point{b.at, b.mass}
	}
	others, err := c.swap(func(int) []point { return everything })
	if err != nil {
		return nil, err
	}
	sums := []float64{0, 0}
	c.Work(0, func() {
		others = append(others, everything...)
		for i := range min(samples, len(c.bodies)) {
			exact, _ := attraction(c.bodies[i].at, others)
			wrong := exact.plus(-1, c.pull[i])
			sums[0], sums[1] = sums[0]+wrong.times(wrong), sums[1]+exact.times(exact)
		}
	})
	all := make([]float64, len(sums))
	err = meter.Reduce(c.Comm, sums, all, mpi.Sum)
	return []apps.Check{
		{What: "energy", Got: c.total.kinetic + c.total.potential, Want: before.kinetic + before.potential, Tolerance: .01},
		{What: "error of the forces", Got: math.Sqrt(all[0] / all[1]), Tolerance: .01},
	}, err
}

// samples is how many forces a rank checks.
const samples = 64
