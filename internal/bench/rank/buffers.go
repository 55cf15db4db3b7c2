package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// pool runs the reuse test: a ping-pong whose messages come from one buffer again and again, or each from another.
type pool struct {
	pairs   *pairs
	out, in []byte
	stride  int
	next    int // the buffer that was not used for longest
	due     int // reuse that is owed, in per cent of a message
}

// The pool is larger than what a registration cache keeps, in bytes and in buffers, as far as memory allows.
const (
	poolBytes   = 64 << 20
	poolBuffers = 2048
)

func newPool(p *pairs, steps []bench.Step) *pool {
	stride := pages(largest(steps))
	n := min(max(poolBytes/stride, 2), poolBuffers)
	return &pool{pairs: p, out: alignedBytes(n * stride), in: alignedBytes(n * stride), stride: stride, next: 1}
}

// pages rounds bytes up to whole pages, at least one.
func pages(bytes int) int { return max((bytes+page-1)/page, 1) * page }

// batch sends messages of which s.Share in a hundred reuse the first buffer, evenly spread; each other takes the
// next buffer of the pool.
func (q *pool) batch(s bench.Step, iterations int) (float64, error) {
	start := mpi.Wtime()
	for range iterations {
		at := 0
		if q.due += s.Share; q.due >= 100 {
			q.due -= 100
		} else {
			at = q.next * q.stride
			if q.next++; q.next*q.stride >= len(q.out) {
				q.next = 1
			}
		}
		if err := q.pairs.bounce(q.out[at:][:s.Size], q.in[at:][:s.Size]); err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - start, nil
}

// spectrum runs the spectrum test: of many buffers the first carries one message, the second two, and so on.
type spectrum struct {
	pairs   *pairs
	paged   bool
	out, in []byte
}

func newSpectrum(p *pairs, c bench.Case) *spectrum {
	t := &spectrum{pairs: p, paged: c.Test.Paged}
	bytes := 0
	for _, s := range c.Steps {
		bytes = max(bytes, t.stride(s.Size)*max(s.Iterations, s.Warmup))
	}
	t.out, t.in = alignedBytes(bytes), alignedBytes(bytes)
	return t
}

func (t *spectrum) stride(size int) int {
	if t.paged {
		return pages(size)
	}
	return size
}

// batch uses that many buffers.
func (t *spectrum) batch(s bench.Step, buffers int) (float64, error) {
	stride := t.stride(s.Size)
	start := mpi.Wtime()
	for i := range buffers {
		out, in := t.out[i*stride:][:s.Size], t.in[i*stride:][:s.Size]
		for range i + 1 {
			if err := t.pairs.bounce(out, in); err != nil {
				return 0, err
			}
		}
	}
	return mpi.Wtime() - start, nil
}
