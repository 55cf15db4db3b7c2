package rail

import "github.com/weft-mpi/weft/internal/wire"

// hybrid carries streams in datagrams, and over connections with peers that have earned one.
type hybrid struct{ ud }

func (hybrid) reach(p *peer, c class) bool {
	switch {
	case !c.long():
		return p.address()
	case p.express == nil:
		p.ask()
		return false
	}
	p.dialBulk()
	return true
}

func (hybrid) admit(p *peer) bool {
	if l := p.link; !p.climb.counted && l.climbed >= l.cfg.RCMax {
		return false
	}
	p.climb.asked, p.climb.waiting = false, false
	p.count()
	return true
}

func (hybrid) gone(p *peer) {
	if p.ah != nil {
		p.out.SetTimed(true, p.link.now)
	}
	p.uncount()
}

func (hybrid) recover(ln *lane, made bool) {
	if made {
		return
	}
	if ln.ours {
		ln.peer.say(kCnf, []byte{0})
	}
	ln.peer.stayDown()
}

func (hybrid) earn(p *peer, _ *lane) { p.consider() }

// climbState is how far a peer of the hybrid channel is on its way from datagrams to a connection.
type climbState struct {
	asked   bool  // we have sent a request that is not answered
	waiting bool  // we have said yes: the peer connects, or says that it cannot
	after   int64 // we were refused: not before this time
	counted bool  // in Link.climbed
}

// mayClimb tells whether the peer may get a connection now.
func (p *peer) mayClimb() bool {
	l := p.link
	if p.climb.asked || p.climb.waiting || p.lanes[0] != nil {
		return true
	}
	return l.now >= p.climb.after && (p.climb.counted || l.climbed < l.cfg.RCMax)
}

// consider asks for a connection once the peer has earned one.
func (p *peer) consider() {
	if p.mayAsk() {
		p.ask()
	}
}

// mayAsk tells whether the peer has earned a connection that has not been asked for.
func (p *peer) mayAsk() bool {
	return p.express == nil && !p.climb.asked && !p.climb.waiting && p.sent+p.received >= uint64(p.link.cfg.Promote) && p.mayClimb()
}

// ask sends the first of three messages. The connection is only made with the last one.
func (p *peer) ask() {
	if p.climb.asked || p.climb.waiting || p.lanes[0] != nil {
		return
	}
	if !p.mayClimb() {
		p.giveUpBulk(wire.ErrNoPath)
		return
	}
	p.climb.asked = true
	p.say(kReq, nil)
}

// word takes one of the three messages.
func (hybrid) word(p *peer, k kind, body []byte, _ *lane) {
	l := p.link
	switch k {
	case kReq:
		if p.climb.asked && l.cfg.Self < p.rank {
			return // both have asked: the lower rank's request counts
		}
		if p.climb.counted || l.climbed < l.cfg.RCMax {
			p.climb.asked, p.climb.waiting = false, true
			p.count()
			p.say(kRep, []byte{1})
			return
		}
		p.say(kRep, []byte{0})
		if p.climb.asked { // it has not answered our own request, and will not
			p.stayDown()
		}
	case kRep:
		if !p.climb.asked || len(body) != 1 {
			return
		}
		p.climb.asked = false
		if body[0] == 0 || l.climbed >= l.cfg.RCMax && !p.climb.counted {
			l.Counters.ClimbsRefused++
			if body[0] != 0 {
				p.say(kCnf, []byte{0}) // it has kept a place for us
			}
			p.stayDown()
			return
		}
		p.count()
		p.say(kCnf, []byte{1})
		p.dial(express, 0)
	case kCnf:
		if len(body) == 1 && body[0] == 0 { // no after all, or it could not be made
			p.climb.waiting = false
			p.stayDown()
		}
	}
}

// stayDown has the peer keep to datagrams for a while. Others may have its place.
func (p *peer) stayDown() {
	l := p.link
	p.climb.asked = false
	p.climb.after = l.now + climbPause
	p.uncount()
	p.giveUpBulk(wire.ErrNoPath)
}

// climbPause is for how long a peer that was refused a connection does not ask again.
const climbPause = 1e9

// uncount gives the place back that the peer's connection had.
func (p *peer) uncount() {
	if p.climb.counted {
		p.climb.counted = false
		p.link.climbed--
	}
}

func (p *peer) count() {
	if !p.climb.counted {
		p.climb.counted = true
		p.link.climbed++
	}
}
