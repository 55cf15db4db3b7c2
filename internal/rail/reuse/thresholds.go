package reuse

import "math"

// Classes is how many classes of length there are: below 1 KB, then one per kilobyte; the last is for all that is
// longer.
const Classes = 65

// class of a length.
func class(n int) int { return min(n>>10, Classes-1) }

// Thresholds say, for each path and class of length, how often a buffer must be used for its registration to pay; 0 is
// never.
type Thresholds [Paths][Classes]uint32

// PaperThresholds is the table of the platform on which the mechanism was first measured (InfiniBand, 2009): below
// 1 KB, then 1 to 8 KB. What is longer has the threshold of 8 KB.
func PaperThresholds() (t Thresholds) {
	rows := [Paths][]uint32{
		Fast:     {432, 200, 110, 76, 60, 48, 40, 36, 32},
		NonFast:  {1568, 448, 224, 131, 95, 75, 65, 55, 49},
		OneSided: {196, 128, 128, 125, 56, 33, 29, 26, 25},
	}
	for p, row := range rows {
		for c := range t[p] {
			t[p][c] = row[min(c, len(row)-1)]
		}
	}
	return t
}

// Costs are what registering, copying and searching take on this machine.
type Costs struct {
	Search float64 // nanoseconds in the table and in the registration cache
	Points []Point // by ascending size, at least one
}

// Point is what a buffer of one size costs, in nanoseconds.
type Point struct {
	Size     int
	Register float64 // and deregister: what is registered will be deregistered some day
	Copy     float64
}

// Thresholds follow from costs. They are the same for all paths: each loses one copy.
func (c Costs) Thresholds() (t Thresholds) {
	for i := range t[Fast] {
		n := c.Uses(max(i<<10, 512))
		for path := range t {
			t[path][i] = n
		}
	}
	return t
}

// Uses is how often a buffer of that many bytes must be used for its registration to pay; 0 is never.
func (c Costs) Uses(size int) uint32 {
	p := c.At(size)
	return least(p.Register, p.Copy-c.Search)
}

// least is the smallest n with n > cost / gain; 0 if there is none worth waiting for.
func least(cost, gain float64) uint32 {
	if n := math.Floor(cost/gain) + 1; gain > 0 && n >= 1 && n <= 1<<30 {
		return uint32(n)
	}
	return 0
}

// At is the point for a size, on the lines through the measured ones.
func (c Costs) At(size int) Point {
	last := len(c.Points) - 1
	for i := 1; i <= last; i++ {
		if a, b := c.Points[i-1], c.Points[i]; size <= b.Size || i == last {
			f := float64(size-a.Size) / float64(b.Size-a.Size)
			return Point{size, a.Register + f*(b.Register-a.Register), a.Copy + f*(b.Copy-a.Copy)}
		}
	}
	return c.Points[last]
}
