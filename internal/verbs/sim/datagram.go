package sim

import (
	"github.com/weft-mpi/weft/internal/verbs"
)

// capture takes the bytes of what is not reliable from the sender's memory when it leaves; false means that
// it must not leave.
func (w *flow) capture(p *packet) bool {
	q, f := w.q, w.q.p.d.f
	s := q.sends.Get(p.number)
	if q.cfg.Type != verbs.UD && !p.loose || s == nil || !p.local(s, false) {
		status := verbs.LocalProtection
		if q.cfg.Type != verbs.UD && !p.loose {
			status = verbs.Unreachable
		}
		number := p.number
		f.free(p)
		q.ended(number, status)
		return false
	}
	p.data = p.data[:0]
	for i := range s.WR.SGL {
		p.data = append(p.data, s.WR.SGL[i].Buf...)
	}
	p.addr, p.rkey, p.imm = s.WR.RemoteAddr, s.WR.RKey, s.WR.Imm|s.WR.Invalidate
	if q.p.d.tap != nil {
		p.fate = q.p.d.tap(verbs.Datagram{To: p.dest, Size: len(p.data), Bytes: p.data})
	}
	f.faults.datagram(p)
	return true
}

// launch sends a datagram that has left at a time on its way, as often and as late as chance will have it.
func (f *Fabric) launch(st *step, left int64) {
	p, q := st.p, st.p.from
	done := f.step(stepSent)
	done.q, done.epoch, done.number = q, q.epoch, p.number
	f.promise(left+f.cost.cqe.get(), done, q.sendCQ)
	if p.dest.Addr().IsMulticast() {
		st.n = p.n // pieces before the last one were for nobody
		if f.cost.broadcast {
			f.broadcast(st)
		} else {
			f.spread(st)
		}
		return
	}
	fate, counts := p.fate, &q.p.d.counts
	if fate.Corrupt > 0 { // the receiver notices and drops it
		counts.corrupt++
	}
	for range fate.Copies {
		counts.doubled++
		again := f.step(stepArrive)
		run := again.run
		*again = *st
		again.run, again.p = run, p.clone(f)
		f.at(st.start+fate.Delay, again)
	}
	if fate.Drop || fate.Corrupt > 0 || p.dst == nil {
		if fate.Drop {
			counts.lost++
		}
		f.forget(st)
		return
	}
	if fate.Delay > 0 {
		counts.late++
		st.start, st.end = st.start+fate.Delay, st.end+fate.Delay
	}
	f.at(st.start, st)
}

// clone copies a datagram.
func (p *packet) clone(f *Fabric) *packet {
	c := f.packet()
	data := append(c.data[:0], p.data...)
	*c = *p
	c.data, c.next = data, nil
	return c
}

// spread sends a datagram to all members of a group.
func (f *Fabric) spread(st *step) {
	for _, q := range f.groups[st.p.dest] {
		one := f.copyTo(st, q)
		f.at(one.start, one)
	}
	f.forget(st)
}

// copyTo is the step with a copy of its datagram for a member of a group.
func (f *Fabric) copyTo(st *step, q *qp) *step {
	one := f.step(stepArrive)
	run := one.run
	*one = *st
	one.run, one.p = run, st.p.clone(f)
	one.p.dst, one.p.dest, one.p.destQP = q.port, q.addr, 0
	return one
}

// forget gives a step and its packet back.
func (f *Fabric) forget(st *step) {
	f.free(st.p)
	*st = step{f: f, run: st.run}
	f.spare.steps = append(f.spare.steps, st)
}

// deliverDatagram gives a datagram to the queue pair it is for, if there is one that wants it.
func (f *Fabric) deliverDatagram(p *packet) {
	q := p.bound
	if q == nil || q.addr != p.dest { // it may have been closed meanwhile, and another one opened
		q = f.bound[p.dest]
	}
	if q == nil || q.dead() || q.state != verbs.RTS || p.destQP != 0 && p.destQP != q.num {
		f.free(p)
		return
	}
	if q.queueBroadcast(p) {
		return
	}
	if q.recvCQ.borrow {
		q.put(p)
		return
	}
	q.takeDatagram(p)
}

// takeDatagram puts a datagram into the next receive.
func (q *qp) takeDatagram(p *packet) {
	d, f := q.p.d, q.p.d.f
	if q.receives().Len() == 0 {
		d.counts.noReceive++
		f.free(p)
		return
	}
	q.take()
	c := verbs.Completion{ID: q.taken.ID, QP: q.num, Op: verbs.Recv, Len: len(p.data), Marks: p.marks, Src: p.source, SrcQP: p.from.num}
	c.Status = q.store(p)
	f.free(p)
	bad := c.Status != verbs.OK
	q.recvCQ.add(q, c)
	if bad && q.cfg.StrictErrors {
		q.fail(errTooLong)
	}
}
