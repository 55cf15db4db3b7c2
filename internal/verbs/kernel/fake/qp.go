package fake

import (
	"encoding/binary"
	"slices"
	"syscall"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// queuePair is a queue pair.
type queuePair struct {
	pd       *pd
	num      uint32
	typ      ibv.QPType
	qkey     uint32
	size     ibv.QPCap
	state    ibv.QPState
	dest     uint32
	send     *cq
	recv     *cq
	srq      *srq
	sends    []sending
	receives []receive
	conn     *bond // of iWARP
	users    int
}

// sending is a send that waits.
type sending struct {
	ibv.SendWR
	list   []ibv.SGE
	inline []byte
}

// maxInline is how long inline sends may be.
const (
	maxInline = 512
	siwInline = 80
)

func (p *pd) NewQP(init *ibv.QPInit, send, recv ibv.CQ, shared ibv.SRQ) (ibv.QP, error) {
	f := p.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if init.Cap.Inline > maxInline || f.IWARP && (init.Cap.Inline > siwInline || init.Type != ibv.RC || init.Cap.SendSGE > siwPieces || init.Cap.RecvSGE > siwPieces) {
		return nil, syscall.EINVAL
	}
	q := &queuePair{pd: p, typ: init.Type, num: f.num() & (1<<24 - 1), size: init.Cap, send: send.(*cq), recv: recv.(*cq)}
	if shared != nil {
		q.srq = shared.(*srq)
		q.srq.users++
		q.srq.served = append(q.srq.served, q)
	}
	p.users++
	q.send.users++
	q.recv.users++
	f.qps[q.num] = q
	return q, nil
}

func (q *queuePair) ID() uintptr { return uintptr(unsafe.Pointer(q)) }
func (q *queuePair) Num() uint32 { return q.num }

// required is what each state asks for.
var required = map[ibv.QPState]uint32{
	ibv.Init: ibv.MaskState | ibv.MaskPKeyIndex | ibv.MaskPort | ibv.MaskAccess,
	ibv.RTR:  ibv.MaskState | ibv.MaskAH | ibv.MaskPathMTU | ibv.MaskDestQP | ibv.MaskRecvPSN | ibv.MaskReadsIn | ibv.MaskRNRTimer,
	ibv.RTS:  ibv.MaskState | ibv.MaskTimeout | ibv.MaskRetryCount | ibv.MaskRNRRetry | ibv.MaskSendPSN | ibv.MaskReads,
}

var requiredUD = map[ibv.QPState]uint32{
	ibv.Init: ibv.MaskState | ibv.MaskPKeyIndex | ibv.MaskPort | ibv.MaskQKey,
	ibv.RTR:  ibv.MaskState,
	ibv.RTS:  ibv.MaskState | ibv.MaskSendPSN,
}

var requiredIWARP = map[ibv.QPState]uint32{
	ibv.Init: ibv.MaskState | ibv.MaskPort | ibv.MaskAccess,
	ibv.RTR:  0, // the connection manager's
	ibv.RTS:  0,
}

func (q *queuePair) Modify(attr *ibv.QPAttr, mask uint32) error {
	f := q.pd.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	want, ok := required[attr.State]
	if q.typ == ibv.UD {
		want, ok = requiredUD[attr.State]
	} else if f.IWARP {
		want, ok = requiredIWARP[attr.State]
	}
	if ok && (mask != want || attr.State != q.state+1) || attr.State == ibv.Error && q.state == ibv.Reset {
		return syscall.EINVAL
	}
	switch attr.State {
	case ibv.Reset:
		q.sends, q.receives = nil, nil
	case ibv.Init:
		q.qkey = attr.QKey
	case ibv.Error:
		f.kill(q)
		return nil
	case ibv.RTR:
		q.dest = attr.DestQP
	}
	q.state = attr.State
	f.pump(f.qps[q.dest]) // it may have been waiting
	return nil
}

func (q *queuePair) PostSend(wr *ibv.SendWR) error {
	f := q.pd.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if uint32(len(q.sends)) >= q.size.SendWR || uint32(wr.Count) > q.size.SendSGE {
		return f.fault(syscall.ENOMEM)
	}
	s := sending{SendWR: *wr, list: append([]ibv.SGE(nil), unsafe.Slice(wr.List, wr.Count)...)}
	if wr.Flags&ibv.SendInline != 0 {
		for _, e := range s.list {
			at := uintptr(e.Addr)
			s.inline = append(s.inline, unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), e.Length)...)
		}
		s.list = nil
	}
	if f.IWARP && (wr.Count == 0 || wr.Op == ibv.OpRead && wr.Count > 1 || wr.Op > ibv.OpRead) {
		return f.fault(syscall.EINVAL)
	}
	q.sends = append(q.sends, s)
	if f.IWARP && q.state != ibv.RTS {
		if q.state == ibv.Error {
			return nil // and nothing ever comes of it
		}
		return syscall.ENOTCONN
	}
	if q.state == ibv.Error {
		f.kill(q)
	}
	f.pump(q)
	return nil
}

func (q *queuePair) PostRecv(wr *ibv.RecvWR) error {
	f := q.pd.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if uint32(len(q.receives)) >= q.size.RecvWR || uint32(wr.Count) > q.size.RecvSGE {
		return f.fault(syscall.ENOMEM)
	}
	if f.IWARP && wr.Count == 0 {
		return f.fault(syscall.EINVAL)
	}
	q.receives = append(q.receives, copyRecv(wr))
	if q.state == ibv.Error && f.FlushesReceives {
		f.kill(q)
	}
	f.pump(f.qps[q.dest])
	return nil
}

func (q *queuePair) Close() error {
	f := q.pd.ctx.Fabric
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.IWARP {
		f.kill(q)
	}
	delete(f.qps, q.num)
	if f.Forgets {
		for _, c := range []*cq{q.send, q.recv} {
			c.queue = slices.DeleteFunc(c.queue, func(wc ibv.WC) bool { return wc.QP == q.num })
		}
	}
	q.send.users--
	q.recv.users--
	if q.srq != nil {
		q.srq.users--
		q.srq.served = slices.DeleteFunc(q.srq.served, func(x *queuePair) bool { return x == q })
	}
	return gone(&q.users, &q.pd.users)
}

// kill moves a queue pair to Error; what it has to send is flushed.
func (f *Fabric) kill(q *queuePair) {
	switch {
	case !f.IWARP:
		f.flush(q)
	case f.looking:
		f.doomed = append(f.doomed, q)
	default:
		f.sever(q)
	}
}

func (f *Fabric) flush(q *queuePair) {
	q.state = ibv.Error
	for _, s := range q.sends {
		q.send.add(ibv.WC{ID: s.ID, Status: ibv.Flushed, QP: q.num}, false)
	}
	q.sends = nil
	if f.FlushesReceives {
		for _, r := range q.receives {
			q.recv.add(ibv.WC{ID: r.id, Status: ibv.Flushed, QP: q.num}, true)
		}
		q.receives = nil
	}
}

// pump does what a queue pair has to send, as far as it can: a peer that is not there, or has no receive,
// is waited for.
func (f *Fabric) pump(q *queuePair) {
	for q != nil && q.state == ibv.RTS && len(q.sends) > 0 {
		if q.typ == ibv.UD {
			f.datagram(q)
			continue
		}
		peer := f.qps[q.dest]
		if peer == nil || peer.dest != q.num || peer.state != ibv.RTR && peer.state != ibv.RTS {
			return
		}
		s := &q.sends[0]
		if f.silent[peer.pd.ctx] && (!f.IWARP || s.Op == ibv.OpRead) {
			return // what is sent over iWARP is done when it is on its way
		}
		f.looking = f.IWARP
		status, wait := f.do(q, peer, s)
		if f.IWARP {
			status, wait = f.early(q, s, status, wait), false
		}
		if wait {
			return
		}
		id, flags := s.ID, s.Flags
		q.sends = q.sends[1:]
		if status != ibv.Success || flags&ibv.SendSignaled != 0 {
			q.send.add(ibv.WC{ID: id, Status: status, Op: 77, QP: q.num}, false)
		}
		switch {
		case f.IWARP:
			f.bury()
		case status != ibv.Success:
			f.kill(q)
		}
	}
}

// datagram sends the next datagram. It is gone if nobody has a receive for it, or the key is wrong.
func (f *Fabric) datagram(q *queuePair) {
	s := q.sends[0]
	q.sends = q.sends[1:]
	data, ok := f.gather(q, &s)
	if !ok {
		q.send.add(ibv.WC{ID: s.ID, Status: ibv.LocalQPOperation, QP: q.num}, false)
		f.kill(q)
		return
	}
	if s.Flags&ibv.SendSignaled != 0 {
		q.send.add(ibv.WC{ID: s.ID, Op: 77, QP: q.num}, false)
	}
	ref, dest, qkey := s.Datagram()
	peer, way := f.qps[dest], f.handles[ref]
	if way == nil || peer == nil || way.to != peer.pd.ctx.gid || peer.typ != ibv.UD || peer.qkey != qkey || peer.state != ibv.RTR && peer.state != ibv.RTS {
		return
	}
	header := make([]byte, 40)
	header[20] = 0x45
	copy(header[32:], q.pd.ctx.gid[12:])
	f.deliver(peer, &s, append(header, data...), ibv.WC{Op: ibv.WCRecv, Flags: ibv.WCGRH, SrcQP: q.num})
}

// do does one send.
func (f *Fabric) do(q, peer *queuePair, s *sending) (status ibv.WCStatus, wait bool) {
	switch s.Op {
	case ibv.OpSend:
		data, ok := f.gather(q, s)
		if !ok {
			return ibv.LocalQPOperation, false
		}
		return f.deliver(peer, s, data, ibv.WC{Op: ibv.WCRecv})
	case ibv.OpWrite, ibv.OpWriteImm:
		return f.write(q, peer, s)
	case ibv.OpRead:
		n := length(s.list)
		addr, key := s.Remote()
		from := f.find(peer.pd, key, addr, n, ibv.AccessRemoteRead)
		if from == nil && n > 0 {
			f.kill(peer)
			return ibv.RemoteAccess, false
		}
		if !f.scatter(q.pd, s.list, from) {
			return ibv.LocalQPOperation, false
		}
	case ibv.OpFetchAdd, ibv.OpCompareSwap:
		return f.atomic(q, peer, s), false
	}
	return ibv.Success, false
}

// write does a Write; with immediate data it needs a receive, once its key was looked at.
func (f *Fabric) write(q, peer *queuePair, s *sending) (ibv.WCStatus, bool) {
	data, ok := f.gather(q, s)
	if !ok {
		return ibv.LocalQPOperation, false
	}
	addr, key := s.Remote()
	to := f.find(peer.pd, key, addr, len(data), ibv.AccessRemoteWrite)
	if to == nil && len(data) > 0 {
		f.kill(peer)
		return ibv.RemoteAccess, false
	}
	copy(to, data)
	if s.Op == ibv.OpWrite {
		return ibv.Success, false
	}
	return f.deliver(peer, s, nil, ibv.WC{Op: ibv.WCRecvImm, Flags: ibv.WCWithImm, Imm: s.Imm, Len: uint32(len(data))})
}

func (f *Fabric) atomic(q, peer *queuePair, s *sending) ibv.WCStatus {
	addr, operand, swap, key := s.Atomic()
	if addr%8 != 0 {
		f.kill(peer)
		return ibv.RemoteInvalidRequest
	}
	word := f.find(peer.pd, key, addr, 8, ibv.AccessRemoteAtomic)
	if word == nil {
		f.kill(peer)
		return ibv.RemoteAccess
	}
	old := binary.NativeEndian.Uint64(word)
	switch {
	case s.Op == ibv.OpFetchAdd:
		binary.NativeEndian.PutUint64(word, old+operand)
	case old == operand:
		binary.NativeEndian.PutUint64(word, swap)
	}
	if !f.scatter(q.pd, s.list, binary.NativeEndian.AppendUint64(nil, old)) {
		return ibv.LocalQPOperation
	}
	return ibv.Success
}

// deliver uses a receive of the peer's.
func (f *Fabric) deliver(peer *queuePair, s *sending, data []byte, wc ibv.WC) (ibv.WCStatus, bool) {
	queue := &peer.receives
	if peer.srq != nil {
		queue = &peer.srq.queue
	}
	if len(*queue) == 0 {
		return 0, true
	}
	r := (*queue)[0]
	*queue = (*queue)[1:]
	wc.ID, wc.QP = r.id, peer.num
	long, bad := len(data) > length(r.list), !f.scatter(peer.pd, r.list, data)
	if long || bad {
		wc.Status = ibv.LocalQPOperation
		if f.SaysLength && !bad {
			wc.Status = ibv.LocalLength
		}
		if f.IWARP {
			wc.Status = ibv.General
		}
		peer.recv.add(wc, s.Flags&ibv.SendSolicited != 0)
		f.kill(peer)
		return ibv.RemoteOperation, false
	}
	wc.Len += uint32(len(data))
	peer.recv.add(wc, s.Flags&ibv.SendSolicited != 0)
	if q := peer.srq; q != nil && q.limit > len(q.queue) {
		q.limit = 0
		peer.pd.ctx.events.add(ibv.Event{Kind: ibv.EventSRQLimit, ID: q.id})
	}
	return ibv.Success, false
}

// gather collects the bytes of a send.
func (f *Fabric) gather(q *queuePair, s *sending) (data []byte, ok bool) {
	data = s.inline
	for _, e := range s.list {
		piece := f.find(q.pd, e.LKey, e.Addr, int(e.Length), 0)
		if piece == nil {
			return nil, false
		}
		data = append(data, piece...)
	}
	return data, true
}

// scatter puts bytes into a list, as far as it reaches.
func (f *Fabric) scatter(pd *pd, list []ibv.SGE, data []byte) bool {
	for _, e := range list {
		piece := f.find(pd, e.LKey, e.Addr, int(e.Length), ibv.AccessLocalWrite)
		if piece == nil {
			return false
		}
		data = data[copy(piece, data):]
	}
	return true
}

func length(list []ibv.SGE) (n int) {
	for _, e := range list {
		n += int(e.Length)
	}
	return n
}
