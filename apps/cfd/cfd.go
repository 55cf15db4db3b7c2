// Package cfd is the equation that the benchmarks LU, BT and SP solve: the flow of a compressible gas on a cubic
// grid, with a right side that makes a given polynomial its solution. It knows the equation at points, along lines
// and in boxes, and nothing of ranks.
package cfd

// Vec is the state at a point: density, momentum in three directions, energy.
type Vec [5]float64

// Block is a 5 x 5 matrix.
type Block [5][5]float64

// Constants of the gas and of the scheme.
const (
	c1    = 1.4
	c2    = .4
	c34   = .1
	c1345 = .196
	// Damping is the weight of the fourth difference, which damps what a grid cannot show.
	Damping = .25
)

// Spread is the artificial diffusion in each direction.
var Spread = [3]float64{.75, .75, 1}

// Grid is a cube of N points a side, edges included, and the length of a step in time.
type Grid struct {
	N      int
	Dt     float64
	T1, T2 float64 // weights of second and first differences: 1/h^2, 1/(2h)
}

// NewGrid is the grid of n points a side.
func NewGrid(n int, dt float64) Grid {
	m := float64(n - 1)
	return Grid{N: n, Dt: dt, T1: m * m, T2: m / 2}
}

// polynomial has the coefficients of the exact solution, a row for each component: the constant, then those of x,
// y and z, their squares, cubes and fourth powers.
var polynomial = [5][13]float64{
	{2, 0, 0, 4, 5, 3, .5, .02, .01, .03, .5, .4, .3},
	{1, 0, 0, 0, 1, 2, 3, .01, .03, .02, .4, .3, .5},
	{2, 2, 0, 0, 0, 2, 3, .04, .03, .05, .3, .5, .4},
	{2, 2, 0, 0, 0, 2, 3, .03, .05, .04, .2, .1, .3},
	{5, 4, 3, 2, .1, .4, .3, .05, .04, .03, .1, .3, .2},
}

// Exact is the solution at a point of the grid.
func (g Grid) Exact(i, j, k int) Vec {
	h := 1 / float64(g.N-1)
	return exact(float64(i)*h, float64(j)*h, float64(k)*h)
}

func exact(x, y, z float64) (u Vec) {
	for c, p := range polynomial {
		u[c] = p[0] + x*(p[1]+x*(p[4]+x*(p[7]+x*p[10]))) + y*(p[2]+y*(p[5]+y*(p[8]+y*p[11]))) + z*(p[3]+z*(p[6]+z*(p[9]+z*p[12])))
	}
	return u
}

// Start is where the benchmarks begin: exact on the surface, and interpolated from it inside.
func (g Grid) Start(i, j, k int) (u Vec) {
	if m := g.N - 1; i == 0 || i == m || j == 0 || j == m || k == 0 || k == m {
		return g.Exact(i, j, k)
	}
	h := 1 / float64(g.N-1)
	x, y, z := float64(i)*h, float64(j)*h, float64(k)*h
	fromX, fromY, fromZ := mix(x, exact(0, y, z), exact(1, y, z)), mix(y, exact(x, 0, z), exact(x, 1, z)), mix(z, exact(x, y, 0), exact(x, y, 1))
	for c := range u {
		a, b, d := fromX[c], fromY[c], fromZ[c]
		u[c] = a + b + d - a*b - b*d - d*a + a*b*d
	}
	return u
}

func mix(t float64, a, b Vec) (u Vec) {
	for c := range u {
		u[c] = t*b[c] + (1-t)*a[c]
	}
	return u
}

// stiff is how the viscosity in direction p acts on the momentum in direction s.
func stiff(p, s int) float64 {
	if p == s {
		return 4. / 3
	}
	return 1
}

// kinetic is the density of kinetic energy.
func (u *Vec) kinetic() float64 { return (u[1]*u[1] + u[2]*u[2] + u[3]*u[3]) / (2 * u[0]) }

// Pressure is that of the gas.
func (u *Vec) Pressure() float64 { return c2 * (u[4] - u.kinetic()) }

// convection adds factor times the derivative of the flux in direction p.
func (m *Block) convection(p int, u *Vec, factor float64) {
	r, q := 1/u[0], u.kinetic()
	along := u[p+1] * r
	m[0][p+1] += factor
	for s := range 3 {
		row := &m[s+1]
		v := u[s+1] * r
		row[0] -= factor * v * along
		row[s+1] += factor * along
		row[p+1] += factor * v
		m[p+1][s+1] -= factor * c2 * v
		m[4][s+1] -= factor * c2 * v * along
	}
	m[p+1][0] += factor * c2 * q * r
	m[p+1][4] += factor * c2
	m[4][0] += factor * (2*c2*q - c1*u[4]) * along * r
	m[4][p+1] += factor * (c1*u[4] - c2*q) * r
	m[4][4] += factor * c1 * along
}

// viscosity adds factor times the derivative of the viscous flux in direction p.
func (m *Block) viscosity(p int, u *Vec, factor float64) {
	r := 1 / u[0]
	for s := range 3 {
		k, v := stiff(p, s)*c34, u[s+1]*r
		m[s+1][0] -= factor * k * v * r
		m[s+1][s+1] += factor * k * r
		m[4][0] -= factor * (k - c1345) * v * v * r
		m[4][s+1] += factor * (k - c1345) * v * r
	}
	m[4][0] -= factor * c1345 * u[4] * r * r
	m[4][4] += factor * c1345 * r
}

func (m *Block) diagonal(x float64) {
	for c := range 5 {
		m[c][c] += x
	}
}

// Below makes m what a change at the point below in direction p, whose state is u, means for a point in an
// implicit step.
func (g *Grid) Below(m *Block, p int, u *Vec) {
	*m = Block{}
	m.convection(p, u, -g.Dt*g.T2)
	m.viscosity(p, u, -g.Dt*g.T1)
	m.diagonal(-g.Dt * g.T1 * Spread[p])
}

// Above is Below of the point above.
func (g *Grid) Above(m *Block, p int, u *Vec) {
	*m = Block{}
	m.convection(p, u, g.Dt*g.T2)
	m.viscosity(p, u, -g.Dt*g.T1)
	m.diagonal(-g.Dt * g.T1 * Spread[p])
}

// Own makes m what a change at a point means for itself, by differences in these directions.
func (g *Grid) Own(m *Block, u *Vec, directions ...int) {
	*m = Block{}
	m.diagonal(1)
	for _, p := range directions {
		m.viscosity(p, u, 2*g.Dt*g.T1)
		m.diagonal(2 * g.Dt * g.T1 * Spread[p])
	}
}
