package bench

import "math"

// Transfer moves one message between two ranks several times, by turns undisturbed and with computation between call
// and wait that should take that many microseconds, and does the computation alone, too. Taking turns is what makes the
// three comparable on a host that changes its mood.
type Transfer func(compute float64) (Times, error)

// Times are the median microseconds of what a Transfer has done.
type Times struct {
	Alone   float64 // a message without computation
	Compute float64 // the computation without a message: what a calibration says of it is up to a third off on some hosts
	Total   float64 // both
}

// The search for the overlap as the literature defines it: computation grows by a tenth from step to step for as long
// as the message takes less than a tenth longer than undisturbed.
const (
	overlapStart  = 0.05 // of the undisturbed time
	overlapGrowth = 1.1
	overlapLimit  = 1.1
	overlapMost   = 1.5 // nothing above one transfer can be hidden behind it; the rest is room for noise
	overlapTries  = 5   // a step that was only disturbed by others passes when repeated
)

// FindOverlap returns which part (0 to 1) of a transfer can be hidden behind computation, and the microseconds of an
// undisturbed transfer. The part is (c - (l - l0)) / l0 at the last step whose l stays below 1.1 l0, where c is the
// computation, l the whole time and l0 the undisturbed one.
func FindOverlap(transfer Transfer) (part, alone float64, err error) {
	first, err := transfer(0)
	if alone = first.Alone; err != nil || alone <= 0 {
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

// tryOverlap makes one step of the search: it returns which part of a transfer hides computation of about
// c, and whether the transfer stays within its limit.
func tryOverlap(transfer Transfer, c float64) (part float64, fits bool, err error) {
	for range overlapTries {
		t, err := transfer(c)
		if err != nil {
			return 0, false, err
		}
		if t.Total < overlapLimit*t.Alone {
			return (t.Compute - (t.Total - t.Alone)) / t.Alone, true, nil
		}
	}
	return 0, false, nil
}

// PostDelay returns which part of a transfer was left to do after the computation that delayed it: 0 when the message
// made its way meanwhile, 1 when it only started afterwards.
func PostDelay(t Times) float64 {
	if t.Alone <= 0 {
		return 0
	}
	return math.Max(t.Total-t.Compute, 0) / t.Alone
}

// ExchangeWork returns the nanoseconds of computation per iteration at which communication takes share per cent of
// it, when an iteration without computation takes that many microseconds. Share 0 means no computation.
func ExchangeWork(communication float64, share int) int {
	if share == 0 {
		return 0
	}
	return int(math.Min(communication*1e3*100/float64(share), maxWork))
}
