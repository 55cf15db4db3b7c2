package model

import "github.com/weft-mpi/weft/internal/plan"

// send posts a message. A short one leaves at once, a long one waits until its receiver wants it.
func (s *run) send(i, step int32, st *plan.Step) {
	r, peer := &s.ranks[i], &s.ranks[st.Peer]
	p := posted{step: step, bytes: st.Src.Len}
	n := float64(st.Src.Len)
	switch {
	case r.node == peer.node && n <= s.m.NearLong:
		r.now += s.m.Near
		s.copies(r, s.m.Copy*n)
		p.at = r.now + s.m.NearWay
		s.end(i, step)
	case r.node == peer.node:
		r.now += s.m.Near
		p.at, p.long = r.now+s.m.NearWay, true
	case st.Way == plan.Copied || st.Way == plan.Auto && n <= s.m.FarLong:
		r.now += s.m.Far + (s.m.Touch+s.m.Copy)*n
		p.at = s.wire(r.node, peer.node, st, r.now)
		s.end(i, step)
	default:
		r.now += s.m.Far
		p.at, p.long = r.now, true
	}
	l := s.lane(i, st.Peer)
	l.sends = append(l.sends, p)
	s.meet(i, st.Peer, l)
}

// wire moves the bytes of a message between nodes from when they are ready, and returns when they are there.
func (s *run) wire(from, to *node, st *plan.Step, ready float64) float64 {
	rail, stripes := 0, 1.0
	if s.rails > 1 {
		if st.Rail > 0 {
			rail = int(st.Rail-1) % s.rails
		} else {
			stripes = float64(s.rails)
		}
	}
	n := float64(st.Src.Len) / stripes
	begin := max(ready, from.out[rail])
	from.out[rail] = begin + s.m.FarGap + s.perByte(begin < from.in[rail])*n
	come := max(begin+s.m.FarWay, to.in[rail])
	took := s.perByte(come < to.out[rail]) * n
	to.in[rail] = come + s.m.FarGap + took
	return max(come+took, from.out[rail]+s.m.FarWay)
}

// perByte is the time of a byte on a rail; duplex tells that bytes move the other way, too.
func (s *run) perByte(duplex bool) float64 {
	if duplex {
		return max(s.m.Byte, 2*s.m.Both)
	}
	return s.m.Byte
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
	n := float64(send.bytes)
	switch near := a.node == b.node; {
	case near && !send.long:
		s.at(send.at, to, recv.step, s.m.Near+s.m.Copy*n)
	case near:
		both := max(send.at, recv.at)
		took := s.m.Near + s.m.Fetch + s.m.Copy*n
		s.at(both, to, recv.step, took)
		s.at(both+took+s.m.NearWay, from, send.step, s.m.Near)
	case !send.long:
		s.at(send.at, to, recv.step, s.m.Far+(s.m.Touch+s.m.Copy)*n)
	case a.plan.Steps[send.step].Way == plan.Auto: // offered, then asked for
		s.later(event{at: max(send.at+s.m.FarWay, recv.at), rank: to, step: recv.step, kind: asks, peer: from, far: send.step})
	default: // announced: the sender hears of the receive
		s.later(event{at: max(recv.at+s.m.Far+s.m.FarWay, send.at), rank: from, step: send.step, kind: puts, peer: to, far: recv.step})
	}
}

// asked has the receiver ask for a message that it was offered, and the bytes come.
func (s *run) asked(e event) {
	to := &s.ranks[e.rank]
	to.now = max(to.now, e.at) + 2*s.m.Far
	s.move(e.peer, e.far, e.rank, e.step, to.now+s.m.FarWay)
}

// put has the sender send a message whose receiver has told where it goes.
func (s *run) put(e event) {
	from := &s.ranks[e.rank]
	from.now = max(from.now, e.at) + 2*s.m.Far
	s.move(e.rank, e.step, e.peer, e.far, from.now)
}

// move lets the bytes of a long message go to where they belong from when they are ready.
func (s *run) move(from, sent, to, came int32, ready float64) {
	a, b := &s.ranks[from], &s.ranks[to]
	st := &a.plan.Steps[sent]
	touch := s.m.Touch * float64(st.Src.Len)
	there := s.wire(a.node, b.node, st, ready+touch)
	s.at(there, to, came, s.m.Far+touch)
	s.at(there+s.m.FarWay, from, sent, s.m.Far)
}
