package engine

import "github.com/weft-mpi/weft/internal/wire"

// Where the receiver of an offer cannot read, or the sender cannot write, the receiver asks for the
// payload (CTS without a key), and it is sent as a packet (DATA). So ends whatever protocol finds
// no path to the other's memory.
//
//	sender                      receiver
//	Isend                          Irecv
//	  |-------- RTS ----------->|
//	  |<------- CTS ------------|
//	  |-------- DATA ---------->|
//	done                      done

func (e *Engine) askPush(r *Req) {
	if e.forgive(r) && r.answer != 0 { // a CTS has no room for it
		e.ackRTS(r)
	}
	e.Counters.Reads--
	e.Counters.Pushes++
	r.state = asked
	e.act(Action{Kind: SendPacket, Packet: e.control(r.pkt.Peer, e.cts(r))})
}

func (e *Engine) cts(r *Req) wire.Header {
	return wire.Header{Kind: wire.CTS, Send: r.pkt.Send, Recv: e.nameID(r), Len: min(len(r.Buf), r.pkt.Len) - r.first}
}

// wasAsked sends the payload that a receiver has asked for: to its key, or without one as a packet.
func (e *Engine) wasAsked(r *Req, cts *wire.Header) {
	e.met(r, cts.Flags)
	e.hideOffer(r)
	n := min(cts.Len, len(r.Buf)-r.first)
	if cts.Key != (wire.Key{}) && r.pkt.Flags&wire.ByWrite != 0 { // a key that was not asked for: the link may not write
		r.dest = target{key: cts.Key, recv: cts.Recv, room: n}
		e.startWrite(r)
		return
	}
	if r.state == offering {
		r.state, r.dest = called, target{recv: cts.Recv, room: n}
		return
	}
	e.push(r, cts.Recv, n)
}

// push sends n bytes of the payload, behind those that the RTS has brought, as a packet to a
// receive that waits for them.
func (e *Engine) push(r *Req, recv uint32, n int) {
	r.pkt.Header = wire.Header{Kind: wire.Data, Recv: recv, Len: n, Key: r.pkt.Key} // the key: for Hide
	r.load(r.first, r.first+n)
	r.pkt.Sent = 0
	r.state = pushing
	e.act(Action{Kind: SendPacket, Packet: &r.pkt})
}

// arriveData ends a receive whose payload has been pushed.
func (e *Engine) arriveData(peer int, h *wire.Header, payload []byte) {
	if r := e.awaiting(peer, h); r != nil {
		e.revoke(r)
		r.take(r.first, payload)
		e.settle(r)
	}
}

// awaiting finds the receive that a DATA packet is for: one that has asked for it, one whose RTR
// was taken by a sender that then found no way to write, or one that has announced itself.
func (e *Engine) awaiting(peer int, h *wire.Header) *Req {
	r := e.known(h.Recv)
	switch {
	case r == nil || r.pkt.Peer != peer || r.awaits: // what was asked for is behind the prefix
	case r.state == asked || r.state == landing:
		return r
	case r.waitsAnnounced():
		e.expected(h.Len)
		r.Status = Status{Peer: peer, Tag: r.Tag, Len: h.Len}
		return r
	}
	e.Counters.BadPackets++
	return nil
}
