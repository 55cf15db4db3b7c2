package cg

import (
	"math"
	"math/bits"
	"slices"

	"github.com/weft-mpi/weft/apps/rand46"
)

// matrix is a block of a sparse matrix: row r has the elements from first[r] to first[r+1].
type matrix struct {
	first  []int
	column []int32
	value  []float64
}

// multiply makes product what the block makes of v.
func (a matrix) multiply(v, product []float64) {
	for r := range product {
		columns, sum := a.column[a.first[r]:a.first[r+1]], 0.
		for i, x := range a.value[a.first[r]:a.first[r+1]] {
			sum += x * v[columns[i]]
		}
		product[r] = sum
	}
}

// condition is the reciprocal of the matrix's condition number.
const condition = .1

// element is one of a block, by row and column of the block.
type element struct {
	row, column int32
	value       float64
}

// generate makes a block of the matrix: the sum of the products of n sparse random vectors with themselves, ever
// smaller, and a shifted diagonal. Every rank draws all vectors.
func generate(c class, rows, columns span) matrix {
	var all []element
	add := func(row, column int, value float64) {
		if row >= rows.from && row < rows.to && column >= columns.from && column < columns.to {
			all = append(all, element{int32(row - rows.from), int32(column - columns.from), value})
		}
	}
	source, size, ratio := rand46.At(rand46.Seed, 1), 1., math.Pow(condition, 1/float64(c.n))
	v := sparse{}
	for i := range c.n {
		v.draw(c, &source)
		v.set(i, .5)
		for j, row := range v.at {
			if row < rows.from || row >= rows.to {
				continue
			}
			for k, column := range v.at {
				add(row, column, size*v.value[j]*v.value[k])
			}
		}
		add(i, i, condition-c.shift)
		size *= ratio
	}
	return assemble(all, rows.len())
}

// sparse is a vector of few elements.
type sparse struct {
	at    []int
	value []float64
}

// draw makes the vector one with so many random elements in different places.
func (v *sparse) draw(c class, source *rand46.Source) {
	v.at, v.value = v.at[:0], v.value[:0]
	for width := 1 << bits.Len(uint(c.n-1)); len(v.at) < c.nonzeros; {
		value := source.Next()
		at := int(float64(width) * source.Next())
		if at < c.n && !slices.Contains(v.at, at) {
			v.at, v.value = append(v.at, at), append(v.value, value)
		}
	}
}

// set changes an element.
func (v *sparse) set(at int, value float64) {
	if i := slices.Index(v.at, at); i >= 0 {
		v.value[i] = value
		return
	}
	v.at, v.value = append(v.at, at), append(v.value, value)
}

// assemble adds up what falls on the same place.
func assemble(all []element, rows int) matrix {
	at := make([]int, rows+1)
	for _, e := range all {
		at[e.row+1]++
	}
	for r := range rows {
		at[r+1] += at[r]
	}
	byRow, next := make([]element, len(all)), slices.Clone(at)
	for _, e := range all {
		byRow[next[e.row]] = e
		next[e.row]++
	}
	a := matrix{first: make([]int, 1, rows+1)}
	for r := range rows {
		row := byRow[at[r]:at[r+1]]
		slices.SortStableFunc(row, func(x, y element) int { return int(x.column - y.column) })
		for i, e := range row {
			if i > 0 && row[i-1].column == e.column {
				a.value[len(a.value)-1] += e.value
				continue
			}
			a.column, a.value = append(a.column, e.column), append(a.value, e.value)
		}
		a.first = append(a.first, len(a.column))
	}
	return a
}
