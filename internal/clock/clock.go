// Package clock owns time and waiting: what the time is, how to pass a moment without hurting whoever
// shares the processor, and for how long to do so before sleeping.
//
// It promises monotonic nanoseconds and that Pause and Yield return soon. It knows nothing of messages: who
// wakes a sleeper is the business of the links. Nothing else below the public face may ask for the time or
// sleep.
package clock

import (
	"runtime"
	"time"
)

var start = time.Now()

// Now is the time in nanoseconds since some moment before the program's first call.
func Now() int64 { return int64(time.Since(start)) }

// Policy says how long to poll before sleeping. A poll costs 20 to 50 ns. Polling must last longer than a
// sleeper's wake (3 to 5 us): otherwise two partners put each other to sleep for ever.
type Policy struct {
	Spins  int // polls with a pause between them
	Yields int // polls with the processor offered to others between them
	// Together tells that whoever is waited for is a goroutine of this process: Go's scheduler can
	// hand our thread over.
	Together bool
}

// PolicyFor suits ranks that share cpus processors. Who has one to itself spins for some 20 us and does
// not yield: there is nobody to yield to but a program that computes, and that one would keep the
// processor for its whole slice, while a sleeper that is woken gets it back at once. Where a partner may
// be waiting for our processor, spinning only delays it. Where one of them has a processor to itself it
// may wait a while: to wake it costs the others more.
func PolicyFor(ranks, cpus int) Policy {
	switch {
	case ranks <= cpus:
		return Policy{Spins: 500}
	case ranks < 2*cpus:
		return Policy{Spins: 1, Yields: 60}
	}
	return Policy{Spins: 1, Yields: 20}
}

// Park is the policy of ranks that are goroutines of one process: the partner sits on the same processor,
// so every poll is wasted.
var Park = Policy{Together: true}

// Pass lets a moment pass in the n-th empty poll in a row and tells whether to poll again; false means it
// is time to sleep.
func (p Policy) Pass(n int) bool {
	switch {
	case n < p.Spins:
		Pause()
	case n < p.Spins+p.Yields:
		Yield()
	default:
		return false
	}
	return true
}

// CPUs is how many processors this process may use.
func CPUs() int { return runtime.NumCPU() }

// Sleep lets d nanoseconds pass. Go's own timers are no finer than a millisecond while nothing else happens
// in the process, so short sleeps are left to the kernel.
func Sleep(d int64) {
	if d < int64(2*time.Millisecond) {
		nap(d)
		return
	}
	time.Sleep(time.Duration(d))
}
