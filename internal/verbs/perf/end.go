package perf

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Opener opens the device for one end of a way, on the interface with address at.
type Opener func(w Way, at netip.Addr) (verbs.Device, error)

// end is one end of a way. For every batch both ends call prepare, then, when the server has said so, one calls lead
// and the other follow, then both check.
type end interface {
	// place tells the peer where this end is.
	place() place
	// connect joins the end to the peer's; the server has told its place before the client connects.
	connect(to place, leads bool) error
	// prepare fills the memory to send, clears the memory to receive and posts receives.
	prepare(b Batch, leads bool) error
	// lead sends first and keeps the clock: a PingPong leaves the nanoseconds of each exchange in times. It says
	// stop when its part is complete and, if the peer sends too, serves on until the peer is done.
	lead(b Batch, times []int64) (tally, error)
	// follow does the peer's part until stop is said.
	follow(b Batch) (tally, error)
	// check verifies what the last batch brought.
	check(b Batch, leads bool) error
	close() error
}

// newEnd opens one end of a way.
func newEnd(w Way, at netip.Addr, open Opener, c *control) (end, error) {
	switch w.Kind {
	case TCP:
		return newTCPEnd(w, at, c)
	case UDP:
		return newUDPEnd(w, at, c)
	}
	dev, err := open(w, at)
	if err != nil {
		return nil, fmt.Errorf("cannot open the device on %v: %w", at, err)
	}
	e, err := newEndpoint(w, dev, c)
	if err != nil {
		_ = dev.Close() // the first failure counts
		return nil, err
	}
	return e, nil
}

var began = time.Now()

// now returns nanoseconds on a clock that only goes forward.
func now() int64 { return int64(time.Since(began)) }

// spin is what a measuring loop consults when a poll found nothing.
type spin struct {
	c     *control
	empty int
	since int64 // when it began to find nothing, roughly; 0: it has not, or nobody asked
}

// lookEvery is how many empty polls pass between two looks at the clock; gentleLook is the same for ends that sleep.
const (
	lookEvery  = 1 << 10
	gentleLook = 4
)

// rest is called after every poll that found nothing.
func (s *spin) rest() {
	if s.c.gentle {
		time.Sleep(20 * time.Microsecond)
	}
}

// reset is called when something was found.
func (s *spin) reset() { s.empty, s.since = 0, 0 }

// idle is called when nothing was found. It fails when the peer has something to say in the middle of a batch (that
// is: it failed or left) or nothing has come for too long.
func (s *spin) idle() error {
	s.empty++
	if s.empty%s.look() != 0 {
		return nil
	}
	if s.c.called() {
		return errCalled
	}
	if s.quiet() > int64(patience) {
		return fmt.Errorf("nothing arrived for %v", patience)
	}
	return nil
}

func (s *spin) look() int {
	if s.c.gentle {
		return gentleLook
	}
	return lookEvery
}

// quiet tells for how many nanoseconds nothing was found, exact to some hundred polls and at no cost before.
func (s *spin) quiet() int64 {
	if s.empty < s.look() {
		return 0
	}
	if s.since == 0 {
		s.since = now()
	}
	return now() - s.since
}

// errCalled ends a loop because the control connection has something to say, which is the real reason.
var errCalled = fmt.Errorf("interrupted by the other end")

// The lengths of short messages that are not data, chosen so that data is never taken for them: their meaning is in
// the length, because their bytes land where data lands. They carry the beginning of the data.
func markLen(size int) int {
	if size == 12 || size == 14 {
		return 13
	}
	return 12
}

func answerLen(size int) int { return markLen(size) + 2 }

const longestMark = 16
