package soft

import (
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// kind of a message under way.
type kind uint8

const (
	nothing kind = iota
	work         // a work request
	answer       // of a Read or atomic of the peer
)

// message is what a session is cutting into segments.
type message struct {
	kind     kind
	q        *base // whose work it is
	number   uint64
	dest     uint32 // UD, RD: the peer's queue pair, 0 if it has only one
	source   uint32 // UD, RD: ours, if it has to be named
	header   iwarp.Header
	extra    [iwarp.AtomicRequestSize]byte // fixed part after the header
	extraLen int
	load     load
	total    int
	off      int
	finishes bool // the end of the message ends its work request
	imm      bool // immediate data follows as a message of its own
}

// load is where a payload lies: in the list of a work request, or in a region that the peer reads.
type load struct {
	list   []verbs.SGE
	keys   bool // the keys of list must be valid
	pd     uint32
	src    []byte
	region *nic.Region // of src
}

// valid tells whether the memory may still be read.
func (l *load) valid(t *nic.Regions) bool {
	if l.region != nil && !l.region.Open() {
		return false
	}
	return !l.keys || t.LocalList(l.pd, l.list, false) == nil
}

// each calls do for the pieces that hold n bytes from off on.
func (l *load) each(off, n int, do func([]byte)) {
	if l.src != nil {
		do(l.src[off : off+n])
		return
	}
	eachPiece(l.list, off, n, do)
}

// appendTo adds n bytes from off on to b.
func (l *load) appendTo(b []byte, off, n int) []byte {
	if l.src != nil {
		return append(b, l.src[off:off+n]...)
	}
	for i := range l.list {
		p := l.list[i].Buf
		if off >= len(p) {
			off -= len(p)
			continue
		}
		p = p[off:min(len(p), off+n)]
		b = append(b, p...)
		off, n = 0, n-len(p)
	}
	return b
}

// pieces is how many pieces there are at most.
func (l *load) pieces() int { return len(l.list) + 1 }

// reply is an answer that is due to the peer.
type reply struct {
	atomic  bool
	pd      uint32
	request iwarp.ReadRequest
	answer  iwarp.AtomicResponse
}

// token stands for the place where the answer to a Read is to go. The peer only hands it back.
func token(number uint64) uint32 { return 1<<31 | uint32(number)&(1<<31-1) }

// asks tells whether an operation is answered by the peer.
func asks(op verbs.Op) bool {
	return op == verbs.Read || op == verbs.FetchAdd || op == verbs.CompareSwap
}

// describe makes a work request the current message.
func (s *session) describe(q *base, w *nic.Sending, number uint64) {
	wr, m := &w.WR, &s.cur
	m.kind, m.q, m.number, m.off, m.total, m.extraLen, m.imm, m.finishes = work, q, number, 0, 0, 0, false, true
	m.load = load{pd: q.pd.num}
	m.dest, m.source = wr.DestQP, 0
	if s.named && wr.Op != verbs.SendInvalidate {
		m.source = q.num
	}
	h := &m.header
	*h = iwarp.Header{}
	switch wr.Op {
	case verbs.Send, verbs.SendInvalidate:
		h.Op = sendOpcode(wr)
		if wr.Op == verbs.SendInvalidate {
			h.Invalidate = wr.Invalidate
		}
		m.load.list, m.total, m.load.keys = wr.SGL, w.Len, wr.Flags&verbs.Inline == 0
	case verbs.Write, verbs.WriteImm, verbs.WriteRecord:
		h.Op, h.Tagged, h.STag, h.TO = iwarp.OpWrite, true, wr.RKey, wr.RemoteAddr
		m.load.list, m.total, m.load.keys = wr.SGL, w.Len, wr.Flags&verbs.Inline == 0
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
func (s *session) numberMessage(h *iwarp.Header) {
	if !h.Tagged {
		h.QN = h.Op.Queue()
		h.MSN = s.sendNum[h.QN]
		s.sendNum[h.QN]++
	}
}

func sendOpcode(wr *verbs.SendWR) iwarp.Opcode {
	wants := wr.Flags&verbs.Solicited != 0
	switch {
	case wr.Op == verbs.SendInvalidate && wants:
		return iwarp.OpSendSolicitedInvalidate
	case wr.Op == verbs.SendInvalidate:
		return iwarp.OpSendInvalidate
	case wants:
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

// nextReply makes the oldest answer the current message. It answers what is wrong if there is nothing to read any
// more.
func (s *session) nextReply() iwarp.Fault {
	r := s.replies[0]
	s.replies = append(s.replies[:0], s.replies[1:]...)
	m := &s.cur
	*m = message{kind: answer}
	if r.atomic {
		m.header.Op = iwarp.OpAtomicResponse
		m.extraLen = r.answer.Put(m.extra[:])
		s.numberMessage(&m.header)
		return iwarp.Fault{}
	}
	q := &r.request
	m.header = iwarp.Header{Tagged: true, Op: iwarp.OpReadResponse, STag: q.SinkSTag, TO: q.SinkTO}
	if q.Size == 0 {
		return iwarp.Fault{}
	}
	buf, region, err := s.dev.regions.Remote(r.pd, q.SourceSTag, q.SourceTO, int(q.Size), verbs.RemoteRead)
	if err != nil {
		m.kind = nothing
		return readFault(err)
	}
	m.load.src, m.load.region, m.total = buf, region, len(buf)
	return iwarp.Fault{}
}

// piece is one segment of a message: a header and the part of the payload that goes with it.
type piece struct {
	header   iwarp.Header
	extra    [iwarp.AtomicRequestSize]byte
	extraLen int
	load     load
	off, n   int
	q        *base
	number   uint64
	finishes bool // its work request is done when it has left, or has arrived
}

// cut takes the next piece of at most largest bytes, headers included, off the current message.
func (s *session) cut(largest int, p *piece) {
	m := &s.cur
	p.header, p.extraLen, p.load, p.q, p.number = m.header, m.extraLen, m.load, m.q, m.number
	if m.extraLen > 0 {
		p.extra = m.extra
	}
	h := &p.header
	p.off, p.n = m.off, min(m.total-m.off, m.most(largest-h.Size()-m.extraLen))
	h.Last = m.off+p.n == m.total
	if h.Tagged {
		h.TO += uint64(m.off)
	} else {
		h.MO, h.QN = uint32(m.off), iwarp.QN(uint8(h.QN), m.dest)
		if m.source != 0 {
			h.Invalidate = m.source
		}
	}
	m.off += p.n
	p.finishes = m.finishes && h.Last
	if !h.Last {
		return
	}
	if m.kind = nothing; m.imm {
		s.follow()
	}
}

// most is how much of the message goes into the next segment, which has room for n bytes. Of a long Send
// that begins with a head of its own, that head goes into the first one, and with it and after it come
// equal parts of so many lines of cache.
func (m *message) most(n int) int {
	if m.header.Op != iwarp.OpSend || len(m.load.list) < 2 || m.total <= n {
		return n
	}
	head := len(m.load.list[0].Buf)
	if head > n/2 {
		return n
	}
	part := (n - head) &^ 63
	if m.off == 0 {
		return head + part
	}
	return part
}

// follow makes the immediate data of a Write the current message.
func (s *session) follow() {
	m := &s.cur
	q, number := m.q, m.number
	w := q.sends.Get(number)
	if w == nil { // it has failed meanwhile
		return
	}
	*m = message{kind: work, q: q, number: number, dest: m.dest, source: m.source, finishes: true}
	m.header.Op = iwarp.OpImmediate
	if w.WR.Flags&verbs.Solicited != 0 {
		m.header.Op = iwarp.OpImmediateSolicited
	}
	s.numberMessage(&m.header)
	m.extraLen = len(iwarp.AppendImmediate(m.extra[:0], uint64(w.WR.Imm)))
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
