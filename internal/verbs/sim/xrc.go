package sim

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// A queue pair of type XRC talks to every process of a node over one connection to that node, which is made
// when the first message goes there. Its sender names the queue pair of the peer, from whose receives the
// message takes one. Work that cannot be done fails, and what follows it goes on: the interface has made
// the connection anew.

// findWay finds the queue pair that a message is for, and tells when the connection to its node stands.
// Without a peer the message ends as Unreachable.
func (q *qp) findWay(p *packet, s *nic.Sending) int64 {
	f := q.p.d.f
	p.dest = s.WR.AH.Addr()
	to := f.bound[p.dest]
	if to == nil || to.cfg.Type != verbs.XRC || to.dead() || s.WR.DestQP != 0 && s.WR.DestQP != to.num {
		return 0
	}
	p.to, p.toEpoch, p.dst = to, to.epoch, to.port
	way, ready := q.ways[to.port.node], int64(0)
	if way == nil {
		way = new(flow)
		if q.ways == nil {
			q.ways = map[*node]*flow{}
		}
		q.ways[to.port.node] = way
		q.p.d.counts.connections++
		to.p.d.counts.connections++ // the other end, which all processes there share
		ready = f.s.Now() + 2*(f.cost.connect.get()+f.cost.trip(q.port, to.port))
	}
	p.way = way
	return ready
}

// context is whose state the interface needs to send the flow's message.
func (w *flow) context() *flow {
	if w.cur.way != nil {
		return w.cur.way
	}
	return w
}

// sender is who sent a message, where completions tell.
func (p *packet) sender() (netip.AddrPort, uint32) {
	if p.from.cfg.Type != verbs.XRC {
		return netip.AddrPort{}, 0
	}
	return p.from.addr, p.from.num
}

// discard gives back a packet that cannot be delivered because its receiver is gone. The requester on XRC,
// whose connection stands, gets no answer.
func (f *Fabric) discard(p *packet) {
	if q := p.requester(); q.cfg.Type == verbs.XRC {
		st := f.step(stepDone)
		st.q, st.epoch, st.number, st.status = q, p.fromEpoch, p.number, verbs.Unreachable
		if p.answer {
			st.epoch = p.toEpoch
		}
		f.promise(f.s.Now()+f.cost.retry.get(), st, q.sendCQ)
	}
	f.free(p)
}

// drop discards all packets of a queue.
func (q *qp) drop(l *packets) {
	f := q.p.d.f
	for p := l.pop(); p != nil; p = l.pop() {
		if p.to == nil {
			f.free(p)
			continue
		}
		f.discard(p)
	}
}
