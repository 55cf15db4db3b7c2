package sim

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// withPair runs f in a task with a connected pair of processes on two nodes.
func withPair(t *testing.T, profile string, f func(fab *Fabric, a, b *side, qa, qb verbs.QP)) {
	t.Helper()
	s, fab := cluster(t, profile, 2)
	a, b := newSide(t, fab, 0, 1<<20), newSide(t, fab, 1, 1<<20)
	qa, qb := a.qp(verbs.RC), b.qp(verbs.RC)
	s.Go("pair", func() {
		connect(a, b, qa, qb)
		f(fab, a, b, qa, qb)
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

func write(a, b *side, q verbs.QP, n int) {
	must(q.PostSend([]verbs.SendWR{{Op: verbs.Write, Flags: verbs.Signaled, SGL: a.sge(0, n), RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey()}}))
}

// TestRailComesBack: what a connection carries waits for a rail that is down for a while, in the middle of
// a message too, and keeps its order.
func TestRailComesBack(t *testing.T) {
	for _, down := range []int{0, 1} {
		withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, qb verbs.QP) {
			for i := range uint64(5) {
				must(qb.PostRecv([]verbs.RecvWR{{ID: i, SGL: b.sge(0, 1<<18)}}))
				must(qa.PostSend([]verbs.SendWR{{ID: i, Op: verbs.Send, Flags: verbs.Signaled, SGL: a.sge(0, 1<<18-int(i))}}))
			}
			start := f.s.Now()
			f.s.At(start+200_000, func() { _ = f.RailDown(down, 0) })
			f.s.At(start+5_000_000, func() { _ = f.RailUp(down, 0) })
			for i := range uint64(5) {
				if c := b.next(); c.ID != i || c.Status != verbs.OK || c.Len != 1<<18-int(i) {
					t.Errorf("receive %d: id %d %v, %d bytes", i, c.ID, c.Status, c.Len)
				}
				if c := a.next(); c.ID != i || c.Status != verbs.OK {
					t.Errorf("send %d: id %d %v", i, c.ID, c.Status)
				}
			}
			if now := f.s.Now() - start; now < 5_000_000 {
				t.Errorf("all was there after %d ns, while the rail was down", now)
			}
			if b.dev.counts.held+a.dev.counts.held == 0 && down == 1 {
				t.Error("nothing was held")
			}
		})
	}
}

// TestRailStaysDown: a connection gives up after a while, with the status that says why.
func TestRailStaysDown(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, _ verbs.QP) {
		if err := f.RailDown(1, 0); err != nil {
			t.Fatal(err)
		}
		start := f.s.Now()
		write(a, b, qa, 8)
		if c := a.next(); c.Status != verbs.Unreachable {
			t.Errorf("a Write to a node that is off the network: %v", c.Status)
		}
		if took := f.s.Now() - start; took < f.cost.retry.get() || took > 2*f.cost.retry.get() {
			t.Errorf("noticed after %d ns", took)
		}
		if e := a.event(verbs.QPFatal); e.Err == nil || qa.State() != verbs.Error {
			t.Errorf("event %+v, state %v", e, qa.State())
		}
	})
}

// TestCrash: a node that ends suddenly tells nobody; who sends to it notices, who asks to connect too.
func TestCrash(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, _ verbs.QP) {
		l, err := b.dev.Listen(verbs.ListenConfig{})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Crash(1); err != nil {
			t.Fatal(err)
		}
		f.s.Sleep(1_000_000)
		if qa.State() != verbs.RTS {
			t.Errorf("the peer knows of the crash without having sent anything: %v", qa.State())
		}
		if _, err := b.dev.NewPD(); !errors.Is(err, verbs.ErrClosed) {
			t.Errorf("a device of a crashed node: %v", err)
		}
		write(a, b, qa, 8)
		if c := a.next(); c.Status != verbs.Unreachable {
			t.Errorf("a Write to a crashed node: %v", c.Status)
		}
		a.event(verbs.QPFatal)
		q := a.qp(verbs.RC)
		if err := q.Connect(l.Addr(), nil); err != nil {
			t.Fatal(err)
		}
		a.event(verbs.ConnectFailed)
	})
}

// TestBreak: both ends of a broken connection learn of it, and what was open is flushed.
func TestBreak(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		write(a, b, qa, 1<<20)
		f.s.Sleep(10_000)
		if n := f.Break(0, 1, -1); n != 1 {
			t.Errorf("%d connections broke", n)
		}
		for _, x := range []*side{a, b} {
			if e := x.event(verbs.QPFatal); !errors.Is(e.Err, ErrBroken) {
				t.Errorf("event %+v", e)
			}
		}
		if c := a.next(); c.Status != verbs.Flushed {
			t.Errorf("the Write ended as %v", c.Status)
		}
		if n := f.Break(0, 1, -1); n != 0 {
			t.Errorf("%d connections broke twice", n)
		}
	})
}

// TestStall: an interface that does nothing for a while does everything afterwards.
func TestStall(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, _ verbs.QP) {
		start := f.s.Now()
		if err := f.Stall(1, 0, 300_000); err != nil {
			t.Fatal(err)
		}
		write(a, b, qa, 8)
		if c, took := a.next(), f.s.Now()-start; c.Status != verbs.OK || took < 300_000 || took > 310_000 {
			t.Errorf("%v after %d ns", c.Status, took)
		}
	})
}

// TestDatagramsSuffer as chance will have it, and counters say so; connections do not.
func TestDatagramsSuffer(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, _ verbs.QP) {
		if err := f.Datagrams(Chance{Loss: 0.2, Duplicate: 0.2, Reorder: 0.2}); err != nil {
			t.Fatal(err)
		}
		from, to := a.qp(verbs.UD), b.qp(verbs.UD, func(c *verbs.QPConfig) { c.RecvDepth = 1000 })
		ah := a.ah(to.Addr())
		for range 500 {
			must(to.PostRecv([]verbs.RecvWR{{SGL: b.sge(0, 64)}}))
		}
		for i := range 200 {
			a.buf[0] = byte(i)
			must(from.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Signaled, SGL: a.sge(0, 64), AH: ah}}))
			if c := a.next(); c.Status != verbs.OK {
				t.Errorf("datagram %d: %v", i, c.Status)
			}
			write(a, b, qa, 8)
			if c := a.next(); c.Status != verbs.OK {
				t.Errorf("Write %d: %v", i, c.Status)
			}
		}
		f.s.Sleep(1_000_000)
		c := a.dev.counts
		if c.lost < 20 || c.lost > 60 || c.doubled < 20 || c.doubled > 60 || c.late < 15 {
			t.Errorf("%d lost, %d doubled, %d late of 200", c.lost, c.doubled, c.late)
		}
		if got := b.dev.counts.received; got != 200-c.lost+c.doubled {
			t.Errorf("%d received, %d lost, %d doubled of 200", got, c.lost, c.doubled)
		}
	})
	_, f := cluster(t, "ne020", 1)
	for _, bad := range []Chance{{Loss: 2}, {Reorder: -1}, {Delay: -1}} {
		if f.Datagrams(bad) == nil {
			t.Errorf("took %+v", bad)
		}
	}
	for _, err := range []error{f.RailDown(1, 0), f.RailUp(0, 9), f.Stall(-1, 0, 1), f.Crash(7)} {
		if err == nil {
			t.Error("did something to an interface that there is not")
		}
	}
}

// TestReceiverNotReady: a Send without a receive is tried again at the interface's pace, and fails when its
// patience is over.
func TestReceiverNotReady(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		send := []verbs.SendWR{{Op: verbs.Send, Flags: verbs.Signaled, SGL: a.sge(0, 8)}}
		must(qa.PostSend(send))
		start := f.s.Now()
		f.s.Sleep(3*f.cost.rnr.get() + 5000)
		must(qb.PostRecv([]verbs.RecvWR{{SGL: b.sge(0, 8)}}))
		b.next()
		if took := f.s.Now() - start; took < 4*f.cost.rnr.get() || took > 5*f.cost.rnr.get() {
			t.Errorf("delivered after %d ns, tries are %d ns apart", took, f.cost.rnr.get())
		}
		a.next()
		must(qa.PostSend(send))
		if c := a.next(); c.Status != verbs.NoReceive {
			t.Errorf("without any receive: %v", c.Status)
		}
		a.event(verbs.QPFatal)
		b.event(verbs.QPFatal)
		if b.dev.counts.rnr != 2 || b.dev.counts.noReceive != 1 {
			t.Errorf("counted %d and %d", b.dev.counts.rnr, b.dev.counts.noReceive)
		}
	})
}

// TestReceiverNotReadyOnce: a queue of Sends that finds too few receives is turned back once, not once per receive.
func TestReceiverNotReadyOnce(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		for range 4 {
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, 8)}}))
		}
		f.s.Sleep(f.cost.rnr.get() / 2)
		for range 3 {
			must(qb.PostRecv([]verbs.RecvWR{{SGL: b.sge(0, 8)}}))
		}
		for range 3 {
			b.next()
		}
		f.s.Sleep(f.cost.rnr.get() / 2)
		must(qb.PostRecv([]verbs.RecvWR{{SGL: b.sge(0, 8)}}))
		b.next()
		if b.dev.counts.rnr != 2 {
			t.Errorf("turned back %d times, not when the first and when the last came", b.dev.counts.rnr)
		}
	})
}

// TestReceivesAreNotPostedBefore: a message does not find a receive that is posted later, by somebody who
// was busy when it came.
func TestReceivesAreNotPostedBefore(t *testing.T) {
	withPair(t, "connectx-ddr", func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Signaled, SGL: a.sge(0, 8)}}))
		f.s.Charge(f.cost.rnr.get() / 2)
		must(qb.PostRecv([]verbs.RecvWR{{SGL: b.sge(0, 8)}}))
		b.next()
		if b.dev.counts.rnr != 1 {
			t.Errorf("it was turned back %d times", b.dev.counts.rnr)
		}
		a.next()
	})
}
