package lab

import "github.com/weft-mpi/weft/lab/measure"

// Longer is loops as often as the user wants them: a result that changes with that was taken too early.
func (b *Bench) Longer(l measure.Loops) measure.Loops {
	l.Warmup, l.Timed = b.Often(l.Warmup), b.Often(l.Timed)
	return l
}
