package kernel

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// srq is a shared receive queue. Receives of several queue pairs complete in any order, so each has a slot.
type srq struct {
	dev     *Device
	pd      *pd
	driver  ibv.SRQ
	num     uint32
	users   int
	closed  bool
	pieces  int
	slots   []nic.Receive
	open    []bool
	free    []uint32
	kind    verbs.Type // of its queue pairs; 0 before there are any
	waiting []uint32   // slots that the driver has not got yet, since the kind is not known
	headers *headers   // of UD
	in      *ibv.RecvWR
	list    []ibv.SGE
}

// NewSRQ makes a shared receive queue.
func (p *pd) NewSRQ(cfg verbs.SRQConfig) (verbs.SRQ, error) {
	d := p.dev
	cfg.MaxSGE = cmp.Or(cfg.MaxSGE, 1)
	switch {
	case !d.caps.SRQ:
		return nil, fmt.Errorf("kernel: %w: shared receive queues", verbs.ErrUnsupported)
	case cfg.Depth < 1 || cfg.Depth > d.caps.MaxDepth || cfg.MaxSGE < 1 || cfg.MaxSGE > d.caps.MaxSGE:
		return nil, fmt.Errorf("kernel: %w: shared receive queue of depth %d with lists of %d, possible are %d and %d", verbs.ErrArgument,
			cfg.Depth, cfg.MaxSGE, d.caps.MaxDepth, d.caps.MaxSGE)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := p.usable(); err != nil {
		return nil, err
	}
	driver, err := p.driver.NewSRQ(cfg.Depth, cfg.MaxSGE+p.dev.headerPieces())
	if err != nil {
		return nil, fmt.Errorf("kernel: make a shared receive queue: %w", full(err))
	}
	s := &srq{dev: d, pd: p, driver: driver, num: d.num(), pieces: cfg.MaxSGE, slots: make([]nic.Receive, cfg.Depth), open: make([]bool, cfg.Depth),
		in: new(ibv.RecvWR), list: make([]ibv.SGE, 0, cfg.MaxSGE+udPieces)}
	for i := range cfg.Depth {
		s.free = append(s.free, uint32(cfg.Depth-1-i))
	}
	d.srqs[driver.ID()] = s
	p.users++
	return s, nil
}

// headerPieces is how many pieces a receive of a shared queue may need besides the program's.
func (d *Device) headerPieces() int {
	if d.caps.UD {
		return udPieces
	}
	return 0
}

// Num is the queue's number.
func (s *srq) Num() uint32 { return s.num }

// PostRecv adds receives.
func (s *srq) PostRecv(wrs []verbs.RecvWR) (int, error) {
	d := s.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.closed || d.closed {
		return 0, verbs.ErrClosed
	}
	for i := range wrs {
		if err := s.post(&wrs[i]); err != nil {
			return i, err
		}
	}
	return len(wrs), nil
}

var errTooManyPieces = fmt.Errorf("%w: more scatter entries than the queue was made for", verbs.ErrArgument)

func (s *srq) post(wr *verbs.RecvWR) error {
	if len(wr.SGL) > s.pieces {
		return errTooManyPieces
	}
	if len(s.free) == 0 {
		return verbs.ErrFull
	}
	if err := s.dev.regions.LocalList(s.pd.num, wr.SGL, true); err != nil {
		return err
	}
	slot := s.free[len(s.free)-1]
	r := &s.slots[slot]
	r.ID, r.SGL, r.Len = wr.ID, append(r.SGL[:0], wr.SGL...), 0
	for i := range r.SGL {
		r.Len += len(r.SGL[i].Buf)
	}
	if s.kind == 0 {
		s.waiting = append(s.waiting, slot)
	} else if err := s.hand(slot); err != nil {
		return refused(err)
	}
	s.free = s.free[:len(s.free)-1]
	s.open[slot] = true
	s.dev.count.receives++
	return nil
}

// take removes the receive in a slot into out, whose former list it keeps.
func (s *srq) take(slot uint32, out *nic.Receive) bool {
	if int(slot) >= len(s.slots) || !s.open[slot] {
		return false
	}
	clear(out.SGL)
	r := &s.slots[slot]
	out.ID, out.Len, out.SGL, r.SGL = r.ID, r.Len, r.SGL, out.SGL[:0]
	s.open[slot] = false
	s.free = append(s.free, slot)
	return true
}

// left is how many receives wait.
func (s *srq) left() int { return len(s.slots) - len(s.free) }

// Len is how many receives wait.
func (s *srq) Len() int {
	s.dev.mu.Lock()
	defer s.dev.mu.Unlock()
	return s.left()
}

// Limit asks the driver for an event. It tells only of receives that are used from now on, so what it has
// used is counted first.
func (s *srq) Limit(low int) error {
	d := s.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case s.closed || d.closed:
		return verbs.ErrClosed
	case low < 0:
		return fmt.Errorf("kernel: %w: limit %d", verbs.ErrArgument, low)
	}
	for q := range d.qps {
		if q.srq == s {
			d.empty(q.recvCQ)
		}
	}
	d.settle()
	if low > s.left() {
		d.event(verbs.Event{Kind: verbs.SRQLimit, Num: s.num})
		low = 0
	}
	if err := s.driver.Limit(low); err != nil {
		return fmt.Errorf("kernel: limit %d of a shared receive queue: %w", low, err)
	}
	return nil
}

// Close gives the queue back.
func (s *srq) Close() error {
	d := s.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mourn()
	switch {
	case s.closed || d.closed:
		return verbs.ErrClosed
	case s.users > 0:
		return fmt.Errorf("kernel: %w: %d queue pairs share the receive queue", verbs.ErrBusy, s.users)
	}
	s.closed = true
	delete(d.srqs, s.driver.ID())
	s.pd.users--
	return errors.Join(s.driver.Close(), s.headers.close())
}
