package socket

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// look fetches what is ready now.
func look(t testing.TB, p *Poller) []Event {
	t.Helper()
	out := make([]Event, 8)
	n, err := p.Wait(out, 0)
	if err != nil {
		t.Fatal(err)
	}
	return out[:n]
}

func TestPollerIsLevelTriggered(t *testing.T) {
	near, far := pair(t, loopbacks(t)[0])
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	const token = 0xfedcba9876543210
	if err := p.Add(far.FD(), token, false); err != nil {
		t.Fatal(err)
	}
	if got := look(t, p); len(got) != 0 {
		t.Errorf("a silent socket is ready: %+v", got)
	}
	near.Send([]byte("ab"), false)
	await(t, far.FD(), false)
	want := Event{Token: token, Read: true}
	for _, when := range []string{"first", "again", "after reading half"} {
		if got := look(t, p); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v", when, got)
		}
		if when == "again" {
			far.Recv(make([]byte, 1))
		}
	}
	far.Recv(make([]byte, 1))
	if got := look(t, p); len(got) != 0 {
		t.Errorf("ready after all was read: %+v", got)
	}
	if err := p.Want(far.FD(), 5, true, true); err != nil {
		t.Fatal(err)
	}
	if got := look(t, p); len(got) != 1 || got[0] != (Event{Token: 5, Write: true}) {
		t.Errorf("room to write: %+v", got)
	}
}

func TestPollerTellsTheEnd(t *testing.T) {
	near, far := pair(t, loopbacks(t)[0])
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	if err := p.Add(far.FD(), 6, false); err != nil {
		t.Fatal(err)
	}
	near.CloseWrite()
	await(t, far.FD(), false)
	if got := look(t, p); len(got) != 1 || got[0] != (Event{Token: 6, Read: true}) {
		t.Errorf("end of stream: %+v", got)
	}
	if err := p.Want(far.FD(), 7, false, false); err != nil {
		t.Fatal(err)
	}
	if got := look(t, p); len(got) != 0 {
		t.Errorf("the end of the stream is told to who does not read: %+v", got)
	}
	if err := p.Want(far.FD(), 7, false, true); err != nil {
		t.Fatal(err)
	}
	if got := look(t, p); len(got) != 1 || got[0] != (Event{Token: 7, Write: true}) {
		t.Errorf("room to write only: %+v", got)
	}
	near.Abort()
	var got []Event
	for end := time.Now().Add(10 * time.Second); (len(got) != 1 || !got[0].Hup) && time.Now().Before(end); { // it is on its way
		got = look(t, p)
	}
	if len(got) != 1 || !got[0].Hup || !got[0].Read {
		t.Errorf("broken: %+v", got)
	}
	if err := p.Remove(far.FD()); err != nil {
		t.Fatal(err)
	}
	if got := look(t, p); len(got) != 0 {
		t.Errorf("ready after Remove: %+v", got)
	}
}

func TestPollerRefusals(t *testing.T) {
	near, _ := pair(t, loopbacks(t)[0])
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	if err := p.Add(near.FD(), WakeToken, false); err == nil {
		t.Error("took the token it keeps for itself")
	}
	if err := p.Want(near.FD(), 1, true, false); !errors.Is(err, unix.ENOENT) {
		t.Errorf("change of a stranger: %v", err)
	}
	if err := errors.Join(p.Add(near.FD(), 1, false)); err != nil {
		t.Fatal(err)
	}
	if err := p.Add(near.FD(), 1, false); !errors.Is(err, unix.EEXIST) {
		t.Errorf("added twice: %v", err)
	}
	if n, err := p.Wait(nil, -1); n != 0 || err != nil {
		t.Errorf("wait with no room: %d, %v", n, err)
	}
}

// A ring is kept for the next Wait, several count as one, and none is left over.
func TestWakeIsKept(t *testing.T) {
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	out := make([]Event, 4)
	for range 3 {
		p.Wake()
		p.Wake()
		if n, err := p.Wait(out, -1); n != 0 || err != nil {
			t.Fatalf("woken with %d events, %v", n, err)
		}
	}
	p.coarse.Store(true) // as on a kernel without epoll_pwait2
	p.Wake()
	if n, err := p.Wait(out, -1); n != 0 || err != nil {
		t.Fatalf("woken with %d events, %v", n, err)
	}
	for _, coarse := range []bool{false, true} {
		p.coarse.Store(coarse)
		if n, err := p.Wait(out, 1000); n != 0 || err != nil {
			t.Fatalf("a short wait gave %d events, %v", n, err)
		}
	}
}

// Every value handed over with a Wake is seen, however the two sides interleave.
func TestNoWakeIsLost(t *testing.T) {
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	const rounds = 2000
	var mu sync.Mutex
	given := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		out := make([]Event, 4)
		for seen := 0; seen < rounds; {
			if _, err := p.Wait(out, -1); err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			seen = given
			mu.Unlock()
		}
	}()
	for range rounds {
		mu.Lock()
		given++
		mu.Unlock()
		p.Wake()
	}
	<-done
}

// A ring that somebody who only looks has taken goes to the one who sleeps, or will: whoever rings, by Wake
// or through the file.
func TestLooksTakeNoRings(t *testing.T) {
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	one := []byte{1, 0, 0, 0, 0, 0, 0, 0}
	ring := func(i int) {
		if i%2 == 0 {
			p.Wake()
		} else if _, err := unix.Write(p.Doorbell(), one); err != nil {
			t.Error(err)
		}
	}
	out := make([]Event, 4)
	for i := range 4 {
		ring(i)
		if got := look(t, p); len(got) != 0 {
			t.Fatalf("a ring is an event: %+v", got)
		}
		if n, err := p.Wait(out, -1); n != 0 || err != nil {
			t.Fatalf("woken with %d events, %v", n, err)
		}
	}
	var given, stop atomic.Int32
	var looker sync.WaitGroup
	looker.Go(func() {
		for stop.Load() == 0 {
			look(t, p)
		}
	})
	for i := range 2000 {
		heard := make(chan struct{})
		go func() {
			defer close(heard)
			for given.Load() != int32(i+1) {
				if _, err := p.Wait(make([]Event, 4), -1); err != nil {
					t.Error(err)
					return
				}
			}
		}()
		if i%3 == 0 {
			runtime.Gosched()
		}
		given.Add(1)
		ring(i)
		<-heard
	}
	stop.Store(1)
	looker.Wait()
}

func TestCloseWhileOthersWait(t *testing.T) {
	before := openFiles(t)
	p := must[*Poller](t)(NewPoller())
	const waiters = 4
	answers := make(chan error, waiters)
	for range waiters {
		go func() {
			for {
				if _, err := p.Wait(make([]Event, 4), -1); err != nil {
					answers <- err
					return
				}
			}
		}()
	}
	for p.state.Load() < waiters {
		p.Wait(make([]Event, 1), 100_000) // let them fall asleep
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for range waiters {
		if err := <-answers; err != ErrClosed {
			t.Errorf("a waiter got %v", err)
		}
	}
	p.Wake()
	if _, err := p.Wait(make([]Event, 1), -1); err != ErrClosed {
		t.Errorf("wait after close: %v", err)
	}
	if err := p.Add(0, 1, false); err != ErrClosed {
		t.Errorf("add after close: %v", err)
	}
	if err := p.Close(); err != ErrClosed {
		t.Errorf("second close: %v", err)
	}
	if after := openFiles(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestMillisecondsRoundUp(t *testing.T) {
	for limit, want := range map[int64]int{-1: -1, 0: 0, 1: 1, 999_999: 1, 1_000_000: 1, 1_000_001: 2, 1 << 62: 1<<31 - 1} {
		if got := milliseconds(limit); got != want {
			t.Errorf("%d ns became %d ms, want %d", limit, got, want)
		}
	}
}

func TestPollerAllocatesNothing(t *testing.T) {
	near, far := pair(t, loopbacks(t)[0])
	p := must[*Poller](t)(NewPoller())
	defer p.Close()
	if err := p.Add(far.FD(), 1, false); err != nil {
		t.Fatal(err)
	}
	near.Send([]byte("stay ready"), false)
	out := make([]Event, 8)
	if n := testing.AllocsPerRun(100, func() {
		p.Wake()
		p.Wait(out, 0)
		p.Wait(out, -1)
		p.Wait(out, 1000)
		p.Want(far.FD(), 1, true, true)
		p.Want(far.FD(), 1, true, false)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
