package verbstest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Many queue pairs, and many goroutines.
var crowdCases = []scenario{
	{name: "crowd/queue pairs", run: crowd},
	{name: "crowd/goroutines on one queue pair", run: func(r *rig) { r.posters(8, 1, r.times(100)) }},
	{name: "crowd/goroutines on many queue pairs", run: func(r *rig) { r.posters(8, 8, r.times(100)) }},
	{name: "crowd/goroutines poll one queue", run: pollers},
}

// spin waits without stepping, for a goroutine that polls by itself.
func (r *rig) spin(what string, ok func() bool) {
	r.Helper()
	end := time.Now().Add(r.opt.Patience)
	for i := 0; !ok(); i++ {
		runtime.Gosched()
		if i%1024 == 0 && time.Now().After(end) {
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

// posters has goroutines post to queue pairs at the same time, each its own numbered stream with a bounded number
// of messages that have not arrived yet, while the case's own goroutine polls.
func (r *rig) posters(goroutines, pairs, each int) {
	var as, bs []*end
	for range pairs {
		a, b := r.pair()
		as, bs = append(as, a), append(bs, b)
	}
	const open = 4
	total := goroutines * each
	slots := goroutines * open
	src := r.hosts[0].region(r, 16*goroutines*each, 0)
	dst := r.hosts[1].region(r, 16*pairs*slots, verbs.LocalWrite)
	for k, b := range bs {
		for i := range slots {
			at := 16 * (k*slots + i)
			b.recv(uint64(i), dst.sge(at, at+16))
		}
	}
	arrived := make([]atomic.Int64, goroutines)
	var failed atomic.Pointer[string]
	var wg sync.WaitGroup
	for g := range goroutines {
		a := as[g%pairs]
		wr := []verbs.SendWR{a.aim(verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled})}
		wg.Go(func() {
			for i := 0; i < each && failed.Load() == nil; {
				at := 16 * (g*each + i)
				binary.LittleEndian.PutUint64(src.buf[at:], uint64(g))
				binary.LittleEndian.PutUint64(src.buf[at+8:], uint64(i))
				wr[0].ID, wr[0].SGL = uint64(g*each+i), src.sgl(at, at+16)
				if arrived[g].Load() < int64(i-open+1) {
					runtime.Gosched()
					continue
				}
				switch n, err := a.qp.PostSend(wr); {
				case n == 1:
					i++
				case !errors.Is(err, verbs.ErrFull):
					why := fmt.Sprintf("goroutine %d, message %d: %v", g, i, err)
					failed.Store(&why)
				}
			}
		})
	}
	r.collect(as, bs, dst, slots, each, total, arrived, &failed)
	wg.Wait()
	if why := failed.Load(); why != nil {
		r.Fatal(*why)
	}
}

// collect takes all completions of posters and checks that each stream arrives whole, RC and RD in order.
func (r *rig) collect(as, bs []*end, dst *region, slots, each, total int, arrived []atomic.Int64, failed *atomic.Pointer[string]) {
	r.Helper()
	sent, got := make([]bool, total), make([]bool, total)
	left := 2 * total
	stop := func(format string, args ...any) {
		why := fmt.Sprintf(format, args...)
		failed.CompareAndSwap(nil, &why)
	}
	finished := r.within(r.opt.Patience, func() bool {
		for k := range as {
			for _, c := range as[k].sends.done {
				if c.Status != verbs.OK || c.ID >= uint64(total) || sent[c.ID] {
					stop("send %d: %v, or twice", c.ID, c.Status)
					return true
				}
				sent[c.ID] = true
				left--
			}
			as[k].sends.done = nil
			for _, c := range bs[k].recvs.done {
				at := 16 * (k*slots + int(c.ID))
				g, i := binary.LittleEndian.Uint64(dst.buf[at:]), binary.LittleEndian.Uint64(dst.buf[at+8:])
				bs[k].recv(c.ID, dst.sge(at, at+16))
				if n := int(g)*each + int(i); c.Status != verbs.OK || n >= total || got[n] || r.typ != verbs.UD && i != uint64(arrived[g].Load()) {
					stop("message %d of goroutine %d: %v, twice or out of order", i, g, c.Status)
					return true
				} else {
					got[n] = true
				}
				arrived[g].Add(1)
				left--
			}
			bs[k].recvs.done = nil
		}
		return left == 0 || failed.Load() != nil
	})
	if !finished {
		stop("%d of %d completions are missing", left, 2*total)
	}
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
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			var done [4]verbs.Completion
			for left.Load() > 0 && !stop.Load() {
				n := b.recvs.cq.Poll(done[:])
				for _, c := range done[:n] {
					got[c.ID%count].Add(1)
					left.Add(-1)
				}
				runtime.Gosched()
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
			wg.Wait()
			r.Fatalf("send %d: completed %v, as %d", i, ok, one[0].ID)
		}
		r.within(r.opt.Patience, func() bool { return left.Load() <= int64(count-1-i)+8 })
	}
	r.within(r.opt.Patience, func() bool { return left.Load() <= 0 })
	stop.Store(true)
	wg.Wait()
	for i := range got {
		if n := got[i].Load(); n != 1 {
			r.Fatalf("completion %d was given out %d times", i, n)
		}
	}
}
