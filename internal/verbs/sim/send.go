package sim

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// PostSend takes work requests. Their time begins when the processor has handed them over.
func (q *qp) PostSend(wrs []verbs.SendWR) (n int, err error) {
	d := q.p.d
	switch {
	case q.dead():
		return 0, verbs.ErrClosed
	case q.state != verbs.RTS && q.state != verbs.Error || q.leaving:
		return 0, fmt.Errorf("sim: send in %v: %w", q.state, verbs.ErrState)
	}
	if q.sends.Full() {
		q.sends.Retire(q.report)
	}
	for ; n < len(wrs); n++ {
		if err = q.accept(&wrs[n]); err != nil {
			break
		}
	}
	switch {
	case q.state == verbs.Error:
		q.flush()
	case n > 0:
		q.request.kick(d.f.s.Now())
		d.f.s.Charge(d.f.cost.doorbell.get()) // the message is on its way meanwhile
	}
	return n, err
}

// accept checks a work request, puts it into the queue and charges for it.
func (q *qp) accept(w *verbs.SendWR) error {
	n := 0
	for i := range w.SGL {
		n += len(w.SGL[i].Buf)
	}
	if bad := q.wrong(w, n); bad != "" {
		return fmt.Errorf("sim: %w: %s of a %v with %d bytes", verbs.ErrArgument, bad, w.Op, n)
	}
	d := q.p.d
	if err := q.sends.Post(&d.regions, q.p.num, w); err != nil {
		return err
	}
	if w.Flags&verbs.Inline != 0 {
		d.counts.inline++
	}
	ready := q.charge(w.Op, n)
	q.sends.Get(q.sends.End() - 1).Extra = uint64(ready)
	return nil
}

// charge has the processor spend what it costs to hand over a message of n bytes, and tells when that is
// ready to leave.
func (q *qp) charge(op verbs.Op, n int) int64 {
	d := q.p.d
	f := d.f
	c, cost := f.cost, f.cost.post.get()
	start := c.dmaStart.get()
	if op != verbs.Read && !c.pioBytes.exceeds(n+1) {
		cost += c.pio.get().of(n)
		start = 0
		d.counts.pio++
	} else {
		d.counts.dma++
	}
	switch {
	case q.cfg.Type == verbs.UD:
		cost += c.datagram.get() + c.datagramByte.get().of(n)
	case op != verbs.Read:
		cost += c.stream.get() + c.streamByte.get().of(n)
	}
	f.s.Charge(cost)
	d.tally(op, q.cfg.Type, n)
	return f.s.Now() + start
}

func (d *Device) tally(op verbs.Op, typ verbs.Type, n int) {
	switch {
	case typ == verbs.UD:
		d.counts.datagrams++
	case op == verbs.Read:
		d.counts.reads++
		return
	case op == verbs.FetchAdd || op == verbs.CompareSwap:
		d.counts.atomics++
		return
	case op == verbs.Write || op == verbs.WriteImm:
		d.counts.writes++
	default:
		d.counts.sends++
	}
	d.counts.bytesOut += uint64(n)
}

// wrong says what is wrong with a work request of n bytes.
func (q *qp) wrong(w *verbs.SendWR, n int) string {
	ud, uc, xrc := q.cfg.Type == verbs.UD, q.cfg.Type == verbs.UC, q.cfg.Type == verbs.XRC
	atomic := w.Op == verbs.FetchAdd || w.Op == verbs.CompareSwap
	switch {
	case w.Op < verbs.Send || w.Op > verbs.CompareSwap || w.Op == verbs.WriteRecord || ud && w.Op != verbs.Send || uc && w.Op >= verbs.Read:
		return "operation"
	case n > maxMessage:
		return "length"
	case atomic && (n != 8 || w.RemoteAddr%8 != 0):
		return "length or address"
	case w.Flags&verbs.Inline != 0 && (atomic || w.Op == verbs.Read):
		return "flag Inline"
	}
	if ud || xrc {
		if a, mine := w.AH.(*ah); !mine || a.p.d != q.p.d {
			return "destination"
		} else if ud && n > a.most {
			return "length"
		}
	}
	return ""
}

// flow is a line of messages that leave through an interface one after the other.
type flow struct {
	q      *qp
	next   func() (*packet, int64) // takes the next message, and tells when it is ready
	cur    *packet                 // that is being sent
	off    int                     // bytes of it that are
	placed bool                    // it has a slot
	begun  bool                    // it has its place in the engine
	warm   bool                    // messages wait while another one leaves
	queued bool                    // it waits for its turn
	free   int64                   // when the next one may begin
	busy   bool                    // it goes on at a time, or is held
	held   bool                    // its interface is down
	at     int64                   // that time; a call at another one is left over from before stop
	run    func()

	used   uint64 // when the interface used its state last
	cached bool   // the interface has its state at hand
}

func (w *flow) init(q *qp, next func() (*packet, int64)) {
	w.q, w.next = q, next
	w.run = w.work
}

// kick has the flow look for work at a time, if it is idle.
func (w *flow) kick(at int64) {
	if !w.busy {
		w.wait(at)
	}
}

func (w *flow) wait(at int64) {
	f := w.q.p.d.f
	w.busy, w.at = true, max(at, f.s.Now())
	f.s.At(w.at, w.run)
}

// stop forgets all work. Pieces that are on their way find out by themselves.
func (w *flow) stop() {
	w.cur, w.busy, w.held, w.free, w.off, w.placed, w.begun, w.queued = nil, false, false, 0, 0, false, false, false
	w.q.port.leave(w, w.q.p.d.f.s.Now())
}

// work sends the next piece.
func (w *flow) work() {
	f := w.q.p.d.f
	now := f.s.Now()
	if !w.busy || w.held || w.at != now {
		return
	}
	w.busy = false
	if w.cur == nil {
		p, ready := w.next()
		if p == nil {
			return
		}
		w.cur, w.off, w.placed, w.begun = p, 0, false, false
		p.alone, w.warm = !w.warm, true
		if at := max(ready, w.free); at > now {
			w.wait(at)
			return
		}
	}
	src := w.q.port
	if src.down {
		src.hold(w)
		return
	}
	if w.begun || w.begin(now) {
		w.piece(now)
	}
}

// begin takes the places that a message needs before its first piece, one after the other. If it has to
// wait for one, it goes on from there.
func (w *flow) begin(now int64) bool {
	src := w.q.port
	if !w.placed {
		if !src.take(w, now) {
			return false
		}
		w.placed = true
		if at := src.slot(w.cur.n, now); at > now {
			w.wait(at)
			return false
		}
	}
	w.begun = true
	at := src.start(w, now)
	w.free = at + w.q.p.d.f.cost.connection.get()
	if at > now {
		w.wait(at)
		return false
	}
	return true
}

// piece puts one piece on the wire and plans the next.
func (w *flow) piece(now int64) {
	f, p, src := w.q.p.d.f, w.cur, w.q.port
	n := min(p.n-w.off, f.cost.segment.get())
	if w.off == 0 && (p.to == nil || p.loose) && !w.capture(p) {
		w.done(now)
		return
	}
	rate := f.cost.dma.get()
	if !f.cost.mediumBytes.exceeds(p.n) {
		rate = f.cost.medium.get()
	}
	fetch := rate.of(n)
	if f.cost.longBytes.exceeds(p.n) {
		if src.long != nil && src.long != w {
			fetch += f.cost.longSwitch.get()
		}
		src.long = w
	}
	start, end := src.dmaOut.pass(now, now, fetch)
	start, end = src.bus.pass(start, end, f.cost.bus.get().of(n))
	left, gone := src.dmaOut.free, end
	if p.dst == nil || p.dst.node != src.node {
		start, end = src.out.pass(start, end, src.wire.of(n))
		gone, left = end, max(left, start) // one piece is fetched while another one leaves
		hop := f.cost.way(src, p.dst)
		start, end = start+hop, end+hop
	}
	w.off += n
	st := f.step(stepArrive)
	st.p, st.start, st.end, st.n, st.first, st.last = p, start+f.cost.tx.get(), end+f.cost.tx.get(), n, w.off == n, w.off == p.n
	if !st.last {
		f.at(st.start, st)
		w.wait(left)
		return
	}
	src.traffic.Sent++
	src.traffic.BytesOut += uint64(p.n)
	switch {
	case p.loose:
		f.launchLoose(st, gone)
	case p.to == nil:
		f.launch(st, gone)
	default:
		f.at(st.start, st)
	}
	w.done(max(left, w.free))
}

// done goes on to the next message, at a time.
func (w *flow) done(at int64) {
	w.cur, w.free = nil, at
	w.q.port.leave(w, at)
	if w == &w.q.answer && w.q.due.first == nil || w == &w.q.request && w.q.sends.Waiting() == 0 {
		w.warm = false
		return
	}
	w.wait(at)
}

// nextRequest starts the oldest work request that may start.
func (q *qp) nextRequest() (*packet, int64) {
	s, number := q.sends.Next()
	if s == nil || q.state != verbs.RTS {
		return nil, 0
	}
	f := q.p.d.f
	answered := s.WR.Op >= verbs.Read && s.WR.Op <= verbs.CompareSwap
	if q.reads > 0 && s.WR.Flags&verbs.Fence != 0 {
		return nil, 0
	}
	if answered {
		if q.peer != nil && q.reads >= min(q.cfg.Reads, q.peer.cfg.ReadsIn) || q.cfg.Type == verbs.XRC && q.reads >= q.cfg.Reads {
			return nil, 0
		}
		q.reads++
	}
	q.sends.Start()
	p := f.packet()
	p.op, p.from, p.fromEpoch, p.number, p.n, p.src = s.WR.Op, q, q.epoch, number, s.Len, q.port
	if s.WR.Flags&verbs.Solicited != 0 {
		p.marks = verbs.WasSolicited
	}
	if answered {
		p.n, p.length, p.addr, p.rkey = 0, s.Len, s.WR.RemoteAddr, s.WR.RKey
	}
	if q.cfg.Type == verbs.UD {
		p.dest, p.destQP, p.source = s.WR.AH.Addr(), s.WR.DestQP, q.addr
		p.dst = f.portAt(p.dest.Addr())
	} else if q.cfg.Type == verbs.XRC {
		return p, max(int64(s.Extra), q.findWay(p, s))
	} else if q.peer != nil {
		p.to, p.toEpoch, p.dst = q.peer, q.peer.epoch, q.peer.port
		p.loose, p.dest = q.cfg.Type == verbs.UC, q.peer.addr
	}
	return p, int64(s.Extra)
}

// nextAnswer takes the next answer to a peer.
func (q *qp) nextAnswer() (*packet, int64) {
	if p := q.due.pop(); p != nil {
		return p, p.ready
	}
	return nil, 0
}

// ended notes how a work request ended, and completes what can be completed.
func (q *qp) ended(number uint64, status verbs.Status) {
	s := q.sends.Get(number)
	if s == nil || s.Done {
		return
	}
	op := s.WR.Op
	s.Done, s.Status = true, status
	if op >= verbs.Read && op <= verbs.CompareSwap {
		q.reads--
		q.request.kick(q.p.d.f.s.Now())
	}
	q.sends.Retire(q.report)
	if status != verbs.OK && q.cfg.Type.Connects() {
		q.fail(fmt.Errorf("sim: %v: %v", op, status))
	}
	q.leave()
}

// silent tells that nobody waits to hear that a work request ended well.
func (q *qp) silent(s *nic.Sending) bool {
	return s.WR.Flags&verbs.Signaled == 0 && !q.cfg.SignalAll && !q.leaving
}
