package soft

import (
	"net/netip"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/rd"
	"github.com/weft-mpi/weft/internal/verbs"
)

// talks is what an RD socket has beside what all have.
type talks struct {
	flows     *rd.Table[netip.AddrPort, *talk]
	segment   int        // bytes of the longest segment
	shim      iwarp.Shim // for calls under the lock
	touched   []*talk    // something happened to them
	deferred  bool       // in the device's list of those to be pumped
	timer     *timer     // of the flows
	waiting   []*talk    // from which an answer is due
	lookAfter *timer     // at them
}

// talk is what an RD socket keeps for one peer, beside the flow: work that waits, what each datagram in flight
// carries, and segments that came too early.
type talk struct {
	session
	u    *udpSocket
	peer *rd.Peer[netip.AddrPort, *talk]

	most    int     // longest datagram that the peer's interface takes, as it said; 0: as long as ours
	queue   []owner // work requests that have not been started
	notices []iwarp.Terminate
	flight  flight
	kept    []keptSegment

	touched     bool
	probe       bool // an empty segment is due, to see whether the peer is there
	watched     bool // in the list of those from which an answer is due
	quiet       bool // nothing has come since the list was looked at
	starved     bool
	starvedPSN  uint32
	skipping    bool         // the rest of a message that was refused
	writing     bool         // in the middle of a Write
	writeFailed bool         // some of the last Write was refused
	heard       *dgram       // the queue pair that the last segment was for
	quoted      iwarp.Header // of that segment, as it came
}

// keptSegment is a segment that came before its turn. Writes are kept like others: placed early, one could be
// overwritten by an older one that has to be repeated.
type keptSegment struct {
	psn   uint32
	bytes []byte
}

// reorderPool is how many bytes of early segments a device keeps, for all peers together.
const reorderPool = 4 << 20

// talk finds or makes what is kept for a peer, nil if there are too many.
func (u *udpSocket) talk(now int64, to netip.AddrPort) *talk {
	p := u.flows.Open(now, to)
	if p == nil {
		return nil
	}
	return u.talkOf(p)
}

func (u *udpSocket) talkOf(p *rd.Peer[netip.AddrPort, *talk]) *talk {
	if p.Value == nil {
		t := &talk{u: u, peer: p}
		t.dev, t.side, t.named = u.dev, t, u.shared
		t.maxAsk, t.maxServ = maxReads, 2*maxReads
		t.sendNum = [4]uint32{1, 1, 1, 1}
		p.Value = t
	}
	return p.Value
}

// assign gives a work request that was just posted to the talk with its peer.
func (u *udpSocket) assign(q *dgram, to netip.AddrPort) {
	w, number := q.sends.Next()
	q.sends.Start()
	t := u.talk(clock.Now(), to)
	if t == nil {
		w.Done, w.Status = true, verbs.LocalFault
		q.sends.Retire(q.report)
		return
	}
	t.queue = append(t.queue, owner{&q.base, number})
	t.touch()
}

// touch has the talk pumped: at once, or, while somebody polls, with its next call. What it posts until then takes
// the acknowledgement along.
func (t *talk) touch() {
	if !t.touched {
		t.touched = true
		t.u.touched = append(t.u.touched, t)
		t.u.defers()
	}
}

// defers remembers that the socket has talks to pump.
func (u *udpSocket) defers() {
	if !u.deferred {
		u.deferred = true
		u.dev.deferred = append(u.dev.deferred, u)
	}
}

// pumpDeferred does what was left for the next call.
func (d *datagrams) pumpDeferred() {
	for i := 0; i < len(d.deferred); i++ {
		u := d.deferred[i]
		if u.deferred = false; u.sock != nil && len(u.touched) > 0 {
			u.pumpTouched(0)
			u.settle()
		}
	}
	clear(d.deferred)
	d.deferred = d.deferred[:0]
}

// pumpTouched sends for all talks that something happened to.
func (u *udpSocket) pumpTouched(now int64) {
	if len(u.touched) == 0 {
		return
	}
	if now == 0 {
		now = clock.Now()
	}
	for i := 0; i < len(u.touched); i++ {
		t := u.touched[i]
		t.touched = false
		t.pump(now)
	}
	clear(u.touched)
	u.touched = u.touched[:0]
}

// pump sends to a peer what may be sent: first what got lost, then what is new, then an acknowledgement if one is due
// and nothing took it along.
func (t *talk) pump(now int64) {
	u, p := t.u, t.peer
	for psn, ok := p.Resend(now); ok; psn, ok = p.Resend(now) {
		e := t.flight.get(psn)
		if e == nil || !u.room(&e.load) {
			break // the flow will ask again
		}
		u.dev.count.resent++
		t.emit(psn, e, false)
	}
	for !u.blocked && p.Room() > 0 && t.more() && u.room(&t.cur.load) {
		t.sendNext(now)
	}
	if p.AckDue(now) && u.room(&load{}) {
		u.dev.count.acks++
		p.FillAck(&u.shim)
		u.putShim(p.Key, &u.shim)
	}
}

// more tells whether there is something new to send.
func (t *talk) more() bool {
	if t.cur.kind != nothing || len(t.notices) > 0 || len(t.replies) > 0 || t.probe {
		return true
	}
	for len(t.queue) > 0 {
		w := t.queue[0].q.sends.Get(t.queue[0].number)
		if w == nil || w.Done { // flushed meanwhile
			t.queue = append(t.queue[:0], t.queue[1:]...)
			continue
		}
		return !(w.WR.Flags&verbs.Fence != 0 && len(t.asked) > 0 || asks(w.WR.Op) && len(t.asked) >= t.maxAsk)
	}
	return false
}

// sendNext sends the next piece under a new PSN.
func (t *talk) sendNext(now int64) {
	begins := t.cur.kind == nothing
	psn, fresh := t.peer.Send(now, begins)
	if fresh {
		t.sendNum = [4]uint32{1, 1, 1, 1}
	}
	e := t.flight.push(psn)
	*e = piece{}
	if begins {
		t.begin(e)
	}
	if t.cur.kind != nothing {
		t.cut(t.longest(), e)
	}
	last := t.peer.Room() == 0 || !t.more()
	if e = t.flight.get(psn); e != nil { // else the queue pair died of a completion, and the flight with it
		t.emit(psn, e, last)
	}
}

// nop is a segment that asks for nothing, for a PSN whose message came to nothing.
var nop = iwarp.Header{Tagged: true, Last: true, Op: iwarp.OpWrite}

// begin makes the next message the current one: error messages first, then answers, then work. What is complete in
// itself, it puts into e.
func (t *talk) begin(e *piece) {
	if len(t.notices) > 0 {
		t.beginNotice(e)
		return
	}
	e.header = nop
	if t.probe {
		t.probe = false
		return
	}
	if len(t.replies) > 0 {
		request := t.replies[0].request
		if f := t.nextReply(); !f.OK() { // the memory is gone since the request came
			t.refuseRead(f, request)
		}
		return
	}
	who := t.queue[0]
	t.queue = append(t.queue[:0], t.queue[1:]...)
	w := who.q.sends.Get(who.number)
	t.describe(who.q, w, who.number)
	if asks(w.WR.Op) {
		t.u.expectAnswer(t)
		t.cur.source |= t.u.sizeHint(w.WR.AH.(*ah))
		t.asked = append(t.asked, ask{q: who.q, number: who.number, msn: t.cur.header.MSN})
	}
	if !t.cur.load.valid(&t.dev.regions) {
		t.cur.kind = nothing
		w.Done, w.Status = true, verbs.LocalProtection
		who.q.sends.Retire(who.q.report)
	}
}

// beginNotice puts an error message into e.
func (t *talk) beginNotice(e *piece) {
	n := t.notices[0]
	t.notices = append(t.notices[:0], t.notices[1:]...)
	e.header = iwarp.Header{Last: true, Op: iwarp.OpTerminate, QN: iwarp.QN(iwarp.QueueTerminate, sourceOf(&n.Header)), MSN: n.Header.MSN}
	var b [80]byte
	e.load.src = append([]byte(nil), n.Append(b[:0])...)
	e.n = len(e.load.src)
}

// emit puts the datagram of a piece into the box, which has room.
func (t *talk) emit(psn uint32, e *piece, poll bool) {
	if !e.load.valid(&t.dev.regions) {
		t.gone(e)
	}
	s := &t.u.shim
	t.peer.Fill(s, psn, poll)
	var head [iwarp.MaxShimSize + iwarp.UntaggedSize + iwarp.AtomicRequestSize]byte
	b := head[:s.Put(head[:])]
	b = e.header.Append(b)
	b = append(b, e.extra[:e.extraLen]...)
	t.u.add(t.peer.Key, b, &e.load, e.off, e.n, owner{})
}

// gone makes a piece whose memory may not be read any more one that asks for nothing.
func (t *talk) gone(e *piece) {
	if e.q != nil {
		if w := e.q.sends.Get(e.number); w != nil && !w.Done {
			w.Done, w.Status = true, verbs.LocalProtection
			e.q.sends.Retire(e.q.report)
		}
	}
	if e.q == nil && e.header.Op == iwarp.OpReadResponse {
		t.answerGone(e.header.STag)
	}
	e.header, e.extraLen, e.load, e.off, e.n = nop, 0, load{}, 0, 0
}

// answerGone tells the peer that the memory it is reading was deregistered in the middle of the answer.
func (t *talk) answerGone(sink uint32) {
	for i := range t.flight.n {
		if e := t.flight.at(i); e.header.Op == iwarp.OpReadResponse && e.header.STag == sink {
			*e = piece{header: nop}
		}
	}
	if t.cur.kind == answer && t.cur.header.STag == sink {
		t.cur = message{}
	}
	t.refuseRead(iwarp.FaultSTag, iwarp.ReadRequest{SinkSTag: sink})
}

// refuseRead tells the peer that a Read that had been taken will not be answered.
func (t *talk) refuseRead(f iwarp.Fault, request iwarp.ReadRequest) {
	t.notices = append(t.notices, iwarp.Terminate{Fault: f, HasHeader: true, HasRead: true, Read: request,
		Header: iwarp.Header{Last: true, Op: iwarp.OpReadRequest, QN: iwarp.QueueRead}})
	t.touch()
}

// putShim sends a shim alone.
func (u *udpSocket) putShim(to netip.AddrPort, s *iwarp.Shim) {
	var head [iwarp.MaxShimSize]byte
	u.add(to, head[:s.Put(head[:])], &load{}, 0, 0, owner{})
}

// arriveRD handles an RD datagram.
func (u *udpSocket) arriveRD(now int64, b []byte, from netip.AddrPort) {
	var s iwarp.Shim
	n, ok := iwarp.ParseShim(b, &s)
	if !ok {
		u.dev.count.badFormat++
		return
	}
	p, out := u.flows.Arrive(now, from, &s)
	if out.Unknown {
		if u.mayNotify(from) && u.room(&load{}) {
			u.flows.FillReset(&u.shim, &s)
			u.putShim(from, &u.shim)
		}
		return
	}
	if p == nil {
		return
	}
	t := u.talkOf(p)
	t.quiet = false
	t.touch()
	if out.Reset {
		t.fail(verbs.Unreachable)
	}
	if out.NewEpoch {
		t.forget()
	}
	switch out.Verdict {
	case rd.InOrder:
		t.inOrder(now, s.PSN, b[n:])
	case rd.Ahead:
		u.dev.count.outOfOrder++
		if t.keep(s.PSN, b[n:]) {
			p.Hold(s.PSN)
		}
	case rd.Duplicate, rd.Beyond:
		u.dev.count.duplicates++
	}
	t.acked(int(out.Acked)) // after what arrived: an error message speaks of work that is still open
}

// inOrder delivers the segment expected, and those kept that follow it.
func (t *talk) inOrder(now int64, psn uint32, b []byte) {
	v := t.segment(b)
	for t.u.sock != nil {
		if v == hungry {
			t.peer.Refuse(now, notReadyCode)
			if t.keep(psn, b) {
				t.peer.Hold(psn)
			}
			t.starve(psn)
			return
		}
		t.drop(psn)
		next, held := t.peer.Advance(now)
		k := t.keptAt(next)
		if !held || k == nil {
			return
		}
		psn, b = next, k.bytes
		v = t.segment(b)
	}
}

// notReadyCode tells a peer to try again after 6.4 ms. It is told at once when a receive is posted; this is for the
// case that the news gets lost.
const notReadyCode = 6

// starve waits for a receive of the queue pair that the segment psn is for.
func (t *talk) starve(psn uint32) {
	t.starvedPSN = psn
	if t.starved {
		return
	}
	t.starved = true
	t.dev.count.waitsForReceive++
	if q := t.heard; q.srq != nil {
		q.srq.starved = append(q.srq.starved, t)
	} else {
		q.starved = append(q.starved, t)
	}
}

// fed goes on after a receive was posted.
func (t *talk) fed() {
	if t.starved && t.u.sock != nil {
		t.starved = false
		t.resume()
	}
}

// unstarve has the talk wait for a receive no more. What waited is not delivered by this.
func (t *talk) unstarve() {
	if !t.starved {
		return
	}
	t.starved = false
	if q := t.heard; q.srq != nil {
		q.srq.starved = slices.DeleteFunc(q.srq.starved, func(x starving) bool { return x == starving(t) })
	} else {
		q.starved = slices.DeleteFunc(q.starved, func(x *talk) bool { return x == t })
	}
}

// resume goes on with the segment that had found no receive.
func (t *talk) resume() {
	now := clock.Now()
	if k := t.keptAt(t.starvedPSN); k != nil {
		t.inOrder(now, k.psn, k.bytes)
	} else {
		t.peer.Ready(now)
	}
	t.touch()
	t.u.pumpTouched(now)
	t.u.settle()
}

// keptAt finds a segment that was kept.
func (t *talk) keptAt(psn uint32) *keptSegment {
	for i := range t.kept {
		if t.kept[i].psn == psn {
			return &t.kept[i]
		}
	}
	return nil
}

// keep remembers a segment whose turn has not come. It answers false if there is no room.
func (t *talk) keep(psn uint32, b []byte) bool {
	if t.keptAt(psn) != nil {
		return true
	}
	if t.dev.poolUsed+len(b) > reorderPool {
		t.dev.count.poolFull++
		return false
	}
	t.dev.poolUsed += len(b)
	t.kept = append(t.kept, keptSegment{psn, append([]byte(nil), b...)})
	return true
}

// drop forgets a segment that was kept.
func (t *talk) drop(psn uint32) {
	for i := range t.kept {
		if t.kept[i].psn == psn {
			t.dev.poolUsed -= len(t.kept[i].bytes)
			last := len(t.kept) - 1
			t.kept[i], t.kept[last] = t.kept[last], keptSegment{}
			t.kept = t.kept[:last]
			return
		}
	}
}

// forget drops what belongs to the peer's former epoch.
func (t *talk) forget() {
	t.dropAll()
	t.unstarve()
	t.restartIn()
	t.replies = nil
	t.skipping, t.writing, t.writeFailed = false, false, false
}

// dropAll forgets all segments that were kept.
func (t *talk) dropAll() {
	for _, k := range t.kept {
		t.dev.poolUsed -= len(k.bytes)
	}
	t.kept = nil
}

// acked completes the n oldest pieces in flight.
func (t *talk) acked(n int) {
	for ; n > 0 && t.flight.n > 0; n-- {
		e := t.flight.at(0)
		q, number, finishes := e.q, e.number, e.finishes
		t.flight.pop()
		if !finishes || q == nil {
			continue
		}
		if w := q.sends.Get(number); w != nil {
			w.Done = true // with the status that an error message may have given it
			q.sends.Retire(q.report)
		}
	}
	if t.flight.n == 0 && len(t.flight.slots) > 4 {
		t.flight.idle++
		if t.flight.idle > 1024 { // a long time of little traffic
			t.flight = flight{}
		}
	} else if t.flight.n > 4 {
		t.flight.idle = 0
	}
}
