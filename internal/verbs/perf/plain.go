package perf

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Plan is what a user asks for: one test over sizes, or over numbers of queue pairs.
type Plan struct {
	Test       Test
	Way        Way
	Sizes      []int
	QPs        []int         // numbers of queue pairs, one row each
	Iterations int           // per row; 0: enough for the size
	Duration   time.Duration // per row, instead of Iterations
	Both       bool          // Stream: both directions
}

// Rows is how many rows the plan gives.
func (p Plan) Rows() int { return len(p.Sizes) * len(p.QPs) }

// Complete fills in what both ends need to open the way.
func (p *Plan) Complete() error {
	if p.Rows() == 0 {
		return fmt.Errorf("there is nothing to measure")
	}
	p.Way.MaxSize = slices.Max(p.Sizes)
	p.Way.QPs = slices.Max(p.QPs)
	return p.Way.check()
}

// batch is one batch of a row with so many iterations.
func (p Plan) batch(size, qps, iterations int) Batch {
	b := Batch{Op: p.Test.Op, Shape: p.Test.Shape, Both: p.Both, QPs: qps, Size: size, Iterations: iterations}
	if b.Shape == PingPong {
		b.Warmup = clamp(iterations/10, 1, 100)
	}
	return b
}

// Iterations of a row by default: as the perftest tools, but no more bytes than take about a second.
func defaultIterations(shape Shape, size, qps int) int {
	if shape == PingPong {
		return clamp(256*mib/max(size*qps, 1), 20, 1000)
	}
	return max(clamp(1024*mib/max(size, 1), 40, 5000), 20*qps)
}

// batchIterations is how many iterations a batch of a plain run has: a tenth, so that a time in which the kernel had
// both ends share a core does not become the whole row.
func batchIterations(iterations int) int { return clamp((iterations+9)/10, 1, 10_000) }

func clamp(v, low, high int) int { return max(low, min(v, high)) }

// share is what one exchange is divided by.
func (p Plan) share(qps int) float64 {
	if p.Test.Op == verbs.Read {
		return 1
	}
	return 2 * float64(qps)
}

// Run measures a plan and hands each row to emit as it comes.
func (s *Session) RunPlan(ctx context.Context, p Plan, emit func(Row) error) error {
	way, err := s.Open(p.Way)
	if err != nil {
		return err
	}
	for _, size := range p.Sizes {
		for _, qps := range p.QPs {
			row, err := s.row(ctx, way, p, size, qps)
			if err == nil {
				err = emit(row)
			}
			if err != nil {
				return err
			}
		}
	}
	return s.CloseWay(way)
}

// row runs the batches of one row.
func (s *Session) row(ctx context.Context, way int, p Plan, size, qps int) (Row, error) {
	wanted := p.Iterations
	if wanted == 0 {
		wanted = defaultIterations(p.Test.Shape, size, qps)
	}
	each := batchIterations(wanted)
	if p.Duration > 0 && p.Test.Shape == Stream && p.Iterations == 0 {
		each = roundIterations(Stream, size)
	}
	row := Row{Size: size, QPs: qps}
	var times []int64
	var sum traffic
	if p.Test.Shape == Stream { // the first batch meets memory and windows that were never used
		if _, err := s.Run(way, p.batch(size, qps, each)); err != nil {
			return row, err
		}
	}
	for end := time.Now().Add(p.Duration); ; {
		n := each
		if p.Duration == 0 {
			n = min(each, wanted-row.Iterations)
		}
		out, err := s.Run(way, p.batch(size, qps, n))
		if err != nil {
			return row, err
		}
		if p.Test.Shape == PingPong {
			times = append(times, out.Times...)
		} else {
			sum.add(size, out)
		}
		row.Iterations += n
		if ctx.Err() != nil {
			return row, context.Cause(ctx)
		}
		if p.Duration == 0 && row.Iterations >= wanted || p.Duration > 0 && !time.Now().Before(end) || row.Iterations >= MaxIterations {
			break
		}
	}
	if p.Test.Shape == PingPong {
		l := summarizeTimes(times, p.share(qps))
		row.Latency = &l
	} else {
		b := sum.bandwidth()
		row.Bandwidth, row.Lost = &b, sum.lost
	}
	return row, nil
}
