package rail

// hasty is a queue pair that can send a short frame at once, without a work request.
type hasty interface {
	// SendNow sends b, which is registered with lkey, as an unsignaled Send, or answers false and has done nothing.
	SendNow(b []byte, lkey uint32) bool
}

// leaveNow sends a frame of the stream that is neither to wait for others nor has others before it. It answers false if it has to
// go the usual way.
func (p *peer) leaveNow(b *buffer) bool {
	l, ln := p.link, p.express
	if ln == nil || ln.hasty == nil || b.via != nil || b.user != nil || len(l.batch)+len(p.unsent) > 0 || p.ring.out.slots > 0 {
		return false
	}
	p.stamp(b.mem)
	if !ln.hasty.SendNow(b.mem[:b.n], b.lkey) {
		return false
	}
	p.heed()
	p.noteShort()
	return true
}
