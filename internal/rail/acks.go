package rail

import "github.com/weft-mpi/weft/internal/verbs"

// owe notes that the peer has to be told what we have got: soon, or at the end of this poll.
func (p *peer) owe(now bool) {
	l := p.link
	if !p.ackable && (now || p.in.AckDue(l.now)) {
		p.ackable = true
		l.ackable = append(l.ackable, p)
	}
	p.heed()
}

// acknowledge tells peers what we have got that no other frame has told them.
func (l *Link) acknowledge() {
	again := l.ackable[:0]
	for _, p := range l.ackable {
		p.ackable = false
		if p.lost != nil || !p.open() {
			continue
		}
		if p.midFrame() && p.in.Untold() < ackBehind {
			p.ackable = true
			again = append(again, p)
			continue
		}
		_, _, ahead := p.in.Notice()
		if !p.sendControl(kAck, le.AppendUint64(l.scratch[:0], ahead)) { // no room: with the next poll
			p.ackable = true
			again = append(again, p)
			continue
		}
		l.Counters.Acks++
	}
	l.ackable = again
}

// ackBehind is how many frames are acknowledged at once, if need be, while another one is coming: it ends
// soon, and in a row of frames of which each is urged every acknowledgement would be one too many but for
// the last.
const ackBehind = 8

// sendControl sends a frame outside the stream and tells whether there was room for it. It may get lost.
func (p *peer) sendControl(k kind, body []byte) bool {
	l := p.link
	b := l.spare
	h := header{kind: k, from: uint32(l.cfg.Self)}
	h.put(b)
	p.stamp(b)
	n := headerSize + copy(b[headerSize:], body)
	l.sges[0] = verbs.SGE{Buf: b[:n]}
	wrs := l.wrs[:1]
	wrs[0] = verbs.SendWR{ID: idSend, Op: verbs.Send, Flags: verbs.Inline, SGL: l.sges[:1]}
	qp := l.dgramQP
	if ln := p.express; ln != nil {
		qp = ln.qp
		ln.mark(&wrs[0], 1)
	} else {
		wrs[0].AH, wrs[0].DestQP = p.ah, p.dgramQ
		wrs[0].Flags |= verbs.Signaled
	}
	n, _ = qp.PostSend(wrs)
	return n == 1
}
