package rail

import "github.com/weft-mpi/weft/internal/verbs"

// hasty is a queue pair that can send a short frame at once, without a work request.
type hasty interface {
	// SendNow sends b, which is registered with lkey, as an unsignaled Send, or answers false and has done nothing.
	SendNow(b []byte, lkey uint32) bool
}

// hastyTo is the same of a queue pair of datagrams.
type hastyTo interface {
	// SendNow sends b, which is registered, as an unsignaled Send to queue pair num, or answers false and has done nothing.
	SendNow(at verbs.AH, num uint32, b []byte) bool
}

// leaveNow sends a frame of the stream that is neither to wait for others nor has others before it. It answers false if it has to
// go the usual way.
func (p *peer) leaveNow(b *buffer) bool {
	if b.via != nil || b.user != nil || len(p.link.batch)+len(p.unsent) > 0 || p.ring.out.slots > 0 || !p.hand(b) {
		return false
	}
	p.heed()
	p.noteShort()
	return true
}

// hand gives a frame to the express lane, or sends it as a datagram, if that can be done at once.
func (p *peer) hand(b *buffer) bool {
	p.stamp(b.mem)
	if ln := p.express; ln != nil {
		return ln.hasty != nil && ln.hasty.SendNow(b.mem[:b.n], b.lkey)
	}
	l := p.link
	return p.ah != nil && l.hastyTo != nil && l.hastyTo.SendNow(p.ah, p.dgramQ, b.mem[:b.n])
}
