package progress

import (
	"maps"
	"slices"
)

// reaching tells that nothing can be sent to a peer before its connection stands.
func (l *Loop) reaching(peer int) bool {
	d := l.link(peer).Dialer
	return d != nil && d.Reaching(peer)
}

// offer has what waits for a peer offered with every flush: in the order of peers, so that nothing depends on chance.
func (l *Loop) offer(peer int, q *packets) {
	if q.offered {
		return
	}
	q.offered = true
	i, _ := slices.BinarySearch(l.offers, peer)
	l.offers = slices.Insert(l.offers, i, peer)
}

// noteReached has what waits for peers offered whose connections stand by now.
func (l *Loop) noteReached() {
	for _, d := range l.dialers {
		for _, peer := range d.Reached() {
			if q := l.backlog[peer]; q != nil && q.first != nil {
				l.offer(peer, q)
			}
		}
	}
}

// dropBacklog drops everything that waits for room.
func (l *Loop) dropBacklog(err error) {
	for _, peer := range slices.Sorted(maps.Keys(l.backlog)) {
		q := l.backlog[peer]
		for q.first != nil {
			p := q.first
			q.pop() // first: a packet without a request is recycled
			l.drop(p, err)
		}
		q.offered = false
	}
	l.offers = l.offers[:0]
	l.backlogged.Store(0)
}
