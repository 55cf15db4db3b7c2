package soft

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// cq is a completion queue.
type cq struct {
	*nic.Completions
	dev    *Device
	num    uint32
	closed bool

	woken    atomic.Bool // somebody wants a caller of Wait back
	sleeping int         // callers of Wait that sleep at the bell
	borrow   bool        // who polls gets messages where they are
	placeMin int         // and is told of the beginning of those that are as long; 0: of none
	lent     room        // to whoever polls
	bell     *clock.Bell // for those who cannot sleep on the sockets, because somebody else does
}

// NewCQ makes a completion queue.
func (d *Device) NewCQ(cfg verbs.CQConfig) (verbs.CQ, error) {
	if cfg.Depth < 1 || cfg.Depth > maxDepth*64 {
		return nil, fmt.Errorf("soft: %w: completion queue of depth %d", verbs.ErrArgument, cfg.Depth)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, verbs.ErrClosed
	}
	c := &cq{Completions: nic.NewCompletions(cfg), dev: d, num: d.num(), bell: clock.NewBell(), borrow: cfg.Borrow, placeMin: cfg.PlaceMin}
	d.cqs[c] = true
	return c, nil
}

// Num is the queue's number.
func (c *cq) Num() uint32 { return c.num }

// Poll takes completions, after looking for traffic if there are none. The look that follows Arm leaves the device to
// itself: the caller is about to go.
func (c *cq) Poll(out []verbs.Completion) int {
	d := c.dev
	d.mu.Lock()
	n := c.Take(out)
	if n == 0 && c.Len() == 0 && !d.closed {
		c.look(out)
		n = c.Filled()
	}
	d.mu.Unlock()
	return n
}

// look has the device look for traffic, for whoever polls the queue, who is done with what he got before.
func (c *cq) look(out []verbs.Completion) {
	d := c.dev
	c.Fill(out)
	d.polling = c
	if len(d.waiting) > 0 {
		c.goOn()
	}
	c.takeBack()
	if d.calm(c) {
		d.glance()
	} else {
		if !c.Armed() {
			d.attend()
		}
		d.drive()
	}
	d.polling = nil
}

// Arm asks for a call of Notify and leaves the device to itself.
func (c *cq) Arm(solicited bool) {
	c.dev.mu.Lock()
	c.Completions.Arm(solicited)
	c.dev.pumpDeferred()
	c.dev.attach()
	c.dev.mu.Unlock()
	c.dev.leave()
}

// Doorbell is that of the poller.
func (c *cq) Doorbell() int { return c.dev.poll.Doorbell() }

// Wait sleeps until there is a completion.
func (c *cq) Wait(limit int64) bool {
	d := c.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.Len() == 0 && !d.closed {
		d.attend()
		if len(d.waiting) > 0 {
			c.goOn()
		}
		if limit == 0 { // else the poller tells whether there is something
			d.drive()
		}
	}
	if c.Len() > 0 || limit == 0 || d.closed {
		return c.Len() > 0
	}
	d.waiters.Add(1)
	d.pumpDeferred()
	d.attach()
	c.sleep(limit)
	d.attend()
	d.leaveWait()
	return c.Len() > 0
}

// sleep waits with the lock given up meanwhile. One sleeper at a time sleeps on the sockets and drives the device;
// the others sleep at the bells of their queues, and the next of them takes over when it leaves.
func (c *cq) sleep(limit int64) {
	d := c.dev
	deadline := int64(-1)
	if limit > 0 {
		deadline = clock.Now() + limit
	}
	var some [8]socket.Event
	for c.Len() == 0 && !d.closed && !c.closed && !c.Rung() && !c.woken.Swap(false) {
		left := int64(-1)
		if deadline >= 0 {
			if left = deadline - clock.Now(); left <= 0 {
				break
			}
		}
		if d.inPoller != nil {
			c.sleeping++
			c.bell.Arm()
			d.mu.Unlock()
			c.bell.Sleep(left)
			d.mu.Lock()
			c.sleeping--
			continue
		}
		d.inPoller, d.waitsTo = c, math.MaxInt64
		wait := left
		if at := d.timers.next(); at != 0 {
			d.waitsTo = at
			until := max(at-clock.Now(), 1)
			if wait < 0 || until < wait {
				wait = until
			}
		}
		d.mu.Unlock()
		n, err := d.poll.Wait(some[:], wait)
		d.mu.Lock()
		d.inPoller = nil
		if err != nil {
			break
		}
		d.serveEvents(some[:n])
		if at := d.timers.next(); at != 0 {
			d.timers.run(clock.Now())
		}
	}
	d.passOn()
}

// Wake has a caller of Wait return.
func (c *cq) Wake() {
	c.woken.Store(true)
	c.dev.poll.Wake()
	c.bell.Forward()
}

// passOn lets another sleeper sleep on the sockets.
func (d *Device) passOn() {
	if d.inPoller != nil {
		return
	}
	for c := range d.cqs {
		if c.sleeping > 0 {
			c.bell.Forward()
			return
		}
	}
}

// added wakes those who wait for a completion of this queue.
func (c *cq) added(done *verbs.Completion) {
	c.Ring(done)
	c.rouse()
}

// beckon has whoever polls this queue, or waits for a completion, poll: he has to be asked something.
func (c *cq) beckon() {
	c.RingAnyway()
	c.woken.Store(true)
	c.rouse()
}

// rouse wakes those who sleep in Wait.
func (c *cq) rouse() {
	if c.sleeping > 0 {
		c.bell.Forward()
	}
	if c.dev.inPoller == c {
		c.dev.poll.Wake()
	}
}

// Close gives the queue back.
func (c *cq) Close() error {
	d := c.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case c.closed || d.closed:
		return verbs.ErrClosed
	case c.Users > 0:
		return fmt.Errorf("soft: %w: %d queues report to the completion queue", verbs.ErrBusy, c.Users)
	}
	c.closed = true
	delete(d.cqs, c)
	c.bell.Forward()
	d.poll.Wake()
	return nil
}
