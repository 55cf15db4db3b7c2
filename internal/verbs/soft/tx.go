package soft

import (
	"errors"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

const (
	maxFrames  = 32        // FPDUs planned ahead
	planBytes  = 256 << 10 // and their bytes: CRCs are made when an FPDU is planned, and the peer should not wait for many
	smallFrame = 512       // payload that is copied next to its header rather than gathered
	noSlot     = ^uint64(0)
)

// out is the sending half of a stream.
type out struct {
	frames  frameQueue
	begun   int // bytes of the first frame that are gone
	cur     message
	replies []reply  // answers that are due, oldest first
	asked   []uint64 // numbers of our Reads and atomics without answer, oldest first
	sendNum [4]uint32
	blocked bool // the socket took no more

	marked   []byte // with markers: what is left to send of the first frame
	position uint64 // with markers: bytes sent since the start-up frame
}

// frame is one FPDU on its way: header and trailer as bytes, the payload where it lies.
type frame struct {
	head     [80]byte
	tail     [8]byte
	headLen  uint8
	tailLen  uint8
	finishes bool // the work request is done when this is gone
	list     []verbs.SGE
	keys     bool // the keys of list must be valid
	src      []byte
	region   *nic.Region // of src
	off, n   int         // which bytes of list
	number   uint64
	size     int // of the whole FPDU
}

// frameQueue holds frames in order; it has memory only while there are some.
type frameQueue struct {
	slots []frame
	head  int
	n     int
}

func (q *frameQueue) at(i int) *frame { return &q.slots[(q.head+i)%len(q.slots)] }

// push returns the slot of a new frame, cleared.
func (q *frameQueue) push(d *Device) *frame {
	if q.n == len(q.slots) {
		q.grow(d)
	}
	q.n++
	f := q.at(q.n - 1)
	f.list, f.src, f.region, f.keys, f.finishes, f.off, f.n = nil, nil, nil, false, false, 0, 0
	return f
}

func (q *frameQueue) grow(d *Device) {
	if q.slots == nil {
		q.slots = d.takeFrames()
		return
	}
	bigger := make([]frame, 2*len(q.slots))
	for i := range q.n {
		bigger[i] = *q.at(i)
	}
	q.slots, q.head = bigger, 0
}

func (q *frameQueue) pop() {
	f := q.at(0)
	f.list, f.src, f.region = nil, nil, nil
	q.head = (q.head + 1) % len(q.slots)
	q.n--
}

// takeFrames and giveFrames lend the memory of frame queues to connections that are sending.
func (d *Device) takeFrames() []frame {
	if n := len(d.spareFrames); n > 0 {
		f := d.spareFrames[n-1]
		d.spareFrames = d.spareFrames[:n-1]
		return f
	}
	return make([]frame, maxFrames)
}

func (d *Device) giveFrames(q *frameQueue) {
	if len(q.slots) == maxFrames && len(d.spareFrames) < 8 {
		d.spareFrames = append(d.spareFrames, q.slots)
	}
	*q = frameQueue{}
}

// kind of a message under way.
type kind uint8

const (
	nothing kind = iota
	work         // a work request
	answer       // of a Read or atomic of the peer
)

// message is what the stream is cutting into frames.
type message struct {
	kind     kind
	header   iwarp.Header
	extra    [52]byte // fixed part after the header
	extraLen int
	list     []verbs.SGE
	keys     bool
	src      []byte
	region   *nic.Region
	total    int
	off      int
	number   uint64
	finishes bool // the end of the message ends its work request
	imm      bool // immediate data follows as a message of its own
}

// reply is an answer that is due to the peer.
type reply struct {
	atomic  bool
	request iwarp.ReadRequest
	answer  iwarp.AtomicResponse
}

// transmit sends what there is to send, as far as the socket takes it.
func (s *stream) transmit() bool {
	if s.greeting != nil && !s.greet() {
		s.blocked = s.phase != phaseDead
		return false
	}
	worked := false
	for s.plan() {
		n, err := s.write()
		if err == socket.ErrAgain {
			s.blocked = true
			s.watch(!s.starved, true)
			return worked
		}
		if err != nil {
			s.lose(err)
			return true
		}
		worked = true
		if s.advance(n); s.qp == nil {
			return true
		}
	}
	if s.qp == nil {
		return true
	}
	if s.blocked {
		s.blocked = false
		s.watch(!s.starved, false)
	}
	if s.frames.slots != nil {
		s.dev.giveFrames(&s.frames)
	}
	if s.closing && s.idle() {
		q := s.qp
		s.part()
		q.toError()
	}
	return worked
}

// plan cuts messages into frames and tells whether there are any.
func (s *stream) plan() bool {
	for planned := 0; s.frames.n < maxFrames && planned < planBytes; {
		if s.cur.kind == nothing && !s.next() {
			break
		}
		planned += s.cut()
	}
	return s.frames.n > 0 && s.qp != nil
}

// next begins the next message, if there is one that may go.
func (s *stream) next() bool {
	if s.qp == nil {
		return false
	}
	if len(s.replies) > 0 {
		return s.nextReply()
	}
	if s.muzzled {
		return false
	}
	w, number := s.qp.sends.Next()
	if w == nil || w.WR.Flags&verbs.Fence != 0 && len(s.asked) > 0 {
		return false
	}
	asks := w.WR.Op == verbs.Read || w.WR.Op == verbs.FetchAdd || w.WR.Op == verbs.CompareSwap
	if asks && len(s.asked) >= max(s.terms.ORD, 1) {
		return false
	}
	s.qp.sends.Start()
	if s.describe(w, number); asks {
		s.asked = append(s.asked, number)
		return true
	}
	if s.cur.keys && s.dev.regions.LocalList(s.qp.pd.num, w.WR.SGL, false) != nil {
		s.cur.kind = nothing
		s.localFault(number)
		return false
	}
	return true
}

// localFault ends the connection because memory of a work request is not registered any more.
func (s *stream) localFault(number uint64) {
	if w := s.qp.sends.Get(number); w != nil {
		w.Done, w.Status = true, verbs.LocalProtection
	}
	s.qp.fatal(verbs.ErrKey)
}

// token stands for the place where the answer to a Read is to go. The peer only hands it back.
func token(number uint64) uint32 { return 1<<31 | uint32(number)&(1<<31-1) }

// describe makes a work request the current message.
func (s *stream) describe(w *nic.Sending, number uint64) {
	wr, m := &w.WR, &s.cur
	m.kind, m.number, m.off, m.total, m.extraLen, m.imm, m.finishes = work, number, 0, 0, 0, false, true
	m.list, m.src, m.region, m.keys = nil, nil, nil, false
	h := &m.header
	*h = iwarp.Header{}
	switch wr.Op {
	case verbs.Send, verbs.SendInvalidate:
		h.Op = sendOpcode(wr)
		h.Invalidate = wr.Invalidate
		m.list, m.total, m.keys = wr.SGL, w.Len, wr.Flags&verbs.Inline == 0
	case verbs.Write, verbs.WriteImm:
		h.Op, h.Tagged, h.STag, h.TO = iwarp.OpWrite, true, wr.RKey, wr.RemoteAddr
		m.list, m.total, m.keys = wr.SGL, w.Len, wr.Flags&verbs.Inline == 0
		m.imm = wr.Op == verbs.WriteImm
		m.finishes = !m.imm
	case verbs.Read:
		h.Op, m.finishes = iwarp.OpReadRequest, false
		r := iwarp.ReadRequest{SinkSTag: token(number), Size: uint32(w.Len), SourceSTag: wr.RKey, SourceTO: wr.RemoteAddr}
		m.extraLen = r.Put(m.extra[:])
	default:
		h.Op, m.finishes = iwarp.OpAtomicRequest, false
		r := atomicRequest(wr, uint32(number))
		m.extraLen = r.Put(m.extra[:])
	}
	s.numberMessage(h)
}

// numberMessage gives an untagged message its queue and number.
func (s *stream) numberMessage(h *iwarp.Header) {
	if !h.Tagged {
		h.QN = h.Op.Queue()
		h.MSN = s.sendNum[h.QN]
		s.sendNum[h.QN]++
	}
}

func sendOpcode(wr *verbs.SendWR) iwarp.Opcode {
	solicited := wr.Flags&verbs.Solicited != 0
	switch {
	case wr.Op == verbs.SendInvalidate && solicited:
		return iwarp.OpSendSolicitedInvalidate
	case wr.Op == verbs.SendInvalidate:
		return iwarp.OpSendInvalidate
	case solicited:
		return iwarp.OpSendSolicited
	}
	return iwarp.OpSend
}

func atomicRequest(wr *verbs.SendWR, id uint32) iwarp.AtomicRequest {
	r := iwarp.AtomicRequest{ID: id, STag: wr.RKey, TO: wr.RemoteAddr, Data: wr.Swap, CompareMask: ^uint64(0)}
	if wr.Op == verbs.CompareSwap {
		r.Op, r.Mask, r.Compare = iwarp.CompareSwap, ^uint64(0), wr.Compare
	}
	return r
}

// nextReply makes the oldest answer the current message.
func (s *stream) nextReply() bool {
	r := s.replies[0]
	s.replies = append(s.replies[:0], s.replies[1:]...)
	m := &s.cur
	*m = message{kind: answer, number: noSlot}
	if r.atomic {
		m.header.Op = iwarp.OpAtomicResponse
		m.extraLen = r.answer.Put(m.extra[:])
		s.numberMessage(&m.header)
		return true
	}
	q := &r.request
	m.header = iwarp.Header{Tagged: true, Op: iwarp.OpReadResponse, STag: q.SinkSTag, TO: q.SinkTO}
	if q.Size == 0 {
		return true
	}
	buf, region, err := s.dev.regions.Remote(s.qp.pd.num, q.SourceSTag, q.SourceTO, int(q.Size), verbs.RemoteRead)
	if err != nil {
		m.kind = nothing
		s.terminate(readFault(err))
		return false
	}
	m.src, m.region, m.total = buf, region, len(buf)
	return true
}

// cut makes one frame of the current message and returns its size.
func (s *stream) cut() int {
	m := &s.cur
	h := m.header
	n := min(m.total-m.off, s.largest-h.Size()-m.extraLen)
	h.Last = m.off+n == m.total
	if h.Tagged {
		h.TO += uint64(m.off)
	} else {
		h.MO = uint32(m.off)
	}
	f := s.frames.push(s.dev)
	f.number, f.finishes = m.number, m.finishes && h.Last
	f.list, f.keys, f.src, f.region, f.off, f.n = m.list, m.keys, m.src, m.region, m.off, n
	s.frame(f, &h, m.extra[:m.extraLen])
	m.off += n
	if !h.Last {
		return f.size
	}
	if m.kind = nothing; m.imm {
		s.follow(m)
	}
	return f.size
}

// follow makes the immediate data of a Write the current message.
func (s *stream) follow(m *message) {
	w := s.qp.sends.Get(m.number)
	*m = message{kind: work, number: m.number, finishes: true}
	m.header.Op = iwarp.OpImmediate
	if w.WR.Flags&verbs.Solicited != 0 {
		m.header.Op = iwarp.OpImmediateSolicited
	}
	s.numberMessage(&m.header)
	m.extraLen = len(iwarp.AppendImmediate(m.extra[:0], uint64(w.WR.Imm)))
}

// frame writes the bytes around a payload.
func (s *stream) frame(f *frame, h *iwarp.Header, extra []byte) {
	ulpdu := h.Size() + len(extra) + f.n
	head := iwarp.AppendFPDUHead(f.head[:0], ulpdu)
	head = h.Append(head)
	head = append(head, extra...)
	f.headLen = uint8(len(head))
	crc := iwarp.NewCRC()
	if s.terms.CRC {
		crc = crc.Add(head)
		if f.src != nil {
			crc = crc.Add(f.src[f.off : f.off+f.n])
		} else {
			eachPiece(f.list, f.off, f.n, func(b []byte) { crc = crc.Add(b) })
		}
	}
	f.tailLen = uint8(len(iwarp.AppendFPDUTail(f.tail[:0], ulpdu, crc, s.terms.CRC)))
	f.size = iwarp.FPDULen(ulpdu)
}

// eachPiece calls do for the pieces of list that hold n bytes from off on.
func eachPiece(list []verbs.SGE, off, n int, do func([]byte)) {
	for i := range list {
		b := list[i].Buf
		if off >= len(b) {
			off -= len(b)
			continue
		}
		if n == 0 {
			return
		}
		b = b[off:min(len(b), off+n)]
		off, n = 0, n-len(b)
		do(b)
	}
}

var errGone = errors.New("memory is not registered any more")

// write hands frames to the socket in one call and returns how many bytes it took.
func (s *stream) write() (int, error) {
	if s.terms.MarkersOut {
		return s.writeMarked()
	}
	d, v := s.dev, s.dev.vector
	d.scratch = d.scratch[:0]
	run := 0 // where in scratch the bytes begin that are not yet in the vector
	v.Reset()
	for i := range s.frames.n {
		f := s.frames.at(i)
		if !s.valid(f) {
			v.Reset()
			return 0, errGone
		}
		if f.n <= smallFrame {
			d.scratch = f.append(d.scratch)
			continue
		}
		if v.Len()+len(f.list)+5 > maxParts {
			break
		}
		v.Add(d.scratch[run:])
		run = len(d.scratch)
		f.gather(v)
	}
	d.count.sendCalls++
	if v.Len() == 0 {
		return s.conn.Send(d.scratch[s.begun:], false)
	}
	v.Add(d.scratch[run:])
	v.Skip(s.begun)
	n, err := s.conn.SendVector(v, false)
	v.Reset()
	return n, err
}

const maxParts = 256

// valid tells whether the memory of a frame may still be read.
func (s *stream) valid(f *frame) bool {
	if f.region != nil && !f.region.Open() {
		return false
	}
	return !f.keys || s.dev.regions.LocalList(s.qp.pd.num, f.list, false) == nil
}

// append copies a whole FPDU to b.
func (f *frame) append(b []byte) []byte {
	b = append(b, f.head[:f.headLen]...)
	if f.src != nil {
		b = append(b, f.src[f.off:f.off+f.n]...)
	} else {
		eachPiece(f.list, f.off, f.n, func(p []byte) { b = append(b, p...) })
	}
	return append(b, f.tail[:f.tailLen]...)
}

// gather adds a whole FPDU to a vector that has room for it.
func (f *frame) gather(v *socket.Vector) {
	v.Add(f.head[:f.headLen])
	if f.src != nil {
		v.Add(f.src[f.off : f.off+f.n])
	} else {
		eachPiece(f.list, f.off, f.n, func(p []byte) { v.Add(p) })
	}
	v.Add(f.tail[:f.tailLen])
}

// writeMarked sends the first frame with markers.
func (s *stream) writeMarked() (int, error) {
	f := s.frames.at(0)
	if len(s.marked) == 0 {
		if !s.valid(f) {
			return 0, errGone
		}
		s.dev.scratch = f.append(s.dev.scratch[:0])
		s.marked = iwarp.AppendMarked(nil, s.dev.scratch, s.position, s.terms.CRC)
	}
	s.dev.count.sendCalls++
	n, err := s.conn.Send(s.marked, false)
	if err != nil {
		return 0, err
	}
	s.position += uint64(n)
	if s.marked = s.marked[n:]; len(s.marked) > 0 {
		return 0, nil
	}
	return f.size - s.begun, nil
}

// advance notes that n bytes are gone.
func (s *stream) advance(n int) {
	s.dev.count.bytesOut += uint64(n)
	n += s.begun
	for s.frames.n > 0 && n >= s.frames.at(0).size {
		f := s.frames.at(0)
		n -= f.size
		s.dev.count.fpdusOut++
		if f.finishes {
			if w := s.qp.sends.Get(f.number); w != nil {
				w.Done = true
			}
		}
		s.frames.pop()
	}
	s.begun = n
	s.qp.sends.Retire(s.qp.report)
}

// speakFirst sends the initiator's first message, which belongs to no work request.
func (s *stream) speakFirst(h iwarp.Header, payload []byte) {
	if !h.Tagged {
		s.sendNum[h.QN]++
	}
	var request [28]byte
	if h.Op == iwarp.OpReadRequest {
		s.asked = append(s.asked, noSlot)
		payload = request[:(&iwarp.ReadRequest{}).Put(request[:])]
	}
	f := s.frames.push(s.dev)
	f.number = noSlot
	s.frame(f, &h, payload)
	s.transmit()
}

// lastWords sends a Terminate as far as the socket takes it at once.
func (s *stream) lastWords(t *iwarp.Terminate) {
	s.cur.kind, s.replies = nothing, nil
	s.muzzled = true // no more work
	h := iwarp.Header{Last: true, Op: iwarp.OpTerminate, QN: iwarp.QueueTerminate, MSN: 1}
	var b [80]byte
	f := s.frames.push(s.dev)
	f.number = noSlot
	s.frame(f, &h, t.Append(b[:0]))
	for s.frames.n > 0 && s.qp != nil {
		n, err := s.write()
		if err != nil {
			return
		}
		s.advance(n)
	}
}

// release gives back what the stream holds, at its end.
func (s *stream) release() {
	s.dev.giveFrames(&s.frames)
	s.cur, s.replies, s.asked, s.marked = message{}, nil, nil, nil
	s.forget()
}
