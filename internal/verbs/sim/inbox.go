package sim

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Interfaces that ask (Cluster.Asks) leave what comes to their host, as sockets do: a Send or a datagram
// that reports to a queue with CQConfig.Borrow, and a Send that its program is told of first (PlaceMin),
// wait in the inbox of their queue pair until the program polls. If it does not poll for a while, the host
// takes in what it need not ask about. Whatever comes over a connection behind something that waits there
// waits, too.
//
// A Send that the program has told the place of takes its time: it is there in part then, and the rest
// comes later, or never, if the connection breaks.

const (
	headSize = 80     // bytes of a message that are shown to whoever may place it
	unasked  = 20_000 // nanoseconds after which a host takes in by itself what has come
)

// inbox is what has come to a queue pair and waits for its program.
type inbox struct {
	packets         // in order; what a Send carries is captured
	waits   bool    // the completion queue has it on its list
	told    bool    // the program has been told of the first, and may answer
	landing *packet // that is being put in its place: the receive in qp.taken, and where the program has said
	at      int     // of its bytes, the first that go there
	dst     []byte
	long    bool // what does not fit there goes nowhere
	count   int  // messages that the program might have been told of
}

// keeps puts a connection's message into the inbox, if it has to wait there.
func (q *qp) keeps(p *packet) bool {
	s := p.from.sends.Get(p.number)
	switch {
	case q.cfg.Type == verbs.XRC: // the interface does the protocol, and nobody is asked
		return false
	case q.inbox.first == nil && q.inbox.landing == nil && (p.op != verbs.Send || !q.recvCQ.borrow && !q.recvCQ.tells(p.n)):
		return false
	case p.op == verbs.Send && s != nil && p.local(s, false):
		p.data = p.data[:0]
		for i := range s.WR.SGL {
			p.data = append(p.data, s.WR.SGL[i].Buf...)
		}
		p.captured = true
		q.p.d.f.conclude(p, s, verbs.OK)
	}
	q.put(p)
	return true
}

// put adds a message to the inbox.
func (q *qp) put(p *packet) {
	q.inbox.push(p)
	q.recvCQ.beckon(q)
}

// beckon has whoever polls the queue look at q's inbox.
func (c *cq) beckon(q *qp) {
	c.await(q)
	c.RingAnyway()
	c.stir()
}

// tells tells whether whoever polls the queue is told of the beginning of a message of n bytes.
func (c *cq) tells(n int) bool { return c.placeMin > 0 && n >= c.placeMin }

// await notes that something waits in q's inbox.
func (c *cq) await(q *qp) {
	if !q.inbox.waits {
		q.inbox.waits = true
		c.waiting = append(c.waiting, q)
	}
	if !c.watched {
		c.watched = true
		c.d.f.s.At(c.d.f.s.Now()+unasked, c.takeUnasked)
	}
}

// takeUnasked takes in what the program has not looked for.
func (c *cq) takeUnasked() {
	c.watched = false
	if !c.closed && !c.d.dead() {
		c.takeIn(false)
	}
}

// takeIn takes in what waits in inboxes, as far as that is possible. If it asks, for somebody who polls, it
// ends with the first completion.
func (c *cq) takeIn(asks bool) {
	list := c.waiting
	c.waiting = nil
	enough := func() bool { return asks && c.Len() > 0 }
	for i, q := range list {
		q.inbox.waits = false
		for q.inbox.first != nil && !enough() && q.takeNext(asks) {
		}
		if q.inbox.first != nil {
			q.inbox.waits = true
			c.waiting = append(c.waiting, q)
		}
		if enough() {
			c.waiting = append(c.waiting, list[i+1:]...)
			break
		}
	}
	if asks && len(c.waiting) > 0 {
		c.await(c.waiting[0])
	}
}

// takeNext takes in the first message of the inbox, and tells whether it has left that.
func (q *qp) takeNext(asks bool) bool {
	p := q.inbox.first
	switch {
	case q.inbox.landing != nil || q.hungry.first != nil:
		return false
	case !p.captured && p.to != nil:
		q.inbox.pop()
		q.catchUp(p)
		return true
	case asks && q.lends(p):
		q.inbox.pop()
		return true
	case p.to == nil:
		q.inbox.pop()
		q.takeDatagram(p)
		return true
	case q.receives().Len() == 0:
		q.hunger(p)
		return false
	}
	return q.receiveOrTell(p, asks)
}

// catchUp carries out what waited behind a Send. Those behind it may have been acknowledged before.
func (q *qp) catchUp(p *packet) {
	f, from := q.p.d.f, p.from
	if p.void() {
		f.free(p)
		return
	}
	f.carryOut(p)
	from.sends.Retire(from.report)
}

// hunger has a message wait in the inbox for a receive.
func (q *qp) hunger(p *packet) {
	if !p.starved {
		p.starved = true
		q.p.d.counts.rnr++
	}
	if q.srq != nil && !slices.Contains(q.srq.starved, q) {
		q.srq.starved = append(q.srq.starved, q)
	}
}

// lends lends a message to whoever polls, if it came in one segment, and tells whether it has. Of those
// that the program may be told of it is every other one, as if that had come whole when it looked.
func (q *qp) lends(p *packet) bool {
	c, d := q.recvCQ, q.p.d
	if !c.borrow || len(p.data) > d.f.cluster.Asks || q.inbox.told {
		return false
	}
	if p.to != nil && c.tells(len(p.data)) {
		if q.inbox.count++; q.inbox.count%2 == 0 {
			return false
		}
	}
	from := netip.AddrPort{}
	if p.to == nil {
		from = p.source
	}
	d.counts.borrowed++
	c.lent = append(c.lent, p)
	c.add(q, verbs.Completion{QP: q.num, Op: verbs.Recv, Len: len(p.data), Src: from, Data: slices.Clip(p.data)})
	return true
}

// takeBack ends the use of what was lent to whoever polls.
func (c *cq) takeBack() {
	for _, p := range c.lent {
		c.d.f.free(p)
	}
	c.lent = c.lent[:0]
}

// receiveOrTell puts a Send into its receive, or tells the program of it, and then whether it has left the inbox.
func (q *qp) receiveOrTell(p *packet, asks bool) bool {
	c, first, receive := q.recvCQ, q.p.d.f.cluster.Asks, q.receives().Next()
	n, room := len(p.data), receive.Len
	may := c.tells(n) && len(receive.SGL) == 1
	long := may && n > max(first, room) && room < first
	switch {
	case long && !asks:
		return false
	case asks && (long || may && n <= min(first, room) && !q.inbox.told):
		q.inbox.told = true
		head := verbs.Completion{QP: q.num, Op: verbs.RecvHead, Len: n, Data: slices.Clip(p.data[:min(n, headSize)])}
		if long {
			head.Len = 0
		}
		c.add(q, head)
		return false
	}
	q.inbox.told = false
	q.inbox.pop()
	q.take()
	q.fill(p)
	return true
}

// Place answers where the Send goes that the program was told of.
func (q *qp) Place(at int, dst []byte) bool {
	p := q.inbox.first
	if !q.inbox.told || q.receives().Len() == 0 {
		return false
	}
	long := len(p.data) > q.receives().Next().Len
	q.inbox.told = false
	q.inbox.pop()
	q.take()
	if long && at > 0 && at <= q.taken.Len || !long && len(dst) > 0 && at >= 0 && at <= len(p.data) {
		q.land(p, at, dst, long)
	} else {
		q.fill(p)
	}
	return true
}

// store copies a message to the receive that was taken for it.
func (q *qp) store(p *packet) verbs.Status {
	d := q.p.d
	switch {
	case q.taken.Len < len(p.data):
		return verbs.LocalLength
	case d.regions.LocalList(q.domain(), q.taken.SGL, true) != nil:
		return verbs.LocalProtection
	}
	move(q.taken.SGL, []verbs.SGE{{Buf: p.data}})
	d.counts.received++
	d.counts.bytesIn += uint64(len(p.data))
	return verbs.OK
}

// fill ends a Send in its receive.
func (q *qp) fill(p *packet) {
	d := q.p.d
	done := verbs.Completion{Status: q.store(p), ID: q.taken.ID, QP: q.num, Op: verbs.Recv, Len: len(p.data), Marks: p.marks}
	d.f.free(p)
	q.recvCQ.add(q, done)
	if done.Status != verbs.OK {
		q.fail(fmt.Errorf("sim: the peer's %v: %v", verbs.Send, done.Status))
	}
}

// land begins to put a Send where the program has said: half of what goes there. The rest takes as long as
// it takes on the wire, or up to eight times as long.
func (q *qp) land(p *packet, at int, dst []byte, long bool) {
	f, b := q.p.d.f, &q.inbox
	b.landing, b.at, b.dst, b.long = p, at, dst[:min(len(dst), len(p.data)-at)], long
	copy(b.dst[:len(b.dst)/2], p.data[at:])
	d := q.p.d
	d.counts.placed++
	st := f.step(stepLanded)
	st.q, st.epoch = q, q.epoch
	slowness := int64(1) << (d.counts.placed % 4)
	f.promise(f.s.Now()+q.port.wire.of(len(p.data))*slowness+1, st, q.recvCQ)
}

// landed is the end of a Send that was placed: all of it is where it goes.
func (q *qp) landed() {
	b := &q.inbox
	p, end := b.landing, b.at+len(b.dst)
	copy(b.dst, p.data[b.at:])
	copy(q.taken.SGL[0].Buf, p.data[:b.at])
	if !b.long {
		copy(q.taken.SGL[0].Buf[end:], p.data[end:])
	}
	q.completeLanded()
}

// completeLanded completes a Send that is in its place.
func (q *qp) completeLanded() {
	d, b := q.p.d, &q.inbox
	p := b.landing
	done := verbs.Completion{ID: q.taken.ID, QP: q.num, Op: verbs.Recv, Len: len(p.data), Marks: p.marks}
	if b.long {
		done.Len = b.at
	}
	d.counts.received++
	d.counts.bytesIn += uint64(len(p.data))
	d.f.free(p)
	b.landing, b.dst = nil, nil
	q.recvCQ.add(q, done)
	if b.first != nil {
		q.recvCQ.await(q)
	}
}

// abandon forgets what waits in the inbox. If a Send was coming, it answers its receive.
func (q *qp) abandon() (receive uint64, was bool) {
	f, b := q.p.d.f, &q.inbox
	f.drop(&b.packets)
	b.told = false
	if b.landing == nil {
		return 0, false
	}
	q.p.d.counts.cutOff++
	f.free(b.landing)
	b.landing, b.dst = nil, nil
	return q.taken.ID, true
}
