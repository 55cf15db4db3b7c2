package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// beside runs the test of short messages while long ones flow from the leader to its peer. Each side keeps
// long messages under way by itself, a new one for each that is complete, and both settle at the end how
// many there are.
type beside struct {
	*pairs
	long    [longAtOnce][]byte
	flow    [longAtOnce]mpi.Request
	begun   []int64 // messages, as a message of one element
	theirs  []int64
	batches []float64
}

// longAtOnce is how many long messages are under way: while one ends, the next flows.
const longAtOnce = 2

const (
	tagLong = iota + 40
	tagBegun
)

func newBeside(world *mpi.Comm, c bench.Case) *beside {
	b := &beside{pairs: newPairs(world, 1, largest(c.Steps)), begun: make([]int64, 1), theirs: make([]int64, 1)}
	bytes := 0
	for _, s := range c.Steps {
		bytes = max(bytes, longBytes(s))
	}
	for i := range b.long {
		b.long[i] = alignedBytes(bytes)
	}
	return b
}

func longBytes(s bench.Step) int { return bench.BesideBytes / 100 * s.Share }

// latency returns the median batch of half round trips, each batch the mean of its own; the leader holds the clock.
func (b *beside) latency(s bench.Step) (bench.Row, error) {
	row := bench.Row{Size: s.Size, Share: s.Share, Iterations: s.Iterations}
	if err := mpi.Barrier(b.world); err != nil {
		return row, err
	}
	b.begun[0], b.batches = 0, b.batches[:0]
	if longBytes(s) > 0 {
		for i := range b.flow {
			b.begin(s, i)
		}
	}
	if _, err := b.busyPingPong(s, s.Warmup); err != nil {
		return row, err
	}
	for range s.Batches {
		spent, err := b.busyPingPong(s, s.Iterations)
		if err != nil {
			return row, err
		}
		b.batches = append(b.batches, spent*1e6/float64(2*s.Iterations))
	}
	row.Value = bench.Median(b.batches)
	if longBytes(s) == 0 {
		return row, nil
	}
	return row, b.drain(s)
}

// begin starts a long message in the place of one that is complete.
func (b *beside) begin(s bench.Step, i int) {
	b.begun[0]++
	if b.leads {
		b.flow[i] = mpi.Isend(b.world, b.long[i][:longBytes(s)], b.peer, tagLong)
	} else {
		b.flow[i] = mpi.Irecv(b.world, b.long[i][:longBytes(s)], b.peer, tagLong)
	}
}

func (b *beside) busyPingPong(s bench.Step, iterations int) (float64, error) {
	out, in := b.out[:s.Size], b.in[:s.Size]
	start := mpi.Wtime()
	for range iterations {
		if err := b.bounce(out, in); err != nil {
			return 0, err
		}
		if longBytes(s) == 0 {
			continue
		}
		for i := range b.flow {
			_, done, err := b.flow[i].Test()
			if err != nil {
				return 0, err
			}
			if done {
				b.begin(s, i)
			}
		}
	}
	return mpi.Wtime() - start, nil
}

// drain ends the flow: who has begun fewer messages than the other begins the rest.
func (b *beside) drain(s bench.Step) error {
	if _, err := mpi.Sendrecv(b.world, b.begun, b.peer, tagBegun, b.theirs, b.peer, tagBegun); err != nil {
		return err
	}
	for i := 0; ; i = (i + 1) % longAtOnce {
		if b.begun[0] >= b.theirs[0] {
			return mpi.Waitall(b.flow[:])
		}
		if _, err := b.flow[i].Wait(); err != nil {
			return err
		}
		b.begin(s, i)
	}
}
