// Package measure holds the measuring programs of the research documents, as functions over one rank.
//
// It owns the loops: ping-pong, streams one way and both ways, several pairs, overlap, progress, reuse of buffers,
// exchange and crossing. It promises that every procedure is a correct MPI program which all ranks of the world call
// with the same arguments, that it leaves no message behind, and that all ranks return the same value: that of the rank
// which holds the clock. It must not know whether time is real or virtual, nor which figure it serves.
package measure

import (
	"errors"
	"time"
	"unsafe"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/mpi"
)

// Clock is the time of one rank, and how it computes: for real on a host, by letting time pass on a simulated one.
type Clock interface {
	Now() int64         // nanoseconds
	Compute(nano int64) // keeps the rank busy outside MPI
}

// Rank is what a measuring program gets: its communicator and its clock.
type Rank struct {
	World *mpi.Comm
	clock Clock
	// Seen, if set, is told what the rank did from when to when.
	Seen func(what string, from, to int64)
	// Stopped, if set, says why to end early; it is asked between two measurements.
	Stopped func() error
	// Counted, if set, tells what the rank's collectives have done; Named is the algorithm that the job
	// names, by operation.
	Counted func() Counted
	Named   map[string]string
	// Cast is the rank's end of a broadcast of the hardware, if its job has one.
	Cast *Caster
	// Gate is the barrier of the hardware, if its job has one and more than one node.
	Gate Barrier
	// Puts is the rank's end of remote writes below MPI, if its job has them.
	Puts *Puts
}

// Counted is what a rank has counted of its collectives, see the counters of the same names in its report.
type Counted struct {
	Runs                     map[string]uint64 // by algorithm
	BlockedSends, EarlyBytes uint64
}

// NewRank puts a rank together.
func NewRank(world *mpi.Comm, clock Clock) *Rank { return &Rank{World: world, clock: clock} }

// Now is the time since some moment in the past.
func (k *Rank) Now() time.Duration { return time.Duration(k.clock.Now()) }

// Compute keeps the rank busy outside MPI.
func (k *Rank) Compute(d time.Duration) {
	if d > 0 {
		defer k.Span("compute")()
		k.clock.Compute(int64(d))
	}
}

// copied tells that the program has copied that many bytes. On a host that took its time by itself.
func (k *Rank) copied(bytes int) {
	if c, ok := k.clock.(interface{ Copied(bytes int) }); ok {
		c.Copied(bytes)
	}
}

// Lead tells whether this is the rank that reports.
func (k *Rank) Lead() bool { return k.World.Rank() == 0 }

// Span begins something that the rank does; calling what it returns ends it.
func (k *Rank) Span(what string) func() {
	if k.Seen == nil {
		return func() {}
	}
	from := k.clock.Now()
	return func() { k.Seen(what, from, k.clock.Now()) }
}

// Loops says how often to measure: first for nothing, then for the clock. In virtual time few are enough, for every one
// is the same.
type Loops struct{ Warmup, Timed int }

// Unfit tells whether a measurement ended because the algorithm that its job names does not fit: there is
// nothing to draw then. All ranks find that out alike.
func Unfit(err error) bool { return errors.Is(err, coll.ErrUnfit) }

// Sweep measures one size after the other and, on the leading rank, hands each value to add. Sizes are left
// out which the algorithm that the job names does not fit.
func Sweep(k *Rank, sizes []int, add func(x, y float64), measure func(size int) (float64, error)) error {
	for _, size := range sizes {
		if k.Stopped != nil {
			if err := k.Stopped(); err != nil {
				return err
			}
		}
		value, err := measure(size)
		if Unfit(err) {
			continue
		}
		if err != nil {
			return err
		}
		if k.Lead() {
			add(float64(size), value)
		}
	}
	return nil
}

// agree gives all ranks the value of one.
func (k *Rank) agree(value float64, root int) (float64, error) {
	v := []float64{value}
	err := mpi.Bcast(k.World, v, root)
	return v[0], err
}

// timed runs loop warmup and timed times, after a barrier each, and returns the microseconds of one timed iteration.
func (k *Rank) timed(l Loops, loop func(n int) error) (float64, error) {
	if l.Warmup > 0 {
		if err := k.barrierThen(l.Warmup, loop); err != nil {
			return 0, err
		}
	}
	if err := mpi.Barrier(k.World); err != nil {
		return 0, err
	}
	start := k.Now()
	err := loop(l.Timed)
	return microseconds(k.Now()-start) / float64(max(l.Timed, 1)), err
}

func (k *Rank) barrierThen(n int, loop func(n int) error) error {
	if err := mpi.Barrier(k.World); err != nil {
		return err
	}
	return loop(n)
}

// microseconds is a duration as the documents' axes count it.
func microseconds(d time.Duration) float64 { return float64(d) / 1e3 }

// page is the alignment of every measured buffer, as in the usual benchmarks.
const page = 4096

// buffer returns that many bytes that begin on a page.
func buffer(n int) []byte {
	b := make([]byte, n+page)
	skip := (page - int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))%page)) % page
	return b[skip : skip+n : skip+n]
}
