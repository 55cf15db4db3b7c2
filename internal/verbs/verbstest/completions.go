package verbstest

import (
	"github.com/weft-mpi/weft/internal/verbs"
)

// When a work request completes, and when it does not.
var completionCases = []scenario{
	{name: "completion/unsignaled sends are silent", run: unsignaled},
	{name: "completion/SignalAll", run: signalAll},
	{name: "completion/one queue for everything", run: oneCQ},
	{name: "completion/small polls", run: smallPolls},
	{name: "completion/failures are always reported", run: failuresReported},
	{name: "completion/PeerAck", types: connected, run: peerAck},
}

// unsignaled streams more silent sends than the queue holds: a signaled one gives back those before it.
func unsignaled(r *rig) {
	a, b := r.pair(func(c *verbs.QPConfig) { c.SendDepth = 16 })
	src, dst := a.host.region(r, 8, 0), b.host.region(r, 8, verbs.LocalWrite)
	for round := range uint64(20) {
		for i := range uint64(8) {
			b.recv(i, dst.sge(0, 8))
		}
		for range 7 {
			a.post(verbs.SendWR{ID: 999, Op: verbs.Send, SGL: src.sgl(0, 8)})
		}
		a.post(verbs.SendWR{ID: round, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 8)})
		a.sent(round, verbs.Send)
		for i := range uint64(8) {
			b.got(i, verbs.Recv, 8)
		}
	}
	r.settle()
	if n := len(a.sends.done); n > 0 {
		r.Errorf("%d completions of unsignaled sends", n)
	}
}

func signalAll(r *rig) {
	a, b := r.pair(func(c *verbs.QPConfig) { c.SignalAll = true })
	for i := range uint64(10) {
		b.recv(i)
		a.post(verbs.SendWR{ID: i, Op: verbs.Send})
		a.sent(i, verbs.Send)
		b.got(i, verbs.Recv, 0)
	}
}

// oneCQ shares a completion queue between both directions of several queue pairs.
func oneCQ(r *rig) {
	const pairs, each = 4, 10
	box := r.box(r.hosts[0], verbs.CQConfig{Depth: 2 * pairs * each})
	var as []*end
	for range pairs {
		a := r.endOn(r.hosts[0], func(c *verbs.QPConfig) { c.SendCQ, c.RecvCQ = box.cq, box.cq }).init()
		b := r.endOn(r.hosts[1]).init()
		r.join(a, b)
		as = append(as, a)
	}
	for i := range uint64(each) {
		for _, a := range as {
			a.recv(i)
			a.peer.recv(i)
			a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
			a.peer.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		}
	}
	next := map[uint32]*[2]uint64{}
	for _, a := range as {
		next[a.qp.Num()] = new([2]uint64)
	}
	for _, c := range r.take(box, 2*pairs*each) {
		want, side := next[c.QP], 0
		if c.Op == verbs.Recv {
			side = 1
		}
		if want == nil || c.Status != verbs.OK || c.ID != want[side] {
			r.Fatalf("completion qp %d %v id %d %v", c.QP, c.Op, c.ID, c.Status)
		}
		want[side]++
	}
}

// smallPolls takes completions one by one, and asks for none.
func smallPolls(r *rig) {
	a, b := r.pair()
	b.recvs.muted = true
	for i := range uint64(5) {
		b.recv(i)
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
	}
	if n := b.recvs.cq.Poll(nil); n != 0 {
		r.Fatalf("Poll(nil) gave %d", n)
	}
	var one [1]verbs.Completion
	for i := range uint64(5) {
		r.until("one completion", func() bool { return b.recvs.cq.Poll(one[:]) == 1 })
		if one[0].ID != i || one[0].Status != verbs.OK {
			r.Fatalf("completion id %d %v, want %d", one[0].ID, one[0].Status, i)
		}
	}
	if n := b.recvs.cq.Poll(one[:]); n != 0 {
		r.Fatalf("a sixth completion: %+v", one[0])
	}
}

// failuresReported posts unsignaled work that cannot succeed.
func failuresReported(r *rig) {
	a, _ := r.pair()
	a.modify(verbs.Error)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send}, verbs.SendWR{ID: 2, Op: verbs.Send})
	a.flushed(a.sends, 1, 2)
}

// peerAck: where the device says so, a completed Write is at the peer.
func peerAck(r *rig) {
	r.need(r.caps.PeerAck, "acknowledgements by the peer")
	a, b := r.pair()
	src := a.host.region(r, 100_000, 0)
	dst := b.host.region(r, 100_000, verbs.LocalWrite|verbs.RemoteWrite)
	fill(src.buf, 1)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Write, Flags: verbs.Signaled, SGL: src.sgl(0, 100_000), RemoteAddr: dst.at(0), RKey: dst.mr.RKey()})
	a.sent(1, verbs.Write)
	r.holds("acknowledged Write", dst.buf, 1)
}
