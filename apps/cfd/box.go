package cfd

// Border is how many layers of others' points lie around a box.
const Border = 2

// Box is a part of the grid: Size points from From on. A field on it is a slice of Len states, with the border.
type Box struct {
	From, Size [3]int
	Stride     [3]int // from a point to the next along an axis
	origin     int
}

// NewBox is the box of so many points.
func NewBox(from, size [3]int) Box {
	b := Box{From: from, Size: size, Stride: [3]int{1, size[0] + 2*Border, (size[0] + 2*Border) * (size[1] + 2*Border)}}
	b.origin = Border * (b.Stride[0] + b.Stride[1] + b.Stride[2])
	return b
}

// Len is the number of states of a field.
func (b *Box) Len() int { return b.Stride[2] * (b.Size[2] + 2*Border) }

// At is the place of a point in a field: from -Border on along each axis.
func (b *Box) At(i, j, k int) int {
	return b.origin + i*b.Stride[0] + j*b.Stride[1] + k*b.Stride[2]
}

// Inner is which of the box's points along an axis are not on the surface of the grid.
func (b *Box) Inner(g *Grid, axis int) (low, high int) {
	return max(0, 1-b.From[axis]), min(b.Size[axis], g.N-1-b.From[axis])
}

// EachInner calls f for every point that is not on the surface of the grid, with its place.
func (b *Box) EachInner(g *Grid, f func(at int)) {
	b.EachLine(g, 0, func(at, low, high int) {
		for i := low; i < high; i++ {
			f(at + i)
		}
	})
}

// EachLine calls f for every line along an axis inside the grid: with the place of the line's first point in the
// box, and which of its points are inside.
func (b *Box) EachLine(g *Grid, axis int, f func(at, low, high int)) {
	low, high := b.Inner(g, axis)
	second, third := (axis+1)%3, (axis+2)%3
	if axis == 1 {
		second, third = 0, 2
	}
	low2, high2 := b.Inner(g, second)
	low3, high3 := b.Inner(g, third)
	for y := low3; y < high3; y++ {
		for x := low2; x < high2; x++ {
			f(b.origin+x*b.Stride[second]+y*b.Stride[third], low, high)
		}
	}
}

// Fill sets a field at all points of the box that are in the grid, its border included.
func (b *Box) Fill(g *Grid, field []Vec, value func(i, j, k int) Vec) {
	var low, high [3]int
	for ax := range 3 {
		low[ax], high[ax] = max(-Border, -b.From[ax]), min(b.Size[ax]+Border, g.N-b.From[ax])
	}
	for k := low[2]; k < high[2]; k++ {
		for j := low[1]; j < high[1]; j++ {
			for i := low[0]; i < high[0]; i++ {
				field[b.At(i, j, k)] = value(b.From[0]+i, b.From[1]+j, b.From[2]+k)
			}
		}
	}
}

// Squares adds up the squares of a field's inner points, by component.
func (b *Box) Squares(g *Grid, field []Vec) (sum Vec) {
	b.EachInner(g, func(at int) {
		for c, x := range field[at] {
			sum[c] += x * x
		}
	})
	return sum
}

// Errors adds up the squares of a field's distance from the exact solution.
func (b *Box) Errors(g *Grid, field []Vec) (sum Vec) {
	difference := make([]Vec, len(field))
	b.Fill(g, difference, g.Exact)
	for i := range difference {
		for c := range 5 {
			difference[i][c] -= field[i][c]
		}
	}
	return b.Squares(g, difference)
}
