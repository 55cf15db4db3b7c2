package sim

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

// packet is one message on its way: a work request, a datagram, or the answer to a Read. What a reliable
// connection carries stays in the sender's memory until it is placed; others have their own copy.
type packet struct {
	op        verbs.Op
	answer    bool // to a Read or an atomic
	alone     bool // no other of its connection was just sent
	sure      bool // of a broadcast of the hardware: it waits for a receive
	captured, // a Send of which nothing more is asked of its sender
	starved bool // it was found to lack a receive
	loose bool // of an unreliable connection
	from  *qp
	to    *qp // nil for datagrams until they arrive
	fromEpoch,
	toEpoch uint32
	number uint64 // of the work request at the requester
	n      int    // bytes on the wire
	src    *port
	dst    *port
	dest   netip.AddrPort // of a datagram
	destQP uint32
	bound  *qp // that had this address when the datagram came to the interface
	source netip.AddrPort
	fate   verbs.Fate
	data   []byte // of a datagram, or of an atomic's answer
	marks  verbs.Marks
	length int    // of what a Read asked for
	addr   uint64 // likewise
	rkey   uint32
	imm    uint32 // of a WriteImm on UC, or the key that a Send there makes invalid
	way    *flow  // XRC: the connection
	ready  int64
	next   *packet
}

// packets is a queue of packets.
type packets struct{ first, last *packet }

func (l *packets) push(p *packet) {
	p.next = nil
	if l.last == nil {
		l.first = p
	} else {
		l.last.next = p
	}
	l.last = p
}

func (l *packets) pop() *packet {
	p := l.first
	if p != nil {
		if l.first = p.next; l.first == nil {
			l.last = nil
		}
		p.next = nil
	}
	return p
}

// stepKind says what happens next to a packet or a queue pair.
type stepKind uint8

const (
	stepArrive   stepKind = iota // a piece reaches the other interface
	stepDeliver                  // the message is all there
	stepDone                     // the requester learns how it ended
	stepSent                     // a datagram has left
	stepParted                   // the peer is gone
	stepNoAnswer                 // the peer does not answer
	stepStarved                  // no receive came in time
	stepLanded                   // all of a Send is where the program has said
)

// step is something that is going to happen.
type step struct {
	f      *Fabric
	run    func()
	kind   stepKind
	p      *packet
	q      *qp
	epoch  uint32
	number uint64
	status verbs.Status
	err    error
	cq     *cq   // that has it on its agenda
	start  int64 // a piece begins to arrive
	end    int64 // and has arrived
	n      int
	first  bool
	last   bool
}

// pools keep what is used again and again.
type pools struct {
	packets []*packet
	steps   []*step
}

func (f *Fabric) packet() *packet {
	if n := len(f.spare.packets); n > 0 {
		p := f.spare.packets[n-1]
		f.spare.packets = f.spare.packets[:n-1]
		return p
	}
	return new(packet)
}

// keepData is the longest copy of a datagram that is kept for the next one.
const keepData = 1 << 16

// free gives a packet back that nothing refers to any more.
func (f *Fabric) free(p *packet) {
	data := p.data[:0]
	if cap(data) > keepData {
		data = nil
	}
	*p = packet{data: data}
	f.spare.packets = append(f.spare.packets, p)
}

func (f *Fabric) drop(l *packets) {
	for p := l.pop(); p != nil; p = l.pop() {
		f.free(p)
	}
}

func (f *Fabric) step(kind stepKind) *step {
	if n := len(f.spare.steps); n > 0 {
		st := f.spare.steps[n-1]
		f.spare.steps = f.spare.steps[:n-1]
		st.kind = kind
		return st
	}
	st := &step{f: f, kind: kind}
	st.run = st.happen
	return st
}

// at has a step happen at a time.
func (f *Fabric) at(t int64, st *step) { f.s.At(t, st.run) }

// happen is the step's moment.
func (st *step) happen() {
	f := st.f
	if st.cq != nil {
		st.cq.agenda.done()
	}
	switch st.kind {
	case stepArrive:
		if !f.arrive(st) {
			return // it is kept
		}
	case stepDeliver:
		f.deliver(st.p)
	default:
		if q := st.q; q.epoch == st.epoch && !q.dead() {
			st.concern(q)
		}
	}
	*st = step{f: f, run: st.run}
	f.spare.steps = append(f.spare.steps, st)
}

// concern is what happens to a queue pair.
func (st *step) concern(q *qp) {
	switch st.kind {
	case stepDone, stepSent:
		q.p.d.counts.acks++
		q.ended(st.number, st.status)
	case stepParted:
		q.parted(st.err)
	case stepNoAnswer:
		if q.peer == nil || st.f.cannot(q.port, q.peer.port) { // else it is on its way again
			q.ended(st.number, verbs.Unreachable)
		}
	case stepStarved:
		if q.hungry.first != nil && q.starved == int64(st.number) {
			q.giveUp()
		}
	case stepLanded:
		q.landed()
	}
}

// trip is how long a short note takes from one interface to another.
func (c *costs) trip(a, b *port) int64 {
	d := c.tx.get() + c.rx.get() + c.way(a, b)
	return max(d, c.ackTrip(a, b)+c.cqe.get()) + 1 // bad news about work comes before that of the end
}

// ackTrip is how long an acknowledgement takes.
func (c *costs) ackTrip(a, b *port) int64 {
	return c.ack.get() + c.way(a, b)
}

// way is how long the switches between two interfaces take: those of one switch, or also those above it.
func (c *costs) way(a, b *port) int64 {
	switch {
	case b != nil && a.node == b.node:
		return 0
	case c.leaf.get() > 0 && (b == nil || a.node.index/c.leaf.get() != b.node.index/c.leaf.get()):
		return c.hop.get() * int64(c.hops.get()+2)
	}
	return c.hop.get() * int64(c.hops.get())
}
