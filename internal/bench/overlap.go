package bench

import "math"

// Transfer moves one message between two ranks several times, by turns undisturbed and with that many microseconds
// of computation between call and wait, and returns the median microseconds of both kinds. Taking turns is what
// makes the two comparable on a host that changes its mood.
type Transfer func(compute float64) (alone, total float64, err error)

// The search for the overlap as the literature defines it: computation grows by a tenth from step to step for as long
// as the message takes less than a tenth longer than undisturbed.
const (
	overlapStart  = 0.05 // of the undisturbed time
	overlapGrowth = 1.1
	overlapLimit  = 1.1
	overlapMost   = 1.5 // nothing above one transfer can be hidden behind it; the rest is room for noise
	overlapTries  = 3   // a step that was only disturbed by others passes when repeated
)

// FindOverlap returns which part (0 to 1) of a transfer can be hidden behind computation, and the microseconds of an
// undisturbed transfer. The part is (c - (l - l0)) / l0 at the last step whose l stays below 1.1 l0, where c is the
// computation, l the whole time and l0 the undisturbed one.
func FindOverlap(transfer Transfer) (part, alone float64, err error) {
	alone, _, err = transfer(0)
	if err != nil || alone <= 0 {
		return 0, alone, err
	}
	for c := overlapStart * alone; c <= overlapMost*alone; c *= overlapGrowth {
		hidden, fits, err := tryOverlap(transfer, c)
		if err != nil {
			return 0, alone, err
		}
		if !fits {
			break
		}
		part = hidden
	}
	return math.Min(math.Max(part, 0), 1), alone, nil
}

// tryOverlap makes one step of the search: it returns which part of a transfer hides the computation c, and whether
// the transfer stays within its limit.
func tryOverlap(transfer Transfer, c float64) (part float64, fits bool, err error) {
	for range overlapTries {
		before, total, err := transfer(c)
		if err != nil {
			return 0, false, err
		}
		if total < overlapLimit*before {
			return (c - (total - before)) / before, true, nil
		}
	}
	return 0, false, nil
}

// PostDelay returns which part of a transfer was left to do after a delay, from the microseconds of an undisturbed
// transfer, of the delay and of the transfer that met it: 0 when the message made its way during the delay, 1 when
// it only started afterwards.
func PostDelay(alone, delay, total float64) float64 {
	if alone <= 0 {
		return 0
	}
	return math.Max(total-delay, 0) / alone
}

// ExchangeWork returns the nanoseconds of computation per iteration at which communication takes share per cent of
// it, when an iteration without computation takes that many microseconds. Share 0 means no computation.
func ExchangeWork(communication float64, share int) int {
	if share == 0 {
		return 0
	}
	return int(math.Min(communication*1e3*100/float64(share), maxWork))
}
