package measure

import (
	"time"

	"github.com/weft-mpi/weft/internal/bench"
)

// Side is one end of a message.
type Side uint8

// The sides, and none of them.
const (
	Neither Side = iota
	Sender
	Receiver
)

// String names the side.
func (s Side) String() string { return [...]string{"neither", "sender", "receiver"}[s] }

// Case is one way to meet: which side computes between its call and its wait, which side comes first and by how much
// (Neither: both come at once), and whether sends are synchronous.
type Case struct {
	Computes    Side // Sender or Receiver; it is rank 0
	First       Side
	Ahead       time.Duration
	Synchronous bool
	Loops       Loops
}

// Overlap returns which per cent of a message's time computation can hide, and the microseconds of a message without
// any. Computation grows by a tenth from step to step for as long as the message takes less than a tenth longer. Rank 0
// computes and holds the clock, rank 1 makes the blocking call.
func Overlap(k *Rank, size int, c Case) (percent, alone float64, err error) {
	p := newParty(k, size, c)
	part, alone, err := bench.FindOverlap(func(compute float64) (bench.Times, error) {
		return p.pairOf(compute, 0)
	})
	return 100 * part, alone, err
}

// Progress is what a delay does to a message.
type Progress struct {
	Alone     float64 // microseconds without a delay
	Delayed   float64 // with it, the delay included
	PostDelay float64 // per cent of the message's work that was left after the delay
}

// Delay measures a message whose computing side does not come back for that long. The time is taken where the message
// arrives; a receiver looks at the end of its buffer while it computes.
func Delay(k *Rank, size int, delay time.Duration, c Case) (Progress, error) {
	p := newParty(k, size, c)
	p.watches = c.Computes == Receiver
	clock := 0
	if c.Computes == Sender {
		clock = 1
	}
	t, err := p.pairOf(microseconds(delay), clock)
	return Progress{t.Alone, t.Total, 100 * bench.PostDelay(t)}, err
}
