package verbstest

import (
	"bytes"
	"encoding/binary"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

// end is one queue pair of a case with its completion queues, and the peer it is meant to talk to.
type end struct {
	r            *rig
	host         *host
	qp           verbs.QP
	sends, recvs *box
	peer         *end
}

// depth of the queues that a case does not choose.
const depth = 64

// box makes a completion queue.
func (r *rig) box(h *host, cfg verbs.CQConfig) *box {
	r.Helper()
	cq, err := h.dev.NewCQ(cfg)
	if err != nil {
		r.Fatalf("NewCQ(%d): %v", cfg.Depth, err)
	}
	b := &box{cq: cq}
	r.boxes = append(r.boxes, b)
	return b
}

// endOn makes a queue pair in Reset. It gets completion queues of its own unless tweak sets others.
func (r *rig) endOn(h *host, tweak ...func(*verbs.QPConfig)) *end {
	r.Helper()
	cfg := verbs.QPConfig{Type: r.typ, SendDepth: depth, RecvDepth: depth, SendSGE: min(4, r.caps.MaxSGE),
		RecvSGE: min(4, r.caps.MaxSGE), Inline: min(64, r.caps.MaxInline)}
	for _, f := range tweak {
		f(&cfg)
	}
	e := &end{r: r, host: h}
	e.sends, cfg.SendCQ = r.boxFor(h, cfg.SendCQ, 4*depth+cfg.SendDepth)
	e.recvs, cfg.RecvCQ = r.boxFor(h, cfg.RecvCQ, 4*depth+cfg.RecvDepth)
	qp, err := h.pd.NewQP(cfg)
	if err != nil {
		r.Fatalf("NewQP(%v): %v", cfg.Type, err)
	}
	e.qp = qp
	r.ends = append(r.ends, e)
	return e
}

func (r *rig) boxFor(h *host, cq verbs.CQ, depth int) (*box, verbs.CQ) {
	r.Helper()
	for _, b := range r.boxes {
		if b.cq == cq {
			return b, cq
		}
	}
	b := r.box(h, verbs.CQConfig{Depth: depth})
	return b, b.cq
}

// init brings the queue pair from Reset to Init, and those without connections on to RTS.
func (e *end) init() *end {
	e.r.Helper()
	e.modify(verbs.Init)
	if !e.r.typ.Connects() {
		e.modify(verbs.RTS)
	}
	return e
}

func (e *end) modify(to verbs.State) {
	e.r.Helper()
	if err := e.qp.Modify(to); err != nil {
		e.r.Fatalf("qp %d from %v to %v: %v", e.qp.Num(), e.qp.State(), to, err)
	}
	if got := e.qp.State(); got != to {
		e.r.Fatalf("qp %d is %v after Modify(%v)", e.qp.Num(), got, to)
	}
}

// pair makes two queue pairs on two hosts that are ready to talk to each other. tweak holds for both.
func (r *rig) pair(tweak ...func(*verbs.QPConfig)) (a, b *end) {
	r.Helper()
	a, b = r.endOn(r.hosts[0], tweak...).init(), r.endOn(r.hosts[1], tweak...).init()
	r.join(a, b)
	return a, b
}

// join has a and b talk to each other; RC and UC get a connection, from a to b.
func (r *rig) join(a, b *end) {
	r.Helper()
	a.peer, b.peer = b, a
	if !r.typ.Connects() {
		return
	}
	token := binary.LittleEndian.AppendUint64(nil, r.rnd.Uint64())
	if err := a.qp.Connect(r.listen(b.host), token); err != nil {
		r.Fatalf("Connect: %v", err)
	}
	req := r.event(b.host, 0, verbs.ConnectRequest).Request
	for !bytes.Equal(req.Private(), token) { // left over from somebody who gave up
		req = r.event(b.host, 0, verbs.ConnectRequest).Request
	}
	if err := req.Accept(b.qp, nil); err != nil {
		r.Fatalf("Accept: %v", err)
	}
	r.established(a)
	r.established(b)
}

func (r *rig) established(e *end) verbs.Event {
	r.Helper()
	ev := r.event(e.host, e.qp.Num(), verbs.Established)
	if s := e.qp.State(); s != verbs.RTS {
		r.Fatalf("qp %d is %v after Established", e.qp.Num(), s)
	}
	return ev
}

// listen gives the address where h accepts connections.
func (r *rig) listen(h *host) netip.AddrPort {
	r.Helper()
	if h.listener == nil {
		l, err := h.dev.Listen(verbs.ListenConfig{})
		if err != nil {
			r.Fatalf("Listen: %v", err)
		}
		h.listener = l
	}
	return h.listener.Addr()
}

// handle gives an address handle of h's domain.
func (r *rig) handle(h *host, to netip.AddrPort) verbs.AH {
	r.Helper()
	if ah := h.handles[to]; ah != nil {
		return ah
	}
	ah, err := h.pd.NewAH(to)
	if err != nil {
		r.Fatalf("NewAH(%v): %v", to, err)
	}
	if ah.Addr() != to {
		r.Fatalf("the address handle of %v says %v", to, ah.Addr())
	}
	h.handles[to] = ah
	return ah
}

// aim fills in where a work request goes: to e's peer.
func (e *end) aim(wr verbs.SendWR) verbs.SendWR {
	e.r.Helper()
	if !e.r.typ.Connects() {
		wr.AH = e.r.handle(e.host, e.peer.qp.Addr())
		if e.r.named {
			wr.DestQP = e.peer.qp.Num()
		}
	}
	return wr
}

// post aims work requests at e's peer and posts them; all must be taken.
func (e *end) post(wrs ...verbs.SendWR) {
	e.r.Helper()
	for i := range wrs {
		wrs[i] = e.aim(wrs[i])
	}
	if n, err := e.qp.PostSend(wrs); err != nil || n != len(wrs) {
		e.r.Fatalf("PostSend of %d work requests, first %v: took %d, %v", len(wrs), wrs[0].Op, n, err)
	}
}

// recv posts one receive.
func (e *end) recv(id uint64, sgl ...verbs.SGE) {
	e.r.Helper()
	if n, err := e.qp.PostRecv([]verbs.RecvWR{{ID: id, SGL: sgl}}); err != nil || n != 1 {
		e.r.Fatalf("PostRecv: took %d, %v", n, err)
	}
}

// sent waits for the next completion of e's send queue, which must be this one, and good.
func (e *end) sent(id uint64, op verbs.Op) verbs.Completion {
	e.r.Helper()
	c := e.r.take(e.sends, 1)[0]
	if c.ID != id || c.Op != op || c.Status != verbs.OK || c.QP != e.qp.Num() {
		e.r.Fatalf("send completion qp %d %v id %d %v, want qp %d %v id %d OK", c.QP, c.Op, c.ID, c.Status, e.qp.Num(),
			op, id)
	}
	return c
}

// got waits for the next completion of e's receive queue, which must be this one, and good.
func (e *end) got(id uint64, op verbs.Op, n int) verbs.Completion {
	e.r.Helper()
	c := e.r.take(e.recvs, 1)[0]
	if c.ID != id || c.Op != op || c.Status != verbs.OK || c.QP != e.qp.Num() || c.Len != n {
		e.r.Fatalf("receive completion qp %d %v id %d %v len %d, want qp %d %v id %d OK len %d", c.QP, c.Op, c.ID,
			c.Status, c.Len, e.qp.Num(), op, id, n)
	}
	if !e.r.typ.Connects() && c.Src != e.peer.qp.Addr() {
		e.r.Fatalf("receive completion says it is from %v, it is from %v", c.Src, e.peer.qp.Addr())
	}
	return c
}

// becomes waits until the queue pair is in state s.
func (e *end) becomes(s verbs.State) {
	e.r.Helper()
	e.r.until("qp "+e.qp.Addr().String()+" to become "+s.String(), func() bool { return e.qp.State() == s })
}

// hello checks that e's peer hears e, with one small message.
func (e *end) hello() {
	e.r.Helper()
	src, dst := e.host.region(e.r, 8, 0), e.peer.host.region(e.r, 8, verbs.LocalWrite)
	word := e.r.rnd.Uint64()
	binary.LittleEndian.PutUint64(src.buf, word)
	e.peer.recv(word, dst.sge(0, 8))
	e.post(verbs.SendWR{ID: ^word, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 8)})
	e.sent(^word, verbs.Send)
	e.peer.got(word, verbs.Recv, 8)
	if !bytes.Equal(src.buf, dst.buf) {
		e.r.Fatalf("hello arrived as %x, sent %x", dst.buf, src.buf)
	}
	src.close()
	dst.close()
}
