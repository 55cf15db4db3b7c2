// Package rand46 is the generator of pseudorandom numbers of the NAS Parallel Benchmarks: x' = a x mod 2^46 with
// a = 5^13. Its numbers are the same on every machine, and any number of them can be jumped over.
package rand46

// Seed is where all benchmarks but EP begin.
const Seed = 314159265

const (
	factor = 1220703125 // 5^13
	mask   = 1<<46 - 1
)

// Source is a place in the sequence.
type Source uint64

// At is the place that lies n numbers behind a seed.
func At(seed, n uint64) Source { return Source(seed * power(n) & mask) }

// power is a^n mod 2^46; what overflows 64 bits does not matter.
func power(n uint64) uint64 {
	p := uint64(1)
	for a := uint64(factor); n > 0; n >>= 1 {
		if n&1 != 0 {
			p = p * a & mask
		}
		a = a * a & mask
	}
	return p
}

// Next is the next number, between 0 and 1.
func (s *Source) Next() float64 {
	*s = *s * factor & mask
	return float64(*s) * (1. / (1 << 46))
}
