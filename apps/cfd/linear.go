package cfd

// SubMul subtracts factor times m v from w.
func (w *Vec) SubMul(factor float64, m *Block, v *Vec) {
	for r := range 5 {
		row := &m[r]
		w[r] -= factor * (row[0]*v[0] + row[1]*v[1] + row[2]*v[2] + row[3]*v[3] + row[4]*v[4])
	}
}

// SubMul subtracts a b from m.
func (m *Block) SubMul(a, b *Block) {
	for r := range 5 {
		row, to := &a[r], &m[r]
		for c := range 5 {
			to[c] -= row[0]*b[0][c] + row[1]*b[1][c] + row[2]*b[2][c] + row[3]*b[3][c] + row[4]*b[4][c]
		}
	}
}

// Solve makes v what m makes v of, and changes m. There is no search for pivots: the diagonal is large.
func (m *Block) Solve(v *Vec) { m.SolveBoth(v, nil) }

// SolveBoth is Solve that does the same to the columns of b, unless it is nil.
func (m *Block) SolveBoth(v *Vec, b *Block) {
	for p := range 5 {
		pivot := 1 / m[p][p]
		for c := p + 1; c < 5; c++ {
			m[p][c] *= pivot
		}
		v[p] *= pivot
		if b != nil {
			for c := range 5 {
				b[p][c] *= pivot
			}
		}
		for r := range 5 {
			if r == p {
				continue
			}
			f := m[r][p]
			for c := p + 1; c < 5; c++ {
				m[r][c] -= f * m[p][c]
			}
			v[r] -= f * v[p]
			if b != nil {
				for c := range 5 {
					b[r][c] -= f * b[p][c]
				}
			}
		}
	}
}
