// Package ft is the benchmark FT, Fourier transform: a partial differential equation solved in the space of
// frequencies. Each transform in three dimensions moves all data once, from everybody to everybody.
package ft

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/apps/rand46"
	"github.com/weft-mpi/weft/mpi"
)

// App is the benchmark.
var App = apps.App{Name: "ft", About: "Fourier transforms in three dimensions", Classes: "SWABC", Ranks: "1, 2, 4, 8 and so on ranks, at most one per plane",
	Fits: func(class string, ranks int) bool { return apps.PowerOfTwo(class, ranks) && ranks <= classes[class].nz }, Run: run,
	Steps: func(class string) int { return len(classes[class].sums) }}

// class is a size of the problem, and the official checksum of every iteration.
type class struct {
	nx, ny, nz int
	sums       []complex128
}

var classes = map[string]class{
	"S": {64, 64, 64, []complex128{
		554.6087004964 + 484.5363331978i, 554.6385409189 + 486.5304269511i, 554.6148406171 + 488.3910722336i,
		554.5423607415 + 490.1273169046i, 554.4255039624 + 491.7475857993i, 554.2683411902 + 493.2597244941i}},
	"W": {128, 128, 32, []complex128{
		567.3612178944 + 529.3246849175i, 563.1436885271 + 528.2149986629i, 559.4024089970 + 527.0996558037i,
		556.0698047020 + 526.0027904925i, 553.0898991250 + 524.9400845633i, 550.4159734538 + 523.9212247086i}},
	"A": {256, 256, 128, []complex128{
		504.6735008193 + 511.4047905510i, 505.9412319734 + 509.8809666433i, 506.9376896287 + 509.8144042213i,
		507.7892868474 + 510.1336130759i, 508.5233095391 + 510.4914655194i, 509.1487099959 + 510.7917842803i}},
	"B": {512, 256, 256, []complex128{
		517.7643571579 + 507.7803458597i, 515.4521291263 + 508.8249431599i, 514.6409228649 + 509.6208912659i,
		514.2378756213 + 510.1023387619i, 513.9626667737 + 510.3976610617i, 513.7423460082 + 510.5948019802i,
		513.5547056878 + 510.7404165783i, 513.3910925466 + 510.8576573661i, 513.2470705390 + 510.9577278523i,
		513.1197729984 + 511.0460304483i, 513.0070319283 + 511.1252433800i, 512.9070537032 + 511.1968077718i,
		512.8182883502 + 511.2616233064i, 512.7393733383 + 511.3203605551i, 512.6691062020 + 511.3735928093i,
		512.6064276004 + 511.4218460548i, 512.5504076570 + 511.4656139760i, 512.5002331720 + 511.5053595966i,
		512.4551951846 + 511.5415130407i, 512.4146770029 + 511.5744692211i}},
	"C": {512, 512, 512, []complex128{
		519.5078707457 + 514.9019699238i, 515.5422171134 + 512.7578201997i, 514.4678022222 + 512.2251847514i,
		514.0150594328 + 512.1090289018i, 513.7550426810 + 512.1143685824i, 513.5811056728 + 512.1496764568i,
		513.4569343165 + 512.1870921893i, 513.3651975661 + 512.2193250322i, 513.2955192805 + 512.2454735794i,
		513.2410471738 + 512.2663649603i, 513.1971141679 + 512.2830879827i, 513.1605205716 + 512.2965869718i,
		513.1290734194 + 512.3075927445i, 513.1012720314 + 512.3166486553i, 513.0760908195 + 512.3241541685i,
		513.0528295923 + 512.3304037599i, 513.0310107773 + 512.3356167976i, 513.0103090133 + 512.3399592211i,
		512.9905029333 + 512.3435588985i, 512.9714421109 + 512.3465164008i}},
}

func (c class) points() int { return c.nx * c.ny * c.nz }

func (c class) operations() float64 {
	n := float64(c.points())
	return n * (14.8157 + 7.19641*math.Log(n) + (5.23518+7.21113*math.Log(n))*float64(len(c.sums)))
}

func run(e *apps.Env) (apps.Result, error) {
	c := classes[e.Class]
	c.sums = c.sums[:e.Limit(len(c.sums))]
	s := newSolver(e, c)
	if err := s.tell(); err != nil {
		return apps.Result{}, err
	}
	if err := s.begin(); err != nil { // once for the caches; not timed
		return apps.Result{}, err
	}
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	if err := s.begin(); err != nil {
		return apps.Result{}, err
	}
	sums := make([]complex128, len(s.sums))
	for i := range sums {
		sum, err := s.step()
		if err != nil {
			return apps.Result{}, err
		}
		sums[i] = sum
	}
	seconds, err := e.Stop()
	return apps.Result{
		Size: fmt.Sprintf("%d x %d x %d points", s.nx, s.ny, s.nz), Iterations: len(sums), Seconds: seconds,
		Mops: apps.Rate(s.operations(), seconds), Checks: s.check(sums),
	}, err
}

// check holds every checksum against the official one, by their distance.
func (c class) check(sums []complex128) (checks []apps.Check) {
	for i, want := range c.sums {
		distance := cmplx.Abs((sums[i] - want) / want)
		checks = append(checks, apps.Check{What: fmt.Sprintf("distance from checksum %d", i+1), Got: distance, Tolerance: 1e-12})
	}
	return checks
}

// solver is one rank's part. In space it owns planes z, in the order z, y, x; of frequencies it owns lines y of all
// z, in the same order, so that what an all-to-all delivers lies where it belongs.
type solver struct {
	*apps.Env
	class
	planes      int // z that it owns in space
	lines       int // y that it owns of frequencies
	waves       []complex128
	decay       []float64 // what a step leaves of each wave
	work, space []complex128
	fx, fy, fz  *fourier
}

func newSolver(e *apps.Env, c class) *solver {
	s := &solver{Env: e, class: c, planes: c.nz / e.Comm.Size(), lines: c.ny / e.Comm.Size()}
	n := c.points() / e.Comm.Size()
	s.waves, s.work, s.space, s.decay = make([]complex128, n), make([]complex128, n), make([]complex128, n), make([]float64, n)
	s.fx, s.fy, s.fz = newFourier(c.nx), newFourier(c.ny), newFourier(c.nz)
	return s
}

// tell passes on what the original reads from a file.
func (s *solver) tell() error {
	for _, x := range []int{s.nx, s.ny, s.nz, len(s.sums), s.Comm.Size()} {
		if err := meter.Bcast(s.Comm, []int32{int32(x)}); err != nil {
			return err
		}
	}
	return nil
}

// begin makes random waves, and how they will decay.
func (s *solver) begin() error {
	s.Work(14.8157*float64(len(s.space)), s.fill)
	return s.forward()
}

// fill makes the random numbers, and the decay.
func (s *solver) fill() {
	for z := range s.planes {
		plane := s.space[z*s.ny*s.nx:][:s.ny*s.nx]
		source := rand46.At(rand46.Seed, uint64(2*s.nx*s.ny*(z+s.planes*s.Comm.Rank())))
		for i := range plane {
			re := source.Next()
			plane[i] = complex(re, source.Next())
		}
	}
	square := func(i, n int) int {
		k := (i+n/2)%n - n/2
		return k * k
	}
	i := 0
	for z := range s.nz {
		for y := range s.lines {
			for x := range s.nx {
				k := square(x, s.nx) + square(y+s.lines*s.Comm.Rank(), s.ny) + square(z, s.nz)
				s.decay[i] = math.Exp(-4e-6 * math.Pi * math.Pi * float64(k))
				i++
			}
		}
	}
}

// step lets the waves decay, and returns the checksum of what they are in space, at rank 0.
func (s *solver) step() (complex128, error) {
	s.Work(5.23518*float64(len(s.waves)), func() {
		for i, d := range s.decay {
			s.waves[i] *= complex(d, 0)
		}
	})
	if err := s.backward(); err != nil {
		return 0, err
	}
	sum, mine := []complex128{0}, []complex128{0}
	first := s.planes * s.Comm.Rank()
	for j := 1; j <= 1024; j++ {
		x, y, z := j%s.nx, 3*j%s.ny, 5*j%s.nz-first
		if z >= 0 && z < s.planes {
			mine[0] += s.space[(z*s.ny+y)*s.nx+x]
		}
	}
	err := meter.Reduce(s.Comm, mine, sum, mpi.Sum)
	return sum[0] / complex(float64(s.points()), 0), err
}

// forward makes waves of what is in space: first along x and y, where the planes are, then along z.
func (s *solver) forward() error {
	s.Work(s.transform(s.nx*s.ny), func() {
		s.alongXY(s.space, false)
		i := 0
		for r := range s.Comm.Size() { // what goes to a rank lies together
			for z := range s.planes {
				i += copy(s.work[i:], s.space[(z*s.ny+r*s.lines)*s.nx:][:s.lines*s.nx])
			}
		}
	})
	if err := meter.Alltoall(s.Comm, s.work, s.waves); err != nil {
		return err
	}
	s.Work(s.transform(s.nz), func() { s.fz.strided(s.waves, s.lines*s.nx, false) })
	return nil
}

// transform is the operations of this rank's part of transforms of that length.
func (s *solver) transform(length int) float64 {
	return 7.2 * math.Log(float64(length)) * float64(len(s.space))
}

// backward makes what is in space of the waves, which it keeps.
func (s *solver) backward() error {
	s.Work(s.transform(s.nz), func() {
		copy(s.work, s.waves)
		s.fz.strided(s.work, s.lines*s.nx, true)
	})
	if err := meter.Alltoall(s.Comm, s.work, s.space); err != nil {
		return err
	}
	s.Work(s.transform(s.nx*s.ny), func() {
		copy(s.work, s.space)
		i := 0
		for r := range s.Comm.Size() {
			for z := range s.planes {
				i += copy(s.space[(z*s.ny+r*s.lines)*s.nx:][:s.lines*s.nx], s.work[i:])
			}
		}
		s.alongXY(s.space, true)
	})
	return nil
}

// alongXY transforms every plane.
func (s *solver) alongXY(field []complex128, inverse bool) {
	for ; len(field) > 0; field = field[s.ny*s.nx:] {
		for y := range s.ny {
			s.fx.transform(field[y*s.nx:][:s.nx], inverse)
		}
		s.fy.strided(field[:s.ny*s.nx], s.nx, inverse)
	}
}
