package team

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/verbs"
)

// pd is a protection domain of each device.
type pd struct {
	dev  *Device
	subs []verbs.PD
}

// NewPD makes a protection domain.
func (d *Device) NewPD() (verbs.PD, error) {
	subs, err := forEach(d.subs, verbs.Device.NewPD, verbs.PD.Close)
	if err != nil {
		return nil, err
	}
	return &pd{d, subs}, nil
}

// forEach makes something of each; if one cannot be made none is.
func forEach[T, U any](of []T, f func(T) (U, error), undo func(U) error) (all []U, err error) {
	for _, x := range of {
		one, err := f(x)
		if err != nil {
			return nil, errors.Join(err, each(all, undo))
		}
		all = append(all, one)
	}
	return all, nil
}

func (p *pd) Close() error { return each(p.subs, verbs.PD.Close) }

// NewAH names a destination of datagrams, which are the first device's.
func (p *pd) NewAH(to netip.AddrPort) (verbs.AH, error) { return p.subs[0].NewAH(to) }

// mr is memory that all devices know.
type mr struct {
	dev  *Device
	subs []verbs.MR
	lkey uint32
}

// Register makes memory known to all devices.
func (p *pd) Register(buf []byte, access verbs.Access) (verbs.MR, error) {
	subs, err := forEach(p.subs, func(s verbs.PD) (verbs.MR, error) { return s.Register(buf, access) }, verbs.MR.Close)
	if err != nil {
		return nil, err
	}
	d := p.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.lastKey++; d.lastKey == 0 || d.regions[d.lastKey] != nil; {
		d.lastKey++
	}
	m := &mr{d, subs, d.lastKey}
	d.regions[m.lkey] = m
	return m, nil
}

func (m *mr) LKey() uint32  { return m.lkey }
func (m *mr) RKey() uint32  { return m.subs[0].RKey() }
func (m *mr) Addr() uint64  { return m.subs[0].Addr() }
func (m *mr) Bytes() []byte { return m.subs[0].Bytes() }
func (m *mr) Rekey() error  { return each(m.subs, verbs.MR.Rekey) }

// RailKey is the remote key by which a peer reaches the memory over a rail.
func (m *mr) RailKey(rail int) uint32 { return m.subs[m.dev.rails[rail].sub].RKey() }

// Close makes all keys invalid.
func (m *mr) Close() error {
	m.dev.mu.Lock()
	delete(m.dev.regions, m.lkey)
	m.dev.mu.Unlock()
	return each(m.subs, verbs.MR.Close)
}

// list appends a gather or scatter list, with the local keys of a device. A key that is none is left as it is not known there
// either.
func (d *Device) list(room []verbs.SGE, sub int, from []verbs.SGE) []verbs.SGE {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range from {
		if m := d.regions[e.LKey]; m != nil {
			e.LKey = m.subs[sub].LKey()
		} else {
			e.LKey = 0
		}
		room = append(room, e)
	}
	return room
}

// cq is a completion queue of each device.
type cq struct {
	dev   *Device
	subs  []verbs.CQ
	num   uint32
	turn  atomic.Uint32
	armed atomic.Bool
	cfg   verbs.CQConfig
}

// NewCQ makes a completion queue. Whoever waits sleeps at the first device's, and the others wake him.
func (d *Device) NewCQ(cfg verbs.CQConfig) (verbs.CQ, error) {
	c := &cq{dev: d, cfg: cfg}
	cfg.Borrow, cfg.PlaceMin = false, 0
	var first verbs.CQ
	subs, err := forEach(d.subs, func(s verbs.Device) (verbs.CQ, error) {
		below := cfg
		below.Notify = c.ring
		if first != nil {
			below.Rung, below.Notify = nil, func() { c.ring(); first.Wake() }
		}
		q, err := s.NewCQ(below)
		if first == nil {
			first = q
		}
		return q, err
	}, verbs.CQ.Close)
	if err != nil {
		return nil, err
	}
	c.subs, c.num = subs, subs[0].Num()
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, s := range subs {
		d.cqs[number(i, s.Num())] = c
	}
	return c, nil
}

// ring tells whoever has armed the queue, once.
func (c *cq) ring() {
	if c.cfg.Notify != nil && c.armed.Load() && c.armed.Swap(false) {
		c.cfg.Notify()
	}
}

func (c *cq) Num() uint32   { return c.num }
func (c *cq) Wake()         { c.subs[0].Wake() }
func (c *cq) Doorbell() int { return c.subs[0].Doorbell() }

// Poll takes completions of all devices in turn.
func (c *cq) Poll(out []verbs.Completion) (n int) {
	for range c.subs {
		if n == len(out) {
			break
		}
		sub := int(c.turn.Add(1)) % len(c.subs)
		k := c.subs[sub].Poll(out[n:])
		for i := range out[n : n+k] {
			out[n+i].QP = number(sub, out[n+i].QP)
		}
		n += k
	}
	return n
}

// Arm asks all of them.
func (c *cq) Arm(bool) {
	c.armed.Store(true)
	for _, s := range c.subs {
		s.Arm(false)
	}
}

// Wait sleeps at the first device's queue. The others are asked to ring before they are looked at.
func (c *cq) Wait(limit int64) bool {
	if limit != 0 {
		for _, s := range c.subs[1:] {
			s.Arm(false)
		}
	}
	if c.some(c.subs[1:]) {
		return true
	}
	return c.subs[0].Wait(limit) || c.some(c.subs[1:])
}

// some tells whether one of them has a completion.
func (c *cq) some(of []verbs.CQ) bool {
	return slices.ContainsFunc(of, func(s verbs.CQ) bool { return s.Wait(0) })
}

// Close gives all of them back.
func (c *cq) Close() error {
	if err := each(c.subs, verbs.CQ.Close); err != nil {
		return err
	}
	c.dev.mu.Lock()
	defer c.dev.mu.Unlock()
	for i, s := range c.subs {
		delete(c.dev.cqs, number(i, s.Num()))
	}
	return nil
}

// srq is a shared receive queue of each device.
type srq struct {
	dev   *Device
	subs  []verbs.SRQ
	num   uint32
	asked int        // events; guarded by the device's lock
	mu    sync.Mutex // of one who posts
	list  []verbs.SGE
	one   [1]verbs.RecvWR
}

// NewSRQ makes a shared receive queue.
func (p *pd) NewSRQ(cfg verbs.SRQConfig) (verbs.SRQ, error) {
	subs, err := forEach(p.subs, func(s verbs.PD) (verbs.SRQ, error) { return s.NewSRQ(cfg) }, verbs.SRQ.Close)
	if err != nil {
		return nil, err
	}
	s := &srq{dev: p.dev, subs: subs, num: subs[0].Num()}
	p.dev.mu.Lock()
	defer p.dev.mu.Unlock()
	for i, below := range subs {
		p.dev.srqs[number(i, below.Num())] = s
	}
	return s, nil
}

func (s *srq) Num() uint32 { return s.num }

// Len is how many receives wait at all devices.
func (s *srq) Len() (n int) {
	for _, below := range s.subs {
		n += below.Len()
	}
	return n
}

// PostRecv gives each receive to the device that has fewest.
func (s *srq) PostRecv(wrs []verbs.RecvWR) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var have [most]int
	for i, below := range s.subs {
		have[i] = below.Len()
	}
	for i := range wrs {
		least := 0
		for k := range s.subs {
			if have[k] < have[least] {
				least = k
			}
		}
		s.list = s.dev.list(s.list[:0], least, wrs[i].SGL)
		s.one[0] = verbs.RecvWR{ID: wrs[i].ID, SGL: s.list}
		if n, err := s.subs[least].PostRecv(s.one[:]); n != 1 {
			return i, err
		}
		have[least]++
	}
	return len(wrs), nil
}

// Limit asks each device for an event when it has fewer than its share left.
func (s *srq) Limit(low int) error {
	if low > 0 {
		s.dev.mu.Lock()
		s.asked++
		s.dev.mu.Unlock()
	}
	share := (low + len(s.subs) - 1) / len(s.subs)
	return each(s.subs, func(below verbs.SRQ) error { return below.Limit(share) })
}

// Close gives all of them back.
func (s *srq) Close() error {
	if err := each(s.subs, verbs.SRQ.Close); err != nil {
		return err
	}
	s.dev.mu.Lock()
	defer s.dev.mu.Unlock()
	for i, below := range s.subs {
		delete(s.dev.srqs, number(i, below.Num()))
	}
	return nil
}

// qp is a queue pair of one device.
type qp struct {
	verbs.QP
	dev   *Device
	sub   int
	mu    sync.Mutex // of one who posts
	wrs   []verbs.SendWR
	recvs []verbs.RecvWR
	lists []verbs.SGE
}

// NewQP makes a queue pair of the device that has its rail.
func (p *pd) NewQP(cfg verbs.QPConfig) (verbs.QP, error) {
	at, err := p.dev.at(cfg.Rail)
	if err != nil {
		return nil, err
	}
	send, ok := cfg.SendCQ.(*cq)
	recv, also := cfg.RecvCQ.(*cq)
	if !ok || !also || send.dev != p.dev || recv.dev != p.dev {
		return nil, fmt.Errorf("team: new queue pair: %w: a completion queue of another device", verbs.ErrArgument)
	}
	if !cfg.Type.Connects() && at.sub > 0 {
		return nil, fmt.Errorf("team: new queue pair: %w: datagrams by rail %d", verbs.ErrUnsupported, cfg.Rail)
	}
	cfg.Rail, cfg.SendCQ, cfg.RecvCQ = at.rail, send.subs[at.sub], recv.subs[at.sub]
	if cfg.SRQ != nil {
		s, ok := cfg.SRQ.(*srq)
		if !ok || s.dev != p.dev {
			return nil, fmt.Errorf("team: new queue pair: %w: a shared receive queue of another device", verbs.ErrArgument)
		}
		cfg.SRQ = s.subs[at.sub]
	}
	below, err := p.subs[at.sub].NewQP(cfg)
	if err != nil {
		return nil, err
	}
	return &qp{QP: below, dev: p.dev, sub: at.sub}, nil
}

// Num is the number below, marked with the device; of datagrams, which are the first device's, it is the same.
func (q *qp) Num() uint32 { return number(q.sub, q.QP.Num()) }

// PostSend gives sends to the device, with its local keys.
func (q *qp) PostSend(wrs []verbs.SendWR) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.wrs, q.lists = append(q.wrs[:0], wrs...), q.lists[:0]
	for i := range wrs {
		q.lists = slices.Grow(q.lists, len(wrs[i].SGL)) // what lists lay there before are not used any more, or still seen by those that have them
		from := len(q.lists)
		q.lists = q.dev.list(q.lists, q.sub, wrs[i].SGL)
		q.wrs[i].SGL = q.lists[from:len(q.lists):len(q.lists)]
	}
	n, err := q.QP.PostSend(q.wrs)
	clear(q.wrs)
	clear(q.lists)
	return n, err
}

// PostRecv gives receives to the device, likewise.
func (q *qp) PostRecv(wrs []verbs.RecvWR) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.recvs, q.lists = append(q.recvs[:0], wrs...), q.lists[:0]
	for i := range wrs {
		q.lists = slices.Grow(q.lists, len(wrs[i].SGL))
		from := len(q.lists)
		q.lists = q.dev.list(q.lists, q.sub, wrs[i].SGL)
		q.recvs[i].SGL = q.lists[from:len(q.lists):len(q.lists)]
	}
	n, err := q.QP.PostRecv(q.recvs)
	clear(q.recvs)
	clear(q.lists)
	return n, err
}
