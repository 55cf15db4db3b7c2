package rail

// retry offers frames again that found no room.
func (l *Link) retry() (moved bool) {
	if len(l.stuck) == 0 {
		return false
	}
	stuck := l.stuck
	l.stuck = l.stuckSpare[:0]
	for _, p := range stuck {
		for len(p.unsent) > 0 && p.open() {
			batch := p.unsent[:min(len(p.unsent), cap(l.batch))]
			n := p.carry(batch)
			for _, b := range batch[:n] {
				b.unhold()
			}
			p.unsent = p.unsent[n:]
			moved = moved || n > 0
			if n == 0 {
				break
			}
		}
		if len(p.unsent) > 0 && p.open() {
			l.stuck = append(l.stuck, p)
		}
	}
	l.stuckSpare = stuck[:0]
	return moved
}

// forget empties unsent: its frames are in the stream, and whoever makes a new carrier sends them again.
func (p *peer) forget() {
	for _, b := range p.unsent {
		b.unhold()
	}
	p.unsent = nil
	if l := p.link; l.holder == p {
		l.batch, l.holder, l.held = l.batch[:0], nil, 0
	}
}

// resend puts a frame on its way again: after a loss, or over a new connection.
func (p *peer) resend(_ uint32, b *buffer) {
	if b.bare {
		p.torn = true
		return
	}
	b.again = true
	p.link.Counters.Resent++
	p.add(b)
}

// replay sends everything over a new carrier that the peer has not got.
func (p *peer) replay(expected uint32) {
	p.forget()
	p.out.Acked(expected, expected, p.link.now, release)
	if oldest := p.next - uint32(p.out.InFlight()); before(expected, oldest) {
		expected = oldest // datagrams have brought news since it said so
	}
	if err := p.out.Replay(expected, p.link.now, p.resend); err != nil {
		p.lose(err)
		return
	}
	p.flush()
	if p.torn {
		p.lose(errBare)
	}
}
