// Command survive solves the heat equation on a plate while its ranks die: with -die 2s one of them kills itself every
// two seconds, as if its host had failed, and the others end with the same plate as if nothing had happened.
//
// Every rank keeps the whole plate and computes a band of its rows. After some sweeps the ranks put their bands together
// and agree that everybody has them: a state that is saved, in the memory of all. If a rank dies, calls of others fail.
// Whoever notices revokes the communicator, so that all notice; those that live make a communicator of their own, share
// the rows anew and go on from the state that was saved last. Run it with
//
//	weft run --recover -n 4 ./examples/survive -die 2s
//
// It shows Revoke, Shrink and Agree, and what to do between them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// problem is what to solve, and how often to save.
type problem struct {
	Size    int     // rows and columns of the plate, without its edges
	Sweeps  int     // at most so many
	Every   int     // sweeps between two states that are saved
	Epsilon float64 // stop when no point changes by more in a sweep
}

func main() {
	var p problem
	flag.IntVar(&p.Size, "size", 160, "rows and columns of the plate")
	flag.IntVar(&p.Sweeps, "sweeps", 60_000, "at most so many sweeps")
	flag.IntVar(&p.Every, "every", 100, "sweeps between two states that are saved")
	flag.Float64Var(&p.Epsilon, "epsilon", 1e-9, "stop when no point changes by more in a sweep")
	die := flag.Duration("die", 0, "after every such time a rank kills itself (0: none does)")
	flag.Parse()
	mpi.Main(func(world *mpi.Comm) error {
		s, err := survive(world, p, doom(*die))
		if err == nil && s.comm.Rank() == 0 {
			s.report(os.Stdout, world.Size())
		}
		return err
	})
}

// doom returns what has a rank of a communicator kill itself some time later: one in the middle, as long as there are
// others.
func doom(after time.Duration) func(c *mpi.Comm) {
	return func(c *mpi.Comm) {
		if after > 0 && c.Size() > 1 && c.Rank() == c.Size()/2 {
			time.AfterFunc(after, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) })
		}
	}
}

// solver is what a rank knows of the plate.
type solver struct {
	problem
	comm      *mpi.Comm
	now, next []float64 // the plate with its edges, row by row; valid in our band and a row beyond
	saved     []float64 // the plate as all have agreed on it
	sweep     int       // of now
	savedAt   int       // sweep of saved
	done      bool      // saved is the result
	losses    int       // times that ranks have died
}

// survive solves the problem on the ranks that live. doom is told of every communicator that is used.
func survive(world *mpi.Comm, p problem, doom func(*mpi.Comm)) (*solver, error) {
	if p.Size < 1 || p.Sweeps < 1 || p.Every < 1 {
		return nil, fmt.Errorf("%d rows, %d sweeps, saved every %d: each must be at least 1", p.Size, p.Sweeps, p.Every)
	}
	wide := p.Size + 2
	s := &solver{problem: p, comm: world, now: make([]float64, wide*wide), next: make([]float64, wide*wide), saved: make([]float64, wide*wide)}
	for x := range wide {
		s.saved[x] = 100 // the upper edge is hot
	}
	for {
		doom(s.comm)
		err := s.work()
		switch {
		case err == nil:
			return s, nil
		case !errors.Is(err, mpi.ErrProcFailed) && !errors.Is(err, mpi.ErrRevoked):
			return nil, err
		}
		if err := s.goOn(); err != nil {
			return nil, err
		}
	}
}

// goOn makes a communicator of those that live.
func (s *solver) goOn() error {
	if err := s.comm.Revoke(); err != nil {
		return err
	}
	living, err := s.comm.Shrink()
	if err != nil {
		return err
	}
	if s.losses > 0 { // the first is the world, which nobody frees
		if err := s.comm.Free(); err != nil {
			return err
		}
	}
	s.comm = living
	s.losses++
	return nil
}

// work goes on from the state that was saved, to the end.
func (s *solver) work() error {
	copy(s.now, s.saved)
	copy(s.next, s.saved)
	s.sweep = s.savedAt
	for !s.done {
		change := 0.0
		for range s.Every {
			var err error
			if change, err = s.sweepBand(); err != nil {
				return err
			}
		}
		if err := s.save(change); err != nil {
			return err
		}
	}
	return nil
}

// band is the rows of a rank, edges not counted: from first up to last, without that.
func (s *solver) band(rank int) (first, last int) {
	n := s.comm.Size()
	return 1 + rank*s.Size/n, 1 + (rank+1)*s.Size/n
}

// row is row r of a plate, with both its edges.
func (s *solver) row(plate []float64, r int) []float64 {
	wide := s.Size + 2
	return plate[r*wide : (r+1)*wide]
}

// sweepBand gives every point of the band the mean of its neighbours. Those in the rows beyond come from the ranks that
// have them.
func (s *solver) sweepBand() (change float64, err error) {
	first, last := s.band(s.comm.Rank())
	if first == last {
		s.sweep++
		return 0, nil // more ranks than rows
	}
	if err := s.exchange(first, last); err != nil {
		return 0, err
	}
	for r := first; r < last; r++ {
		up, own, down, to := s.row(s.now, r-1), s.row(s.now, r), s.row(s.now, r+1), s.row(s.next, r)
		for x := 1; x <= s.Size; x++ {
			to[x] = (up[x] + down[x] + own[x-1] + own[x+1]) / 4
			change = max(change, math.Abs(to[x]-own[x]))
		}
	}
	s.now, s.next = s.next, s.now
	s.sweep++
	return change, nil
}

// exchange gets the rows next to the band.
func (s *solver) exchange(first, last int) error {
	above, below := s.owner(first-1), s.owner(last)
	const up, down = 1, 2
	if _, err := mpi.Sendrecv(s.comm, s.row(s.now, first), above, up, s.row(s.now, last), below, up); err != nil {
		return err
	}
	_, err := mpi.Sendrecv(s.comm, s.row(s.now, last-1), below, down, s.row(s.now, first-1), above, down)
	return err
}

// owner is the rank with a row, ProcNull for the edges.
func (s *solver) owner(row int) int {
	for rank := range s.comm.Size() {
		if first, last := s.band(rank); row >= first && row < last {
			return rank
		}
	}
	return mpi.ProcNull
}

// save puts the bands together and has all ranks agree that they have them. Who does not have them all, because a rank
// has died meanwhile, says so, and then nobody goes on from them.
func (s *solver) save(change float64) error {
	n := s.comm.Size()
	counts, displs, wide := make([]int, n), make([]int, n), s.Size+2
	for rank := range n {
		first, last := s.band(rank)
		counts[rank], displs[rank] = (last-first)*wide, first*wide
	}
	first, last := s.band(s.comm.Rank())
	largest := []float64{0}
	err := mpi.Allgatherv(s.comm, s.now[first*wide:last*wide], s.next, counts, displs)
	if err == nil {
		err = mpi.Allreduce(s.comm, []float64{change}, largest, mpi.Max)
	}
	have := uint64(0)
	if err == nil {
		have = 1
	}
	all, agreeErr := s.comm.Agree(have)
	if all == 1 { // everybody has them, even if somebody has died since
		copy(s.saved, s.next)
		copy(s.now, s.next)
		s.savedAt = s.sweep
		s.done = largest[0] <= s.Epsilon || s.sweep >= s.Sweeps
	}
	if s.done && all == 1 {
		return nil // and nobody is needed any more
	}
	return errors.Join(err, agreeErr)
}

// report says what has become of the plate.
func (s *solver) report(out io.Writer, ranks int) {
	sum, bits := 0.0, make([]byte, 0, 8*len(s.saved))
	for _, v := range s.saved {
		sum += v
		for at := 0; at < 64; at += 8 {
			bits = append(bits, byte(math.Float64bits(v)>>at))
		}
	}
	fmt.Fprintf(out, "%d x %d points after %d sweeps: mean %.6f, checksum %08x\n", s.Size, s.Size, s.savedAt, sum/float64(len(s.saved)),
		crc32.ChecksumIEEE(bits))
	fmt.Fprintf(out, "%d of %d ranks are left after %d losses\n", s.comm.Size(), ranks, s.losses)
}
