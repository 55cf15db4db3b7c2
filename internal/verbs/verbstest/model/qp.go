package model

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

// qp is a queue pair. Its send queue is a ring: requests [freed, posted) take its slots, [done, posted) are still to
// be carried out.
type qp struct {
	p     *pd
	num   uint32
	cfg   verbs.QPConfig
	state verbs.State
	addr  netip.AddrPort

	sendCQ, recvCQ *cq
	srq            *srq
	recvs          queue
	sends          []verbs.SendWR
	results        []result // of those sends that are carried out, in any order
	inline         [][]byte
	posted, done   uint64
	freed          uint64

	peer    *qp // RC
	asked   *request
	leaving bool             // Disconnect waits for the send queue
	slow    []netip.AddrPort // peers without a receive, while work looks at the queue
	waits   bool             // in the fabric's list of blocked ones
	gone    bool
	records uint32
	groups  map[netip.AddrPort]bool
}

func (p *pd) NewQP(cfg verbs.QPConfig) (verbs.QP, error) {
	p.d.f.mu.Lock()
	defer p.d.f.mu.Unlock()
	if err := p.usable(); err != nil {
		return nil, err
	}
	q := &qp{p: p, cfg: cfg, groups: map[netip.AddrPort]bool{}}
	ok1, ok2, ok3 := false, false, cfg.SRQ == nil
	q.sendCQ, ok1 = cfg.SendCQ.(*cq)
	q.recvCQ, ok2 = cfg.RecvCQ.(*cq)
	if cfg.SRQ != nil {
		q.srq, ok3 = cfg.SRQ.(*srq)
	}
	caps := p.d.Caps()
	if !ok1 || !ok2 || !ok3 || q.sendCQ.d != p.d || q.recvCQ.d != p.d || !caps.Supports(cfg.Type) || cfg.Rail != 0 {
		return nil, fmt.Errorf("type, queues or rail: %w", verbs.ErrArgument)
	}
	for _, limit := range [][2]int{{cfg.SendDepth, caps.MaxDepth}, {cfg.RecvDepth, caps.MaxDepth}, {cfg.SendSGE, caps.MaxSGE},
		{cfg.RecvSGE, caps.MaxSGE}, {cfg.Inline, caps.MaxInline}, {cfg.Reads, caps.MaxReads}, {cfg.ReadsIn, caps.MaxReads}} {
		if limit[0] < 0 || limit[0] > limit[1] {
			return nil, fmt.Errorf("%d, the limit is %d: %w", limit[0], limit[1], verbs.ErrArgument)
		}
	}
	q.cfg.SendSGE, q.cfg.RecvSGE = max(1, cfg.SendSGE), max(1, cfg.RecvSGE)
	q.num, q.recvs = p.d.f.number(), newQueue(cfg.RecvDepth, cfg.RecvSGE)
	q.sends, q.inline = make([]verbs.SendWR, cfg.SendDepth), make([][]byte, cfg.SendDepth)
	q.results = make([]result, cfg.SendDepth)
	for i := range q.sends {
		q.sends[i].SGL, q.inline[i] = make([]verbs.SGE, 0, q.cfg.SendSGE), make([]byte, 0, cfg.Inline)
	}
	q.sendCQ.uses++
	q.recvCQ.uses++
	if q.srq != nil {
		q.srq.uses++
	}
	p.uses++
	p.d.all[q] = true
	return q, nil
}

func (q *qp) Num() uint32      { return q.num }
func (q *qp) Type() verbs.Type { return q.cfg.Type }

func (q *qp) State() verbs.State {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	return q.state
}

func (q *qp) Addr() netip.AddrPort {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	return q.addr
}

func (q *qp) Modify(to verbs.State) error {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	switch {
	case q.gone || q.p.d.closed:
		return verbs.ErrClosed
	case to == verbs.Reset:
		q.reset()
	case to == verbs.Error:
		q.die(errBroken)
	case to == verbs.Init && q.state == verbs.Reset:
		q.state = to
	case to == verbs.RTS && q.state == verbs.Init && q.cfg.Type != verbs.RC:
		q.state, q.addr = to, q.p.d.f.address()
		q.p.d.f.qps[q.addr] = q
	default:
		return fmt.Errorf("from %v to %v: %w", q.state, to, verbs.ErrState)
	}
	return nil
}

// part ends what connects q with others; the peer of a connection fails because of why, or in order if that is nil.
func (q *qp) part(why error) {
	if q.addr.IsValid() && q.p.d.f.qps[q.addr] == q {
		delete(q.p.d.f.qps, q.addr)
	}
	if q.asked != nil {
		q.asked.from = nil
		q.asked = nil
	}
	peer := q.peer
	if peer == nil {
		return
	}
	q.peer, peer.peer = nil, nil
	e := verbs.Event{Kind: verbs.Disconnected, Num: peer.num}
	if why != nil {
		e = verbs.Event{Kind: verbs.QPFatal, Num: peer.num, Err: why}
	}
	peer.p.d.event(e)
	peer.die(why)
}

func (q *qp) reset() {
	q.part(errBroken)
	q.state, q.addr, q.leaving = verbs.Reset, netip.AddrPort{}, false
	q.recvs.first, q.recvs.used = 0, 0
	clear(q.results)
	q.done, q.freed = q.posted, q.posted
}

// fail takes q to Error by itself.
func (q *qp) fail(why error) {
	if q.state != verbs.Error {
		q.p.d.event(verbs.Event{Kind: verbs.QPFatal, Num: q.num, Err: why})
		q.die(why)
	}
}

// die takes q to Error and flushes its work in order.
func (q *qp) die(why error) {
	if q.state == verbs.Error {
		return
	}
	q.state = verbs.Error
	q.part(why)
	q.flush()
}

func (q *qp) flush() {
	for i := q.done; i < q.posted; i++ {
		q.finish(i, verbs.Flushed, 0)
	}
	q.report()
	for q.recvs.used > 0 {
		w := q.recvs.take()
		q.recvCQ.add(entry{c: verbs.Completion{ID: w.ID, QP: q.num, Op: verbs.Recv, Status: verbs.Flushed}, of: q})
	}
}

// result is what became of a send.
type result struct {
	ended  bool
	status verbs.Status
	n      int
}

func (q *qp) slot(i uint64) uint64 { return i % uint64(len(q.sends)) }

// finish notes what became of send i, unless that is known.
func (q *qp) finish(i uint64, s verbs.Status, n int) {
	if res := &q.results[q.slot(i)]; !res.ended {
		*res = result{true, s, n}
	}
}

// report completes, in order, all sends up to the first that has not ended.
func (q *qp) report() {
	for q.done < q.posted && q.results[q.slot(q.done)].ended {
		w, res := &q.sends[q.slot(q.done)], &q.results[q.slot(q.done)]
		res.ended = false
		q.done++
		if res.status == verbs.OK && w.Flags&verbs.Signaled == 0 && !q.cfg.SignalAll {
			continue
		}
		q.sendCQ.add(entry{c: verbs.Completion{ID: w.ID, QP: q.num, Op: w.Op, Status: res.status, Len: res.n}, of: q, upTo: q.done})
	}
}

func (q *qp) PostRecv(wrs []verbs.RecvWR) (int, error) {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	switch {
	case q.gone || q.p.d.closed:
		return 0, verbs.ErrClosed
	case q.srq != nil:
		return 0, fmt.Errorf("the queue pair has a shared receive queue: %w", verbs.ErrArgument)
	case q.state == verbs.Reset:
		return 0, fmt.Errorf("receive in %v: %w", q.state, verbs.ErrState)
	}
	n, err := q.recvs.post(q.p, wrs, q.cfg.RecvSGE)
	if q.state == verbs.Error {
		q.flush()
	}
	q.p.d.f.kick()
	return n, err
}

func (q *qp) Close() error {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	if !q.gone {
		q.shut()
	}
	return nil
}

// shut gives q back.
func (q *qp) shut() {
	q.reset()
	q.gone = true
	q.sendCQ.uses--
	q.recvCQ.uses--
	if q.srq != nil {
		q.srq.uses--
	}
	q.p.uses--
	delete(q.p.d.all, q)
}

// Place is never called: the device tells of no beginnings.
func (q *qp) Place(int, []byte) bool { return false }

func (q *qp) Attach(group netip.AddrPort) error {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	if q.cfg.Type != verbs.UD || !group.Addr().IsMulticast() || q.groups[group] {
		return fmt.Errorf("group %v: %w", group, verbs.ErrArgument)
	}
	q.groups[group] = true
	return nil
}

func (q *qp) Detach(group netip.AddrPort) error {
	q.p.d.f.mu.Lock()
	defer q.p.d.f.mu.Unlock()
	if !q.groups[group] {
		return fmt.Errorf("group %v: %w", group, verbs.ErrArgument)
	}
	delete(q.groups, group)
	return nil
}
