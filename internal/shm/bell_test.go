package shm

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/wire"
)

// lost is how long a sleeper sleeps before it looks whether a ring got lost: longer than any honest wake.
const lost = 5_000_000_000

// sleeper is what nap needs of a bell.
type sleeper interface {
	Arm()
	Disarm()
	Sleep(limit int64)
}

// filed is a bell whose owner sleeps at its file.
type filed struct {
	Bell
	fd int
}

func (f filed) Arm() { f.ArmFile() }

func (f filed) Sleep(limit int64) {
	set := []unix.PollFd{{Fd: int32(f.fd), Events: unix.POLLIN}}
	if n, _ := unix.Poll(set, int(limit/1_000_000)); n > 0 {
		unix.Read(f.fd, make([]byte, 8))
	}
}

// nap sleeps until the link has something, as progress does, and tells whether a wake got lost.
func nap(l *Link, bell sleeper) (wakeLost bool) {
	bell.Arm()
	start := clock.Now()
	for !l.Ready() {
		bell.Sleep(lost)
		if clock.Now()-start >= lost && l.Ready() {
			wakeLost = true
		}
		bell.Arm()
	}
	bell.Disarm()
	return wakeLost
}

// TestNoLostWake plays ping-pong between two ranks that sleep for every message, on words or at files.
func TestNoLostWake(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	noLostWake(t, links, links[0].Bell(), links[1].Bell())
}

func TestNoLostWakeAtFiles(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	var files [2]int
	for i, l := range links {
		files[i] = eventFile(t)
		l.OfferBell(files[i])
	}
	for _, l := range links {
		l.Vote()
	}
	if _, file, known := links[0].Votes(); !file || !known {
		t.Skip("the kernel does not let processes have each other's files here")
	}
	noLostWake(t, links, filed{links[0].Bell(), files[0]}, filed{links[1].Bell(), files[1]})
}

func noLostWake(t *testing.T, links []*Link, bells ...sleeper) {
	t.Helper()
	rounds := 100_000
	if testing.Short() {
		rounds = 10_000
	}
	play := func(self int) (lost int) {
		l, bell, bag := links[self], bells[self], new(mailbag)
		p := eager(1-self, 0, wire.Eager, make([]byte, 8))
		for i := range rounds {
			if self == i%2 {
				for !l.Send(p) {
					clock.Yield()
				}
				continue
			}
			if nap(l, bell) {
				lost++
			}
			for len(bag.got) == 0 {
				l.Poll(bag)
			}
			bag.got = bag.got[:0]
		}
		return lost
	}
	other := make(chan int)
	go func() { other <- play(1) }()
	if n := play(0) + <-other; n > 0 {
		t.Errorf("%d of %d wakes got lost", n, rounds)
	}
}

// TestHungryWake: a sender that sleeps because the ring is full is woken by the receiver, every time.
func TestHungryWake(t *testing.T) {
	messages := 20_000
	if testing.Short() {
		messages = 2_000
	}
	links := newLinks(t, smallGeometry(2), Config{})
	bad := make(chan int)
	go func() { // the receiver sleeps too, when there is nothing
		l, bell, bag := links[1], links[1].Bell(), new(mailbag)
		next := 0
		for next < messages {
			if nap(l, bell) {
				next = -messages
			}
			drain(l, bag)
			for _, g := range bag.got {
				if int(g.header.Tag) != next {
					bad <- next
					return
				}
				next++
			}
			bag.got = bag.got[:0]
		}
		bad <- -1
	}()
	bell := links[0].Bell()
	for i := range messages {
		p := eager(1, i, wire.Eager, make([]byte, 1000))
		for {
			bell.Arm()
			if links[0].Send(p) {
				break
			}
			start := clock.Now()
			bell.Sleep(lost)
			if clock.Now()-start >= lost {
				t.Fatalf("message %d: no wake although the receiver reads", i)
			}
		}
		bell.Disarm()
	}
	if at := <-bad; at != -1 {
		t.Errorf("message %d is out of order or its wake got lost", at)
	}
}

// TestSleepEnds: a sleeper wakes when rung, when the time is up, and at once if nobody armed the bell.
func TestSleepEnds(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	bell := links[0].Bell()
	bell.Disarm()
	bell.Sleep(0) // not armed: must not block
	bell.Arm()
	bell.Sleep(1000) // nobody rings
	bell.Arm()
	done := make(chan struct{})
	go func() { bell.Sleep(0); close(done) }()
	for ringing := true; ringing; {
		select {
		case <-done:
			ringing = false
		default:
			bell.Arm()
			bell.Ring()
			clock.Yield()
		}
	}
}
