package rail

// timers are the link's time, and who has something to do at some.
type timers struct {
	now      int64
	recent   bool // now was read by one of the last calls of Ready
	polls    int
	nextTick int64
	timed    []*peer // have something to do at some time
	ackable  []*peer // are to be told what we have got
}

// heed makes sure that what the peer has to do at some time is done then.
func (p *peer) heed() {
	at := p.due()
	if at == 0 {
		return
	}
	l := p.link
	if !p.timed {
		p.timed = true
		l.timed = append(l.timed, p)
	}
	if l.nextTick == 0 || at < l.nextTick {
		l.nextTick = at
	}
}

// due is when the peer has something to do next, 0 for never.
func (p *peer) due() int64 {
	if p.lost != nil {
		return 0
	}
	at := int64(0)
	if p.open() {
		at = earliest(p.out.Due(), p.in.Due())
	}
	if p.express == nil && p.link.traits.connects || p.bulk.waits() {
		for slot := range p.berths {
			if when := p.berths[slot].retryAt; when != 0 && p.lanes[slot] == nil && p.needed() {
				at = earliest(at, when)
			}
		}
		if p.away != 0 && p.needed() {
			at = earliest(at, p.away+p.link.cfg.PeerWait)
		}
	}
	if len(p.words) > 0 {
		at = earliest(at, p.link.now+1e6)
	}
	return earliest(at, p.quietAt)
}

func earliest(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Due is when Poll must be called though nothing arrives, in nanoseconds of clock.Now; 0 for never.
func (l *Link) Due() int64 { return l.nextTick }

// tick does what is due and finds out when to look again.
func (l *Link) tick() (moved bool) {
	l.nextTick = 0
	l.mem.Cache.Trim()
	timed := l.timed
	l.timed = nil
	for _, p := range timed {
		p.timed = false
		if p.lost == nil {
			p.attend()
			moved = true
		}
		p.heed()
	}
	if l.nextTick > l.now { // many peers' times lie close together: they are seen to at once, a little late
		l.nextTick = max(l.nextTick, l.now+tickGap)
	}
	return moved
}

// tickGap is how many nanoseconds lie between ticks at least, unless something has to be done at once.
const tickGap = 100_000

// attend does what is due for a peer.
func (p *peer) attend() {
	l := p.link
	if at := p.out.Due(); at != 0 && at <= l.now {
		if p.out.Expire(l.now, p.resend) {
			p.lose(errSilent)
			return
		}
		p.flush()
	}
	if p.in.AckDue(l.now) {
		p.owe(true)
	}
	if len(p.words) > 0 {
		p.sayAll()
	}
	p.rest()
	if !p.needed() {
		return
	}
	if p.away != 0 && l.now-p.away > l.cfg.PeerWait {
		p.lose(p.why)
		return
	}
	if p.express == nil && !l.traits.datagrams {
		p.dial(express, p.berths[0].tries%len(p.paths))
	}
	p.pump()
	for slot := range p.berths { // done, or waiting for an event
		if at := &p.berths[slot]; at.retryAt <= l.now {
			at.retryAt = 0
		}
	}
}

// Urgent tells whether somebody has to poll though nobody waits: datagrams may have to be sent again, or a connection
// has to be made again for what was sent, or short messages wait for more of their kind.
func (l *Link) Urgent() bool {
	l.takeAck()
	if l.holder != nil {
		return true
	}
	for _, p := range l.timed {
		if p.out.Due() != 0 || p.away != 0 && p.needed() {
			return true
		}
	}
	return false
}

// rest closes the connections of a peer with whom nothing was exchanged for a while, and gives back what they had: they
// are made again when there is something to say. A peer that may be reading our memory is not
// quiet, though we hear nothing, nor is one whose memory we read or write for longer than that.
func (p *peer) rest() {
	l := p.link
	if p.quietAt == 0 || p.quietAt > l.now {
		return
	}
	p.quietAt = l.now + l.cfg.Quiet
	sum := p.sent + p.received + p.bulk.parts
	if sum != p.quietSum || p.needed() || p.moving() || p.bulk.exposed+l.mem.Windows() > 0 || p.in.Due() != 0 || p.expecting() {
		p.quietSum = sum
		return
	}
	p.quietAt = 0
	for _, ln := range p.lanes {
		if ln != nil && ln.ah == nil {
			ln.lostTo()
		}
	}
	p.in.Rest()
	p.out.Rest()
	l.trim()
	l.Counters.Rested++
}

// expecting tells that a connection is being made, or that the peer has asked for one and said nothing on
// it yet. It has a reason to, but may look so rarely that it would find the connection closed each time. If
// it has lost the reason it closes the connection itself.
func (p *peer) expecting() bool {
	for _, ln := range p.lanes {
		if ln != nil && ln.state != up {
			return true
		}
	}
	ln := p.express
	return ln != nil && !ln.ours && ln.ah == nil && p.received == ln.heard
}

// trim gives back memory that nobody uses any more.
func (l *Link) trim() {
	for _, p := range l.pools {
		p.trim()
	}
}

// Idle tells whether peers have everything that was sent to them, and know that we have what they sent.
func (l *Link) Idle() bool {
	l.takeAck()
	for i := range l.known {
		at := (l.idleFrom + i) % len(l.known) // who was not idle when somebody last asked
		if p := l.known[at]; p.lost == nil && (p.needed() || p.open() && p.in.Due() != 0) {
			l.idleFrom = at
			return false
		}
	}
	return len(l.finished) == 0
}

// Arm tells that nobody polls from now on: the device goes on by itself, with what we have posted and with
// what peers read and write, and rings the bell when something comes. Who wants to sleep until then looks
// once more first: nothing is caught by that, because nobody may be there to see to it.
func (l *Link) Arm() {
	l.armed = true
	l.cq.Arm(false)
}

// Close ends all connections and gives everything back but the device.
func (l *Link) Close() {
	l.closing = true
	for _, ln := range l.listen {
		_ = ln.Close()
	}
	for _, p := range l.known {
		for _, ln := range p.lanes {
			if ln != nil && ln.ah == nil {
				ln.close()
			}
		}
	}
	if l.dgramQP != nil {
		_ = l.dgramQP.Close()
	}
	l.mem.Close()
}
