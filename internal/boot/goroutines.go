package boot

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/stall"
)

// Crew is a job whose ranks are goroutines of this process, or tasks in virtual time.
type Crew struct {
	Ranks    []*Rank
	mu       sync.Mutex
	err      error
	quit     chan struct{}
	wg       sync.WaitGroup // of the ranks
	watched  chan struct{}  // closed when the watcher has ended; nil if there is none
	sim      *simulation    // nil on a host
	ending   sync.WaitGroup // of those who end it though they must not wait
	councils *crewCouncils
}

// Go starts rank i.
func (c *Crew) Go(i int, f func()) {
	if c.sim != nil {
		c.sim.start(i, f)
		return
	}
	c.wg.Go(f)
}

// Leave is called by rank i when its program has ended. In virtual time it returns when all have come; on a
// host, ranks that still need this one are served without it.
func (c *Crew) Leave(i int) {
	if c.sim != nil {
		c.leave(i)
	}
}

// Wait returns when all ranks have ended. The error, in virtual time only, says why they could not: clock.Deadlock or
// clock.ErrLimit.
func (c *Crew) Wait() error {
	if c.sim != nil {
		return c.sim.scheduler.Run()
	}
	c.wg.Wait()
	return nil
}

// NewCrew makes a job of n ranks. Close it.
func NewCrew(n int, site Site) (*Crew, error) {
	set, err := settings()
	if err != nil {
		return nil, err
	}
	c := &Crew{quit: make(chan struct{})}
	x := inproc.NewExchange(0, n)
	notes, key := newNotes(), newKey()
	world := comm.NewGroup(everybody(n))
	facts, err := agreed(n, []agree.Host{oneProcess(n, set)}, set)
	if err != nil {
		return nil, err
	}
	costs := new(comm.Costs)
	for i := range n {
		box := x.Box(i)
		ps := parts{
			place: place{rank: i, size: n, hosts: 1}, set: set, site: site,
			broken: func(why error) { c.failSoon(fmt.Errorf("rank %d: %w", i, why)) },
			links:  []*progress.Link{boxLink(box)}, bell: box.Bell(), policy: clock.Park, world: world, facts: facts, machine: model.Ethernet, costs: costs,
		}
		if set.Links == "rail" {
			err = ps.overNetwork(notes, key)
		}
		ps.share(progress.Node{Memory: box})
		var r *Rank
		if err == nil {
			r, err = build(ps)
		}
		if err != nil {
			if ps.net != nil {
				_ = ps.net.close()
			}
			c.disband()
			return nil, err
		}
		r.abort = c.aborts(i)
		c.Ranks = append(c.Ranks, r)
	}
	c.convene()
	if set.Stall > 0 {
		c.watched = make(chan struct{})
		go c.watch(time.Duration(set.Stall))
	}
	return c, nil
}

// overNetwork has the rank reach the others over the loopback interface, as ranks on hosts of their own would.
func (ps *parts) overNetwork(notes board, key []byte) (err error) {
	if ps.net, err = ps.openNetwork(notes, key, nil); err != nil {
		return err
	}
	ps.links, ps.bell = []*progress.Link{railLink(ps.net.link)}, ps.net.link.Bell()
	ps.loop = boxLink(inproc.NewExchange(ps.place.rank, 1).Box(0))
	return nil
}

// disband ends the ranks of a crew that did not come about.
func (c *Crew) disband() {
	for _, r := range c.Ranks {
		r.loop.Close()
	}
	c.closeNetworks()
}

func (c *Crew) closeNetworks() {
	for _, r := range c.Ranks {
		if r.net != nil {
			_ = r.net.close() // of sockets on this host
		}
	}
}

// notes is a board for ranks of one process.
type notes struct {
	mu  sync.Mutex
	all map[string]string
}

func newNotes() *notes { return &notes{all: map[string]string{}} }

func (n *notes) Put(key, value string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all[key] = value
	return nil
}

func (n *notes) Get(key string) (string, bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	value, found := n.all[key]
	return value, found, nil
}

// AbortError says that a rank ended the job.
type AbortError struct {
	Rank, Code int
	Reason     string
}

// Error says it in one line.
func (e *AbortError) Error() string {
	return fmt.Sprintf("rank %d aborted the job with code %d: %s", e.Rank, e.Code, e.Reason)
}

// Unwrap makes every abort an ErrAborted.
func (e *AbortError) Unwrap() error { return comm.ErrAborted }

// Fail ends the job: whatever ranks wait for fails. Only the first cause counts.
func (c *Crew) Fail(cause error) {
	if c.sim != nil && c.sim.scheduler.Current() == nil { // an event, which cannot wait for a rank to let go of its loop
		c.failSoon(cause)
	} else if c.blame(cause) {
		c.failAll()
	}
}

// failSoon is Fail for those who must not wait for a rank to let go of its loop.
func (c *Crew) failSoon(cause error) {
	switch {
	case !c.blame(cause):
	case c.sim != nil:
		c.sim.scheduler.Daemon("end of the job", c.failAll)
	default:
		c.ending.Go(c.failAll)
	}
}

// blame notes why the job fails, and tells whether nobody has before.
func (c *Crew) blame(cause error) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if first = c.err == nil; first {
		c.err = cause
	}
	return first
}

// aborts is how rank i ends the job.
func (c *Crew) aborts(i int) func(code int, reason string) {
	return func(code int, reason string) {
		c.Fail(&AbortError{Rank: i, Code: code, Reason: reason})
	}
}

// failAll ends what ranks wait for. c.mu is not held: in virtual time others run meanwhile.
func (c *Crew) failAll() {
	for i, r := range c.Ranks {
		if c.Dead(i) {
			continue // it may have died with its loop's lock held
		}
		r.loop.Fail(fmt.Errorf("%w: %w", comm.ErrAborted, c.Cause()))
	}
}

// Cause is why the job failed, or nil.
func (c *Crew) Cause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the crew's goroutines. The ranks must have ended; whoever still has their
// communicators gets errors.
func (c *Crew) Close() {
	close(c.quit)
	for _, r := range c.Ranks {
		if c.sim != nil { // nobody runs any more
			r.loop.Close()
		} else {
			r.end()
		}
	}
	c.ending.Wait()
	c.closeNetworks()
	if c.watched != nil {
		<-c.watched
	}
}

// watch reports stalls. One watcher serves all ranks, so that ranks can sleep without timers.
func (c *Crew) watch(limit time.Duration) {
	defer close(c.watched)
	t := time.NewTicker(max(limit/4, time.Millisecond))
	defer t.Stop()
	var last time.Time
	for {
		select {
		case <-c.quit:
			return
		case <-t.C:
		}
		if time.Since(last) >= limit && c.report(limit) {
			last = time.Now()
		}
	}
}

// report prints who waits if somebody has waited too long.
func (c *Crew) report(limit time.Duration) bool {
	ranks, late := make([]stall.Rank, len(c.Ranks)), false
	for i, r := range c.Ranks {
		ranks[i].Phase = pmi.Joined
		for _, s := range r.loop.Waiting() {
			late = late || s.For >= int64(limit)
			ranks[i].Waits = append(ranks[i].Waits, stallOf(i, s))
		}
	}
	if late {
		fmt.Fprintf(os.Stderr, "weft: %s\n", stall.Report(ranks))
	}
	return late
}
