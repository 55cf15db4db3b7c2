package rank

import (
	"errors"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// sided runs the one-sided tests: each rank of the lower half operates on the part of one of the upper half.
type sided struct {
	world *mpi.Comm
	half  int // ranks that operate
	t     bench.Test
	win   *mpi.Window
	other *mpi.Group // of the one rank at the other end
	mem   []byte     // our part, of put and get
	out   []byte
	in    []byte

	sums            []float32 // our part, of those that add
	floats, results []float32
}

func newWindow(world *mpi.Comm, c bench.Case) (*sided, error) {
	bytes := largest(c.Steps)
	s := &sided{world: world, half: world.Size() / 2, t: c.Test}
	var err error
	if s.other, err = world.Group().Incl((world.Rank() + s.half) % world.Size()); err != nil {
		return nil, err
	}
	switch c.Test.Verb {
	case "fetch":
		s.win, _, err = mpi.AllocateWindow[int64](world, (bytes+7)/8)
		return s, err
	case "swap":
		s.win, _, err = mpi.AllocateWindow[int32](world, (bytes+3)/4)
		return s, err
	case "accumulate", "get_accumulate":
		s.floats, s.results = alignedFloats(bytes), alignedFloats(bytes)
		s.win, s.sums, err = mpi.AllocateWindow[float32](world, bytes/4)
		return s, err
	}
	s.out, s.in = alignedBytes(bytes), alignedBytes(bytes)
	if c.Test.Created {
		s.mem = alignedBytes(bytes)
		s.win, err = mpi.CreateWindow(world, s.mem)
	} else {
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
		if s.t.Starts {
			_, err = mpi.Rput(s.win, s.out[:size], target, 0).Wait()
			return err
		}
		return mpi.Put(s.win, s.out[:size], target, 0)
	case "get":
		if s.t.Starts {
			_, err = mpi.Rget(s.win, s.in[:size], target, 0).Wait()
			return err
		}
		return mpi.Get(s.win, s.in[:size], target, 0)
	case "accumulate":
		return mpi.Accumulate(s.win, s.floats[:size/4], target, 0, mpi.Sum)
	case "get_accumulate":
		return mpi.GetAccumulate(s.win, s.floats[:size/4], s.results[:size/4], target, 0, mpi.Sum)
	case "swap":
		_, err = mpi.CompareSwap(s.win, int32(0), int32(0), target, 0)
		return err
	}
	_, err = mpi.FetchOp(s.win, int64(1), target, 0, mpi.Sum)
	return err
}

func (s *sided) batch(step bench.Step, iterations int) (float64, error) {
	switch s.t.Epoch {
	case bench.Fenced:
		return s.betweenFences(step.Size, iterations)
	case bench.Posted:
		return s.betweenPosts(step.Size, iterations)
	}
	if !s.operates() {
		return 0, nil
	}
	if s.t.Epoch == bench.Locked {
		return s.betweenLocks(step.Size, iterations)
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

// betweenPosts has the target say each time that it may be operated on, and wait until that is over.
func (s *sided) betweenPosts(size, iterations int) (float64, error) {
	begin, end := s.win.Post, s.win.Wait
	if s.operates() {
		begin, end = s.win.Start, s.win.Complete
	}
	start := mpi.Wtime()
	for range iterations {
		if err := begin(s.other); err != nil {
			return 0, err
		}
		if s.operates() {
			if err := s.operate(size); err != nil {
				return 0, err
			}
		}
		if err := end(); err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - start, nil
}

func (s *sided) betweenLocks(size, iterations int) (float64, error) {
	target := s.target()
	start := mpi.Wtime()
	for range iterations {
		if err := s.win.Lock(mpi.LockShared, target); err != nil {
			return 0, err
		}
		if err := s.operate(size); err != nil {
			return 0, err
		}
		if err := s.win.Unlock(target); err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - start, nil
}

// check runs one operation with known data: what ranks put is seen by their targets, what these have is got.
func (s *sided) check(size, round int) (bool, error) {
	me := s.world.Rank()
	if err := mpi.Barrier(s.world); err != nil { // others may still be at their last batch
		return false, err
	}
	for i := range s.mem[:min(size, len(s.mem))] {
		s.out[i], s.in[i] = byteAt(me, i, round), 0
		s.mem[i] = byteAt(me, i, round)
	}
	for i := range s.sums[:min(size/4, len(s.sums))] {
		s.floats[i], s.results[i] = floatAt(me, i, round), 0
		s.sums[i] = floatAt(me, i, round)
	}
	err := mpi.Barrier(s.world)
	if err == nil {
		_, err = s.batch(bench.Step{Size: size}, 1)
	}
	if err = errors.Join(err, mpi.Barrier(s.world)); err != nil {
		return false, err
	}
	if s.sums != nil {
		return s.rightSums(size/4, round), nil
	}
	switch {
	case s.t.Verb == "put" && !s.operates():
		return hasBytes(s.mem[:size], me-s.half, 0, round), nil
	case s.t.Verb == "get" && s.operates():
		return hasBytes(s.in[:size], s.target(), 0, round), nil
	}
	return true, nil
}

// rightSums says whether what a target has is its own and what its partner added, and what that one
// got is what there was.
func (s *sided) rightSums(n, round int) bool {
	me := s.world.Rank()
	for i := range n {
		switch {
		case !s.operates() && s.sums[i] != floatAt(me, i, round)+floatAt(me-s.half, i, round):
			return false
		case s.operates() && s.t.Verb == "get_accumulate" && s.results[i] != floatAt(s.target(), i, round):
			return false
		}
	}
	return true
}
