// Package model is a device that does what the comments of the verbs seam say and nothing else: memory is copied
// under one lock when work is posted, nothing is ever on its way.
//
// It owns no network, only a Fabric in memory, and promises to be simple enough to be read in one sitting. The suite
// in verbstest is tried on it, and on models that Hooks made wrong in one respect; whoever builds on verbs can use
// it in tests. It must not know any other device, and it is no yardstick for speed.
package model

import (
	"errors"
	"fmt"
	"iter"
	"net/netip"
	"sync"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Hooks spoil a model. Each may be nil; all are called with the fabric's lock held.
type Hooks struct {
	Placed   func(dst []byte)                               // after bytes were placed in a peer's memory or a receive
	Complete func(c *verbs.Completion) bool                 // before a completion is added; false swallows it
	Reorder  func() bool                                    // has a completion swap places with the one before it
	Judge    func(op verbs.Op, s verbs.Status) verbs.Status // what became of the checks of a peer's request
	Notify   func() bool                                    // false keeps a bell silent
	Event    func(e *verbs.Event) bool                      // false swallows an event
	LocalKey func(err error) error                          // what became of the checks of a local list
	Full     func(full bool) bool                           // whether a queue is full
	Caps     func(c verbs.Caps) verbs.Caps                  // what the device says it can do
}

// Fabric connects the devices that were opened on it.
type Fabric struct {
	mu    sync.Mutex
	moved sync.Cond // something happened that a sleeper may wait for
	hooks Hooks

	next      uint32
	port      uint16
	qps       map[netip.AddrPort]*qp // UD and RD in RTS, by address
	listeners map[netip.AddrPort]*listener
	blocked   []*qp // with work that waits for the peer's receive
}

// New makes a fabric without devices.
func New(hooks Hooks) *Fabric {
	f := &Fabric{hooks: hooks, port: 1024, qps: map[netip.AddrPort]*qp{}, listeners: map[netip.AddrPort]*listener{}}
	f.moved.L = &f.mu
	return f
}

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// maxEvents is how many events a device keeps.
const maxEvents = 1024

type device struct {
	f      *Fabric
	closed bool
	keys   map[uint32]*mr // by remote key
	local  map[uint32]*mr // by local key
	all    map[*qp]bool

	events []verbs.Event
	lost   int
	bell   func()
	moved  uint64 // messages
}

// Open adds a device to the fabric.
func (f *Fabric) Open() verbs.Device {
	return &device{f: f, keys: map[uint32]*mr{}, local: map[uint32]*mr{}, all: map[*qp]bool{}}
}

func (f *Fabric) number() uint32 {
	f.next++
	return f.next
}

func (f *Fabric) address() netip.AddrPort {
	f.port++
	return netip.AddrPortFrom(loopback, f.port)
}

func (d *device) Caps() verbs.Caps {
	c := verbs.Caps{Name: "model", RC: true, UD: true, RD: true, MaxSGE: 8, MaxReadSGE: 8, MaxInline: 128, MaxMessage: 1 << 30,
		MaxDatagram: 4096, MaxDepth: 1 << 14, MaxReads: 16, MaxPrivate: 256, SRQ: true, Invalidate: true, WriteImm: true,
		Atomics: true, RDReadWrite: true, UDReadWrite: true, WriteRecord: true, Multicast: true, PeerAck: true,
		RNRWaits: true, SRQMixed: true, Solicited: true, TellsSolicited: true, TellsWhy: true, GuardsReads: true, ErrorNotices: true}
	if f := d.f.hooks.Caps; f != nil {
		c = f(c)
	}
	return c
}

func (d *device) Rails() []verbs.Rail {
	return []verbs.Rail{{Name: "model0", Addr: loopback, MTU: 4096 + 28, MaxDatagram: 4096}}
}

func (d *device) NewPD() (verbs.PD, error) {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	if d.closed {
		return nil, verbs.ErrClosed
	}
	return &pd{d: d}, nil
}

func (d *device) NewCQ(cfg verbs.CQConfig) (verbs.CQ, error) {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	switch {
	case d.closed:
		return nil, verbs.ErrClosed
	case cfg.Depth <= 0:
		return nil, fmt.Errorf("a completion queue of %d: %w", cfg.Depth, verbs.ErrArgument)
	}
	if cfg.Rung == nil {
		cfg.Rung = func() bool { return false }
	}
	return &cq{d: d, num: d.f.number(), notify: cfg.Notify, rung: cfg.Rung, ring: make([]entry, cfg.Depth)}, nil
}

func (d *device) event(e verbs.Event) {
	if h := d.f.hooks.Event; h != nil && !h(&e) {
		return
	}
	if len(d.events) >= maxEvents {
		d.lost++
		return
	}
	d.events = append(d.events, e)
	d.f.moved.Broadcast()
	if d.bell != nil {
		d.bell()
	}
}

func (d *device) PollEvents(out []verbs.Event) int {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	n := copy(out, d.events)
	d.events = d.events[:copy(d.events, d.events[n:])]
	if n < len(out) && d.lost > 0 {
		out[n] = verbs.Event{Kind: verbs.EventsLost, Lost: d.lost}
		d.lost = 0
		n++
	}
	return n
}

func (d *device) NotifyEvents(f func()) {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	d.bell = f
}

func (d *device) Counters() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		d.f.mu.Lock()
		n := d.moved
		d.f.mu.Unlock()
		yield("messages", n)
	}
}

func (d *device) Close() error {
	d.f.mu.Lock()
	defer d.f.mu.Unlock()
	if d.closed {
		return nil
	}
	for q := range d.all {
		q.shut()
	}
	for _, l := range d.f.listeners {
		if l.d == d {
			l.shut()
		}
	}
	clear(d.keys)
	clear(d.local)
	d.closed = true
	d.f.moved.Broadcast()
	return nil
}

// pd is a protection domain.
type pd struct {
	d    *device
	uses int
	gone bool
}

func (p *pd) Close() error {
	p.d.f.mu.Lock()
	defer p.d.f.mu.Unlock()
	if p.uses > 0 {
		return fmt.Errorf("%d objects of the domain are open: %w", p.uses, verbs.ErrBusy)
	}
	p.gone = true
	return nil
}

func (p *pd) usable() error {
	if p.gone || p.d.closed {
		return verbs.ErrClosed
	}
	return nil
}

func (p *pd) NewAH(to netip.AddrPort) (verbs.AH, error) {
	p.d.f.mu.Lock()
	defer p.d.f.mu.Unlock()
	if !to.IsValid() || to.Port() == 0 {
		return nil, fmt.Errorf("address %v: %w", to, verbs.ErrArgument)
	}
	p.uses++
	return &ah{p: p, to: to, most: p.d.Caps().MaxDatagram}, p.usable()
}

// ah is an address handle.
type ah struct {
	p    *pd
	to   netip.AddrPort
	most int // bytes of a Send on UD
}

func (a *ah) Bound(most int) {
	a.p.d.f.mu.Lock()
	defer a.p.d.f.mu.Unlock()
	a.most = most
}

func (a *ah) Addr() netip.AddrPort { return a.to }

func (a *ah) Close() error {
	a.p.d.f.mu.Lock()
	defer a.p.d.f.mu.Unlock()
	a.p.uses--
	return nil
}

var errBroken = errors.New("the peer ended the connection")
