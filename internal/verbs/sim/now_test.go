package sim

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// withHanded is withPair on interfaces that take up to 1000 bytes without a work request.
func withHanded(t *testing.T, typ verbs.Type, f func(fab *Fabric, a, b *side, qa, qb verbs.QP)) {
	t.Helper()
	p, err := LoadProfile("ib-sdr")
	if err != nil {
		t.Fatal(err)
	}
	onPair(t, Cluster{Nodes: 2, Profile: p, Hands: 1000}, typ, f)
}

// onPair runs a task on two nodes of a cluster with a queue pair each, which are connected if they can be.
func onPair(t *testing.T, c Cluster, typ verbs.Type, f func(fab *Fabric, a, b *side, qa, qb verbs.QP)) {
	t.Helper()
	s := clock.NewScheduler(0)
	fab, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	a, b := newSide(t, fab, 0, 1<<20), newSide(t, fab, 1, 1<<20)
	for i := range a.buf {
		a.buf[i] = byte(i/7 + i/1000)
	}
	qa, qb := a.qp(typ), b.qp(typ)
	s.Go("pair", func() {
		if typ == verbs.RC {
			connect(a, b, qa, qb)
		}
		f(fab, a, b, qa, qb)
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

// sendNow hands over the n bytes of a.buf at off, of which the last late are elsewhere at first, and are the program's again afterwards.
func (x *side) sendNow(q verbs.QP, off, n, late int) bool {
	b := x.buf[off : off+n]
	whole, from := bytes.Clone(b), bytes.Clone(b[n-late:])
	clear(b[n-late:])
	taken := q.(hands).SendNow(b, from, x.mr.LKey())
	clear(from)
	if taken && !bytes.Equal(b, whole) {
		x.tb.Errorf("%d bytes, %d late: what was sent from elsewhere is not there", n, late)
	}
	copy(b, whole)
	return taken
}

// What is handed over comes in its turn among what is posted, and nothing completes.
func TestSendNow(t *testing.T) {
	withHanded(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		const messages = 60
		for i := range uint64(messages) {
			must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(int(i)*1000, 1000)}}))
		}
		now := 0
		for i := range messages {
			if n := 1 + i*16; i%5 < 3 && a.sendNow(qa, i*1000, n, i%7*n/7) {
				now++
			} else {
				must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(i*1000, n)}}))
			}
			if i%20 == 0 {
				f.s.Sleep(100_000)
			}
		}
		for i := range messages {
			n := 1 + i*16
			if c := b.next(); c.ID != uint64(i) || c.Status != verbs.OK || c.Len != n || !bytes.Equal(a.buf[i*1000:i*1000+n], b.buf[i*1000:i*1000+n]) {
				t.Fatalf("%d: %+v", i, c)
			}
		}
		if now == 0 || now == messages || int(a.dev.counts.handed) != now || a.cq.Poll(a.out[:1]) != 0 {
			t.Errorf("%d were handed over, %d counted", now, a.dev.counts.handed)
		}
	})
}

// The memory of a message that was handed over is its program's again, but for one of four.
func TestSendNowTakesCopies(t *testing.T) {
	withHanded(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		whole := 0
		for i := range uint64(4) {
			must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(0, 1000)}}))
			a.buf[0] = 1
			if !a.sendNow(qa, 0, 10, 0) {
				t.Fatal("not taken")
			}
			a.buf[0] = 2
			if c := b.next(); c.Len == 10 && b.buf[0] == 1 {
				whole++
			}
		}
		if whole != 3 {
			t.Errorf("%d of 4 were copied", whole)
		}
	})
}

// What may not be handed over is refused, and nothing has happened.
func TestSendNowRefused(t *testing.T) {
	withHanded(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		if a.sendNow(qa, 0, 1001, 0) {
			t.Error("a long message was taken")
		}
		if qa.(hands).SendNow(make([]byte, 10), nil, a.mr.LKey()) {
			t.Error("memory was taken that is not registered")
		}
		taken := 0
		for ; a.sendNow(qa, 0, 10, 0); taken++ {
			must(qb.PostRecv([]verbs.RecvWR{{SGL: b.sge(0, 1000)}}))
		}
		if taken == 0 || taken > 2*handedMost {
			t.Errorf("%d were taken before one was refused", taken)
		}
		for range taken {
			b.next()
		}
		if !a.sendNow(qa, 0, 10, 0) {
			t.Error("refused though nothing is on its way")
		}
		if err := qa.Disconnect(); err != nil || a.sendNow(qa, 0, 10, 0) {
			t.Errorf("taken while leaving; %v", err)
		}
		must(qb.PostRecv([]verbs.RecvWR{{ID: 9, SGL: b.sge(0, 1000)}}))
		if c := b.next(); c.Status != verbs.OK || c.Len != 10 { // it was there before the end
			t.Errorf("%+v", c)
		}
		b.event(verbs.Disconnected)
		if a.sendNow(qa, 0, 10, 0) {
			t.Error("taken in Error")
		}
		if err := qa.Close(); err != nil || a.sendNow(qa, 0, 10, 0) {
			t.Errorf("taken after Close; %v", err)
		}
	})
}

// What was handed over and gets no answer ends the connection, as a work request would.
func TestSendNowUnheard(t *testing.T) {
	withHanded(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		if err := f.Crash(1); err != nil || !a.sendNow(qa, 0, 10, 0) {
			t.Fatal("not taken", err)
		}
		a.event(verbs.QPFatal)
		if a.cq.Poll(a.out[:1]) != 0 {
			t.Errorf("%+v", a.out[0])
		}
	})
}

// What is handed over while it can find no receive waits for one, and what is posted behind it waits, too.
func TestSendNowWaits(t *testing.T) {
	withHanded(t, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		if !a.sendNow(qa, 0, 10, 10) {
			t.Fatal("not taken")
		}
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 20)}}))
		f.s.Sleep(50_000)
		for i := range uint64(2) {
			must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(0, 1000)}}))
			if c := b.next(); c.ID != i || c.Len != 10*(1+int(i)) || b.dev.counts.rnr == 0 {
				t.Errorf("%+v", c)
			}
		}
	})
}

// Datagrams that are handed over are lost and doubled like others, and nothing completes.
func TestSendNowTo(t *testing.T) {
	withHanded(t, verbs.UD, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		to, q := a.ah(qb.Addr()), qa.(handsTo)
		for i := range 20 {
			must(qb.PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: b.sge(i*1000, 1000)}}))
			a.buf[0] = byte(i)
			if !q.SendNow(to, qb.Num(), a.buf[:i*40]) {
				t.Fatal("not taken")
			}
			a.buf[0] = 99
			if c := b.next(); c.Len != i*40 || c.SrcQP != qa.Num() || c.Src != qa.Addr() || i > 0 && b.buf[i*1000] != byte(i) {
				t.Errorf("%d: %+v", i, c)
			}
		}
		if err := f.Datagrams(Chance{Loss: 1}); err != nil || !q.SendNow(to, qb.Num(), a.buf[:10]) {
			t.Error("not taken", err)
		}
		f.s.Sleep(1_000_000)
		if a.dev.counts.lost != 1 || a.dev.counts.handed != 21 || a.cq.Poll(a.out[:1])+b.cq.Poll(b.out[:1]) != 0 {
			t.Errorf("%d lost, %d handed over", a.dev.counts.lost, a.dev.counts.handed)
		}
		group := a.ah(netip.MustParseAddrPort("239.0.0.1:9"))
		if q.SendNow(nil, 1, a.buf[:10]) || q.SendNow(group, 0, a.buf[:10]) || q.SendNow(to, qb.Num(), a.buf[:1001]) {
			t.Error("taken for nobody, for a group, or too long")
		}
		if err := to.Close(); err != nil || q.SendNow(to, qb.Num(), a.buf[:10]) {
			t.Errorf("taken for an address that was closed; %v", err)
		}
	})
}
