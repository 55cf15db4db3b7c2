package engine

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/wire"
)

// protocol is one way of a message from its send to its receive. A request has one, and a state:
// how far it is. Each protocol stands in a file of its own, with both of its ends; whoever adds one
// adds it to protocols.
type protocol struct {
	Name, About string
	Trips       int                                          // packets, one behind the other, until both ends are done; a read counts as two
	fits        func(r *Req) bool                            // the message may travel so
	limits      string                                       // fits, in words
	start       func(e *Engine, r *Req)                      // the send is posted
	answer      func(e *Engine, r *Req, h *wire.Header) bool // the receiver has answered r, which is unanswered; false: not so
	abort       func(e *Engine, r *Req)                      // the send is to be taken back, if it still can: see Cancel
	packets     packets                                      // what arrives because of it, but for answers
}

// packets says what becomes of packets that arrive.
type packets map[wire.Kind]func(e *Engine, peer int, h *wire.Header, payload []byte)

// protocols are all of them, the frequent ones first. Exactly one fits a message.
var protocols = []*protocol{eager, rget, unasked, synchronous, announced, rput, speculative}

// others are packets that belong to no protocol alone.
var others = packets{
	wire.FIN: (*Engine).arriveAnswer, wire.CTS: (*Engine).arriveAnswer, wire.Ack: (*Engine).arriveAnswer,
	wire.RTSAck: (*Engine).arriveAnswer, wire.Withdrawn: (*Engine).arriveAnswer,
	wire.Data: (*Engine).arriveData, wire.Withdraw: (*Engine).arriveWithdraw, wire.RTRCancelAck: (*Engine).arriveRTRCancelAck,
	wire.Hold:    func(e *Engine, peer int, _ *wire.Header, _ []byte) { e.crowd.offer(peer) },
	wire.Release: func(e *Engine, peer int, _ *wire.Header, _ []byte) { e.crowd.forgetOffers(peer) },
}

// arrivals are all packets, by kind.
var arrivals = func() (all [256]func(*Engine, int, *wire.Header, []byte)) {
	add := func(some packets) {
		for kind, arrive := range some {
			if all[kind] != nil {
				panic(fmt.Sprintf("engine: two protocols have %v arrive", kind))
			}
			all[kind] = arrive
		}
	}
	add(others)
	for _, p := range protocols {
		add(p.packets)
	}
	return all
}()

// protocolFor chooses how r travels.
func protocolFor(r *Req) *protocol {
	for _, p := range protocols {
		if p.fits(r) {
			return p
		}
	}
	return rget
}

// PostSend starts a send of r.Buf to r.Peer. Short messages travel with their envelope, long ones
// are offered first, because the receiver may have no room for them yet.
func (e *Engine) PostSend(r *Req) {
	if err := e.PeerError(int(r.Peer)); err != nil {
		e.finish(r, err)
		return
	}
	r.Status.Label = 0
	e.Counters.SentBytes += uint64(len(r.Buf))
	p := &r.pkt
	p.Peer, p.Owner, p.Sent = int(r.Peer), r, 0
	p.Ctx, p.Tag, p.Len, p.Prefix, p.Label = r.Ctx, r.Tag, len(r.Buf), 0, r.Label
	if e.crowd.offers != nil && e.mustOffer(r) {
		e.Counters.Held++
		r.EagerMax, r.Prefix = -1, 0 // nothing is short, and no byte travels before its receive is there
	}
	if r.isEager() { // most of them
		r.protocol = eager
		e.sendEager(r)
		return
	}
	r.protocol = protocolFor(r)
	r.protocol.start(e, r)
}

// arriveAnswer goes on with the send that a peer's packet answers.
func (e *Engine) arriveAnswer(peer int, h *wire.Header, _ []byte) {
	r := e.known(h.Send)
	if r == nil || r.pkt.Peer != peer || !r.state.unanswered() || !r.protocol.answer(e, r, h) {
		e.Counters.BadPackets++
	}
}

// Way is a protocol that a message might take.
type Way struct {
	Protocol string `json:"protocol"`
	About    string `json:"about"`
	Limits   string `json:"limits"` // which messages fit
	Trips    int    `json:"trips"`  // packets, one behind the other, until both ends are done
	Taken    bool   `json:"taken"`
}

// Ways tells how a message of n bytes might travel over a link, and which way it takes.
func Ways(n int, mode Mode, eagerMax int, how wire.Rendezvous, prefix int) (all []Way) {
	r := &Req{EagerMax: eagerMax - n, Mode: mode, Rendezvous: how, Prefix: prefix} // as long as its limit is below zero
	for _, p := range protocols {
		all = append(all, Way{p.Name, p.About, p.limits, p.Trips, p.fits(r)})
	}
	return all
}
