// Package rank measures Weft: it is the inside of a rank that `weft bench` started.
//
// It owns the timed loops and the checks of received data. It promises that nothing is allocated inside a timed
// loop, that all ranks run the same steps, and that its loops are those of bench/peers/c/twin.c, so a comparison
// compares libraries and not programs.
//
// It must not know how results are shown or who else is measured: it hands rows to a function.
package rank

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// batch runs the operation of a step that many times and returns the seconds this rank spent in it.
type batch func(s bench.Step, iterations int) (float64, error)

// check makes the operation move known data once and says whether this rank received what it should. round
// changes the data, so that what an earlier round left behind does not pass.
type check func(size, round int) (bool, error)

// meter measures one case on one rank.
type meter struct {
	world   *mpi.Comm
	c       bench.Case
	batch   batch
	check   check
	prepare func(s bench.Step) (bench.Step, error) // completes a step before it is measured; may be nil
	mine    []float64                              // seconds of this rank's last batch, as a message of one element
	seconds []float64                              // the same of all ranks, on rank 0
}

// Run measures every step of c on world; all ranks of world call it with the same case. On rank 0 it calls emit
// with each row as soon as it is known; the other ranks may pass nil.
func Run(world *mpi.Comm, c bench.Case, emit func(bench.Row) error) error {
	if err := c.Test.CheckRanks(world.Size()); err != nil {
		return err
	}
	if c.Validate && !c.Test.Checks() {
		return fmt.Errorf("%s measures only and cannot check data", c.Test.Name)
	}
	c.Ranks = world.Size()
	measure, err := measurer(world, c)
	if err != nil {
		return err
	}
	for _, s := range c.Steps {
		row, err := measure(s)
		if err == nil && world.Rank() == 0 {
			err = emit(row)
		}
		if err != nil {
			return fmt.Errorf("%s with %d bytes: %w", c.Test.Name, s.Size, err)
		}
	}
	return nil
}

// measurer returns what measures a step of c: batches of timed operations for most tests, a procedure of its own for
// the others. Its row means something on rank 0 only.
func measurer(world *mpi.Comm, c bench.Case) (func(bench.Step) (bench.Row, error), error) {
	m := &meter{world: world, c: c, mine: make([]float64, 1), seconds: make([]float64, world.Size())}
	if c.Test.Beside {
		return newBeside(world, c).latency, nil
	}
	switch c.Test.Shape {
	case bench.Overlap:
		return newParty(world, c).overlap, nil
	case bench.Progress:
		return newParty(world, c).progress, nil
	case bench.Idle:
		return newIdler(world, c).wait, nil
	case bench.Resident:
		return newCrowd(world, c).resident, nil
	case bench.Collective:
		if err := m.useGroup(); err != nil {
			return nil, err
		}
	case bench.Cycle:
		m.useCycle()
	case bench.PingPong, bench.Stream:
		if c.Test.Threads {
			t := newThreads(world, c)
			m.batch, m.check = t.batch, t.check
			break
		}
		m.usePairs()
	case bench.Sided:
		w, err := newWindow(world, c)
		if err != nil {
			return nil, err
		}
		m.batch, m.check = w.batch, w.check
	}
	return m.measure, nil
}

// Settle lets new processes come to rest before anything is measured: barriers until rank 0 has seen enough time
// pass. A new Go process is disturbed by its own runtime at first, and the first sizes would show it. The C twins do
// the same.
func Settle(world *mpi.Comm) error {
	start := mpi.Wtime()
	for more := []byte{1}; more[0] == 1; {
		for range settleBarriers {
			if err := mpi.Barrier(world); err != nil {
				return err
			}
		}
		if mpi.Wtime()-start > settleSeconds {
			more[0] = 0
		}
		if err := mpi.Bcast(world, more, 0); err != nil {
			return err
		}
	}
	return nil
}

const (
	settleSeconds  = 0.15
	settleBarriers = 20 // between two looks at the clock
)

func (m *meter) usePairs() {
	p := newPairs(m.world, m.c.Window, largest(m.c.Steps))
	switch {
	case m.c.Test.Reuses:
		m.batch = newPool(p, m.c.Steps).batch
		return
	case m.c.Test.Spectrum:
		m.batch = newSpectrum(p, m.c).batch
		return
	case m.c.Test.Mode != "":
		p.bounces = true
		m.batch = modes[m.c.Test.Mode](p)
	case m.c.Test.Shape == bench.PingPong:
		p.bounces = true
		m.batch = p.pingPong
	case m.c.Test.BothWays:
		p.bounces = true
		m.batch = p.streamBothWays
	default:
		m.batch = p.stream
	}
	p.once, m.check = m.batch, p.check
}

func (m *meter) useGroup() error {
	bytes := largest(m.c.Steps)
	if m.c.Test.Spread {
		bytes *= m.world.Size()
	}
	g, err := newGroup(m.world, m.c.Test, bytes)
	if err != nil {
		return err
	}
	m.batch, m.check = g.batch, g.check
	return nil
}

func largest(steps []bench.Step) int {
	bytes := 0
	for _, s := range steps {
		bytes = max(bytes, s.Size)
	}
	return bytes
}

// measure warms up, runs the batches and returns the median one.
func (m *meter) measure(s bench.Step) (bench.Row, error) {
	if m.prepare != nil {
		var err error
		if s, err = m.prepare(s); err != nil {
			return bench.Row{}, err
		}
	}
	if err := mpi.Barrier(m.world); err != nil {
		return bench.Row{}, err
	}
	if _, err := m.batch(s, s.Warmup); err != nil {
		return bench.Row{}, err
	}
	rows := make([]bench.Row, 0, s.Batches)
	for range s.Batches {
		if err := mpi.Barrier(m.world); err != nil {
			return bench.Row{}, err
		}
		spent, err := m.batch(s, s.Iterations)
		if err != nil {
			return bench.Row{}, err
		}
		m.mine[0] = spent
		if err := mpi.Gather(m.world, m.mine, m.seconds, 0); err != nil {
			return bench.Row{}, err
		}
		rows = append(rows, m.convert(s))
	}
	slices.SortFunc(rows, func(a, b bench.Row) int {
		switch {
		case a.Value < b.Value:
			return -1
		case a.Value > b.Value:
			return 1
		}
		return 0
	})
	row := rows[s.Batches/2]
	if m.c.Validate {
		var err error
		if row.Valid, err = m.validate(s.Size); err != nil {
			return bench.Row{}, err
		}
	}
	return row, nil
}

// convert turns the seconds of all ranks into the row of one batch.
func (m *meter) convert(s bench.Step) bench.Row {
	n := float64(m.c.Test.Operations(s))
	row := bench.Row{Size: s.Size, Share: s.Share, Iterations: s.Iterations}
	sum := 0.0
	for _, v := range m.seconds {
		sum += v
	}
	mean := sum / float64(len(m.seconds))
	switch m.c.Test.Shape {
	case bench.PingPong:
		row.Value = mean * 1e6 / (2 * n)
	case bench.Stream:
		pairs := m.c.Test.Pairs(len(m.seconds))
		messages := float64(pairs*m.c.Window) * n
		if m.c.Test.BothWays {
			messages *= 2
		}
		slowest := slices.Max(m.seconds[:pairs]) // the senders hold the clock, as they get the answer
		if slowest > 0 {
			row.Rate = messages / slowest
		}
		row.Value = row.Rate * float64(s.Size) / 1e6
	case bench.Sided:
		for _, v := range m.seconds[len(m.seconds)/2:] { // those who are operated on
			sum -= v
		}
		row.Value = sum / float64(len(m.seconds)/2) * 1e6 / n
	case bench.Collective, bench.Cycle:
		row.Value = mean * 1e6 / n
		row.Min = slices.Min(m.seconds) * 1e6 / n
		row.Max = slices.Max(m.seconds) * 1e6 / n
	}
	return row
}

// checkRounds is how many times the data is checked per size.
const checkRounds = 3

// validate checks the data on every rank; one wrong byte anywhere is a Fail.
func (m *meter) validate(size int) (bench.Verdict, error) {
	mine, all := []int32{1}, []int32{0}
	for round := range checkRounds {
		right, err := m.check(size, round)
		if err != nil {
			return bench.Unchecked, err
		}
		if !right {
			mine[0] = 0
		}
	}
	if err := mpi.Allreduce(m.world, mine, all, mpi.Min); err != nil {
		return bench.Unchecked, err
	}
	if all[0] == 1 {
		return bench.Pass, nil
	}
	return bench.Fail, nil
}
