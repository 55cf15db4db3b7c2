package engine

import (
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// announce sends the RTR of a long receive that is about to be queued, if nothing forbids it. That
// the receive is long is only a prediction: its message may turn out short.
func (e *Engine) announce(r *Req) {
	sp := e.speculation()
	if r.Wild() {
		if len(r.Buf) > sp.eagerMax {
			e.Counters.RTRSuppressed.Wildcard++
		}
		return
	}
	if r.Rendezvous != wire.Speculate {
		return
	}
	sp.eagerMax = max(sp.eagerMax, r.EagerMax)
	r.turn = 0
	no := &e.Counters.RTRSuppressed
	g := sp.gate(r.Envelope, true)
	switch {
	case g == nil:
		no.Full++
	case g.stop:
		no.Stop++
	case g.silent:
		no.Adapt++
		r.state, r.since = silent, e.now
	case g.unused >= e.cfg.MaxUnusedRTR:
		no.Guard++
	case e.posted.WildFits(r.Envelope):
		no.Wildcard++
	case e.silentBefore(r.Envelope):
		no.Order++
	default:
		e.sendRTR(r)
	}
}

// sendRTR sends the RTR of r, behind the RTS_ACKs that are due.
func (e *Engine) sendRTR(r *Req) {
	e.Counters.RTRSent++
	r.pkt.Peer = int(r.Peer)
	e.payDebts(r.Envelope)
	e.grantWrite(r, int(r.Peer), wire.Header{Kind: wire.RTR, Ctx: r.Ctx, Tag: r.Tag, Recv: e.nameID(r), Len: len(r.Buf)})
}

// silentBefore tells whether a receive of the envelope waits whose RTR is not out. Behind one all
// are silent, so the latest tells for all.
func (e *Engine) silentBefore(env match.Envelope) bool {
	last := e.posted.Last(env)
	return last != nil && last.Value.grant == nil
}

// applyFlags does what the flags of an RTS ask for, when it arrives.
func (e *Engine) applyFlags(env match.Envelope, flags wire.Flags) {
	g := e.speculation().gate(env, false)
	if flags&wire.StopRTR != 0 {
		g.stop, g.unused = true, 0
		e.posted.EachOf(env, func(en *match.Entry[*Req]) { e.revoke(en.Value) })
	}
	if flags&wire.ResumeRTR != 0 {
		g.stop = false
	}
	if flags&wire.AdaptStop != 0 {
		g.quieten(&e.cfg)
		*e.usableOf(g) = history{}
	}
}

const gateFlags = wire.StopRTR | wire.ResumeRTR | wire.AdaptStop

// metRTS ends the speculation of a receive that an RTS has met: an RTR that is out has crossed it,
// else the receive owes the sender an answer before any other RTR, with news in it.
func (e *Engine) metRTS(r *Req, rts *wire.Header) (owes bool, news wire.Flags) {
	granted := r.grant != nil
	e.revoke(r)
	if r.state == silent && e.judgeSilent(r.Envelope, e.now-r.since > e.cfg.RoundTrip) {
		news = wire.AdaptResume
	}
	if rts.Flags&wire.Speculative == 0 {
		if granted { // the sender uses no RTRs
			e.countUnused(r.Envelope)
		}
		return false, 0
	}
	return !granted, news
}

// owe notes that the RTS of env that r has met is not answered, and that no RTR belongs to it. Only
// the next RTR of the envelope can be taken for one, and packets keep their order: RTS_ACK may wait
// until just before that RTR. Mostly the FIN comes first and makes it superfluous. From here on r
// has the envelope of its message.
func (e *Engine) owe(r *Req, env match.Envelope, news wire.Flags) {
	if r.state != reading { // answered already
		return
	}
	r.Envelope, r.Value = env, r
	r.answer |= news
	e.speculation().debts.Add(&r.Entry)
}

// payDebts acknowledges every RTS of the envelope whose answer is due.
func (e *Engine) payDebts(env match.Envelope) {
	for en := e.spec.debts.Take(env); en != nil; en = e.spec.debts.Take(env) {
		e.ackRTS(en.Value)
	}
}

// forgive strikes out what r owes, if it does, because another answer leaves or none can.
func (e *Engine) forgive(r *Req) bool {
	if !r.Queued() {
		return false
	}
	e.spec.debts.Remove(&r.Entry)
	return true
}

// ackRTS tells the sender that its RTS has met r, which has sent no RTR, and the news: no later
// answer has to.
func (e *Engine) ackRTS(r *Req) {
	e.sayMet(r.pkt.Peer, r.pkt.Send, r.answer&^wire.Waited)
	r.answer &= wire.Waited
}

// sayMet answers an RTS by RTS_ACK.
func (e *Engine) sayMet(peer int, send uint32, flags wire.Flags) {
	e.countAck(&e.Counters.RTSAcks, wire.RTSAck)
	e.act(Action{Kind: SendPacket, Packet: e.control(peer, wire.Header{Kind: wire.RTSAck, Send: send, Flags: flags})})
}

// metEager ends the speculation of a receive that an eager message has met.
func (e *Engine) metEager(r *Req) {
	if r.grant != nil {
		e.Counters.Mispredicted++
		e.revoke(r)
		e.countUnused(r.Envelope)
	}
	if r.state == silent {
		e.judgeSilent(r.Envelope, false)
	}
}

func (e *Engine) countUnused(env match.Envelope) {
	if g := e.spec.gates[env]; g != nil {
		g.unused++
	}
}

// judgeSilent notes whether the RTR that a receive did not send would have been of use, and tells
// whether enough would have been to send them again.
func (e *Engine) judgeSilent(env match.Envelope, usable bool) (resume bool) {
	g := e.spec.gates[env]
	if g == nil || !g.silent {
		return false
	}
	g.watched++
	h := e.usableOf(g)
	h.add(usable)
	share, enough := h.share(&e.cfg)
	if !usable || !enough || share < e.cfg.SpecThreshold || g.watched < g.patience {
		return false
	}
	e.Counters.AdaptResumes++
	g.silent, g.resumed = false, true
	if e.cfg.SpecScope == PerEnvelope {
		g.usable = history{}
	}
	return true
}

func (e *Engine) usableOf(g *gate) *history {
	if e.cfg.SpecScope == PerProcess {
		return &e.spec.usable
	}
	return &g.usable
}

// arriveRTRAck takes the receive out of its queue: its message has been found and is being written.
func (e *Engine) arriveRTRAck(peer int, h *wire.Header, _ []byte) {
	r := e.known(h.Recv)
	if r == nil || r.pkt.Peer != peer || !r.state.waits() || r.grant == nil || !r.grant.gone || h.Len > len(r.Buf) || r.Rendezvous == wire.Announced {
		e.Counters.BadPackets++
		return
	}
	e.expected(h.Len)
	e.posted.Remove(&r.Entry)
	if g := e.spec.gates[r.Envelope]; g != nil {
		g.taken++
	}
	r.Status = Status{Peer: peer, Tag: r.Tag, Len: h.Len}
	if r.state == written {
		e.landed(r)
		return
	}
	r.state = landing
}

// landed ends a receive whose RTR was taken and whose bytes are in place.
func (e *Engine) landed(r *Req) {
	e.revoke(r)
	r.unpack(0, r.Status.Len)
	e.settle(r)
}

// askCancel withdraws the RTR, or announcement, of r. r stays in its queue until the sender has
// answered: by then it has met its message, or nothing will be written any more.
func (e *Engine) askCancel(r *Req) {
	if r.turn != 0 {
		return
	}
	e.Counters.RTRCancels++
	sp := e.speculation()
	if sp.turn++; sp.turn == 0 {
		sp.turn = 1
	}
	r.turn = sp.turn
	h := wire.Header{Kind: wire.RTRCancel, Ctx: r.Ctx, Tag: r.Tag, Recv: r.id, Send: r.turn}
	if r.Rendezvous == wire.Announced {
		h.Kind = wire.Renounce
	}
	e.act(Action{Kind: SendPacket, Packet: e.control(int(r.Peer), h)})
}

// arriveRTRCancelAck cancels the receive if it still waits. If it has met its message, the answer
// finds nobody: its number may be another request's by now, its turn is not.
func (e *Engine) arriveRTRCancelAck(peer int, h *wire.Header, _ []byte) {
	if h.Recv == 0 || int(h.Recv) > len(e.ids) {
		e.Counters.BadPackets++
		return
	}
	r := e.ids[h.Recv-1]
	if r == nil || r.turn != h.Send || h.Send == 0 || !r.state.waits() || r.pkt.Peer != peer {
		return
	}
	e.withdraw(r)
}
