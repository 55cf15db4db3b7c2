package iwarp

import "fmt"

// Wish is what one side wants of a connection. Both sides may have different wishes; Terms is what comes of them.
type Wish struct {
	CRC        bool    // check what arrives; then both sides do
	Markers    bool    // receive markers
	PeerToPeer bool    // initiator: begin with a ready-to-receive message, so that the responder may send first
	RTR        RTRKind // the ready-to-receive messages that this side can do; 0 means all
	IRD, ORD   int     // Reads and Atomics to serve at a time, and to have open at a time
	Revision   uint8   // initiator: 1 or 2, 0 means 2; a responder answers in the request's revision
}

// Terms is what both sides agreed on, as seen from one of them.
type Terms struct {
	Revision   uint8
	CRC        bool
	MarkersOut bool // put markers into what is sent
	MarkersIn  bool // expect them in what arrives
	Enhanced   bool
	PeerToPeer bool    // the initiator's first FPDU is the RTR message
	RTR        RTRKind // with PeerToPeer: one message, else none
	IRD, ORD   int     // Reads to expect at most at a time, and to have open at most
}

// kinds are the ready-to-receive messages that the wish allows.
func (w *Wish) kinds() RTRKind {
	if w.RTR&RTRAll == 0 {
		return RTRAll
	}
	return w.RTR & RTRAll
}

// reads makes a number of Reads fit its field without turning it into Unnegotiated.
func reads(n int) uint16 { return uint16(min(max(n, 0), Unnegotiated-1)) }

// Request is the frame with which an initiator asks for w; it keeps it for Conclude. IRD and ORD are set in
// revision 1 too, where they do not travel but become terms.
func Request(w Wish, private []byte) StartFrame {
	f := StartFrame{
		Markers: w.Markers, CRC: w.CRC, Revision: maxRevision,
		IRD: reads(w.IRD), ORD: reads(w.ORD), Private: private,
	}
	if w.Revision == 1 {
		f.Revision = 1
		return f
	}
	f.Enhanced = true
	if w.PeerToPeer {
		f.PeerToPeer, f.RTR = true, w.kinds()
	}
	return f
}

// Answer is the frame with which a responder that wants w accepts req, and the terms that hold then. To refuse
// instead, set Reject in the frame. The error wraps ErrStart: close the connection without an answer.
func Answer(req StartFrame, w Wish, private []byte) (StartFrame, Terms, error) {
	if req.Reply {
		return StartFrame{}, Terms{}, fmt.Errorf("%w: a reply where a request is due, both sides think they accepted", ErrStart)
	}
	rep := StartFrame{
		Reply: true, Markers: w.Markers, CRC: req.CRC || w.CRC, Revision: req.Revision,
		Enhanced: req.Enhanced, Private: private,
	}
	t := Terms{
		Revision: req.Revision, CRC: rep.CRC, MarkersOut: req.Markers, MarkersIn: w.Markers,
		Enhanced: req.Enhanced, IRD: int(reads(w.IRD)), ORD: int(reads(w.ORD)),
	}
	if !req.Enhanced {
		return rep, t, nil
	}
	rep.IRD, t.IRD = meet(req.ORD, t.IRD)
	rep.ORD, t.ORD = meet(req.IRD, t.ORD)
	if req.PeerToPeer {
		rep.PeerToPeer, rep.RTR = true, preferred(req.RTR, w.kinds())
		t.PeerToPeer, t.RTR = true, rep.RTR
	}
	return rep, t, nil
}

// meet answers the peer's number of Reads in one direction with no more than our own: what to reply and what
// holds. What the peer does not negotiate is answered in kind, and our own number holds.
func meet(peer uint16, own int) (reply uint16, holds int) {
	if peer == Unnegotiated {
		return Unnegotiated, own
	}
	n := min(int(peer), own)
	return uint16(n), n
}

// preferred is the best message that both sides can do, or else the best of our own: a responder must name one,
// and it is the initiator that gives up then.
func preferred(offered, own RTRKind) RTRKind {
	if common := offered & own; common != 0 {
		own = common
	}
	for _, k := range []RTRKind{RTRWrite, RTRRead, RTRSend} {
		if own&k != 0 {
			return k
		}
	}
	return 0
}

// Conclude is what the initiator that sent req makes of the reply. The error is ErrRejected (rep.Private may say
// why), wraps ErrStart (close the connection), or carries the Fault to be sent as a Terminate.
func Conclude(req, rep StartFrame) (Terms, error) {
	switch {
	case !rep.Reply:
		return Terms{}, fmt.Errorf("%w: a request where a reply is due, both sides think they connected", ErrStart)
	case rep.Reject:
		return Terms{}, ErrRejected
	case rep.Revision > req.Revision:
		return Terms{}, fmt.Errorf("%w: revision %d in reply to %d", ErrStart, rep.Revision, req.Revision)
	case rep.Enhanced != req.Enhanced:
		return Terms{}, fmt.Errorf("%w: the reply must be enhanced if and only if the request was", ErrStart)
	}
	t := Terms{
		Revision: rep.Revision, CRC: req.CRC || rep.CRC, MarkersOut: rep.Markers, MarkersIn: req.Markers,
		Enhanced: req.Enhanced, IRD: int(req.IRD), ORD: int(req.ORD),
	}
	if !req.Enhanced {
		return t, nil
	}
	if err := t.settleReads(req, rep); err != nil {
		return Terms{}, err
	}
	if !req.PeerToPeer {
		return t, nil
	}
	t.PeerToPeer, t.RTR = true, common(req.RTR, rep.RTR)
	if !rep.PeerToPeer || t.RTR == 0 {
		return Terms{}, fmt.Errorf("connection offered with %v as ready-to-receive message, answered with %v: %w",
			req.RTR, rep.RTR, FaultNoRTR.err())
	}
	return t, nil
}

// settleReads takes the responder's numbers: we ask for no more than it serves, and serve what it will ask for.
// A number against our Unnegotiated, as Linux siw gives, is taken as it stands.
func (t *Terms) settleReads(req, rep StartFrame) error {
	if rep.IRD < req.ORD {
		t.ORD = int(rep.IRD)
	}
	switch {
	case rep.ORD == Unnegotiated:
	case req.IRD == Unnegotiated:
		t.IRD = int(rep.ORD)
	case rep.ORD > req.IRD:
		return fmt.Errorf("the peer wants %d Reads at a time, %d were offered: %w", rep.ORD, req.IRD, FaultIRD.err())
	}
	return nil
}

// common is the message to send when the reply names answered. Linux siw answers Send alone with Write, which any
// initiator can send: it names no memory.
func common(offered, answered RTRKind) RTRKind {
	if offered&answered == 0 && offered == RTRSend && answered == RTRWrite {
		return RTRWrite
	}
	if offered&answered == 0 {
		return 0
	}
	return preferred(offered, answered)
}
