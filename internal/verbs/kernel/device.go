package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// Device is RDMA hardware. It implements verbs.Device.
type Device struct {
	cfg   Config
	ctx   ibv.Context
	caps  verbs.Caps
	cqes  int // the deepest completion queue that the driver makes
	rails []rail
	qkey  uint32

	mu      sync.Mutex // guards everything below, and all objects of the device
	closed  bool
	regions nic.Regions
	memory  []*mr // of regions, by index
	events  nic.Events
	count   counters
	broken  []breakage
	objects
	server
}

// rail is a port in use.
type rail struct {
	Port
	mtu ibv.MTU
	verbs.Rail
}

// breakage is a queue pair that has to go to Error, which cannot be done while completions are being looked at.
type breakage struct {
	q    *qp
	err  error
	told bool // the peer's driver will tell it why
}

var _ verbs.Device = (*Device)(nil)

// objects are what programs have made of a device.
type objects struct {
	lastNum uint32
	pds     map[*pd]bool
	cqs     map[uintptr]*cq  // by the driver's ID
	srqs    map[uintptr]*srq // likewise
	qps     map[*qp]bool
	byNum   map[uint32]*qp // those that the driver has, by its number
	doors   map[door]bool
	links   map[*link]bool
	bonds   map[*bond]bool
	given   map[*bond]bool // up, before the peer has answered
}

// firstNum is the first number that the device gives out; those of drivers are shorter.
const firstNum = 1 << 24

// num gives out a number.
func (o *objects) num() uint32 {
	o.lastNum++
	return o.lastNum
}

// Open makes a device. Close gives it and the driver's back.
func Open(cfg Config) (*Device, error) {
	if err := cfg.complete(); err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	d := &Device{cfg: cfg, ctx: cfg.Context, qkey: queueKey(cfg.Key), objects: objects{lastNum: firstNum, pds: map[*pd]bool{}, cqs: map[uintptr]*cq{}, srqs: map[uintptr]*srq{},
		qps: map[*qp]bool{}, byNum: map[uint32]*qp{}, doors: map[door]bool{}, links: map[*link]bool{}, bonds: map[*bond]bool{}, given: map[*bond]bool{}}}
	err := d.openConnector()
	if err == nil {
		err = d.describe()
	}
	if err == nil {
		err = d.startServer()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("kernel: %w", err), d.closeConnector(), d.ctx.Close())
	}
	return d, nil
}

// describe asks the driver what it can do.
func (d *Device) describe() error {
	attr, err := d.ctx.Query()
	if err != nil {
		return fmt.Errorf("ask the device for its limits: %w", err)
	}
	most := uint32(0)
	for i := range d.cfg.Ports {
		p := &d.cfg.Ports[i]
		port, err := d.ctx.Port(p.Number)
		if err != nil {
			return fmt.Errorf("ask for port %d: %w", p.Number, err)
		}
		if port.State != ibv.PortActive || port.ActiveMTU.Bytes() == 0 {
			return fmt.Errorf("port %d of %s is not active (cable, subnet manager)", p.Number, p.Name)
		}
		r := rail{Port: *p, mtu: port.ActiveMTU, Rail: verbs.Rail{Name: p.Name, Addr: p.Addr, MTU: p.IPMTU, Rate: p.Rate}}
		r.Rail.MTU = cmp.Or(r.Rail.MTU, port.ActiveMTU.Bytes())
		if !d.iwarp() {
			r.MaxDatagram = port.ActiveMTU.Bytes()
		}
		d.rails = append(d.rails, r)
		if most == 0 || port.MaxMessage < most {
			most = port.MaxMessage
		}
	}
	d.caps, d.cqes = capabilities(&attr, most, d.iwarp()), int(attr.MaxCQE)
	for i := range d.rails {
		d.caps.MaxDatagram = max(d.caps.MaxDatagram, d.rails[i].MaxDatagram)
	}
	d.caps.MaxInline, err = d.probeInline()
	return err
}

const (
	maxDepth  = 1 << 14
	maxReads  = 128
	maxInline = 1 << 10
	maxPieces = 28

	inlineStep = 16 // bytes by which the longest inline send is found out
)

// capabilities are what the seam offers of what the driver has.
func capabilities(attr *ibv.DeviceAttr, message uint32, iwarp bool) verbs.Caps {
	pieces := attr.MaxSGE
	if attr.MaxSRQ > 0 {
		pieces = min(pieces, attr.MaxSRQSGE)
	}
	if !iwarp {
		pieces -= udPieces
	}
	pieces = min(pieces, maxPieces)
	caps := verbs.Caps{
		Name: "rdma", RC: true, UD: true,
		MaxSGE: int(pieces), MaxReadSGE: int(pieces), MaxMessage: int(min(message, 1<<30)),
		MaxDepth: int(min(attr.MaxQPWR-spareSends, attr.MaxCQE/2, maxDepth)), MaxReads: int(min(attr.MaxReads, attr.MaxReadsIn, maxReads)), MaxPrivate: maxPrivate,
		SRQ: attr.MaxSRQ > 0, WriteImm: true, Atomics: attr.AtomicCap != 0, PeerAck: true, RNRWaits: true, SlowRekey: true, Solicited: true, TellsWhy: true, GuardsReads: true,
	}
	if iwarp {
		caps.UD, caps.WriteImm, caps.Atomics, caps.PeerAck, caps.RNRWaits = false, false, false, false, false
		caps.Solicited, caps.TellsWhy, caps.GuardsReads, caps.MaxReadSGE, caps.MaxPrivate = false, false, false, int(max(1, min(attr.MaxSGERead, pieces))), maxPrivateCM
	}
	return caps
}

// iwarp tells whether connections are made by the kernel's connection manager.
func (d *Device) iwarp() bool { return d.cfg.IWARP }

// probeInline finds out how long inline sends can be, which no driver says, by making queue pairs.
func (d *Device) probeInline() (int, error) {
	pd, err := d.ctx.NewPD()
	if err != nil {
		return 0, fmt.Errorf("make a protection domain: %w", err)
	}
	cq, err := d.ctx.NewCQ(16)
	if err != nil {
		return 0, errors.Join(fmt.Errorf("make a completion queue: %w", err), pd.Close())
	}
	found := 0
	for low, high := 0, maxInline/inlineStep; low < high; {
		size := inlineStep * ((low + high + 1) / 2)
		init := &ibv.QPInit{Cap: ibv.QPCap{SendWR: 1, RecvWR: 1, SendSGE: 1, RecvSGE: 1, Inline: uint32(size)}, Type: ibv.RC}
		qp, err := pd.NewQP(init, cq, cq, nil)
		if err != nil {
			high = size/inlineStep - 1
			continue
		}
		low, found = size/inlineStep, size
		if err := qp.Close(); err != nil {
			return 0, fmt.Errorf("close a queue pair: %w", err)
		}
	}
	return found, errors.Join(cq.Close(), pd.Close())
}

// Caps tells what the device can do.
func (d *Device) Caps() verbs.Caps { return d.caps }

// Rails are the ports in use.
func (d *Device) Rails() []verbs.Rail {
	var all []verbs.Rail
	for i := range d.rails {
		all = append(all, d.rails[i].Rail)
	}
	return all
}

// PollEvents takes events, after looking for some: completions tell of failures.
func (d *Device) PollEvents(out []verbs.Event) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.events.Len() == 0 && !d.closed {
		for _, c := range d.cqs {
			d.drain(c)
		}
		d.glance()
	}
	return d.events.Take(out)
}

// NotifyEvents sets who is told of new events.
func (d *Device) NotifyEvents(f func()) {
	d.mu.Lock()
	d.events.Notify(f)
	d.mu.Unlock()
}

// event adds an event.
func (d *Device) event(e verbs.Event) {
	if !d.events.Add(e) {
		d.count.eventsLost++
	}
}

// Close gives everything back, in the order that drivers ask for.
func (d *Device) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return verbs.ErrClosed
	}
	var all []error
	for each := range d.doors {
		each.close()
	}
	for q := range d.qps {
		all = append(all, q.close())
	}
	for l := range d.links {
		l.drop()
	}
	for b := range d.bonds {
		b.drop()
	}
	for b := range d.given {
		b.forgotten()
	}
	d.closed = true
	d.mu.Unlock()
	d.burials.Wait()
	for p := range d.pds { // nobody changes them any more
		for a := range p.handles {
			all = append(all, a.release())
		}
	}
	d.mu.Lock()
	for _, s := range d.srqs {
		all = append(all, s.driver.Close(), s.headers.close())
	}
	for _, m := range d.memory {
		if m != nil {
			all = append(all, m.release())
		}
	}
	for _, c := range d.cqs {
		all = append(all, c.driver.Close())
		c.bell.Forward()
	}
	for p := range d.pds {
		all = append(all, p.driver.Close())
	}
	d.mu.Unlock()
	all = append(all, d.stopServer(), d.ctx.Close())
	if err := errors.Join(all...); err != nil {
		return fmt.Errorf("kernel: close: %w", err)
	}
	return nil
}

// counters are what the device counts.
type counters struct {
	sends, receives, completions, hidden uint64
	completionsLost, eventsLost          uint64
	connsMade, connsTaken, connsRefused  uint64
	strangers, failures                  uint64
}

// Counters lists them.
func (d *Device) Counters() iter.Seq2[string, uint64] {
	d.mu.Lock()
	c := d.count
	d.mu.Unlock()
	return func(yield func(string, uint64) bool) {
		for _, row := range []struct {
			name  string
			value uint64
		}{
			{"sends_posted", c.sends}, {"receives_posted", c.receives}, {"completions", c.completions}, {"completions_hidden", c.hidden},
			{"completions_lost", c.completionsLost}, {"events_lost", c.eventsLost}, {"conns_made", c.connsMade}, {"conns_taken", c.connsTaken},
			{"conns_refused", c.connsRefused}, {"strangers", c.strangers}, {"qp_failures", c.failures},
		} {
			if !yield(row.name, row.value) {
				return
			}
		}
	}
}

// prepare sets what every connection needs: nothing waits in the kernel for more, and a silent peer is noticed.
func (d *Device) prepare(conn *socket.Conn) error {
	if err := conn.SetNoDelay(true); err != nil || d.cfg.Silence == 0 {
		return err
	}
	const probes = 3
	pause := int(max(d.cfg.Silence/(probes+1)/second, 1))
	if err := conn.SetKeepAlive(pause, pause, probes); err != nil {
		return err
	}
	return conn.SetUserTimeout(int(d.cfg.Silence / 1e6))
}
