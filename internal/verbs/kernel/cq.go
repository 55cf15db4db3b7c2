package kernel

import (
	"fmt"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// cq is a completion queue: the driver's, and what was taken from there, or made here, and not polled yet.
type cq struct {
	*nic.Completions
	dev    *Device
	driver ibv.CQ
	num    uint32
	closed bool
	taken  []ibv.WC // room for what the driver gives

	asked    asked // of the driver
	fresh    bool  // something was added since Arm
	overrun  bool
	woken    atomic.Bool // somebody wants a caller of Wait back
	sleeping int         // callers of Wait that sleep
	bell     *clock.Bell // of those
}

// asked is what a driver's queue was asked to tell of.
type asked uint8

const (
	nothing   asked = iota
	solicited       // solicited and failed completions
	anything
)

// batch is how many completions are taken from the driver at a time.
const batch = 32

// NewCQ makes a completion queue. The driver's is deeper, for completions that are not reported.
func (d *Device) NewCQ(cfg verbs.CQConfig) (verbs.CQ, error) {
	most := d.cqes
	if cfg.Depth < 1 || cfg.Depth > most {
		return nil, fmt.Errorf("kernel: %w: completion queue of depth %d, possible are 1 to %d", verbs.ErrArgument, cfg.Depth, most)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, verbs.ErrClosed
	}
	driver, err := d.ctx.NewCQ(min(cfg.Depth+max(cfg.Depth/4, 256), d.cqes))
	if err != nil {
		return nil, fmt.Errorf("kernel: make a completion queue of depth %d: %w", cfg.Depth, full(err))
	}
	c := &cq{Completions: nic.NewCompletions(cfg), dev: d, driver: driver, num: d.num(), taken: make([]ibv.WC, batch), bell: clock.NewBell()}
	d.cqs[driver.ID()] = c
	return c, nil
}

// Num is the queue's number.
func (c *cq) Num() uint32 { return c.num }

// Poll takes completions, after asking the driver if there are none.
func (c *cq) Poll(out []verbs.Completion) int {
	d := c.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	n := c.Take(out)
	if n > 0 || c.closed || d.closed || len(out) == 0 {
		return n
	}
	c.Fill(out)
	d.take(c, len(out))
	d.settle()
	return c.Filled()
}

// take handles up to most completions of the driver's, and tells how many there were.
func (d *Device) take(c *cq, most int) int {
	n, err := c.driver.Poll(c.taken[:min(most, len(c.taken))])
	if err != nil {
		d.overflow(c)
		return 0
	}
	for i := range n {
		d.handle(c, &c.taken[i])
	}
	return n
}

// drain takes all that the driver has.
func (d *Device) drain(c *cq) {
	d.empty(c)
	d.settle()
}

// empty is drain, while queue pairs that have failed wait for their end.
func (d *Device) empty(c *cq) {
	for d.take(c, batch) == batch {
	}
}

// added tells of a completion.
func (c *cq) added(done *verbs.Completion) {
	c.fresh = true
	c.dev.count.completions++
	c.Ring(done)
	if c.sleeping > 0 {
		c.bell.Forward()
	}
}

// slot finds room for a completion of q; when there is none, q cannot go on.
func (c *cq) slot(q *qp) *verbs.Completion {
	done, _ := c.Add()
	if done == nil {
		c.dev.count.completionsLost++
		c.dev.overflow(c)
		c.dev.breaks(q, errOverflow, false)
	}
	return done
}

// overflow reports, once, that a queue has lost completions. Which queue pairs are concerned the driver
// does not say: all that report to it are.
func (d *Device) overflow(c *cq) {
	if c.overrun {
		return
	}
	c.overrun = true
	d.event(verbs.Event{Kind: verbs.CQOverflow, Num: c.num})
	for q := range d.qps {
		if q.sendCQ == c || q.recvCQ == c {
			d.breaks(q, errOverflow, false)
		}
	}
}

// ask has the driver tell of completions that come from now on; what it was asked before holds until then.
func (c *cq) ask(what asked) {
	if c.asked >= what {
		return
	}
	c.asked = what
	if err := c.driver.Arm(what == solicited); err != nil {
		c.dev.overflow(c)
	}
}

// noticed is what the driver tells: something has come since it was asked. It may have been taken since,
// even before the last Arm.
func (c *cq) noticed() {
	d, was := c.dev, c.asked
	c.asked = nothing
	d.drain(c)
	switch {
	case c.fresh:
		c.RingAnyway()
	case c.Armed():
		c.ask(was)
		d.drain(c)
	}
	if c.sleeping > 0 {
		c.bell.Forward()
	}
}

// Arm asks for a call of Notify.
func (c *cq) Arm(picky bool) {
	c.dev.mu.Lock()
	defer c.dev.mu.Unlock()
	if c.closed || c.dev.closed {
		return
	}
	picky = picky && c.dev.caps.Solicited
	c.Completions.Arm(picky)
	c.fresh = false
	if picky {
		c.ask(solicited)
	} else {
		c.ask(anything)
	}
}

// Doorbell is that of the poller.
func (c *cq) Doorbell() int { return c.dev.poll.Doorbell() }

// Wait sleeps until there is a completion.
func (c *cq) Wait(limit int64) bool {
	d := c.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	until := int64(0)
	if limit > 0 {
		until = clock.Now() + limit
	}
	for c.look(limit != 0) {
		left := int64(0)
		if limit == 0 {
			break
		}
		if limit > 0 {
			if left = until - clock.Now(); left <= 0 {
				break
			}
		}
		c.sleeping++
		d.mu.Unlock()
		c.bell.Sleep(left)
		d.mu.Lock()
		c.sleeping--
	}
	if c.sleeping > 0 && (c.Len() > 0 || c.closed || d.closed) {
		c.bell.Forward() // others sleep here, too
	}
	return c.Len() > 0
}

// look tells whether there is a reason to sleep: no completion, and nobody who calls. Before that it asks to be told.
func (c *cq) look(sleep bool) bool {
	if c.Len() > 0 || c.closed || c.dev.closed {
		return false
	}
	c.dev.drain(c)
	if sleep && c.Len() == 0 {
		c.ask(anything)
		c.dev.drain(c)
	}
	return c.Len() == 0 && !(sleep && (c.Rung() || c.woken.Swap(false)))
}

// Wake has a caller of Wait return.
func (c *cq) Wake() {
	c.woken.Store(true)
	c.bell.Forward()
}

// Close gives the queue back.
func (c *cq) Close() error {
	d := c.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mourn()
	switch {
	case c.closed || d.closed:
		return verbs.ErrClosed
	case c.Users > 0:
		return fmt.Errorf("kernel: %w: %d queues report to the completion queue", verbs.ErrBusy, c.Users)
	}
	c.closed = true
	delete(d.cqs, c.driver.ID())
	c.bell.Forward()
	return c.driver.Close()
}
