package engine

import (
	"maps"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// announced: a message whose sender keeps silent until the receiver has told it, by ANNOUNCE, that
// it is there and where it wants the bytes: then they are written in place, and DONE follows, or
// sent as a packet where they are few or the link cannot write. A receive that has announced itself
// is over when its message is there, and cannot go before unless its sender has consented: it
// renounces, and is answered if nothing is on its way. Both ends know that the message is
// announced, so it meets no others: the n-th announced send of an envelope belongs to its n-th
// announced receive, whatever else travels under that envelope.
//
//	sender                      receiver
//	                               Irecv
//	  |<---- ANNOUNCE(key) -----|
//	Isend                       |
//	  |======= write ==========>|
//	  |-------- DONE ---------->|
//	done                      done
var announced = &protocol{
	Name: "announced", About: "the receiver says where it wants the bytes; the sender keeps silent until then, and writes", Trips: 2,
	fits:   func(r *Req) bool { return r.Rendezvous == wire.Announced },
	limits: "steps of collectives that ask for it",
	start:  (*Engine).sendAnnounced,
	abort:  (*Engine).abortMute,
	packets: packets{
		wire.Announce: (*Engine).arriveAnnounce,
		wire.Renounce: (*Engine).arriveRenounce,
	},
}

// announcements is what an engine knows of announced messages as their sender.
type announcements struct {
	mute match.Posted[*Req]          // sends whose receiver has not announced itself
	kept map[match.Envelope][]target // of receivers whose send has not come, oldest first
}

// sendAnnounced starts an announced send.
func (e *Engine) sendAnnounced(r *Req) {
	e.Counters.AnnouncedSends++
	r.pkt.Key, r.pkt.Flags = wire.Key{}, 0
	e.nameID(r)
	a := &e.announced
	if all := a.kept[r.Envelope]; len(all) > 0 {
		t := all[0]
		if len(all) == 1 {
			delete(a.kept, r.Envelope)
		} else {
			a.kept[r.Envelope] = all[1:]
		}
		e.answer(r, t)
		return
	}
	r.Value, r.state = r, mute
	a.mute.Add(&r.Entry)
}

// abortMute takes back a send that nobody has heard of.
func (e *Engine) abortMute(r *Req) {
	if r.state == mute {
		e.Counters.Retracted++
		e.cancelled(r)
	}
}

// answer sends the payload of r to where its receiver wants it.
func (e *Engine) answer(r *Req, t target) {
	if t.key == (wire.Key{}) || len(r.Buf) <= r.EagerMax {
		e.push(r, t.recv, len(r.Buf))
		return
	}
	r.dest = t
	e.Counters.AnnouncedWrites++
	e.startWrite(r)
}

// arriveAnnounce has the send go on that waits for it, or keeps the announcement for it.
func (e *Engine) arriveAnnounce(peer int, h *wire.Header, _ []byte) {
	env := match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}
	t := target{key: h.Key, recv: h.Recv, room: h.Len}
	if en := e.announced.mute.Take(env); en != nil {
		e.answer(en.Value, t)
		return
	}
	if e.announced.kept == nil {
		e.announced.kept = map[match.Envelope][]target{}
	}
	e.announced.kept[env] = append(e.announced.kept[env], t)
}

// Announced tells whether a receiver has announced itself whose message has not been sent.
func (e *Engine) Announced(env match.Envelope) bool { return len(e.announced.kept[env]) > 0 }

// arriveRenounce lets a receiver go, unless its message is on its way: that will end the receive.
func (e *Engine) arriveRenounce(peer int, h *wire.Header, _ []byte) {
	if e.forgetAnnounced(match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}, h.Recv) {
		e.letGo(peer, h)
	}
}

// forgetAnnounced gives up an announcement that no send has met, and tells whether there was one.
func (e *Engine) forgetAnnounced(env match.Envelope, recv uint32) bool {
	all := e.announced.kept[env]
	for i, t := range all {
		if t.recv != recv {
			continue
		}
		if len(all) == 1 {
			delete(e.announced.kept, env)
		} else {
			e.announced.kept[env] = append(all[:i:i], all[i+1:]...)
		}
		return true
	}
	return false
}

// forgetAll drops announcements.
func (a *announcements) forgetAll(which func(match.Envelope) bool) {
	maps.DeleteFunc(a.kept, func(env match.Envelope, _ []target) bool { return which(env) })
}

// recvAnnounced starts an announced receive. It is in no queue: only its own number leads to it.
func (e *Engine) recvAnnounced(r *Req) {
	if err := e.PeerError(int(r.Peer)); err != nil {
		e.finish(r, err)
		return
	}
	r.state, r.turn = queued, 0
	r.pkt.Peer = int(r.Peer)
	h := wire.Header{Kind: wire.Announce, Ctx: r.Ctx, Tag: r.Tag, Recv: e.nameID(r), Len: len(r.Buf)}
	if len(r.Buf) > r.EagerMax {
		e.grantWrite(r, int(r.Peer), h)
		return
	}
	g := e.newGrant(r, int(r.Peer), h)
	e.act(Action{Kind: SendPacket, Packet: &g.pkt})
}

// waitsAnnounced tells whether r is a receive that its sender may answer: it has announced itself,
// and the announcement has left.
func (r *Req) waitsAnnounced() bool {
	return r.Rendezvous == wire.Announced && r.state == queued && r.grant != nil && r.grant.gone
}

// SetRail says by which rail the packets of a send should leave, see wire.Packet.Rail.
func (r *Req) SetRail(rail uint8) { r.pkt.Rail = rail }

// Met tells whether a receive has met its message.
func (r *Req) Met() bool { return !r.state.waits() && r.state != idle }
