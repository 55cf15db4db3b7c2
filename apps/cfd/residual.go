package cfd

// Lines has room for what is computed along a line.
type Lines struct{ parts []parts }

// parts is what differences are made of at a point.
type parts struct {
	flux   Vec
	v      [3]float64 // velocity
	square float64    // of the velocity
	along  float64    // square of the velocity along the line
	energy float64    // per mass
}

func (w *parts) of(p int, u *Vec) {
	r, q := 1/u[0], u.kinetic()
	w.v = [3]float64{u[1] * r, u[2] * r, u[3] * r}
	along := w.v[p]
	w.flux = Vec{u[p+1], along * u[1], along * u[2], along * u[3], (c1*u[4] - c2*q) * along}
	w.flux[p+1] += c2 * (u[4] - q)
	w.square, w.along, w.energy = 2*q*r, along*along, u[4]*r
}

// Residual makes w at the inner points of a box how fast the gas at u changes there. At other points it is zero.
func (l *Lines) Residual(g *Grid, b *Box, u, w []Vec) {
	clear(w)
	for p := range 3 {
		b.EachLine(g, p, func(at, low, high int) { l.line(g, p, u, w, at, low, high, b.Stride[p], b.From[p]) })
	}
}

func (l *Lines) line(g *Grid, p int, u, w []Vec, at, low, high, stride, from int) {
	if need := high - low + 2; len(l.parts) < need {
		l.parts = make([]parts, need)
	}
	for i := low - 1; i <= high; i++ {
		l.parts[i-low+1].of(p, &u[at+i*stride])
	}
	d := g.T1 * Spread[p]
	for i := low; i < high; i++ {
		here := at + i*stride
		below, own, above := &l.parts[i-low], &l.parts[i-low+1], &l.parts[i-low+2]
		before, now, after := &u[here-stride], &u[here], &u[here+stride]
		sum := &w[here]
		for c := range 5 {
			sum[c] += d*(before[c]-2*now[c]+after[c]) - g.T2*(above.flux[c]-below.flux[c])
		}
		second := func(a, b, c float64) float64 { return g.T1 * c34 * (a - 2*b + c) }
		for s := range 3 {
			sum[s+1] += stiff(p, s) * second(below.v[s], own.v[s], above.v[s])
		}
		sum[4] += -.48*second(below.square, own.square, above.square) + second(below.along, own.along, above.along)/6 +
			1.96*second(below.energy, own.energy, above.energy)
		weights := Fourth(from+i, g.N)
		for o, f := range weights {
			if f == 0 {
				continue
			}
			other := &u[here+(o-2)*stride]
			for c := range 5 {
				sum[c] -= Damping * f * other[c]
			}
		}
	}
}

// Fourth is the weights of the fourth difference at a point inside a line of n, from two points below to two above.
func Fourth(i, n int) [5]float64 {
	switch i {
	case 1:
		return [5]float64{0, 0, 5, -4, 1}
	case 2:
		return [5]float64{0, -4, 6, -4, 1}
	case n - 3:
		return [5]float64{1, -4, 6, -4, 0}
	case n - 2:
		return [5]float64{1, -4, 5, 0, 0}
	}
	return [5]float64{1, -4, 6, -4, 1}
}
