package model

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

// PostSend takes work requests and carries them out, as far as the peer lets it.
func (q *qp) PostSend(wrs []verbs.SendWR) (n int, err error) {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	switch {
	case q.gone || q.p.d.closed:
		return 0, verbs.ErrClosed
	case q.state != verbs.RTS && q.state != verbs.Error || q.leaving:
		return 0, fmt.Errorf("send in %v: %w", q.state, verbs.ErrState)
	}
	for ; n < len(wrs); n++ {
		if err = q.accept(&wrs[n]); err != nil {
			break
		}
	}
	if q.state == verbs.Error {
		q.flush()
	}
	q.work()
	return n, err
}

// accept checks a work request and copies it into the queue.
func (q *qp) accept(w *verbs.SendWR) error {
	full := q.posted-q.freed == uint64(len(q.sends))
	if h := q.p.d.f.hooks.Full; h != nil {
		full = h(full)
	}
	if full {
		return verbs.ErrFull
	}
	n := 0
	for _, s := range w.SGL {
		n += len(s.Buf)
	}
	if err := q.sensible(w, n); err != nil {
		return err
	}
	i := q.posted % uint64(len(q.sends))
	slot := &q.sends[i]
	sgl := append(slot.SGL[:0], w.SGL...)
	if w.Flags&verbs.Inline != 0 {
		q.inline[i] = q.inline[i][:0]
		for _, s := range w.SGL {
			q.inline[i] = append(q.inline[i], s.Buf...)
		}
		sgl = append(sgl[:0], verbs.SGE{Buf: q.inline[i]})
	}
	*slot = *w
	slot.SGL = sgl
	q.posted++
	return nil
}

// sensible says what is wrong with a work request of n bytes.
func (q *qp) sensible(w *verbs.SendWR, n int) error {
	ud, answered := q.cfg.Type == verbs.UD, w.Op >= verbs.Read && w.Op <= verbs.CompareSwap
	bad := ""
	switch to, mine := w.AH.(*ah); {
	case w.Op < verbs.Send || w.Op > verbs.CompareSwap || (w.Op == verbs.WriteRecord) && !ud:
		bad = "operation"
	case ud && (w.Op == verbs.SendInvalidate || w.Op == verbs.WriteImm || w.Op == verbs.FetchAdd || w.Op == verbs.CompareSwap):
		bad = "operation on UD"
	case len(w.SGL) > q.cfg.SendSGE:
		bad = "length of the list"
	case ud && mine && w.Op == verbs.Send && n > min(to.most, q.p.d.Caps().MaxDatagram):
		bad = "length of the datagram"
	case w.Op >= verbs.FetchAdd && (n != 8 || w.RemoteAddr%8 != 0):
		bad = "atomic"
	case w.Flags&verbs.Inline != 0 && (answered || n > q.cfg.Inline):
		bad = "inline"
	case q.cfg.Type != verbs.RC && !mine:
		bad = "destination"
	case w.Flags&verbs.Inline == 0:
		return q.p.local(w.SGL, answered)
	}
	if bad != "" {
		return fmt.Errorf("%s of a %v with %d bytes: %w", bad, w.Op, n, verbs.ErrArgument)
	}
	return nil
}

// kick lets everybody try again who waits for a receive.
func (f *Fabric) kick() {
	for i := 0; i < len(f.blocked); {
		q := f.blocked[i]
		q.waits = false
		f.blocked = slices.Delete(f.blocked, i, i+1)
		q.work()
		if q.waits {
			i++
		}
	}
}

// work carries out the send queue. What is for a peer without a receive waits, and so does what comes after it for
// the same peer.
func (q *qp) work() {
	q.slow = q.slow[:0]
	for i := q.done; i < q.posted && q.state == verbs.RTS; i++ {
		w := &q.sends[q.slot(i)]
		if q.results[q.slot(i)].ended || q.cfg.Type == verbs.RD && slices.Contains(q.slow, w.AH.Addr()) {
			continue
		}
		if q.carry(i, w) {
			q.report()
			continue
		}
		if !q.waits {
			q.waits = true
			q.p.d.f.blocked = append(q.p.d.f.blocked, q)
		}
		if q.cfg.Type != verbs.RD {
			break
		}
		q.slow = append(q.slow, w.AH.Addr())
	}
	if q.leaving && q.done == q.posted {
		q.leaving = false
		q.die(nil)
	}
}

// carry does work request i; false means that the peer has no receive for it yet.
func (q *qp) carry(i uint64, w *verbs.SendWR) bool {
	answered := w.Op >= verbs.Read && w.Op <= verbs.CompareSwap
	if w.Flags&verbs.Inline == 0 && q.p.local(w.SGL, answered) != nil {
		q.end(i, nil, verbs.LocalProtection, 0)
		return true
	}
	if q.cfg.Type == verbs.UD && w.AH.Addr().Addr().IsMulticast() {
		q.spread(w)
		q.finish(i, verbs.OK, 0)
		return true
	}
	to := q.target(w)
	if to == nil || to.state != verbs.RTS {
		s := verbs.Unreachable
		if q.cfg.Type == verbs.UD && !answered {
			s = verbs.OK
		}
		q.finish(i, s, 0)
		return true
	}
	if w.Op <= verbs.SendInvalidate || w.Op == verbs.WriteImm {
		if to.waiting() == 0 {
			if q.cfg.Type == verbs.UD {
				q.finish(i, verbs.OK, 0)
			}
			return q.cfg.Type == verbs.UD
		}
	}
	q.p.d.moved++
	q.end(i, to, q.deliver(to, w), total(w.SGL))
	return true
}

// spread sends a datagram to everybody in a group.
func (q *qp) spread(w *verbs.SendWR) {
	group := w.AH.Addr()
	for _, to := range q.p.d.f.qps {
		if to.groups[group] && to.waiting() > 0 && w.Op == verbs.Send {
			q.deliver(to, w)
		}
	}
}

// target is where a work request goes, or nil.
func (q *qp) target(w *verbs.SendWR) *qp {
	if q.cfg.Type == verbs.RC {
		return q.peer
	}
	to := q.p.d.f.qps[w.AH.Addr()]
	if to == nil || to.cfg.Type != q.cfg.Type || w.DestQP != 0 && w.DestQP != to.num {
		return nil
	}
	return to
}

// waiting is how many receives q has.
func (q *qp) waiting() int {
	if q.srq != nil {
		return q.srq.queue.used
	}
	return q.recvs.used
}

func total(sgl []verbs.SGE) (n int) {
	for _, s := range sgl {
		n += len(s.Buf)
	}
	return n
}

// deliver does a work request at the peer and says how it went.
func (q *qp) deliver(to *qp, w *verbs.SendWR) verbs.Status {
	n := total(w.SGL)
	var mem []byte
	status := verbs.OK
	switch w.Op {
	case verbs.Write, verbs.WriteImm, verbs.WriteRecord:
		mem, status = to.p.remote(w.RKey, w.RemoteAddr, n, verbs.RemoteWrite)
	case verbs.Read:
		mem, status = to.p.remote(w.RKey, w.RemoteAddr, n, verbs.RemoteRead)
	case verbs.FetchAdd, verbs.CompareSwap:
		mem, status = to.p.remote(w.RKey, w.RemoteAddr, n, verbs.RemoteAtomic)
	case verbs.SendInvalidate:
		if m := to.p.d.keys[w.Invalidate]; m == nil || m.p != to.p {
			status = verbs.RemoteAccess
		}
	}
	if h := q.p.d.f.hooks.Judge; h != nil {
		status = h(w.Op, status)
	}
	if status != verbs.OK {
		return status
	}
	switch w.Op {
	case verbs.Read:
		scatter(w.SGL, mem)
	case verbs.FetchAdd, verbs.CompareSwap:
		atomic(w, mem)
	case verbs.Send, verbs.SendInvalidate:
		return q.receive(to, w, n)
	default:
		q.write(to, w, mem)
	}
	return verbs.OK
}

// write places a Write and reports it where the peer is told.
func (q *qp) write(to *qp, w *verbs.SendWR, mem []byte) {
	at := 0
	for _, s := range w.SGL {
		if at < len(mem) {
			at += copy(mem[at:], s.Buf)
		}
	}
	q.placed(mem)
	c := verbs.Completion{QP: to.num, Len: at, Src: q.addr, SrcQP: q.num}
	switch w.Op {
	case verbs.WriteImm:
		c.ID, c.Op, c.Imm, c.Marks = to.next().ID, verbs.RecvImm, w.Imm, verbs.HasImm|solicited(w)
	case verbs.WriteRecord:
		q.records++
		c.Op, c.Imm, c.Key, c.Addr, c.Marks = verbs.RecvRecord, q.records, w.RKey, w.RemoteAddr, verbs.LastPiece|verbs.HasImm
	default:
		return
	}
	to.recvCQ.add(entry{c: c, of: to})
}

func solicited(w *verbs.SendWR) verbs.Marks {
	if w.Flags&verbs.Solicited != 0 {
		return verbs.WasSolicited
	}
	return 0
}

func (q *qp) placed(mem []byte) {
	if h := q.p.d.f.hooks.Placed; h != nil && len(mem) > 0 {
		h(mem)
	}
}

// next takes the oldest receive of q.
func (q *qp) next() *verbs.RecvWR {
	if q.srq == nil {
		return q.recvs.take()
	}
	w := q.srq.queue.take()
	q.srq.watch()
	return w
}

// receive places a Send of n bytes in the peer's next receive.
func (q *qp) receive(to *qp, w *verbs.SendWR, n int) verbs.Status {
	in := to.next()
	c := verbs.Completion{ID: in.ID, QP: to.num, Op: verbs.Recv, Len: n, Src: q.addr, SrcQP: q.num, Marks: solicited(w)}
	switch {
	case total(in.SGL) < n:
		c.Status = verbs.LocalLength
	case to.p.local(in.SGL, true) != nil:
		c.Status = verbs.LocalProtection
	default:
		flow(in.SGL, w.SGL)
		if len(in.SGL) > 0 {
			q.placed(in.SGL[0].Buf[:min(n, len(in.SGL[0].Buf))])
		}
	}
	if w.Op == verbs.SendInvalidate && c.Status == verbs.OK {
		to.p.d.keys[w.Invalidate].dead = true
		c.Key, c.Marks = w.Invalidate, c.Marks|verbs.Invalidated
	}
	to.recvCQ.add(entry{c: c, of: to})
	if c.Status != verbs.OK {
		return verbs.RemoteInvalid
	}
	return verbs.OK
}

// flow copies one list into another.
func flow(dst, src []verbs.SGE) {
	d, at := 0, 0
	for _, s := range src {
		for b := s.Buf; len(b) > 0; {
			for at == len(dst[d].Buf) {
				d, at = d+1, 0
			}
			n := copy(dst[d].Buf[at:], b)
			at, b = at+n, b[n:]
		}
	}
}

func scatter(dst []verbs.SGE, b []byte) {
	for _, s := range dst {
		b = b[copy(s.Buf, b):]
	}
}

// atomic does one on the 8 bytes of mem and gives the old value to the list of w.
func atomic(w *verbs.SendWR, mem []byte) {
	old := binary.NativeEndian.Uint64(mem)
	var b [8]byte
	binary.NativeEndian.PutUint64(b[:], old)
	switch {
	case w.Op == verbs.FetchAdd:
		binary.NativeEndian.PutUint64(mem, old+w.Swap)
	case old == w.Compare:
		binary.NativeEndian.PutUint64(mem, w.Swap)
	}
	scatter(w.SGL, b[:])
}

// end notes what became of send i, and has both sides bear the consequences.
func (q *qp) end(i uint64, to *qp, s verbs.Status, n int) {
	w := &q.sends[q.slot(i)]
	if s == verbs.OK || s == verbs.LocalProtection {
		q.finish(i, s, n)
	} else if q.cfg.Type == verbs.UD && w.Op != verbs.Read {
		q.p.d.event(verbs.Event{Kind: verbs.RemoteError, Num: q.num, Peer: to.addr, Err: fmt.Errorf("%v: %v", w.Op, s)})
		q.finish(i, verbs.OK, n)
	} else {
		q.finish(i, s, n)
	}
	switch {
	case s == verbs.OK:
	case q.cfg.Type == verbs.RC:
		why := fmt.Errorf("%v: %v", w.Op, s)
		q.fail(why)
	case to != nil && to.cfg.StrictErrors:
		to.fail(fmt.Errorf("a peer's %v: %v", w.Op, s))
	}
}
