package rank

import (
	"errors"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// sided runs the one-sided tests: each rank of the lower half operates on the part of one of the upper half.
type sided struct {
	world   *mpi.Comm
	half    int // ranks that operate
	t       bench.Test
	win     *mpi.Window
	mem     []byte  // our part
	numbers []int64 // the same, of fetch
	out, in []byte
}

func newWindow(world *mpi.Comm, c bench.Case) (*sided, error) {
	bytes := largest(c.Steps)
	s := &sided{world: world, half: world.Size() / 2, t: c.Test, out: alignedBytes(bytes), in: alignedBytes(bytes)}
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

// operates tells whether this rank does, target on whom.
func (s *sided) operates() bool { return s.world.Rank() < s.half }
func (s *sided) target() int    { return s.world.Rank() + s.half }

// operate is the operation, without what sees it through.
func (s *sided) operate(size int) (err error) {
	target := s.target()
	switch s.t.Verb {
	case "put":
		return mpi.Put(s.win, s.out[:size], target, 0)
	case "get":
		return mpi.Get(s.win, s.in[:size], target, 0)
	}
	_, err = mpi.FetchOp(s.win, int64(1), target, 0, mpi.Sum)
	return err
}

func (s *sided) batch(step bench.Step, iterations int) (float64, error) {
	if s.t.Fenced {
		return s.betweenFences(step.Size, iterations)
	}
	if !s.operates() {
		return 0, nil
	}
	target := s.target()
	if err := s.win.Lock(mpi.LockShared, target); err != nil {
		return 0, err
	}
	start := mpi.Wtime()
	for range iterations {
		if err := s.operate(step.Size); err != nil {
			return 0, err
		}
		if err := s.win.Flush(target); err != nil {
			return 0, err
		}
	}
	spent := mpi.Wtime() - start
	return spent, s.win.Unlock(target)
}

func (s *sided) betweenFences(size, iterations int) (float64, error) {
	if err := s.win.Fence(); err != nil {
		return 0, err
	}
	start := mpi.Wtime()
	for range iterations {
		if s.operates() {
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

// check runs one operation with known data: what ranks put is seen by their targets, what these have is got.
func (s *sided) check(size, round int) (bool, error) {
	me := s.world.Rank()
	if err := mpi.Barrier(s.world); err != nil { // others may still be at their last batch
		return false, err
	}
	for i := range size {
		s.out[i], s.in[i] = byteAt(me, i, round), 0
		s.mem[i] = byteAt(me, i, round)
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
		if put && !s.operates() && s.mem[i] != byteAt(me-s.half, i, round) || !put && s.operates() && s.in[i] != byteAt(s.target(), i, round) {
			return false, nil
		}
	}
	return true, nil
}
