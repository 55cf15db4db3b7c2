package rail

// ud carries streams in datagrams, which may get lost: package flow repairs that.
type ud struct{ srq }

func (ud) reach(p *peer, c class) bool { return c.long() || p.address() }

// recover leaves it to the datagrams.
func (ud) recover(*lane, bool) {}

// address makes the address to which the peer's datagrams go, and tells whether it could.
func (p *peer) address() bool {
	l, to := p.link, &p.rails[p.paths[0].remote]
	ah, err := l.pd.NewAH(to.datagramTo())
	if err != nil {
		p.lose(err)
		return false
	}
	ah.Bound(int(to.most))
	p.ah, p.dgramQ = ah, to.dgramQ
	l.byAddr[to.datagramTo()] = p
	p.out.SetTimed(!l.traits.reliable, l.now)
	return true
}
