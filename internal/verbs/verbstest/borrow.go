package verbstest

import (
	"bytes"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Messages that a device lends where it has them, and those that go where their receiver says. A device
// that can do neither uses receives.
var borrowCases = []scenario{
	{name: "borrow/messages", types: []verbs.Type{verbs.RC, verbs.UD}, run: borrowMessages},
	{name: "borrow/nobody asked for it", run: borrowUnasked},
	{name: "place/messages", types: connected, run: placeMessages},
	{name: "place/nothing to answer", run: placeNothing},
}

// lending makes a pair of which b's completion queue of receives is as cfg says. The case polls it itself, by poll.
func (r *rig) lending(cfg verbs.CQConfig) (a, b *end) {
	r.Helper()
	cfg.Depth = 8 * depth
	box := r.box(r.hosts[1], cfg)
	a, b = r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[1], func(c *verbs.QPConfig) { c.RecvCQ = box.cq }).init()
	r.join(a, b)
	box.muted = true
	return a, b
}

// poll has use see every completion of a box that is muted until it has seen n of receives; what it may
// keep of them it has to copy.
func (r *rig) poll(b *box, n int, use func(c *verbs.Completion)) {
	r.Helper()
	var out [3]verbs.Completion
	r.until("completions", func() bool {
		for i := range out[:b.cq.Poll(out[:])] {
			c := &out[i]
			r.note("cq %d: qp %d %v id %d %v len %d lent %t", b.cq.Num(), c.QP, c.Op, c.ID, c.Status, c.Len, c.Data != nil)
			if use(c); c.Op == verbs.Recv {
				n--
			}
		}
		return n <= 0
	})
}

// borrowMessages sends messages, some of them empty, and takes each from where its completion says it is:
// lent ones take no receive.
func borrowMessages(r *rig) {
	a, b := r.lending(verbs.CQConfig{Borrow: true})
	const each = 200
	count := min(r.times(40), depth)
	src, dst := a.host.region(r, each*count, 0), b.host.region(r, each*count, verbs.LocalWrite)
	fill(src.buf, 1)
	for i := range count {
		b.recv(uint64(i+1), dst.sge(i*each, (i+1)*each))
	}
	lent, next := 0, uint64(1)
	for i := range count { // one by one: UD promises no order
		n := each - i%3*each/2
		a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(i*each, i*each+n)})
		r.poll(b.recvs, 1, func(c *verbs.Completion) {
			got := c.Data
			if got == nil {
				got = dst.buf[int(next-1)*each:][:n]
				next++
			} else {
				lent++
			}
			if c.Op != verbs.Recv || c.Status != verbs.OK || c.Len != n || c.QP != b.qp.Num() || !bytes.Equal(got, src.buf[i*each:][:n]) ||
				c.Data != nil && c.ID != 0 || c.Data == nil && c.ID != next-1 || r.typ == verbs.UD && c.Src != a.qp.Addr() {
				r.Fatalf("message %d of %d bytes: id %d %v %v len %d from %v", i, n, c.ID, c.Op, c.Status, c.Len, c.Src)
			}
		})
		a.sent(1, verbs.Send)
	}
	if lent > 0 && !r.caps.Borrow {
		r.Fatalf("%d messages are lent by a device that does not say so", lent)
	}
	dst.intact()
}

// borrowUnasked: a queue that does not ask for it is lent nothing, and told of nothing.
func borrowUnasked(r *rig) {
	a, b := r.lending(verbs.CQConfig{})
	n := 1000
	if r.typ != verbs.UD {
		n = 100_000
	}
	src, dst := a.host.region(r, n, 0), b.host.region(r, n, verbs.LocalWrite)
	for i := range uint64(r.times(20)) {
		b.recv(i, dst.sge(0, n))
		a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
		r.poll(b.recvs, 1, func(c *verbs.Completion) {
			if c.Op != verbs.Recv || c.Data != nil || c.ID != i || c.Status != verbs.OK {
				r.Fatalf("message %d: %v id %d %v, lent %t", i, c.Op, c.ID, c.Status, c.Data != nil)
			}
		})
		a.sent(1, verbs.Send)
	}
}

// placeMessages sends messages of which the receiver, if it is told of their beginning, has a part put
// elsewhere, or leaves them to their receives, in words or without. All are whole in the end.
func placeMessages(r *rig) {
	const head, least, most = 24, 512, 60_000
	a, b := r.lending(verbs.CQConfig{Borrow: true, PlaceMin: least})
	src, dst, aside := a.host.region(r, most, 0), b.host.region(r, most, verbs.LocalWrite), make([]byte, most)
	got, posted := make([]byte, most), false // dst is the device's while it is posted
	for i := range r.times(200) {
		n := 1 + r.rnd.IntN(most)
		fill(src.buf, uint64(i))
		if !posted {
			fill(dst.buf, ^uint64(i))
			b.recv(7, dst.sge(0, most))
			posted = true
		}
		a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
		var placed []byte
		r.poll(b.recvs, 1, func(c *verbs.Completion) {
			switch {
			case c.Op == verbs.RecvHead:
				if !r.caps.Place || n < least || c.Len != n || c.QP != b.qp.Num() || len(c.Data) < head || !bytes.HasPrefix(src.buf[:n], c.Data) {
					r.Fatalf("message %d of %d bytes: told of %d bytes, which begin with %d", i, n, c.Len, len(c.Data))
				}
				if part := aside[:1+r.rnd.IntN(n-head)]; i%3 == 0 && b.qp.Place(head, part) {
					placed = part
				} else if i%3 == 1 {
					b.qp.Place(0, nil)
				}
			case c.Op != verbs.Recv || c.Status != verbs.OK || c.Len != n || c.Data == nil && c.ID != 7:
				r.Fatalf("message %d of %d bytes: id %d %v %v len %d", i, n, c.ID, c.Op, c.Status, c.Len)
			case c.Data != nil:
				copy(got, c.Data)
			default:
				copy(got, dst.buf)
				posted = false
			}
		})
		if copy(got[head:], placed); !bytes.Equal(got[:n], src.buf[:n]) {
			r.Fatalf("message %d of %d bytes, %d of them placed: not what was sent", i, n, len(placed))
		}
		a.sent(1, verbs.Send)
		if b.qp.Place(0, nil) {
			r.Fatal("answered when there was nothing to answer")
		}
	}
	dst.intact()
}

// placeNothing: a queue pair of which nothing was told takes no answer, in any state.
func placeNothing(r *rig) {
	a, b := r.pair()
	if a.qp.Place(0, nil) || b.qp.Place(10, make([]byte, 10)) {
		r.Fatal("answered when there was nothing to answer")
	}
	a.modify(verbs.Error)
	if a.qp.Place(0, nil) {
		r.Fatal("answered in Error")
	}
}
