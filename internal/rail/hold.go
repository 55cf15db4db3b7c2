package rail

// A burst of short messages to one peer leaves in few calls of the device: the first goes at once, and
// those that follow it closely wait for each other until a batch is full, something longer or for somebody
// else is sent, or Poll is called, which every call that waits does. A program that computes instead is
// served by the background, which is told by Urgent.

const (
	holdMax   = 32 << 10  // longest payload of a frame that waits for others
	holdBytes = 256 << 10 // and of all that wait
	holdLong  = 1 << 20   // of messages that follow their RTS unasked: as much as a device hands to its socket in one call
)

// follows tells whether a short payload follows another one so closely that it may wait for more. It is
// copied then, even if its buffer is used often: a call of the device costs more than a copy.
func (p *peer) follows(payload int) bool {
	l := p.link
	if l.cfg.Hold <= 0 || payload > holdMax || p.ring.out.slots > 0 {
		return false
	}
	if p.answered != p.received { // it answers what has come since: no burst, and no time to look at the clock
		p.answered, p.lastShort = p.received, 0
		return false
	}
	now := l.clock.Now()
	burst := now-p.lastShort < l.cfg.Hold
	p.lastShort = now
	return burst
}

// hold tells whether the batch, which ends with a frame that follows another one, still has room for more.
// It waits then.
func (p *peer) hold(payload, most int) bool {
	l := p.link
	if l.held += payload; l.held > most || len(l.batch) == cap(l.batch) || len(p.unsent) > 0 {
		return false
	}
	l.holder = p
	l.Counters.Held++
	return true
}

// sentShort flushes a batch that may not wait. Sending takes longer than bursts' messages are apart, and
// does not end one.
func (p *peer) sentShort() {
	p.flush()
	p.noteShort()
}

// noteShort notes when the last short message left.
func (p *peer) noteShort() {
	if p.link.cfg.Hold > 0 {
		p.lastShort = p.link.clock.Now()
	}
}

// LetGo sends what was held back.
func (l *Link) LetGo() {
	if p := l.holder; p != nil {
		p.flush()
	}
}

// Holds tells whether something waits to be sent together with what may follow.
func (l *Link) Holds() bool { return l.holder != nil }
