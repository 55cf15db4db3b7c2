package engine

import "github.com/weft-mpi/weft/internal/wire"

// PostSend starts a send of r.Buf to r.Peer. Short messages travel with their envelope (eager), long ones
// are offered first (rendezvous), because the receiver may have no room for them yet.
func (e *Engine) PostSend(r *Req) {
	if err := e.PeerError(int(r.Peer)); err != nil {
		e.finish(r, err)
		return
	}
	p := &r.pkt
	p.Peer, p.Owner, p.Sent = int(r.Peer), r, 0
	p.Ctx, p.Tag, p.Len, p.Prefix, p.Lend = r.Ctx, r.Tag, len(r.Buf), 0, false
	if r.Rendezvous == wire.Announced {
		e.sendAnnounced(r)
		return
	}
	if e.crowd.offers != nil && e.mustOffer(r) {
		e.Counters.Held++
		r.Prefix = 0
		e.offer(r)
		return
	}
	if len(r.Buf) > r.EagerMax {
		if r.Rendezvous >= wire.Speculate {
			e.sendSpeculative(r)
		} else {
			e.offer(r)
		}
		return
	}
	if r.Rendezvous >= wire.Speculate {
		e.NoteEager(r.Envelope)
	}
	switch {
	case r.Mode == Sync:
		e.Counters.SyncSends++
		p.Kind, p.Data, p.Send = wire.Sync, r.Buf, e.nameID(r)
		r.state = offering
		e.act(Action{Kind: SendPacket, Packet: p})
	default:
		e.Counters.EagerSends++
		p.Kind, p.Data, p.Lend = wire.Eager, r.Buf, r.Lend
		r.state = sending
		e.act(Action{Kind: SendPacket, Packet: p})
	}
}

// offer sends the RTS of a rendezvous. A matching receive answers by reading (FIN) or asking (CTS).
func (e *Engine) offer(r *Req) {
	e.Counters.RendezvousSends++
	r.pkt.Kind, r.pkt.Data, r.pkt.Send = wire.RTS, nil, e.nameID(r)
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

// answered returns the send that a peer's answer names, if it waits for an answer to a packet of that kind.
// An RTS that has not left cannot have been answered, unless its first bytes follow it: ending its send would free a packet
// that still waits.
func (e *Engine) answered(peer int, h *wire.Header, to wire.Kind) *Req {
	r := e.named(h.Send, peer, state.unanswered)
	if r != nil && (r.pkt.Kind != to || to == wire.RTS && r.state == offering && r.pkt.Prefix == 0) {
		e.Counters.BadPackets++
		return nil
	}
	return r
}

// hideOffer ends what the RTS of r let the receiver read: it is no longer under way.
func (e *Engine) hideOffer(r *Req) {
	if r.pkt.Flags&wire.ByWrite == 0 {
		e.pace(r.Peer).under -= int64(len(r.Buf))
		e.act(Action{Kind: Hide, Req: r, Packet: &r.pkt})
	}
}

// arriveFIN ends a rendezvous whose payload the receiver has read. If the link still holds its prefix, Gone ends it.
func (e *Engine) arriveFIN(peer int, h *wire.Header) {
	r := e.answered(peer, h, wire.RTS)
	if r == nil {
		return
	}
	e.met(r, h.Flags)
	e.learn(r, h.Flags&wire.Waited != 0)
	e.hideOffer(r)
	if r.state == offering {
		r.state = sending
		return
	}
	e.finish(r, nil)
}

// arriveAck ends a synchronous send that a receive has matched. The receive matches on the first piece of
// a payload, so the last pieces may still be ours to send: then Gone ends it.
func (e *Engine) arriveAck(peer int, h *wire.Header) {
	r := e.answered(peer, h, wire.Sync)
	if r == nil {
		return
	}
	if r.state == offering {
		r.state = sending
		return
	}
	e.finish(r, nil)
}

// arriveCTS sends the payload that a receiver has asked for: to its key, or without one as a packet.
func (e *Engine) arriveCTS(peer int, h *wire.Header) {
	r := e.answered(peer, h, wire.RTS)
	if r == nil {
		return
	}
	e.met(r, h.Flags)
	e.hideOffer(r)
	n := min(h.Len, len(r.Buf)-r.first)
	if h.Key != (wire.Key{}) && r.pkt.Flags&wire.ByWrite != 0 { // a key that was not asked for: the link may not write
		r.dest = target{key: h.Key, recv: h.Recv, room: n}
		e.startWrite(r)
		return
	}
	if r.state == offering {
		r.state, r.dest = called, target{recv: h.Recv, room: n}
		return
	}
	e.push(r, h.Recv, n)
}

// push sends n bytes of the payload, behind those that the RTS has brought, as a packet to a receive that waits for them.
func (e *Engine) push(r *Req, recv uint32, n int) {
	r.pkt.Header = wire.Header{Kind: wire.Data, Recv: recv, Len: n, Key: r.pkt.Key} // the key: for Hide
	r.pkt.Data, r.pkt.Sent = r.Buf[r.first:r.first+n], 0
	r.state = pushing
	e.act(Action{Kind: SendPacket, Packet: &r.pkt})
}
