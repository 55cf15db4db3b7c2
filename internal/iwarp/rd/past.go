package rd

// life names an epoch of a peer.
type life[K comparable] struct {
	peer  K
	epoch uint16
}

// past remembers the epochs that peers have left, so that a late datagram cannot bring one back to life and be
// delivered a second time.
type past[K comparable] struct {
	limit int
	known map[life[K]]struct{}
	queue []remembered[K] // a ring, oldest first
	head  int
	count int
}

type remembered[K comparable] struct {
	life[K]
	until int64
}

// has tells whether a peer has left an epoch not long ago.
func (p *past[K]) has(now int64, peer K, epoch uint16) bool {
	p.expire(now)
	_, ok := p.known[life[K]{peer, epoch}]
	return ok
}

// bury remembers an epoch until a time, which never lies before that of an earlier call. It refuses when too many are
// remembered: then the old epoch must live on for a while.
func (p *past[K]) bury(now, until int64, peer K, epoch uint16) bool {
	p.expire(now)
	l := life[K]{peer, epoch}
	if _, ok := p.known[l]; ok {
		return true
	}
	if p.count == p.limit {
		return false
	}
	if p.count == len(p.queue) {
		p.enlarge()
	}
	p.queue[(p.head+p.count)%len(p.queue)] = remembered[K]{l, until}
	p.count++
	p.known[l] = struct{}{}
	return true
}

func (p *past[K]) enlarge() {
	larger := make([]remembered[K], min(p.limit, max(16, 2*len(p.queue))))
	for i := range p.count {
		larger[i] = p.queue[(p.head+i)%len(p.queue)]
	}
	p.queue, p.head = larger, 0
}

func (p *past[K]) expire(now int64) {
	for p.count > 0 && p.queue[p.head].until <= now {
		delete(p.known, p.queue[p.head].life)
		p.queue[p.head] = remembered[K]{}
		p.head = (p.head + 1) % len(p.queue)
		p.count--
	}
}
