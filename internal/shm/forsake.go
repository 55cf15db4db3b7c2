package shm

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/wire"
)

// A process that dies leaves its rings as they are: what it has published is whole. So its peers, told of its death,
// take out of its rings what there is, and then nothing of it is left: its long messages stand still, because nobody
// moves what was its part, and cells to it fill up.

// death is a peer that is going to be forgotten.
type death struct {
	peer    int // in the segment
	rank    int // in the job
	err     error
	drained bool // what it had sent has been delivered; what follows from that was carried out before the next Poll
}

// Forsake tells that a peer's process has died. The next Polls deliver what it has sent, and then say that it is lost.
func (l *Link) Forsake(rank int, err error) {
	peer := l.at(rank)
	l.deaths = append(l.deaths, death{peer: peer, rank: rank, err: err})
	// As if it had talked to us for the first time: Ready and Poll have to look for that anyway.
	atomic.OrUint64(l.fresh[peer/64], 1<<(peer%64))
	l.seen[peer/64] &^= 1 << (peer % 64)
}

// mourn goes on with a peer that has died: with the first Poll what it has sent is delivered, with the second it is
// forgotten.
func (l *Link) mourn(d *death, s wire.Sink) {
	if !d.drained {
		l.drain(d.peer, s)
		d.drained = true
		l.seen[d.peer/64] &^= 1 << (d.peer % 64) // once more
		return
	}
	l.forget(d.peer)
	s.Lost(d.rank, d.err)
	peer := d.peer
	l.deaths = slices.DeleteFunc(l.deaths, func(d death) bool { return d.peer == peer })
}

// drain delivers what a dead peer has sent: a cell per cell of its ring at most.
func (l *Link) drain(peer int, s wire.Sink) {
	in := l.inAt[peer]
	if in == nil {
		return
	}
	for range in.cells {
		c := in.full()
		if c == nil {
			break
		}
		in.deliver(c, s)
		in.head++
	}
	in.release()
}

// forget closes the inbox of a dead peer, and drops the long messages that were on their way from it.
func (l *Link) forget(peer int) {
	l.ins = slices.DeleteFunc(l.ins, func(in *inbox) bool { return in.from == peer })
	l.inAt[peer] = nil
	for at := &l.pulls; *at != nil; {
		if (*at).peer == peer {
			*at = (*at).next
		} else {
			at = &(*at).next
		}
	}
}

// meet opens the inboxes of peers that have talked to us for the first time, and sees to those that have died.
func (l *Link) meet(s wire.Sink) {
	for i, word := range l.fresh {
		now := atomic.LoadUint64(word)
		news := now &^ l.seen[i]
		if news == 0 {
			continue
		}
		l.seen[i] = now
		for ; news != 0; news &= news - 1 {
			if peer := 64*i + bits.TrailingZeros64(news); peer < l.seg.Ranks {
				l.greet(peer, s)
			}
		}
	}
}

// greet opens the inbox of a peer of which there is something new, unless it is open, and has it mourned if it
// has died.
func (l *Link) greet(peer int, s wire.Sink) {
	if l.inAt[peer] == nil {
		l.welcome(peer)
	}
	for i := range l.deaths {
		if l.deaths[i].peer == peer {
			l.mourn(&l.deaths[i], s)
			return
		}
	}
}

// welcome opens the inbox of a peer.
func (l *Link) welcome(peer int) {
	in := l.seg.inbox(l.cfg.Self, peer)
	in.bell, in.from = &l.chimes[peer], peer
	if l.cfg.Members != nil {
		in.peer = l.cfg.Members[peer]
	}
	l.ins = append(l.ins, in)
	l.inAt[peer] = in
	l.guests.meetIn(peer, in)
}
