package lab

import (
	"fmt"
	"math"
	"time"

	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
	"golang.org/x/sys/unix"
)

// MIF is a benchmark of a collective operation under uneven arrivals, for real processes of this host: all
// meet, each computes for a random time of at most Factor times that of one message, and what each then
// spends in the operation is averaged.
type MIF struct {
	Op      measure.Collective `json:"op"`
	Size    int                `json:"size"`    // bytes of a block
	Factors []int              `json:"factors"` // maximum imbalance factors
	Late    float64            `json:"late"`    // share of the ranks that come late, all as late as can be; 0: everybody by chance
	Calls   int                `json:"calls"`
	Message float64            `json:"message_us"` // T, the time of one message; 0: measured
}

// MIFRow is a result of the benchmark.
type MIFRow struct {
	Factor  int     `json:"factor"`
	Message float64 `json:"message_us"` // T, the time of one message
	Time    float64 `json:"time_us"`
	Bound   float64 `json:"bound_us"` // that nobody can beat: (N/(N+1) - 1/2) MIF T, or what is not late of MIF T
	Drawn   float64 `json:"drawn_us"` // the same of the arrivals that were drawn
}

// Check tells what is wrong with the benchmark.
func (m MIF) Check() error {
	switch {
	case m.Op != measure.Alltoall && m.Op != measure.Allgather:
		return fmt.Errorf("%w operation %q: there are alltoall and allgather", ErrMIF, m.Op)
	case m.Size < 1 || m.Size > 1<<24:
		return fmt.Errorf("%w size of %d bytes: from 1 to 16M", ErrMIF, m.Size)
	case m.Calls < 1 || m.Calls > 1_000_000:
		return fmt.Errorf("%w number of calls %d: from 1 to 1000000", ErrMIF, m.Calls)
	case !(m.Late >= 0 && m.Late < 1):
		return fmt.Errorf("%w share of late ranks %g: from 0 to less than 1", ErrMIF, m.Late)
	case !(m.Message >= 0 && m.Message < 1e6):
		return fmt.Errorf("%w time of one message, %g us: from 0 to less than a second", ErrMIF, m.Message)
	case len(m.Factors) == 0:
		return fmt.Errorf("%w list of factors: there is none", ErrMIF)
	}
	for _, f := range m.Factors {
		if f < 1 || f > 100_000 {
			return fmt.Errorf("%w factor %d: from 1 to 100000", ErrMIF, f)
		}
	}
	return nil
}

// ErrMIF is the class of errors about how the benchmark is set up.
var ErrMIF = fmt.Errorf("benchmark of arrivals: bad")

// hostTime is the time of this host, the same for all of its processes, and computation that looks at it
// until time is up.
type hostTime struct{}

func (hostTime) Now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("lab: the host has no monotonic clock: " + err.Error())
	}
	return t.Nano()
}

func (h hostTime) Compute(nano int64) {
	for until := h.Now() + nano; h.Now() < until; {
	}
}

// Run is the life of one rank; all ranks get the same rows. They must be on one host.
func (m MIF) Run(world *mpi.Comm) ([]MIFRow, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if world.Size() < 2 {
		return nil, fmt.Errorf("%w job of one rank: start two or more", ErrMIF)
	}
	k := measure.NewRank(world, hostTime{})
	t, err := m.message(k)
	if err != nil {
		return nil, err
	}
	g, err := measure.NewGroup(k, m.Op, m.Size)
	if err != nil {
		return nil, err
	}
	var rows []MIFRow
	warmup := min(m.Calls, 50)
	for _, factor := range m.Factors {
		a := measure.Arrivals{Most: time.Duration(float64(factor) * t * 1e3), Late: m.Late, Seed: 2010, Calls: m.Calls}
		us, err := g.Uneven(a, warmup)
		if err != nil {
			return nil, err
		}
		rows = append(rows, MIFRow{Factor: factor, Message: t, Time: us, Bound: ArrivalBound(world.Size(), factor, m.Late, t), Drawn: a.Floor(world.Size())})
	}
	return rows, nil
}

// message is the time of one message between the first and the last rank: the least of a few means, for
// others use the host too.
func (m MIF) message(k *measure.Rank) (float64, error) {
	if m.Message > 0 {
		return m.Message, nil
	}
	least := math.Inf(1)
	for range 5 {
		t, err := measure.FarPingPong(k, m.Size, measure.Loops{Warmup: 50, Timed: 200})
		if err != nil {
			return 0, err
		}
		least = min(least, t)
	}
	return least, nil
}

// ArrivalBound is the least mean time of an operation in which everybody needs something of everybody, in
// the unit of t, the time of one message: nobody can end before the last has come. Of ranks that come
// evenly over factor*t the last comes after N/(N+1) of it and the mean one after half; of ranks of which a
// share is late, the others wait all of it.
func ArrivalBound(ranks, factor int, late, t float64) float64 {
	n := float64(ranks)
	share := n/(n+1) - 0.5
	if late > 0 {
		share = 1 - math.Floor(late*n+0.5)/n
	}
	return share * float64(factor) * t
}
