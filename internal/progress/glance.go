package progress

import "github.com/weft-mpi/weft/internal/clock"

// A program that loops on calls that do not wait keeps a processor busy, and whoever is to answer may need
// just that one: ranks of this host, but also ranks of hosts that share its processors unawares, and other
// jobs. So a loop that finds nothing gives the processor away in steps, as a call that waits does. First it
// only looks, then it offers the processor with every look if the policy has it yield, and then it naps
// between looks, for to offer a processor does not help those whom the kernel schedules in another group.
// Where ranks seem to have processors of their own, naps begin so late that they add little to the wait. A
// loop that computes between looks does not nap: the kernel deals with it as with any program.
// WEFT_WAIT=spin keeps to the first step.

const (
	napEvery  = 64        // looks in vain
	glanceNap = 50_000    // nanoseconds; the kernel makes some 100 of them
	napAfter  = 2_000_000 // nanoseconds in vain before the first nap of a rank that has a processor
	computes  = 10_000    // nanoseconds between two looks that the library does not take

	glancePause = 50 // nanoseconds of virtual time that a look in vain takes
)

// glances are looks in vain, in a row.
type glances struct {
	n     int
	since int64 // when the processor was offered first
	left  int64 // when the last look before one with a nap ended, else 0
}

// glance polls once for a call that does not wait. found tells whether the call has what it wants:
// then it was not in vain.
func (l *Loop) glance(found func() bool) {
	l.foldAll()
	nap := l.glances.left != 0 && l.napsNow()
	if l.poll() || found() {
		l.glances = glances{}
		return
	}
	n := l.glances.n
	l.glances.n++
	p := l.patience.Policy
	if n < p.Spins {
		return
	}
	if n == p.Spins {
		l.glances.since = l.clock.Now()
	}
	l.unlock()
	switch {
	case p.Together:
		l.door.yield(glancePause)
	case nap:
		l.clock.Sleep(glanceNap)
	case p.Yields > 0:
		clock.Yield()
	}
	l.lock()
	l.glances.left = 0
	if l.glances.n%napEvery == napEvery-1 {
		l.glances.left = l.clock.Now()
	}
}

// glanceFor is a glance for a message.
func (l *Loop) glanceFor(from Peer) {
	l.glance(func() bool { _, ok := l.eng.Peek(from.envelope()); return ok })
}

// napsNow tells whether a look, the last of napEvery, is to end with a nap if it is in vain.
func (l *Loop) napsNow() bool {
	now := l.clock.Now()
	return now-l.glances.left < computes && (l.cfg.Policy.Spins <= 1 || l.patience.Shared() || now-l.glances.since >= napAfter)
}
