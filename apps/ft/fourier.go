package ft

import "math"

// fourier makes discrete Fourier transforms of one length, a power of two. Inverse ones are not scaled.
type fourier struct {
	n       int
	roots   [2][]complex128 // of 1: for the transform, and for its inverse
	buf     []complex128
	columns []complex128 // of strided
}

// together is how many neighbouring columns strided transforms at a time: so that cache lines are used as wholes.
const together = 8

func newFourier(n int) *fourier {
	f := &fourier{n: n, buf: make([]complex128, n), columns: make([]complex128, together*n)}
	for i := range n / 2 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		f.roots[0] = append(f.roots[0], complex(cos, -sin))
		f.roots[1] = append(f.roots[1], complex(cos, sin))
	}
	return f
}

// transform transforms x in place. It is Stockham's algorithm, which needs no reordering: every pass joins
// transforms of half the length, from one buffer into the other.
func (f *fourier) transform(x []complex128, inverse bool) {
	roots := f.roots[0]
	if inverse {
		roots = f.roots[1]
	}
	from, to := x, f.buf
	for apart, length := 1, f.n; length > 1; apart, length = 2*apart, length/2 {
		half := length / 2
		for p := range half {
			w := roots[p*apart]
			a, b := from[p*apart:][:apart], from[(p+half)*apart:][:apart]
			even, odd := to[2*p*apart:][:apart], to[(2*p+1)*apart:][:apart]
			for q := range a {
				u, v := a[q], b[q]
				even[q], odd[q] = u+v, (u-v)*w
			}
		}
		from, to = to, from
	}
	if &from[0] != &x[0] {
		copy(x, from)
	}
}

// strided transforms columns of a matrix with rows of that width.
func (f *fourier) strided(x []complex128, width int, inverse bool) {
	for first := 0; first < width; first += together {
		n := min(together, width-first)
		for row := range f.n {
			for c, v := range x[row*width+first:][:n] {
				f.columns[c*f.n+row] = v
			}
		}
		for c := range n {
			f.transform(f.columns[c*f.n:][:f.n], inverse)
		}
		for row := range f.n {
			out := x[row*width+first:][:n]
			for c := range out {
				out[c] = f.columns[c*f.n+row]
			}
		}
	}
}
