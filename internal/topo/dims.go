package topo

import "fmt"

// Dims splits n places over dimensions as evenly as can be: the largest is as small as possible, then
// the second largest, and so on. It fails if n or dimensions are less than 1.
func Dims(n, dimensions int) ([]int, error) {
	if n < 1 || dimensions < 1 {
		return nil, fmt.Errorf("%w: %d places in %d dimensions; both must be 1 at least", ErrGrid, n, dimensions)
	}
	return split(n, dimensions, n), nil
}

// split returns factors of n in falling order, none above most; nil if there are none.
func split(n, factors, most int) []int {
	if factors == 1 {
		if n > most {
			return nil
		}
		return []int{n}
	}
	for _, first := range divisors(n) {
		if first > most {
			return nil
		}
		if !reaches(first, factors, n) {
			continue // the others would have to be larger
		}
		if rest := split(n/first, factors-1, first); rest != nil {
			return append([]int{first}, rest...)
		}
	}
	return nil
}

// reaches tells whether so many factors of at most that size can be n or more.
func reaches(size, factors, n int) bool {
	for product := 1; factors > 0; factors-- {
		if product >= (n+size-1)/size {
			return true
		}
		product *= size
	}
	return false
}

// divisors lists those of n in rising order.
func divisors(n int) []int {
	var low, high []int
	for d := 1; d <= n/d; d++ {
		if n%d != 0 {
			continue
		}
		low = append(low, d)
		if d != n/d {
			high = append(high, n/d)
		}
	}
	for i := len(high) - 1; i >= 0; i-- {
		low = append(low, high[i])
	}
	return low
}
