package nic

import "github.com/weft-mpi/weft/internal/verbs"

// Completions is a completion queue.
type Completions struct {
	ring    ring[verbs.Completion]
	out     []verbs.Completion // of whoever polls, who gets what comes meanwhile at once
	filled  int                // of that
	notify  func()
	rung    func() bool // nil: never
	armed   bool
	picky   bool // armed for solicited completions only
	overrun bool
	lost    uint64
	Users   int // queue pairs that report here
}

// NewCompletions makes a queue; the caller has checked the configuration.
func NewCompletions(cfg verbs.CQConfig) *Completions {
	return &Completions{ring: ring[verbs.Completion]{limit: cfg.Depth}, notify: cfg.Notify, rung: cfg.Rung}
}

// Len is how many completions wait to be polled.
func (c *Completions) Len() int { return c.ring.n }

// Rung tells that whoever waits for a completion has something else to do.
func (c *Completions) Rung() bool { return c.rung != nil && c.rung() }

// Lost is how many completions found the queue full.
func (c *Completions) Lost() uint64 { return c.lost }

// Add returns the slot for a new completion, cleared, or nil if the queue is full; first tells that it has just
// become so for the first time. Ring must be called when the slot is filled.
func (c *Completions) Add() (slot *verbs.Completion, first bool) {
	if c.filled < len(c.out) {
		slot = &c.out[c.filled]
		c.filled++
		*slot = verbs.Completion{}
		return slot, false
	}
	if c.ring.full() {
		c.lost++
		first, c.overrun = !c.overrun, true
		return nil, first
	}
	slot = c.ring.push()
	*slot = verbs.Completion{}
	return slot, false
}

// Ring wakes whoever armed the queue, if this completion is of the kind it waits for.
func (c *Completions) Ring(done *verbs.Completion) {
	if !c.armed || c.picky && done.Marks&verbs.WasSolicited == 0 && done.Status == verbs.OK {
		return
	}
	c.RingAnyway()
}

// RingAnyway wakes whoever armed the queue.
func (c *Completions) RingAnyway() {
	if !c.armed {
		return
	}
	c.armed = false
	if c.notify != nil {
		c.notify()
	}
}

// Arm asks for one notification.
func (c *Completions) Arm(solicited bool) { c.armed, c.picky = true, solicited }

// Armed tells whether somebody waits for a ring.
func (c *Completions) Armed() bool { return c.armed }

// Fill has completions that are added from now on go straight to out, as far as it reaches: nothing
// waits in the queue. Filled ends that, and tells how many did.
func (c *Completions) Fill(out []verbs.Completion) { c.out, c.filled = out, 0 }

// Filled is how many completions went to where Fill said.
func (c *Completions) Filled() int {
	n := c.filled
	c.out, c.filled = nil, 0
	return n
}

// Take moves up to len(out) completions, oldest first.
func (c *Completions) Take(out []verbs.Completion) int {
	n := min(len(out), c.ring.n)
	for i := range n {
		out[i] = *c.ring.at(0)
		c.ring.drop()
	}
	return n
}
