package sim

import (
	"errors"

	"github.com/weft-mpi/weft/internal/verbs"
)

// An unreliable connection (UC) numbers its packets but nobody acknowledges them: a message of which one is
// lost, damaged or overtaken is thrown away by the receiving interface, and so is one that finds no receive
// or may not write where it wants to. A second copy is known by its number.

// launchLoose sends a message of an unreliable connection that has left at a time on its way. For its
// sender it is done.
func (f *Fabric) launchLoose(st *step, left int64) {
	p, q := st.p, st.p.from
	done := f.step(stepSent)
	done.q, done.epoch, done.number = q, q.epoch, p.number
	f.promise(left+f.cost.cqe.get(), done, q.sendCQ)
	if d := p.fate.Delay; d > 0 {
		q.p.d.counts.late++
		st.start, st.end = st.start+d, st.end+d
	}
	f.at(st.start, st)
}

// takeLoose takes a message of an unreliable connection, or throws it away.
func (q *qp) takeLoose(p *packet) {
	counts := &q.p.d.counts
	needs := p.op != verbs.Write
	switch {
	case q.state != verbs.RTS && q.state != verbs.RTR:
	case p.fate.Drop || p.fate.Corrupt > 0 || p.number < q.overtaken:
		counts.lost++
		return
	case needs && q.recvs.Len() == 0:
		counts.noReceive++
	case p.op == verbs.Send:
		q.receiveLoose(p)
	case p.op == verbs.SendInvalidate:
		if r := q.p.d.regions.Find(p.imm); p.imm != 0 && r != nil && r.RKey() == p.imm && r.PD == q.p.num {
			q.receiveLoose(p)
		}
	default:
		q.writeLoose(p)
	}
	q.overtaken = p.number + 1
}

// receiveLoose puts a Send into the next receive. One that is too short, or gone, breaks the connection.
func (q *qp) receiveLoose(p *packet) {
	q.take()
	c := verbs.Completion{ID: q.taken.ID, QP: q.num, Op: verbs.Recv, Len: len(p.data), Marks: p.marks, Status: q.store(p)}
	if p.op == verbs.SendInvalidate && c.Status == verbs.OK {
		_ = q.p.d.regions.Invalidate(q.p.num, p.imm)
		c.Key, c.Marks = p.imm, c.Marks|verbs.Invalidated
	}
	q.recvCQ.add(q, c)
	if c.Status != verbs.OK {
		q.fail(errLooseReceive)
	}
}

var errLooseReceive = errors.New("sim: a message did not fit its receive, or that is gone")

// writeLoose places a Write if it may be.
func (q *qp) writeLoose(p *packet) {
	d := q.p.d
	if len(p.data) > 0 {
		mem, _, err := d.regions.Remote(q.p.num, p.rkey, p.addr, len(p.data), verbs.RemoteWrite)
		if err != nil {
			return
		}
		copy(mem, p.data)
		d.counts.bytesIn += uint64(len(p.data))
	}
	if p.op == verbs.WriteImm {
		q.take()
		d.counts.received++
		q.recvCQ.add(q, verbs.Completion{ID: q.taken.ID, QP: q.num, Op: verbs.RecvImm, Len: len(p.data), Imm: p.imm, Marks: p.marks | verbs.HasImm})
	}
}
