package rail

import (
	"errors"
	"slices"

	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// leaving is what is on its way to the carrier: frames' memory, the batch that is being made of them,
// and peers who wait for room.
type leaving struct {
	pools   []*pool
	sending [3]*pool  // frames on their way out, by size: short, middle and whatever fits a frame
	batch   []*buffer // frames that leave together
	holder  *peer     // whose batch waits for more; nil if it is empty between calls
	held    int       // bytes of payload in it

	stuck, stuckSpare []*peer // the carrier had no room for frames of theirs
	starved           starved
	reached           [2][]int // peers that packets waited for, and can go to; the second is what was told last

	// memory for calls
	wrs     []verbs.SendWR
	sges    []verbs.SGE
	spare   []byte
	scratch []byte
	named   wire.Header
}

// Send takes the packet, or as much of it as there is room for.
func (l *Link) Send(pk *wire.Packet) bool {
	p := l.peers.at(pk.Peer)
	if p != nil && p.answer(pk) {
		return true
	}
	l.takeAck()
	if p != nil && p.open() && pk.Sent == 0 && pk.Rail == 0 && !p.owesKeys() && p.via == nil && len(p.unsent) == 0 &&
		pk.Kind != wire.RTS && pk.Label == 0 && headerSize+wire.MaxSize+len(pk.Data) <= p.whole { // most of them
		if p.express == nil {
			l.now = l.clock.Now() // what is sent may have to be sent again
		}
		return p.sendWhole(pk)
	}
	if p == nil {
		p = l.peer(pk.Peer)
	}
	if pk.Sent > 0 && pk.Sent == len(pk.Data) {
		return p.handed() // it was taken, and the device was not done with the payload
	}
	if !p.open() {
		p.hint = pk.Rail
		p.wanted = true // first: what reach cannot do now is done later for a peer that is wanted
		if !p.reach() {
			return p.lost != nil // then nobody misses the packet: its request has ended
		}
		p.wanted = false
	}
	if len(p.unsent) > 0 || p.owesKeys() {
		return false
	}
	if p.express == nil {
		l.now = l.clock.Now() // what is sent may have to be sent again
	}
	if (pk.Rail != 0 || p.via != nil) && pk.Sent == 0 {
		p.via = p.laneTo(pk.Rail)
	}
	if pk.Kind == wire.RTS && pk.Prefix == pk.Len && pk.Prefix > 0 {
		return p.sendLong(pk)
	}
	if pk.Sent == 0 && headerSize+pk.Size()+len(pk.Data) <= p.whole { // exactly: what goes in pieces has at least two
		return p.sendWhole(pk)
	}
	return !pk.Whole && p.sendPieces(pk, p.whole)
}

// sendWhole sends a packet that fits one frame.
func (p *peer) sendWhole(pk *wire.Packet) bool {
	b := p.room(headerSize + pk.Size() + len(pk.Data))
	if b == nil {
		return false
	}
	burst := p.follows(len(pk.Data))
	if burst || len(pk.Data) < p.link.lendMin {
		p.link.Counters.Copies += uint64(min(len(pk.Data), 1))
	} else if !p.choose(pk) {
		b.pool.put(b)
		return false
	}
	if p.loan.entry != nil {
		b = p.thin(b)
	}
	n, k := p.putHeader(b, pk)
	p.fill(b, n, pk.Data)
	pk.Sent = len(pk.Data)
	p.number(k, b)
	if !burst && p.leaveNow(b) {
		return p.handed()
	}
	p.add(b)
	if !burst || !p.hold(len(pk.Data), holdBytes) {
		p.sentShort()
	}
	return p.handed()
}

// putHeader writes the packet's header, unless the peer knows it from the last eager packet.
func (p *peer) putHeader(b *buffer, pk *wire.Packet) (n int, k kind) {
	if pk.Kind == wire.Eager && pk.Label == 0 {
		e := envelope{pk.Ctx, pk.Tag, true}
		if p.lastOut == e {
			p.link.Counters.HeaderHits++
			return headerSize, kRepeat
		}
		p.lastOut = e
	}
	return len(p.appendHeader(b.mem[:headerSize], pk)), kWhole
}

// envelope is what the header cache remembers of an eager packet.
type envelope struct {
	ctx uint32
	tag int32
	set bool
}

// sendPieces sends as much of a long packet as there is room for.
func (p *peer) sendPieces(pk *wire.Packet, most int) bool {
	for {
		b := p.room(most)
		if b == nil {
			p.flush()
			return false
		}
		n, k := headerSize, kPiece
		if pk.Sent == 0 {
			p.choose(pk)
		}
		if p.loan.entry != nil {
			b = p.thin(b)
		}
		if pk.Sent == 0 {
			n, k = len(p.appendHeader(b.mem[:headerSize], pk)), kFirst
		}
		took := min(most-n, len(pk.Data)-pk.Sent)
		p.fill(b, n, pk.Data[pk.Sent:pk.Sent+took])
		pk.Sent += took
		if pk.Sent == len(pk.Data) {
			k = kLast
		}
		p.push(k, b)
		if k == kLast {
			p.flush()
			return p.handed()
		}
	}
}

// push makes b the next frame of the stream and adds it to the batch that flush sends.
func (p *peer) push(k kind, b *buffer) {
	p.number(k, b)
	p.add(b)
}

// number makes b the next frame of the stream.
func (p *peer) number(k kind, b *buffer) {
	l := p.link
	b.again, b.acked, b.bare, b.via = false, false, false, p.via
	seq := p.out.Push(b, l.now)
	p.next = seq + 1
	p.sent++
	h := b.mem[:headerSize]
	h[0], h[1] = byte(k), 0
	if b.pool.low() {
		h[1] = fUrge
	}
	le.PutUint32(h[4:], uint32(l.cfg.Self))
	le.PutUint32(h[8:], seq)
}

// add puts a frame into the batch.
func (p *peer) add(b *buffer) {
	l := p.link
	if l.holder != nil && l.holder != p {
		l.LetGo()
	}
	if len(l.batch) == cap(l.batch) {
		p.flush()
	}
	l.batch = append(l.batch, b)
}

// flush hands the batch to the carrier, unless another peer's waits in it; what the carrier does not take
// waits in unsent.
func (p *peer) flush() {
	l := p.link
	if len(l.batch) == 0 || l.holder != nil && l.holder != p {
		return
	}
	done := 0
	for len(p.unsent) == 0 && done < len(l.batch) {
		n := p.carry(l.batch[done:])
		if n == 0 {
			break
		}
		done += n
	}
	if done < len(l.batch) {
		if len(p.unsent) == 0 {
			l.stuck = append(l.stuck, p)
		}
		for _, b := range l.batch[done:] {
			b.hold()
			p.unsent = append(p.unsent, b)
		}
	}
	l.batch, l.holder, l.held = l.batch[:0], nil, 0
	p.heed()
}

// carry gives frames to the carrier and tells how many were taken: at most those that leave by one lane.
func (p *peer) carry(frames []*buffer) int {
	if p.sided {
		frames = sameLane(frames)
	}
	return p.link.carrier.send(p, frames)
}

// stamp writes what the peer should know by now into a frame.
func (p *peer) stamp(b []byte) {
	ack, limit := p.in.Ack()
	b = b[:headerSize]
	le.PutUint16(b[2:], p.ring.in.freed)
	le.PutUint64(b[12:], uint64(ack)|uint64(limit)<<32)
}

// post gives frames to the connection or the datagram queue pair and tells how many were taken. A frame of
// which the device may hold more than one copy, which may be acknowledged over another carrier, or whose
// payload is the user's, is held until the device is done with it; for all others the acknowledgement tells
// that. A connection ends its work in the order in which it was posted, so only the last of a batch that is
// held needs a completion.
func (p *peer) post(frames []*buffer) int {
	l := p.link
	if !p.open() {
		return 0
	}
	wrs := l.wrs[:len(frames)]
	ln, last := frames[0].via, -1
	if ln == nil {
		ln = p.express
	}
	for i, b := range frames {
		p.stamp(b.mem)
		wrs[i] = verbs.SendWR{ID: idSend, Op: verbs.Send, SGL: l.gather(i, b)}
		switch {
		case ln == nil:
			wrs[i].ID, wrs[i].Flags = b.id(), verbs.Signaled
			wrs[i].AH, wrs[i].DestQP = p.ah, p.dgramQ
			b.to = p
		case b.again || b.user != nil:
			wrs[i].ID, last = b.id(), i
		}
	}
	if last >= 0 {
		wrs[last].Flags = verbs.Signaled
	}
	qp := l.dgramQP
	if ln != nil {
		qp = ln.qp
		ln.mark(&wrs[len(wrs)-1], len(wrs))
	}
	n, err := qp.PostSend(wrs)
	if err != nil && !errors.Is(err, verbs.ErrFull) {
		l.Counters.PostErrors++
	}
	for _, b := range frames[:n] {
		if ln == nil {
			b.hold()
		} else if b.again || b.user != nil {
			ln.hold(b)
		}
	}
	return n
}

// gather lists the memory of the i-th frame of a batch: what is ours, and what is the user's.
func (l *Link) gather(i int, b *buffer) []verbs.SGE {
	sge := append(l.sges[i*2:i*2:i*2+2], verbs.SGE{Buf: b.mem[:b.n], LKey: b.lkey})
	if b.user != nil {
		sge = append(sge, verbs.SGE{Buf: b.user, LKey: b.userKey})
	}
	return sge
}

// hold keeps a frame until the device is done with it, or the lane is gone.
func (ln *lane) hold(b *buffer) {
	b.hold()
	ln.held = append(ln.held, b)
}

// mark asks for a completion now and then, so that devices that need it can retire what was sent.
func (ln *lane) mark(wr *verbs.SendWR, n int) {
	if ln.unmarked += n; ln.unmarked >= markEvery {
		ln.unmarked = 0
		wr.Flags |= verbs.Signaled
	}
}

// markEvery is well below expressDepth. Completions of what was sent are no news, and a poll that finds
// some does not look at the network.
const markEvery = 128

// sendDone takes the completion of a frame that was held for it, and for those that went before it over a connection.
func (l *Link) sendDone(c *verbs.Completion) {
	b := l.bufferOf(c.ID)
	if b == nil {
		return
	}
	if ln := l.lanes[c.QP]; ln != nil {
		n := slices.Index(ln.held, b) + 1
		for _, b := range ln.held[:n] {
			b.unhold()
		}
		ln.held = slices.Delete(ln.held, 0, n)
	} else if c.QP == l.dgramNum { // else of a lane that is gone, and what it held with it
		b.unhold()
	}
}

// frame takes a frame that has come for the stream, or an acknowledgement; it tells whether it keeps the
// buffer, of which there is none if the device lends the frame.
func (p *peer) frame(rb *buffer, frame []byte, ln *lane) (kept bool) {
	l := p.link
	h := &l.header
	body, err := h.parse(frame)
	if err != nil || int(h.from) != p.rank {
		l.Counters.BadFrames++
		return false
	}
	p.acked(h)
	if !h.kind.numbered() {
		p.unnumbered(h, body, ln)
		return false
	}
	if p.placing(h.seq) && ln == nil {
		return false
	}
	own := rb == nil && h.seq != p.in.Expected() // it is not delivered, and may have to be kept
	if own {
		if rb = l.copied(frame); rb == nil {
			return false
		}
	}
	switch p.in.Arrive(h.seq, rb, l.now) {
	case flow.Deliver:
		p.came(h.kind, body)
		p.away = 0
		flags := h.flags
		if p.placed.on {
			p.deliverPlaced(h, body, ln)
		} else {
			p.deliver(h, body)
		}
		for {
			b, ok := p.in.Next()
			if !ok {
				break
			}
			body, _ := l.header.parse(b.mem[:b.n])
			p.came(l.header.kind, body)
			p.deliver(&l.header, body)
			b.pool.put(b)
		}
		p.settleTails()
		urged := flags&fUrge != 0
		if urged && !p.ackable {
			l.Counters.Urged++
		}
		p.owe(urged)
	case flow.Keep:
		kept = true
		p.owe(false)
	default:
		if own {
			rb.pool.put(rb)
		}
		p.owe(true)
	}
	return kept
}

// came counts a frame of the stream.
func (p *peer) came(k kind, body []byte) {
	p.received++
	if eager(k, body) {
		p.ringable++
	}
}

// copied is a frame in memory of ours, nil if there is none.
func (l *Link) copied(frame []byte) *buffer {
	b := l.recvPool.get()
	if b != nil {
		b.n = copy(b.mem, frame)
	}
	return b
}

// acked takes what a frame says about our own stream.
func (p *peer) acked(h *header) {
	p.out.Acked(h.ack, h.limit, p.link.now, release)
	if p.ring.out.slots > 0 {
		p.ring.emptied(h.freed)
	}
}

func release(b *buffer) {
	b.acked = true
	if b.holds == 0 {
		b.pool.put(b)
	}
}

// hold keeps b from being used again although the peer may acknowledge it.
func (b *buffer) hold() { b.holds++ }

func (b *buffer) unhold() {
	if b.holds--; b.holds > 0 {
		return
	}
	if b.user != nil && b.entry == nil {
		b.giveBack()
	}
	if b.acked {
		b.pool.put(b)
	}
}

// unnumbered takes frames that are not of the stream.
func (p *peer) unnumbered(h *header, body []byte, ln *lane) {
	switch {
	case h.kind == kAck && len(body) >= 8:
		p.out.Nack(h.ack, le.Uint64(body), p.link.now)
		p.heed()
	case h.kind == kRing:
		p.link.carrier.word(p, h.kind, body, ln)
	case h.kind == kTail && ln != nil:
		p.tailArrived(ln, body, false)
	default:
		p.link.Counters.BadFrames++
	}
}
