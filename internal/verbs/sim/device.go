package sim

import (
	"fmt"
	"iter"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// Limits of the model, not of anything that is modelled.
const (
	maxSGE     = 32
	maxDepth   = 1 << 15
	maxMessage = 1 << 30
	maxPrivate = 512
)

// Device is the interfaces of a node, as one process has them open. Processes of a node share the interfaces.
type Device struct {
	f       *Fabric
	node    *node
	regions nic.Regions
	events  nic.Events
	qps     []*qp // open, in the order of making
	cqs     []*cq
	listen  []*listener
	closed  bool
	chains  chains
	tap     func(verbs.Datagram) verbs.Fate

	counts counts
}

var (
	_ verbs.Device = (*Device)(nil)
	_ verbs.Tapped = (*Device)(nil)
)

// counts is what a device counts.
type counts struct {
	sends, writes, reads, atomics, datagrams, received, bytesOut, bytesIn    uint64
	pio, dma, acks, rnr, rnrRetries, noReceive, lost, doubled, late, corrupt uint64
	registered, deregistered, srq, held, borrowed, placed, cutOff, inline    uint64
	connections                                                              uint64
}

// Open opens the interfaces of a node for one process.
func (f *Fabric) Open(node int) (*Device, error) {
	n, err := f.node(node)
	if err != nil {
		return nil, err
	}
	d := &Device{f: f, node: n}
	n.devs = append(n.devs, d)
	return d, nil
}

// Caps tells what the interface can do.
func (d *Device) Caps() verbs.Caps { return d.f.caps }

func (c *Cluster) caps() verbs.Caps {
	p := c.Profile
	datagram := int(p.get("datagram_bytes"))
	return verbs.Caps{Name: "sim " + p.Name, RC: true, UC: true, XRC: p.get("stream_us") == 0, UD: datagram > 0, MaxSGE: maxSGE, MaxReadSGE: maxSGE, MaxInline: max(int(p.get("inline_bytes")), c.Inline),
		MaxMessage: maxMessage, MaxDatagram: datagram, MaxDepth: maxDepth, MaxReads: int(p.get("reads")), MaxPrivate: maxPrivate,
		SRQ: true, SRQMixed: true, Invalidate: true, WriteImm: true, Atomics: true, Multicast: p.get("multicast") > 0, PeerAck: true, RNRWaits: true, Solicited: true, TellsSolicited: true, TellsWhy: true, GuardsReads: true,
		Wire: true, FirstSegment: c.Asks, Borrow: c.Asks > 0, Place: c.Asks > 0}
}

// Rails are the node's interfaces.
func (d *Device) Rails() []verbs.Rail {
	p := d.f.cluster.Profile
	var rails []verbs.Rail
	for i, port := range d.node.ports {
		rails = append(rails, verbs.Rail{Name: fmt.Sprintf("sim%d", i), Addr: port.addr, MTU: int(p.get("mtu")), MaxDatagram: d.f.caps.MaxDatagram,
			Rate: int64(p.get("wire_mb_s") * d.node.own.share(i) * 8e6)})
	}
	return rails
}

// Prefixes are the networks of the rails.
func (d *Device) Prefixes() []netip.Prefix {
	var nets []netip.Prefix
	for i := range d.node.ports {
		nets = append(nets, Prefix(i))
	}
	return nets
}

// dead tells that nothing can be done with the device any more.
func (d *Device) dead() bool { return d.closed || d.node.dead }

// Tap shows every datagram that leaves to f, which decides its fate.
func (d *Device) Tap(f func(verbs.Datagram) verbs.Fate) { d.tap = f }

// PollEvents takes events, once everything has happened that happens until now.
func (d *Device) PollEvents(out []verbs.Event) int {
	d.f.s.Settle()
	n := d.events.Take(out)
	d.f.s.Charge(d.f.cost.poll.get())
	return n
}

// NotifyEvents has f called after an event was added.
func (d *Device) NotifyEvents(f func()) { d.events.Notify(f) }

// event tells the program something.
func (d *Device) event(e verbs.Event) {
	if d.dead() {
		return
	}
	d.events.Add(e)
	for _, c := range d.cqs {
		c.disturb()
	}
}

// Close gives back everything. Peers see their connections broken.
func (d *Device) Close() error {
	if d.closed {
		return nil
	}
	for len(d.qps) > 0 {
		d.qps[len(d.qps)-1].shut()
	}
	for len(d.listen) > 0 {
		d.listen[len(d.listen)-1].shut()
	}
	d.closed = true
	for _, c := range d.cqs {
		c.stir()
	}
	d.regions = nic.Regions{}
	d.cqs = nil
	d.node.devs = without(d.node.devs, d)
	return nil
}

// Counters lists what the device counted.
func (d *Device) Counters() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		c := &d.counts
		for _, row := range [...]struct {
			name string
			n    uint64
		}{
			{"sends", c.sends}, {"writes", c.writes}, {"reads", c.reads}, {"atomics", c.atomics}, {"datagrams", c.datagrams},
			{"received", c.received}, {"bytes_out", c.bytesOut}, {"bytes_in", c.bytesIn}, {"pio_sends", c.pio}, {"dma_sends", c.dma},
			{"acks", c.acks}, {"rnr", c.rnr}, {"rnr_retries", c.rnrRetries}, {"no_receive", c.noReceive}, {"srq_receives", c.srq}, {"registered", c.registered},
			{"deregistered", c.deregistered}, {"datagrams_lost", c.lost}, {"datagrams_doubled", c.doubled}, {"datagrams_late", c.late},
			{"datagrams_corrupt", c.corrupt}, {"held_by_rail", c.held},
			{"inline", c.inline}, {"borrowed", c.borrowed}, {"placed", c.placed}, {"cut_off", c.cutOff}, {"connections", c.connections},
		} {
			if !yield(row.name, row.n) {
				return
			}
		}
	}
}
