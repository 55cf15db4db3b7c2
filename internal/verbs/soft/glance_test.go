package soft

import (
	"net"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// glancing polls until looks at the device are glances.
func glancing(e *end) *cq {
	e.t.Helper()
	c := e.cq.(*cq)
	for range 100 * detachAfter {
		c.Poll(make([]verbs.Completion, 1))
		e.dev.mu.Lock()
		calm := e.dev.calm(c)
		e.dev.mu.Unlock()
		if calm {
			return c
		}
	}
	e.t.Fatal("no look is a glance")
	return nil
}

// A device that has something else to do than to ask connections on which nothing has begun is looked at in
// the usual way.
func TestCalm(t *testing.T) {
	_, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 1<<20)
	q := y.qp.(*rc)
	borrow(y, 0)
	c := glancing(y)
	d := y.dev
	for what, change := range map[string]func(s *stream) (undo func()){
		"attached":   func(*stream) func() { d.detached = false; return func() { d.detached = true } },
		"handshake":  func(*stream) func() { d.shaking++; return func() { d.shaking-- } },
		"poller":     func(*stream) func() { d.spun = pollerEvery - 1; return func() { d.spun = 0 } },
		"sleeper":    func(*stream) func() { d.sleepsTo = 1; return func() { d.sleepsTo = 0 } },
		"unattended": func(*stream) func() { d.attended.Store(false); return func() { d.attended.Store(true) } },
		"armed":      func(*stream) func() { c.Completions.Arm(false); return func() { c.RingAnyway() } },
		"deferred":   func(*stream) func() { d.deferred = make([]*udpSocket, 1); return func() { d.deferred = nil } },
		"waiting":    func(*stream) func() { d.waiting = make([]*stream, 1); return func() { d.waiting = nil } },
		"timer":      func(*stream) func() { d.timers = make(timers, 1); return func() { d.timers = nil } },
		"datagrams": func(*stream) func() {
			d.direct = append(d.direct, new(udpSocket))
			return func() { d.direct = d.direct[:1] }
		},
		"kept":        func(s *stream) func() { s.pend = []byte{1}; return func() { s.pend = nil } },
		"body":        func(s *stream) func() { s.body.on = true; return func() { s.body.on = false } },
		"blocked":     func(s *stream) func() { s.blocked = true; return func() { s.blocked = false } },
		"long":        func(s *stream) func() { s.bulk = 1; return func() { s.bulk = 0 } },
		"asked":       func(s *stream) func() { s.asked = make([]ask, 1); return func() { s.asked = nil } },
		"starved":     func(s *stream) func() { s.starved = true; return func() { s.starved = false } },
		"later":       func(s *stream) func() { s.waits = true; return func() { s.waits = false } },
		"half":        func(s *stream) func() { s.midMessage = true; return func() { s.midMessage = false } },
		"parting":     func(s *stream) func() { s.phase = phaseParting; return func() { s.phase = phaseOpen } },
		"muzzled":     func(s *stream) func() { s.muzzled = true; return func() { s.muzzled = false } },
		"markers":     func(s *stream) func() { s.stripper = new(iwarp.MarkerStripper); return func() { s.stripper = nil } },
		"not lent":    func(*stream) func() { c.borrow = false; return func() { c.borrow = true } },
		"other queue": func(*stream) func() { q.recvCQ = nil; return func() { q.recvCQ = c } },
		"unhooked":    func(s *stream) func() { s.qp = nil; return func() { s.qp = q } },
	} {
		lockCalm(t, d, c)
		undo := change(q.stream)
		if d.calm(c) {
			t.Errorf("%s: calm", what)
		}
		undo()
		d.mu.Unlock()
	}
}

// lockCalm takes the device's lock when nothing is to be done there: its goroutine may have looked in
// between, or be about to.
func lockCalm(t *testing.T, d *Device, c *cq) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		d.mu.Lock()
		d.attended.Store(true)
		d.sleepsTo, d.spun = 0, 0
		if d.detached && d.calm(c) {
			return
		}
		d.mu.Unlock()
	}
	t.Fatal("the device is never calm")
}

// A glance sees what cannot be borrowed, before and behind what can, and the end of the connection.
func TestGlance(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 1<<20)
	borrow(y, 0)
	came := 0
	var out [1]verbs.Completion
	for _, group := range [][]int{{8}, {5000}, {0}, {8, 5000}, {5000, 8}, {8, 300, 8}, {100_000, 8, 8, 8, 8, 8, 8, 8}} {
		c := glancing(y)
		all := came + len(group)
		for _, n := range group {
			y.receives(1, len(y.buf))
			post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:n], LKey: x.mr.LKey()}}})
		}
		x.awaitAll(len(group))
		for end := time.Now().Add(20 * time.Second); came < all; {
			if k := c.Poll(out[:]); k == 1 && out[0].Status != verbs.OK || time.Now().After(end) {
				t.Fatalf("%v: %d of %d have come, %+v", group, came, all, out[0])
			} else {
				came += k
			}
		}
		clearReceives(y)
	}
	glancing(y)
	if err := x.qp.Close(); err != nil {
		t.Fatal(err)
	}
	y.event(verbs.Disconnected)
}

// A socket of datagrams that has something else to do than to receive them one by one, or for somebody
// else, is no place for a glance.
func TestCalmDatagrams(t *testing.T) {
	_, y, _, _ := readied(t, Config{Key: []byte("k")}, verbs.UD, 1<<16)
	q := y.qp.(*dgram)
	borrow(y, 0)
	c := glancing(y)
	d, u := y.dev, q.sock
	for what, change := range map[string]func() (undo func()){
		"not lent":    func() func() { c.borrow = false; return func() { c.borrow = true } },
		"other queue": func() func() { q.recvCQ = nil; return func() { q.recvCQ = c } },
		"shared":      func() func() { u.only = nil; return func() { u.only = q } },
		"reliable":    func() func() { u.typ = verbs.RD; return func() { u.typ = verbs.UD } },
		"busy":        func() func() { u.streak = busyStreak; return func() { u.streak = 0 } },
		"blocked":     func() func() { u.blocked = true; return func() { u.blocked = false } },
		"to be sent":  func() func() { u.box = new(outbox); return func() { u.box = nil } },
		"closed":      func() func() { s := u.sock; u.sock = nil; return func() { u.sock = s } },
	} {
		d.mu.Lock()
		d.attended.Store(true) // the device's goroutine may have looked
		d.sleepsTo, d.spun = 0, 0
		if !d.detached || !d.calm(c) {
			t.Errorf("before %s: not calm", what)
		}
		undo := change()
		if d.calm(c) {
			t.Errorf("%s: calm", what)
		}
		undo()
		d.mu.Unlock()
	}
}

// A glance at a socket of datagrams lends them, and drops those that are damaged or for somebody else.
func TestGlanceDatagrams(t *testing.T) {
	x, y, xy, _ := readied(t, Config{Key: []byte("k")}, verbs.UD, 1<<16)
	borrow(y, 0)
	borrowed := 0
	stranger, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(y.qp.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	glances := 0
	var out [1]verbs.Completion
	for i := range 100 {
		c := glancing(y)
		n, dropped := []int{8, 1000, 100, 101}[i%4], counter(t, y.dev, "datagrams_bad_check")
		y.receives(1, len(y.buf))
		if _, err := stranger.Write(make([]byte, 60)); err != nil {
			t.Fatal(err)
		}
		if !sendsInline(x, xy, y.qp.Num(), x.buf[:n]) {
			t.Fatal("not taken")
		}
		for k, end := 0, time.Now().Add(20*time.Second); k == 0; {
			y.dev.mu.Lock()
			calm := y.dev.calm(c)
			y.dev.mu.Unlock()
			k = c.Poll(out[:])
			if k == 1 && (out[0].Status != verbs.OK || out[0].Len != n || out[0].Src != x.qp.Addr()) || time.Now().After(end) {
				t.Fatalf("message %d: %+v", i, out[0])
			}
			if k == 1 && calm {
				glances++
			}
		}
		if out[0].Data != nil {
			borrowed++
		}
		if now := counter(t, y.dev, "datagrams_bad_check"); now != dropped+1 {
			t.Errorf("message %d: %d datagrams of a stranger dropped", i, now-dropped)
		}
		y.dev.mu.Lock()
		y.qp.(*dgram).clearReceives()
		y.dev.mu.Unlock()
	}
	if borrowed == 0 || glances == 0 { // the device's goroutine, which lends nothing, may be there first
		t.Errorf("%d borrowed, %d by a glance", borrowed, glances)
	}
}
