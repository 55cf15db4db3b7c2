package soft

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// longs is a receiver that is asked about messages longer than its receives. A message begins with its number.
type longs struct {
	y      *end
	room   []byte // where they go
	put    int    // how much of room the current one may have; -1: nowhere
	delays int    // times that he does not answer
	asked  int
}

const longHead = 62

func (l *longs) head(c verbs.Completion) {
	switch l.asked++; {
	case c.Len > 0: // it fits
	case l.delays > 0:
		l.delays--
	case l.put < 0:
		l.y.qp.Place(longHead, nil)
	default:
		l.y.qp.Place(longHead, l.room[:l.put])
	}
}

// A message that is longer than its receive goes where whoever polls says, as far as there is room, or
// nowhere, and whatever comes behind it is not disturbed.
func TestPlaceLong(t *testing.T) {
	for name, cfg := range map[string]Config{"nocrc": {Key: []byte("k"), NoCRC: true}, "crc": {Key: []byte("k")}, "markers": {Key: []byte("k"), Markers: true}} {
		t.Run(name, func(t *testing.T) {
			const size = 3 << 20
			x, y := connected(t, cfg, size)
			l := &longs{y: y, room: make([]byte, size)}
			borrow(y, 2000)
			rng := rand.New(rand.NewPCG(1, 2))
			rounds := 60
			if testing.Short() {
				rounds = 20
			}
			for i := range rounds {
				n := 70<<10 + rng.IntN(size-70<<10)
				l.delays = max(0, rng.IntN(6)-3)
				l.put = []int{n - longHead, n - longHead, rng.IntN(n - longHead), 0, -1}[rng.IntN(5)]
				exchangeLong(t, x, l, i, n, rng)
			}
			if l.asked < rounds {
				t.Errorf("asked %d times", l.asked)
			}
		})
	}
}

// exchangeLong sends a message of n bytes, and a short one behind it, and checks where they are.
func exchangeLong(t *testing.T, x *end, l *longs, i, n int, rng *rand.Rand) {
	t.Helper()
	y := l.y
	clear(l.room)
	for k := range x.buf[:n] {
		x.buf[k] = byte(k*7 + k>>8 + i)
	}
	const slot, short = 8 << 10, 100
	for k := range 2 {
		if _, err := y.qp.PostRecv([]verbs.RecvWR{{ID: uint64(k), SGL: []verbs.SGE{{Buf: y.buf[k*slot : (k+1)*slot], LKey: y.mr.LKey()}}}}); err != nil {
			t.Fatal(err)
		}
	}
	list := []verbs.SGE{{Buf: x.buf[:longHead], LKey: x.mr.LKey()}, {Buf: x.buf[longHead:n], LKey: x.mr.LKey()}}
	post(t, x, verbs.SendWR{Op: verbs.Send, SGL: list})
	post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:short], LKey: x.mr.LKey()}}})
	if rng.IntN(3) == 0 {
		y.cq.Wait(20_000_000) // the device's own goroutine is there first
	}
	for k, want := range []int{longHead, short} {
		c, got := y.next(l.head), y.buf[k*slot:][:want]
		if c.Data != nil {
			got = c.Data
		}
		if c.Status != verbs.OK || c.Len != want || c.Data == nil && c.ID != uint64(k) {
			t.Fatalf("message %d of %d bytes, put %d: %+v", k, n, l.put, c)
		}
		if !bytes.Equal(got, x.buf[:want]) {
			t.Fatalf("message %d of %d bytes, put %d: its receive has something else", k, n, l.put)
		}
	}
	got := max(0, l.put)
	if !bytes.Equal(l.room[:got], x.buf[longHead:longHead+got]) {
		t.Fatalf("message of %d bytes, put %d: not what was sent", n, l.put)
	}
	if rest := l.room[got:]; len(bytes.TrimLeft(rest, "\x00")) > 0 {
		t.Fatalf("message of %d bytes, put %d: written beyond", n, l.put)
	}
	clearReceives(y)
	for range 2 {
		x.await()
	}
}

// A message that is too long for its receive, and that nobody wants to put elsewhere, is the error that it always was.
func TestPlaceLongRefused(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 256<<10)
	borrow(y, 2000)
	if _, err := y.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf[:4<<10], LKey: y.mr.LKey()}}}}); err != nil {
		t.Fatal(err)
	}
	post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:62], LKey: x.mr.LKey()}, {Buf: x.buf[62:], LKey: x.mr.LKey()}}})
	if c := y.next(func(verbs.Completion) { y.qp.Place(0, nil) }); c.Status != verbs.LocalLength {
		t.Errorf("%+v", c)
	}
}

// A connection that ends while its message waits for somebody to be asked leaves nothing behind.
func TestPlaceLongCutOff(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 1<<20)
	borrow(y, 2000)
	if _, err := y.qp.PostRecv([]verbs.RecvWR{{ID: 5, SGL: []verbs.SGE{{Buf: y.buf[:4<<10], LKey: y.mr.LKey()}}}}); err != nil {
		t.Fatal(err)
	}
	post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:62], LKey: x.mr.LKey()}, {Buf: x.buf[62:], LKey: x.mr.LKey()}}})
	var out [1]verbs.Completion
	for asked := 0; asked < 3; asked += y.cq.Poll(out[:]) {
		if asked > 0 && (out[0].Op != verbs.RecvHead || out[0].Len != 0 || !bytes.HasPrefix(x.buf, out[0].Data)) {
			t.Fatalf("%+v", out[0])
		}
	}
	d, s := y.cq.(*cq).dev, y.qp.(*rc).stream
	d.mu.Lock()
	if s.transmit(); s.reads() || s.spot.read {
		t.Error("the device goes on to read")
	}
	d.mu.Unlock()
	if err := y.qp.Modify(verbs.Error); err != nil {
		t.Fatal(err)
	}
	if c := y.await(); c.Status != verbs.Flushed || c.ID != 5 {
		t.Errorf("%+v", c)
	}
	if n := y.cq.Poll(out[:]); n > 0 || len(d.waiting) > 0 || y.qp.Place(62, nil) {
		t.Errorf("told again after the end, %d streams wait", len(d.waiting))
	}
}

// A message of many segments that is longer than its receive takes no memory but its own.
func TestLongAllocatesNothing(t *testing.T) {
	const size = 1 << 20
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, size)
	l := &longs{y: y, room: make([]byte, size), put: size - longHead}
	borrow(y, 2000)
	recv := []verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf[:8<<10], LKey: y.mr.LKey()}}}}
	send := []verbs.SendWR{{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:longHead], LKey: x.mr.LKey()}, {Buf: x.buf[longHead:], LKey: x.mr.LKey()}}}}
	out := make([]verbs.Completion, 1)
	once := func() {
		y.qp.PostRecv(recv)
		x.qp.PostSend(send)
		for y.cq.Poll(out) == 0 || out[0].Op == verbs.RecvHead {
			if out[0].Op == verbs.RecvHead {
				l.head(out[0])
			}
			x.cq.Poll(out)
		}
		if out[0].Status != verbs.OK || out[0].Len != longHead {
			t.Fatalf("%+v", out[0])
		}
	}
	for range 20 {
		once()
	}
	if n := testing.AllocsPerRun(100, once); n >= 1 {
		t.Errorf("a message of 1 MB allocates %v times", n)
	}
}
