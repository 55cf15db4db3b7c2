package sim

import (
	"bytes"
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

// borrow has whoever polls get messages where they are, or be told of those of at least placeMin bytes.
func (x *side) borrow(lends bool, placeMin int) {
	c := x.cq.(*cq)
	c.borrow, c.placeMin = lends, placeMin
}

// spin polls for the next completion: who waits for it is not told of heads, which are for head.
func (x *side) spin(head func(verbs.Completion)) verbs.Completion {
	for {
		if x.cq.Poll(x.out[:1]) == 0 {
			continue
		}
		if x.out[0].Op != verbs.RecvHead {
			return x.out[0]
		}
		head(x.out[0])
	}
}

// TestBorrow: messages come in order, those that are borrowed take no receive, and what comes behind them
// over a connection waits for them. They stay as they are until the next Poll.
func TestBorrow(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD} {
		withAsked(t, typ, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
			b.borrow(true, 0)
			var to verbs.AH
			if typ == verbs.UD {
				to = a.ah(qb.Addr())
			}
			must(qb.PostRecv([]verbs.RecvWR{{ID: 1, SGL: b.sge(0, 2000)}}))
			for n := 1; n <= 9; n++ {
				must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, n), AH: to, DestQP: qb.Num()}}))
			}
			for n := 1; n <= 9; n++ {
				c := b.spin(nil)
				if c.Len != n || c.ID != 0 || !bytes.Equal(c.Data, a.buf[:n]) || c.Src.IsValid() != (typ == verbs.UD) || typ == verbs.UD && c.Src != qa.Addr() {
					t.Errorf("%v: %+v", typ, c)
				}
			}
			if left := qb.(*qp).recvs.Len(); left != 1 || b.dev.counts.borrowed != 9 {
				t.Errorf("%v: %d receives left, %d borrowed", typ, left, b.dev.counts.borrowed)
			}
		})
	}
}

// TestTakenUnasked: what a program does not look for goes to its receives after a while, and the program is told.
func TestTakenUnasked(t *testing.T) {
	withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		b.borrow(true, 0)
		must(qb.PostRecv([]verbs.RecvWR{{ID: 7, SGL: b.sge(0, 100)}}))
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 100)}}))
		f.s.Sleep(1_000_000)
		if b.cq.Poll(b.out[:1]) != 1 || b.out[0].ID != 7 || !bytes.Equal(a.buf[:100], b.buf[:100]) {
			t.Errorf("%+v", b.out[0])
		}
	})
}

// TestPlace: a Send goes where the program says, in part before the rest has come, and so does one that is
// longer than its receive, of which what fits nowhere is thrown away.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		n, at, room int // of the Send, of its head, of its place
		size        int // that is told
		length      int // that completes
	}{{1000, 40, 960, 1000, 1000}, {1000, 40, 500, 1000, 1000}, {9000, 40, 8960, 0, 40}, {9000, 40, 100, 0, 40}, {9000, 40, 0, 0, 40}} {
		withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
			place := make([]byte, c.room)
			b.borrow(false, 512)
			must(qb.PostRecv([]verbs.RecvWR{{ID: 3, SGL: b.sge(0, 2000)}}))
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, c.n)}}))
			done := b.spin(func(h verbs.Completion) {
				if h.QP != qb.Num() || h.Len != c.size || !bytes.Equal(h.Data, a.buf[:headSize]) || !qb.Place(c.at, place) || qb.Place(c.at, place) {
					t.Errorf("%+v: told %+v", c, h)
				}
			})
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

// TestPlaceNot: a Send of which nobody says where it goes goes to its receive.
func TestPlaceNot(t *testing.T) {
	for _, answers := range []bool{false, true} {
		withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
			b.borrow(false, 512)
			must(qb.PostRecv([]verbs.RecvWR{{ID: 3, SGL: b.sge(0, 2000)}}))
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 1000)}}))
			told := 0
			c := b.spin(func(verbs.Completion) {
				if told++; answers && !qb.Place(0, nil) {
					t.Error("too late")
				}
			})
			if told != 1 || c.ID != 3 || c.Len != 1000 || !bytes.Equal(b.buf[:1000], a.buf[:1000]) {
				t.Errorf("%+v, told %d times", c, told)
			}
		})
	}
}

// TestPlaceLater: a Send that is longer than its receive waits for an answer, with all behind it, and the
// program is told again.
func TestPlaceLater(t *testing.T) {
	withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		asked := 0
		place := make([]byte, 8000)
		b.borrow(false, 512)
		head := func(verbs.Completion) {
			if asked++; asked == 3 {
				qb.Place(40, place)
			}
		}
		for i := range uint64(2) {
			must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(0, 2000)}}))
		}
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 8040)}, {Op: verbs.Send, Flags: verbs.Signaled, SGL: a.sge(0, 10)}}))
		if c := a.next(); c.Status != verbs.OK { // its interface need not wait
			t.Errorf("%+v", c)
		}
		for i, n := range []int{40, 10} {
			if c := b.spin(head); c.ID != uint64(i) || c.Len != n || asked != 3 {
				t.Errorf("%d: %+v after %d questions", i, c, asked)
			}
		}
	})
}

// TestCutOff: a connection that breaks while a Send is coming gives its receive back, and nothing is written any more.
func TestCutOff(t *testing.T) {
	withAsked(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		place := make([]byte, 2000)
		b.borrow(false, 512)
		must(qb.PostRecv([]verbs.RecvWR{{ID: 5, SGL: b.sge(0, 4000)}}))
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 2000)}}))
		if c := b.spin(func(verbs.Completion) {
			f.s.At(f.s.Now()+1, func() { f.Break(0, 1, -1) })
			qb.Place(0, place)
		}); c.ID != 5 || c.Status != verbs.Flushed {
			t.Errorf("%+v", c)
		}
		f.s.Sleep(1_000_000)
		if !bytes.Equal(place[:1000], a.buf[:1000]) || !bytes.Equal(place[1000:], make([]byte, 1000)) || b.dev.counts.cutOff != 1 {
			t.Error("the Send did not end halfway")
		}
	})
}
