package sim

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// cq is a completion queue.
type cq struct {
	*nic.Completions
	d       *Device
	num     uint32
	closed  bool
	woken   bool   // Wake came while nobody waited
	wakes   uint64 // Wake came while somebody did
	waiters []*clock.Task
	why     func() string
	agenda  agenda

	borrow   bool      // who polls gets messages where they are
	placeMin int       // and is told of the beginning of those that are as long; 0: of none
	lent     []*packet // to whoever polls
	waiting  []*qp     // whose inboxes are not empty, in the order in which they became so
	watched  bool      // takeUnasked is going to be called
}

// NewCQ makes a completion queue.
func (d *Device) NewCQ(cfg verbs.CQConfig) (verbs.CQ, error) {
	switch {
	case d.dead():
		return nil, verbs.ErrClosed
	case cfg.Depth < 1 || cfg.Depth > maxDepth*64:
		return nil, fmt.Errorf("sim: %w: completion queue of depth %d", verbs.ErrArgument, cfg.Depth)
	}
	c := &cq{Completions: nic.NewCompletions(cfg), d: d, num: d.f.next()}
	if d.f.cluster.Asks > 0 {
		c.borrow, c.placeMin = cfg.Borrow, cfg.PlaceMin
	}
	c.why = c.describe
	d.cqs = append(d.cqs, c)
	return c, nil
}

func (c *cq) describe() string { return fmt.Sprintf("waits at completion queue %d", c.num) }

func (c *cq) Num() uint32 { return c.num }

// Poll takes completions, once everything has happened that brings one until now. Looking takes time, so
// that who polls in a loop gets on.
func (c *cq) Poll(out []verbs.Completion) int {
	f := c.d.f
	if !c.foresees() {
		f.s.Settle()
	}
	n := c.Take(out)
	if n == 0 && c.Len() == 0 {
		c.takeBack()
		if len(c.waiting) > 0 {
			c.takeIn(true)
			n = c.Take(out)
		}
	}
	f.s.Charge(f.cost.poll.get() * int64(max(n, 1)))
	if f.cost.stream.get() > 0 || f.cost.datagram.get() > 0 {
		for i := range out[:n] {
			f.s.Charge(f.cost.protocol(&out[i]))
		}
	}
	return n
}

// protocol is what it costs the receiving host to have received something, where hosts do the protocol.
func (c *costs) protocol(done *verbs.Completion) int64 {
	switch {
	case done.Status != verbs.OK || done.Op != verbs.Recv && done.Op != verbs.RecvImm && done.Op != verbs.Read:
		return 0
	case done.Src.IsValid():
		return c.datagram.get() + c.datagramByte.get().of(done.Len)
	}
	return c.stream.get() + c.streamByte.get().of(done.Len)
}

// Arm asks for a call of Notify.
func (c *cq) Arm(solicited bool) {
	c.d.f.s.Settle()
	c.Completions.Arm(solicited)
}

// Wait waits for a completion. Somebody that runs outside of the scheduler's tasks cannot wait.
func (c *cq) Wait(limit int64) bool {
	s := c.d.f.s
	s.Settle()
	t := s.Current()
	if t == nil || limit == 0 {
		return c.Len() > 0
	}
	if c.woken {
		c.woken = false
		return c.Len() > 0
	}
	wakes, deadline := c.wakes, s.Now()+limit
	for c.Len() == 0 && !c.closed && !c.d.dead() && c.wakes == wakes && !c.Rung() {
		if c.takeIn(false); len(c.waiting) > 0 || c.Len() > 0 { // he has to be asked
			break
		}
		left := int64(0)
		if limit > 0 {
			if left = deadline - s.Now(); left <= 0 {
				break
			}
		}
		c.waiters = append(c.waiters, t)
		s.Wait(left, c.why)
		c.waiters = without(c.waiters, t)
	}
	return c.Len() > 0
}

// Doorbell is none.
func (c *cq) Doorbell() int { return -1 }

// Wake has all callers of Wait return, or else the next one.
func (c *cq) Wake() {
	c.woken = len(c.waiters) == 0
	c.disturb()
}

// disturb has all callers of Wait return that wait now.
func (c *cq) disturb() {
	c.wakes++
	c.stir()
}

// stir has callers of Wait look again.
func (c *cq) stir() {
	for _, t := range c.waiters {
		t.Wake()
	}
}

// add puts a completion of q into the queue; if there is no room for it, q fails.
func (c *cq) add(q *qp, done verbs.Completion) {
	slot, first := c.Add()
	if slot == nil {
		if first {
			c.d.event(verbs.Event{Kind: verbs.CQOverflow, Num: c.num})
		}
		q.fail(fmt.Errorf("sim: completion queue %d is full", c.num))
		return
	}
	*slot = done
	c.Ring(slot)
	c.stir()
}

// Close gives the queue back.
func (c *cq) Close() error {
	switch {
	case c.closed || c.d.dead():
		return verbs.ErrClosed
	case c.Users > 0:
		return fmt.Errorf("sim: %w: %d queues report to the completion queue", verbs.ErrBusy, c.Users)
	}
	c.closed = true
	c.d.cqs = without(c.d.cqs, c)
	c.stir()
	return nil
}
