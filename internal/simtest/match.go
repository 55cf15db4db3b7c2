package simtest

import (
	"cmp"
	"slices"
)

// stream is what one rank sends another on a communicator's tame layer. Its messages and its receives each
// have an order, so who gets what is certain, wildcards or not: the first receive takes the first message
// that fits it, and so on.
type stream struct {
	comm     *group
	from, to int
}

// match finds out which receive gets which message on the tame layer, sees to it that all do, and makes everybody wait
// late enough.
func (l *layouter) match() {
	l.soleSenders()
	sends, recvs := map[stream][]*sending{}, map[stream][]*receiving{}
	var order []stream
	for _, s := range l.sends {
		if s.layer == tame {
			k := stream{s.comm, s.from, s.to}
			if sends[k] == nil {
				order = append(order, k)
			}
			sends[k] = append(sends[k], s)
		}
	}
	for _, r := range l.recvs {
		if r.want != nil {
			k := stream{r.comm, r.from, r.to}
			recvs[k] = append(recvs[k], r)
		}
	}
	for _, k := range order {
		s, r := sends[k], recvs[k]
		slices.SortFunc(s, func(a, b *sending) int { return a.flight.compare(&b.flight) })
		slices.SortFunc(r, func(a, b *receiving) int { return a.flight.compare(&b.flight) })
		if !meet(s, r) {
			for _, r := range r {
				r.anyTag = false
			}
			meet(s, r) // by tags alone, all find each other
		}
		for _, s := range s {
			l.settle(s, s.met)
		}
	}
}

// compare is the order in which a rank starts things.
func (f *flight) compare(g *flight) int { return cmp.Or(cmp.Compare(f.start, g.start), f.seq-g.seq) }

// meet pairs receives with messages, both in their order, and tells whether all found one.
func meet(sends []*sending, recvs []*receiving) bool {
	for _, s := range sends {
		s.met = nil
	}
	for _, r := range recvs {
		r.met = nil
		i := slices.IndexFunc(sends, func(s *sending) bool { return s.met == nil && (r.anyTag || s.tag == r.tag) })
		if i < 0 {
			return false
		}
		r.met, sends[i].met = sends[i], r
	}
	return true
}

// soleSenders takes receives from anybody back where several senders could meet them.
func (l *layouter) soleSenders() {
	type box struct {
		comm    *group
		to, tag int
	}
	const everything = -1
	senders := map[box]map[int]bool{}
	for _, s := range l.sends {
		if s.layer != tame {
			continue
		}
		for _, tag := range []int{s.tag, everything} {
			b := box{s.comm, s.to, tag}
			if senders[b] == nil {
				senders[b] = map[int]bool{}
			}
			senders[b][s.from] = true
		}
	}
	for _, r := range l.recvs {
		if r.want == nil {
			continue
		}
		tag := r.tag
		if r.anyTag {
			tag = everything
		}
		if len(senders[box{r.comm, r.to, tag}]) > 1 {
			r.anyFrom = false
		}
	}
}

// settle fits the two ends of a message to each other.
func (l *layouter) settle(s *sending, r *receiving) {
	if s.mode == Ready && (r.flight.start >= s.flight.start || r.want.Mode != Ready || r.want.Tag != s.tag || r.want.Bytes != s.bytes) {
		s.mode = Standard
	}
	if r.style != Plain && s.flight.start >= r.flight.start {
		r.style = Plain
	}
	r.room = s.bytes + max(r.want.Room, 0)
	if r.want.Room < 0 {
		r.room, r.mayCut = s.bytes/2, s.bytes > 0
		l.cuts = l.cuts || r.mayCut
	}
	r.flight.take = r.flight.start
	if r.style == Matched || r.style == Claimed {
		r.flight.take += int64(max(r.want.Hold, 0)) * perPlace
	}
	s.flight.legal, r.flight.legal = r.flight.take+1, s.flight.start+1
	s.flight.wait = max(s.flight.wait, s.flight.legal, s.flight.start)
	r.flight.wait = max(r.flight.wait, r.flight.legal, r.flight.take)
}

// ends adds the steps that start messages and receives, and wait for them.
func (l *layouter) ends() {
	for _, s := range l.sends {
		f := &s.flight
		if f.handle == 0 {
			continue // of an exchange
		}
		s.comm.use(s.layer, f.wait)
		l.add(f.rank, step{key: f.start, seq: f.seq, kind: doSend, handle: f.handle, send: s})
		l.add(f.rank, step{key: f.wait, kind: doWait, handle: f.handle, how: f.how})
	}
	for _, r := range l.recvs {
		f := &r.flight
		r.comm.use(r.layer, f.wait)
		l.add(f.rank, step{key: f.start, seq: f.seq, kind: doRecv, handle: f.handle, recv: r})
		if r.held() {
			l.add(f.rank, step{key: f.take, kind: doTake, handle: f.handle, recv: r})
		}
		if r.style == Withdrawn {
			l.add(f.rank, step{key: f.wait, kind: doCancel, handle: f.handle, recv: r})
		} else {
			l.add(f.rank, step{key: f.wait, kind: doWait, handle: f.handle, how: f.how})
		}
	}
}

// join makes one blocking call of a start and the wait that follows it.
func join(steps []*step) []*step {
	var out []*step
	for i, s := range steps {
		if s.kind == doWait && i > 0 && steps[i-1].handle == s.handle && s.how == One && !steps[i-1].kept() {
			steps[i-1].block = true
			continue
		}
		out = append(out, s)
	}
	return out
}

// kept tells whether a step starts a persistent request.
func (s *step) kept() bool {
	return s.kind == doSend && s.send.kept || s.kind == doRecv && s.recv.kept || s.kind == doCollective && (s.coll.Later || s.coll.Turns > 0) || s.kind == doParted
}

// held tells that a message is claimed first and received later.
func (r *receiving) held() bool { return r.flight.take > r.flight.start }
