package progress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/progress"
)

var lengths = []int{0, 1, 100, 5000, 13_000, 70_000, 200_000, 1 << 20}

// Messages of all protocols come through, both ways at once and to oneself.
func TestLoopMessages(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, nil)
		rank := func(me int) error {
			l := loops[me]
			for i, n := range lengths {
				for _, peer := range []int{1 - me, me} {
					buf := make([]byte, n)
					h := l.Irecv(buf, at(peer, i), why("irecv"))
					if err := send(l, pattern(n, i), peer, i); err != nil {
						return err
					}
					if _, errs, err := collect(l, progress.Want{Need: 1}, h); err != nil || errors.Join(errs...) != nil || !bytes.Equal(buf, pattern(n, i)) {
						return fmt.Errorf("%d bytes from %d to %d: %v %v", n, peer, me, errs, err)
					}
				}
			}
			return nil
		}
		other := async(func() {
			if err := rank(1); err != nil {
				t.Error(err)
			}
		})
		if err := rank(0); err != nil {
			t.Error(err)
		}
		within(t, "rank 1", other)
	})
}

// A large message completes while its receiver computes and its sender waits, unless the mode forbids.
func TestBackground(t *testing.T) {
	for _, mode := range []progress.Mode{progress.Auto, progress.Wake, progress.Rendezvous, progress.Interrupt, progress.Poll} {
		onEveryLink(t, 2, func(t *testing.T, ends []end) {
			loops := newLoops(t, ends, func(c *progress.Config) { c.Mode = mode })
			want, buf := pattern(1<<20, 5), make([]byte, 1<<20)
			early := speculates(ends[0].link)
			h := loops[1].Irecv(buf, at(0, 1), why("irecv"))
			sent := async(func() {
				if err := send(loops[0], want, 1, 1); err != nil {
					t.Error(err)
				}
			})
			if mode == progress.Poll && early {
				within(t, "the send", sent) // the receive has offered its buffer: nobody needs to call on rank 1
			} else if mode == progress.Poll {
				select {
				case <-sent:
					t.Error("the message moved although nobody called")
				case <-time.After(30 * time.Millisecond):
				}
			}
			if mode == progress.Poll {
				got := async(func() {
					if _, _, err := collect(loops[1], progress.Want{Need: 1}, h); err != nil {
						t.Error(err)
					}
				})
				for waiting := true; waiting; { // a datagram of the sender's that got lost is sent again by its calls only
					select {
					case <-got:
						waiting = false
					case <-time.After(time.Millisecond):
						_, _, _ = loops[0].Iprobe(at(1, 1))
					}
				}
				within(t, "the send", sent)
				return
			}
			within(t, "the send", sent) // nobody calls on rank 1
			if _, errs, err := collect(loops[1], progress.Want{Need: 1}, h); err != nil || errs[0] != nil || !bytes.Equal(buf, want) {
				t.Errorf("%v %v, equal %v", errs, err, bytes.Equal(buf, want))
			}
		})
	}
}

// The background parks when nothing is in flight, wakes again for the next request, and ends with Close.
func TestBackgroundComesBack(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), func(c *progress.Config) { c.Mode = progress.Wake })
	for i := range 50 {
		buf := make([]byte, 100_000)
		h := loops[1].Irecv(buf, at(0, i), why("irecv"))
		within(t, "a send", async(func() { send(loops[0], pattern(100_000, i), 1, i) }))
		if _, errs, err := collect(loops[1], progress.Want{Need: 1}, h); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
	}
	loops[1].Close()
	loops[1].Close() // twice is once
}

// Many goroutines wait at the same time; whoever drives leaves, another takes over.
func TestManyWaiters(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, nil)
		const waiters, rounds = 8, 50
		var wg sync.WaitGroup
		for w := range waiters {
			wg.Go(func() {
				buf := make([]byte, 8)
				for i := range rounds {
					if _, err := recv(loops[1], buf, 0, w); err != nil || !bytes.Equal(buf, pattern(8, i)) {
						t.Errorf("waiter %d, round %d: %v, % x", w, i, err, buf)
						return
					}
				}
			})
		}
		for i := range rounds {
			for w := range waiters {
				if err := send(loops[0], pattern(8, i), 1, (w*3+i)%waiters); err != nil {
					t.Fatal(err)
				}
			}
		}
		within(t, "a waiter", async(wg.Wait))
	})
}

// The driver and the first in line are served by one poll: the one behind them must still be driven.
func TestDriverLeavesWithTheNextInLine(t *testing.T) {
	loops := newLoops(t, inprocEnds(t, 2), nil)
	var done []<-chan struct{}
	for tag := range 3 {
		done = append(done, async(func() { recv(loops[1], make([]byte, 8), 0, tag) }))
		waiting(t, loops[1], tag+1)
	}
	loops[1].Locked(func() {
		send(loops[0], make([]byte, 8), 1, 1)
		send(loops[0], make([]byte, 8), 1, 0)
	})
	within(t, "the driver", done[0])
	within(t, "the first in line", done[1])
	send(loops[0], make([]byte, 8), 1, 2)
	within(t, "the second in line", done[2])
}

// The one that was to drive next is cancelled: the one behind it must still be driven.
func TestNextInLineIsCancelled(t *testing.T) {
	for range 20 {
		loops := newLoops(t, inprocEnds(t, 2), nil)
		ctx, cancel := context.WithCancel(context.Background())
		driver := async(func() { recv(loops[1], make([]byte, 8), 0, 0) })
		waiting(t, loops[1], 1)
		next := async(func() {
			loops[1].Recv(ctx, make([]byte, 8), at(0, 1), why("recv"))
		})
		waiting(t, loops[1], 2)
		last := async(func() { recv(loops[1], make([]byte, 8), 0, 2) })
		waiting(t, loops[1], 3)
		go cancel()
		send(loops[0], make([]byte, 8), 1, 0)
		within(t, "the driver", driver)
		within(t, "the cancelled one", next)
		send(loops[0], make([]byte, 8), 1, 2)
		within(t, "the last", last)
	}
}

// While the driver sleeps, another goroutine starts a read: the driver has to wake, nobody else moves it.
func TestReadWakesTheDriver(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		loops := newLoops(t, ends, nil)
		for _, from := range []int{0, 1} { // from a peer, and from ourselves
			sent := async(func() { send(loops[from], pattern(300_000, 1), 1, 5) })
			if from == 0 {
				if _, err := loops[1].Probe(context.Background(), at(from, 5), why("probe")); err != nil {
					t.Fatal(err)
				}
			}
			driver := async(func() { recv(loops[1], nil, 0, 9) })
			waiting(t, loops[1], 1)
			time.Sleep(5 * time.Millisecond) // it sleeps by now
			buf := make([]byte, 300_000)
			within(t, "the receive", async(func() {
				if _, err := recv(loops[1], buf, from, 5); err != nil || !bytes.Equal(buf, pattern(300_000, 1)) {
					t.Error(err)
				}
			}))
			within(t, "the send", sent)
			send(loops[0], nil, 1, 9)
			within(t, "the driver", driver)
		}
	})
}

// Who waits too long is reported, with what for; and is still served.
func TestStall(t *testing.T) {
	reports := make(chan []progress.Stalled, 100)
	loops := newLoops(t, inprocEnds(t, 2), func(c *progress.Config) {
		c.Stall = int64(5 * time.Millisecond)
		c.Stalled = func(s []progress.Stalled) { reports <- s }
	})
	first := async(func() { recv(loops[1], make([]byte, 64), 0, 7) })
	waiting(t, loops[1], 1)
	second := async(func() { recv(loops[1], make([]byte, 32), match.Any, match.Any) })
	for got := range reports {
		if len(got) < 2 {
			continue
		}
		w := got[0]
		if w.Op != "recv" || w.Home.Name() != "test" || w.Peer != 0 || w.Tag != 7 || w.Bytes != 64 || w.Seq != -1 || w.For <= 0 {
			t.Errorf("reported %+v", w)
		}
		if got[1].Peer != match.Any || got[1].Tag != match.Any {
			t.Errorf("reported %+v", got[1])
		}
		break
	}
	send(loops[0], make([]byte, 8), 1, 7)
	send(loops[0], make([]byte, 8), 1, 8)
	within(t, "the first", first)
	within(t, "the second", second)
}
