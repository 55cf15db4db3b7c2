package rail

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// transfer is one long message that we read from a peer or write to it.
type transfer struct {
	peer  *peer
	write bool
	key   wire.Key
	buf   []byte // where it goes, or comes from
	entry *regcache.Entry
	token any
	then  []byte // encoded packet to deliver behind a write
	after uint32 // the stream must have come this far before it
	id    uint32 // of a write
	parts uint8
	left  int // parts that are not done
	err   error
}

// part is the share of a transfer that one lane moves.
type part struct {
	t      *transfer
	off, n int
	index  uint8
	lane   *lane
	tailNo uint32 // of a write: number of its tail on the lane
	name   uint64 // in work requests
	posted int64
}

// bulkLane is what a lane knows of reads and writes on it.
type bulkLane struct {
	open     []*part // in the order of posting
	wrs      int     // work requests that are open
	bytes    int     // of open parts
	tailsOut uint32
}

// bulkState is what a peer knows of its long messages.
type bulkState struct {
	queue []*part // wait for a lane
	limbo []limbo // writes on lanes that are gone, of which we do not know how far they came
	tails map[uint32]*heldTail
	ids   uint32
	turn  int
	graves
}

// limbo is a bulk lane that is gone with writes on it.
type limbo struct {
	name  laneName
	parts []*part
}

// partMax is the longest read or write that one work request asks for.
const partMax = 256 << 20

// Read starts to read from the peer.
func (l *Link) Read(rank int, k wire.Key, dst []byte, token any) bool {
	p := l.peer(rank)
	if !l.movesBulk(p) || k == (wire.Key{}) {
		return false
	}
	entry, err := l.reg.Acquire(dst, verbs.LocalWrite)
	if err != nil {
		return false
	}
	l.Counters.Reads++
	p.start(&transfer{peer: p, key: k, buf: dst, entry: entry, token: token})
	return true
}

// Write starts to write to the peer.
func (l *Link) Write(rank int, k wire.Key, src []byte, then *wire.Packet, token any) {
	p := l.peer(rank)
	t := &transfer{peer: p, write: true, key: k, buf: src, token: token, after: p.next}
	entry, err := l.reg.Acquire(src, 0)
	if err != nil {
		l.finished = append(l.finished, finished{t, err})
		l.cfg.Bell()
		return
	}
	t.entry = entry
	if then != nil {
		t.then = wire.Append(nil, &then.Header)
	}
	p.bulk.ids++
	t.id = p.bulk.ids
	l.Counters.Writes++
	p.start(t)
}

// movesBulk tells whether the peer's memory can be reached.
func (l *Link) movesBulk(p *peer) bool {
	switch l.cfg.Channel {
	case UD:
		return false
	case Hybrid:
		return p.express != nil || p.mayClimb()
	}
	return p.lost == nil
}

// finished is a transfer whose end has not been told.
type finished struct {
	t   *transfer
	err error
}

// start cuts a transfer into parts and puts them on lanes, or into the queue while there is none.
func (p *peer) start(t *transfer) {
	ways := 1
	if len(t.buf) >= p.link.cfg.Stripe {
		ways = max(1, len(p.bulkLanes()))
	}
	each := (len(t.buf) + ways - 1) / ways
	for off := 0; off < len(t.buf) || off == 0; off += each {
		p.bulk.queue = append(p.bulk.queue, &part{t: t, off: off, n: min(each, len(t.buf)-off), index: t.parts})
		t.parts++
		t.left++
	}
	p.pump()
}

// bulkLanes lists the bulk lanes that are up, those that a transfer of ours should use first at the front.
func (p *peer) bulkLanes() []*lane {
	l := p.link
	l.laneList = l.laneList[:0]
	for _, ln := range p.lanes[1:] {
		if ln != nil && ln.state == up {
			l.laneList = append(l.laneList, ln)
		}
	}
	return l.laneList
}

// pump puts parts that wait on lanes.
func (p *peer) pump() {
	if len(p.bulk.queue) == 0 {
		return
	}
	l := p.link
	if l.cfg.Channel == Hybrid && p.express == nil {
		p.ask()
		return
	}
	if err := p.find(); err != nil {
		p.lose(err)
		return
	}
	p.openBulk()
	for len(p.bulk.queue) > 0 {
		ln := p.chooseLane()
		if ln == nil || !ln.putPart(p.bulk.queue[0]) {
			break
		}
		p.bulk.queue = p.bulk.queue[1:]
	}
	if len(p.bulk.queue) == 0 {
		p.bulk.queue = nil
	}
	p.heed()
}

// openBulk asks for bulk lanes on all paths.
func (p *peer) openBulk() {
	if p.link.cfg.Channel == RD {
		if p.lanes[1] == nil && p.reach() {
			p.lanes[1] = &lane{peer: p, class: bulk, state: up, qp: p.link.dgramQP, num: p.link.dgramNum, ah: p.ah}
		}
		return
	}
	for i := range p.paths {
		if p.lanes[1+i] == nil {
			p.dial(bulk, i)
		}
	}
}

// chooseLane picks the lane that will be free first.
func (p *peer) chooseLane() *lane {
	var best *lane
	for _, ln := range p.lanes[1:] {
		if ln == nil || ln.state != up || ln.wrs+3 > bulkDepth {
			continue
		}
		if best == nil || ln.bytes < best.bytes {
			best = ln
		}
	}
	return best
}

// putPart posts a part on the lane and tells whether there was room.
func (ln *lane) putPart(a *part) bool {
	l := ln.peer.link
	t := a.t
	a.lane = ln
	a.name = l.nameOp(a)
	var ok bool
	if t.write {
		ok = ln.putWrite(a)
	} else {
		ok = ln.putRead(a)
	}
	if !ok {
		l.dropOp(a)
		return false
	}
	a.posted = l.now
	ln.open = append(ln.open, a)
	ln.bytes += a.n
	l.railBytes[ln.peer.paths[ln.path].local] += uint64(a.n)
	l.leave = true
	return true
}

func (ln *lane) address(wr *verbs.SendWR) {
	if ln.ah != nil {
		wr.AH, wr.DestQP = ln.ah, ln.peer.dgramQ
	}
}

func (ln *lane) putRead(a *part) bool {
	l, t := ln.peer.link, a.t
	l.sges[0] = verbs.SGE{Buf: t.buf[a.off : a.off+a.n], LKey: t.entry.LKey()}
	wrs := l.wrs[:1]
	wrs[0] = verbs.SendWR{ID: a.name, Op: verbs.Read, Flags: verbs.Signaled, SGL: l.sges[:1],
		RemoteAddr: t.key.Addr + uint64(a.off), RKey: t.key.Slot}
	ln.address(&wrs[0])
	n, err := ln.qp.PostSend(wrs)
	if n == 1 {
		ln.wrs++
	}
	l.noteError(err)
	return n == 1
}

// putWrite posts the bytes, the tail that tells the peer, and what tells us that all of it is there: a read of nothing,
// which the peer's device answers when it has placed what came before.
func (ln *lane) putWrite(a *part) bool {
	l, t := ln.peer.link, a.t
	ln.tailsOut++
	a.tailNo = ln.tailsOut
	b := l.tailBuf[:headerSize]
	h := header{kind: kTail, from: uint32(l.cfg.Self)}
	h.put(b)
	ln.peer.stamp(b)
	tl := tail{id: t.id, after: t.after, part: a.index, parts: t.parts}
	b = append(tl.append(b), t.then...)
	l.sges[0] = verbs.SGE{Buf: t.buf[a.off : a.off+a.n], LKey: t.entry.LKey()}
	l.sges[1] = verbs.SGE{Buf: b}
	wrs := l.wrs[:3]
	wrs[0] = verbs.SendWR{ID: a.name, Op: verbs.Write, SGL: l.sges[:1], RemoteAddr: t.key.Addr + uint64(a.off), RKey: t.key.Slot}
	wrs[1] = verbs.SendWR{ID: a.name, Op: verbs.Send, Flags: verbs.Inline, SGL: l.sges[1:2]}
	wrs[2] = verbs.SendWR{ID: a.name, Op: verbs.Read, Flags: verbs.Signaled, RemoteAddr: t.key.Addr, RKey: t.key.Slot}
	if l.caps.PeerAck {
		wrs[1].Flags |= verbs.Signaled
		wrs = wrs[:2]
	}
	for i := range wrs {
		ln.address(&wrs[i])
	}
	n, err := ln.qp.PostSend(wrs)
	if n == len(wrs) {
		ln.wrs += n
		return true
	}
	l.noteError(err)
	if n > 0 {
		ln.failed(fmt.Errorf("rail: half of a write was taken: %w", err))
	}
	ln.tailsOut--
	return false
}

// opDone takes the completion of a part.
func (l *Link) opDone(c *verbs.Completion) {
	a := l.op(c.ID)
	if a == nil {
		return
	}
	ln, t := a.lane, a.t
	switch c.Status {
	case verbs.OK:
	case verbs.RemoteAccess, verbs.RemoteInvalid, verbs.LocalProtection, verbs.LocalLength:
		if t.err == nil {
			t.err = fmt.Errorf("rail: rank %d: %v of %d bytes: %v", ln.peer.rank, c.Op, a.n, c.Status)
		}
	default: // the lane is going: whoever closes it moves its parts
		ln.failed(fmt.Errorf("rail: rank %d: %v", ln.peer.rank, c.Status))
		return
	}
	if t.write && c.Status == verbs.OK && c.Op != verbs.Read && !l.caps.PeerAck {
		return
	}
	ln.takeOff(a)
	l.partDone(a)
	ln.peer.pump()
}

// takeOff removes a part from its lane.
func (ln *lane) takeOff(a *part) {
	for i, o := range ln.open {
		if o == a {
			ln.open = append(ln.open[:i], ln.open[i+1:]...)
			break
		}
	}
	ln.bytes -= a.n
	if a.t.write {
		ln.wrs -= 3
	} else {
		ln.wrs--
	}
}

func (l *Link) partDone(a *part) {
	l.dropOp(a)
	t := a.t
	if t.left--; t.left > 0 {
		return
	}
	l.reg.Release(t.entry)
	l.finished = append(l.finished, finished{t, t.err})
}

// tell ends the transfers that are done. The engine may start others meanwhile.
func (l *Link) tell() (any bool) {
	for i := 0; i < len(l.finished); i++ {
		f := l.finished[i]
		if f.t.write {
			l.sink.WriteDone(f.t.token, f.err)
		} else {
			l.sink.ReadDone(f.t.token, f.err)
		}
		any = true
	}
	l.finished = l.finished[:0]
	return any
}

var errNoPath = errors.New("rail: the peer's memory cannot be reached")

// laneUp: a bulk lane can be used.
func (p *peer) laneUp(*lane) { p.pump() }

// laneGone moves what was on a bulk lane. Reads start again elsewhere. A write may have been placed or be about to be
// placed: the peer closes its end first, then says how far we came.
func (p *peer) laneGone(ln *lane, wasUp bool) {
	var writes []*part
	var again []*part
	for _, a := range ln.open {
		p.link.dropOp(a)
		if a.t.write && p.lost == nil {
			writes = append(writes, a)
		} else {
			again = append(again, a)
		}
	}
	ln.open, ln.bytes, ln.wrs = nil, 0, 0
	p.bulk.queue = append(again, p.bulk.queue...)
	if wasUp {
		p.bulk.bury(ln)
	}
	if len(writes) > 0 {
		pa := p.paths[ln.path]
		name := laneName{fromRail: uint8(pa.local), toRail: uint8(pa.remote), gen: ln.gen, asked: ln.ours}
		p.bulk.limbo = append(p.bulk.limbo, limbo{name: name, parts: writes})
		p.say(kDown, name.append(nil))
	}
}

// loseBulk ends all transfers with a peer that is lost.
func (p *peer) loseBulk() {
	parts := p.bulk.queue
	for _, b := range p.bulk.limbo {
		parts = append(parts, b.parts...)
	}
	p.bulk.queue, p.bulk.limbo, p.bulk.tails = nil, nil, nil
	for _, a := range parts {
		if a.t.err == nil {
			a.t.err = p.lost
		}
		p.link.partDone(a)
	}
}

// rdLane is the lane that stands for an RD queue pair; nil on other channels.
func (p *peer) rdLane() *lane {
	if p.link.cfg.Channel != RD {
		return nil
	}
	p.openBulk()
	return p.lanes[1]
}
