package soft

import (
	"bytes"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// borrow has whoever polls get messages where they are, and be told of the beginning of those of at least
// placeMin bytes.
func borrow(e *end, placeMin int) {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	c := e.cq.(*cq)
	c.borrow, c.placeMin = true, placeMin
}

// Messages that whoever polls can borrow take no receive; others do, and all come in the order in which they were sent.
func TestBorrow(t *testing.T) {
	for name, cfg := range map[string]Config{"nocrc": {Key: []byte("k"), NoCRC: true}, "crc": {Key: []byte("k")}, "stranger": {}, "markers": {Markers: true}} {
		t.Run(name, func(t *testing.T) {
			x, y := connected(t, cfg, 1<<20)
			borrow(y, 0)
			const n, count = 1000, 60
			all := 0
			for round := 0; all == 0 && round < 200 && !cfg.Markers || round < 3; round++ { // the device's own goroutine, which lends nothing, may be there first
				var got []byte
				borrowed := 0
				sendAll(t, x, y, n, count)
				for len(got) < count {
					var out [7]verbs.Completion
					for _, c := range out[:y.cq.Poll(out[:])] {
						b := c.Data
						if b == nil {
							b = y.buf[(len(got)-borrowed)*n:][:n]
						} else {
							borrowed++
						}
						if c.Status != verbs.OK || c.Op != verbs.Recv || c.Len != n || !bytes.Equal(b, bytes.Repeat(b[:1], n)) {
							t.Fatalf("%+v", c)
						}
						got = append(got, b[0])
					}
				}
				y.allInTurn(t, got, borrowed)
				all += borrowed
				x.cq.Poll(make([]verbs.Completion, 1)) // its device is done with what was sent
			}
			if (all == 0) != cfg.Markers {
				t.Errorf("%d borrowed", all)
			}
		})
	}
}

// What was borrowed stays as it is until the next Poll, whoever drives the device meanwhile.
func TestBorrowedStays(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 1<<20)
	borrow(y, 0)
	const n = 5000
	var out [1]verbs.Completion
	for i := 0; out[0].Data == nil; i++ { // the device's own goroutine may be there first
		if i == 1000 {
			t.Fatal("nothing is lent")
		}
		sendAll(t, x, y, n, 1)
		for y.cq.Poll(out[:]) == 0 {
		}
		clearReceives(y)
	}
	before := bytes.Clone(out[0].Data)
	x.buf[0]++
	y.receives(1, n)
	post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:n], LKey: x.mr.LKey()}}})
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		y.dev.mu.Lock()
		left := y.qp.(*rc).recvs.Len()
		y.dev.mu.Unlock()
		if left == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nobody drives the device")
		}
	}
	if !bytes.Equal(out[0].Data, before) {
		t.Error("what was borrowed has changed")
	}
	if c := y.await(); c.Status != verbs.OK || c.Data != nil || !bytes.Equal(y.buf[:n], x.buf[:n]) {
		t.Errorf("%+v", c)
	}
}

// allInTurn checks that messages came in the order of their first bytes and that those which were borrowed
// took no receive, and takes the receives that are left away.
func (e *end) allInTurn(t *testing.T, got []byte, borrowed int) {
	t.Helper()
	for i, b := range got {
		if int(b) != i {
			t.Fatalf("got %v", got)
		}
	}
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	q := e.qp.(*rc)
	if left := q.recvs.Len(); left != borrowed {
		t.Fatalf("%d borrowed, and %d receives left", borrowed, left)
	}
	q.clearReceives()
}

func clearReceives(e *end) {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	e.qp.(*rc).clearReceives()
}

// Datagrams that are borrowed take no receive.
func TestBorrowDatagrams(t *testing.T) {
	for name, cfg := range map[string]Config{"plain": {}, "keyed": {Key: []byte("k"), KeyedDatagrams: true}, "shared": {ShareSockets: true}} {
		t.Run(name, func(t *testing.T) {
			const n = 500
			x, y, xy, _ := readied(t, cfg, verbs.UD, 1<<16)
			borrow(y, 0)
			borrowed := 0
			for i := range 400 {
				x.buf[0], y.buf[0] = byte(i), 255
				if _, err := y.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf, LKey: y.mr.LKey()}}}}); err != nil {
					t.Fatal(err)
				}
				var out [1]verbs.Completion
				y.cq.Poll(out[:]) // else the device's goroutine may be the faster one each time, which lends nothing
				if !sendsInline(x, xy, y.qp.Num(), x.buf[:n]) {
					t.Fatal("not taken")
				}
				for y.cq.Poll(out[:]) == 0 {
				}
				left, got := 0, y.buf[:n]
				if c := out[0]; c.Data != nil {
					left, got = 1, c.Data
					borrowed++
				}
				if c := out[0]; c.Status != verbs.OK || c.Len != n || c.Src != x.qp.Addr() || !bytes.Equal(got, x.buf[:n]) {
					t.Fatalf("%+v", c)
				}
				y.dev.mu.Lock()
				if n := y.qp.(*dgram).recvs.Len(); n != left {
					t.Errorf("%d receives left of %d", n, left)
				}
				y.qp.(*dgram).clearReceives()
				y.dev.mu.Unlock()
			}
			if borrowed == 0 {
				t.Error("nothing was borrowed")
			}
			if sendsInline(x, nil, y.qp.Num(), x.buf[:n]) || sendsInline(x, xy, 1<<24, x.buf[:n]) {
				t.Error("taken for nobody")
			}
			if err := xy.Close(); err != nil || sendsInline(x, xy, y.qp.Num(), x.buf[:n]) {
				t.Errorf("taken for an address that was closed; %v", err)
			}
			if err := x.qp.Close(); err != nil || sendsInline(x, xy, y.qp.Num(), x.buf[:n]) {
				t.Errorf("taken after Close; %v", err)
			}
		})
	}
}
