package soft

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// pairOf makes two ends that can talk, of any type, with the destination of the first.
func pairOf(t testing.TB, cfg Config, typ verbs.Type, size int) (a, b *end, ab verbs.AH) {
	t.Helper()
	if typ == verbs.RC {
		a, b = connected(t, cfg, size)
		return a, b, nil
	}
	a, b, ab, _ = readied(t, cfg, typ, size)
	return a, b, ab
}

// computing keeps cores busy until the returned function is called, or the test ends.
func computing(t testing.TB, cores int) (stop func()) {
	var done atomic.Bool
	var all sync.WaitGroup
	for range cores {
		all.Go(func() {
			for x := 1; !done.Load(); x = x*1664525 + 1013904223 {
			}
		})
	}
	stop = func() { done.Store(true); all.Wait() }
	t.Cleanup(stop)
	return stop
}

// read has a read memory of its peer. Over unreliable datagrams the device gives up after a quarter of a
// second, for which a virtual machine may not be given a processor: it is asked again then.
func (a *end) read(wr verbs.SendWR) verbs.Completion {
	a.t.Helper()
	wr.Op = verbs.Read
	for tries := 0; ; tries++ {
		post(a.t, a, wr)
		if c := a.await(); c.Status != verbs.Unreachable || a.qp.Type() != verbs.UD || tries == 50 {
			return c
		}
	}
}

// TestServedAlone: Reads and Writes into a device whose program never calls it complete, also while that program
// keeps the cores busy.
func TestServedAlone(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, typ := range []verbs.Type{verbs.RC, verbs.RD, verbs.UD} {
		for _, busy := range []int{0, 1} {
			a, b, ab := pairOf(t, Config{}, typ, 1<<16)
			for i := range b.buf {
				b.buf[i] = byte(i * 3)
			}
			addr, rkey, want := b.mr.Addr(), b.mr.RKey(), bytes.Clone(b.buf[:1<<12])
			b.dev.mu.Lock()
			polls := b.dev.count.polls
			b.dev.mu.Unlock()
			stop := computing(t, busy)
			for range 20 {
				c := a.read(verbs.SendWR{ID: 1, RemoteAddr: addr, RKey: rkey, AH: ab,
					SGL: []verbs.SGE{{Buf: a.buf[:1<<12], LKey: a.mr.LKey()}}})
				if c.Status != verbs.OK || !bytes.Equal(a.buf[:1<<12], want) {
					t.Fatalf("%v: %+v", typ, c)
				}
			}
			copy(a.buf, "written")
			post(t, a, verbs.SendWR{ID: 2, Op: verbs.Write, RemoteAddr: addr, RKey: rkey, AH: ab,
				SGL: []verbs.SGE{{Buf: a.buf[:7], LKey: a.mr.LKey()}}})
			post(t, a, verbs.SendWR{ID: 3, Op: verbs.Read, RemoteAddr: addr, RKey: rkey, AH: ab,
				SGL: []verbs.SGE{{Buf: a.buf[100:107], LKey: a.mr.LKey()}}})
			for id := range uint64(2) {
				c := a.await()
				if typ == verbs.UD && c.Status == verbs.Unreachable && c.ID == 3 {
					continue // see read
				}
				if c.Status != verbs.OK || c.ID != id+2 {
					t.Fatalf("%v: %+v", typ, c)
				}
			}
			if typ != verbs.UD && string(a.buf[100:107]) != "written" { // UD promises no order
				t.Errorf("%v: the Read after the Write brought %q", typ, a.buf[100:107])
			}
			stop()
			b.dev.mu.Lock()
			if b.dev.count.polls != polls {
				t.Errorf("%v: the program polled", typ)
			}
			b.dev.mu.Unlock()
		}
	}
}

// TestAckedAlone: a reliable datagram to a program that does not look is acknowledged, so that its sender's
// work completes, before it is sent again many times. A virtual machine may not be given a processor for so
// long: one round of five is enough.
func TestAckedAlone(t *testing.T) {
	a, b, ab, _ := readied(t, Config{}, verbs.RD, 1<<16)
	var resent uint64
	for range 5 {
		before := counter(t, a.dev, "rd_resent")
		b.receives(10, 1000)
		for range 10 {
			post(t, a, verbs.SendWR{Op: verbs.Send, AH: ab, SGL: []verbs.SGE{{Buf: a.buf[:1000], LKey: a.mr.LKey()}}})
		}
		for range 10 {
			if c := a.await(); c.Status != verbs.OK {
				t.Fatalf("%+v", c)
			}
		}
		if resent = counter(t, a.dev, "rd_resent") - before; resent <= 10 {
			return
		}
	}
	t.Errorf("%d datagrams were sent again", resent)
}

// TestBell: an armed queue rings when a completion comes, without a poll.
func TestBell(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD, verbs.RD} {
		a, b, ab := pairOf(t, Config{}, typ, 64)
		rung := make(chan struct{}, 1)
		cq, err := b.dev.NewCQ(verbs.CQConfig{Depth: 8, Notify: func() { rung <- struct{}{} }})
		if err != nil {
			t.Fatal(err)
		}
		reportTo(b.qp, cq)
		b.receives(1, 64)
		cq.Arm(false)
		post(t, a, verbs.SendWR{Op: verbs.Send, AH: ab, SGL: []verbs.SGE{{Buf: a.buf, LKey: a.mr.LKey()}}})
		select {
		case <-rung:
		case <-time.After(5 * time.Second):
			t.Errorf("%v: no bell", typ)
		}
	}
}

// reportTo has the receives of a queue pair reported to another queue.
func reportTo(qp verbs.QP, to verbs.CQ) {
	var b *base
	switch q := qp.(type) {
	case *rc:
		b = &q.base
	case *dgram:
		b = &q.base
	}
	b.dev.mu.Lock()
	defer b.dev.mu.Unlock()
	b.recvCQ.Users--
	b.recvCQ = to.(*cq)
	b.recvCQ.Users++
}

// TestTwoSleepers: goroutines that wait for two queues of a device are woken each for its own, whoever of them drives.
func TestTwoSleepers(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD, verbs.RD} {
		a, b, ab := pairOf(t, Config{}, typ, 64)
		second := newEnd(t, b.dev, verbs.UD, 64)
		if err := second.qp.Modify(verbs.RTS); err != nil {
			t.Fatal(err)
		}
		const rounds = 50
		b.receives(rounds, 64)
		second.receives(rounds, 64)
		var woken [2]atomic.Int32
		var all sync.WaitGroup
		for i, e := range []*end{b, second} {
			all.Go(func() {
				var done [1]verbs.Completion
				for range rounds {
					for e.cq.Poll(done[:]) == 0 {
						if !e.cq.Wait(int64(10 * time.Second)) {
							t.Errorf("%v: sleeper %d was not woken", typ, i)
							return
						}
					}
					woken[i].Add(1)
				}
			})
		}
		extra := newEnd(t, a.dev, verbs.UD, 64)
		if err := extra.qp.Modify(verbs.RTS); err != nil {
			t.Fatal(err)
		}
		to := extra.handle(second.qp.Addr())
		for i := range int32(rounds) {
			post(t, a, verbs.SendWR{Op: verbs.Send, AH: ab, SGL: []verbs.SGE{{Buf: a.buf, LKey: a.mr.LKey()}}})
			a.await()
			post(t, extra, verbs.SendWR{Op: verbs.Send, AH: to, SGL: []verbs.SGE{{Buf: extra.buf, LKey: extra.mr.LKey()}}})
			extra.await()
			eventually(t, "both are woken", func() bool { return woken[0].Load() > i && woken[1].Load() > i })
		}
		all.Wait()
	}
}

// TestTimersWhileAnotherSleeps: what was lost is sent again although the one who sleeps on the sockets waits for
// something else, without limit.
func TestTimersWhileAnotherSleeps(t *testing.T) {
	a, b, ab, _ := readied(t, Config{}, verbs.RD, 64)
	b.receives(1, 64)
	idle, err := a.dev.NewCQ(verbs.CQConfig{Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	asleep := make(chan bool)
	go func() { asleep <- idle.Wait(-1) }()
	eventually(t, "it sleeps", func() bool {
		a.dev.mu.Lock()
		defer a.dev.mu.Unlock()
		return a.dev.inPoller == idle.(*cq)
	})
	var lost atomic.Int32
	a.dev.Tap(func(verbs.Datagram) verbs.Fate { return verbs.Fate{Drop: lost.Add(1) <= 2} })
	post(t, a, verbs.SendWR{Op: verbs.Send, AH: ab, SGL: []verbs.SGE{{Buf: a.buf, LKey: a.mr.LKey()}}})
	if !a.cq.Wait(int64(5 * time.Second)) {
		t.Error("nobody sent again what was lost")
	}
	if err := idle.Close(); err != nil {
		t.Fatal(err)
	}
	if <-asleep {
		t.Error("a closed queue has something")
	}
}

// TestPollAndServe: callers that poll, wait, arm and go away at random, and the device's own goroutine, do not lose
// anything nor wait for each other.
func TestPollAndServe(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.RC, verbs.RD} {
		a, b, ab := pairOf(t, Config{}, typ, 1<<14)
		const rounds = 400
		var all sync.WaitGroup
		all.Go(func() { // receives, each time in another way
			var done [4]verbs.Completion
			posted := 0
			for got := 0; got < rounds; {
				for posted < rounds && posted-got < 32 {
					if _, err := b.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: b.buf[:64], LKey: b.mr.LKey()}}}}); err != nil {
						t.Error(err)
						return
					}
					posted++
				}
				n := b.cq.Poll(done[:])
				for _, c := range done[:n] {
					if c.Status != verbs.OK {
						t.Errorf("%+v", c)
						return
					}
				}
				if got += n; n > 0 {
					continue
				}
				switch got % 3 {
				case 0:
					b.cq.Wait(int64(time.Second))
				case 1:
					b.cq.Arm(false)
					time.Sleep(50 * time.Microsecond)
				default:
					runtime.Gosched()
				}
			}
		})
		all.Go(func() { // another caller that drives the same device
			var ev [1]verbs.Event
			for range 300 {
				b.dev.PollEvents(ev[:])
				time.Sleep(20 * time.Microsecond)
			}
		})
		var done [4]verbs.Completion
		for sent, acked := 0, 0; acked < rounds; {
			if sent < rounds && sent-acked < 32 {
				post(t, a, verbs.SendWR{Op: verbs.Send, AH: ab, SGL: []verbs.SGE{{Buf: a.buf[:64], LKey: a.mr.LKey()}}})
				sent++
			}
			n := a.cq.Poll(done[:])
			if n == 0 && sent-acked == 32 && !a.cq.Wait(int64(10*time.Second)) {
				t.Fatalf("%v: stuck after %d", typ, acked)
			}
			acked += n
		}
		all.Wait()
	}
}

// processorTime is how long the process has used the cores.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestIdleIsIdle: a device with connections, flows and sleepers on which nothing happens leaves the cores alone.
func TestIdleIsIdle(t *testing.T) {
	a, b := connected(t, Config{}, 64)
	c, d, cd, _ := readied(t, Config{}, verbs.RD, 64)
	d.receives(1, 64)
	post(t, c, verbs.SendWR{Op: verbs.Send, AH: cd, SGL: []verbs.SGE{{Buf: c.buf, LKey: c.mr.LKey()}}})
	c.await()
	b.cq.Arm(false)
	woken := make(chan bool)
	go func() { woken <- a.cq.Wait(-1) }()
	time.Sleep(100 * time.Millisecond) // what was going on ends
	runtime.GC()
	served := counter(t, b.dev, "served_alone") + counter(t, c.dev, "served_alone") + counter(t, d.dev, "served_alone")
	const span = 300 * time.Millisecond
	before := processorTime(t)
	time.Sleep(span)
	if used := processorTime(t) - before; used > span/5 {
		t.Errorf("idle devices used the cores for %v of %v", used, span)
	}
	again := counter(t, b.dev, "served_alone") + counter(t, c.dev, "served_alone") + counter(t, d.dev, "served_alone")
	if again-served > 30 {
		t.Errorf("idle devices woke %d times", again-served)
	}
	if err := b.qp.Disconnect(); err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Disconnected)
	if err := a.qp.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.cq.Close(); err != nil {
		t.Fatal(err)
	}
	<-woken
}

// TestLeaveAtAnyTime: a program that goes away after any number of polls is served by the device's goroutine, which
// may have been asleep all the time: what was lost is sent again, and Reads are answered.
func TestLeaveAtAnyTime(t *testing.T) {
	a, b, ab, ba := readied(t, Config{}, verbs.RD, 64)
	var lose atomic.Bool
	a.dev.Tap(func(verbs.Datagram) verbs.Fate { return verbs.Fate{Drop: lose.CompareAndSwap(true, false)} })
	none := make([]verbs.Completion, 0)
	for _, polls := range []int{0, 1, 2, 3, 5, 100, 300, 511, 512, 513, 600, 1100, 3000, 0, 600} {
		b.receives(1, 64)
		lose.Store(true)
		post(t, a, verbs.SendWR{Op: verbs.Send, AH: ab, SGL: []verbs.SGE{{Buf: a.buf, LKey: a.mr.LKey()}}})
		for range polls {
			a.cq.Poll(none)
		}
		if c := b.await(); c.Op != verbs.Recv || c.Status != verbs.OK { // from here on nobody calls the other device
			t.Fatalf("after %d polls: %+v", polls, c)
		}
		post(t, b, verbs.SendWR{Op: verbs.Read, RemoteAddr: a.mr.Addr(), RKey: a.mr.RKey(), AH: ba,
			SGL: []verbs.SGE{{Buf: b.buf, LKey: b.mr.LKey()}}})
		if c := b.await(); c.Op != verbs.Read || c.Status != verbs.OK {
			t.Fatalf("after %d polls: %+v", polls, c)
		}
		a.await()
		if polls%2 == 0 {
			time.Sleep(5 * time.Millisecond) // the goroutine falls asleep on the sockets
		}
	}
}
