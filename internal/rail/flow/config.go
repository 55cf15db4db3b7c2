package flow

import "fmt"

// Config is what all flows of a rail have in common. Both ends should use the same. It must have passed Check, and
// does not change while a flow uses it.
type Config struct {
	First      uint32 // number of the first frame; both ends must agree
	Window     int    // frames in flight (sent, not acknowledged) at most
	Credit     int    // frames that may be sent before the first acknowledgement; 0 is Window. Both ends must agree
	AckEvery   int    // frames after which an acknowledgement is due; with Credit at most four are for as many frames as may be sent
	AckDelay   int64  // nanoseconds after which one is due at the latest, so that the sender's copies come back
	Timeout    int64  // nanoseconds: first time-out of a retransmission, and the longest while the peer answers
	MinTimeout int64  // nanoseconds: shortest time-out, however fast the path
	MaxRetry   int    // how many times Timeout may pass without news from the peer before it is dead; shorter time-outs count as one
	Patience   int    // how many times Timeout the time-out grows to without news; 0 and 1: it stays, and bursts go on
	OutOfOrder int    // how far ahead of what is expected a frame is kept
}

const (
	millisecond int64 = 1_000_000
	longest           = 3_600_000 * millisecond // time-out that may be chosen
)

// most bounds Window and OutOfOrder: far below half of the numbers, so that before and after stay clear.
const most = 1 << 15

// Defaults are the values of the hybrid datagram channel that the design follows. AckDelay and MinTimeout, about which
// it says nothing, are long enough not to add traffic to a conversation and short enough for a user not to notice.
func Defaults() Config {
	return Config{
		Window: 400, AckEvery: 50, AckDelay: 20 * millisecond,
		Timeout: 500 * millisecond, MinTimeout: 5 * millisecond, MaxRetry: 1000, Patience: 64, OutOfOrder: 2501,
	}
}

// Check says what is wrong with the values, which may come from a user.
func (c *Config) Check() error {
	switch {
	case c.Window < 1 || c.Window > most:
		return fmt.Errorf("flow: window of %d frames: choose 1 to %d", c.Window, most)
	case c.Credit < 0 || c.Credit > c.Window:
		return fmt.Errorf("flow: credit of %d frames at first: choose 0 to the window (%d)", c.Credit, c.Window)
	case c.OutOfOrder < c.Window || c.OutOfOrder > most:
		return fmt.Errorf("flow: %d frames kept out of order: choose between the window (%d) and %d", c.OutOfOrder, c.Window, most)
	case c.AckEvery < 1 || c.AckEvery > most:
		return fmt.Errorf("flow: acknowledge every %d frames: choose 1 to %d", c.AckEvery, most)
	case c.AckDelay < 0:
		return fmt.Errorf("flow: acknowledge after %d ns: choose 0 or more", c.AckDelay)
	case c.MinTimeout < 1 || c.Timeout < c.MinTimeout || c.Timeout > longest:
		return fmt.Errorf("flow: time-out between %d and %d ns: choose 1 or more, the second no less than the first and at most %d",
			c.MinTimeout, c.Timeout, longest)
	case c.AckDelay > c.Timeout/2:
		return fmt.Errorf("flow: acknowledge after %d ns: choose at most half of the time-out (%d ns), or frames are sent twice",
			c.AckDelay, c.Timeout)
	case c.MaxRetry < 1 || c.MaxRetry > most:
		return fmt.Errorf("flow: %d time-outs before a peer is dead: choose 1 to %d", c.MaxRetry, most)
	case c.Patience < 0 || c.Patience > most:
		return fmt.Errorf("flow: time-outs that grow to %d times their length: choose 0 to %d", c.Patience, most)
	}
	return nil
}

// Counters prove what happened. Any number of flows of one owner may share them.
type Counters struct {
	Sent        uint64 // frames pushed
	Delivered   uint64 // frames delivered in order
	Acks        uint64 // notices: acknowledgements that travel alone
	StaleAcks   uint64 // acknowledgements older than what is known, as reordering makes them
	BadAcks     uint64 // acknowledgements of frames that were never sent, or with absurd credit
	Retransmits uint64 // frames sent again because they seem lost
	Replayed    uint64 // frames sent again over a connection that was opened anew
	Timeouts    uint64 // time-outs that found something overdue
	Alone       uint64 // those among them that followed another in vain: only the oldest frame is sent then
	Duplicates  uint64 // frames that were here already
	OutOfOrder  uint64 // frames that came early and were kept
	Beyond      uint64 // frames too far ahead, dropped
}

// credit is how many frames may be sent before the first acknowledgement.
func (c *Config) credit() int {
	if c.Credit > 0 {
		return c.Credit
	}
	return c.Window
}

// after tells whether a comes after b in the circle of numbers.
func after(a, b uint32) bool { return int32(a-b) > 0 }

// Due returns this when something is to be done at once: a time that has passed on every clock.
const atOnce int64 = 1
