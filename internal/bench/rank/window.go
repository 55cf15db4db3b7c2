package rank

import (
	"errors"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// sided runs the one-sided tests: rank 0 operates on rank 1's part of a window.
type sided struct {
	world   *mpi.Comm
	t       bench.Test
	win     *mpi.Window
	mem     []byte  // our part
	numbers []int64 // the same, of fetch
	out, in []byte
}

func newWindow(world *mpi.Comm, c bench.Case) (*sided, error) {
	bytes := largest(c.Steps)
	s := &sided{world: world, t: c.Test, out: alignedBytes(bytes), in: alignedBytes(bytes)}
	var err error
	switch {
	case c.Test.Verb == "fetch":
		s.win, s.numbers, err = mpi.AllocateWindow[int64](world, (bytes+7)/8)
	case c.Test.Created:
		s.mem = alignedBytes(bytes)
		s.win, err = mpi.CreateWindow(world, s.mem)
	default:
		s.win, s.mem, err = mpi.AllocateWindow[byte](world, bytes)
	}
	return s, err
}

// operate is the operation, without what sees it through.
func (s *sided) operate(size int) (err error) {
	switch s.t.Verb {
	case "put":
		return mpi.Put(s.win, s.out[:size], 1, 0)
	case "get":
		return mpi.Get(s.win, s.in[:size], 1, 0)
	}
	_, err = mpi.FetchOp(s.win, int64(1), 1, 0, mpi.Sum)
	return err
}

func (s *sided) batch(step bench.Step, iterations int) (float64, error) {
	if s.t.Fenced {
		return s.betweenFences(step.Size, iterations)
	}
	if s.world.Rank() != 0 {
		return 0, nil
	}
	if err := s.win.Lock(mpi.LockShared, 1); err != nil {
		return 0, err
	}
	start := mpi.Wtime()
	for range iterations {
		if err := s.operate(step.Size); err != nil {
			return 0, err
		}
		if err := s.win.Flush(1); err != nil {
			return 0, err
		}
	}
	spent := mpi.Wtime() - start
	return spent, s.win.Unlock(1)
}

func (s *sided) betweenFences(size, iterations int) (float64, error) {
	if err := s.win.Fence(); err != nil {
		return 0, err
	}
	start := mpi.Wtime()
	for range iterations {
		if s.world.Rank() == 0 {
			if err := s.operate(size); err != nil {
				return 0, err
			}
		}
		if err := s.win.Fence(); err != nil {
			return 0, err
		}
	}
	spent := mpi.Wtime() - start
	return spent, s.win.Fence(mpi.NoSucceed)
}

// check runs one operation with known data: what rank 0 puts is seen by rank 1, what rank 1 has is got by rank 0.
func (s *sided) check(size, round int) (bool, error) {
	me := s.world.Rank()
	for i := range size {
		s.out[i], s.in[i] = byteAt(me, i, round), 0
		s.mem[i] = byteAt(1, i, round)
	}
	err := mpi.Barrier(s.world)
	if err == nil {
		_, err = s.batch(bench.Step{Size: size}, 1)
	}
	if err = errors.Join(err, mpi.Barrier(s.world)); err != nil {
		return false, err
	}
	put := s.t.Verb == "put"
	for i := range size {
		if put && me == 1 && s.mem[i] != byteAt(0, i, round) || !put && me == 0 && s.in[i] != byteAt(1, i, round) {
			return false, nil
		}
	}
	return true, nil
}
