package simtest

import (
	"sync"
	"sync/atomic"
	"time"
)

// Sweep runs many seeds.
type Sweep struct {
	Seeds   []Range
	Options Options
	Jobs    int           // runs at a time
	Time    time.Duration // no seed is begun after this long; 0: all are
	Virtual time.Duration // nor after all together have taken so much virtual time; 0: all are
	// Failed is told of every seed that fails, Stuck of one that takes longer than Patience in real time,
	// by one goroutine at a time.
	Failed   func(*Case, Result)
	Stuck    func(*Case)
	Patience time.Duration
}

// Range is seeds from a first to a last one.
type Range struct{ First, Last uint64 }

// Tally is what a sweep came to.
type Tally struct {
	Seeds, Failed, Messages int
	Served                  int            // calls of collectives that the named algorithm has served
	Deaths                  int            // runs in which a rank died before its end
	Bytes                   int64          // of messages and results that were compared
	Faults                  map[string]int // misfortunes that began, by kind
	Layouts                 map[string]int // jobs of which that is to be said, see Result
	Virtual                 time.Duration
	Real                    time.Duration
	Counters                Counters // sums over all runs
}

// Run runs the seeds.
func (s *Sweep) Run() Tally {
	began := time.Now()
	w := &sweeping{Sweep: s, tally: Tally{Faults: map[string]int{}, Layouts: map[string]int{}, Counters: Counters{}}, running: map[*Case]int{}}
	if len(s.Seeds) > 0 {
		w.next = s.Seeds[0].First
	}
	quit := make(chan struct{})
	var workers, watcher sync.WaitGroup
	watcher.Go(func() { w.watch(quit) })
	for range max(1, s.Jobs) {
		workers.Go(func() {
			for s.Time == 0 || time.Since(began) < s.Time {
				seed, ok := w.take()
				if !ok {
					return
				}
				w.run(New(seed, s.Options))
			}
		})
	}
	workers.Wait()
	close(quit)
	watcher.Wait()
	w.tally.Real = time.Since(began)
	return w.tally
}

// sweeping is a sweep that goes on.
type sweeping struct {
	*Sweep
	mu      sync.Mutex
	at      int // of Seeds
	next    uint64
	tally   Tally
	running map[*Case]int // how often watch has seen them
	stuck   atomic.Bool
}

// take hands out the next seed.
func (w *sweeping) take() (uint64, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Virtual > 0 && w.tally.Virtual >= w.Virtual {
		return 0, false
	}
	for w.at < len(w.Seeds) {
		if r := w.Seeds[w.at]; w.next <= r.Last && w.next >= r.First {
			w.next++
			return w.next - 1, true
		}
		if w.at++; w.at < len(w.Seeds) {
			w.next = w.Seeds[w.at].First
		}
	}
	return 0, false
}

// run runs one case.
func (w *sweeping) run(c *Case) {
	w.mu.Lock()
	w.running[c] = 0
	w.mu.Unlock()
	r := Run(c, nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, c)
	t := &w.tally
	t.Seeds++
	t.Messages += r.Messages
	t.Served += r.Served
	t.Bytes += r.Bytes
	t.Virtual += time.Duration(r.Virtual)
	if r.Died {
		t.Deaths++
	}
	for kind, n := range r.Faults {
		t.Faults[kind] += n
	}
	for _, words := range r.Layout {
		t.Layouts[words]++
	}
	for name, n := range r.Counters {
		t.Counters[name] += n
	}
	if r.Err != nil {
		t.Failed++
		if w.Failed != nil {
			w.Failed(c, r)
		}
	}
}

// watch looks for a run that does not end. It counts looks, not time, for a program that is stopped for a
// while, with its terminal or its machine, makes none.
func (w *sweeping) watch(quit chan struct{}) {
	if w.Patience == 0 || w.Stuck == nil {
		return
	}
	const looks = 10
	t := time.NewTicker(max(w.Patience/looks, time.Millisecond))
	defer t.Stop()
	for {
		select {
		case <-quit:
			return
		case <-t.C:
		}
		w.mu.Lock()
		for c := range w.running {
			if w.running[c]++; w.running[c] > looks && w.stuck.CompareAndSwap(false, true) {
				w.Stuck(c)
			}
		}
		w.mu.Unlock()
	}
}
