package progress

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/wire"
)

// gated is a loop with a gate, and one to which it sends.
func gated() (l, peer *Loop, g *Gate) {
	x := inproc.NewExchange(0, 2)
	make1 := func(i int) *Loop {
		return New(Config{Self: i, Links: []*Link{{Transport: x.Box(i), Near: x.Box(i)}}, Bell: x.Box(i).Bell(), Mode: Auto})
	}
	l, peer, g = make1(0), make1(1), new(Gate)
	l.Admit(g, nil)
	return l, peer, g
}

// in enters like a guest, and tells whether it may do what.
func (g *Gate) in(what uint32) bool {
	if !g.try() {
		return false
	}
	if g.open&what == 0 {
		atomic.StoreUint32(&g.word, 0)
		return false
	}
	return true
}

func (g *Gate) out() { atomic.StoreUint32(&g.word, 0) }

// TestGateKeepsApart: guests that stay for a while and goroutines, several of each, are never in at the same time, and
// what guests have sent counts.
func TestGateKeepsApart(t *testing.T) {
	l, peer, g := gated()
	defer l.Close()
	defer peer.Close()
	const turns = 2000
	var all sync.WaitGroup
	inside, guests := 0, 0 // the race detector looks whether the gate guards them
	for range 3 {
		all.Go(func() {
			for range turns {
				l.Locked(func() { inside++ })
			}
		})
		all.Go(func() {
			for done := 0; done < turns; {
				if !g.in(guestsSend) {
					continue
				}
				for looks := 0; looks < 50 && atomic.LoadUint32(&g.wanted) == 0; looks++ {
				}
				inside++
				guests++
				g.sends++
				done++
				g.out()
			}
		})
	}
	all.Wait()
	if n := l.Counters().EagerSends; inside != 6*turns || guests != 3*turns || n != 3*turns {
		t.Errorf("%d turns, %d of them of guests, %d counted; not %d, %d, %d", inside, guests, n, 6*turns, 3*turns, 3*turns)
	}
}

// TestGateOpens: what guests may do while requests are under way, messages wait, and after the job has failed.
func TestGateOpens(t *testing.T) {
	l, peer, g := gated()
	defer l.Close()
	defer peer.Close()
	to, from := Peer{Ctx: 4, Peer: 1, Tag: 3}, Peer{Ctx: 4, Peer: 1, Tag: 3}
	expect := func(when string, want uint32) {
		t.Helper()
		var open uint32
		if l.Locked(func() { open = g.open }); open != want {
			t.Errorf("%s guests may do %d, not %d", when, open, want)
		}
	}
	both := uint32(guestsSend | guestsReceive)
	expect("at first", both)
	b := make([]byte, 8)
	h := l.Irecv(b, from, Why{})
	expect("while a receive waits", guestsSend)
	if err := peer.Send(nil, []byte("answered"), Peer{Ctx: 4, Peer: 0, Tag: 3}, engine.Standard, Why{}); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := l.One(h, true); err != nil {
		t.Fatal(err)
	}
	expect("after it", both)
	if err := peer.Send(nil, []byte("unasked"), Peer{Ctx: 4, Peer: 0, Tag: 3}, engine.Standard, Why{}); err != nil {
		t.Fatal(err)
	}
	for {
		if _, found, _ := l.Iprobe(from); found {
			break
		}
	}
	expect("while a message waits", guestsSend)
	if _, err := l.Recv(nil, b, from, Why{}); err != nil {
		t.Fatal(err)
	}
	expect("after it", both)
	h = l.Isend(make([]byte, 1<<20), to, engine.Standard, Why{})
	expect("while a long send waits", guestsSend)
	h2 := peer.Irecv(make([]byte, 1<<20), Peer{Ctx: 4, Peer: 0, Tag: 3}, Why{})
	for over := false; !over; {
		_, _, over, _ = peer.One(h2, false)
	}
	if _, _, _, err := l.One(h, true); err != nil {
		t.Fatal(err)
	}
	expect("after it", both)
	l.Fail(errors.New("over"))
	expect("after a failure", 0)
}

// TestGateShuts: communicators that were given up end the time of guests, and so does Dismiss.
func TestGateShuts(t *testing.T) {
	for _, shut := range []func(l *Loop){
		(*Loop).Dismiss,
		func(l *Loop) { l.GiveUp(wire.ContextOf(1, wire.Messages), []int{0, 1}) },
	} {
		l, peer, g := gated()
		shut(l)
		if g.open != 0 || g.in(guestsSend|guestsReceive) {
			t.Errorf("guests may do %d", g.open)
		}
		l.Close()
		peer.Close()
	}
}

// TestGateLine: who looks at the gate touches one line of the cache.
func TestGateLine(t *testing.T) {
	if n := unsafe.Sizeof(Gate{}); n > 64 {
		t.Errorf("a gate has %d bytes", n)
	}
}
