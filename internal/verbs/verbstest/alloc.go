package verbstest

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// The way of a message, from post to poll, allocates nothing.
var allocCases = []scenario{
	{name: "alloc/ping-pong", run: func(r *rig) { r.pingPong(64, 0) }},
	{name: "alloc/ping-pong inline", run: func(r *rig) { r.pingPong(16, verbs.Inline) }},
	{name: "alloc/ping-pong of 16 KB", types: reliable, run: func(r *rig) { r.pingPong(16<<10, 0) }},
	{name: "alloc/Write and Read", types: reliable, run: writeReadAllocs},
}

// noAllocs checks that round allocates nothing once it is warm.
func (r *rig) noAllocs(what string, round func()) {
	r.Helper()
	if r.opt.Allocates {
		r.Skip("the device may allocate")
	}
	for range 200 {
		round()
	}
	if allocs := testing.AllocsPerRun(300, round); allocs > 0 {
		r.Errorf("%v allocations per %s", allocs, what)
	}
}

// player is one side of a ping-pong with everything it needs made beforehand.
type player struct {
	e    *end
	send []verbs.SendWR
	recv []verbs.RecvWR
	out  [4]verbs.Completion
}

func (r *rig) player(e *end, n int, flags verbs.Flags) *player {
	r.Helper()
	g := e.host.region(r, 2*n, verbs.LocalWrite)
	e.sends.muted, e.recvs.muted = true, true
	return &player{e: e,
		send: []verbs.SendWR{e.aim(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled | flags, SGL: g.sgl(0, n)})},
		recv: []verbs.RecvWR{{ID: 2, SGL: g.sgl(n, 2*n)}}}
}

// hit sends to the other player and waits until it has the ball.
func (p *player) hit(q *player) {
	q.e.qp.PostRecv(q.recv)
	p.e.qp.PostSend(p.send)
	for polls := 0; q.e.recvs.cq.Poll(q.out[:]) == 0; polls++ {
		p.e.sends.cq.Poll(p.out[:])
		if polls > 1<<24 {
			p.e.r.Fatalf("the ball is lost")
		}
	}
	if q.out[0].Status != verbs.OK {
		p.e.r.Fatalf("the ball came as %v", q.out[0].Status)
	}
	p.e.sends.cq.Poll(p.out[:])
}

func (r *rig) pingPong(n int, flags verbs.Flags) {
	r.Helper()
	r.need(flags&verbs.Inline == 0 || r.caps.MaxInline >= n, "inline sends")
	a, b := r.pair()
	p, q := r.player(a, n, flags), r.player(b, n, flags)
	round := func() { p.hit(q); q.hit(p) }
	r.noAllocs("round trip", round)
}

func writeReadAllocs(r *rig) {
	r.need(r.hasReadWrite(), "Read and Write")
	a, b := r.pair()
	near, far := a.host.region(r, 4096, verbs.LocalWrite), b.host.region(r, 4096, allRights)
	a.sends.muted = true
	wrs := []verbs.SendWR{
		a.aim(verbs.SendWR{ID: 1, Op: verbs.Write, SGL: near.sgl(0, 4096), RemoteAddr: far.at(0), RKey: far.mr.RKey()}),
		a.aim(verbs.SendWR{ID: 2, Op: verbs.Read, Flags: verbs.Signaled, SGL: near.sgl(0, 4096), RemoteAddr: far.at(0), RKey: far.mr.RKey()}),
	}
	var out [4]verbs.Completion
	round := func() {
		a.qp.PostSend(wrs)
		for polls := 0; a.sends.cq.Poll(out[:]) == 0; polls++ {
			b.recvs.cq.Poll(out[:])
			if polls > 1<<24 {
				r.Fatalf("the Read is lost")
			}
		}
	}
	r.noAllocs("Write and Read", round)
}
