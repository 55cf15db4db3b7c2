package perf

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// endpoint is one end of a way over verbs.
type endpoint struct {
	spin
	way   Way
	dev   verbs.Device
	caps  verbs.Caps
	pd    verbs.PD
	cq    verbs.CQ
	mr    verbs.MR
	lkey  uint32
	lis   verbs.Listener // RC, on the server
	qps   []verbs.QP
	lanes []lane // one per queue pair, or one per peer when a single queue pair has many

	send   []byte // the data to send, also what the peer reads
	slots  []byte // the receive memory of all lanes
	remote place

	size     int // of the batch that is prepared
	every    int // so many sends are signaled: one
	arrived  int // data messages in this batch, over all lanes
	finished int // Reads complete in this batch, over all lanes
	lost     int // messages sent again
	shrink   int // UD: windows were too large so often
	due      []*lane
	done     [64]verbs.Completion
	out      [maxBurst]verbs.SendWR
	recvs    [maxBurst]verbs.RecvWR
}

// maxBurst is how many work requests go into one call.
const maxBurst = 16

// lane is one queue pair and its peer, with the counts of the running batch.
type lane struct {
	index  uint32
	qp     verbs.QP
	to     verbs.AH
	destQP uint32
	slot   []byte
	sgl    [1]verbs.SGE // the slot, for receives

	open   int // sends not known to be complete
	silent int // sends since the last signaled one
	owed   int // receives used up and not yet posted again

	quota   int // messages to send, or to expect, in this batch
	sent    int
	data    int // data messages that arrived
	echoed  int // of those: answered
	marks   int // marks that arrived
	answers int
	marked  int // data messages the peer was told about
	forgot  int // sends presumed lost
	queued  bool
}

// slotMemory is how much receive memory lanes get before they share one slot.
const slotMemory = 64 * mib

// newEndpoint makes everything up to queue pairs in Init with their receives posted. The device belongs to the
// endpoint if it succeeds.
func newEndpoint(w Way, dev verbs.Device, c *control) (*endpoint, error) {
	e := &endpoint{spin: spin{c: c}, way: w, dev: dev, caps: dev.Caps(), every: 1}
	if err := e.fits(); err != nil {
		return nil, err
	}
	if err := e.makeMemory(); err != nil {
		return nil, err
	}
	var err error
	depth := w.QPs*(e.sendDepth()+w.RxDepth) + len(e.done)
	if e.cq, err = dev.NewCQ(verbs.CQConfig{Depth: depth}); err != nil {
		return nil, fmt.Errorf("completion queue for %d: %w", depth, err)
	}
	e.lanes = make([]lane, 0, MaxQPs) // never moves: the due list points into it
	for i := range w.QPs {
		if err := e.addLane(); err != nil {
			return nil, fmt.Errorf("queue pair %d of %d: %w", i+1, w.QPs, err)
		}
	}
	return e, nil
}

// fits holds the way against what the device can do.
func (e *endpoint) fits() error {
	w, c := e.way, e.caps
	longest := MaxSizeOf(w.Kind, c)
	switch {
	case !c.Supports(typeOf(w.Kind)):
		return fmt.Errorf("device %s has no %s queue pairs: %w", c.Name, w.Kind, verbs.ErrUnsupported)
	case w.MaxSize > longest:
		return fmt.Errorf("%d bytes do not fit one %s message of device %s, at most %d do", w.MaxSize, w.Kind, c.Name, longest)
	case w.Inline > c.MaxInline:
		return fmt.Errorf("device %s sends at most %d bytes inline, not %d", c.Name, c.MaxInline, w.Inline)
	case e.sendDepth() > c.MaxDepth || w.RxDepth > c.MaxDepth:
		return fmt.Errorf("device %s has queues of at most %d; %d and %d are asked for", c.Name, c.MaxDepth, e.sendDepth(), w.RxDepth)
	}
	return nil
}

// MaxSizeOf is the longest message of a kind of queue pair.
func MaxSizeOf(kind string, c verbs.Caps) int {
	if kind == UD {
		return c.MaxDatagram
	}
	return c.MaxMessage
}

// sendDepth leaves room for marks beside the data.
func (e *endpoint) sendDepth() int { return e.way.TxDepth + 16 }

// makeMemory registers one region: the data to send, then the slots to receive into.
func (e *endpoint) makeMemory() error {
	room := max(e.way.MaxSize, longestMark)
	slots := e.way.QPs
	if slots*room > slotMemory {
		slots = 1
	}
	memory := make([]byte, room*(1+slots))
	e.send, e.slots = memory[:room:room], memory[room:]
	var err error
	if e.pd, err = e.dev.NewPD(); err != nil {
		return err
	}
	e.mr, err = e.pd.Register(memory, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite)
	if err != nil {
		return fmt.Errorf("registering %d bytes: %w", len(memory), err)
	}
	e.lkey = e.mr.LKey()
	return nil
}

// addLane makes one queue pair and posts its receives.
func (e *endpoint) addLane() error {
	qp, err := e.pd.NewQP(verbs.QPConfig{Type: typeOf(e.way.Kind), SendCQ: e.cq, RecvCQ: e.cq,
		SendDepth: e.sendDepth(), RecvDepth: e.way.RxDepth, Inline: e.way.Inline})
	if err != nil {
		return err
	}
	if err := qp.Modify(verbs.Init); err != nil {
		return errors.Join(err, qp.Close())
	}
	room := len(e.send)
	at := (len(e.lanes) * room) % len(e.slots)
	l := lane{index: uint32(len(e.lanes)), qp: qp, slot: e.slots[at : at+room : at+room], owed: e.way.RxDepth}
	l.sgl[0] = verbs.SGE{Buf: l.slot, LKey: e.lkey}
	e.qps = append(e.qps, qp)
	e.lanes = append(e.lanes, l)
	if err := e.refill(&e.lanes[l.index]); err != nil {
		return err
	}
	if e.way.Kind == RC {
		return nil // Connect and Accept move it on
	}
	return qp.Modify(verbs.RTS)
}

// place is implemented for the end interface.
func (e *endpoint) place() place {
	p := place{Addr: e.mr.Addr(), RKey: e.mr.RKey()}
	if e.lis != nil {
		p.Listen = e.lis.Addr()
	}
	if e.way.Kind != RC {
		for _, qp := range e.qps {
			p.QPs = append(p.QPs, qpPlace{Addr: qp.Addr(), Num: qp.Num()})
		}
	}
	return p
}

// refill posts again the receives that were used up. All receives of a lane are alike: the whole slot.
func (e *endpoint) refill(l *lane) error {
	for l.owed > 0 {
		n := min(l.owed, maxBurst)
		for i := range n {
			e.recvs[i] = verbs.RecvWR{ID: uint64(l.index), SGL: l.sgl[:]}
		}
		taken, err := l.qp.PostRecv(e.recvs[:n])
		l.owed -= taken
		if err != nil {
			return fmt.Errorf("posting a receive: %w", err)
		}
	}
	return nil
}

// post puts n alike work requests on a lane's send queue, which must have room. Every few are signaled, and so is the
// last one if asked for; the completion's ID says how many sends it stands for.
func (e *endpoint) post(l *lane, op verbs.Op, size, n int, last bool) error {
	for i := range n {
		wr := &e.out[i]
		wr.Op, wr.Flags, wr.AH, wr.DestQP = op, 0, l.to, l.destQP
		if op != verbs.Send {
			wr.RemoteAddr, wr.RKey = e.remoteSlot(l, op), e.remote.RKey
		}
		from := e.send[:size]
		if op == verbs.Read {
			from = l.slot[:size]
		} else if size <= e.way.Inline {
			wr.Flags = verbs.Inline
		}
		wr.SGL = append(wr.SGL[:0], verbs.SGE{Buf: from, LKey: e.lkey})
		wr.ID = uint64(l.index)
		l.silent++
		if l.silent >= e.every || last && i == n-1 {
			wr.Flags |= verbs.Signaled
			wr.ID |= uint64(l.silent) << 32
			l.silent = 0
		}
	}
	taken, err := l.qp.PostSend(e.out[:n])
	l.open += taken
	if err != nil {
		return fmt.Errorf("posting %v of %d bytes: %w", op, size, err)
	}
	return nil
}

// remoteSlot is where a lane writes to or reads from. Both ends have the same layout.
func (e *endpoint) remoteSlot(l *lane, op verbs.Op) uint64 {
	if op == verbs.Read {
		return e.remote.Addr
	}
	room := len(e.send)
	return e.remote.Addr + uint64(room+(int(l.index)*room)%len(e.slots))
}

// poll takes completions once and books them. It tells whether there was any.
func (e *endpoint) poll() (bool, error) {
	n := e.cq.Poll(e.done[:])
	for i := range n {
		if err := e.book(&e.done[i]); err != nil {
			return true, err
		}
	}
	if n == 0 {
		e.rest()
		return false, nil
	}
	e.spin.reset()
	return true, nil
}

// book enters one completion into the counts.
func (e *endpoint) book(c *verbs.Completion) error {
	at := uint32(c.ID)
	if int(at) >= len(e.lanes) {
		return fmt.Errorf("a completion of queue pair %d carries the strange ID %#x", c.QP, c.ID)
	}
	l := &e.lanes[at]
	if c.Status != verbs.OK {
		return fmt.Errorf("%v on queue pair %d of %d failed: %v%s", c.Op, at+1, len(e.lanes), c.Status, e.events())
	}
	switch c.Op {
	case verbs.Recv, verbs.RecvImm:
		l.owed++
		return e.bookArrival(l, c.Len)
	case verbs.Read:
		e.finished++
	}
	l.open -= int(c.ID >> 32)
	return nil
}

// bookArrival tells data, marks and answers apart by their length. A lane that may owe the peer something is put on
// the due list.
func (e *endpoint) bookArrival(l *lane, size int) error {
	switch size {
	case e.size:
		l.data++
		e.arrived++
	case markLen(e.size):
		l.marks++
	case answerLen(e.size):
		l.answers++
	default:
		if e.way.Kind != UD { // a late datagram of an earlier batch
			return fmt.Errorf("a message of %d bytes arrived, sent were %d", size, e.size)
		}
		return nil
	}
	if !l.queued {
		l.queued = true
		e.due = append(e.due, l)
	}
	return nil
}

// events says what else happened to the device, for an error message.
func (e *endpoint) events() string {
	text := ""
	var events [8]verbs.Event
	for _, ev := range events[:e.dev.PollEvents(events[:])] {
		text += fmt.Sprintf("; event %v", ev.Kind)
		if ev.Err != nil {
			text += fmt.Sprintf(" (%v)", ev.Err)
		}
	}
	return text
}

// close gives the device back, with all that was made from it.
func (e *endpoint) close() error { return e.dev.Close() }
