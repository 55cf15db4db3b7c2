package sim

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// void tells that a connection's packet is about something that is over.
func (p *packet) void() bool { return p.from.epoch != p.fromEpoch || p.to.epoch != p.toEpoch }

// arrive is a piece at the receiving interface. It answers false if the step is kept for later.
func (f *Fabric) arrive(st *step) bool {
	p, dst := st.p, st.p.dst
	if p.to != nil && p.void() {
		if st.last {
			f.free(p)
		}
		return true
	}
	if f.cannot(p.src, dst) {
		return f.unreachable(st)
	}
	start, end := st.start, st.end
	if dst.node != p.src.node {
		d := dst.wire.of(st.n)
		if dst.in.free > start && dst.lastIn != nil && dst.lastIn != p.src {
			d = int64(float64(d) / f.cost.incast.get())
		}
		dst.lastIn = p.src
		start, end = dst.in.pass(start, end, d)
	}
	if st.first {
		start, end = dst.engine.pass(start, end, f.cost.engine.get())
		dst.engine.free += f.cost.rest(p)
	}
	start, end = dst.dmaIn.pass(start, end, f.cost.dma.get().of(st.n))
	_, end = dst.bus.pass(start, end, f.cost.bus.get().of(st.n))
	if !st.last {
		return true
	}
	dst.traffic.Received++
	dst.traffic.BytesIn += uint64(p.n)
	if p.sure {
		f.landBroadcast(p, f.lands(p, end+f.cost.rx.get()))
		return true
	}
	next := f.step(stepDeliver)
	next.p = p
	f.promise(f.lands(p, end+f.cost.rx.get()), next, f.tells(p))
	return true
}

// lands is when a message is delivered whose last byte came out of the interface at a time.
func (f *Fabric) lands(p *packet, at int64) int64 {
	c := f.cost
	receives := p.op == verbs.Send || p.op == verbs.SendInvalidate || p.op == verbs.WriteImm
	switch {
	case p.answer:
		at += c.cqe.get()
	case p.op == verbs.Write && c.stream.get() > 0: // the host places it, and nobody waits for that to be charged
		at += c.interrupt.get() + c.stream.get() + c.streamByte.get().of(p.n)
	case receives:
		at += c.cqe.get()
		if p.to != nil && p.to.srq != nil {
			at += c.srq.get()
		}
		if c.interrupt.get() > 0 {
			at = max(at, p.dst.nextInterrupt)
			p.dst.nextInterrupt = at + c.interruptGap.get()
			at += c.interrupt.get()
		}
	}
	if q := p.to; q != nil {
		at = max(at, q.arrives)
		q.arrives = at
	}
	return at
}

// tells is the queue that a message brings a completion to when it is delivered, nil if to none.
func (f *Fabric) tells(p *packet) *cq {
	switch {
	case p.to == nil:
		if p.bound = f.bound[p.dest]; p.bound == nil {
			return nil
		}
		return p.bound.recvCQ
	case p.answer:
		return p.to.sendCQ
	case p.op == verbs.Write || p.op == verbs.Read:
		return nil
	}
	return p.to.recvCQ
}

// deliver is a message that is all there.
func (f *Fabric) deliver(p *packet) {
	if f.watch != nil {
		f.watch(Delivery{From: p.src.node.index, To: p.dst.node.index, Bytes: p.n, At: f.s.Now()})
	}
	switch {
	case p.to == nil:
		f.deliverDatagram(p)
	case p.void() || p.to.dead():
		f.free(p)
	case p.answer:
		f.deliverAnswer(p)
	case p.to.hungry.first != nil && p.to.inbox.first == nil:
		p.to.hungry.push(p)
	case p.to.keeps(p):
	default:
		f.carryOut(p)
	}
}

// carryOut does what a requester asks for at its peer, or has it wait for a receive.
func (f *Fabric) carryOut(p *packet) {
	q, s := p.to, p.from.sends.Get(p.number)
	if q.state != verbs.RTS && q.state != verbs.RTR || s == nil && !p.captured {
		f.free(p)
		return
	}
	if (p.op <= verbs.SendInvalidate || p.op == verbs.WriteImm) && q.receives().Len() == 0 {
		q.starve(p)
		return
	}
	switch {
	case p.captured:
		q.take()
		q.fill(p)
	case p.op == verbs.Send || p.op == verbs.SendInvalidate:
		f.finish(p, s, q.receive(p, s))
	case p.op == verbs.Write || p.op == verbs.WriteImm:
		f.finish(p, s, q.write(p, s))
	default:
		q.answerTo(p, s)
	}
}

// finish tells the requester how its work request ended, and has both ends fail if it ended badly.
func (f *Fabric) finish(p *packet, s *nic.Sending, status verbs.Status) {
	q, op := p.to, p.op
	f.conclude(p, s, status)
	f.free(p)
	if status != verbs.OK && status != verbs.LocalProtection {
		q.fail(fmt.Errorf("sim: the peer's %v: %v", op, status))
	}
}

// conclude tells the requester how its work request ended.
func (f *Fabric) conclude(p *packet, s *nic.Sending, status verbs.Status) {
	if status == verbs.OK && p.from.silent(s) {
		s.Done = true
		return
	}
	st := f.step(stepDone)
	st.q, st.epoch, st.number, st.status = p.from, p.fromEpoch, p.number, status
	f.promise(f.s.Now()+f.cost.ackTrip(p.src, p.dst)+f.cost.cqe.get(), st, p.from.sendCQ)
}

// receives is where q takes its receives from.
func (q *qp) receives() *nic.Receives {
	if q.srq != nil {
		return q.srq.Receives
	}
	return q.recvs
}

// take takes the next receive of q into q.taken.
func (q *qp) take() {
	_, low := q.receives().Take(&q.taken)
	if q.srq != nil {
		q.p.d.counts.srq++
	}
	if low {
		num := q.num
		if q.srq != nil {
			num = q.srq.num
		}
		q.p.d.event(verbs.Event{Kind: verbs.SRQLimit, Num: num})
	}
}

// domain is the domain whose keys q's receives use.
func (q *qp) domain() uint32 {
	if q.srq != nil {
		return q.srq.p.num
	}
	return q.p.num
}

// local checks the requester's own list once more: it may have been closed meanwhile.
func (p *packet) local(s *nic.Sending, write bool) bool {
	if s.WR.Flags&verbs.Inline != 0 {
		return true
	}
	return p.requester().p.d.regions.LocalList(p.requester().p.num, s.WR.SGL, write) == nil
}

// requester is whose work request a packet belongs to.
func (p *packet) requester() *qp {
	if p.answer {
		return p.to
	}
	return p.from
}

// receive places a Send.
func (q *qp) receive(p *packet, s *nic.Sending) verbs.Status {
	if !p.local(s, false) {
		return verbs.LocalProtection
	}
	d := q.p.d
	if p.op == verbs.SendInvalidate {
		if r := d.regions.Find(s.WR.Invalidate); r == nil || r.RKey() != s.WR.Invalidate || r.PD != q.p.num || s.WR.Invalidate == 0 {
			return verbs.RemoteAccess
		}
	}
	q.take()
	c := verbs.Completion{ID: q.taken.ID, QP: q.num, Op: verbs.Recv, Len: s.Len, Marks: p.marks}
	switch {
	case q.taken.Len < s.Len:
		c.Status = verbs.LocalLength
	case d.regions.LocalList(q.domain(), q.taken.SGL, true) != nil:
		c.Status = verbs.LocalProtection
	default:
		move(q.taken.SGL, s.WR.SGL)
		d.counts.received++
		d.counts.bytesIn += uint64(s.Len)
	}
	if p.op == verbs.SendInvalidate && c.Status == verbs.OK {
		_ = d.regions.Invalidate(q.p.num, s.WR.Invalidate)
		c.Key, c.Marks = s.WR.Invalidate, c.Marks|verbs.Invalidated
	}
	bad := c.Status != verbs.OK
	q.recvCQ.add(q, c)
	if bad {
		return verbs.RemoteInvalid
	}
	return verbs.OK
}

// write places a Write.
func (q *qp) write(p *packet, s *nic.Sending) verbs.Status {
	d := q.p.d
	if !p.local(s, false) {
		return verbs.LocalProtection
	}
	if s.Len > 0 {
		mem, _, err := d.regions.Remote(q.p.num, s.WR.RKey, s.WR.RemoteAddr, s.Len, verbs.RemoteWrite)
		if err != nil {
			return verbs.RemoteAccess
		}
		for i := range s.WR.SGL {
			mem = mem[copy(mem, s.WR.SGL[i].Buf):]
		}
		d.counts.bytesIn += uint64(s.Len)
	}
	if p.op == verbs.WriteImm {
		q.take()
		d.counts.received++
		q.recvCQ.add(q, verbs.Completion{ID: q.taken.ID, QP: q.num, Op: verbs.RecvImm, Len: s.Len, Imm: s.WR.Imm,
			Marks: p.marks | verbs.HasImm})
	}
	return verbs.OK
}

// answerTo has q's interface answer a Read or do an atomic.
func (q *qp) answerTo(p *packet, s *nic.Sending) {
	f, need := q.p.d.f, verbs.RemoteRead
	if p.op != verbs.Read {
		need = verbs.RemoteAtomic
	}
	var mem []byte
	var err error
	if p.length > 0 {
		mem, _, err = q.p.d.regions.Remote(q.p.num, p.rkey, p.addr, p.length, need)
	}
	if err != nil {
		f.finish(p, s, verbs.RemoteAccess)
		return
	}
	a := f.packet()
	a.op, a.answer, a.from, a.fromEpoch, a.to, a.toEpoch = p.op, true, q, q.epoch, p.from, p.fromEpoch
	a.number, a.n, a.length, a.addr, a.rkey, a.src, a.dst = p.number, p.length, p.length, p.addr, p.rkey, p.dst, p.src
	if p.op != verbs.Read {
		a.data = atomic(a.data, &s.WR, mem)
	}
	f.free(p)
	a.ready = f.s.Now() + f.cost.read.get()
	if f.cost.stream.get() > 0 { // the host answers
		a.ready += f.cost.interrupt.get() + f.cost.stream.get() + f.cost.streamByte.get().of(a.n)
	}
	q.due.push(a)
	q.answer.kick(a.ready)
}

// atomic changes 8 bytes and appends what they were.
func atomic(old []byte, w *verbs.SendWR, mem []byte) []byte {
	v := binary.NativeEndian.Uint64(mem)
	old = binary.NativeEndian.AppendUint64(old[:0], v)
	switch {
	case w.Op == verbs.FetchAdd:
		binary.NativeEndian.PutUint64(mem, v+w.Swap)
	case v == w.Compare:
		binary.NativeEndian.PutUint64(mem, w.Swap)
	}
	return old
}

// deliverAnswer ends a Read or an atomic at the requester.
func (f *Fabric) deliverAnswer(p *packet) {
	q, status := p.to, verbs.OK
	s := q.sends.Get(p.number)
	if s == nil {
		f.free(p)
		return
	}
	mem := p.data
	var err error
	if p.op == verbs.Read && p.length > 0 {
		mem, _, err = p.from.p.d.regions.Remote(p.from.p.num, p.rkey, p.addr, p.length, verbs.RemoteRead)
	}
	switch {
	case err != nil:
		status = verbs.RemoteAccess
	case !p.local(s, true):
		status = verbs.LocalProtection
	default:
		for i := range s.WR.SGL {
			mem = mem[copy(s.WR.SGL[i].Buf, mem):]
		}
		q.p.d.counts.bytesIn += uint64(p.length)
	}
	number := p.number
	f.free(p)
	q.ended(number, status)
}

// move copies one list into another that has room for it.
func move(dst, src []verbs.SGE) {
	d, at := 0, 0
	for i := range src {
		for b := src[i].Buf; len(b) > 0; {
			for at == len(dst[d].Buf) {
				d, at = d+1, 0
			}
			n := copy(dst[d].Buf[at:], b)
			at, b = at+n, b[n:]
		}
	}
}

// starve keeps a message that found no receive; what comes after it waits too.
func (q *qp) starve(p *packet) {
	f := q.p.d.f
	q.p.d.counts.rnr++
	q.hungry.push(p)
	q.starved = f.s.Now()
	if q.srq != nil {
		q.srq.starved = append(q.srq.starved, q)
	}
	st := f.step(stepStarved)
	st.q, st.epoch, st.number = q, q.epoch, uint64(q.starved)
	f.at(q.starved+f.cost.rnrLimit.get(), st)
}

// fed has a starved queue pair try again the next time its peer does: once, however many receives come until then.
func (q *qp) fed() {
	if q.inbox.first != nil {
		q.recvCQ.beckon(q)
	}
	if q.hungry.first == nil || q.trying {
		return
	}
	q.trying = true
	f := q.p.d.f
	waited := max(f.s.Now()-q.starved, 1)
	tries := (waited + f.cost.rnr.get() - 1) / f.cost.rnr.get()
	f.s.At(q.starved+tries*f.cost.rnr.get(), q.retryf)
}

// retry delivers what waits, as far as there are receives.
func (q *qp) retry() {
	f := q.p.d.f
	q.trying = false
	for p := q.hungry.first; p != nil && !q.dead(); p = q.hungry.first {
		needs := p.op <= verbs.SendInvalidate || p.op == verbs.WriteImm
		if needs && q.receives().Len() == 0 {
			q.hungry.pop()
			rest := q.hungry
			q.hungry = packets{}
			q.starve(p)
			q.hungry.last.next = rest.first
			if rest.last != nil {
				q.hungry.last = rest.last
			}
			return
		}
		q.hungry.pop()
		if p.to == nil {
			q.takeDatagram(p)
			continue
		}
		switch {
		case p.void():
			f.free(p)
		case !q.keeps(p):
			f.carryOut(p)
		}
	}
}

// giveUp breaks a connection that has waited for a receive for too long.
func (q *qp) giveUp() {
	q.p.d.counts.noReceive++
	p := q.hungry.pop()
	if p.to != nil {
		if s := p.from.sends.Get(p.number); s != nil && !p.void() {
			q.p.d.f.finish(p, s, verbs.NoReceive)
			return
		}
	}
	q.p.d.f.free(p)
	q.fail(errors.New("sim: no receive"))
}
