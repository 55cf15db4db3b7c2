package engine

import (
	"slices"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// Who cancels a request gets its buffer back when the request ends, and not before: by then either
// nothing has happened, or the message has moved. A receive that has met no message leaves its
// queue; if its RTR or announcement is out, its sender has to agree first. A send whose packet no
// link has seen anything of is taken out of the queue of its link. One whose RTS or SYNC has left
// asks the receiver: WITHDRAW follows the packet, in order, so the receiver has it, and either a
// receive has met it, which answers as always, or it is thrown away, and WITHDRAWN says so.
// Whatever has begun to move runs to its end.
//
//	sender                      receiver            sender                      receiver
//	Isend                                           Isend                          Irecv
//	  |------- RTS(key) ------->|                     |------- RTS(key) ------->|
//	Cancel                      |                   Cancel                      |
//	  |------ WITHDRAW -------->|  thrown away        |------ WITHDRAW -------->|  too late
//	  |<----- WITHDRAWN --------|                     |<====== read ============|
//	cancelled                                         |<------- FIN ------------|
//	                                                done                      done

// Cancel takes r back if it can, and tells whether r has ended with ErrCancelled already. If it has
// not, it ends later in one way or the other; Req.Cancelled tells which.
func (e *Engine) Cancel(r *Req) bool {
	if r.Done() {
		return false
	}
	switch {
	case r.state.waits() && r.grant != nil:
		e.askCancel(r)
	case r.state.waits():
		e.withdraw(r)
	case r.protocol != nil: // a send, or was one before
		r.protocol.abort(e, r)
	}
	return r.Done()
}

// cancelled ends a request that was taken back.
func (e *Engine) cancelled(r *Req) {
	r.Cancelled = true
	e.finish(r, ErrCancelled)
}

// withdraw ends a receive or probe that waits.
func (e *Engine) withdraw(r *Req) {
	if r.Queued() {
		e.posted.Remove(&r.Entry)
	} else {
		e.probes = slices.DeleteFunc(e.probes, func(p *Req) bool { return p == r })
	}
	e.cancelled(r)
}

// takeBack begins to take a send back whose packet may wait for its link, or has left.
func (e *Engine) takeBack(r *Req) {
	switch {
	case r.turn != 0: // asked already
	case r.state == offered:
		e.askBack(r)
	case r.state == offering || r.state == sending:
		e.act(Action{Kind: Retract, Req: r, Packet: &r.pkt})
	}
}

// Retractable tells, while a Retract action is carried out, whether the packet may still be kept
// from leaving. An RTS that has met an RTR, or tells the receiver more than that there is a
// message, has to go: the receiver counts on it.
func (e *Engine) Retractable(r *Req) bool {
	switch {
	case r.state == sending:
		return r.pkt.Kind == wire.Eager
	case r.state != offering:
		return false
	case r.pkt.Kind == wire.Sync || r.pkt.Flags&^wire.ByWrite == 0:
		return true
	}
	return r.pkt.Flags == wire.Speculative && r.Queued()
}

// Retracted ends a Retract action: the packet was kept from leaving, or has left or is about to.
func (e *Engine) Retracted(r *Req, kept bool) {
	switch {
	case kept:
		e.Counters.Retracted++
		if r.pkt.Kind == wire.RTS {
			e.Counters.LongGone++
			e.hideOffer(r)
		}
		e.cancelled(r)
	case r.state.unanswered():
		e.askBack(r)
	}
}

// askBack asks the receiver to throw away the RTS or SYNC of r.
func (e *Engine) askBack(r *Req) {
	r.turn = 1
	e.Counters.Withdraws++
	e.act(Action{Kind: SendPacket, Packet: e.control(int(r.Peer), wire.Header{Kind: wire.Withdraw, Ctx: r.Ctx, Tag: r.Tag, Send: r.id})})
}

// arriveWithdraw throws a message away that no receive has met. If one has, it answers as always.
func (e *Engine) arriveWithdraw(peer int, h *wire.Header, _ []byte) {
	env := match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}
	var m *Message
	e.unexpected.EachOf(env, func(en *match.Entry[*Message]) {
		if was := &en.Value.header; was.Kind != wire.Eager && was.Send == h.Send {
			m = en.Value
		}
	})
	if m != nil {
		e.throw(m)
	}
}

// throw throws a message away that waits for its receive, and tells its sender if that waits for an
// answer.
func (e *Engine) throw(m *Message) {
	e.unexpected.Remove(&m.entry)
	e.sayGone(int(m.entry.Peer), &m.header)
	if m.whole {
		e.recycle(m)
	} else {
		m.thrown = true
	}
}

// sayGone tells the sender of a message that no receive will meet it, if it waits for an answer.
func (e *Engine) sayGone(peer int, h *wire.Header) {
	if h.Kind == wire.RTS {
		e.Counters.LongGone++
	}
	if h.Kind != wire.Eager {
		e.act(Action{Kind: SendPacket, Packet: e.control(peer, wire.Header{Kind: wire.Withdrawn, Send: h.Send})})
	}
}

// refused ends a send that no receive will meet: because it asked, or because the receiver has
// freed the communicator. If the link still holds its packet, Gone ends it.
func (e *Engine) refused(r *Req) {
	err := ErrRefused
	if r.turn != 0 {
		r.Cancelled, err = true, ErrCancelled
	}
	if r.state == offering {
		r.state, r.Err = sending, err
		return
	}
	e.finish(r, err)
}
