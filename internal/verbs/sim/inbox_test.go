package sim

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// firstSegment is that of clusters that ask.
const firstSegment = 4000

// withAsked is withPair on interfaces that ask.
func withAsked(t *testing.T, typ verbs.Type, f func(fab *Fabric, a, b *side, qa, qb verbs.QP)) {
	t.Helper()
	p, err := LoadProfile("ib-sdr")
	if err != nil {
		t.Fatal(err)
	}
	onPair(t, Cluster{Nodes: 2, Profile: p, Asks: firstSegment}, typ, f)
}

// spin polls for the next completion: who waits for it is not asked.
func (x *side) spin() verbs.Completion {
	for x.cq.Poll(x.out[:1]) == 0 {
	}
	return x.out[0]
}

// catchFunc is a catcher that is a function.
type catchFunc func(message []byte, from netip.AddrPort) bool

func (f catchFunc) Catch(message []byte, from netip.AddrPort) bool { return f(message, from) }

// TestCatch: messages come in order, whether they are caught or not, those that are take no receive, and what comes behind them over a connection
// waits for them.
func TestCatch(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD} {
		withAsked(t, typ, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
			var got []int
			if !qb.(verbs.Catching).Catch(catchFunc(func(m []byte, from netip.AddrPort) bool {
				if !bytes.Equal(m, a.buf[:len(m)]) || from.IsValid() != (typ == verbs.UD) || typ == verbs.UD && from != qa.Addr() {
					t.Errorf("%v: shown %d bytes from %v", typ, len(m), from)
				}
				if len(m)%3 == 0 {
					return false
				}
				got = append(got, len(m))
				return true
			})) {
				t.Fatal("an interface that asks shows nothing")
			}
			var to verbs.AH
			if typ == verbs.UD {
				to = a.ah(qb.Addr())
			}
			for i := range uint64(4) {
				must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(0, 2000)}}))
			}
			for n := 1; n <= 9; n++ {
				must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, n), AH: to, DestQP: qb.Num()}}))
			}
			for len(got) < 9 {
				if b.cq.Poll(b.out[:1]) == 1 {
					got = append(got, b.out[0].Len)
				}
			}
			for i, n := range got {
				if n != i+1 {
					t.Fatalf("%v: got %v", typ, got)
				}
			}
			if left := qb.(*qp).recvs.Len(); left != 1 || b.dev.counts.caught != 6 {
				t.Errorf("%v: %d receives left, %d caught", typ, left, b.dev.counts.caught)
			}
		})
	}
}

// TestTakenUnasked: what a program does not look for goes to its receives after a while, and the program is told.
func TestTakenUnasked(t *testing.T) {
	withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		qb.(verbs.Catching).Catch(catchFunc(func([]byte, netip.AddrPort) bool { return true }))
		must(qb.PostRecv([]verbs.RecvWR{{ID: 7, SGL: b.sge(0, 100)}}))
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 100)}}))
		f.s.Sleep(1_000_000)
		if b.cq.Poll(b.out[:1]) != 1 || b.out[0].ID != 7 || !bytes.Equal(a.buf[:100], b.buf[:100]) {
			t.Errorf("%+v", b.out[0])
		}
	})
}

// TestSteer: a Send goes where the program says, in part before the rest has come, and so does one that is longer than its receive, of which what
// fits nowhere is thrown away.
func TestSteer(t *testing.T) {
	for _, c := range []struct {
		n, at, room int // of the Send, of its head, of its place
		size        int // that is told
		length      int // that completes
	}{{1000, 40, 960, 1000, 1000}, {1000, 40, 500, 1000, 1000}, {9000, 40, 8960, 0, 40}, {9000, 40, 100, 0, 40}, {9000, 40, 0, 0, 40}} {
		withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
			place := make([]byte, c.room)
			b.cq.(*cq).Steer(func(num uint32, head []byte, size int) (int, []byte, verbs.Next) {
				if num != qb.Num() || size != c.size || !bytes.Equal(head, a.buf[:headSize]) {
					t.Errorf("%+v: asked about %d bytes for %d", c, size, num)
				}
				return c.at, place, verbs.Fetch
			})
			must(qb.PostRecv([]verbs.RecvWR{{ID: 3, SGL: b.sge(0, 2000)}}))
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, c.n)}}))
			done := b.spin()
			if done.ID != 3 || done.Status != verbs.OK || done.Len != c.length || !bytes.Equal(place, a.buf[c.at:c.at+c.room]) ||
				!bytes.Equal(b.buf[:c.at], a.buf[:c.at]) {
				t.Errorf("%+v: %+v", c, done)
			}
			if end := c.at + c.room; c.size > 0 && !bytes.Equal(b.buf[end:c.n], a.buf[end:c.n]) {
				t.Errorf("%+v: what does not fit its place is not in the receive", c)
			}
		})
	}
}

// placedCatcher catches messages that are in their place, every other one.
type placedCatcher struct {
	catchFunc
	shown int
}

func (c *placedCatcher) CatchPlaced([]byte, int) (bool, verbs.Next) {
	c.shown++
	return c.shown%2 == 0, verbs.Fetch
}

// TestCatchPlaced: a Send that is in its place and caught completes nothing and leaves its receive where it was; the next one takes that.
func TestCatchPlaced(t *testing.T) {
	withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		place := make([]byte, 960)
		b.cq.(*cq).Steer(func(uint32, []byte, int) (int, []byte, verbs.Next) { return 40, place, verbs.Fetch })
		c := &placedCatcher{catchFunc: func([]byte, netip.AddrPort) bool { return false }}
		qb.(verbs.Catching).Catch(c)
		for i := range uint64(3) {
			must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(0, 2000)}}))
		}
		for range 4 {
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 1000)}}))
		}
		for i := range uint64(2) {
			clear(place)
			if done := b.spin(); done.ID != i || done.Len != 1000 || !bytes.Equal(place, a.buf[40:1000]) || !bytes.Equal(b.buf[:40], a.buf[:40]) {
				t.Errorf("%+v", done)
			}
		}
		for c.shown < 4 {
			b.cq.Poll(b.out[:0])
		}
		if left := qb.(*qp).recvs.Len(); left != 1 || b.dev.counts.caughtPlaced != 2 {
			t.Errorf("%d receives left, %d caught", left, b.dev.counts.caughtPlaced)
		}
	})
}

// TestSteerLater: a Send of which the program cannot tell where it goes waits, with all behind it, and it is asked again.
func TestSteerLater(t *testing.T) {
	withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		asked := 0
		place := make([]byte, 8000)
		b.cq.(*cq).Steer(func(_ uint32, _ []byte, size int) (int, []byte, verbs.Next) {
			if asked++; asked < 3 {
				return 0, nil, verbs.Later
			}
			return 40, place, verbs.Fetch
		})
		for i := range uint64(2) {
			must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(0, 2000)}}))
		}
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 8040)}, {Op: verbs.Send, Flags: verbs.Signaled, SGL: a.sge(0, 10)}}))
		if c := a.next(); c.Status != verbs.OK { // its interface need not wait
			t.Errorf("%+v", c)
		}
		for i, n := range []int{40, 10} {
			if c := b.spin(); c.ID != uint64(i) || c.Len != n || asked != 3 {
				t.Errorf("%d: %+v after %d questions", i, c, asked)
			}
		}
	})
}

// TestCutOff: a connection that breaks while a Send is coming gives its receive back, and nothing is written any more.
func TestCutOff(t *testing.T) {
	withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		place := make([]byte, 2000)
		b.cq.(*cq).Steer(func(uint32, []byte, int) (int, []byte, verbs.Next) {
			f.s.At(f.s.Now()+1, func() { f.Break(0, 1, -1) })
			return 0, place, verbs.Fetch
		})
		must(qb.PostRecv([]verbs.RecvWR{{ID: 5, SGL: b.sge(0, 4000)}}))
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 2000)}}))
		if c := b.spin(); c.ID != 5 || c.Status != verbs.Flushed {
			t.Errorf("%+v", c)
		}
		f.s.Sleep(1_000_000)
		if !bytes.Equal(place[:1000], a.buf[:1000]) || !bytes.Equal(place[1000:], make([]byte, 1000)) || b.dev.counts.cutOff != 1 {
			t.Error("the Send did not end halfway")
		}
	})
}
