package engine

import (
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// rget: a long message is offered (RTS) and its receive reads it (FIN says so), or has it pushed
// where the link cannot read.
//
// Such a message costs a round trip before its first byte moves. With a prefix the RTS carries the
// first bytes, as an eager message would, and its key is that of the rest: the receiver asks for
// the rest as soon as the beginning of the RTS is there, and the first bytes arrive meanwhile. The
// receive ends, and FIN leaves, when both halves are in place. It leaves at once and does not wait
// for an answer to travel with: it lets the sender end its call, and post its next receive, while
// the receiver's program makes that answer.
//
//	sender                      receiver
//	Isend
//	  |--- RTS(key) + prefix -->|
//	  |   prefix, prefix  ----->|  Irecv, before or after
//	  |<===== read rest ========|
//	  |<------- FIN ------------|
//	done                      done
//
// The receiver sees the RTS before all of its prefix is there, and may answer before it has left
// whole: a CTS then waits for the packet, which the payload goes out with next.
var rget = &protocol{
	Name: "rget", About: "an offer; the receiver reads, and tells when it has; the first bytes may travel with the offer", Trips: 4,
	fits:    func(r *Req) bool { return r.pulls() && r.Prefix != Whole },
	limits:  "long, where the receiver reads, or asks if it cannot",
	start:   (*Engine).offer,
	answer:  (*Engine).answerOffer,
	abort:   (*Engine).takeBack,
	packets: packets{wire.RTS: (*Engine).arriveRTS},
}

// offer sends the RTS of a rendezvous. A matching receive answers by reading (FIN) or asking (CTS).
func (e *Engine) offer(r *Req) {
	e.Counters.RendezvousSends++
	r.pkt.Kind, r.pkt.Send = wire.RTS, e.nameID(r)
	r.load(0, 0)
	r.state = offering
	if r.Rendezvous == wire.Put {
		r.pkt.Flags, r.pkt.Key = wire.ByWrite, wire.Key{}
		e.act(Action{Kind: SendPacket, Packet: &r.pkt})
		return
	}
	r.pkt.Flags = 0
	e.setOut(r)
	e.addPrefix(r)
	e.act(Action{Kind: Expose, Req: r, Packet: &r.pkt})
}

// answerOffer goes on with a send whose RTS has been answered. One that has not left cannot have
// been answered, unless its first bytes follow it, or its communicator is gone: ending its send
// would free a packet that still waits.
func (e *Engine) answerOffer(r *Req, h *wire.Header) bool {
	if h.Kind != wire.Withdrawn && r.state == offering && r.pkt.Prefix == 0 {
		return false
	}
	switch h.Kind {
	case wire.RTSAck: // it has met a receive that has sent no RTR
		e.met(r, h.Flags)
	case wire.FIN:
		e.wasRead(r, h)
	case wire.CTS:
		e.wasAsked(r, h)
	case wire.Withdrawn:
		e.met(r, 0)
		e.hideOffer(r)
		e.refused(r)
	default:
		return false
	}
	return true
}

// wasRead ends a rendezvous whose payload the receiver has read. If the link still holds its
// prefix, Gone ends it.
func (e *Engine) wasRead(r *Req, fin *wire.Header) {
	e.met(r, fin.Flags)
	e.learn(r, fin.Flags&wire.Waited != 0)
	e.hideOffer(r)
	if r.state == offering {
		r.state = sending
		return
	}
	e.finish(r, nil)
}

// hideOffer ends what the RTS of r let the receiver read: it is no longer under way.
func (e *Engine) hideOffer(r *Req) {
	if r.pkt.Flags&wire.ByWrite == 0 {
		e.pace(r.Peer).under -= int64(len(r.Buf))
		e.act(Action{Kind: Hide, Req: r, Packet: &r.pkt})
	}
}

// arriveRTS takes an RTS with all of its prefix.
func (e *Engine) arriveRTS(peer int, h *wire.Header, payload []byte) {
	if len(payload) != h.Prefix {
		e.Counters.BadPackets++
		return
	}
	r, m := e.offers(peer, h)
	switch {
	case m != nil:
		m.buf = append(m.buf, payload...)
		m.whole = true
		e.kepts(peer, len(payload))
	case r != nil && r.awaits:
		r.take(0, payload)
		e.tookPrefix(r)
	}
}

// offers has an RTS meet a receive, which goes on to fetch the payload, or keeps it as a message;
// neither if its context is dead.
func (e *Engine) offers(peer int, h *wire.Header) (*Req, *Message) {
	env := match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}
	if h.Flags&gateFlags != 0 {
		e.applyFlags(env, h.Flags)
	}
	en := e.posted.Take(env)
	if en == nil {
		return nil, e.keep(env, h)
	}
	r := en.Value
	r.answer = wire.Waited
	e.expected(h.Len)
	owes, news := false, wire.Flags(0)
	if h.Flags&wire.Speculative != 0 || r.grant != nil {
		owes, news = e.metRTS(r, h)
	}
	r.Status = Status{Peer: peer, Tag: h.Tag, Len: h.Len, Label: h.Label}
	e.rendezvous(r, peer, h)
	if owes {
		e.owe(r, env, news)
	}
	return r, nil
}

// rendezvous starts fetching the payload that an RTS offered. What does not fit is never moved, but
// for what travels with the RTS; that, and what it leaves to fetch, may be all that r has room for.
func (e *Engine) rendezvous(r *Req, peer int, rts *wire.Header) {
	r.pkt.Header, r.pkt.Peer, r.pkt.Owner = *rts, peer, r
	r.first, r.awaits = 0, false
	if err := e.PeerError(peer); err != nil { // a claimed message
		e.finish(r, err)
		return
	}
	if rts.Prefix > 0 {
		r.first, r.awaits = min(rts.Prefix, len(r.Buf)), true
	}
	if r.first == min(len(r.Buf), rts.Len) {
		if rts.Prefix == rts.Len {
			e.Counters.Taken++
		} else {
			e.Counters.Short++
		}
		if r.state = filling; r.awaits {
			e.nameID(r) // for Lost
		} else {
			e.tookPrefix(r)
		}
		return
	}
	if rts.Flags&wire.ByWrite != 0 {
		e.askWrite(r)
		return
	}
	e.Counters.Reads++
	e.transferStarts()
	r.state = reading
	e.nameID(r) // for Lost
	e.act(Action{Kind: StartRead, Req: r, Packet: &r.pkt})
}

// ReadArgs says what a StartRead action wants: these bytes of that peer, into dst.
func (r *Req) ReadArgs() (peer int, key wire.Key, dst []byte) {
	return r.pkt.Peer, r.pkt.Key, r.Buf[r.first:min(len(r.Buf), r.pkt.Len)]
}

// ReadDone ends a read. A read that the link could not do is asked for as a push instead.
func (e *Engine) ReadDone(token any, err error) {
	r := token.(*Req)
	if r.state != reading {
		return // failed meanwhile
	}
	if err != nil {
		e.askPush(r)
		return
	}
	r.unpack(r.first, r.pkt.Len)
	r.state = filling
	if !r.awaits {
		e.tookPrefix(r)
	}
}

func (e *Engine) fin(r *Req) {
	e.forgive(r)
	e.act(Action{Kind: SendPacket, Packet: e.control(r.pkt.Peer, wire.Header{Kind: wire.FIN, Send: r.pkt.Send, Flags: r.answer})})
}

// addPrefix has the RTS of r, a message that may be read, carry its first bytes. One byte at least
// is left to read: the answer to an RTS is what tells the sender that its message has met a
// receive. Or it carries all of it, and can be read all the same.
func (e *Engine) addPrefix(r *Req) {
	if r.Prefix == Whole {
		e.Counters.Unasked++
		r.first, r.pkt.Prefix = 0, len(r.Buf)
		r.load(0, len(r.Buf))
		return
	}
	n := min(r.Prefix, len(r.Buf)-1)
	if r.Rendezvous != wire.Pull || n <= 0 {
		return
	}
	e.Counters.Prefixes++
	e.Counters.PrefixBytes += uint64(n)
	r.first, r.pkt.Prefix = n, n
	r.load(0, n)
}

// Exposed is the memory that an Expose or ExposeWrite action lets a peer have.
func (r *Req) Exposed() []byte { return r.Buf[r.first:] }

// tookPrefix: the first bytes of r's message are in place. If nothing else is missing the receive ends.
func (e *Engine) tookPrefix(r *Req) {
	r.awaits = false
	if r.state == filling {
		e.fin(r)
		e.settle(r)
	}
}

// joinPrefix has receive r take the first bytes that message m has brought, now or when they are whole.
func (e *Engine) joinPrefix(r *Req, m *Message) {
	switch {
	case !r.awaits: // there are none, or the peer is lost
		e.recycle(m)
	case m.whole:
		r.take(0, m.buf)
		e.recycle(m)
		e.tookPrefix(r)
	default:
		e.join(r, m)
	}
}
