package verbstest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Many queue pairs, and many goroutines.
var crowdCases = []scenario{
	{name: "crowd/queue pairs", run: crowd},
	{name: "crowd/goroutines on one queue pair", run: func(r *rig) { r.posters(8, 1, r.times(100)) }},
	{name: "crowd/goroutines on many queue pairs", run: func(r *rig) { r.posters(8, 8, r.times(100)) }},
	{name: "crowd/goroutines poll one queue", run: pollers},
	{name: "crowd/state changes under fire", run: underFire},
}

// spin waits without stepping, for a goroutine that polls by itself.
func (r *rig) spin(what string, ok func() bool) {
	r.Helper()
	end := r.world.Now() + r.opt.Patience
	for i := 0; !ok(); i++ {
		r.world.Pass()
		if i%1024 == 0 && r.world.Now() > end {
			r.Fatalf("waited %v for %s", r.opt.Patience, what)
		}
	}
}

// crowd makes as many queue pairs as asked for, all alive at once, and has each send and receive.
func crowd(r *rig) {
	many := r.opt.Crowd
	if many == 0 {
		if many = 2000; r.typ == verbs.RC {
			many = 500
		}
		if r.opt.Brief {
			many /= 10
		}
	}
	small := func(box *box) func(*verbs.QPConfig) {
		return func(c *verbs.QPConfig) { c.SendCQ, c.RecvCQ, c.SendDepth, c.RecvDepth = box.cq, box.cq, 2, 2 }
	}
	left := r.box(r.hosts[0], verbs.CQConfig{Depth: 256})
	right := r.box(r.hosts[1], verbs.CQConfig{Depth: 256})
	var as, bs []*end
	for range many / 2 {
		a, b := r.endOn(r.hosts[0], small(left)).init(), r.endOn(r.hosts[1], small(right)).init()
		r.join(a, b)
		as, bs = append(as, a), append(bs, b)
	}
	src, dst := r.hosts[0].region(r, 8*len(as), 0), r.hosts[1].region(r, 8*len(as), verbs.LocalWrite)
	const burst = 64
	for at := 0; at < len(as); at += burst {
		group := as[at:min(at+burst, len(as))]
		for i, a := range group {
			k := at + i
			binary.LittleEndian.PutUint64(src.buf[8*k:], uint64(k)*3+1)
			bs[k].recv(uint64(k), dst.sge(8*k, 8*k+8))
			a.post(verbs.SendWR{ID: uint64(k), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(8*k, 8*k+8)})
		}
		r.take(left, len(group))
		for _, c := range r.take(right, len(group)) {
			if c.Status != verbs.OK || c.QP != bs[c.ID].qp.Num() {
				r.Fatalf("receive %d: qp %d %v", c.ID, c.QP, c.Status)
			}
			if got := binary.LittleEndian.Uint64(dst.buf[8*c.ID:]); got != c.ID*3+1 {
				r.Fatalf("queue pair %d received the message of %d", c.ID, (got-1)/3)
			}
		}
	}
}

// storm is many goroutines that post to queue pairs at the same time, each its own numbered stream, while the case's
// own goroutine polls. Each message is 16 bytes: the number of its goroutine, and its number in that one's stream.
type storm struct {
	r              *rig
	as, bs         []*end
	src, dst       *region
	each, slots    int            // messages of a goroutine, receives of a queue pair
	arrived        []atomic.Int64 // messages of each goroutine; they wait for each other within bounds
	sent, received []bool
	left           int // completions that are missing
	failed         atomic.Pointer[string]
}

// maxOpen is how many messages of a goroutine may be on their way.
const maxOpen = 4

func (r *rig) posters(goroutines, pairs, each int) {
	total := goroutines * each
	s := &storm{r: r, each: each, slots: goroutines * maxOpen, arrived: make([]atomic.Int64, goroutines),
		sent: make([]bool, total), received: make([]bool, total), left: 2 * total}
	for range pairs {
		a, b := r.pair()
		s.as, s.bs = append(s.as, a), append(s.bs, b)
	}
	s.src = r.hosts[0].region(r, 16*total, 0)
	s.dst = r.hosts[1].region(r, 16*pairs*s.slots, verbs.LocalWrite)
	for k := range s.bs {
		for i := range s.slots {
			s.recv(k, uint64(i))
		}
	}
	others := r.beside()
	for g := range goroutines {
		a := s.as[g%pairs]
		wr := a.aim(verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled})
		others.run(func() { s.post(g, a.qp, wr) })
	}
	if !r.within(r.opt.Patience, s.collect) {
		s.fail("%d of %d completions are missing", s.left, 2*total)
	}
	others.wait()
	if why := s.failed.Load(); why != nil {
		r.Fatal(*why)
	}
}

func (s *storm) fail(format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	s.failed.CompareAndSwap(nil, &why)
}

// recv gives queue pair k a receive with its own piece of memory.
func (s *storm) recv(k int, id uint64) {
	at := 16 * (k*s.slots + int(id))
	s.bs[k].recv(id, s.dst.sge(at, at+16))
}

// post is goroutine g.
func (s *storm) post(g int, qp verbs.QP, wr verbs.SendWR) {
	for i := 0; i < s.each && s.failed.Load() == nil; {
		if s.arrived[g].Load() < int64(i-maxOpen+1) {
			s.r.world.Pass()
			continue
		}
		at := 16 * (g*s.each + i)
		binary.LittleEndian.PutUint64(s.src.buf[at:], uint64(g))
		binary.LittleEndian.PutUint64(s.src.buf[at+8:], uint64(i))
		wr.ID, wr.SGL = uint64(g*s.each+i), s.src.sgl(at, at+16)
		switch n, err := qp.PostSend([]verbs.SendWR{wr}); {
		case n == 1:
			i++
		case !errors.Is(err, verbs.ErrFull):
			s.fail("goroutine %d, message %d: %v", g, i, err)
		}
	}
}

// collect takes what was polled, and tells whether there is nothing more to come.
func (s *storm) collect() bool {
	for k := range s.as {
		for _, c := range s.as[k].sends.done {
			if c.Status != verbs.OK || c.ID >= uint64(len(s.sent)) || s.sent[c.ID] {
				s.fail("send %d: %v, or twice", c.ID, c.Status)
				return true
			}
			s.sent[c.ID] = true
			s.left--
		}
		s.as[k].sends.done = nil
		for _, c := range s.bs[k].recvs.done {
			s.took(k, c)
		}
		s.bs[k].recvs.done = nil
	}
	return s.left == 0 || s.failed.Load() != nil
}

// took checks a message: whole and once, and on RC and RD in the order of its stream.
func (s *storm) took(k int, c verbs.Completion) {
	at := 16 * (k*s.slots + int(c.ID))
	g, i := binary.LittleEndian.Uint64(s.dst.buf[at:]), binary.LittleEndian.Uint64(s.dst.buf[at+8:])
	known := c.Status == verbs.OK && g < uint64(len(s.arrived)) && i < uint64(s.each)
	if !known || s.received[int(g)*s.each+int(i)] || s.r.typ != verbs.UD && i != uint64(s.arrived[g].Load()) {
		s.fail("message %d of goroutine %d: %v, twice or out of order", i, g, c.Status)
		return
	}
	s.received[int(g)*s.each+int(i)] = true
	s.recv(k, c.ID)
	s.arrived[g].Add(1)
	s.left--
}

// underFire changes the state of a queue pair, and closes it, while goroutines post to it. Nothing is promised to them
// but an answer; other queue pairs go on.
func underFire(r *rig) {
	other, _ := r.pair()
	for round := range r.times(8) {
		a, b := r.pair()
		g := a.host.region(r, 64, verbs.LocalWrite)
		var stop atomic.Bool
		others := r.beside()
		send, recv := []verbs.SendWR{a.aim(verbs.SendWR{Op: verbs.Send, SGL: g.sgl(0, 64)})}, []verbs.RecvWR{{SGL: g.sgl(0, 64)}}
		for _, f := range []func(){
			func() { a.qp.PostSend(send) },
			func() { a.qp.PostRecv(recv) },
			func() { b.qp.PostRecv([]verbs.RecvWR{{}}) },
			func() { a.qp.State(); a.qp.Addr() },
		} {
			others.run(func() {
				for !stop.Load() {
					f()
					r.world.Pass()
				}
			})
		}
		for i := range 20 {
			r.step()
			a.sends.done, a.recvs.done, b.recvs.done = nil, nil, nil
			if i == 10 && round%2 == 0 {
				a.modify(verbs.Error)
			}
		}
		err := a.qp.Close()
		stop.Store(true)
		others.wait()
		if err != nil {
			r.Fatalf("closing a queue pair that others post to: %v", err)
		}
		if n, err := a.qp.PostSend(send); n != 0 || err == nil {
			r.Fatalf("a closed queue pair took %d sends, %v", n, err)
		}
		// A message that waits for a receive of b may stand in the way of others to the same address.
		if err := b.qp.Close(); err != nil {
			r.Fatalf("closing the other end: %v", err)
		}
	}
	other.hello()
}

// pollers has goroutines poll one completion queue: every completion is given out once.
func pollers(r *rig) {
	const goroutines, count = 4, 400
	a, b := r.pair()
	a.sends.muted, b.recvs.muted = true, true
	var got [count]atomic.Int32
	var left atomic.Int64
	var stop atomic.Bool
	left.Store(count)
	others := r.beside()
	for range goroutines {
		others.run(func() {
			var done [4]verbs.Completion
			for left.Load() > 0 && !stop.Load() {
				n := b.recvs.cq.Poll(done[:])
				for _, c := range done[:n] {
					got[c.ID%count].Add(1)
					left.Add(-1)
				}
				r.world.Pass()
			}
		})
	}
	var one [1]verbs.Completion
	for i := range uint64(count) {
		b.recv(i)
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		ok := r.within(r.opt.Patience, func() bool { return a.sends.cq.Poll(one[:]) == 1 && left.Load() >= 0 })
		if !ok || one[0].ID != i {
			stop.Store(true)
			others.wait()
			r.Fatalf("send %d: completed %v, as %d", i, ok, one[0].ID)
		}
		r.within(r.opt.Patience, func() bool { return left.Load() <= int64(count-1-i)+8 })
	}
	r.within(r.opt.Patience, func() bool { return left.Load() <= 0 })
	stop.Store(true)
	others.wait()
	for i := range got {
		if n := got[i].Load(); n != 1 {
			r.Fatalf("completion %d was given out %d times", i, n)
		}
	}
}
