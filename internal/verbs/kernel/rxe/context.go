package rxe

import (
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// Vendor is how rxe calls itself in ibv.DeviceAttr.
const Vendor = 0xffffff

// System is what the driver below tells besides of its objects.
type System interface {
	// Mapped runs f, which makes an object of the driver's, and gives the memory that the kernel has shared with the process
	// meanwhile, in the order in which the kernel has made it. It lasts as long as the object.
	Mapped(f func() error) ([][]byte, error)
	// Bell makes what has the kernel look at the send queue of a queue pair.
	Bell(qp ibv.QP) Bell
}

// Bell has the kernel look at a send queue.
type Bell interface{ Ring() error }

// context is a device whose queues are worked on directly.
type context struct {
	ibv.Context
	sys System
}

// Wrap works on the queues of a device of rxe directly.
func Wrap(ctx ibv.Context, sys System) ibv.Context { return &context{ctx, sys} }

// NewPD makes a protection domain.
func (c *context) NewPD() (ibv.PD, error) {
	pd, err := c.Context.NewPD()
	if err != nil {
		return nil, err
	}
	return &domain{pd, c.sys}, nil
}

// NewCQ makes a completion queue.
func (c *context) NewCQ(depth int) (ibv.CQ, error) {
	q := new(completions)
	memory, err := c.sys.Mapped(func() (err error) {
		q.CQ, err = c.Context.NewCQ(depth)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(memory) == 1 {
		q.queue, q.direct = newQueue(memory[0], wcSize, false)
	}
	return q, nil
}

// completions is a completion queue.
type completions struct {
	ibv.CQ
	queue  queue
	direct bool
}

// Poll takes completions.
func (c *completions) Poll(out []ibv.WC) (int, error) {
	if !c.direct {
		return c.CQ.Poll(out)
	}
	return c.queue.poll(out)
}

// domain is a protection domain.
type domain struct {
	ibv.PD
	sys System
}

// NewSRQ makes a shared receive queue.
func (d *domain) NewSRQ(depth, pieces int) (ibv.SRQ, error) {
	s := new(shared)
	memory, err := d.sys.Mapped(func() (err error) {
		s.SRQ, err = d.PD.NewSRQ(depth, pieces)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(memory) == 1 {
		s.queue.queue, s.direct = newQueue(memory[0], recvPieces, true)
	}
	return s, nil
}

// shared is a shared receive queue.
type shared struct {
	ibv.SRQ
	queue  recvQueue
	direct bool
}

// PostRecv adds a receive.
func (s *shared) PostRecv(wr *ibv.RecvWR) error {
	if !s.direct {
		return s.SRQ.PostRecv(wr)
	}
	return s.queue.post(wr)
}

// NewQP makes a queue pair. Of one of type UD, the library posts what is sent.
func (d *domain) NewQP(init *ibv.QPInit, send, recv ibv.CQ, srq ibv.SRQ) (ibv.QP, error) {
	q := new(pair)
	below := ibv.SRQ(nil)
	if srq != nil {
		below = srq.(*shared).SRQ
	}
	memory, err := d.sys.Mapped(func() (err error) {
		q.QP, err = d.PD.NewQP(init, send.(*completions).CQ, recv.(*completions).CQ, below)
		return err
	})
	if err != nil {
		return nil, err
	}
	// The send queue is made first, and a receive queue only where none is shared.
	if want := map[bool]int{false: 2, true: 1}[srq != nil]; len(memory) != want {
		return q, nil
	}
	if srq == nil {
		q.recvs.queue, q.receives = newQueue(memory[1], recvPieces, true)
	}
	if init.Type == ibv.RC {
		if q.sends.queue, q.sending = newQueue(memory[0], sendPieces, true); q.sending {
			q.bell = d.sys.Bell(q.QP)
		}
	}
	return q, nil
}

// pair is a queue pair.
type pair struct {
	ibv.QP
	sends    sendQueue
	recvs    recvQueue
	bell     Bell
	sending  bool // directly
	receives bool // likewise
}

// PostSend adds a send.
func (q *pair) PostSend(wr *ibv.SendWR) error {
	if !q.sending {
		return q.QP.PostSend(wr)
	}
	if err := q.sends.post(wr); err != nil {
		return err
	}
	return q.bell.Ring()
}

// PostRecv adds a receive.
func (q *pair) PostRecv(wr *ibv.RecvWR) error {
	if !q.receives {
		return q.QP.PostRecv(wr)
	}
	return q.recvs.post(wr)
}
