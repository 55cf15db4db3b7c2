package verbstest

import (
	"bytes"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Messages that are longer than the receive they meet.
var lengthCases = []scenario{
	{name: "length/a receive that is too short", run: tooShort},
	{name: "length/a receive without room", run: func(r *rig) { r.tooLong(0, 1) }},
	{name: "length/too short by one in a list", run: tooShortList},
}

func tooShort(r *rig) {
	r.tooLong(99, 100)
	if r.typ != verbs.UD {
		r.tooLong(1000, 200_000)
	}
}

// tooLong sends n bytes into room for fewer.
func (r *rig) tooLong(room, n int) {
	r.Helper()
	a, b := r.pair()
	src, dst := a.host.region(r, n, 0), b.host.region(r, n+8, verbs.LocalWrite)
	fill(src.buf, 1)
	fill(dst.buf, 2)
	b.recv(1, dst.sge(0, room))
	b.recv(2, dst.sge(0, room))
	r.world.Sleep(noticePause)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
	r.shortReceive(a, b)
	clean := make([]byte, len(dst.buf))
	fill(clean, 2)
	if !bytes.Equal(clean[room:], dst.buf[room:]) {
		r.Fatalf("more was written than the %d bytes the receive had room for", room)
	}
	dst.intact()
}

// shortReceive checks what both ends hear of a message that did not fit receive 1 of b; 2 is still there.
func (r *rig) shortReceive(a, b *end) {
	r.Helper()
	if c := r.take(b.recvs, 1)[0]; c.ID != 1 || c.Status != verbs.LocalLength {
		r.Fatalf("the receive ended as id %d %v, want 1 LocalLength", c.ID, c.Status)
	}
	c := r.take(a.sends, 1)[0]
	loose := c.Status == verbs.OK || c.Status == verbs.Flushed
	if c.Status != verbs.RemoteInvalid && !(loose && !(r.typ == verbs.RC && r.caps.PeerAck)) {
		r.Fatalf("the send ended as %v", c.Status)
	}
	if r.typ == verbs.RC {
		a.becomes(verbs.Error)
		b.becomes(verbs.Error)
		b.flushed(b.recvs, 2, 1)
		r.event(a.host, a.qp.Num(), verbs.QPFatal)
		r.event(b.host, b.qp.Num(), verbs.QPFatal)
		return
	}
	r.noticed("a message too long", a, b, verbs.Send, c.Status)
	a.post(verbs.SendWR{ID: 2, Op: verbs.Send, Flags: verbs.Signaled})
	a.sent(2, verbs.Send)
	b.got(2, verbs.Recv, 0)
}

func tooShortList(r *rig) {
	r.need(r.caps.MaxSGE >= 3, "lists of three")
	a, b := r.pair()
	src, dst := a.host.region(r, 100, 0), b.host.region(r, 100, verbs.LocalWrite)
	b.recv(1, dst.sge(0, 50), dst.sge(50, 50), dst.sge(50, 99))
	b.recv(2)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 100)})
	r.shortReceive(a, b)
}
