package verbstest

import (
	"sync/atomic"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Sleeping until there is something to do.
var bellCases = []scenario{
	{name: "bell/rings once", run: bellOnce},
	{name: "bell/rings for solicited Sends only", run: bellSolicited},
	{name: "bell/rings for failures", run: bellFailure},
	{name: "bell/serves the peer while asleep", types: reliable, run: bellServes},
	{name: "wait/limit", run: waitLimit},
	{name: "wait/wakes up", run: waitWakes},
	{name: "wait/sees what is there", run: waitSees},
	{name: "wait/is woken", run: waitWoken},
	{name: "wait/is rung for", run: waitRung},
	{name: "wait/many sleepers", run: manySleepers},
	{name: "bell/rings while somebody waits", run: bellBesideWait},
	{name: "events/bell", run: eventBell},
}

// belled makes a pair whose b has a receive queue with a bell, and the count of its rings.
func (r *rig) belled() (a, b *end, rings *atomic.Int32) {
	r.Helper()
	rings = new(atomic.Int32)
	box := r.box(r.hosts[1], verbs.CQConfig{Depth: 2 * depth, Notify: func() { rings.Add(1) }})
	a = r.endOn(r.hosts[0]).init()
	b = r.endOn(r.hosts[1], func(c *verbs.QPConfig) { c.RecvCQ = box.cq }).init()
	r.join(a, b)
	return a, b, rings
}

// rings waits for the bell without polling the queue it belongs to.
func (r *rig) ring(b *box, rings *atomic.Int32, n int32) {
	r.Helper()
	b.muted = true
	r.until("the bell", func() bool { return rings.Load() >= n })
	b.muted = false
}

func bellOnce(r *rig) {
	a, b, rings := r.belled()
	for i := range uint64(20) {
		b.recv(i)
	}
	say := func(i uint64) {
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		a.sent(i, verbs.Send)
	}
	say(0)
	b.got(0, verbs.Recv, 0)
	if n := rings.Load(); n != 0 {
		r.Fatalf("%d rings of a bell that was never armed", n)
	}
	for k := range int32(3) {
		b.recvs.cq.Arm(false)
		base := 1 + 3*uint64(k)
		for i := range uint64(3) {
			say(base + i)
		}
		r.ring(b.recvs, rings, k+1)
		for i := range uint64(3) {
			b.got(base+i, verbs.Recv, 0)
		}
		r.settle()
		if n := rings.Load(); n != k+1 {
			r.Fatalf("%d rings after arming %d times", n, k+1)
		}
	}
}

func bellSolicited(r *rig) {
	a, b, rings := r.belled()
	for i := range uint64(4) {
		b.recv(i)
	}
	b.recvs.cq.Arm(true)
	for i := range uint64(2) {
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		a.sent(i, verbs.Send)
		if c := b.got(i, verbs.Recv, 0); c.Marks&verbs.WasSolicited != 0 {
			r.Errorf("marked as solicited: %x", c.Marks)
		}
	}
	if !r.caps.Solicited {
		r.ring(b.recvs, rings, 1)
		b.recvs.cq.Arm(true)
		rings.Store(0)
	}
	r.settle()
	if n := rings.Load(); n != 0 {
		r.Fatalf("%d rings for messages that were not solicited", n)
	}
	a.post(verbs.SendWR{ID: 2, Op: verbs.Send, Flags: verbs.Signaled | verbs.Solicited})
	a.sent(2, verbs.Send)
	r.ring(b.recvs, rings, 1)
	if c := b.got(2, verbs.Recv, 0); (c.Marks&verbs.WasSolicited != 0) != r.caps.TellsSolicited {
		r.Errorf("a solicited message has the marks %x; that the device tells is %v", c.Marks, r.caps.TellsSolicited)
	}
}

// bellFailure: a failed completion rings even an armed-for-solicited bell.
func bellFailure(r *rig) {
	_, b, rings := r.belled()
	b.recv(1)
	b.recvs.cq.Arm(true)
	b.modify(verbs.Error)
	r.ring(b.recvs, rings, 1)
	b.flushed(b.recvs, 1, 1)
}

// bellServes: a device that was armed serves Reads by itself.
func bellServes(r *rig) {
	r.need(r.hasReadWrite(), "Read")
	a, b, rings := r.belled()
	src, dst := b.host.region(r, 200_000, verbs.RemoteRead), a.host.region(r, 200_000, verbs.LocalWrite)
	fill(src.buf, 1)
	b.recvs.cq.Arm(false)
	b.recvs.muted, b.sends.muted = true, true
	a.post(verbs.SendWR{ID: 1, Op: verbs.Read, Flags: verbs.Signaled, SGL: dst.sgl(0, 200_000), RemoteAddr: src.at(0), RKey: src.mr.RKey()})
	a.sent(1, verbs.Read)
	r.holds("Read from a sleeping peer", dst.buf, 1)
	if n := rings.Load(); n != 0 {
		r.Errorf("%d rings for a Read by the peer", n)
	}
}

func waitLimit(r *rig) {
	_, b := r.pair()
	b.recv(1)
	for _, limit := range []time.Duration{0, time.Millisecond, 30 * time.Millisecond} {
		start := r.world.Now()
		if b.recvs.cq.Wait(int64(limit)) {
			r.Fatalf("Wait(%v) sees a completion where there is none", limit)
		}
		if took := r.world.Now() - start; took < limit/2 {
			r.Errorf("Wait(%v) returned empty-handed after %v", limit, took)
		}
	}
}

// waitWakes sleeps on one end while the other sends a little later and makes no further call.
func waitWakes(r *rig) {
	a, b := r.pair()
	for i := range uint64(20) {
		b.recv(i)
	}
	for i := range uint64(10) {
		wr := []verbs.SendWR{a.aim(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})}
		posted := make(chan error, 1)
		r.world.Go(func() {
			r.world.Sleep(time.Duration(i) * time.Millisecond)
			_, err := a.qp.PostSend(wr)
			posted <- err
		})
		limit := int64(r.opt.Patience)
		if i%2 == 1 {
			limit = -1
		}
		c := r.slept(b.recvs.cq, limit)
		if err := await(r, "the post", posted); err != nil {
			r.Fatalf("PostSend: %v", err)
		}
		if c.ID != i || c.Status != verbs.OK {
			r.Fatalf("completion id %d %v, want %d", c.ID, c.Status, i)
		}
		a.sent(i, verbs.Send)
	}
}

// slept waits for a completion by Wait alone, as a program does that sleeps until there is something to do. Other
// goroutines than the case's own may call it.
func (r *rig) slept(cq verbs.CQ, limit int64) verbs.Completion {
	r.Helper()
	done := make(chan verbs.Completion, 1)
	r.world.Go(func() {
		defer close(done)
		var c [1]verbs.Completion
		for cq.Poll(c[:]) == 0 {
			if !cq.Wait(limit) {
				return
			}
		}
		done <- c[0]
	})
	for end := r.world.Now() + r.opt.Patience; r.world.Now() < end; r.world.Sleep(20 * time.Microsecond) {
		select {
		case c, ok := <-done:
			if !ok {
				r.Error("Wait returned without a completion")
			}
			return c
		default:
		}
	}
	r.Errorf("a sleeper was not woken within %v\n%s", r.opt.Patience, stacks())
	return verbs.Completion{Status: verbs.LocalFault}
}

// waitSees does not sleep when a completion is already there.
func waitSees(r *rig) {
	a, b := r.pair()
	b.recvs.muted = true
	b.recv(1)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	a.sent(1, verbs.Send)
	for range 3 {
		if !b.recvs.cq.Wait(int64(r.opt.Patience)) {
			r.Fatal("Wait does not see the completion that is there")
		}
	}
	b.recvs.muted = false
	b.got(1, verbs.Recv, 0)
}

// manySleepers sleep each at its own queue; each message wakes its receiver, in whatever order they come.
func manySleepers(r *rig) {
	const pairs, rounds = 6, 5
	var as []*end
	for range pairs {
		a, _ := r.pair()
		as = append(as, a)
	}
	for round := range uint64(rounds) {
		woken := make(chan verbs.Completion, pairs)
		for _, a := range as {
			b := a.peer
			b.recv(round)
			b.recvs.muted = true
			r.world.Go(func() { woken <- r.slept(b.recvs.cq, -1) })
		}
		r.settle()
		for _, k := range r.rnd.Perm(pairs) {
			as[k].post(verbs.SendWR{ID: round, Op: verbs.Send, Flags: verbs.Signaled})
		}
		got := 0
		r.until("all sleepers", func() bool {
			select {
			case c := <-woken:
				if c.ID != round || c.Status != verbs.OK {
					r.Fatalf("a sleeper woke with id %d %v, want %d", c.ID, c.Status, round)
				}
				got++
			default:
			}
			return got == pairs
		})
		for _, a := range as {
			a.sent(round, verbs.Send)
			a.peer.recvs.muted = false
		}
	}
}

// bellBesideWait: somebody who waits at one queue of a device does not keep the bell of another from ringing.
func bellBesideWait(r *rig) {
	a, b, rings := r.belled()
	c, d := r.pair()
	b.recv(1)
	d.recv(2)
	d.recvs.muted = true
	woken := make(chan verbs.Completion, 1)
	r.world.Go(func() { woken <- r.slept(d.recvs.cq, -1) })
	r.settle()
	b.recvs.cq.Arm(false)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	r.ring(b.recvs, rings, 1)
	b.got(1, verbs.Recv, 0)
	c.post(verbs.SendWR{ID: 2, Op: verbs.Send, Flags: verbs.Signaled})
	c.sent(2, verbs.Send)
	if w := await(r, "the sleeper", woken); w.ID != 2 || w.Status != verbs.OK {
		r.Fatalf("the sleeper woke with id %d %v", w.ID, w.Status)
	}
}

// eventBell: NotifyEvents rings after an event.
func eventBell(r *rig) {
	r.need(r.caps.SRQ, "shared receive queues")
	var rings atomic.Int32
	h := r.hosts[1]
	h.dev.NotifyEvents(func() { rings.Add(1) })
	s := r.shared(h, 4)
	a := r.endOn(r.hosts[0]).init()
	b := r.endOn(h, func(c *verbs.QPConfig) { c.SRQ = s.srq }).init()
	r.join(a, b)
	before := rings.Load()
	s.recv(1)
	if err := s.srq.Limit(1); err != nil {
		r.Fatalf("Limit: %v", err)
	}
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	b.got(1, verbs.Recv, 0)
	r.event(h, s.srq.Num(), verbs.SRQLimit)
	r.until("the bell of events", func() bool { return rings.Load() > before })
	h.dev.NotifyEvents(nil)
}

// waitWoken: Wake ends a Wait that has nothing to wait for, whether it comes before or meanwhile.
func waitWoken(r *rig) {
	_, b, _ := r.belled()
	cq := b.recvs.cq
	cq.Wake()
	if cq.Wait(-1) {
		r.Fatalf("a completion nobody sent")
	}
	for range 20 {
		asleep := make(chan bool, 1)
		r.world.Go(func() { asleep <- cq.Wait(-1) })
		r.world.Sleep(time.Millisecond)
		cq.Wake()
		if await(r, "the sleeper", asleep) {
			r.Fatalf("a completion nobody sent")
		}
	}
}

// waitRung: Rung ends a Wait, whether it says so before or when somebody has rung the doorbell; a ring alone does not.
func waitRung(r *rig) {
	var rung atomic.Bool
	cq := r.box(r.hosts[0], verbs.CQConfig{Depth: depth, Rung: rung.Load}).cq
	ring := func() {
		if fd := cq.Doorbell(); fd < 0 {
			cq.Wake()
		} else if _, err := syscall.Write(fd, []byte{1, 0, 0, 0, 0, 0, 0, 0}); err != nil {
			r.Error(err)
		}
	}
	for range 20 {
		asleep := make(chan bool, 1)
		r.world.Go(func() { asleep <- cq.Wait(-1) })
		r.world.Sleep(time.Millisecond)
		if cq.Doorbell() >= 0 {
			ring()
			r.world.Sleep(time.Millisecond)
			if len(asleep) > 0 {
				r.Fatalf("Wait is over though there is nothing else to do")
			}
		}
		rung.Store(true)
		ring()
		if await(r, "the sleeper", asleep) || cq.Wait(-1) {
			r.Fatalf("a completion nobody sent")
		}
		rung.Store(false)
		cq.Wait(0) // may have been woken for that
	}
}
