package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/ud"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// resume sends what the queue pair has to send, as far as the socket takes it.
func (q *dgram) resume() {
	if q.cfg.Type == verbs.RD || q.state != verbs.RTS {
		return
	}
	for !q.sock.blocked && (q.cur.kind != nothing || q.next()) {
		if !q.sock.room(&q.cur.load) {
			break
		}
		q.sendPiece()
	}
	q.sock.flush()
	q.sends.Retire(q.report)
}

// next begins the next message.
func (q *dgram) next() bool {
	for {
		w, number := q.sends.Next()
		if w == nil || w.WR.Flags&verbs.Fence != 0 && q.reader.Open() > 0 {
			return false
		}
		if w.WR.Op == verbs.Read {
			if !q.startRead(w, number) {
				return false
			}
			continue
		}
		q.sends.Start()
		q.describe(&q.base, w, number)
		if !q.cur.load.valid(&q.base.dev.regions) {
			q.cur.kind = nothing
			w.Done, w.Status = true, verbs.LocalProtection
			continue
		}
		if w.WR.Op == verbs.WriteRecord { // the peer knows records by our address and this number
			q.sock.recordNum++
			q.recordNum = q.sock.recordNum
		}
		return true
	}
}

// sendPiece puts the next datagram of the current message into the box.
func (q *dgram) sendPiece() {
	p := &q.base.dev.piece
	w := q.sends.Get(q.cur.number)
	to, record := w.WR.AH.(*ah).to, w.WR.Op == verbs.WriteRecord
	largest := q.sock.sizeTo(to) - q.base.dev.trailer()
	if record {
		largest -= iwarp.RecordSize
	}
	q.cut(largest, p)
	if record {
		p.header.Record = true
		r := iwarp.Record{RMSN: q.recordNum, Length: uint32(w.Len), Offset: uint32(p.off)}
		p.extraLen = r.Put(p.extra[:])
	}
	who := owner{}
	if p.finishes {
		who = owner{&q.base, p.number}
	}
	if p.header.Tagged && q.named {
		q.sock.writes.remember(to, &p.header, q.num)
	}
	q.put(to, &p.header, p.extra[:p.extraLen], &p.load, p.off, p.n, who)
}

// sentWrite is a Write that left a shared socket. Writes do not say which queue pair they come from, so an error
// message about one does not either.
type sentWrite struct {
	peer netip.AddrPort
	stag uint32
	to   uint64
	num  uint32
}

// sentWrites are the last Writes of a shared socket.
type sentWrites struct {
	last *[64]sentWrite // nil before the first
	n    int            // all that there were
}

// remember notes whose Write it was, for a while.
func (s *sentWrites) remember(to netip.AddrPort, h *iwarp.Header, num uint32) {
	if s.last == nil {
		s.last = new([64]sentWrite)
	}
	s.last[s.n%len(s.last)] = sentWrite{to, h.STag, h.TO, num}
	s.n++
}

// whose finds the queue pair whose Write an error message is about, 0 if that is too long ago.
func (s *sentWrites) whose(from netip.AddrPort, h *iwarp.Header) uint32 {
	for i := 1; i <= min(s.n, len(s.last)); i++ {
		if w := &s.last[(s.n-i)%len(s.last)]; w.stag == h.STag && w.to == h.TO && w.peer == from {
			return w.num
		}
	}
	return 0
}

// put adds a datagram to the box, which has room.
func (q *dgram) put(to netip.AddrPort, h *iwarp.Header, extra []byte, l *load, off, n int, who owner) {
	var head [iwarp.UntaggedSize + iwarp.AtomicRequestSize + 16]byte
	b := append(h.Append(head[:0]), extra...)
	q.sock.add(to, b, l, off, n, who)
}

// readToken names the queue pair in the sink STag of a Read over UD; the low byte is the try's.
func readToken(num uint32) uint32 { return 1<<31 | num<<8 }

// readBase is where in the sink's address space the answer to a Read is to go; the number of the work request keeps
// several apart.
func readBase(number uint64) uint64 { return number << 32 }

// startRead hands a Read to the reader, which cuts it up and repeats what gets lost.
func (q *dgram) startRead(w *nic.Sending, number uint64) bool {
	now := clock.Now()
	ok := q.reader.Start(now, ud.Read[netip.AddrPort]{
		Peer: w.WR.AH.(*ah).to, ID: number, SinkSTag: readToken(q.num), SinkTO: readBase(number),
		SourceSTag: w.WR.RKey, SourceTO: w.WR.RemoteAddr, Size: uint32(w.Len),
		Datagram: uint32(q.sock.sizeTo(w.WR.AH.(*ah).to) - iwarp.TaggedSize - q.base.dev.trailer()),
	})
	if ok {
		q.sends.Start()
		q.sendReads(now)
	}
	return ok
}

// sendReads sends the requests that are due.
func (q *dgram) sendReads(now int64) {
	for due, ok := q.reader.Due(now); ok; due, ok = q.reader.Due(now) {
		if due.Failed {
			q.endRead(due.ID, verbs.Unreachable)
			continue
		}
		if !q.sock.room(&load{}) {
			continue // it will be repeated
		}
		h := iwarp.Header{Last: true, Op: iwarp.OpReadRequest, QN: iwarp.QueueRead}
		q.numberMessage(&h)
		if w := q.sends.Get(due.ID); w != nil {
			h.QN = iwarp.QN(iwarp.QueueRead, w.WR.DestQP)
		}
		if q.named {
			h.Invalidate = q.num
		}
		var extra [iwarp.ReadRequestSize]byte
		q.put(due.Peer, &h, extra[:due.Request.Put(extra[:])], &load{}, 0, 0, owner{})
	}
	q.setTimer()
}

// endRead completes a Read.
func (q *dgram) endRead(number uint64, status verbs.Status) {
	if w := q.sends.Get(number); w != nil {
		w.Done, w.Status = true, status
	}
	q.sends.Retire(q.report)
}

// setTimer wakes the queue pair when a Read or a record is overdue.
func (q *dgram) setTimer() {
	at := q.reader.Deadline()
	if r := q.records.Deadline(); r != 0 && (at == 0 || r < at) {
		at = r
	}
	q.base.dev.setTimer(q.timer, at)
}

// tick repeats Reads and gives up records.
func (q *dgram) tick(now int64) {
	if q.sock == nil || q.sock.sock == nil {
		return
	}
	for done := q.records.Expire(now); done.State != ud.None; done = q.records.Expire(now) {
		q.recordDone(&done)
	}
	before := q.base.dev.count.datagramsOut
	q.sendReads(now)
	q.sock.flush()
	q.base.dev.count.readsRepeated += q.base.dev.count.datagramsOut - before
	q.resume()
}

// arriveUD handles a UD datagram.
func (u *udpSocket) arriveUD(b []byte, from netip.AddrPort) {
	h, n, f := iwarp.ParseHeader(b)
	if iwarp.DatagramKind(b) != iwarp.UD || !f.OK() && f != iwarp.FaultOpcode {
		u.dev.count.badFormat++
		return
	}
	payload := b[n:]
	if u.group.IsValid() {
		if f.OK() && (h.Op == iwarp.OpSend || h.Op == iwarp.OpSendSolicited) {
			for _, q := range u.qps {
				q.receive(u, &h, payload, from)
			}
		}
		return
	}
	switch {
	case !f.OK():
		u.dev.count.badFormat++
		u.refuse(nil, from, &h, len(payload), nil, f)
	case h.Op == iwarp.OpReadResponse:
		u.response(&h, payload, from)
	case h.Op == iwarp.OpWrite:
		u.write(&h, payload, from)
	default:
		u.untagged(&h, payload, from)
	}
}

// refuse tells a peer what is wrong with its datagram.
func (u *udpSocket) refuse(q *dgram, to netip.AddrPort, h *iwarp.Header, payload int, read *iwarp.ReadRequest, f iwarp.Fault) {
	if u.mayNotify(to) && u.room(&load{}) {
		t := iwarp.Terminate{Fault: f, HasHeader: true, Header: *h, SegmentLen: uint16(h.Size() + payload)}
		if read != nil {
			t.HasRead, t.Read = true, *read
		}
		head := iwarp.Header{Last: true, Op: iwarp.OpTerminate, QN: iwarp.QN(iwarp.QueueTerminate, sourceOf(h)), MSN: h.MSN}
		var b [128]byte
		u.add(to, t.Append(head.Append(b[:0])), &load{}, 0, 0, owner{})
	}
	if q != nil {
		q.strict(f)
	}
}

// sourceOf is the peer's queue pair, if it said so.
func sourceOf(h *iwarp.Header) uint32 {
	if h.Tagged || h.Op == iwarp.OpSendInvalidate || h.Op == iwarp.OpSendSolicitedInvalidate {
		return 0
	}
	return h.Invalidate & (1<<24 - 1)
}

// untagged handles a message for a queue of a queue pair.
func (u *udpSocket) untagged(h *iwarp.Header, payload []byte, from netip.AddrPort) {
	queue, num := iwarp.SplitQN(h.QN)
	if h.Op == iwarp.OpTerminate {
		u.noticed(num, payload, from)
		return
	}
	q := u.find(num)
	if q == nil {
		return
	}
	switch {
	case uint32(queue) != h.Op.Queue():
		u.refuse(q, from, h, len(payload), nil, iwarp.FaultQN)
	case !h.Last || h.MO != 0:
		u.refuse(q, from, h, len(payload), nil, iwarp.FaultMO)
	case h.Op == iwarp.OpReadRequest:
		u.serveRead(q, h, payload, from)
	case h.Op == iwarp.OpSend, h.Op == iwarp.OpSendSolicited, immediate(h.Op) && len(payload) == 8:
		q.receive(u, h, payload, from)
	default:
		u.refuse(q, from, h, len(payload), nil, iwarp.FaultOpcode)
	}
}

// receive gives a message to the oldest receive.
func (q *dgram) receive(u *udpSocket, h *iwarp.Header, payload []byte, from netip.AddrPort) {
	if q.state != verbs.RTS {
		return
	}
	if q.borrows(h) {
		q.lendMessage(payload, from, sourceOf(h))
		return
	}
	r := &q.receiveNow
	if !q.base.take(r) {
		q.base.dev.count.noReceive++
		return
	}
	n, op, imm, marks := len(payload), verbs.Recv, uint32(0), verbs.Marks(0)
	if immediate(h.Op) {
		data, _ := iwarp.ParseImmediate(payload)
		n, op, imm, marks = 0, verbs.RecvImm, uint32(data), verbs.HasImm
	}
	switch {
	case n > r.Len:
		q.failedReceive(r.ID, verbs.LocalLength)
		u.refuse(q, from, h, len(payload), nil, iwarp.FaultTooLong)
		return
	case q.base.dev.regions.LocalList(q.pd.num, r.SGL, true) != nil:
		q.failedReceive(r.ID, verbs.LocalProtection)
		return
	}
	rest := payload[:n]
	for i := range r.SGL {
		rest = rest[copy(r.SGL[i].Buf, rest):]
	}
	if solicited(h.Op) {
		marks |= verbs.WasSolicited
	}
	if c := q.slot(q.recvCQ); c != nil {
		c.ID, c.QP, c.Op, c.Marks, c.Len, c.Imm, c.Src, c.SrcQP = r.ID, q.num, op, marks, n, imm, from, sourceOf(h)
		q.recvCQ.added(c)
	}
}

// write places a Write, or a piece of a Write-Record.
func (u *udpSocket) write(h *iwarp.Header, payload []byte, from netip.AddrPort) {
	q := u.any(h.STag)
	if q == nil {
		return
	}
	rec, record, whole := iwarp.Record{}, h.Record, len(payload)
	if record {
		var ok bool
		if rec, ok = iwarp.ParseRecord(payload); !ok {
			u.dev.count.badFormat++
			return
		}
		payload = payload[iwarp.RecordSize:]
		h.MSN = rec.RMSN // what an error message quotes
	}
	buf, _, err := u.dev.regions.Remote(q.pd.num, h.STag, h.TO, len(payload), verbs.RemoteWrite)
	if f := writeFault(err); len(payload) > 0 && !f.OK() {
		u.refuse(q, from, h, whole, nil, f)
		return
	}
	if !record {
		copy(buf, payload)
		return
	}
	place, done := q.records.Piece(clock.Now(), from, rec, h.STag, h.TO, len(payload))
	if place {
		copy(buf, payload)
	}
	if done.State != ud.None {
		q.recordDone(&done)
	}
	q.setTimer()
}

// recordDone reports a record: one completion for each piece of memory that has been written.
func (q *dgram) recordDone(r *ud.Done[netip.AddrPort]) {
	status := verbs.OK
	if r.State == ud.Partial {
		status = verbs.Partial
		q.base.dev.count.recordsPartial++
	}
	parts := r.Ranges.All()
	for i := 0; i < max(1, len(parts)); i++ {
		c := q.slot(q.recvCQ)
		if c == nil {
			return
		}
		c.QP, c.Op, c.Status, c.Imm, c.Key, c.Addr, c.Src = q.num, verbs.RecvRecord, status, r.RMSN, r.STag, r.TO, r.Source
		c.Marks = verbs.HasImm
		if i < len(parts) {
			c.Addr += uint64(parts[i].From)
			c.Len = int(parts[i].To - parts[i].From)
		}
		if i >= len(parts)-1 {
			c.Marks |= verbs.LastPiece
		}
		q.recvCQ.added(c)
	}
}

// serveRead answers a Read at once.
func (u *udpSocket) serveRead(q *dgram, h *iwarp.Header, payload []byte, from netip.AddrPort) {
	r, ok := iwarp.ParseReadRequest(payload)
	if !ok {
		u.refuse(q, from, h, len(payload), nil, iwarp.FaultMO)
		return
	}
	each := u.sizeTo(from) - iwarp.TaggedSize - u.dev.trailer()
	l := load{}
	if r.Size > 0 {
		// A peer with longer datagrams may ask for more than we send at a time; it will ask for the rest.
		r.Size = uint32(min(uint64(r.Size), uint64(each)*ud.MaxReadDatagrams))
		buf, region, err := u.dev.regions.Remote(q.pd.num, r.SourceSTag, r.SourceTO, int(r.Size), verbs.RemoteRead)
		if f := readFault(err); !f.OK() {
			u.refuse(q, from, h, len(payload), &r, f)
			return
		}
		l.src, l.region = buf, region
	}
	for off := 0; ; {
		n := min(each, int(r.Size)-off)
		if !u.room(&l) {
			return // the peer asks again for what is missing
		}
		head := iwarp.Header{Tagged: true, Last: off+n == int(r.Size), Op: iwarp.OpReadResponse, STag: r.SinkSTag, TO: r.SinkTO + uint64(off)}
		var b [iwarp.TaggedSize]byte
		u.add(from, head.Append(b[:0]), &l, off, n, owner{})
		if off += n; off >= int(r.Size) {
			return
		}
	}
}

// response places a part of the answer to a Read of ours.
func (u *udpSocket) response(h *iwarp.Header, payload []byte, from netip.AddrPort) {
	if h.STag>>31 == 0 {
		u.dev.count.badFormat++
		return
	}
	q := u.find(h.STag >> 8 & (1<<23 - 1))
	if q == nil {
		return
	}
	accepted, finished, number := q.reader.Arrive(clock.Now(), from, h.STag, h.TO, len(payload))
	if !accepted {
		u.dev.count.duplicates++
		return
	}
	w := q.sends.Get(number)
	if w == nil || q.base.dev.regions.LocalList(q.pd.num, w.WR.SGL, true) != nil {
		q.reader.Refuse(from, h.STag, h.TO)
		q.endRead(number, verbs.LocalProtection)
		return
	}
	eachPiece(w.WR.SGL, int(h.TO-readBase(number)), len(payload), func(b []byte) { payload = payload[copy(b, payload):] })
	if finished {
		q.endRead(number, verbs.OK)
		q.resume()
	} else {
		q.sendReads(clock.Now())
	}
	q.setTimer()
}

// noticed handles an error message of a peer.
func (u *udpSocket) noticed(num uint32, payload []byte, from netip.AddrPort) {
	t, ok := iwarp.ParseTerminate(payload)
	if !ok {
		u.dev.count.badFormat++
		return
	}
	if t.HasRead && t.Read.SinkSTag>>31 == 1 {
		num = t.Read.SinkSTag >> 8 & (1<<23 - 1)
	} else if num == 0 && u.shared && t.HasHeader && t.Header.Tagged {
		num = u.writes.whose(from, &t.Header)
	}
	q := u.find(num)
	if q == nil {
		return
	}
	q.remoteError(from, &t)
	if t.HasRead {
		if number, ok := q.reader.Refuse(from, t.Read.SinkSTag, t.Read.SinkTO); ok {
			q.endRead(number, statusOf(t.Fault))
			q.resume()
		}
		q.setTimer()
	}
}
