package sim

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
)

// node is one host.
type node struct {
	f      *Fabric
	index  int
	own    Node
	ports  []*port
	devs   []*Device
	dead   bool
	copies []int64 // until when each core copies
	cores  []core
}

func newNode(f *Fabric, i int) *node {
	n := &node{f: f, index: i, own: f.cluster.own(i)}
	n.copies, n.cores = make([]int64, n.own.Cores), make([]core, n.own.Cores)
	for r := range n.own.Rails {
		n.ports = append(n.ports, &port{node: n, rail: r, addr: addressOf(r, i), wire: f.cost.wire.get() / rate(n.own.share(r)), next: 1024, slots: make([]int64, f.cost.slots.v)})
	}
	return n
}

// port is one network interface.
type port struct {
	node *node
	rail int
	addr netip.Addr
	wire rate
	next uint16 // port number last given out
	down bool

	engine, bus, dmaOut, dmaIn, out, in server
	slots                               []int64 // when each is free
	turn                                turns   // of long messages
	lastIn                              *port   // who sent what came in last
	long                                *flow   // whose was the last piece of a long message
	recent                              contexts
	nextInterrupt                       int64
	held                                []*step // pieces that wait for the rail to come back
	stuck                               []*flow // likewise

	traffic Traffic
}

// Traffic is what passed an interface: messages, and their bytes.
type Traffic struct{ Sent, Received, BytesOut, BytesIn uint64 }

// Traffic tells what has passed a node's interface until now, of all processes of the node.
func (f *Fabric) Traffic(node, rail int) (Traffic, error) {
	p, err := f.port(node, rail)
	if err != nil {
		return Traffic{}, err
	}
	return p.traffic, nil
}

// address gives out an address that nobody uses for datagrams, nor to listen.
func (p *port) address() netip.AddrPort {
	f := p.node.f
	for {
		if p.next++; p.next < 1024 {
			p.next = 1024
		}
		a := netip.AddrPortFrom(p.addr, p.next)
		if f.bound[a] == nil && f.listeners[a] == nil {
			return a
		}
	}
}

// slot finds when a message of n bytes finds one of the interface's slots, and takes it.
func (p *port) slot(n int, now int64) int64 {
	c := p.node.f.cost
	best := 0
	for i, free := range p.slots {
		if free <= now {
			best = i
			break
		}
		if free < p.slots[best] {
			best = i
		}
	}
	at := max(now, p.slots[best])
	c.slots.looked = c.slots.looked || at > now || best >= len(p.slots)/nearby // with others it might have had to wait
	p.slots[best] = at + c.slot.get()
	if !c.mediumBytes.exceeds(n) {
		p.slots[best] += c.slotByte.get().of(n)
	}
	return at
}

// start has a message of a flow pass the engine, and tells when it has.
func (p *port) start(w *flow, now int64) int64 {
	c := p.node.f.cost
	busy := c.engine.get()
	if p.recent.use(w.context(), &c.contexts) {
		busy += c.context.get()
	}
	_, at := p.engine.pass(now, now, busy)
	p.engine.free += c.rest(w.cur)
	return at
}

// contexts are the connections whose state an interface has at hand.
type contexts struct {
	all   []*flow
	clock uint64
}

// use tells whether the state of w has to be fetched. If there are too many, the one that was not used for
// longest goes.
func (x *contexts) use(w *flow, limit *value[int]) bool {
	x.clock++
	w.used = x.clock
	switch {
	case w.cached:
		return false
	case !limit.exceeds(len(x.all) + 1):
		w.cached = true
		x.all = append(x.all, w)
		return false
	}
	oldest := 0
	for i, o := range x.all {
		if o.used < x.all[oldest].used {
			oldest = i
		}
	}
	x.all[oldest].cached, w.cached = false, true
	x.all[oldest] = w
	return true
}

func (x *contexts) forget(w *flow) {
	if w.cached {
		w.cached = false
		x.all = without(x.all, w)
	}
}

// core is one processor of a node: until when it is taken, and by which of the places that share it.
type core struct {
	until int64
	whose int
}

// Host is a place on a node: time, and what work costs there.
type Host struct {
	node  *node
	place int
	core  int // that the place is on
}

// Host returns the clock of a place on a node. Places beyond the node's cores share these, in turn.
func (f *Fabric) Host(node, place int) (*Host, error) {
	n, err := f.node(node)
	if err != nil {
		return nil, err
	}
	place = max(place, 0)
	return &Host{node: n, place: place, core: place % len(n.cores)}, nil
}

var _ clock.Clock = (*Host)(nil)

// Now is the time of the task that runs.
func (h *Host) Now() int64 { return h.node.f.s.Now() }

// Sleep lets time pass for the task that runs.
func (h *Host) Sleep(d int64) { h.node.f.s.Sleep(d) }

// Spend charges the task that runs. Places that share a core take turns: who finds it taken waits.
// Copies and reductions of a node's cores share its memory.
func (h *Host) Spend(w clock.Work, n int) {
	c := h.node.f.cost
	if n <= 0 || int(w) >= len(c.work) {
		return
	}
	d := int64(n)
	if w != clock.Compute {
		d = c.work[w].get().of(n)
	}
	shares := w == clock.Copy || w == clock.Reduce
	if shares {
		d += c.far(n)
	}
	for h.take() && shares && d >= crowdMin {
		h.node.f.s.Settle()
	}
	if shares {
		d = h.node.crowd(h.core, d)
	}
	h.node.f.s.Charge(d)
	h.node.cores[h.core].until = h.node.f.s.Now()
}

// crowdMin is the shortest copy, in nanoseconds, for which others of the node first get as far as who
// copies: how long it takes depends on how many they are. Who copies less would not hold them up for long.
const crowdMin = 500

// take waits until no other place has the core, and tells whether time has passed that others have not been through.
func (h *Host) take() (ahead bool) {
	s, c := h.node.f.s, &h.node.cores[h.core]
	if c.whose != h.place {
		s.Charge(c.until - s.Now())
		c.whose = h.place
	}
	return s.Now() > s.Time()
}

// crowd stretches a copy of d nanoseconds by those of other cores under way.
func (n *node) crowd(core int, d int64) int64 {
	now := n.f.s.Now()
	others := 0
	for i, until := range n.copies {
		if i != core && until > now {
			others++
		}
	}
	if others > 0 {
		d = int64(float64(d)*max(float64(others+1)/n.f.cost.copyParallel.get(), 1) + 0.5)
	}
	n.copies[core] = now + d
	return d
}
