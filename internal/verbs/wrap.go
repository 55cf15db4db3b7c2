package verbs

import (
	"fmt"
	"iter"
)

// A wrapping device looks at, or interferes with, what crosses the seam, and leaves the rest to the device inside.
// wrapDevice and its objects do the wrapping once for all of them: they take their own queues and queue pairs apart
// before they are passed on, refuse those of others, and ask their layer where something interesting happens.
// Address handles, listeners and the addresses in completions are the inner device's own.

// layer is what one kind of wrapping device does. A layer embeds passLayer and has its say where it wants. The
// methods are called without any lock and from any goroutine.
type layer interface {
	postSend(q *wrapQP, wrs []SendWR) (int, error)
	postRecv(r receiver, wrs []RecvWR) (int, error)
	modify(q *wrapQP, to State) error
	poll(c *wrapCQ, out []Completion) int
	arm(c *wrapCQ, solicited bool)
	wait(c *wrapCQ, limit int64) bool
	pollEvents(d *wrapDevice, out []Event) int
	notifyEvents(d *wrapDevice, f func())
	tap(d *wrapDevice, f func(Datagram) Fate)
	made(what string, num uint32, detail any)
	gone(what string, num uint32, err error)
	registered(m *wrapMR, access Access)
	closed(m *wrapMR)
	counters(yield func(string, uint64) bool)
}

// receiver is a queue of receives: a queue pair's own or a shared one.
type receiver interface {
	Num() uint32
	kind() string
	pass(wrs []RecvWR) (int, error)
}

// passLayer does nothing.
type passLayer struct{}

func (passLayer) postSend(q *wrapQP, wrs []SendWR) (int, error)  { return q.QP.PostSend(wrs) }
func (passLayer) postRecv(r receiver, wrs []RecvWR) (int, error) { return r.pass(wrs) }
func (passLayer) modify(q *wrapQP, to State) error               { return q.QP.Modify(to) }
func (passLayer) poll(c *wrapCQ, out []Completion) int           { return c.CQ.Poll(out) }
func (passLayer) arm(c *wrapCQ, solicited bool)                  { c.CQ.Arm(solicited) }
func (passLayer) wait(c *wrapCQ, limit int64) bool               { return c.CQ.Wait(limit) }
func (passLayer) pollEvents(d *wrapDevice, out []Event) int      { return d.Device.PollEvents(out) }
func (passLayer) notifyEvents(d *wrapDevice, f func())           { d.Device.NotifyEvents(f) }
func (passLayer) made(string, uint32, any)                       {}
func (passLayer) gone(string, uint32, error)                     {}
func (passLayer) registered(*wrapMR, Access)                     {}
func (passLayer) closed(*wrapMR)                                 {}
func (passLayer) counters(func(string, uint64) bool)             {}

func (passLayer) tap(d *wrapDevice, f func(Datagram) Fate) {
	if t, ok := d.Device.(Tapped); ok {
		t.Tap(f)
	}
}

// wrapDevice is a device around another one. It has the method of Tapped always; Caps.Wire of the inner device
// says whether it does anything.
type wrapDevice struct {
	Device
	layer layer
}

func (d *wrapDevice) NewPD() (PD, error) {
	pd, err := d.Device.NewPD()
	if err != nil {
		return nil, err
	}
	return &wrapPD{PD: pd, d: d}, nil
}

func (d *wrapDevice) NewCQ(cfg CQConfig) (CQ, error) {
	cq, err := d.Device.NewCQ(cfg)
	if err != nil {
		return nil, err
	}
	d.layer.made("cq", cq.Num(), cfg.Depth)
	return &wrapCQ{CQ: cq, d: d}, nil
}

func (d *wrapDevice) PollEvents(out []Event) int {
	n := d.layer.pollEvents(d, out)
	for i := range out[:n] {
		if r := out[i].Request; r != nil {
			out[i].Request = &wrapRequest{ConnRequest: r, d: d}
		}
	}
	return n
}

func (d *wrapDevice) NotifyEvents(f func())     { d.layer.notifyEvents(d, f) }
func (d *wrapDevice) Tap(f func(Datagram) Fate) { d.layer.tap(d, f) }

// Counters lists what the inner device counted, then what this one did.
func (d *wrapDevice) Counters() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for name, n := range d.Device.Counters() {
			if !yield(name, n) {
				return
			}
		}
		d.layer.counters(yield)
	}
}

// wrapPD is a protection domain of the inner device.
type wrapPD struct {
	PD
	d *wrapDevice
}

func (p *wrapPD) Register(buf []byte, access Access) (MR, error) {
	mr, err := p.PD.Register(buf, access)
	if err != nil {
		return nil, err
	}
	m := &wrapMR{MR: mr, d: p.d}
	p.d.layer.registered(m, access)
	return m, nil
}

func (p *wrapPD) NewSRQ(cfg SRQConfig) (SRQ, error) {
	s, err := p.PD.NewSRQ(cfg)
	if err != nil {
		return nil, err
	}
	p.d.layer.made("srq", s.Num(), cfg.Depth)
	return &wrapSRQ{SRQ: s, d: p.d}, nil
}

func (p *wrapPD) NewQP(cfg QPConfig) (QP, error) {
	var err error
	if cfg.SendCQ, err = p.d.unwrapCQ(cfg.SendCQ); err != nil {
		return nil, fmt.Errorf("send completion queue: %w", err)
	}
	if cfg.RecvCQ, err = p.d.unwrapCQ(cfg.RecvCQ); err != nil {
		return nil, fmt.Errorf("receive completion queue: %w", err)
	}
	if cfg.SRQ != nil {
		s, mine := cfg.SRQ.(*wrapSRQ)
		if !mine || s.d != p.d {
			return nil, fmt.Errorf("shared receive queue of another device: %w", ErrArgument)
		}
		cfg.SRQ = s.SRQ
	}
	q, err := p.PD.NewQP(cfg)
	if err != nil {
		return nil, err
	}
	p.d.layer.made("qp", q.Num(), cfg.Type)
	return &wrapQP{QP: q, d: p.d}, nil
}

// unwrapCQ gives the inner device's queue for one of ours. It leaves it to the inner device to miss one.
func (d *wrapDevice) unwrapCQ(cq CQ) (CQ, error) {
	if cq == nil {
		return nil, nil
	}
	c, mine := cq.(*wrapCQ)
	if !mine || c.d != d {
		return nil, fmt.Errorf("of another device: %w", ErrArgument)
	}
	return c.CQ, nil
}

// wrapMR is a region of the inner device.
type wrapMR struct {
	MR
	d *wrapDevice
}

func (m *wrapMR) Close() error {
	err := m.MR.Close()
	if err == nil {
		m.d.layer.closed(m)
	}
	return err
}

// wrapCQ is a completion queue of the inner device.
type wrapCQ struct {
	CQ
	d       *wrapDevice
	stalled stall
}

func (c *wrapCQ) Poll(out []Completion) int { return c.d.layer.poll(c, out) }
func (c *wrapCQ) Arm(solicited bool)        { c.d.layer.arm(c, solicited) }
func (c *wrapCQ) Wait(limit int64) bool     { return c.d.layer.wait(c, limit) }

func (c *wrapCQ) Close() error {
	err := c.CQ.Close()
	c.d.layer.gone("cq", c.Num(), err)
	return err
}

// wrapSRQ is a shared receive queue of the inner device.
type wrapSRQ struct {
	SRQ
	d *wrapDevice
}

func (s *wrapSRQ) kind() string                       { return "srq" }
func (s *wrapSRQ) pass(wrs []RecvWR) (int, error)     { return s.SRQ.PostRecv(wrs) }
func (s *wrapSRQ) PostRecv(wrs []RecvWR) (int, error) { return s.d.layer.postRecv(s, wrs) }

func (s *wrapSRQ) Close() error {
	err := s.SRQ.Close()
	s.d.layer.gone("srq", s.Num(), err)
	return err
}

// wrapQP is a queue pair of the inner device.
type wrapQP struct {
	QP
	d *wrapDevice
}

func (q *wrapQP) kind() string                       { return "qp" }
func (q *wrapQP) pass(wrs []RecvWR) (int, error)     { return q.QP.PostRecv(wrs) }
func (q *wrapQP) PostRecv(wrs []RecvWR) (int, error) { return q.d.layer.postRecv(q, wrs) }
func (q *wrapQP) PostSend(wrs []SendWR) (int, error) { return q.d.layer.postSend(q, wrs) }
func (q *wrapQP) Modify(to State) error              { return q.d.layer.modify(q, to) }

func (q *wrapQP) Close() error {
	err := q.QP.Close()
	q.d.layer.gone("qp", q.Num(), err)
	return err
}

// wrapRequest is a connection request of the inner device.
type wrapRequest struct {
	ConnRequest
	d *wrapDevice
}

func (r *wrapRequest) Accept(qp QP, private []byte) error {
	q, mine := qp.(*wrapQP)
	if !mine || q.d != r.d {
		return fmt.Errorf("accept with no queue pair of this device: %w", ErrArgument)
	}
	return r.ConnRequest.Accept(q.QP, private)
}
