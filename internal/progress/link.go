package progress

import "github.com/weft-mpi/weft/internal/wire"

// Link is a way to some of our peers: what carries packets there, and what else it can do, as whoever made
// it knows. What it has not is nil. All methods are called with the loop's lock held unless they say
// otherwise.
type Link struct {
	Transport
	Long     Long     // nil: long messages are read by their receivers, and that is all
	Timed    Timed    // nil: nothing happens there unless somebody sends
	Dialer   Dialer   // nil: peers can be reached from the start
	Catcher  Catcher  // nil: only Poll delivers
	Near     Near     // nil: peers' memory is never in our address space
	Copier   Copier   // nil: the kernel copies nothing
	Far      Far      // nil: no device reads and writes peers' memory; with it there is Long
	Picker   Picker   // nil: only Poll delivers
	Forsaker Forsaker // nil: it finds out by itself that a peer has died
	Pieces   bool     // packets are packed by their Source into what carries them, and unpacked by Targets: cargo needs no other way
}

// Transport carries packets between this rank and some of its peers.
type Transport interface {
	// Send takes the packet and answers true, or says it is busy: then the packet may be partly taken
	// (Packet.Sent says how far), the caller offers it again later, before any other packet to that peer,
	// and the doorbell rings when there is room.
	Send(p *wire.Packet) bool
	// Ready tells, as cheaply as can be, whether Poll would find something.
	Ready() bool
	// Poll delivers what has arrived, a bounded amount, and tells whether it did anything.
	Poll(s wire.Sink) bool
	// Expose lets peer read b, or write it, until Hide. The caller keeps b alive.
	Expose(peer int, b []byte, forWrite bool) wire.Key
	Hide(peer int, k wire.Key)
	// Read starts to read len(dst) bytes at the peer's key; Sink.ReadDone ends it. False: this link cannot
	// read from that peer, ask for a push.
	Read(peer int, k wire.Key, dst []byte, token any) bool
	// EagerMax is the longest message to peer that should travel with its envelope.
	EagerMax(peer int) int
}

// Long is a link that has a choice of how long messages travel. Plans may have them announced there: their
// receiver tells where it is, and their sender keeps silent until then. So both ends of a link are Long, or
// none is. Over other links such a message travels like any, and long ones wait in the sender's memory
// until the receiver fetches them: nobody waits for anybody in a fixed order there either.
type Long interface {
	// Rendezvous says how long messages travel to and from peer. A link that may ever say Speculate to anybody says so,
	// or MaySpeculate, for its own rank too.
	Rendezvous(peer int) wire.Rendezvous
	// Write starts to write src to the peer's key; Sink.WriteDone ends it, once the bytes are in place
	// there. The caller keeps src alive and unchanged until then. The packet then (nil for none) is
	// delivered after the bytes are in place, and is the link's until WriteDone; all other packets may
	// overtake both.
	Write(peer int, k wire.Key, src []byte, then *wire.Packet, token any)
	// EagerAlone is the longest message to peer that should travel with its envelope, as things are,
	// although it is longer than EagerMax: it is alone on its way, so there is nothing that it could hold
	// up. 0 while others are under way.
	EagerAlone(peer int) int
	// Unasked tells whether a message of n bytes to peer may follow its offer unasked, as things are.
	Unasked(peer, n int) bool
	// Prefix is how many of the first bytes of a long message to peer that is going to be read should
	// travel with its offer.
	Prefix(peer int) int
}

// rendezvous says how long messages travel to and from peer.
func (k *Link) rendezvous(peer int) wire.Rendezvous {
	if k.Long == nil {
		return wire.Pull
	}
	return k.Long.Rendezvous(peer)
}

// Dialer is a link that has to make connections first, and says when they stand: until then, what waits for
// a peer is not offered again with every poll.
type Dialer interface {
	// Reaching tells that nothing can be sent to peer before Reached has named it.
	Reaching(peer int) bool
	// Reached lists the peers, since the last call, that were being reached and now are, or are lost. The
	// caller must not keep the slice.
	Reached() []int
}

// Bell puts the loop's driver to sleep and lets peers wake it. Only the driver arms and disarms.
type Bell interface {
	Arm()              // from now on whoever sends to us rings
	Disarm()           // no longer
	Sleep(limit int64) // until rung or for limit nanoseconds (0: no limit); may return early
	Ring()             // wake our own sleeper if it is armed; any goroutine
	Forward()          // a sleeper that should not have been woken passes the ring on
}

// packets is a queue of packets that a busy link could not take, oldest first.
type packets struct {
	first, last *wire.Packet
	offered     bool // with every flush: in Loop.offers
}

func (q *packets) push(p *wire.Packet) {
	p.Next = nil
	if q.last == nil {
		q.first = p
	} else {
		q.last.Next = p
	}
	q.last = p
}

func (q *packets) pop() {
	p := q.first
	q.first = p.Next
	if q.first == nil {
		q.last = nil
	}
	p.Next = nil
}

// remove takes a packet out of the queue, and tells whether it was there.
func (q *packets) remove(p *wire.Packet) bool {
	var before *wire.Packet
	for at := q.first; at != p; before, at = at, at.Next {
		if at == nil {
			return false
		}
	}
	if before == nil {
		q.pop()
		return true
	}
	if before.Next = p.Next; q.last == p {
		q.last = before
	}
	p.Next = nil
	return true
}
