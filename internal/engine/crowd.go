package engine

import (
	"slices"

	"github.com/weft-mpi/weft/internal/wire"
)

// Messages that nobody has asked for lie in the receiver's memory, and a receiver that waits for
// something else could be filled without end. So they are bounded: beyond a limit the receiver
// tells those whose messages come (HOLD), and they offer what they would have sent: the payload
// stays with its sender until a receive takes it. A standard send then ends as late as a
// synchronous one, which MPI allows. When half of the limit is free again the receiver says so
// (RELEASE). What is under way when HOLD is sent still comes.
//
// On links that speculate short messages are not offered, because their receives do not count on it.

// crowd is what an engine knows of that.
type crowd struct {
	held   []int        // peers that we have asked to offer, in the order of asking; nil if none
	offers map[int]bool // peers that have asked us; nil if none
	spared int          // a peer that is never asked, plus one; 0 is nobody
}

// Spare has what a process sends to itself come whatever it takes: it has its memory anyway, and a
// send that waited for a receive of the same process would wait for ever.
func (e *Engine) Spare(self int) { e.crowd.spared = self + 1 }

// messageCost is what the description of a message without a receive takes.
const messageCost = 256

// unexpectedBytes is what messages without a receive take.
func (e *Engine) unexpectedBytes() int { return e.UnexpectedBytes + e.unexpected.Len()*messageCost }

// kepts counts n bytes of a peer's message that no receive was there for.
func (e *Engine) kepts(peer, n int) {
	e.UnexpectedBytes += n
	if e.cfg.UnexpectedMax == 0 {
		return
	}
	all := e.unexpectedBytes()
	e.Counters.UnexpectedPeak = max(e.Counters.UnexpectedPeak, uint64(all))
	if all <= e.cfg.UnexpectedMax || peer+1 == e.crowd.spared || slices.Contains(e.crowd.held, peer) || e.PeerError(peer) != nil {
		return
	}
	e.Counters.Holds++
	e.crowd.held = append(e.crowd.held, peer)
	e.act(Action{Kind: SendPacket, Packet: e.control(peer, wire.Header{Kind: wire.Hold})})
}

// release lets peers send again once there is room.
func (e *Engine) release() {
	if e.unexpectedBytes() > e.cfg.UnexpectedMax/2 {
		return
	}
	for _, peer := range e.crowd.held {
		e.act(Action{Kind: SendPacket, Packet: e.control(peer, wire.Header{Kind: wire.Release})})
	}
	e.crowd.held = nil
}

// mustOffer tells that the peer of a send wants to be asked first.
func (e *Engine) mustOffer(r *Req) bool {
	return e.crowd.offers[int(r.Peer)] && r.Rendezvous < wire.Speculate
}

// Holding tells which peers have been asked to offer their messages, and what those that are here take.
func (e *Engine) Holding() (peers []int, bytes int) { return e.crowd.held, e.unexpectedBytes() }

// offer notes that a peer wants offers.
func (c *crowd) offer(peer int) {
	if c.offers == nil {
		c.offers = map[int]bool{}
	}
	c.offers[peer] = true
}

// forgetOffers notes that it does not any more.
func (c *crowd) forgetOffers(peer int) {
	if delete(c.offers, peer); len(c.offers) == 0 {
		c.offers = nil
	}
}

// forget drops a peer that is lost.
func (c *crowd) forget(peer int) {
	c.forgetOffers(peer)
	if c.held = slices.DeleteFunc(c.held, func(p int) bool { return p == peer }); len(c.held) == 0 {
		c.held = nil
	}
}
