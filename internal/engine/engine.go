package engine

import (
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// Engine is the protocol state of one rank.
type Engine struct {
	posted     match.Posted[*Req]
	unexpected *match.Unexpected[*Message]
	probes     []*Req
	ids        []*Req // requests that a peer may name, by id-1
	freeIDs    []uint32
	out        []Action

	pool
	cfg       Config
	spec      *speculation // nil until a link speculates
	announced announcements
	paces     []pace           // by peer
	lost      map[int]error    // why nothing comes of a peer; not nil either where receives from any source end
	bereft    map[uint32]error // why receives from any source end, by context
	crowd     crowd
	joined    []*Message // out of the queue, with a receive that waits for their pieces; rarely any
	place     Place
	now       int64    // as of the last Tick
	dead      ctxSet   // of communicators that were freed
	excused   ctxSet   // of communicators that were given up
	missed    []Status // messages of dead contexts that are not excused

	// UnexpectedBytes is how much payload waits for receives.
	UnexpectedBytes int
	Counters        Counters
}

// pool is what an engine keeps in order not to allocate it again.
type pool struct {
	freeMsg   *Message     // messages
	kept      int          // how many
	keptBytes int          // and the room of these
	freePkt   *wire.Packet // control packets
	freeGrant *grant
	retired   *grant // grants to keep when their Hide has been carried out
}

const (
	keptMessages = 256     // recycled messages kept at most
	keptBytes    = 1 << 20 // for payload, that all of them may keep
)

// New returns the engine of a rank that has nothing posted.
func New(cfg Config) *Engine {
	return &Engine{unexpected: match.NewUnexpected[*Message](), cfg: cfg.withDefaults()}
}

// Actions returns what the events since the last Clear ask for. The slice may grow while it is being
// carried out: actions that new events ask for are appended.
func (e *Engine) Actions() []Action { return e.out }

// Clear forgets the actions, all of which must have been carried out. The stale pointers behind the
// slice are to requests and packets that are recycled, not freed.
func (e *Engine) Clear() {
	e.out = e.out[:0]
	if e.retired != nil {
		e.recycleGrants()
	}
}

// Tick tells the time, in nanoseconds. Whoever drives the engine calls it before a long message is
// posted and before an RTS or a FIN arrives: how long messages take, and how much earlier than
// theirs receives are there, is learnt from it.
func (e *Engine) Tick(now int64) { e.now = now }

// EndedOnly tells whether all that the events since the last Clear ask for is to complete r.
func (e *Engine) EndedOnly(r *Req) bool {
	return len(e.out) == 1 && e.out[0].Kind == Complete && e.out[0].Req == r
}

func (e *Engine) act(a Action) { e.out = append(e.out, a) }

// finish completes r with err.
func (e *Engine) finish(r *Req, err error) {
	if r.id != 0 {
		e.unname(r)
	}
	r.Err, r.state = err, complete
	e.out = append(e.out, Action{Kind: Complete, Req: r})
}

// nameID gives r a number that peers can send back.
func (e *Engine) nameID(r *Req) uint32 {
	if r.id != 0 {
		return r.id
	}
	if n := len(e.freeIDs); n > 0 {
		r.id = e.freeIDs[n-1]
		e.freeIDs = e.freeIDs[:n-1]
		e.ids[r.id-1] = r
	} else {
		e.ids = append(e.ids, r)
		r.id = uint32(len(e.ids))
	}
	return r.id
}

// unname ends all that peers could name r for.
func (e *Engine) unname(r *Req) {
	e.revoke(r)
	switch {
	case !r.Queued():
	case r.state == mute:
		e.announced.mute.Remove(&r.Entry)
	case r.state.unanswered():
		e.spec.offers.Remove(&r.Entry)
	default:
		e.forgive(r)
	}
	e.ids[r.id-1] = nil
	e.freeIDs = append(e.freeIDs, r.id)
	r.id = 0
}

// known returns the request with a number, or nil.
func (e *Engine) known(id uint32) *Req {
	if id == 0 || int(id) > len(e.ids) {
		return nil
	}
	return e.ids[id-1]
}

// control returns a packet without payload for peer; Gone recycles it.
func (e *Engine) control(peer int, h wire.Header) *wire.Packet {
	p := e.freePkt
	if p == nil {
		p = new(wire.Packet)
	} else {
		e.freePkt = p.Next
	}
	*p = wire.Packet{Header: h, Peer: peer}
	return p
}

// Gone tells that the link has taken all of a packet.
func (e *Engine) Gone(p *wire.Packet) {
	r, ok := p.Owner.(*Req)
	if !ok {
		if g, ok := p.Owner.(*grant); ok {
			e.grantGone(g)
			return
		}
		p.Next = e.freePkt
		e.freePkt = p
		return
	}
	switch r.state {
	case sending, pushing:
		e.finish(r, r.Err)
	case offering:
		r.state = offered
	case called:
		e.push(r, r.dest.recv, r.dest.room)
	case taking:
		e.startWrite(r)
	}
}

// Drop ends the request of a packet that will never leave, with err.
func (e *Engine) Drop(p *wire.Packet, err error) {
	if r, ok := p.Owner.(*Req); !ok {
		e.Gone(p)
	} else if r.state != complete {
		e.finish(r, err)
	}
}

// Fail ends every request with err: the job is over, nothing will arrive any more. Payload that a
// link is still moving is the caller's business.
func (e *Engine) Fail(err error) {
	e.posted.Each(func(en *match.Entry[*Req]) {
		e.posted.Remove(en)
		e.finish(en.Value, err)
	})
	e.endProbes(func(*Req) bool { return true }, err)
	for _, r := range e.ids {
		if r != nil {
			e.finish(r, err)
		}
	}
}
