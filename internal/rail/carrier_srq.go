package rail

// srq carries streams over connections, which take their receives from one queue.
type srq struct{}

func (srq) reach(p *peer, c class) bool {
	if c.long() {
		p.dialBulk()
		return true
	}
	p.dial(express, p.hintedPath())
	return false
}

func (srq) send(p *peer, frames []*buffer) int { return p.post(frames) }

func (srq) admit(*peer) bool { return true }

func (srq) gone(*peer) {}

func (srq) recover(ln *lane, _ bool) {
	if p := ln.peer; p.needed() {
		p.dial(express, p.nextPath(ln.path))
	}
}

func (srq) earn(*peer, *lane) {}

func (srq) word(p *peer, _ kind, _ []byte, _ *lane) { p.link.Counters.BadFrames++ }
