package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// strided is doubles in blocks of so many, each with as much room behind it.
func strided(block int) func(p *pairs) batch {
	return byLayout[float64](func(bytes int) (mpi.Layout, int) {
		l := stridedOf(block, bytes)
		return l, l.Count * l.Stride
	})
}

func stridedOf(block, bytes int) mpi.Strided {
	block = min(block, bytes/8)
	return mpi.Strided{Count: bytes / 8 / block, Block: block, Stride: 2 * block}
}

// indexed is doubles in blocks of 1, 2, 3, 1, ... with one or two between them.
func indexed(bytes int) (mpi.Layout, int) {
	var l mpi.Indexed
	at := 0
	for i, left := 0, bytes/8; left > 0; i++ {
		n := min(1+i%3, left)
		l = append(l, mpi.Block{Start: at, Len: n})
		at += n + 1 + i%2
		left -= n
	}
	return l, at
}

// record is half sent: X, ID and Mass.
type record struct {
	X       float64
	ID, Age int32
	Y       float64
	Mass    float32
	Heat    float32
}

const recordSent = 16 // bytes

func records(bytes int) (mpi.Layout, int) {
	n := bytes / recordSent
	return mpi.Fields[record](n, "X", "ID", "Mass"), n
}

// byLayout is a ping-pong of elements that do not lie next to each other: as many bytes of them as the step says.
func byLayout[T any](lay func(bytes int) (mpi.Layout, int)) func(p *pairs) batch {
	return func(p *pairs) batch {
		var out, in []T
		return func(s bench.Step, iterations int) (float64, error) {
			at, n := lay(s.Size)
			if len(out) < n {
				out, in = make([]T, n), make([]T, n)
			}
			if _, err := mpi.Unpack(p.out[:s.Size], out, at); err != nil {
				return 0, err
			}
			start := mpi.Wtime()
			for range iterations {
				if p.leads {
					if err := mpi.SendLayout(p.world, out, at, p.peer, tagPing); err != nil {
						return 0, err
					}
				}
				if _, err := mpi.RecvLayout(p.world, in, at, p.peer, p.inTag()); err != nil {
					return 0, err
				}
				if !p.leads {
					if err := mpi.SendLayout(p.world, out, at, p.peer, tagPong); err != nil {
						return 0, err
					}
				}
			}
			spent := mpi.Wtime() - start
			_, err := mpi.Pack(p.in[:0], in, at)
			return spent, err
		}
	}
}

// alltoallLayout sends every second of a block's doubles to each rank, and receives them likewise.
func (g *group) alltoallLayout(size int) operation {
	l := stridedOf(1, size)
	span := l.Count * l.Stride
	at := make([]mpi.Layout, g.ranks)
	for r := range at {
		at[r] = mpi.From(r*span, l)
	}
	out, in := make([]float64, g.ranks*span), make([]float64, g.ranks*span)
	packed := g.blocks(g.out[:size*g.ranks], g.in[:size*g.ranks])
	all := mpi.Strided{Count: g.ranks * l.Count, Block: 1, Stride: 2}
	o := packed
	o.fill = func(round int) {
		packed.fill(round)
		_, _ = mpi.Unpack(g.out[:size*g.ranks], out, all)
		clear(in)
	}
	o.call = func() error { return mpi.AlltoallLayout(g.world, out, at, in, at) }
	o.start = func() mpi.Request { return mpi.IalltoallLayout(g.world, out, at, in, at) }
	o.right = func(round int) bool {
		_, err := mpi.Pack(g.in[:0], in, all)
		return err == nil && g.hasBlocks(equal(size, g.ranks), func(int) int { return g.rank * size }, round)
	}
	return o
}
