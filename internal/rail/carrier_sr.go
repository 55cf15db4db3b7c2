package rail

// sr carries streams over connections that have receives of their own: few at first, and the full set once
// a peer has sent much, by whatever way: what is written into a ring consumes a receive, too. There is
// credit for so many frames.
type sr struct{ srq }

func (sr) earn(p *peer, ln *lane) {
	l := p.link
	if ln.recvs > 0 && ln.recvs < l.cfg.SRFull && p.received > uint64(2*l.cfg.RingAfter) {
		ln.provide(l.cfg.SRFull)
		p.full = true
		l.Counters.FullSets++
		p.owe(false) // the peer may wait for the credit
	}
}
