package coll

import "slices"

// Borders returns the lengths at which rules for an operation begin or end, in order: whoever calls
// it with these and their neighbours meets every range of lengths that there is.
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
	slices.Sort(all)
	return slices.Compact(all)
}
