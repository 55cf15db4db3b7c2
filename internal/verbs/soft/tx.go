package soft

import (
	"errors"
	"slices"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

const (
	maxFrames      = 32        // FPDUs planned ahead
	planBytes      = 256 << 10 // and their bytes: CRCs are made when an FPDU is planned, and the peer should not wait for many
	planBytesPlain = 1 << 20   // the same without CRCs
	sendRounds     = 16        // calls of send in a row, before others get their turn
	smallFrame     = 4096 + 64 // payload, with a program's own header, that is copied next to its header rather than gathered
	maxParts       = 256       // of a vector
)

// desk is where messages are put together and taken apart by calls under the lock.
type desk struct {
	scratch    []byte         // short frames
	vector     *socket.Vector // of what is sent or received in one call
	piece      piece          // of a datagram
	lone       frame          // of a message that has no others before it
	ahead      ahead          // what a call that receives several segments expects
	wasted     []byte         // see waste
	spareBytes [][]byte       // lent to connections with half a message
}

func newDesk() desk {
	return desk{scratch: make([]byte, 0, stageSize), vector: socket.NewVector(maxParts)}
}

// out is the sending half of a stream.
type out struct {
	frames  ring[frame]
	begun   int  // bytes of the first frame that are gone
	blocked bool // the socket took no more
	aligned int  // to strangers: the size of a TCP segment, which every FPDU begins; so only full ones go out together
	fresh   bool // the current message was begun in this call, so its memory is known to be valid

	marked   []byte // with markers: what the socket has not taken of frames that were made
	position uint64 // with markers: where in the stream the next frame will begin that is planned
}

// headMax is how many bytes precede a payload at most.
const headMax = 80

// frame is one FPDU on its way: header and trailer as bytes, the payload where it lies.
type frame struct {
	head    [headMax]byte
	tail    [8]byte
	headLen uint8
	tailLen uint8
	checked bool   // the load is known to be valid
	size    int    // of the whole FPDU, in the stream
	at      uint64 // with markers: where in the stream it begins
	piece
}

// proceed sends what there is to send.
func (s *stream) proceed() bool {
	s.transmit()
	return s.alive()
}

// transmit sends what there is to send, as far as the socket takes it.
func (s *stream) transmit() bool {
	if s.greeting != nil && !s.greet() {
		s.blocked = s.phase != phaseDead
		return false
	}
	worked := false
	s.fresh = false
	for i := range s.frames.n { // left from before: much may have happened to their memory
		s.frames.at(i).checked = false
	}
	for round := 0; s.plan(); round++ {
		if round == sendRounds { // others want their turn; the poller, or the next poll, comes back to this
			s.blocked = true
			s.watch(s.reads(), true)
			return true
		}
		n, err := s.write()
		if err == socket.ErrAgain {
			s.blocked = true
			s.watch(s.reads(), true)
			return worked
		}
		if err != nil {
			s.cannotSend(err)
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
	if err := s.sendRest(); err == socket.ErrAgain {
		s.blocked = true
		s.watch(s.reads(), true)
		return worked
	} else if err != nil {
		s.lose(err)
		return true
	}
	if s.blocked {
		s.blocked = false
		s.watch(s.reads(), false)
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
	limit := planBytes
	if !s.terms.CRC {
		limit = planBytesPlain
	}
	for planned := 0; s.frames.n < maxFrames && planned < limit; {
		if s.cur.kind == nothing && !s.next() {
			break
		}
		f := s.frames.push()
		f.checked = s.fresh
		s.cut(s.segmentLen(), &f.piece)
		s.frame(f)
		planned += f.size
	}
	return s.frames.n > 0 && s.qp != nil
}

// next begins the next message, if there is one that may go.
func (s *stream) next() bool {
	if s.qp == nil {
		return false
	}
	s.fresh = true
	if len(s.replies) > 0 {
		f := s.nextReply()
		if !f.OK() {
			s.terminate(f)
		}
		return f.OK()
	}
	if s.muzzled {
		return false
	}
	w, number := s.qp.sends.Next()
	if w == nil || w.WR.Flags&verbs.Fence != 0 && len(s.asked) > 0 {
		return false
	}
	asking := asks(w.WR.Op)
	if asking && len(s.asked) >= s.maxAsk {
		return false
	}
	s.qp.sends.Start()
	s.describe(&s.qp.base, w, number)
	if asking {
		s.asked = append(s.asked, ask{q: &s.qp.base, number: number})
	}
	if !s.cur.load.valid(&s.dev.regions) {
		s.cur.kind = nothing
		w.Done, w.Status = true, verbs.LocalProtection
		s.qp.fatal(verbs.ErrKey)
		return false
	}
	return true
}

// frame writes the bytes around a payload that is gathered; for a short one, append does it all.
func (s *stream) frame(f *frame) {
	ulpdu := f.header.Size() + f.extraLen + f.n
	f.size = iwarp.FPDULen(ulpdu)
	if s.terms.MarkersOut {
		s.frameMarked(f)
		return
	}
	if f.n <= smallFrame {
		return
	}
	head := f.putHead(f.head[:0], ulpdu)
	f.headLen = uint8(len(head))
	crc := iwarp.NewCRC()
	if s.terms.CRC {
		crc = crc.Add(head)
		f.load.each(f.off, f.n, func(b []byte) { crc = crc.Add(b) })
	}
	f.tailLen = uint8(len(iwarp.AppendFPDUTail(f.tail[:0], ulpdu, crc, s.terms.CRC)))
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
		if s.aligned > 0 && i > 0 && s.frames.at(i-1).size != s.aligned {
			break // the frame before does not fill its segment
		}
		if !f.checked && !f.load.valid(&d.regions) {
			v.Reset()
			return 0, errGone
		}
		if f.n <= smallFrame {
			d.scratch = f.append(d.scratch, s.terms.CRC)
			continue
		}
		if v.Len()+f.load.pieces()+4 > maxParts {
			break
		}
		v.Add(d.scratch[run:])
		run = len(d.scratch)
		f.gather(v)
	}
	d.count.sendCalls++
	if v.Len() == 0 {
		return s.send(d.scratch[s.begun:])
	}
	v.Add(d.scratch[run:])
	v.Skip(s.begun)
	n, err := s.sendVector(v)
	v.Reset()
	return n, err
}

// cannotSend ends the connection because of an error of write.
func (s *stream) cannotSend(err error) {
	if err != errGone {
		s.lose(err)
		return
	}
	for i := range s.frames.n {
		f := s.frames.at(i)
		if f.load.valid(&s.dev.regions) {
			continue
		}
		if f.q == nil && s.begun == 0 { // what the peer wanted to read
			s.position = s.frames.at(0).at
			s.frames.n = 0
			s.terminate(iwarp.FaultSTag)
			return
		}
		if f.q == nil {
			break // half an FPDU is gone: nothing can follow it
		}
		if w := f.q.sends.Get(f.number); w != nil {
			w.Done, w.Status = true, verbs.LocalProtection
		}
		break
	}
	s.qp.fatal(verbs.ErrKey)
}

// putHead adds what precedes the payload of a piece to b, whose capacity is known to suffice.
func (p *piece) putHead(b []byte, ulpdu int) []byte {
	b = iwarp.AppendFPDUHead(b, ulpdu)
	b = b[:len(b)+p.header.Put(b[len(b):cap(b)])]
	return append(b, p.extra[:p.extraLen]...)
}

// append copies a piece to b as a whole FPDU, with its CRC.
func (p *piece) append(b []byte, sum bool) []byte {
	from := len(b)
	b = slices.Grow(b, headMax)
	b = p.putHead(b, p.header.Size()+p.extraLen+p.n)
	b = p.load.appendTo(b, p.off, p.n)
	crc := iwarp.NewCRC()
	if sum {
		crc = crc.Add(b[from:])
	}
	return iwarp.AppendFPDUTail(b, len(b)-from-iwarp.FPDULengthSize, crc, sum)
}

// gather adds a whole FPDU to a vector that has room for it.
func (f *frame) gather(v *socket.Vector) {
	v.Add(f.head[:f.headLen])
	f.load.each(f.off, f.n, func(p []byte) { v.Add(p) })
	v.Add(f.tail[:f.tailLen])
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
		f.load = load{}
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
	f := s.frames.push()
	f.piece = piece{header: h, extraLen: len(payload)}
	copy(f.extra[:], payload)
	if h.Op == iwarp.OpReadRequest {
		s.asked = append(s.asked, ask{})
		f.extraLen = (&iwarp.ReadRequest{}).Put(f.extra[:])
	}
	s.frame(f)
	s.transmit()
}

// lastWords sends a Terminate as far as the socket takes it at once.
func (s *stream) lastWords(t *iwarp.Terminate) {
	s.cur.kind, s.replies = nothing, nil
	s.muzzled = true // no more work
	f := s.frames.push()
	f.piece = piece{header: iwarp.Header{Last: true, Op: iwarp.OpTerminate, QN: iwarp.QueueTerminate, MSN: 1}}
	f.load.src = t.Append(nil)
	f.n = len(f.load.src)
	s.frame(f)
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
	s.frames = ring[frame]{}
	s.cur, s.replies, s.asked, s.marked = message{}, nil, nil, nil
	s.forget()
	s.pend = nil
	s.reveal()
}
