package sim

import "slices"

// The broadcast of the hardware, where a profile has one (multicast is 2): what is sent to a group leaves
// once, the switches copy it, and every node of the group takes it in once, into memory that its processes
// share. It comes in order and is never lost: a member that has no receive for it holds up what follows,
// for itself alone.

// broadcast sends a message to all interfaces that have members of its group.
func (f *Fabric) broadcast(st *step) {
	var reached []*port
	for _, q := range f.groups[st.p.dest] {
		if slices.Contains(reached, q.port) {
			continue
		}
		reached = append(reached, q.port)
		one := f.copyTo(st, q)
		one.p.dest, one.p.sure = st.p.dest, true
		f.at(one.start, one)
	}
	f.forget(st)
}

// landBroadcast has all members behind an interface notice at a time what has come to it.
func (f *Fabric) landBroadcast(p *packet, at int64) {
	for _, q := range f.groups[p.dest] {
		if q.port != p.dst {
			continue
		}
		next := f.step(stepDeliver)
		next.p = p.clone(f)
		next.p.dest = q.addr
		f.promise(max(at, q.arrives), next, f.tells(next.p))
		q.arrives = max(at, q.arrives)
	}
	f.free(p)
}

// queueBroadcast keeps a message of a broadcast that cannot be taken now, and tells whether it did.
func (q *qp) queueBroadcast(p *packet) bool {
	switch {
	case !p.sure:
		return false
	case q.hungry.first != nil:
		q.hungry.push(p)
		return true
	case q.receives().Len() == 0:
		q.starve(p)
		return true
	}
	return false
}
