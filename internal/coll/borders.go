package coll

import (
	"math"
	"slices"
)

// Borders returns the lengths at which the choice for an operation can change, in order: where
// rules begin or end, and where a kind of cases ends. Whoever calls it with these and their neighbours
// meets every range of lengths that there is.
func (s *Selector) Borders(op Op) []int {
	var all []int
	for _, r := range s.rules {
		if r.Op != op {
			continue
		}
		for _, n := range []int{r.Bytes.From, r.Bytes.To} {
			if n > 0 {
				all = append(all, n)
			}
		}
	}
	for n := 1; n <= 1<<22; n *= 2 {
		all = append(all, int(math.Sqrt2*float64(n)))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
