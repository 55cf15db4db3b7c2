package engine

import (
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// NoteEager tells that an eager message leaves, or has just left, on a link that speculates or may
// do so later. The receive that takes it may have sent an RTR.
func (e *Engine) NoteEager(env match.Envelope) {
	sp, hash := e.speculation(), env.Hash()
	sp.marks.add(hash)
	if sp.known.has(hash) {
		if s := sp.supplies[env]; s != nil {
			s.eager = true
		}
	}
}

// sendSpeculative starts a long send: by a write if a receive's RTR waits for it and is beyond
// suspicion, else by an RTS that the receive may read from.
func (e *Engine) sendSpeculative(r *Req) {
	s := e.speculation().supplies[r.Envelope]
	var flags wire.Flags
	switch {
	case s == nil: // no RTR has come; one that is under way will find this send in offers
	case s.race == normal && !s.eager:
		if len(s.kept) == 0 {
			break
		}
		t := s.kept[0]
		s.kept = append(s.kept[:0], s.kept[1:]...)
		if len(r.Buf) <= t.room && r.Rendezvous == wire.Speculate {
			e.takeRTR(r, s, t)
			return
		}
		e.dropRTR(s, &e.Counters.RTRDropped.TooSmall)
		e.offerSpeculative(r, s, 0, false) // the RTR has met this send: no other may
		return
	case s.race == normal:
		e.dropKept(s)
		e.Counters.Stops++
		s.race, flags = stopping, wire.StopRTR
	case s.race == drained:
		e.Counters.Resumes++
		e.dropKept(s)
		s.race, s.eager, flags = normal, false, wire.ResumeRTR
	}
	e.offerSpeculative(r, s, flags, true)
}

// offerSpeculative sends the RTS of r. Unless an RTR has met r already, the next one will.
func (e *Engine) offerSpeculative(r *Req, s *supply, flags wire.Flags, open bool) {
	e.Counters.RTSSent++
	if s != nil && e.adaptStops(s) {
		flags |= wire.AdaptStop
	}
	e.offer(r)
	r.pkt.Flags |= flags | wire.Speculative
	if open {
		r.Value = r
		e.spec.offers.Add(&r.Entry)
	}
}

// takeRTR answers an RTR by RTR_ACK and writes.
func (e *Engine) takeRTR(r *Req, s *supply, t target) {
	e.countUse(s)
	e.Counters.RendezvousSends++
	r.dest = t
	e.nameID(r)
	e.countAck(&e.Counters.RTRAcks, wire.RTRAck)
	e.act(Action{Kind: SendPacket, Packet: e.control(int(r.Peer), rtrAckFor(r))})
	place := e.place
	e.place = InIsend
	e.startWrite(r)
	e.place = place
}

func rtrAckFor(r *Req) wire.Header {
	return wire.Header{Kind: wire.RTRAck, Recv: r.dest.recv, Send: r.id, Len: len(r.Buf)}
}

func (e *Engine) countUse(s *supply) {
	e.Counters.RTRUsed++
	e.usedOf(s).add(true)
}

func (e *Engine) countAck(counter *uint64, kind wire.Kind) {
	*counter++
	e.Counters.ExtraBytes += uint64(wire.Size(kind))
}

func (e *Engine) dropRTR(s *supply, why *uint64) {
	*why++
	e.Counters.ExtraBytes += uint64(wire.Size(wire.RTR))
	e.usedOf(s).add(false)
}

func (e *Engine) dropKept(s *supply) {
	for range s.kept {
		e.dropRTR(s, &e.Counters.RTRDropped.Deleted)
	}
	s.kept = s.kept[:0]
}

// arriveRTR keeps the RTR for a send to come, unless a send has met it on its way.
func (e *Engine) arriveRTR(peer int, h *wire.Header, _ []byte) {
	e.Counters.RTRRecv++
	env := match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}
	if e.dead.has(env.Ctx) { // nothing will be sent there any more
		return
	}
	sp := e.speculation()
	s := sp.supply(env)
	t := target{key: h.Key, recv: h.Recv, room: h.Len}
	if h.Key == (wire.Key{}) { // the receiver's link lets nobody write
		t.room = 0
	}
	if en := sp.offers.Take(env); en != nil {
		switch {
		case s.race != normal:
			e.dropRTR(s, &e.Counters.RTRDropped.Deleted)
		case !s.eager && e.replaceRTS(en.Value, s, t):
		default:
			e.dropRTR(s, &e.Counters.RTRDropped.Crossed)
		}
		return
	}
	if s.race != normal {
		e.dropRTR(s, &e.Counters.RTRDropped.Deleted)
		return
	}
	s.kept = append(s.kept, t)
}

// replaceRTS turns an RTS that still waits for room on its link into the RTR_ACK of an RTR that has
// come meanwhile; the write starts when it has gone. An RTS that carries more than itself stays.
func (e *Engine) replaceRTS(r *Req, s *supply, t target) bool {
	if r.state == offered || r.pkt.Flags != wire.Speculative || len(r.Buf) > t.room || r.Rendezvous != wire.Speculate {
		return false
	}
	e.hideOffer(r)
	e.countUse(s)
	e.countAck(&e.Counters.RTRAcks, wire.RTRAck)
	e.Counters.RTSSent--
	r.dest = t
	key := r.pkt.Key // for Hide
	r.pkt.Header = rtrAckFor(r)
	r.pkt.Key = key
	r.state = taking
	return true
}

// met notes the first answer to an RTS: no RTR can be for it any more.
func (e *Engine) met(r *Req, flags wire.Flags) {
	if r.Queued() {
		e.spec.offers.Remove(&r.Entry)
	}
	if r.pkt.Flags&wire.Speculative == 0 {
		return
	}
	s := e.spec.supplies[r.Envelope]
	if s == nil {
		return
	}
	if r.pkt.Flags&wire.StopRTR != 0 && s.race == stopping {
		s.race = drained
	}
	r.pkt.Flags &^= wire.StopRTR // a later answer is to no STOP
	if flags&wire.AdaptResume != 0 {
		s.stopped = false
		*e.usedOf(s) = history{}
	}
}

// arriveRTRCancel gives up an RTR that has not been used. Whatever was done with it before is ahead
// of the answer.
func (e *Engine) arriveRTRCancel(peer int, h *wire.Header, _ []byte) {
	env := match.Envelope{Ctx: h.Ctx, Peer: int32(peer), Tag: h.Tag}
	if e.spec != nil {
		if s := e.spec.supplies[env]; s != nil {
			for i, t := range s.kept {
				if t.recv == h.Recv {
					s.kept = append(s.kept[:i], s.kept[i+1:]...)
					e.Counters.RTRDropped.Withdrew++
					break
				}
			}
		}
	}
	e.letGo(peer, h)
}

// letGo answers a receive that wants to be cancelled: nothing is sent to it any more.
func (e *Engine) letGo(peer int, h *wire.Header) {
	answer := *h
	answer.Kind = wire.RTRCancelAck
	e.act(Action{Kind: SendPacket, Packet: e.control(peer, answer)})
}

// adaptStops tells whether too few RTRs of s have been of use, and notes that the receiver is about
// to be told.
func (e *Engine) adaptStops(s *supply) bool {
	if s.stopped || e.cfg.NoAdapt {
		return false
	}
	share, enough := e.usedOf(s).share(&e.cfg)
	if !enough || share >= e.cfg.SpecThreshold {
		return false
	}
	e.Counters.AdaptStops++
	s.stopped = true
	if e.cfg.SpecScope == PerEnvelope {
		s.used = history{}
	}
	return true
}

func (e *Engine) usedOf(s *supply) *history {
	if e.cfg.SpecScope == PerProcess {
		return &e.spec.used
	}
	return &s.used
}
