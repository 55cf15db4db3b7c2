package sim

import (
	"errors"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Interfaces that are handed messages (Cluster.Hands) take short ones without a work request, as sockets do: the program's memory is
// copied at once, nothing completes, and who has handed one over never hears what became of it, unless the connection breaks. They keep
// the order with what is posted before and after. Every fourth is taken in part only, as by a socket that is nearly full: it becomes a work
// request, which sends from the program's memory.

const (
	handedMost = 8          // messages that have not come to the peer's host yet, or not left: more are refused
	noRequest  = ^uint64(0) // number of the work request of a message that has none
)

var errUnheard = errors.New("sim: what was handed over gets no answer")

// hands is the queue pair of a connection that is handed messages, handsTo one of datagrams.
type (
	hands   struct{ *qp }
	handsTo struct{ *qp }
)

// public is q as its program has it.
func (q *qp) public() verbs.QP {
	switch {
	case q.p.d.f.cluster.Hands == 0:
		return q
	case q.cfg.Type == verbs.RC:
		return hands{q}
	}
	return handsTo{q}
}

// qpOf is the reverse of public; nil if it is of another device.
func qpOf(v verbs.QP) *qp {
	switch v := v.(type) {
	case *qp:
		return v
	case hands:
		return v.qp
	case handsTo:
		return v.qp
	}
	return nil
}

// SendNow sends b, which is registered with lkey, as an unsignaled Send, if it is short and nothing waits to be sent. The last bytes of b
// are those of late, which need not be registered; they are copied to b afterwards. Else it answers false and has done nothing.
func (h hands) SendNow(b, late []byte, lkey uint32) bool {
	q, d := h.qp, h.p.d
	list := []verbs.SGE{{Buf: b, LKey: lkey}}
	if q.peer == nil || !q.mayHand(len(b)) || d.regions.LocalList(q.p.num, list, false) != nil {
		return false
	}
	first := b[:len(b)-len(late)]
	if d.counts.handed++; d.counts.handed%4 == 0 && !q.sends.Full() {
		copy(b[len(first):], late)
		if _, err := q.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: list}}); err != nil {
			q.fail(err)
		}
		return true
	}
	p := q.handedPacket(first, late)
	p.to, p.toEpoch, p.dst = q.peer, q.peer.epoch, q.peer.port
	copy(b[len(first):], late)
	q.handOver(p)
	return true
}

// Rebase has work requests that are not done, and gather what begins b and another piece, take that from b, too, where it has been copied.
func (h hands) Rebase(b []byte, lkey uint32) { h.sends.Rebase(b, lkey) }

// SendNow sends b, which is registered, as an unsignaled Send to queue pair num at an address, if it is short and nothing waits to be sent.
// Else it answers false and has done nothing.
func (h handsTo) SendNow(at verbs.AH, num uint32, b []byte) bool {
	q, d := h.qp, h.p.d
	a, mine := at.(*ah)
	if !mine || a.p.d != d || a.closed || a.Addr().Addr().IsMulticast() || d.tap != nil || len(b) > d.f.caps.MaxDatagram || !q.mayHand(len(b)) {
		return false
	}
	d.counts.handed++
	p := q.handedPacket(b, nil)
	p.dest, p.destQP, p.source = a.Addr(), num, q.addr
	p.dst = d.f.portAt(p.dest.Addr())
	q.handOver(p)
	return true
}

// mayHand tells whether a Send of n bytes may be handed over now, as far as the queue pair goes.
func (q *qp) mayHand(n int) bool {
	return !q.dead() && q.state == verbs.RTS && !q.leaving && !q.cfg.SignalAll && q.sends.Waiting() == 0 && q.onWay < handedMost && n <= q.p.d.f.cluster.Hands
}

// handedPacket makes a Send of two pieces of memory.
func (q *qp) handedPacket(first, second []byte) *packet {
	p := q.p.d.f.packet()
	p.op, p.from, p.fromEpoch, p.number, p.src = verbs.Send, q, q.epoch, noRequest, q.port
	p.data = append(append(p.data[:0], first...), second...)
	p.n, p.captured, p.handed = len(p.data), true, true
	return p
}

// handOver has a message leave in its turn.
func (q *qp) handOver(p *packet) {
	d := q.p.d
	q.onWay++
	p.ready = q.charge(verbs.Send, p.n)
	q.handed.push(p)
	q.request.kick(d.f.s.Now())
	d.f.s.Charge(d.f.cost.doorbell)
}

// accounted notes that a message that was handed over has come to the peer's host, or has left if it is a datagram.
func (p *packet) accounted() {
	if q := p.from; p.handed && q.epoch == p.fromEpoch {
		p.handed = false
		q.onWay--
		q.leave()
	}
}

// unheard ends a connection if something that was handed over has found no answer.
func (q *qp) unheard() {
	if q.onWay > 0 {
		q.fail(errUnheard)
	}
}
