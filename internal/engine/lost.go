package engine

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// PeerError is why nothing can be sent to or received from a peer any more; nil if it can.
func (e *Engine) PeerError(peer int) error {
	if e.lost == nil {
		return nil
	}
	return e.lost[peer]
}

// AnyOdd tells whether sends to some peer are not as usual: PeerError has an answer, or the peer
// wants offers.
func (e *Engine) AnyOdd() bool { return e.lost != nil || e.crowd.offers != nil }

// Lost ends every request that waits for a peer of whom nothing will be heard any more, and makes those that are
// posted later fail at once. The link has let go of all memory of that peer's requests and says nothing more about
// them. What had arrived whole can still be received; receives from any source go on waiting for others.
func (e *Engine) Lost(peer int, err error) {
	if e.PeerError(peer) != nil {
		return
	}
	if e.lost == nil {
		e.lost = map[int]error{}
	}
	err = fmt.Errorf("%w: %w", ErrLost, err)
	e.lost[peer] = err
	// First, because packets that wait are part of requests that end below and may then be used again.
	e.act(Action{Kind: Cut, Packet: &wire.Packet{Peer: peer}})
	e.posted.Each(func(en *match.Entry[*Req]) {
		if int(en.Peer) == peer {
			e.posted.Remove(en)
			e.finish(en.Value, err)
		}
	})
	e.endProbes(func(r *Req) bool { return int(r.Peer) == peer }, err)
	for _, r := range e.ids {
		if r != nil && r.pkt.Peer == peer {
			if r.state.unanswered() && r.pkt.Kind == wire.RTS {
				e.hideOffer(r)
			}
			e.finish(r, err)
		}
	}
	e.unexpected.Each(func(en *match.Entry[*Message]) {
		if m := en.Value; int(en.Peer) == peer && (m.header.Kind == wire.RTS || !m.whole) {
			e.unexpected.Remove(en)
			e.UnexpectedBytes -= len(m.buf)
		}
	})
	e.joined = slices.DeleteFunc(e.joined, func(m *Message) bool {
		gone := int(m.entry.Peer) == peer
		if gone {
			m.req = nil // it has ended above
			e.UnexpectedBytes -= len(m.buf)
		}
		return gone
	})
	if e.crowd.forget(peer); e.crowd.held != nil {
		e.release()
	}
	theirs := func(env match.Envelope) bool { return int(env.Peer) == peer }
	if e.spec != nil {
		e.spec.forgetAll(theirs)
	}
	e.announced.forgetAll(theirs)
}
