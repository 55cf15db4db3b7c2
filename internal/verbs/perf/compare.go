package perf

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Comparison is one test on two ways, in interleaved rounds.
type Comparison struct {
	Test   string  `json:"test"`
	Unit   string  `json:"unit"` // us or MB/s
	Ours   string  `json:"ours"`
	Theirs string  `json:"theirs"`
	Both   bool    `json:"both,omitempty"` // both directions at once
	Rounds int     `json:"rounds"`
	Points []Point `json:"points"`
}

// Point is one message size.
type Point struct {
	Size   int           `json:"bytes"`
	Ours   bench.Summary `json:"ours"`
	Theirs bench.Summary `json:"theirs"`
	Ratio  bench.Summary `json:"ratio"` // ours/theirs within a round
	Lost   int           `json:"lost,omitempty"`

	samples [2][]float64
}

// Other describes the second way of a comparison. A raw socket has no operation but to send.
type Other struct {
	Way Way
	Op  verbs.Op
}

// Compare measures the plan on its own way and on another, in the same two processes: in every round each size is
// measured once on both, a short batch each, and the order changes from round to round. So what else the host does
// hits both alike, and a ratio compares two batches that were milliseconds apart. tick, when not nil, is called after
// every round.
func (s *Session) Compare(ctx context.Context, p Plan, other Other, rounds int, tick func()) (Comparison, error) {
	cmp := Comparison{Test: p.Test.Name, Unit: p.Unit(), Ours: p.Way.Name(), Theirs: other.Way.Name(), Both: p.Both, Points: make([]Point, len(p.Sizes))}
	ways := [2]int{}
	for i, w := range []Way{p.Way, other.Way} {
		var err error
		if ways[i], err = s.Open(w); err != nil {
			return cmp, err
		}
	}
	ops := [2]verbs.Op{p.Test.Op, other.Op}
	for round := -1; round < rounds; round++ { // the one before the first warms up
		for at, size := range p.Sizes {
			for turn := range 2 {
				i := (max(round, 0) + turn) % 2
				v, lost, err := s.sample(ways[i], p, ops[i], size)
				if err != nil {
					return cmp, fmt.Errorf("round %d of %d: %w", round+1, rounds, err)
				}
				if round >= 0 {
					cmp.Points[at].samples[i] = append(cmp.Points[at].samples[i], v)
					cmp.Points[at].Lost += lost
				}
			}
			if ctx.Err() != nil {
				return cmp, context.Cause(ctx)
			}
		}
		if tick != nil {
			tick()
		}
	}
	cmp.Rounds = rounds
	for i := range cmp.Points {
		cmp.Points[i].summarize(p.Sizes[i])
	}
	for _, way := range ways {
		if err := s.CloseWay(way); err != nil {
			return cmp, err
		}
	}
	return cmp, nil
}

func (p *Point) summarize(size int) {
	p.Size = size
	p.Ours, p.Theirs = bench.Summarize(p.samples[0]), bench.Summarize(p.samples[1])
	p.Ratio = bench.Summarize(bench.Ratios(p.samples[0], p.samples[1]))
}

// Unit of the plan's values.
func (p Plan) Unit() string {
	if p.Test.Shape == Stream {
		return "MB/s"
	}
	return "us"
}

// sample is one short batch: the median of its exchanges, or its bandwidth.
func (s *Session) sample(way int, p Plan, op verbs.Op, size int) (float64, int, error) {
	iterations := p.Iterations
	if iterations == 0 {
		iterations = roundIterations(p.Test.Shape, size)
	}
	b := p.batch(size, p.QPs[0], iterations)
	b.Op = op
	out, err := s.Run(way, b)
	if err != nil {
		return 0, 0, err
	}
	if p.Test.Shape == PingPong {
		share := 2.0
		if op == verbs.Read {
			share = 1
		}
		return summarizeTimes(out.Times, share*float64(b.QPs)).Typical, 0, nil
	}
	var t traffic
	return t.add(size, out), out.Lost, nil
}

// roundIterations makes a batch of a round last some ten milliseconds.
func roundIterations(shape Shape, size int) int {
	if shape == PingPong {
		return clamp(4*mib/max(size, 1), 20, 300)
	}
	return clamp(48*mib/max(size, 1), 16, 4000)
}
