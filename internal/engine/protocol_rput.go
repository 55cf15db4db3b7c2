package engine

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/wire"
)

// rput: a long message is offered (RTS), its receive answers with a key (CTS), the sender writes,
// and tells when it has (DONE).
//
//	sender                      receiver
//	Isend                          Irecv
//	  |-------- RTS ----------->|
//	  |<------ CTS(key) --------|
//	  |======= write ==========>|
//	  |-------- DONE ---------->|
//	done                      done
var rput = &protocol{
	Name: "rput", About: "an offer; the receiver answers with a key, the sender writes, and tells when it has", Trips: 3,
	fits:    func(r *Req) bool { return r.Rendezvous == wire.Put && !r.short() },
	limits:  "long, on links that write",
	start:   (*Engine).offer,
	answer:  (*Engine).answerOffer,
	abort:   (*Engine).takeBack,
	packets: packets{wire.Done: (*Engine).arriveDone},
}

// askWrite lets the sender write; a link that cannot let it fills in no key, and the payload is pushed.
func (e *Engine) askWrite(r *Req) {
	e.Counters.Puts++
	r.state = asked
	e.grantWrite(r, r.pkt.Peer, e.cts(r))
}

// grant is memory of a posted receive that a peer may write, with the packet that tells it so. It
// outlives its receive while the packet waits for room.
type grant struct {
	pkt    wire.Packet
	gone   bool // the link has taken the packet
	hidden bool // the key is dead
	next   *grant
}

// grantWrite lets a peer write r's buffer and tells it in a packet with header h; the key is filled
// in on the way.
func (e *Engine) grantWrite(r *Req, peer int, h wire.Header) {
	g := e.newGrant(r, peer, h)
	e.act(Action{Kind: ExposeWrite, Req: r, Packet: &g.pkt})
}

// newGrant gives r a grant, of which a packet with header h tells.
func (e *Engine) newGrant(r *Req, peer int, h wire.Header) *grant {
	g := e.freeGrant
	if g == nil {
		g = new(grant)
	} else {
		e.freeGrant = g.next
	}
	*g = grant{pkt: wire.Packet{Header: h, Peer: peer, Owner: g}}
	r.grant = g
	return g
}

// revoke ends what r's grant lets a peer write. The grant is recycled when its packet has gone and
// the action has been carried out.
func (e *Engine) revoke(r *Req) {
	g := r.grant
	if g == nil {
		return
	}
	r.grant = nil
	g.hidden = true
	e.act(Action{Kind: Hide, Req: r, Packet: &g.pkt})
	if g.gone {
		g.next, e.retired = e.retired, g
	}
}

// grantGone tells that the packet of a grant has left.
func (e *Engine) grantGone(g *grant) {
	g.gone = true
	if g.hidden {
		g.next, e.retired = e.retired, g
	}
}

// recycleGrants takes back grants whose Hide has been carried out.
func (e *Engine) recycleGrants() {
	for g := e.retired; g != nil; g = e.retired {
		e.retired = g.next
		g.next, e.freeGrant = e.freeGrant, g
	}
}

// startWrite writes r's payload to its target. The packet that tells the receiver travels behind
// the bytes, or leaves when they are in place.
func (e *Engine) startWrite(r *Req) {
	r.state = writing
	e.Counters.Writes++
	e.transferStarts()
	var then *wire.Packet
	if !e.cfg.HoldDone {
		key := r.pkt.Key // a Hide may not have been carried out
		r.pkt.Header, r.pkt.Sent = doneFor(r), 0
		r.load(0, 0)
		r.pkt.Key = key
		then = &r.pkt
	}
	e.act(Action{Kind: StartWrite, Req: r, Packet: then})
}

// doneFor is the DONE behind r's payload. To a receive that has announced itself it tells how long
// the message is, which may be more than there was room for.
func doneFor(r *Req) wire.Header {
	n := min(r.dest.room, len(r.Buf))
	if r.Rendezvous == wire.Announced {
		n = len(r.Buf)
	}
	return wire.Header{Kind: wire.Done, Recv: r.dest.recv, Len: n}
}

// WriteArgs says what a StartWrite action wants: these bytes, to that peer's memory.
func (r *Req) WriteArgs() (peer int, key wire.Key, src []byte) {
	return r.pkt.Peer, r.dest.key, r.Buf[:min(r.dest.room, len(r.Buf))]
}

// WriteDone ends a write that a StartWrite action asked for. A payload to which there is no path is
// pushed instead. Any other error means that the peer is lost: links repeat by themselves what can
// be repeated.
func (e *Engine) WriteDone(token any, err error) {
	r := token.(*Req)
	if r.state != writing {
		return // failed meanwhile
	}
	switch {
	case errors.Is(err, wire.ErrNoPath):
		e.push(r, r.dest.recv, doneFor(r).Len)
		return
	case err != nil: // links try until the peer is lost, of which they may tell later
		err = fmt.Errorf("%w: %w", ErrLost, err)
	case e.cfg.HoldDone:
		e.act(Action{Kind: SendPacket, Packet: e.control(r.pkt.Peer, doneFor(r))})
	}
	e.finish(r, err)
}

// arriveDone ends a receive whose payload the peer has written.
func (e *Engine) arriveDone(peer int, h *wire.Header, _ []byte) {
	r := e.known(h.Recv)
	if r == nil || r.pkt.Peer != peer || r.grant == nil || !r.grant.gone {
		e.Counters.BadPackets++
		return
	}
	switch {
	case r.waitsAnnounced():
		e.expected(h.Len)
		r.Status = Status{Peer: peer, Tag: r.Tag, Len: h.Len}
		e.landed(r)
	case !r.state.waits():
		e.landed(r)
	default: // its RTR_ACK is still on the way
		r.state = written
	}
}
