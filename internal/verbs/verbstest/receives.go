package verbstest

import (
	"errors"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Messages without a receive, and receives that many queue pairs share.
var receiveCases = []scenario{
	{name: "receive/late", types: reliable, run: lateReceive},
	{name: "receive/late, many Sends", types: reliable, run: lateReceives},
	{name: "receive/none on UD", types: unordered, run: noReceive},
	{name: "srq/shared", run: srqShared},
	{name: "srq/exhausted", types: reliable, run: srqExhausted},
	{name: "srq/limit", run: srqLimit},
	{name: "srq/full", run: srqFull},
	{name: "srq/survives its queue pairs", run: srqSurvives},
	{name: "srq/types of queue pairs", types: connected, run: srqTypes},
}

func (r *rig) waitsForReceive() {
	r.Helper()
	r.need(r.repairs() || r.caps.RNRWaits, "patience with late receives")
}

// lateReceive sends before a receive is there.
func lateReceive(r *rig) {
	r.waitsForReceive()
	a, b := r.pair()
	for i, n := range []int{0, 100, 100_000} {
		src, dst := a.host.region(r, n+1, 0), b.host.region(r, n+1, verbs.LocalWrite)
		fill(src.buf, uint64(i))
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
		r.settle()
		if b.qp.State() != verbs.RTS || len(b.recvs.done) > 0 {
			r.Fatalf("without a receive the queue pair is %v and has %d completions", b.qp.State(), len(b.recvs.done))
		}
		b.recv(uint64(i), dst.sge(0, n))
		b.got(uint64(i), verbs.Recv, n)
		a.sent(uint64(i), verbs.Send)
		r.holds("a late receive", dst.buf[:n], uint64(i))
	}
}

// lateReceives has a whole queue of Sends wait, and gives receives one by one.
func lateReceives(r *rig) {
	r.waitsForReceive()
	const n = 3000
	a, b := r.pair()
	src, dst := a.host.region(r, n, 0), b.host.region(r, n, verbs.LocalWrite)
	fill(src.buf, 1)
	for i := range uint64(depth) {
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n-int(i))})
	}
	for i := range uint64(depth) {
		if i%16 == 0 {
			r.world.Sleep(time.Millisecond)
		}
		fill(dst.buf, 2)
		b.recv(i, dst.sge(0, n))
		b.got(i, verbs.Recv, n-int(i))
		r.holds("a late receive", dst.buf[:n-int(i)], 1)
	}
	for i := range uint64(depth) {
		a.sent(i, verbs.Send)
	}
}

// noReceive: UD drops what finds no receive, and goes on.
func noReceive(r *rig) {
	a, b := r.pair()
	for i := range uint64(3) {
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		a.sent(i, verbs.Send)
	}
	r.settle()
	a.hello()
	if n := len(b.recvs.done); n > 0 || b.qp.State() != verbs.RTS {
		r.Errorf("%d completions too many, state %v", n, b.qp.State())
	}
}

// shared is a shared receive queue of a case, with memory for its receives.
type shared struct {
	r   *rig
	srq verbs.SRQ
	mem *region
}

const sharedSize = 64

// shared makes a shared receive queue of some depth.
func (r *rig) shared(h *host, depth int) *shared {
	r.Helper()
	r.need(r.caps.SRQ, "shared receive queues")
	srq, err := h.pd.NewSRQ(verbs.SRQConfig{Depth: depth})
	if err != nil {
		r.Fatalf("NewSRQ(%d): %v", depth, err)
	}
	return &shared{r: r, srq: srq, mem: h.region(r, sharedSize*depth, verbs.LocalWrite)}
}

// recv posts receives with these numbers; number i gets the i-th piece of memory.
func (s *shared) recv(ids ...uint64) {
	s.r.Helper()
	for _, id := range ids {
		at := int(id) * sharedSize % len(s.mem.buf)
		if n, err := s.srq.PostRecv([]verbs.RecvWR{{ID: id, SGL: s.mem.sgl(at, at+sharedSize)}}); n != 1 || err != nil {
			s.r.Fatalf("posting receive %d: took %d, %v", id, n, err)
		}
	}
}

// sharing makes pairs whose receiving ends share one receive queue and one completion queue.
func (r *rig) sharing(pairs, depth int) (s *shared, box *box, senders []*end) {
	r.Helper()
	s = r.shared(r.hosts[1], depth)
	box = r.box(r.hosts[1], verbs.CQConfig{Depth: 2 * depth})
	for range pairs {
		a := r.endOn(r.hosts[0]).init()
		b := r.endOn(r.hosts[1], func(c *verbs.QPConfig) { c.SRQ, c.RecvCQ, c.RecvDepth = s.srq, box.cq, 0 }).init()
		r.join(a, b)
		senders = append(senders, a)
	}
	return s, box, senders
}

func srqShared(r *rig) {
	const pairs, rounds = 8, 10
	s, box, senders := r.sharing(pairs, 2*pairs)
	src := r.hosts[0].region(r, sharedSize*pairs, 0)
	for i := range uint64(2 * pairs) {
		s.recv(i)
	}
	for round := range rounds {
		for k, a := range senders {
			fill(src.buf[k*sharedSize:(k+1)*sharedSize], uint64(a.peer.qp.Num()))
			a.post(verbs.SendWR{ID: uint64(round), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(k*sharedSize, (k+1)*sharedSize)})
		}
		for _, c := range r.take(box, pairs) {
			at := int(c.ID) * sharedSize
			if c.Status != verbs.OK || c.Len != sharedSize {
				r.Fatalf("receive %d of qp %d: %v, %d bytes", c.ID, c.QP, c.Status, c.Len)
			}
			r.holds("a shared receive", s.mem.buf[at:at+sharedSize], uint64(c.QP))
			s.recv(c.ID)
		}
		for _, a := range senders {
			a.sent(uint64(round), verbs.Send)
		}
	}
	if n := s.srq.Len(); n != 2*pairs {
		r.Errorf("%d receives wait, want %d", n, 2*pairs)
	}
}

// srqExhausted lets the queue run dry with Sends waiting, then fills it again.
func srqExhausted(r *rig) {
	r.waitsForReceive()
	const pairs = 4
	s, box, senders := r.sharing(pairs, 16)
	s.recv(0, 1)
	for _, a := range senders {
		a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled}, verbs.SendWR{ID: 2, Op: verbs.Send, Flags: verbs.Signaled})
	}
	r.take(box, 2)
	r.settle()
	if n := s.srq.Len(); n != 0 || len(box.done) > 0 {
		r.Fatalf("%d receives wait and %d completed, of two", n, len(box.done))
	}
	s.recv(2, 3, 4, 5, 6, 7)
	for i, c := range r.take(box, 6) {
		if c.Status != verbs.OK {
			r.Fatalf("receive %d: %v", i, c.Status)
		}
	}
	for _, a := range senders {
		a.sent(1, verbs.Send)
		a.sent(2, verbs.Send)
	}
}

// srqLimit: one event when the queue falls below the limit, and another only after the next call of Limit.
func srqLimit(r *rig) {
	s, box, senders := r.sharing(1, 16)
	a := senders[0]
	use := func(n int) {
		for range n {
			a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
			a.sent(1, verbs.Send)
			r.take(box, 1)
		}
		r.settle()
	}
	events := func() (n int) {
		for _, e := range r.hosts[1].events {
			if e.Kind == verbs.SRQLimit && e.Num == s.srq.Num() {
				n++
			}
		}
		return n
	}
	s.recv(0, 1, 2, 3, 4, 5, 6, 7)
	use(2)
	if n := events(); n != 0 {
		r.Fatalf("%d events, no limit was set", n)
	}
	if err := s.srq.Limit(4); err != nil {
		r.Fatalf("Limit(4): %v", err)
	}
	use(2)
	if n := events(); n != 0 {
		r.Fatalf("%d events with 4 receives left", n)
	}
	use(1)
	r.until("event SRQLimit", func() bool { return events() == 1 })
	use(2)
	s.recv(0, 1, 2, 3, 4, 5)
	use(5)
	if n := events(); n != 1 {
		r.Fatalf("%d events, want one for one call of Limit", n)
	}
	s.recv(0, 1, 2, 3, 4, 5)
	if err := s.srq.Limit(3); err != nil {
		r.Fatalf("Limit(3): %v", err)
	}
	use(6)
	r.until("the second event SRQLimit", func() bool { return events() == 2 })
	s.recv(0, 1, 2, 3, 4, 5)
	if err := errors.Join(s.srq.Limit(3), s.srq.Limit(0)); err != nil {
		r.Fatalf("Limit(3), Limit(0): %v", err)
	}
	use(6)
	if n := events(); n != 2 {
		r.Fatalf("%d events after the limit was taken back, want 2", n)
	}
}

func srqFull(r *rig) {
	s := r.shared(r.hosts[0], 8)
	var wrs []verbs.RecvWR
	for i := range 64 {
		wrs = append(wrs, verbs.RecvWR{ID: uint64(i), SGL: s.mem.sgl(0, 8)})
	}
	n, err := s.srq.PostRecv(wrs)
	if !errors.Is(err, verbs.ErrFull) || n < 8 || s.srq.Len() != n {
		r.Fatalf("a queue of 8 took %d of 64 receives and has %d: %v", n, s.srq.Len(), err)
	}
	bad := s.mem.sgl(0, 8)
	bad[0].LKey ^= 0x5a5a5a5a
	if n, err := s.srq.PostRecv([]verbs.RecvWR{{SGL: bad}}); n != 0 || !errors.Is(err, verbs.ErrKey) && !errors.Is(err, verbs.ErrFull) {
		r.Errorf("a receive with a wrong key: took %d, %v", n, err)
	}
}

// srqSurvives: receives stay in the shared queue when a queue pair that used it fails or is closed.
func srqSurvives(r *rig) {
	s, box, senders := r.sharing(2, 16)
	s.recv(0, 1, 2)
	if err := s.srq.Close(); !errors.Is(err, verbs.ErrBusy) {
		r.Errorf("closing a shared queue in use: %v", err)
	}
	senders[0].peer.modify(verbs.Error)
	senders[0].post(verbs.SendWR{ID: 9, Op: verbs.Send})
	r.settle()
	if n := s.srq.Len(); n != 3 || len(box.done) > 0 {
		r.Fatalf("%d receives left and %d completions, after one queue pair failed", n, len(box.done))
	}
	senders[1].post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	senders[1].sent(1, verbs.Send)
	if c := r.take(box, 1)[0]; c.Status != verbs.OK || c.ID != 0 {
		r.Fatalf("receive %d: %v", c.ID, c.Status)
	}
	for _, a := range senders {
		if err := a.peer.qp.Close(); err != nil {
			r.Fatalf("closing a queue pair: %v", err)
		}
	}
	if err := s.srq.Close(); err != nil {
		r.Errorf("closing a shared queue that nobody uses: %v", err)
	}
}

// srqTypes: a queue that queue pairs of type RC use takes others where the device says so, and refuses them elsewhere.
func srqTypes(r *rig) {
	s, box, senders := r.sharing(1, 8)
	cfg := verbs.QPConfig{SendCQ: box.cq, RecvCQ: box.cq, SRQ: s.srq, SendDepth: 4}
	for _, typ := range []verbs.Type{verbs.UD, verbs.RD} {
		if !r.caps.Supports(typ) {
			continue
		}
		cfg.Type = typ
		qp, err := r.hosts[1].pd.NewQP(cfg)
		switch {
		case err == nil && !r.caps.SRQMixed:
			r.Errorf("%v shares the receive queue of RC, which SRQMixed denies", typ)
		case err != nil && (r.caps.SRQMixed || !errors.Is(err, verbs.ErrUnsupported)):
			r.Errorf("%v with the receive queue of RC: %v; SRQMixed is %v", typ, err, r.caps.SRQMixed)
		}
		if err == nil {
			if err := qp.Close(); err != nil {
				r.Errorf("closing the queue pair: %v", err)
			}
		}
	}
	s.recv(1)
	senders[0].post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	if c := r.take(box, 1)[0]; c.ID != 1 || c.Status != verbs.OK {
		r.Errorf("receive %d: %v", c.ID, c.Status)
	}
}
