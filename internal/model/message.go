package model

import "github.com/weft-mpi/weft/internal/plan"

// send posts a message. A short one leaves at once, a long one waits until its receiver wants it.
func (s *run) send(i, at int32, st *plan.Step) {
	r, peer, n := &s.ranks[i], &s.ranks[st.Peer], st.Src.Len
	p := posted{step: at, bytes: n}
	switch near := r.node == peer.node; {
	case near && n <= s.nearLong:
		r.now += s.near
		s.work(r, s.copy.of(n))
		p.at = r.now + s.nearWay
		s.end(i, at)
	case near:
		r.now += s.near
		p.at, p.long = r.now+s.nearWay, true
	case st.Way == plan.Copied || st.Way == plan.Auto && n <= s.farLong:
		r.now += s.far * ticks(1+n/packet)
		p.at = s.wire(r.node, peer.node, st, r.now+s.pass(min(n, piece)))
		r.now += s.pass(n)
		s.end(i, at)
	default:
		r.now += s.far
		p.at, p.long = r.now, true
	}
	l := s.lane(i, st.Peer)
	l.sends = append(l.sends, p)
	s.meet(i, st.Peer, l)
}

// wire moves the bytes of a message between nodes from when they are ready, and returns when they
// are there. One that names no rail is cut over all of them.
func (s *run) wire(from, to *node, st *plan.Step, ready ticks) ticks {
	rail, n := 0, st.Src.Len
	switch {
	case st.Rail > 0:
		rail = int(st.Rail-1) % s.rails
	default:
		n /= s.rails
	}
	begin := max(ready, from.out[rail])
	from.out[rail] = begin + s.farGap + s.onRail(n, begin < from.in[rail])
	come := max(begin+s.farWay, to.in[rail])
	took := s.onRail(n, come < to.out[rail])
	to.in[rail] = come + s.farGap + took
	return max(come+took, from.out[rail]+s.farWay)
}

// onRail is the time of bytes on a rail; both tells that others move the other way.
func (s *run) onRail(n int, both bool) ticks {
	if both {
		return s.bothWay.of(n)
	}
	return s.oneWay.of(n)
}

// meet completes messages that are posted at both ends.
func (s *run) meet(from, to int32, l *lane) {
	for len(l.sends) > 0 && len(l.recvs) > 0 {
		send, recv := l.sends[0], l.recvs[0]
		l.sends, l.recvs = l.sends[1:], l.recvs[1:]
		s.deliver(from, to, send, recv)
	}
}

// deliver lets a message arrive.
func (s *run) deliver(from, to int32, send, recv posted) {
	a, b := &s.ranks[from], &s.ranks[to]
	switch near := a.node == b.node; {
	case near:
		s.later(event{at: max(send.at, recv.at), rank: to, step: recv.step, kind: takes, peer: from, far: send.step, long: send.long})
	case !send.long:
		all := s.pass(send.bytes)
		s.at(send.at-all+s.pass(min(send.bytes, piece)), to, recv.step, s.far*ticks(1+send.bytes/packet)+all)
	case a.plan.Steps[send.step].Way == plan.Auto: // offered, then asked for
		s.later(event{at: max(send.at+s.farWay, recv.at), rank: to, step: recv.step, kind: asks, peer: from, far: send.step})
	default: // announced: the sender hears of the receive
		s.later(event{at: max(recv.at+s.far+s.farWay, send.at), rank: from, step: send.step, kind: puts, peer: to, far: recv.step})
	}
}

// taken has the receiver copy a message of its node. The sender of one that it fetches helps if it
// has nothing else to do, and is told.
func (s *run) taken(e event) {
	to := &s.ranks[e.rank]
	to.now = max(to.now, e.at) + s.near
	all := s.copy.of(to.plan.Steps[e.step].Dst.Len)
	if !e.long {
		s.work(to, all)
		s.ended(e.rank, e.step)
		return
	}
	to.now += s.fetch
	from := &s.ranks[e.peer]
	if helps := !to.node.shared && from.now <= to.now; helps {
		all = all * 1024 / s.help
		from.now = to.now
		s.work(from, all)
	}
	s.work(to, all)
	s.at(to.now+s.nearWay, e.peer, e.far, s.near)
	s.ended(e.rank, e.step)
}

// asked has the receiver ask for a message that it was offered, and the bytes come.
func (s *run) asked(e event) {
	to := &s.ranks[e.rank]
	to.now = max(to.now, e.at) + 2*s.far
	s.move(e.peer, e.far, e.rank, e.step, to.now+s.farWay)
}

// put has the sender send a message whose receiver has told where it goes.
func (s *run) put(e event) {
	from := &s.ranks[e.rank]
	from.now = max(from.now, e.at) + 2*s.far
	s.move(e.rank, e.step, e.peer, e.far, from.now)
}

// move lets the bytes of a long message go to where they belong from when they are ready.
func (s *run) move(from, sent, to, came int32, ready ticks) {
	a, b := &s.ranks[from], &s.ranks[to]
	st := &a.plan.Steps[sent]
	touch, first := s.touch.of(st.Src.Len), s.touch.of(min(st.Src.Len, piece))
	a.now = max(a.now, ready) + touch
	there := s.wire(a.node, b.node, st, ready+first)
	s.at(max(there, a.now)-touch+first, to, came, s.far+touch)
	s.at(there+s.farWay, from, sent, s.far)
}

// piece is how many bytes of a message a processor passes on at a time: it works on the next ones
// while these are on the rail.
const piece = 16 << 10

// packet is how much of a message that goes at once is sent at a time.
const packet = 32 << 10

// pass is the processor time of bytes that are copied on their way.
func (s *run) pass(n int) ticks { return s.touch.of(n) + s.copy.of(n) }
