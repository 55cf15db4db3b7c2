package rail

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/rail/stripe"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// transfers are the long messages of a link, with all its peers.
type transfers struct {
	ops       ops
	finished  []*transfer // over, and not told
	heard     []*peer     // have tails of lanes that are gone
	tailBuf   []byte      // memory for calls
	railBytes []uint64    // by rail
}

// transfer is one long message that we read from a peer or write to it.
type transfer struct {
	peer  *peer
	write bool
	key   wire.Key
	keys  []uint32 // those over the peer's rails from 1 on, if they differ
	buf   []byte   // where it goes, or comes from
	entry *registrar.Entry
	token any
	then  []byte // encoded packet to deliver behind a write
	after uint32 // the stream must have come this far before it
	id    uint32 // of a write
	rail  uint8  // asked for by the packet behind a write
	cut   stripe.Transfer
	open  int // parts under way
	err   error
}

// part is a piece of a transfer that one lane moves.
type part struct {
	t      *transfer
	piece  stripe.Piece
	lane   *lane
	wrs    int     // work requests it takes
	tailNo uint32  // of a write: number of its tail on the lane
	tail   *buffer // of a write: its tail, if that is too long to be posted inline
	name   uint64  // in work requests
}

// bulkLane is what a lane knows of reads and writes on it.
type bulkLane struct {
	open     []*part // in the order of posting
	reads    int     // of these
	wrs      int     // work requests that are open
	tailsOut uint32
}

// bulkState is what a peer knows of its long messages. Those that come and those that go do not wait for each other.
type bulkState struct {
	in, out way
	limbo   []limbo // writes on lanes that are gone, of which we do not know how far they came
	tails   map[uint32]*heldTail
	ids     uint32
	parts   uint64 // that were begun
	exposed int    // pieces of our memory that the peer may read or write
	railKeys
	graves
}

// limbo is a bulk lane that is gone with writes on it.
type limbo struct {
	name  laneName
	parts []*part
}

// Read starts to read from the peer.
func (l *Link) Read(rank int, k wire.Key, dst []byte, token any) bool {
	l.LetGo()
	p := l.peer(rank)
	if !l.movesBulk(p) || k == (wire.Key{}) {
		return false
	}
	entry, err := l.mem.Acquire(dst, verbs.LocalWrite)
	if err != nil {
		return false
	}
	l.Counters.Reads++
	p.start(&transfer{peer: p, key: k, buf: dst, entry: entry, token: token})
	return true
}

// Write starts to write to the peer.
func (l *Link) Write(rank int, k wire.Key, src []byte, then *wire.Packet, token any) {
	l.LetGo()
	p := l.peer(rank)
	t := &transfer{peer: p, write: true, key: k, buf: src, token: token, after: p.next}
	var err error
	if t.entry, err = l.mem.Acquire(src, 0); err != nil { // the device has no room for it
		t.err = fmt.Errorf("%w: %w", wire.ErrNoPath, err)
	}
	if p.lost != nil {
		t.err = p.lost
	}
	if t.err != nil {
		l.end(t)
		return
	}
	if then != nil {
		t.then, t.rail = wire.Append(nil, &then.Header), then.Rail
	}
	p.bulk.ids++
	t.id = p.bulk.ids
	l.Counters.Writes++
	p.start(t)
}

// start puts a transfer on its way.
func (p *peer) start(t *transfer) {
	if err := p.find(); err != nil {
		p.lose(err)
		t.err = p.lost
		p.link.end(t)
		return
	}
	w := t.way()
	if t.keys = p.bulk.keys[t.key.Slot]; p.keyed && t.keys == nil {
		p.pathOfTransfer(t)
		p.scheduler(w).StartWhole(&t.cut, len(t.buf), p.pathFrom(0))
	} else {
		p.scheduler(w).StartOn(&t.cut, len(t.buf), p.pathOfTransfer(t))
	}
	w.active = append(w.active, t)
	p.pump()
}

// pump puts what waits on lanes.
func (p *peer) pump() {
	if !p.bulk.waits() {
		return
	}
	if !p.link.carrier.reach(p, bulk) {
		return
	}
	now := p.link.clock.Now()
	p.pumpWay(&p.bulk.in, now)
	p.pumpWay(&p.bulk.out, now)
	p.heed()
}

// pumpWay puts what waits to travel in one direction on lanes, as far as these have room.
func (p *peer) pumpWay(w *way, now int64) {
	for len(w.active) > 0 {
		t := w.active[0]
		for {
			piece, ok := p.scheduler(w).Next(&t.cut, now)
			if !ok {
				break
			}
			ln := p.laneFor(t, piece.Path)
			if _, has := t.keyBy(piece.Path); !has {
				p.scheduler(w).Fail(&t.cut, piece)
				t.err = wire.ErrNoPath
				break
			}
			if ln == nil || !ln.put(&part{t: t, piece: piece}) {
				p.scheduler(w).Fail(&t.cut, piece)
				return
			}
		}
		if t.err != nil {
			if w.active = w.active[1:]; t.open == 0 {
				p.link.end(t)
			}
			continue
		}
		if !t.cut.Given() {
			return // no path has room
		}
		w.active = w.active[1:]
	}
	w.active = nil
}

// put posts a part on the lane and tells whether there was room.
func (ln *lane) put(a *part) bool {
	l := ln.peer.link
	a.lane = ln
	a.name = l.ops.name(a)
	ok := false
	if a.t.write {
		ok = ln.putWrite(a)
	} else {
		ok = ln.putRead(a)
	}
	if !ok {
		l.unname(a)
		return false
	}
	a.t.open++
	ln.peer.bulk.parts++
	ln.open = append(ln.open, a)
	if !a.t.write {
		ln.reads++
	}
	ln.wrs += a.wrs
	l.railBytes[ln.peer.paths[ln.path].local] += uint64(a.piece.Len)
	return true
}

// spans fills l.wrs with the work requests that move a part, without flags.
func (ln *lane) spans(a *part, op verbs.Op) (n int, ok bool) {
	l, t := ln.peer.link, a.t
	key, _ := t.keyBy(ln.path)
	for off := 0; off < a.piece.Len || off == 0; off += l.message {
		if n+3 > len(l.wrs) || ln.wrs+n+3 > l.bulkDepth {
			return n, false
		}
		from := a.piece.Off + off
		l.sges[n] = verbs.SGE{Buf: t.buf[from : from+min(a.piece.Len-off, l.message)], LKey: t.entry.LKey()}
		l.wrs[n] = verbs.SendWR{ID: a.name, Op: op, SGL: l.sges[n : n+1], RemoteAddr: t.key.Addr + uint64(from), RKey: key}
		n++
	}
	return n, true
}

func (ln *lane) putRead(a *part) bool {
	n, ok := ln.spans(a, verbs.Read)
	if !ok {
		return false
	}
	ln.peer.link.wrs[n-1].Flags = verbs.Signaled
	return ln.hand(a, n)
}

// putWrite posts the bytes, the tail that tells the peer, and what tells us that all of it is there: a read of nothing,
// which the peer's device answers when it has placed what came before.
func (ln *lane) putWrite(a *part) bool {
	l := ln.peer.link
	n, ok := ln.spans(a, verbs.Write)
	if ok && !l.noTails {
		n, ok = ln.putTail(a, n)
	}
	if !ok {
		return false
	}
	if l.caps.PeerAck {
		l.wrs[n-1].Flags |= verbs.Signaled
	} else {
		l.wrs[n] = verbs.SendWR{ID: a.name, Op: verbs.Read, Flags: verbs.Signaled, RemoteAddr: ln.peer.probe.Addr, RKey: ln.peer.probe.Slot}
		n++
	}
	ln.tailsOut++
	a.tailNo = ln.tailsOut
	if !ln.hand(a, n) {
		ln.tailsOut--
		return false
	}
	return true
}

// putTail adds the tail of a part to l.wrs, as the n-th. One that the device does not take inline needs a buffer.
func (ln *lane) putTail(a *part, n int) (int, bool) {
	l, t := ln.peer.link, a.t
	b := l.tailBuf[:headerSize]
	h := header{kind: kTail, from: uint32(l.cfg.Self)}
	h.put(b)
	ln.peer.stamp(b)
	tl := tail{id: t.id, after: t.after, n: uint64(a.piece.Len), total: uint64(len(t.buf))}
	b = append(tl.append(b), t.then...)
	l.sges[n] = verbs.SGE{Buf: b}
	l.wrs[n] = verbs.SendWR{ID: a.name, Op: verbs.Send, Flags: verbs.Inline, SGL: l.sges[n : n+1]}
	if len(b) > min(inlineMax, l.inline) {
		if a.tail = l.recvPool.get(); a.tail == nil { // which grows, while those for sending may all be in use
			return n, false
		}
		l.sges[n] = verbs.SGE{Buf: a.tail.mem[:copy(a.tail.mem, b)], LKey: a.tail.lkey}
		l.wrs[n].Flags = 0
	}
	return n + 1, true
}

// unname: the device is done with a part, or has not got it.
func (l *Link) unname(a *part) {
	l.ops.drop(a)
	if a.tail != nil {
		a.tail.pool.put(a.tail)
		a.tail = nil
	}
}

// hand posts the first n of l.wrs: all of them or none.
func (ln *lane) hand(a *part, n int) bool {
	l := ln.peer.link
	wrs := l.wrs[:n]
	if ln.ah != nil {
		for i := range wrs {
			wrs[i].AH, wrs[i].DestQP = ln.ah, ln.peer.dgramQ
		}
	}
	took, err := ln.qp.PostSend(wrs)
	a.wrs = n
	if took == n {
		return true
	}
	l.noteError(err)
	if took > 0 { // some of it is on its way, and nothing can take it back but the end of the lane
		ln.failed(fmt.Errorf("rail: a transfer to rank %d was cut off: %w", ln.peer.rank, err))
	}
	return false
}

// opDone takes the completion of a part: its last work request, or one that failed.
func (l *Link) opDone(c *verbs.Completion) {
	a := l.ops.find(c.ID)
	if a == nil {
		return
	}
	ln, t := a.lane, a.t
	switch c.Status {
	case verbs.OK:
	case verbs.RemoteAccess, verbs.RemoteInvalid, verbs.LocalProtection, verbs.LocalLength:
		if t.err == nil {
			t.err = fmt.Errorf("rail: rank %d: %v of %d bytes: %v", ln.peer.rank, c.Op, a.piece.Len, c.Status)
		}
	default: // the lane is going: whoever closes it moves its parts
		ln.failed(fmt.Errorf("rail: rank %d: %v", ln.peer.rank, c.Status))
		return
	}
	ln.takeOff(a)
	l.unname(a)
	ln.peer.partDone(a)
	ln.peer.pump()
}

// takeOff removes a part from its lane.
func (ln *lane) takeOff(a *part) {
	if i := slices.Index(ln.open, a); i >= 0 {
		ln.open = slices.Delete(ln.open, i, i+1)
		if !a.t.write {
			ln.reads--
		}
	}
	ln.wrs -= a.wrs
}

// partDone: a part has arrived, or its transfer has failed.
func (p *peer) partDone(a *part) {
	t, w := a.t, a.t.way()
	t.open--
	p.scheduler(w).Done(&t.cut, a.piece, p.link.clock.Now())
	switch {
	case t.cut.Finished():
		p.link.end(t)
	case t.err != nil && t.open == 0:
		w.active = slices.DeleteFunc(w.active, func(o *transfer) bool { return o == t })
		p.link.end(t)
	}
}

// putBack has a part moved again, by whichever lane comes.
func (p *peer) putBack(a *part) {
	t, w := a.t, a.t.way()
	t.open--
	p.link.Counters.Moved++
	p.scheduler(w).Fail(&t.cut, a.piece)
	if t.err != nil { // it has been given up
		if t.open == 0 {
			p.link.end(t)
		}
		return
	}
	if !slices.Contains(w.active, t) {
		w.active = append([]*transfer{t}, w.active...)
	}
}

// end notes that a transfer is over; tell says so.
func (l *Link) end(t *transfer) {
	if t.entry != nil {
		l.mem.Release(t.entry)
	}
	if l.noTails && t.write && t.then != nil && t.err == nil {
		t.peer.say(kWhole, t.then)
	}
	l.finished = append(l.finished, t)
	l.cfg.Bell()
}

// tell ends the transfers that are over. The engine may start others meanwhile.
func (l *Link) tell() (any bool) {
	for i := 0; i < len(l.finished); i++ {
		t := l.finished[i]
		if t.write {
			l.sink.WriteDone(t.token, t.err)
		} else {
			l.sink.ReadDone(t.token, t.err)
		}
		any = true
	}
	clear(l.finished)
	l.finished = l.finished[:0]
	return any
}

// laneGone moves what was on a bulk lane. Reads start again elsewhere. A write may have been placed or be about to be
// placed: the peer closes its end first, then says how far we came.
func (p *peer) laneGone(ln *lane, wasUp bool) {
	var writes []*part
	for _, a := range ln.open {
		p.link.unname(a)
		if a.t.write && p.lost == nil {
			writes = append(writes, a)
		} else {
			p.putBack(a)
		}
	}
	ln.open, ln.reads, ln.wrs = nil, 0, 0
	if p.standing(bulk, ln.path) == nil && p.standing(back, ln.path) == nil {
		p.pathDown(ln.path)
	}
	if wasUp || ln.tailsIn > 0 { // it may bring something before we hear that it is there
		p.bulk.bury(ln)
	}
	if len(writes) > 0 {
		pa := p.paths[ln.path]
		name := laneName{fromRail: uint8(pa.local), toRail: uint8(pa.remote), gen: ln.gen, asked: ln.ours}
		p.bulk.limbo = append(p.bulk.limbo, limbo{name: name, parts: writes})
		p.say(kDown, name.append(nil))
	}
}

// giveUpBulk ends the transfers that have not begun, with an error that has the engine find another way.
func (p *peer) giveUpBulk(err error) {
	for _, w := range p.ways() {
		for _, t := range w.active {
			if t.err == nil {
				t.err = err
			}
			if t.open == 0 {
				p.link.end(t)
			}
		}
		w.active = nil
	}
}

// loseBulk ends all transfers with a peer that is lost.
func (p *peer) loseBulk() {
	for _, b := range p.bulk.limbo {
		for _, a := range b.parts {
			p.putBack(a)
		}
	}
	p.bulk.limbo, p.bulk.tails = nil, nil
	p.giveUpBulk(p.lost)
}
