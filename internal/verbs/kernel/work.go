package kernel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// Numbers of work that the driver is given: of sends their place in the send queue, of receives from a
// shared queue their slot there.
const (
	recvID uint64 = 1 << 63
	markID uint64 = 1 << 62 // the send that is behind all others when a queue pair is disconnected
	beatID uint64 = 1 << 61 // a Read by which the pulse finds out whether the peer's host is there
)

// PostSend adds sends.
func (q *qp) PostSend(wrs []verbs.SendWR) (int, error) {
	d := q.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := q.postable(); err != nil {
		return 0, err
	}
	for i := range wrs {
		if err := q.post(&wrs[i]); err != nil {
			return i, err
		}
	}
	if q.state == verbs.Error {
		q.flush()
	}
	if len(d.broken) > 0 {
		d.settle()
	}
	return len(wrs), nil
}

// postable tells whether sends can be posted.
func (q *qp) postable() error {
	switch err := q.usable(); {
	case err != nil:
		return err
	case q.state == verbs.Error:
		return nil
	case q.state != verbs.RTS:
		return nic.StateErrors[q.state]
	case q.leaving:
		return errLeaving
	}
	return nil
}

// operations are the driver's words for those of the seam.
var operations = [...]ibv.WROp{verbs.Send: ibv.OpSend, verbs.Write: ibv.OpWrite, verbs.WriteImm: ibv.OpWriteImm, verbs.Read: ibv.OpRead,
	verbs.FetchAdd: ibv.OpFetchAdd, verbs.CompareSwap: ibv.OpCompareSwap}

// check says what is wrong with a send that a look at its list does not find.
func (q *qp) check(wr *verbs.SendWR) error {
	n := 0
	for i := range wr.SGL {
		n += len(wr.SGL[i].Buf)
	}
	if q.cfg.Type == verbs.UD {
		return q.checkDatagram(wr, n)
	}
	inline := wr.Flags&verbs.Inline != 0
	switch wr.Op {
	case verbs.Send, verbs.Write:
	case verbs.WriteImm:
		if !q.dev.caps.WriteImm {
			return errOpLacking
		}
	case verbs.Read:
		if inline {
			return errInlineRead
		}
		if len(wr.SGL) > q.dev.caps.MaxReadSGE {
			return errReadList
		}
	case verbs.FetchAdd, verbs.CompareSwap:
		switch {
		case !q.dev.caps.Atomics:
			return errOpLacking
		case n != 8 || inline:
			return errAtomicSize
		case wr.RemoteAddr%8 != 0:
			return errAtomicPlace
		}
	case verbs.SendInvalidate, verbs.WriteRecord:
		return errOpLacking
	default:
		return errOp
	}
	if n > q.dev.caps.MaxMessage {
		return errLong
	}
	return nil
}

// post adds a send: it is checked, kept until it is done, and given to the driver.
func (q *qp) post(wr *verbs.SendWR) error {
	if err := q.check(wr); err != nil {
		return err
	}
	if err := q.sends.Post(&q.dev.regions, q.pd.num, wr); err != nil {
		return err
	}
	if q.state != verbs.Error {
		if err := q.push(); err != nil {
			q.sends.Unpost()
			return refused(err)
		}
		q.sends.Retire(q.sent)
	}
	q.dev.count.sends++
	return nil
}

// push gives sends to the driver that it has not got yet: the newest, or several of UD that waited for an
// address handle. An error is about the newest; others end as failed.
func (q *qp) push() error {
	for {
		s, number := q.sends.Next()
		if s == nil {
			return nil
		}
		if a, _ := s.WR.AH.(*ah); q.cfg.Type == verbs.UD {
			if !a.ready {
				return nil
			}
			if status := q.lost(s, a); status != verbs.OK {
				s.Done, s.Status = true, status
				q.sends.Start()
				continue
			}
		}
		q.translate(s, number)
		switch err := q.driver.PostSend(q.wr); {
		case err == nil:
		case q.dev.iwarp() && !errors.Is(err, syscall.ENOMEM): // the connection has ended, and the news is on its way
			q.dev.breaks(q, errLost, false)
		case !errors.Is(err, syscall.ENOMEM) && !errors.Is(err, syscall.EINVAL): // no other send would be taken either
			q.dev.breaks(q, err, false)
		case q.sends.Waiting() == 1:
			return err
		default:
			s.Done, s.Status = true, verbs.LocalFault
		}
		q.sends.Start()
	}
}

// translate puts a send into the driver's words. The driver is asked to tell of sends that the program
// wants to hear of, and of some others, so that room is found again.
func (q *qp) translate(s *nic.Sending, number uint64) {
	wr, w := &s.WR, q.wr
	*w = ibv.SendWR{ID: number, Op: operations[wr.Op], Imm: network(wr.Imm)}
	q.list = q.list[:0]
	if wr.Flags&verbs.Inline != 0 {
		w.Flags |= ibv.SendInline
		if data := wr.SGL[0].Buf; len(data) > 0 {
			q.list = append(q.list, ibv.SGE{Addr: addressOf(data), Length: uint32(len(data))})
		} else {
			q.list = q.dev.pieces(q.list, nil)
		}
	} else {
		q.list = q.dev.pieces(q.list, wr.SGL)
	}
	if w.Count = int32(len(q.list)); w.Count > 0 {
		w.List = &q.list[0]
	}
	if wr.Flags&verbs.Fence != 0 {
		w.Flags |= ibv.SendFence
	}
	if wr.Flags&verbs.Solicited != 0 {
		w.Flags |= ibv.SendSolicited
	}
	if q.quiet++; q.wanted(s) || q.quiet > q.cfg.SendDepth/4 || q.cfg.Type == verbs.UD {
		w.Flags |= ibv.SendSignaled
		q.quiet = 0
	}
	switch wr.Op {
	case verbs.Send:
		if a, _ := wr.AH.(*ah); q.cfg.Type == verbs.UD {
			w.SetDatagram(a.rails[q.cfg.Rail].Ref(), wr.DestQP, q.dev.qkey)
		}
	case verbs.Write, verbs.WriteImm, verbs.Read:
		w.SetRemote(wr.RemoteAddr, wr.RKey)
	case verbs.FetchAdd:
		w.SetAtomic(wr.RemoteAddr, wr.Swap, 0, wr.RKey)
	case verbs.CompareSwap:
		w.SetAtomic(wr.RemoteAddr, wr.Compare, wr.Swap, wr.RKey)
	}
}

// wanted tells whether the program wants to hear that a send is done.
func (q *qp) wanted(s *nic.Sending) bool { return q.cfg.SignalAll || s.WR.Flags&verbs.Signaled != 0 }

// network turns a word into network order, and back.
func network(v uint32) uint32 {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], v)
	return binary.NativeEndian.Uint32(b[:])
}

// PostRecv adds receives.
func (q *qp) PostRecv(wrs []verbs.RecvWR) (int, error) {
	d := q.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	switch err := q.usable(); {
	case err != nil:
		return 0, err
	case q.srq != nil:
		return 0, errShared
	case q.state == verbs.Reset:
		return 0, nic.StateErrors[q.state]
	}
	for i := range wrs {
		if err := q.recvs.Post(&d.regions, q.pd.num, &wrs[i]); err != nil {
			return i, err
		}
		d.count.receives++
		if q.state == verbs.Error {
			continue
		}
		q.list = d.fillRecv(q.in, recvID, q.list, wrs[i].SGL, q.headers, q.nextPosted)
		if err := q.driver.PostRecv(q.in); err != nil {
			q.recvs.Unpost()
			return i, refused(err)
		}
		q.nextPosted = (q.nextPosted + 1) % q.cfg.RecvDepth
	}
	if q.state == verbs.Error {
		q.flush()
		d.settle()
	}
	return len(wrs), nil
}

// fillRecv puts a receive into the driver's words; one of datagrams has a header.
func (d *Device) fillRecv(in *ibv.RecvWR, id uint64, room []ibv.SGE, list []verbs.SGE, h *headers, slot int) []ibv.SGE {
	if h == nil {
		room = d.pieces(room[:0], list)
	} else {
		room = h.wrap(d.pieces(room[:1], list), slot)
	}
	*in = ibv.RecvWR{ID: id, Count: int32(len(room))}
	if len(room) > 0 {
		in.List = &room[0]
	}
	return room
}

// handle deals with a completion of the driver's.
func (d *Device) handle(c *cq, wc *ibv.WC) {
	q := d.byNum[wc.QP]
	if q == nil {
		return
	}
	if wc.ID&recvID != 0 {
		q.recvDone(wc)
	} else {
		q.sendDone(wc)
	}
}

// sendDone deals with the end of a send, and of those before it that the driver does not tell of.
func (q *qp) sendDone(wc *ibv.WC) {
	if q.dropping {
		return
	}
	status, last := verbs.OK, wc.ID
	if wc.Status != ibv.Success {
		status = q.sendStatus(wc)
	}
	if wc.ID == beatID {
		if q.heard++; status != verbs.OK {
			q.dev.breaks(q, fmt.Errorf("the peer's memory cannot be read: %v", wc.Status), false)
		}
		return
	}
	if wc.ID == markID { // behind all others
		if status == verbs.OK {
			last = q.sends.End() - 1
			q.dev.broken = append(q.dev.broken, breakage{q: q})
		} else {
			q.dev.breaks(q, fmt.Errorf("the connection broke before all was sent: %v", wc.Status), false)
			return
		}
	}
	for i := q.sends.First(); i != last; i++ {
		if s := q.sends.Get(i); s != nil {
			s.Done = true
		} else {
			break
		}
	}
	if s := q.sends.Get(last); s != nil {
		if s.Done, s.Status = true, status; status == verbs.OK && !q.wanted(s) {
			q.dev.count.hidden++
		}
	}
	q.sends.Retire(q.sent)
	if status != verbs.OK {
		q.dev.breaks(q, fmt.Errorf("a send ended with: %v", wc.Status), false)
	}
}

// sendStatuses are the seam's words for how sends end.
var sendStatuses = map[ibv.WCStatus]verbs.Status{
	ibv.LocalLength: verbs.LocalLength, ibv.LocalProtection: verbs.LocalProtection, ibv.Flushed: verbs.Flushed,
	ibv.RemoteInvalidRequest: verbs.RemoteInvalid, ibv.RemoteOperation: verbs.RemoteInvalid, ibv.RemoteAccess: verbs.RemoteAccess,
	ibv.RetriesExceeded: verbs.Unreachable, ibv.ResponseTimeout: verbs.Unreachable, ibv.RemoteAborted: verbs.Unreachable,
	ibv.RNRRetriesExceeded: verbs.NoReceive,
}

// sendStatus says how a send ended. Drivers have several words for a region that was closed.
func (q *qp) sendStatus(wc *ibv.WC) verbs.Status {
	status, ok := sendStatuses[wc.Status]
	if ok {
		return status
	}
	s := q.sends.Get(wc.ID)
	if s != nil && s.WR.Flags&verbs.Inline == 0 && q.dev.regions.LocalList(q.pd.num, s.WR.SGL, false) != nil {
		return verbs.LocalProtection
	}
	if !q.dev.caps.TellsWhy {
		return verbs.Flushed
	}
	return verbs.LocalFault
}

// reportSend reports the end of a send.
func (q *qp) reportSend(s *nic.Sending) {
	c := q.sendCQ.slot(q)
	if c == nil {
		return
	}
	c.ID, c.QP, c.Op, c.Status = s.WR.ID, q.num, s.WR.Op, s.Status
	if s.Status == verbs.OK {
		c.Len = s.Len
	}
	q.sendCQ.added(c)
}

// recvDone deals with the end of a receive.
func (q *qp) recvDone(wc *ibv.WC) {
	slot, h, ok := int(uint32(wc.ID)), q.headers, false
	if q.srq != nil {
		h, ok = q.srq.headers, q.srq.take(uint32(slot), &q.taken)
	} else {
		slot, ok = q.takeSlot()
	}
	switch {
	case !ok || q.dropping:
		return
	case wc.Status != ibv.Success:
		q.received(q.taken.ID, q.recvStatus(wc.Status))
		q.dev.breaks(q, fmt.Errorf("a receive ended with: %v", wc.Status), true)
		return
	case h != nil:
		q.datagram(wc, h, slot)
		return
	case wc.Op != ibv.WCRecvImm && int64(wc.Len) > int64(q.taken.Len): // no driver says so
		q.received(q.taken.ID, verbs.LocalFault)
		q.dev.breaks(q, errNonsense, true)
		return
	}
	c := q.recvCQ.slot(q)
	if c == nil {
		return
	}
	q.heard++
	c.ID, c.QP, c.Op, c.Len = q.taken.ID, q.num, verbs.Recv, int(wc.Len)
	if wc.Op == ibv.WCRecvImm {
		c.Op = verbs.RecvImm
	}
	if wc.Flags&ibv.WCWithImm != 0 {
		c.Imm, c.Marks = network(wc.Imm), verbs.HasImm
	}
	q.recvCQ.added(c)
}

// recvStatus says how the receive that was just taken ended. Drivers do not agree what a message that is
// too long is; it cannot be placed, as one for a region that was closed.
func (q *qp) recvStatus(status ibv.WCStatus) verbs.Status {
	closed := q.dev.regions.LocalList(q.pd.num, q.taken.SGL, true) != nil
	switch {
	case status == ibv.Flushed:
		return verbs.Flushed
	case closed || status == ibv.LocalProtection:
		return verbs.LocalProtection
	case status == ibv.LocalLength || status == ibv.LocalQPOperation || status == ibv.RemoteInvalidRequest || status == ibv.General:
		return verbs.LocalLength
	}
	return verbs.LocalFault
}

// received reports a receive that ended without success.
func (q *qp) received(id uint64, status verbs.Status) {
	if c := q.recvCQ.slot(q); c != nil {
		c.ID, c.QP, c.Op, c.Status = id, q.num, verbs.Recv, status
		q.recvCQ.added(c)
	}
}
