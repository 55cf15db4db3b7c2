package soft

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// next polls for the next completion. Of heads it tells the program.
func (e *end) next(head func(verbs.Completion)) verbs.Completion {
	e.t.Helper()
	var out [1]verbs.Completion
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		switch {
		case e.cq.Poll(out[:]) == 0:
		case out[0].Op == verbs.RecvHead:
			head(out[0])
		default:
			return out[0]
		}
	}
	e.t.Fatal("nothing completes")
	return out[0]
}

// A part of a long message goes where whoever polls says, the rest to its receive; if he does not say, or
// says nothing, all of it. Short ones are not told of.
func TestPlace(t *testing.T) {
	for _, cfg := range []Config{{Key: []byte("k"), NoCRC: true}, {Key: []byte("k")}} {
		x, y := connected(t, cfg, 64<<10)
		borrow(y, 4000)
		y.cq.(*cq).borrow = false
		aside := make([]byte, 64<<10)
		var answers [3]int
		sizes := []int{100, 5000, 30 << 10, 60 << 10, 30 << 10, 3000, 60 << 10}
		for i := 0; i < 5*len(sizes) || slices.Min(answers[:]) == 0 && i < 500*len(sizes); i++ { // the device's own goroutine tells nobody
			n := sizes[i%len(sizes)]
			clear(y.buf)
			clear(aside)
			for k := range x.buf {
				x.buf[k] = byte(k*7 + i)
			}
			if _, err := y.qp.PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: []verbs.SGE{{Buf: y.buf, LKey: y.mr.LKey()}}}}); err != nil {
				t.Fatal(err)
			}
			post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:n], LKey: x.mr.LKey()}}})
			placed := false
			c := y.next(func(c verbs.Completion) {
				if c.Len != n || n < 4000 || c.QP != y.qp.Num() || len(c.Data) < 20 || !bytes.HasPrefix(x.buf[:n], c.Data) {
					t.Fatalf("message of %d bytes: %+v", n, c)
				}
				switch answers[i%3]++; i % 3 {
				case 0:
					placed = y.qp.Place(20, aside[:n-26])
				case 1:
					y.qp.Place(0, nil)
				}
				if i%3 < 2 && y.qp.Place(20, aside) {
					t.Error("answered twice")
				}
			})
			if c.Op != verbs.Recv || c.Status != verbs.OK || c.Len != n || c.ID != uint64(i) {
				t.Fatalf("message of %d bytes: %+v", n, c)
			}
			if placed {
				if hole := y.buf[20 : n-6]; len(bytes.TrimLeft(hole, "\x00")) > 0 {
					t.Errorf("message of %d bytes: its receive was written where it has a hole", n)
				}
				copy(y.buf[20:], aside[:n-26])
			}
			if !bytes.Equal(y.buf[:n], x.buf[:n]) {
				t.Fatalf("message of %d bytes is not what was sent", n)
			}
			if y.qp.Place(20, aside) {
				t.Error("answered about nothing")
			}
		}
		if slices.Min(answers[:]) == 0 {
			t.Errorf("told %v times", answers)
		}
	}
}

// If whoever was told goes away, the device goes on without an answer.
func TestPlaceTooLate(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 64<<10)
	borrow(y, 4000)
	for i := 0; ; i++ {
		if i == 1000 {
			t.Fatal("nobody is told")
		}
		sendAll(t, x, y, 60<<10, 1)
		told := false
		y.next(func(verbs.Completion) {
			for end := time.Now().Add(20 * time.Second); y.dev.completed(y.cq) == 0; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the device waits for ever")
				}
			}
			if told = true; y.qp.Place(20, make([]byte, 100)) {
				t.Error("not too late")
			}
		})
		if !bytes.Equal(y.buf[:60<<10], x.buf[:60<<10]) && told {
			t.Error("not what was sent")
		}
		clearReceives(y)
		if told {
			return
		}
	}
}

// completed is how many completions wait.
func (d *Device) completed(c verbs.CQ) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return c.(*cq).Len()
}

// Messages, and the beginnings of others, come in order.
func TestPlaceInOrder(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 2<<20)
	borrow(y, 4000)
	const n, count = 60 << 10, 16
	aside := make([]byte, n)
	told := 0
	for round := 0; told < 3; round++ { // the device's own goroutine, which tells nobody, may have been there first
		if round == 100 {
			t.Fatal("nobody was told")
		}
		sendAll(t, x, y, n, count)
		for i := range count {
			placed := false
			c := y.next(func(c verbs.Completion) {
				if told++; int(c.Data[0]) != i {
					t.Errorf("told of message %d when %d were taken", c.Data[0], i)
				}
				placed = y.qp.Place(8, aside)
			})
			if c.Status != verbs.OK || c.Len != n {
				t.Fatalf("message %d: %+v", i, c)
			}
			if placed && !bytes.Equal(aside[:n-8], bytes.Repeat([]byte{byte(i)}, n-8)) {
				t.Errorf("message %d is not where it should be", i)
			}
		}
		clearReceives(y)
	}
}

// sendAll has x send y messages of n bytes, each of which consists of its number, in one go.
func sendAll(t *testing.T, x, y *end, n, count int) {
	t.Helper()
	var wrs []verbs.SendWR
	for i := range count {
		b := x.buf[i*n : (i+1)*n]
		for k := range b {
			b[k] = byte(i)
		}
		wrs = append(wrs, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: b, LKey: x.mr.LKey()}}})
		if _, err := y.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf[i*n : (i+1)*n], LKey: y.mr.LKey()}}}}); err != nil {
			t.Fatal(err)
		}
	}
	for len(wrs) > 0 {
		k, _ := x.qp.PostSend(wrs)
		wrs = wrs[k:]
	}
}
