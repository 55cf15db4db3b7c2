package mg

import (
	"math"
	"slices"

	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/apps/rand46"
	"github.com/weft-mpi/weft/mpi"
)

const charges = 10 // of each sign

// spot is a point of this rank's box and the random number there.
type spot struct {
	number float64
	at     int    // in the field
	global [3]int // in the whole grid
}

// charge makes the right side 1 at the ten points of the grid with the largest random numbers, and -1 at those
// with the smallest.
func (s *solver) charge() error {
	clear(s.v)
	var high, low []spot
	s.Work(0, func() { high, low = s.extremes() }) // before the time is taken
	for i := charges - 1; i >= 0; i-- {
		if err := s.place(&high, 1, mpi.Max); err != nil {
			return err
		}
		if err := s.place(&low, -1, mpi.Min); err != nil {
			return err
		}
	}
	return nil
}

// extremes finds the points of this rank's box with the largest numbers, and those with the smallest; each list
// has the most extreme last.
func (s *solver) extremes() (high, low []spot) {
	l := s.top()
	keep := func(list []spot, p spot, before func(a, b float64) bool) []spot {
		if len(list) == charges && before(p.number, list[0].number) {
			return list
		}
		i := 0
		for i < len(list) && before(list[i].number, p.number) {
			i++
		}
		list = slices.Insert(list, i, p)
		return list[max(0, len(list)-charges):]
	}
	less := func(a, b float64) bool { return a < b }
	more := func(a, b float64) bool { return a > b }
	for third := 1; third < l.m[2]-1; third++ {
		for second := 1; second < l.m[1]-1; second++ {
			y, z := l.from[1]+second-1, l.from[2]+third-1
			source := rand46.At(rand46.Seed, uint64(l.from[0]+s.side*(y+s.side*z)))
			for first := 1; first < l.m[0]-1; first++ {
				p := spot{source.Next(), l.line(second, third) + first, [3]int{l.from[0] + first - 1, y, z}}
				high, low = keep(high, p, less), keep(low, p, more)
			}
		}
	}
	return high, low
}

// place finds the most extreme number of all ranks' lists. The rank that has it takes it from its list, sets the
// value there, and tells the others where that is.
func (s *solver) place(list *[]spot, value float64, op mpi.Op) error {
	mine := []float64{-value * math.Inf(1)}
	if n := len(*list); n > 0 {
		mine[0] = (*list)[n-1].number
	}
	all := []float64{0}
	if err := meter.Allreduce(s.Comm, mine, all, op); err != nil {
		return err
	}
	where, told := make([]int32, 4), make([]int32, 4)
	if n := len(*list); n > 0 && mine[0] == all[0] {
		p := (*list)[n-1]
		s.v[p.at] = value
		*list = (*list)[:n-1]
		where = []int32{int32(s.Comm.Rank()), int32(p.global[0]), int32(p.global[1]), int32(p.global[2])}
	}
	return meter.Allreduce(s.Comm, where, told, mpi.Max)
}
