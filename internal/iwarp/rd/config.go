package rd

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// MaxWindow is the largest window: what the SACK words of one shim can speak about.
const MaxWindow = 64 * iwarp.MaxSackWords

const (
	microsecond int64 = 1_000
	millisecond       = 1_000 * microsecond
	second            = 1_000 * millisecond

	// startCwnd is how many datagrams may be in flight before the path has been measured.
	startCwnd = 16
	// reorderLimit is how many later transmissions must be acknowledged before a datagram counts as lost.
	reorderLimit = 3
	// rnrUnit is the wait for code 0 of a "not ready"; each code doubles it.
	rnrUnit = 100 * microsecond
)

// Config sets the bounds and times of a table. A zero field takes the default; times are nanoseconds.
type Config struct {
	Window     int   // datagrams that may be in flight to or from a peer, 1..MaxWindow; 64
	MaxFlows   int   // peers with state at a time; 65536. Also bounds how many past epochs are remembered
	RTOStart   int64 // retransmission time-out before the round trip was measured; 10 ms
	RTOMin     int64 // its lower bound; 1 ms
	RTOMax     int64 // its upper bound, also when doubled, at most 4 s; 1 s
	MaxRetries int   // time-outs in a row after which the work to a peer fails, at most 200; 12
	AckDelay   int64 // how long an acknowledgement may wait for company; 1 ms
	AckEvery   int   // datagrams after which it no longer waits, at most 200; 16
	IdleSend   int64 // a sender silent for this long begins its next message in a new epoch; 10 s
	IdleRecv   int64 // a flow silent for this long is forgotten, and so is a past epoch; 30 s
}

// withDefaults fills what is zero and refuses what makes no sense.
func (c Config) withDefaults() (Config, error) {
	setInt := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	setTime := func(v *int64, d int64) {
		if *v == 0 {
			*v = d
		}
	}
	setInt(&c.Window, 64)
	setInt(&c.MaxFlows, 1<<16)
	setInt(&c.MaxRetries, 12)
	setInt(&c.AckEvery, 16)
	setTime(&c.RTOMin, millisecond)
	setTime(&c.RTOMax, second)
	setTime(&c.RTOStart, max(10*millisecond, c.RTOMin))
	setTime(&c.AckDelay, millisecond)
	setTime(&c.IdleSend, 10*second)
	setTime(&c.IdleRecv, 30*second)
	switch {
	case c.Window < 1 || c.Window > MaxWindow:
		return c, fmt.Errorf("rd: window of %d datagrams: use 1 to %d", c.Window, MaxWindow)
	case c.MaxFlows < 1 || c.MaxFlows > 1<<24:
		return c, fmt.Errorf("rd: limit of %d flows: use 1 to %d", c.MaxFlows, 1<<24)
	case c.MaxRetries < 1 || c.MaxRetries > 200:
		return c, fmt.Errorf("rd: %d retries: use 1 to 200", c.MaxRetries)
	case c.AckEvery < 1 || c.AckEvery > 200:
		return c, fmt.Errorf("rd: acknowledgement every %d datagrams: use 1 to 200", c.AckEvery)
	case c.RTOMin < 1 || c.RTOMin > c.RTOStart || c.RTOStart > c.RTOMax || c.RTOMax > 4*second:
		return c, fmt.Errorf("rd: time-outs %d, %d, %d ns: minimum, start and maximum must rise and stay within 4 s",
			c.RTOMin, c.RTOStart, c.RTOMax)
	case c.AckDelay < 1 || c.AckDelay > second:
		return c, fmt.Errorf("rd: acknowledgement delay of %d ns: use 1 ns to 1 s", c.AckDelay)
	case c.IdleSend < 1 || c.IdleRecv < 2*c.IdleSend:
		return c, fmt.Errorf("rd: idle times of %d and %d ns: a receiver must wait twice as long as a sender, "+
			"or it forgets flows that are still in use", c.IdleSend, c.IdleRecv)
	}
	return c, nil
}
