package soft

import (
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// segment handles a segment whose turn it is. Whatever is wrong with it, it counts as delivered: the flow goes on.
func (t *talk) segment(b []byte) verdict {
	var n int
	var f iwarp.Fault
	h := &t.h
	*h, n, f = iwarp.ParseHeader(b)
	t.quoted = *h
	if !f.OK() {
		t.dev.count.badFormat++
		if f == iwarp.FaultOpcode {
			t.complainToNobody(f, len(b)-n)
		}
		return over
	}
	if h.Record { // for UD only
		t.complainToNobody(iwarp.FaultOpcode, len(b)-n)
		return over
	}
	if h.Op == iwarp.OpWrite && len(b) == n { // needs no memory, so no queue pair either
		t.noteWrite(h, taken)
		return t.deliver(h, 0, nil)
	}
	if h.Op == iwarp.OpTerminate {
		t.told(b[n:])
		return taken
	}
	if h.Op == iwarp.OpReadRequest {
		t.heedHint(h)
	}
	if !t.aim(h, len(b)-n) {
		t.noteWrite(h, over)
		fault := iwarp.FaultQN
		if h.Tagged {
			fault = iwarp.FaultDDPSTag
		}
		t.complainToNobody(fault, len(b)-n)
		return over
	}
	if t.skip(h) {
		return over
	}
	v := t.take(h, b[n:])
	t.noteWrite(h, v)
	if v == over && !h.Tagged && h.QN == iwarp.QueueSend {
		t.skipping = !h.Last
	}
	return v
}

// aim finds the queue pair that a segment with n bytes of payload is for and leaves in h the queue number alone. Order
// is the flow's business: message numbers are taken as they come. A Write of nothing is for nobody.
func (t *talk) aim(h *iwarp.Header, n int) bool {
	switch h.Op {
	case iwarp.OpReadResponse, iwarp.OpAtomicResponse:
		h.QN = h.QN & 0xff
		if len(t.asked) == 0 {
			return false
		}
		t.to = t.asked[0].q
		if !h.Tagged && h.QN <= iwarp.QueueAtomic {
			t.recvNum[h.QN] = h.MSN
		}
		return t.to != nil || t.asked[0].orphan
	case iwarp.OpWrite:
		if n == 0 {
			return true
		}
		q := t.u.any(h.STag)
		if q == nil {
			return false
		}
		t.address(q)
		return true
	}
	queue, num := iwarp.SplitQN(h.QN)
	h.QN = uint32(queue)
	if h.QN > iwarp.QueueAtomic {
		return false
	}
	t.recvNum[h.QN] = h.MSN
	if t.midMessage && h.QN == iwarp.QueueSend {
		if h.MO != 0 {
			num = t.receiver.num // the rest of a message that has its receive
		} else {
			t.failReceive(verbs.Flushed) // the sender gave up the message before
		}
	}
	q := t.u.find(num)
	if q == nil {
		return false
	}
	t.address(q)
	return true
}

// address makes q the queue pair that the segment is for.
func (t *talk) address(q *dgram) {
	t.heard, t.to = q, &q.base
	q.source, q.sourceQP = t.peer.Key, sourceOf(&t.quoted)
}

// skip tells whether a segment is to be passed over: the rest of a message that was refused, or the immediate data
// of a Write that was.
func (t *talk) skip(h *iwarp.Header) bool {
	if h.Tagged || h.QN != iwarp.QueueSend {
		return false
	}
	if t.skipping && h.MO != 0 {
		t.skipping = !h.Last
		return true
	}
	t.skipping = false
	if immediate(h.Op) && t.writeFailed {
		t.writeFailed = false
		return true
	}
	return false
}

// noteWrite remembers whether some of a Write was refused.
func (t *talk) noteWrite(h *iwarp.Header, v verdict) {
	if h.Op != iwarp.OpWrite {
		return
	}
	if !t.writing {
		t.writeFailed = false
	}
	t.writing = !h.Last
	t.writeFailed = t.writeFailed || v == over
}

const maxNotices = 4 // error messages that wait to be sent

// complain tells the peer what is wrong with the segment that was quoted. A Read or atomic is always answered, because
// its requester waits; of other complaints the peer gets only so many.
func (t *talk) complain(f iwarp.Fault, _ *iwarp.Header, payload int, read *iwarp.ReadRequest) {
	awaited := t.quoted.Op == iwarp.OpReadRequest || t.quoted.Op == iwarp.OpAtomicRequest
	if awaited {
		t.dev.count.noticesOut++
	}
	if awaited || len(t.notices) < maxNotices && t.u.mayNotify(t.peer.Key) {
		n := iwarp.Terminate{Fault: f, HasHeader: true, Header: t.quoted, SegmentLen: uint16(t.quoted.Size() + payload)}
		if read != nil {
			n.HasRead, n.Read = true, *read
		}
		t.notices = append(t.notices, n)
		t.touch()
	}
	if q := t.heard; q != nil {
		q.strict(f)
	}
}

// complainToNobody is complain about a segment that found no queue pair.
func (t *talk) complainToNobody(f iwarp.Fault, payload int) {
	heard := t.heard
	t.heard = nil
	t.complain(f, &t.quoted, payload, nil)
	t.heard = heard
}

// told handles an error message of the peer: the work request that it is about fails, if it is still open.
func (t *talk) told(payload []byte) {
	n, ok := iwarp.ParseTerminate(payload)
	if !ok {
		t.dev.count.badFormat++
		return
	}
	var q *base
	if n.HasHeader {
		q = t.blame(&n)
	}
	if q == nil { // the work is over; the message says whose it was
		if _, num := iwarp.SplitQN(t.h.QN); t.u.qps[num] != nil {
			q = &t.u.qps[num].base
		} else if t.u.only != nil {
			q = &t.u.only.base
		}
	}
	if q != nil {
		t.dev.count.noticesIn++
		t.dev.event(verbs.Event{Kind: verbs.RemoteError, Num: q.num, Peer: t.peer.Key, Err: &PeerError{Fault: n.Fault}})
	}
}

// blame finds the work request that an error message is about, and whose it is.
func (t *talk) blame(n *iwarp.Terminate) *base {
	h := &n.Header
	for i, a := range t.asked {
		same := !h.Tagged && h.QN&0xff == iwarp.QueueRead && a.msn == h.MSN
		if n.HasRead {
			same = n.Read.SinkSTag == token(a.number)
		}
		if same && a.q != nil {
			t.asked = append(t.asked[:i], t.asked[i+1:]...)
			if w := a.get(); w != nil {
				w.Done, w.Status = true, statusOf(n.Fault)
				a.q.sends.Retire(a.q.report)
			}
			t.touch()
			return a.q
		}
	}
	for i := range t.flight.n {
		e := t.flight.at(i)
		if e.q == nil || e.header.Op != h.Op || e.header.STag != h.STag || e.header.TO != h.TO || e.header.MSN != h.MSN {
			continue
		}
		if w := e.q.sends.Get(e.number); w != nil {
			w.Status = statusOf(n.Fault)
		}
		return e.q
	}
	return nil
}

// proceed has answers sent before the device goes on to something else.
func (t *talk) proceed() bool {
	t.touch()
	return t.alive()
}

// alive tells whether the socket is open.
func (t *talk) alive() bool { return t.u.sock != nil }
