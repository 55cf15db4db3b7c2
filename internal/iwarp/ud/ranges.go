package ud

// MaxRanges is how many separate ranges a set can hold.
const MaxRanges = 8

// Range is the bytes from From up to, but not including, To.
type Range struct{ From, To uint32 }

// Ranges is a set of bytes, kept as few ranges: in order, apart from each other, none of them empty. The zero value
// is the empty set. Sets can be compared with ==.
type Ranges struct {
	n      int
	ranges [MaxRanges]Range
}

// Add puts the bytes from from up to to into the set. It is false, and the set is as before, when that would make
// too many ranges.
func (s *Ranges) Add(from, to uint32) bool {
	if from >= to {
		return true
	}
	first := 0 // of the ranges that the new one meets
	for first < s.n && s.ranges[first].To < from {
		first++
	}
	after := first
	for after < s.n && s.ranges[after].From <= to {
		after++
	}
	if first == after {
		return s.insert(first, Range{from, to})
	}
	met := &s.ranges[first]
	met.From, met.To = min(met.From, from), max(s.ranges[after-1].To, to)
	s.remove(first+1, after)
	return true
}

// insert makes r the range at i.
func (s *Ranges) insert(i int, r Range) bool {
	if s.n == MaxRanges {
		return false
	}
	copy(s.ranges[i+1:s.n+1], s.ranges[i:s.n])
	s.ranges[i] = r
	s.n++
	return true
}

// remove takes out the ranges from i up to j.
func (s *Ranges) remove(i, j int) {
	copy(s.ranges[i:], s.ranges[j:s.n])
	clear(s.ranges[s.n-(j-i) : s.n])
	s.n -= j - i
}

// All are the ranges, in order. The slice aliases the set.
func (s *Ranges) All() []Range { return s.ranges[:s.n] }

// Gap is the first range of bytes from from up to to that is not in the set, if there is one.
func (s *Ranges) Gap(from, to uint32) (gap Range, ok bool) {
	for _, r := range s.All() {
		switch {
		case r.To <= from:
		case r.From <= from:
			from = r.To
		default:
			return Range{from, min(to, r.From)}, from < to
		}
	}
	return Range{from, to}, from < to
}

// Covers says whether all bytes from from up to to are in the set.
func (s *Ranges) Covers(from, to uint32) bool {
	_, gap := s.Gap(from, to)
	return !gap
}
