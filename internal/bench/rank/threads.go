package rank

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// threads are goroutines of this rank that run a test of pairs at the same time, each with buffers
// and tags of its own.
type threads []*pairs

func newThreads(world *mpi.Comm, c bench.Case) threads {
	most := 1
	for _, s := range c.Steps {
		most = max(most, s.Share)
	}
	t := make(threads, most)
	for g := range t {
		p := newPairs(world, c.Window, largest(c.Steps))
		p.tags = g * tagsOfPair
		p.once, p.bounces = p.pingPong, true
		if c.Test.Shape == bench.Stream {
			p.once, p.bounces = p.stream, false
		}
		t[g] = p
	}
	return t
}

// batch lets s.Share goroutines run that many iterations each and returns the seconds until the
// last of them was done.
func (t threads) batch(s bench.Step, iterations int) (float64, error) {
	return t[:max(s.Share, 1)].all(func(p *pairs) error {
		_, err := p.once(s, iterations)
		return err
	})
}

// check lets all goroutines check their data at the same time.
func (t threads) check(size, round int) (bool, error) {
	var wrong atomic.Bool
	_, err := t.all(func(p *pairs) error {
		right, err := p.check(size, round)
		if !right {
			wrong.Store(true)
		}
		return err
	})
	return !wrong.Load(), err
}

// all lets each goroutine do that with its pair and returns the seconds until the last is done.
func (t threads) all(do func(p *pairs) error) (float64, error) {
	var done sync.WaitGroup
	errs := make([]error, len(t))
	begin := make(chan struct{})
	for g, p := range t {
		done.Go(func() {
			<-begin
			errs[g] = do(p)
		})
	}
	start := mpi.Wtime()
	close(begin)
	done.Wait()
	return mpi.Wtime() - start, errors.Join(errs...)
}
