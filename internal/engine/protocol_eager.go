package engine

import (
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// eager: a short message travels with its envelope. If no receive waits for it, it is kept in the
// receiver's memory.
//
//	sender                      receiver
//	Isend
//	  |------- EAGER ---------->|
//	done                      done
var eager = &protocol{
	Name: "eager", About: "a packet; the bytes are copied at both ends, and kept where no receive waits", Trips: 1,
	fits:    (*Req).isEager,
	limits:  "short, standard",
	start:   (*Engine).sendEager,
	abort:   (*Engine).takeBack,
	packets: packets{wire.Eager: (*Engine).arriveEager},
}

// synchronous is eager with an answer: the receive that has met the message acknowledges it.
var synchronous = &protocol{
	Name: "sync", About: "as eager; the receive acknowledges it", Trips: 2,
	fits:    func(r *Req) bool { return r.short() && r.Mode == Sync },
	limits:  "short, synchronous",
	start:   (*Engine).sendSync,
	answer:  (*Engine).answerSync,
	abort:   (*Engine).takeBack,
	packets: packets{wire.Sync: (*Engine).arriveEager},
}

// short tells whether r travels with its envelope. An announced message never does.
func (r *Req) short() bool { return len(r.Buf) <= r.EagerMax && r.Rendezvous != wire.Announced }

func (r *Req) isEager() bool { return r.short() && r.Mode == Standard }

// pulls tells whether r is long and travels so that its receive reads it.
func (r *Req) pulls() bool { return r.Rendezvous == wire.Pull && len(r.Buf) > r.EagerMax }

func (e *Engine) sendEager(r *Req) {
	if r.Rendezvous >= wire.Speculate {
		e.NoteEager(r.Envelope)
	}
	e.Counters.EagerSends++
	r.pkt.Kind = wire.Eager
	r.load(0, len(r.Buf))
	r.state = sending
	e.act(Action{Kind: SendPacket, Packet: &r.pkt})
}

func (e *Engine) sendSync(r *Req) {
	if r.Rendezvous >= wire.Speculate {
		e.NoteEager(r.Envelope)
	}
	e.Counters.SyncSends++
	r.pkt.Kind, r.pkt.Send = wire.Sync, e.nameID(r)
	r.load(0, len(r.Buf))
	r.state = offering
	e.act(Action{Kind: SendPacket, Packet: &r.pkt})
}

// answerSync ends a synchronous send that a receive has matched. The receive matches on the first
// piece of a payload, so the last pieces may still be ours to send: then Gone ends it.
func (e *Engine) answerSync(r *Req, h *wire.Header) bool {
	switch {
	case h.Kind == wire.Withdrawn:
		e.refused(r)
	case h.Kind != wire.Ack:
		return false
	case r.state == offering:
		r.state = sending
	default:
		e.finish(r, nil)
	}
	return true
}

func (e *Engine) arriveEager(peer int, h *wire.Header, payload []byte) {
	env := match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}
	if en := e.posted.Take(env); en != nil {
		r := en.Value
		e.expected(h.Len)
		if r.state != queued || r.grant != nil {
			e.metEager(r)
		}
		e.ackIfSync(peer, h)
		r.Status = Status{Peer: peer, Tag: h.Tag, Len: h.Len, Label: h.Label}
		r.take(0, payload)
		if h.Len <= len(r.Buf) {
			e.finish(r, nil)
		} else {
			e.settle(r)
		}
		return
	}
	if m := e.keep(env, h); m != nil {
		m.buf = append(m.buf, payload...)
		m.whole = true
		e.kepts(peer, len(payload))
	}
}

func (e *Engine) ackIfSync(peer int, h *wire.Header) {
	if h.Kind == wire.Sync {
		e.act(Action{Kind: SendPacket, Packet: e.control(peer, wire.Header{Kind: wire.Ack, Send: h.Send})})
	}
}
