package rail

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// laneState says how far a lane is.
type laneState uint8

const (
	dialing  laneState = iota // we have asked
	greeting                  // we have accepted
	up
	closed
)

// lane is one connection to a peer.
type lane struct {
	peer     *peer
	class    class
	path     int // index in peer.paths
	rail     int // of ours, on that path
	state    laneState
	ours     bool // we asked for it
	gen      uint32
	qp       verbs.QP
	num      uint32
	expected uint32 // the next frame that the peer waits for, as it said when the lane was made
	heard    uint64 // frames that had come from the peer before it
	unmarked int

	recvs  int // receives of its own, 0 if it shares them
	added  int // hybrid: shared receives that it has added
	posted []*buffer
	held   []*buffer // frames that the device may still send
	ah     verbs.AH  // RD: a lane is an address

	tailsIn uint32 // tails that came over it
	bulkLane
}

// newLane makes a queue pair for a lane of ours.
func (p *peer) newLane(c class, path int) (*lane, error) {
	l := p.link
	ln := &lane{peer: p, class: c, path: path, rail: p.paths[path].local}
	cfg := verbs.QPConfig{
		Type: verbs.RC, SendCQ: l.cq, RecvCQ: l.cq, SRQ: l.srq, Rail: ln.rail,
		SendDepth: l.expressDepth, SendSGE: 2, Inline: l.inline,
	}
	if c.long() {
		cfg.SendDepth, cfg.Inline = l.bulkDepth, min(inlineMax, l.inline)
	}
	own := c == express && l.traits.ownRecvs
	if own {
		cfg.SRQ, cfg.RecvDepth = nil, l.cfg.SRFull+spareRecvs
	}
	qp, err := l.pd.NewQP(cfg)
	if err != nil {
		return nil, fmt.Errorf("rail: queue pair for rank %d: %w", p.rank, err)
	}
	ln.qp, ln.num = qp, qp.Num()
	if err = qp.Modify(verbs.Init); err != nil {
		ln.close()
		return nil, fmt.Errorf("rail: queue pair for rank %d: %w", p.rank, err)
	}
	switch {
	case own && p.full:
		ln.provide(l.cfg.SRFull) // it has credit for as many
	case own:
		ln.provide(l.cfg.SRFirst)
	}
	l.lanes[ln.num] = ln
	return ln, nil
}

// dial asks the peer for a lane, unless there is one already.
func (p *peer) dial(c class, path int) {
	l := p.link
	slot := p.slot(c, path)
	if p.lost != nil || p.lanes[slot] != nil || l.closing {
		return
	}
	l.now = l.clock.Now()
	if c == express && p.away == 0 {
		p.away = l.now
	}
	if p.berths[slot].retryAt > l.now {
		p.heed()
		return
	}
	ln, err := p.newLane(c, path)
	if err != nil && (c == side || c == back) { // it is to make things faster only
		p.berths[slot].retryAt = l.now + 1e9
		return
	}
	if err != nil {
		p.lose(err)
		return
	}
	p.gens++
	ln.ours, ln.gen, ln.state = true, p.gens, dialing
	p.lanes[slot] = ln
	pa := p.paths[path]
	h := hello{class: c, fromRail: uint8(pa.local), toRail: uint8(pa.remote), from: uint32(l.cfg.Self), to: uint32(p.rank),
		gen: ln.gen, seen: p.berths[slot].seen, expected: p.in.Expected()}
	l.Counters.Dials++
	if err := ln.qp.Connect(p.rails[pa.remote].connectTo(), h.append(nil)); err != nil {
		ln.failed(err)
	}
}

// berth is what is remembered of the lanes that were in a slot.
type berth struct {
	retryAt int64  // no other one before this time
	tries   int    // failures in a row
	seen    uint32 // number of the last one that the peer made and we accepted
	wasUp   bool   // there was one that could be used
}

// perPath is how many slots a path has: one for each class but express.
const perPath = int(classes) - 1

// slot is where a lane of the peer is kept: the express lane first, then those of each path.
func (p *peer) slot(c class, path int) int {
	if c == express {
		return 0
	}
	return 1 + perPath*path + int(c-bulk)
}

// makeRoom makes slots for the lanes of all paths.
func (p *peer) makeRoom() {
	for len(p.lanes) < 1+perPath*len(p.paths) {
		p.lanes, p.berths = append(p.lanes, nil), append(p.berths, berth{})
	}
}

// standing is the lane of a class on a path if it can be used, else nil.
func (p *peer) standing(c class, path int) *lane {
	if ln := p.lanes[p.slot(c, path)]; ln != nil && ln.state == up {
		return ln
	}
	return nil
}

// requested answers a peer that asks for a lane.
func (l *Link) requested(req verbs.ConnRequest) {
	var h hello
	err := h.parse(req.Private())
	if err != nil || int(h.to) != l.cfg.Self || int(h.from) >= l.cfg.Size || int(h.from) == l.cfg.Self || l.closing {
		l.Counters.Strangers++
		l.reject(req, refused)
		return
	}
	p := l.peer(int(h.from))
	if p.lost != nil || p.find() != nil {
		l.reject(req, refused)
		return
	}
	path := p.pathOf(int(h.toRail), int(h.fromRail))
	if path < 0 {
		l.reject(req, refused)
		return
	}
	if h.class == side && p.lanes[0] == nil { // it would have none to come back to
		l.reject(req, refused)
		return
	}
	slot := p.slot(h.class, path)
	if old := p.lanes[slot]; old != nil {
		if old.ours && h.seen < old.gen && (old.state == up || l.cfg.Self < p.rank) {
			l.Counters.Crossed++ // it asked before it had heard of ours
			l.reject(req, crossed)
			return
		}
		old.lostTo()
	}
	p.accept(req, &h, path)
}

func (l *Link) reject(req verbs.ConnRequest, v verdict) {
	a := answer{verdict: v}
	_ = req.Reject(a.append(nil)) // it may be gone already
}

func (p *peer) accept(req verbs.ConnRequest, h *hello, path int) {
	l := p.link
	if h.class == express && !l.carrier.admit(p) {
		l.reject(req, refused)
		return
	}
	ln, err := p.newLane(h.class, path)
	if err != nil {
		if h.class == express {
			l.carrier.gone(p)
		}
		l.reject(req, refused)
		return
	}
	slot := p.slot(h.class, path)
	ln.state, ln.gen, ln.expected = greeting, h.gen, h.expected
	p.lanes[slot] = ln
	p.berths[slot].seen = max(p.berths[slot].seen, h.gen)
	a := answer{verdict: accepted, expected: p.in.Expected()}
	if err := req.Accept(ln.qp, a.append(nil)); err != nil {
		ln.failed(err)
	}
}

// pathOf finds the path between two rails. A pair that only the peer has thought of becomes one, unless
// messages are being cut over the others; -1 then.
func (p *peer) pathOf(local, remote int) int {
	for i, pa := range p.paths {
		if pa.local == local && pa.remote == remote {
			return i
		}
	}
	if local >= len(p.link.cfg.Prefixes) || remote >= len(p.rails) || len(p.paths) == maxPaths || p.moving() {
		return -1
	}
	p.paths = append(p.paths, path{local, remote})
	p.makeRoom()
	p.bulk.in.sched, p.bulk.out.sched = nil, nil // the next ones know the path
	return len(p.paths) - 1
}

// moving tells whether parts of long messages are under way or wait.
func (p *peer) moving() bool {
	for _, ln := range p.lanes[1:] {
		if ln != nil && len(ln.open) > 0 {
			return true
		}
	}
	return p.bulk.waits() || len(p.bulk.limbo) > 0
}

// established: the lane can be used.
func (ln *lane) established(private []byte) {
	p := ln.peer
	if ln.state == dialing {
		var a answer
		if err := a.parse(private); err != nil || a.verdict != accepted {
			ln.failed(fmt.Errorf("rail: rank %d answered nonsense to a connection request", p.rank))
			return
		}
		ln.expected = a.expected
	}
	ln.state = up
	if p.link.cfg.Quiet > 0 { // anew: what waits for the lane leaves only after this call
		p.quietAt = p.link.now + p.link.cfg.Quiet
	}
	at := &p.berths[p.slot(ln.class, ln.path)]
	again := at.wasUp
	at.tries, at.retryAt, at.wasUp, p.away = 0, 0, true, 0
	p.link.Counters.Lanes++
	switch {
	case ln.class.long():
		p.laneUp(ln, again)
		return
	case ln.class == side:
		return
	}
	p.noteReached()
	p.express, p.wanted, ln.heard = ln, false, p.received
	if l := p.link; l.traits.climbs {
		ln.added = l.cfg.RCRecvs
		l.giveMore(ln.added)
	}
	p.out.SetTimed(false, p.link.now)
	p.replay(ln.expected)
	p.owe(p.received > 0) // credit that was told over the last one may not have arrived
	p.pump()              // long messages may have waited for it
}

// failed: the lane could not be made, or broke. What was on it goes another way.
func (ln *lane) failed(err error) {
	if ln.state == closed {
		return
	}
	p := ln.peer
	if ln.ah != nil {
		p.lose(err) // the device has tried long enough
		return
	}
	at := &p.berths[p.slot(ln.class, ln.path)]
	if ln.state != up {
		at.tries++
		pause := min(int64(10e6)<<min(at.tries, 7), 1e9)
		at.retryAt = p.link.now + pause
	} else {
		p.link.Counters.Broken++
		if p.endsWith(err) {
			p.lose(err)
			return
		}
		at.retryAt = max(p.link.now, 1) // at once, by the next tick: what was on it may have nobody else to move it
	}
	ln.lostTo()
	if p.lost != nil || p.link.closing {
		return
	}
	p.why = err
	if ln.class == express {
		p.link.carrier.recover(ln, at.tries == 0)
	}
	p.heed()
}

// rejected: the peer did not want the lane.
func (ln *lane) rejected(private []byte) {
	var a answer
	if a.parse(private) == nil && a.verdict == crossed {
		p := ln.peer
		ln.lostTo()
		p.berths[p.slot(ln.class, ln.path)].retryAt = p.link.now + crossedWait // its own request should be here by then
		p.heed()
		return
	}
	ln.failed(fmt.Errorf("rail: rank %d refuses a connection", ln.peer.rank))
}

// crossedWait is how long to wait for a connection that the peer asks for.
const crossedWait = 200e6

// lostTo closes the lane and moves what was on it to where it can wait for another one.
func (ln *lane) lostTo() {
	p := ln.peer
	wasUp := ln.state == up
	ln.close()
	switch {
	case ln.class.long():
		p.link.hearOut(ln)
		p.laneGone(ln, wasUp)
		return
	case ln.class == side:
		p.sideGone(ln)
		return
	}
	p.closeSides()
	if p.express == ln {
		p.express = nil
		p.forget()
	}
	p.link.carrier.gone(p)
}

// close gives the queue pair back. No byte moves on it afterwards.
func (ln *lane) close() {
	if ln.state == closed {
		return
	}
	l := ln.peer.link
	ln.state = closed
	if delete(l.lanes, ln.num); l.last == ln {
		l.last = nil
	}
	if ln.ah == nil {
		if !l.closing { // a message that has come in part gives the shared receive back that it took
			_ = ln.qp.Modify(verbs.Error)
		}
		_ = ln.qp.Close()
	}
	if ln.added > 0 {
		l.takeBack(ln.added)
	}
	for _, b := range ln.posted {
		b.posts++ // a completion of it may still come
		b.pool.put(b)
	}
	for _, b := range ln.held {
		b.unhold()
	}
	ln.posted, ln.held = nil, nil
	if slot := ln.peer.slot(ln.class, ln.path); ln.peer.lanes[slot] == ln {
		ln.peer.lanes[slot] = nil
	}
}

// needed tells whether something waits for an express lane. A peer that has nothing to say or hear may connect when it
// has.
func (p *peer) needed() bool {
	return p.wanted || p.out.InFlight() > 0 || p.bulk.waits() || len(p.bulk.limbo) > 0 || len(p.words) > 0
}

// nextPath is the path to try after one that failed.
func (p *peer) nextPath(failed int) int {
	return (failed + 1) % len(p.paths)
}
