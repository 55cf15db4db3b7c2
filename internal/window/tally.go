//go:build !race

package window

// tally counts operations that take no lock. It takes none either: an increment that is locked would be a fifth of a short put,
// and wait for the stores of the put before. What two goroutines count at the very same moment may be counted once.
type tally struct{ n uint64 }

func (t *tally) one() { t.n++ }

func (t *tally) count() uint64 { return t.n }
