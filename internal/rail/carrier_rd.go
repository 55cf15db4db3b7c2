package rail

// rd carries streams in datagrams that the device repairs. Its queue pair reads and writes peers'
// memory, too: a bulk lane stands for that, which is but an address.
type rd struct{ ud }

func (rd) reach(p *peer, c class) bool {
	if c == express && !p.address() {
		return false
	}
	if l := p.link; p.lanes[1] == nil && p.reach() {
		p.lanes[1] = &lane{peer: p, class: bulk, state: up, qp: l.dgramQP, num: l.dgramNum, ah: p.ah}
		p.pathUp(0, false)
	}
	return true
}
