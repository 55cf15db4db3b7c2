package sim

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Interfaces that ask (Cluster.Asks) leave what comes to their host, as sockets do: a Send or a datagram to a queue pair whose program
// catches, and a Send that is long enough to be steered, wait in its inbox until the program polls, which is then shown them: see
// verbs.Catching and verbs.Steering. If it does not poll for a while, the host takes in what it need not ask about. Whatever
// comes over a connection behind something that waits there waits, too.
//
// A Send that is steered takes its time: it is there in part when the program is asked, and the rest comes later, or never, if the
// connection breaks.

const (
	steerMin = 512    // Sends from here on may be steered
	headSize = 80     // bytes of a message that are shown to whoever steers
	unasked  = 20_000 // nanoseconds after which a host takes in by itself what has come
)

// inbox is what has come to a queue pair and waits for its program.
type inbox struct {
	catch   verbs.Catcher
	placed  verbs.PlacedCatcher // likewise, of what it has told the place of; nil if it is none
	packets                     // in order; what a Send carries is captured
	waits   bool                // the completion queue has it on its list
	landing *packet             // that is being put in its place: the receive in qp.taken, and where the program has said
	whole   bool                // all of it is there, and the program may catch it
	at      int                 // of its bytes, the first that go there
	dst     []byte
	long    bool // what does not fit there goes nowhere
	count   int  // messages that might have been steered
}

// Catch has c see messages that come to the queue pair, if the cluster's interfaces ask.
func (q *qp) Catch(c verbs.Catcher) bool {
	asks := q.p.d.f.cluster.Asks > 0
	if asks {
		q.inbox.catch = c
		q.inbox.placed, _ = c.(verbs.PlacedCatcher)
	}
	return asks
}

// Steer has f decide where Sends go that report to this queue, if the cluster's interfaces ask. It is asked when nothing is in the queue, about
// Sends that fit their receive, and about those of several segments that do not fit theirs, whose size is told as 0.
func (c *cq) Steer(f verbs.Steering) bool {
	asks := c.d.f.cluster.Asks > 0
	if asks {
		c.steer = f
	}
	return asks
}

// keeps puts a connection's message into the inbox, if it has to wait there.
func (q *qp) keeps(p *packet) bool {
	s := p.from.sends.Get(p.number)
	switch {
	case q.inbox.first == nil && q.inbox.landing == nil && (p.op != verbs.Send || q.inbox.catch == nil && (q.recvCQ.steer == nil || p.n < steerMin)):
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

// waiting tells whether there is something that the program may be asked about.
func (b *inbox) waiting() bool { return b.first != nil || b.whole }

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

// takeIn takes in what waits in inboxes, as far as that is possible, and tells how many messages were caught. If it asks, it
// ends with the first completion: nobody is asked about what comes behind that before it has been taken.
func (c *cq) takeIn(asks bool) (caught int) {
	list := c.waiting
	c.waiting = nil
	enough := func() bool { return asks && (c.Len() > 0 || c.paused) }
	c.paused = false
	for i, q := range list {
		q.inbox.waits = false
		for q.inbox.waiting() && !enough() {
			what := q.takeNext(asks)
			if what == caughtOne {
				caught++
			}
			if what == stays {
				break
			}
		}
		if q.inbox.waiting() {
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
	return caught
}

// taking is what has become of the first message of an inbox.
type taking uint8

const (
	stays taking = iota
	caughtOne
	gone
)

// takeNext takes in the first message of the inbox.
func (q *qp) takeNext(asks bool) taking {
	f, p := q.p.d.f, q.inbox.first
	switch {
	case q.inbox.whole:
		return q.settle(asks)
	case q.inbox.landing != nil || q.hungry.first != nil:
		return stays
	case !p.captured && p.to != nil:
		q.inbox.pop()
		q.catchUp(p)
		return gone
	case asks && q.catches(p):
		q.inbox.pop()
		f.free(p)
		return caughtOne
	case p.to == nil:
		q.inbox.pop()
		q.takeDatagram(p)
		return gone
	case q.receives().Len() == 0:
		q.hunger(p)
		return stays
	}
	return q.place(p, asks)
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

// catches shows a message to the program, if it came in one segment, and tells whether it has used it. Of those that may be steered it is
// every other one, as if that had come whole when the program looked.
func (q *qp) catches(p *packet) bool {
	if q.inbox.catch == nil || len(p.data) > q.p.d.f.cluster.Asks {
		return false
	}
	if p.to != nil && len(p.data) >= steerMin {
		if q.inbox.count++; q.inbox.count%2 == 0 {
			return false
		}
	}
	from := netip.AddrPort{}
	if p.to == nil {
		from = p.source
	}
	if !q.inbox.catch.Catch(p.data, from) {
		return false
	}
	d, c := q.p.d, q.p.d.f.cost
	d.counts.caught++
	d.f.s.Charge(c.protocol(&verbs.Completion{Op: verbs.Recv, Len: len(p.data), Src: from}))
	return true
}

// place puts a Send where it belongs: to its receive, or where the program says.
func (q *qp) place(p *packet, asks bool) taking {
	c, first, receive := q.recvCQ, q.p.d.f.cluster.Asks, q.receives().Next()
	steer, room := c.steer, receive.Len
	if len(receive.SGL) != 1 {
		steer = nil
	}
	long := steer != nil && len(p.data) > max(first, room) && room < first
	var at int
	var dst []byte
	switch {
	case long && !asks:
		return stays
	case steer != nil && asks && len(p.data) >= steerMin && (long || len(p.data) <= min(first, room)):
		size := len(p.data)
		if long {
			size = 0
		}
		var next verbs.Next
		if at, dst, next = steer(q.num, p.data[:min(len(p.data), headSize)], size); long && next == verbs.Later {
			return stays
		}
		c.paused = next == verbs.Pause
	}
	q.inbox.pop()
	q.take()
	if long && at > 0 && at <= room || len(dst) > 0 {
		q.land(p, at, dst, long)
		return stays
	}
	q.fill(p)
	return gone
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

// land begins to put a Send where the program has said: half of what goes there. The rest takes as long as it takes on the wire, or up to
// eight times as long.
func (q *qp) land(p *packet, at int, dst []byte, long bool) {
	f, b := q.p.d.f, &q.inbox
	b.landing, b.at, b.dst, b.long = p, at, dst[:min(len(dst), len(p.data)-at)], long
	copy(b.dst[:len(b.dst)/2], p.data[at:])
	d := q.p.d
	d.counts.steered++
	st := f.step(stepLanded)
	st.q, st.epoch = q, q.epoch
	slowness := int64(1) << (d.counts.steered % 4)
	f.promise(f.s.Now()+q.port.wire.of(len(p.data))*slowness+1, st, q.recvCQ)
}

// landed is the end of a Send that was steered: all of it is where it goes.
func (q *qp) landed() {
	b := &q.inbox
	p, end := b.landing, b.at+len(b.dst)
	copy(b.dst, p.data[b.at:])
	copy(q.taken.SGL[0].Buf, p.data[:b.at])
	if !b.long {
		copy(q.taken.SGL[0].Buf[end:], p.data[end:])
	}
	if b.whole = !b.long && b.placed != nil && end == len(p.data); b.whole {
		q.recvCQ.beckon(q)
		return
	}
	q.completeLanded()
}

// settle has the program catch a Send that is in its place, or completes it.
func (q *qp) settle(asks bool) taking {
	d, b, n := q.p.d, &q.inbox, len(q.inbox.landing.data)
	b.whole = false
	if !asks || q.receives().Full() || q.srq != nil && len(q.srq.starved) > 0 {
		q.completeLanded()
		return gone
	}
	caught, next := b.placed.CatchPlaced(q.taken.SGL[0].Buf[:b.at], n)
	if !caught {
		q.completeLanded()
		return gone
	}
	q.recvCQ.paused = next == verbs.Pause
	q.receives().GiveBack(&q.taken)
	d.f.free(b.landing)
	b.landing, b.dst = nil, nil
	d.counts.caught++
	d.counts.caughtPlaced++
	d.f.s.Charge(d.f.cost.protocol(&verbs.Completion{Op: verbs.Recv, Len: n}))
	return caughtOne
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
	if b.landing == nil {
		return 0, false
	}
	q.p.d.counts.cutOff++
	f.free(b.landing)
	b.landing, b.dst, b.whole = nil, nil, false
	return q.taken.ID, true
}
