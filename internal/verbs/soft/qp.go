package soft

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// queue is what the device wants of every queue pair, with the lock held.
type queue interface {
	close()
}

// base is what queue pairs of all types have.
type base struct {
	dev    *Device
	pd     *pd
	num    uint32
	cfg    verbs.QPConfig
	state  verbs.State
	closed bool

	sends  *nic.Sends
	recvs  *nic.Receives // own or shared
	srq    *srq
	sendCQ *cq
	recvCQ *cq

	cutOff []uint64 // receives of messages that were coming when their connection ended

	source   netip.AddrPort // UD, RD: who sent the message that is being received
	sourceQP uint32

	report func(*nic.Sending) // reports the end of a send; kept, because making it would allocate
	fail   func(error)        // moves the queue pair to Error by itself
}

// NewQP makes a queue pair.
func (p *pd) NewQP(cfg verbs.QPConfig) (verbs.QP, error) {
	if err := p.open(); err != nil {
		p.dev.mu.Unlock()
		return nil, err
	}
	defer p.dev.mu.Unlock()
	b := base{dev: p.dev, pd: p, cfg: cfg}
	if err := b.configure(); err != nil {
		return nil, fmt.Errorf("soft: new queue pair: %w", err)
	}
	b.num = p.dev.num()
	var q interface {
		verbs.QP
		queue
	}
	if cfg.Type == verbs.RC {
		q = newRC(b)
	} else {
		q = newDatagramQP(b)
	}
	p.dev.qps[b.num] = q
	p.users++
	b.sendCQ.Users++
	b.recvCQ.Users++
	if b.srq != nil {
		b.srq.Users++
	}
	return q, nil
}

// configure checks the configuration and fills in defaults.
func (b *base) configure() error {
	cfg := &b.cfg
	var ok bool
	if b.sendCQ, ok = cfg.SendCQ.(*cq); !ok || b.sendCQ.dev != b.dev || b.sendCQ.closed {
		return fmt.Errorf("%w: SendCQ is not an open completion queue of this device", verbs.ErrArgument)
	}
	if b.recvCQ, ok = cfg.RecvCQ.(*cq); !ok || b.recvCQ.dev != b.dev || b.recvCQ.closed {
		return fmt.Errorf("%w: RecvCQ is not an open completion queue of this device", verbs.ErrArgument)
	}
	if cfg.SRQ != nil {
		if b.srq, ok = cfg.SRQ.(*srq); !ok || b.srq.pd != b.pd || b.srq.closed {
			return fmt.Errorf("%w: SRQ is not an open queue of this protection domain", verbs.ErrArgument)
		}
	}
	if cfg.Type != verbs.RC && cfg.Type != verbs.UD && cfg.Type != verbs.RD {
		return fmt.Errorf("%w: %v", verbs.ErrArgument, cfg.Type)
	}
	if err := nic.Configure(cfg, b.dev.Caps(), len(b.dev.rails)); err != nil {
		return err
	}
	b.sends = nic.NewSends(cfg)
	b.recvs = nic.NewReceives(cfg.RecvDepth, cfg.RecvSGE)
	if b.srq != nil {
		b.recvs = b.srq.Receives
	}
	return nil
}

func (b *base) Num() uint32      { return b.num }
func (b *base) Type() verbs.Type { return b.cfg.Type }

// State is the state now.
func (b *base) State() verbs.State {
	b.dev.mu.Lock()
	defer b.dev.mu.Unlock()
	return b.state
}

// usable tells whether calls can be made, with the lock held.
func (b *base) usable() error {
	if b.closed || b.dev.closed {
		return verbs.ErrClosed
	}
	return nil
}

// postable tells whether sends can be posted.
func (b *base) postable() error {
	if err := b.usable(); err != nil {
		return err
	}
	if b.state != verbs.RTS && b.state != verbs.Error {
		return nic.StateErrors[b.state]
	}
	return nil
}

// postRecv adds receives.
func (b *base) postRecv(wrs []verbs.RecvWR) (int, error) {
	if err := b.usable(); err != nil {
		return 0, err
	}
	if b.srq != nil {
		return 0, fmt.Errorf("%w: the queue pair shares a receive queue; post there", verbs.ErrArgument)
	}
	if b.state == verbs.Reset {
		return 0, nic.StateErrors[b.state]
	}
	for i := range wrs {
		if err := b.recvs.Post(&b.dev.regions, b.pd.num, &wrs[i]); err != nil {
			return i, err
		}
	}
	if b.state == verbs.Error {
		b.flushReceives()
	}
	return len(wrs), nil
}

// sent reports the end of a send.
func (b *base) sent(s *nic.Sending) {
	c := b.slot(b.sendCQ)
	if c == nil {
		return
	}
	c.ID, c.QP, c.Op, c.Status = s.WR.ID, b.num, s.WR.Op, s.Status
	if s.Status == verbs.OK {
		c.Len = s.Len
	}
	b.sendCQ.added(c)
}

// slot finds room for a completion; when there is none the queue pair cannot go on.
func (b *base) slot(to *cq) *verbs.Completion {
	c, first := to.Add()
	if c != nil {
		return c
	}
	b.dev.count.completionsLost++
	if first {
		b.dev.event(verbs.Event{Kind: verbs.CQOverflow, Num: to.num})
	}
	if b.state != verbs.Error {
		b.fail(errOverflow)
	}
	return nil
}

var errOverflow = errors.New("the completion queue overflowed")

// take removes a receive; it raises the event of the watermark.
func (b *base) take(r *nic.Receive) bool {
	ok, low := b.recvs.Take(r)
	if low {
		b.dev.event(verbs.Event{Kind: verbs.SRQLimit, Num: b.srq.num})
	}
	return ok
}

// failedReceive reports a receive that ended without success.
func (b *base) failedReceive(id uint64, status verbs.Status) {
	if c := b.slot(b.recvCQ); c != nil {
		c.ID, c.QP, c.Op, c.Status = id, b.num, verbs.Recv, status
		b.recvCQ.added(c)
	}
}

// flushReceives ends all receives of the own queue, those taken by half messages first.
func (b *base) flushReceives() {
	for _, id := range b.cutOff {
		b.failedReceive(id, verbs.Flushed)
	}
	b.cutOff = nil
	if b.srq != nil {
		return
	}
	var r nic.Receive
	for b.take(&r) {
		b.failedReceive(r.ID, verbs.Flushed)
	}
}

// flush ends all work, sends first.
func (b *base) flush() {
	b.sends.Flush()
	b.sends.Retire(b.report)
	b.flushReceives()
}

// release gives back what the queue pair holds of other objects.
func (b *base) release() {
	b.closed = true
	delete(b.dev.qps, b.num)
	b.pd.users--
	b.sendCQ.Users--
	b.recvCQ.Users--
	if b.srq != nil {
		b.srq.Users--
	}
}

// checkMessage says what is wrong with a work request that no region check finds.
func (b *base) checkMessage(wr *verbs.SendWR) error {
	switch wr.Op {
	case verbs.Send, verbs.SendInvalidate, verbs.Write, verbs.WriteImm, verbs.WriteRecord:
		return nil
	case verbs.Read:
		if wr.Flags&verbs.Inline != 0 {
			return errInlineRead
		}
		return nil
	case verbs.FetchAdd, verbs.CompareSwap:
		n := 0
		for i := range wr.SGL {
			n += len(wr.SGL[i].Buf)
		}
		if n != 8 || wr.Flags&verbs.Inline != 0 {
			return errAtomicSize
		}
		return nil
	}
	return errOp
}

var (
	errInlineRead = fmt.Errorf("%w: what brings bytes here cannot be inline", verbs.ErrArgument)
	errAtomicSize = fmt.Errorf("%w: an atomic operation answers with exactly 8 bytes, not inline", verbs.ErrArgument)
	errOp         = fmt.Errorf("%w: no operation of a send queue", verbs.ErrArgument)
	errType       = fmt.Errorf("%w: not with this type of queue pair", verbs.ErrUnsupported)
)

// Attach is for UD.
func (b *base) Attach(netip.AddrPort) error { return errType }

// Detach is for UD.
func (b *base) Detach(netip.AddrPort) error { return errType }

// Connect is for RC.
func (b *base) Connect(netip.AddrPort, []byte) error { return errType }

// Disconnect is for RC.
func (b *base) Disconnect() error { return errType }

// Place is for RC.
func (b *base) Place(int, []byte) bool { return false }

// clearReceives forgets the receives of the own queue.
func (b *base) clearReceives() {
	b.cutOff = nil
	if b.srq == nil {
		b.recvs = nic.NewReceives(b.cfg.RecvDepth, b.cfg.RecvSGE)
	}
}
