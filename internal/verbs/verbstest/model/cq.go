package model

import (
	"fmt"
	syncatomic "sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// entry is a completion and whose send-queue slots its polling gives back.
type entry struct {
	c    verbs.Completion
	of   *qp
	upTo uint64
}

type cq struct {
	d           *device
	num         uint32
	notify      func()
	rung        func() bool
	ring        []entry
	first, used int
	uses        int

	armed, solicited, over, gone bool
	woken                        syncatomic.Bool
}

func (c *cq) Num() uint32 { return c.num }

// add puts a completion into the queue, or breaks its queue pair if there is no room.
func (c *cq) add(e entry) {
	h := &c.d.f.hooks
	if h.Complete != nil {
		c := e.c
		if !h.Complete(&c) {
			return
		}
		e.c = c
	}
	if c.used == len(c.ring) {
		if !c.over {
			c.over = true
			c.d.event(verbs.Event{Kind: verbs.CQOverflow, Num: c.num})
		}
		e.of.fail(fmt.Errorf("completion queue %d is full", c.num))
		return
	}
	last := (c.first + c.used) % len(c.ring)
	c.ring[last] = e
	if before := (last + len(c.ring) - 1) % len(c.ring); h.Reorder != nil && c.used > 0 && h.Reorder() {
		c.ring[last], c.ring[before] = c.ring[before], c.ring[last]
	}
	c.used++
	c.d.f.moved.Broadcast()
	if c.armed && (!c.solicited || e.c.Marks&verbs.WasSolicited != 0 || e.c.Status != verbs.OK) {
		c.armed = false
		if c.notify != nil && (h.Notify == nil || h.Notify()) {
			c.notify()
		}
	}
}

func (c *cq) Poll(out []verbs.Completion) int {
	c.d.f.mu.Lock()
	n := min(len(out), c.used)
	for i := range n {
		e := &c.ring[c.first]
		out[i] = e.c
		e.of.freed = max(e.of.freed, e.upTo)
		c.first = (c.first + 1) % len(c.ring)
	}
	c.used -= n
	c.d.f.mu.Unlock()
	return n
}

func (c *cq) Arm(solicited bool) {
	c.d.f.mu.Lock()
	defer c.d.f.mu.Unlock()
	c.armed, c.solicited = true, solicited
}

func (c *cq) Wait(limit int64) bool {
	c.d.f.mu.Lock()
	defer c.d.f.mu.Unlock()
	late := false
	if limit >= 0 {
		timer := time.AfterFunc(time.Duration(limit), func() {
			c.d.f.mu.Lock()
			defer c.d.f.mu.Unlock()
			late = true
			c.d.f.moved.Broadcast()
		})
		defer timer.Stop()
	}
	for c.used == 0 && !late && !c.d.closed && !c.woken.Load() && !c.rung() {
		c.d.f.moved.Wait()
	}
	c.woken.Store(false)
	return c.used > 0
}

func (c *cq) Doorbell() int { return -1 }

// Wake has a caller of Wait return.
func (c *cq) Wake() {
	c.woken.Store(true)
	go func() { // not here: the caller may be a callback of ours, and hold the lock
		c.d.f.mu.Lock()
		defer c.d.f.mu.Unlock()
		c.d.f.moved.Broadcast()
	}()
}

func (c *cq) Close() error {
	c.d.f.mu.Lock()
	defer c.d.f.mu.Unlock()
	if c.uses > 0 {
		return fmt.Errorf("completion queue, %d times: %w", c.uses, verbs.ErrBusy)
	}
	c.gone = true
	return nil
}

// queue holds receives in order.
type queue struct {
	ring        []verbs.RecvWR
	first, used int
}

// newQueue makes room for depth receives with lists of up to sges entries.
func newQueue(depth, sges int) queue {
	q := queue{ring: make([]verbs.RecvWR, depth)}
	for i := range q.ring {
		q.ring[i].SGL = make([]verbs.SGE, 0, max(1, sges))
	}
	return q
}

// post adds receives of domain p with lists of up to sges entries.
func (q *queue) post(p *pd, wrs []verbs.RecvWR, sges int) (int, error) {
	for i := range wrs {
		full := q.used == len(q.ring)
		if h := p.d.f.hooks.Full; h != nil {
			full = h(full)
		}
		if full {
			return i, verbs.ErrFull
		}
		if err := p.receive(&wrs[i], sges); err != nil {
			return i, err
		}
		slot := &q.ring[(q.first+q.used)%len(q.ring)]
		slot.ID, slot.SGL = wrs[i].ID, append(slot.SGL[:0], wrs[i].SGL...)
		q.used++
	}
	return len(wrs), nil
}

// take gives the oldest receive, until the next post.
func (q *queue) take() *verbs.RecvWR {
	slot := &q.ring[q.first]
	q.first = (q.first + 1) % len(q.ring)
	q.used--
	return slot
}

// srq is a receive queue that queue pairs share.
type srq struct {
	p     *pd
	num   uint32
	sges  int
	low   int
	uses  int
	queue queue
}

func (p *pd) NewSRQ(cfg verbs.SRQConfig) (verbs.SRQ, error) {
	p.d.f.mu.Lock()
	defer p.d.f.mu.Unlock()
	if cfg.Depth <= 0 || cfg.MaxSGE < 0 || cfg.MaxSGE > 8 {
		return nil, fmt.Errorf("a shared receive queue of %+v: %w", cfg, verbs.ErrArgument)
	}
	if err := p.usable(); err != nil {
		return nil, err
	}
	p.uses++
	return &srq{p: p, num: p.d.f.number(), sges: max(1, cfg.MaxSGE), queue: newQueue(cfg.Depth, cfg.MaxSGE)}, nil
}

func (s *srq) Num() uint32 { return s.num }

func (s *srq) Len() int {
	s.p.d.f.mu.Lock()
	defer s.p.d.f.mu.Unlock()
	return s.queue.used
}

func (s *srq) PostRecv(wrs []verbs.RecvWR) (int, error) {
	s.p.d.f.mu.Lock()
	defer s.p.d.f.mu.Unlock()
	if s.p.d.closed {
		return 0, verbs.ErrClosed
	}
	n, err := s.queue.post(s.p, wrs, s.sges)
	s.p.d.f.kick()
	return n, err
}

func (s *srq) Limit(low int) error {
	s.p.d.f.mu.Lock()
	defer s.p.d.f.mu.Unlock()
	s.low = low
	s.watch()
	return nil
}

// watch reports when the queue has fallen below its limit, once.
func (s *srq) watch() {
	if s.queue.used < s.low {
		s.low = 0
		s.p.d.event(verbs.Event{Kind: verbs.SRQLimit, Num: s.num})
	}
}

func (s *srq) Close() error {
	s.p.d.f.mu.Lock()
	defer s.p.d.f.mu.Unlock()
	if s.uses > 0 {
		return fmt.Errorf("shared receive queue, %d times: %w", s.uses, verbs.ErrBusy)
	}
	s.p.uses--
	return nil
}

// receive checks a receive.
func (p *pd) receive(w *verbs.RecvWR, sges int) error {
	if len(w.SGL) > sges {
		return fmt.Errorf("a list of %d: %w", len(w.SGL), verbs.ErrArgument)
	}
	return p.local(w.SGL, true)
}
