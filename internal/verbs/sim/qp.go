package sim

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

var errBroken = errors.New("sim: the connection is broken")

// qp is a queue pair.
type qp struct {
	p      *pd
	num    uint32
	cfg    verbs.QPConfig
	port   *port
	sendCQ *cq
	recvCQ *cq
	srq    *srq // nil: own

	state   verbs.State
	gone    bool
	epoch   uint32 // what is on its way for an earlier one is void
	addr    netip.AddrPort
	peer    *qp // RC
	asked   *request
	leaving bool // Disconnect was called: to Error when all sends are done

	sends     *nic.Sends
	recvs     *nic.Receives
	taken     nic.Receive
	request   flow    // what the program posted
	answer    flow    // what peers' Reads asked for
	due       packets // answers that wait to be sent
	reads     int     // Reads and atomics under way
	arrives   int64   // nothing arrives before what arrived last
	hungry    packets // arrived and found no receive
	starved   int64   // since when they wait
	trying    bool    // the time at which they are tried again is set
	overtaken uint64  // UC: messages with lower numbers come too late
	report    func(*nic.Sending)
	retryf    func()
	groups    []netip.AddrPort
	ways      map[*node]*flow // XRC: the connections to nodes
	inbox     inbox
}

// NewQP makes a queue pair.
func (p *pd) NewQP(cfg verbs.QPConfig) (verbs.QP, error) {
	if p.dead() {
		return nil, verbs.ErrClosed
	}
	q := &qp{p: p, cfg: cfg}
	if err := q.check(); err != nil {
		return nil, err
	}
	q.cfg.SendSGE, q.cfg.RecvSGE = max(1, cfg.SendSGE), max(1, cfg.RecvSGE)
	most := p.d.Caps().MaxReads
	if q.cfg.Reads == 0 {
		q.cfg.Reads = most
	}
	if q.cfg.ReadsIn == 0 {
		q.cfg.ReadsIn = most
	}
	q.num, q.port = p.d.f.next(), p.d.node.ports[cfg.Rail]
	q.sends, q.recvs = nic.NewSends(&q.cfg), nic.NewReceives(cfg.RecvDepth, q.cfg.RecvSGE)
	q.report, q.retryf = q.reportSend, q.retry
	q.request.init(q, q.nextRequest)
	q.answer.init(q, q.nextAnswer)
	q.sendCQ.Users++
	q.recvCQ.Users++
	if q.srq != nil {
		q.srq.Users++
	}
	p.users++
	p.d.qps = append(p.d.qps, q)
	return q, nil
}

// check looks at a configuration and takes its queues.
func (q *qp) check() error {
	d, cfg := q.p.d, &q.cfg
	caps := d.Caps()
	ok1, ok2, ok3 := false, false, true
	q.sendCQ, ok1 = cfg.SendCQ.(*cq)
	q.recvCQ, ok2 = cfg.RecvCQ.(*cq)
	if cfg.SRQ != nil {
		q.srq, ok3 = cfg.SRQ.(*srq)
	}
	switch {
	case !caps.Supports(cfg.Type):
		return fmt.Errorf("sim: queue pair of type %v: %w", cfg.Type, verbs.ErrUnsupported)
	case !ok1 || !ok2 || q.sendCQ.d != d || q.recvCQ.d != d || q.sendCQ.closed || q.recvCQ.closed:
		return fmt.Errorf("sim: %w: a completion queue is missing, closed or of another device", verbs.ErrArgument)
	case cfg.Type == verbs.UC && cfg.SRQ != nil:
		return fmt.Errorf("sim: %w: UC with a shared receive queue", verbs.ErrArgument)
	case !ok3 || q.srq != nil && (q.srq.p != q.p || q.srq.closed):
		return fmt.Errorf("sim: %w: the shared receive queue is closed or of another domain", verbs.ErrArgument)
	case cfg.Rail < 0 || cfg.Rail >= len(d.node.ports):
		return fmt.Errorf("sim: %w: rail %d of %d", verbs.ErrArgument, cfg.Rail, len(d.node.ports))
	}
	for _, l := range [...]struct {
		what    string
		n, most int
	}{{"send depth", cfg.SendDepth, maxDepth}, {"receive depth", cfg.RecvDepth, maxDepth}, {"gather entries", cfg.SendSGE, maxSGE},
		{"scatter entries", cfg.RecvSGE, maxSGE}, {"inline bytes", cfg.Inline, caps.MaxInline}, {"Reads", cfg.Reads, caps.MaxReads},
		{"Reads in", cfg.ReadsIn, caps.MaxReads}} {
		if l.n < 0 || l.n > l.most {
			return fmt.Errorf("sim: %w: %d %s, the limit is %d", verbs.ErrArgument, l.n, l.what, l.most)
		}
	}
	return nil
}

func (q *qp) Num() uint32          { return q.num }
func (q *qp) Type() verbs.Type     { return q.cfg.Type }
func (q *qp) Addr() netip.AddrPort { return q.addr }

// State is that of now: what happens until then has happened.
func (q *qp) State() verbs.State {
	q.p.d.f.s.Settle()
	return q.state
}

func (q *qp) dead() bool { return q.gone || q.p.d.dead() }

// Modify changes the state.
func (q *qp) Modify(to verbs.State) error {
	if q.state != verbs.Reset { // else nothing happens to it
		q.p.d.f.s.Settle()
	}
	switch {
	case q.dead():
		return verbs.ErrClosed
	case to == verbs.Reset:
		q.reset()
	case to == verbs.Error:
		q.die(errBroken)
	case to == verbs.Init && q.state == verbs.Reset:
		q.state = to
	case to == verbs.RTS && q.state == verbs.Init && !q.cfg.Type.Connects():
		return q.bind()
	default:
		return fmt.Errorf("sim: from %v to %v: %w", q.state, to, verbs.ErrState)
	}
	return nil
}

// bind gives a datagram queue pair its address.
func (q *qp) bind() error {
	f := q.p.d.f
	a := netip.AddrPortFrom(q.port.addr, q.cfg.Port)
	if q.cfg.Port == 0 {
		a = q.port.address()
	} else if f.bound[a] != nil {
		return fmt.Errorf("sim: port %d of %v: %w", q.cfg.Port, q.port.addr, verbs.ErrBusy)
	}
	q.addr, q.state = a, verbs.RTS
	f.bound[a] = q
	return nil
}

// part ends what connects q with others. The peer of a connection learns why, or that it ended in order if
// that is nil, when the news arrives.
func (q *qp) part(why error) {
	f := q.p.d.f
	if !q.cfg.Type.Connects() && f.bound[q.addr] == q {
		delete(f.bound, q.addr)
	}
	if q.asked != nil {
		q.asked.from, q.asked = nil, nil
	}
	if peer := q.peer; peer != nil {
		q.peer = nil
		if peer.peer == q && !q.p.d.node.dead {
			st := f.step(stepParted)
			st.q, st.epoch, st.err = peer, peer.epoch, why
			f.promise(f.s.Now()+f.cost.trip(q.port, peer.port), st, peer.recvCQ)
		}
	}
}

// parted is the news that the peer is gone.
func (q *qp) parted(why error) {
	q.peer = nil
	e := verbs.Event{Kind: verbs.Disconnected, Num: q.num}
	switch {
	case q.state == verbs.RTR:
		e.Kind, e.Err = verbs.ConnectFailed, errBroken
	case why != nil:
		e.Kind, e.Err = verbs.QPFatal, why
	}
	q.p.d.event(e)
	q.die(why)
}

// void makes everything invalid that is on its way from or to q.
func (q *qp) void() {
	q.epoch++
	q.request.stop()
	q.answer.stop()
	q.drop(&q.due)
	q.drop(&q.hungry)
	q.abandon()
	q.reads, q.arrives, q.overtaken, q.leaving = 0, 0, 0, false
}

func (q *qp) reset() {
	q.part(errBroken)
	q.void()
	q.state, q.addr = verbs.Reset, netip.AddrPort{}
	q.sends.Clear()
	q.recvs = nic.NewReceives(q.cfg.RecvDepth, q.cfg.RecvSGE)
}

// fail takes q to Error by itself.
func (q *qp) fail(why error) {
	if q.state != verbs.Error && q.state != verbs.Reset {
		q.p.d.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Err: why})
		q.die(why)
	}
}

// die takes q to Error and flushes its work.
func (q *qp) die(why error) {
	if q.state == verbs.Error {
		return
	}
	q.state = verbs.Error
	q.part(why)
	receive, cut := q.abandon()
	q.void()
	if cut {
		q.recvCQ.add(q, verbs.Completion{ID: receive, QP: q.num, Op: verbs.Recv, Status: verbs.Flushed})
	}
	q.flush()
}

// flush completes everything that is open.
func (q *qp) flush() {
	q.sends.Flush()
	q.sends.Retire(q.report)
	for {
		if ok, _ := q.recvs.Take(&q.taken); !ok {
			return
		}
		q.recvCQ.add(q, verbs.Completion{ID: q.taken.ID, QP: q.num, Op: verbs.Recv, Status: verbs.Flushed})
	}
}

// reportSend adds the completion of a send.
func (q *qp) reportSend(s *nic.Sending) {
	q.sendCQ.add(q, verbs.Completion{ID: s.WR.ID, QP: q.num, Op: s.WR.Op, Status: s.Status, Len: s.Len})
}

// PostRecv adds receives.
func (q *qp) PostRecv(wrs []verbs.RecvWR) (int, error) {
	d := q.p.d
	switch {
	case q.dead():
		return 0, verbs.ErrClosed
	case q.srq != nil:
		return 0, fmt.Errorf("sim: %w: the queue pair has a shared receive queue", verbs.ErrArgument)
	case q.state == verbs.Reset:
		return 0, fmt.Errorf("sim: receive in %v: %w", q.state, verbs.ErrState)
	}
	d.f.s.Settle() // what has come until now did not find them
	n := 0
	var err error
	for ; n < len(wrs); n++ {
		if err = q.recvs.Post(&d.regions, q.p.num, &wrs[n]); err != nil {
			break
		}
	}
	d.f.s.Charge(d.f.cost.postRecv.get() * int64(n))
	switch {
	case q.state == verbs.Error:
		q.flush()
	case n > 0:
		q.fed()
	}
	return n, err
}

// Close gives the queue pair back.
func (q *qp) Close() error {
	q.p.d.f.s.Settle()
	if !q.gone {
		q.shut()
	}
	return nil
}

func (q *qp) shut() {
	q.reset()
	q.gone = true
	for _, g := range q.groups {
		q.p.d.f.leave(g, q)
	}
	q.groups = nil
	q.sendCQ.Users--
	q.recvCQ.Users--
	if q.srq != nil {
		q.srq.Users--
		q.srq.starved = without(q.srq.starved, q)
	}
	q.p.users--
	q.port.recent.forget(&q.request)
	q.port.recent.forget(&q.answer)
	for _, way := range q.ways {
		q.port.recent.forget(way)
	}
	q.p.d.qps = without(q.p.d.qps, q)
}

// Attach has the queue pair receive what is sent to a group.
func (q *qp) Attach(group netip.AddrPort) error {
	f := q.p.d.f
	switch {
	case q.dead():
		return verbs.ErrClosed
	case !q.p.d.Caps().Multicast:
		return fmt.Errorf("sim: multicast: %w", verbs.ErrUnsupported)
	case q.cfg.Type != verbs.UD || !group.Addr().IsMulticast() || slices.Contains(q.groups, group):
		return fmt.Errorf("sim: %w: group %v", verbs.ErrArgument, group)
	}
	q.groups = append(q.groups, group)
	f.groups[group] = append(f.groups[group], q)
	return nil
}

// Detach ends that.
func (q *qp) Detach(group netip.AddrPort) error {
	i := slices.Index(q.groups, group)
	if i < 0 {
		return fmt.Errorf("sim: %w: not in group %v", verbs.ErrArgument, group)
	}
	q.groups = slices.Delete(q.groups, i, i+1)
	q.p.d.f.leave(group, q)
	return nil
}

func (f *Fabric) leave(group netip.AddrPort, q *qp) {
	f.groups[group] = without(f.groups[group], q)
	if len(f.groups[group]) == 0 {
		delete(f.groups, group)
	}
}
