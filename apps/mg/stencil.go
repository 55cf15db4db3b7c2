package mg

// Operations at a point of the residual, of the smoother and of the prolongation, at a coarse point of the restriction.
const (
	perResidual   = 15
	perSmoothed   = 16
	perRefined    = 5
	perRestricted = 24
)

// smoother is the weights of a point, of its neighbours by a face and of those by an edge. Those by a corner have none.
type smoother struct{ centre, face, edge float64 }

// around adds up, for each place of a line, the field at the four lines beside it, and at the four diagonally
// beside it: so every sum is made once, though three points use it.
func (s *solver) around(l *level, field []float64, line int) (beside, diagonal []float64) {
	n, row, plane := l.m[0], l.m[0], l.m[0]*l.m[1]
	at := func(offset int) []float64 { return field[line+offset:][:n] }
	a, b, c, d := at(-row), at(row), at(-plane), at(plane)
	e, f, g, h := at(-row-plane), at(row-plane), at(-row+plane), at(row+plane)
	beside, diagonal = s.lines[0][:n], s.lines[1][:n]
	for i := range n {
		beside[i] = a[i] + b[i] + c[i] + d[i]
		diagonal[i] = e[i] + f[i] + g[i] + h[i]
	}
	return beside, diagonal
}

// subtract makes r right - A u. Neighbours by a face have no weight in A.
func (s *solver) subtract(l *level, right []float64) {
	const centre, edge, corner = -8. / 3, 1. / 6, 1. / 12
	l.each(func(line, n int) {
		beside, diagonal := s.around(l, l.u, line)
		u, v, r := l.u[line:][:n], right[line:][:n], l.r[line:][:n]
		for i := 1; i < n-1; i++ {
			r[i] = v[i] - centre*u[i] - edge*(diagonal[i]+beside[i-1]+beside[i+1]) - corner*(diagonal[i-1]+diagonal[i+1])
		}
	})
}

// smooth corrects u by the smoothed residual.
func (s *solver) smooth(l *level) {
	c := s.smoother
	l.each(func(line, n int) {
		beside, diagonal := s.around(l, l.r, line)
		u, r := l.u[line:][:n], l.r[line:][:n]
		for i := 1; i < n-1; i++ {
			u[i] += c.centre*r[i] + c.face*(r[i-1]+r[i+1]+beside[i]) + c.edge*(diagonal[i]+beside[i-1]+beside[i+1])
		}
	})
}

// shift tells where the coarse points lie: coarse place c is fine place 2c - shift. Where a box has one point on
// either level, that is the same.
func shift(coarse, fine *level, ax int) int {
	if fine.m[ax] == 3 && coarse.m[ax] == 3 {
		return 1
	}
	return 0
}

// restrict makes the coarse residual the mean of the fine one around each point.
func (s *solver) restrict(coarse, fine *level) {
	if coarse.idle {
		return
	}
	by := [3]int{shift(coarse, fine, 0), shift(coarse, fine, 1), shift(coarse, fine, 2)}
	for third := 1; third < coarse.m[2]-1; third++ {
		for second := 1; second < coarse.m[1]-1; second++ {
			line := fine.line(2*second-by[1], 2*third-by[2])
			beside, diagonal := s.around(fine, fine.r, line)
			r, to := fine.r[line:][:fine.m[0]], coarse.r[coarse.line(second, third):]
			for i := 1; i < coarse.m[0]-1; i++ {
				c := 2*i - by[0]
				to[i] = .5*r[c] + .25*(r[c-1]+r[c+1]+beside[c]) +
					.125*(diagonal[c]+beside[c-1]+beside[c+1]) + .0625*(diagonal[c-1]+diagonal[c+1])
			}
		}
	}
}

// refine corrects the fine solution, border included, by the coarse one, linearly between its points.
func (s *solver) refine(coarse, fine *level) error {
	if fine.idle {
		return nil
	}
	if err := s.wake(coarse, fine); err != nil {
		return err
	}
	s.Work(perRefined*fine.inner(), func() { s.interpolate(coarse, fine) })
	return nil
}

// interpolate is refine where all that it needs is here.
func (s *solver) interpolate(coarse, fine *level) {
	by := [3]int{shift(coarse, fine, 0), shift(coarse, fine, 1), shift(coarse, fine, 2)}
	mean := s.lines[0][:coarse.m[0]]
	for third := range fine.m[2] {
		low3, high3 := between(third + by[2])
		for second := range fine.m[1] {
			low2, high2 := between(second + by[1])
			a, b := coarse.u[coarse.line(low2, low3):], coarse.u[coarse.line(high2, low3):]
			c, d := coarse.u[coarse.line(low2, high3):], coarse.u[coarse.line(high2, high3):]
			for i := range mean {
				mean[i] = .25 * (a[i] + b[i] + c[i] + d[i])
			}
			u := fine.u[fine.line(second, third):]
			for i := range fine.m[0] {
				low, high := between(i + by[0])
				u[i] += .5 * (mean[low] + mean[high])
			}
		}
	}
}

// between is the coarse places between which a fine one lies; they are the same if it lies on one.
func between(fine int) (low, high int) { return fine / 2, (fine + 1) / 2 }
