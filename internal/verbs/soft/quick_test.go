package soft

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// A message of one segment that is posted alone goes the quick way: one call of the socket each, whatever
// its length and however many pieces it lies in; what a socket does not take of it goes the usual way, and
// comes whole.
func TestQuickIsCutOff(t *testing.T) {
	for name, cfg := range map[string]Config{"crc": {Key: []byte("secret")}, "plain": {Key: []byte("secret"), NoCRC: true}} {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{smallFrame - 7, smallFrame + 1, 50_001} {
				quickUntilFull(t, cfg, size)
			}
		})
	}
}

// quickUntilFull sends messages one by one to a peer that has no receive for them, until the socket takes no more.
func quickUntilFull(t *testing.T, cfg Config, size int) {
	t.Helper()
	cfg.ReceiveWait = 60 * second
	a, b := connected(t, cfg, size)
	qp, err := a.pd.NewQP(verbs.QPConfig{Type: verbs.RC, SendCQ: a.cq, RecvCQ: a.cq, SendDepth: 4, SendSGE: 3, RecvDepth: 1})
	if err != nil {
		t.Fatal(err)
	}
	rejoin(t, a, b, qp)
	for i := range a.buf {
		a.buf[i] = byte(i * 11 / 3)
	}
	lkey := a.mr.LKey()
	list := []verbs.SGE{{Buf: a.buf[:100], LKey: lkey}, {Buf: a.buf[100:101], LKey: lkey}, {Buf: a.buf[101:], LKey: lkey}}
	before, sent := counter(t, a.dev, "rc_send_calls"), uint64(0)
	ended := false // the message that was cut off: its rest may leave before we look
	for full := false; !full; sent++ {
		post(t, a, verbs.SendWR{ID: sent, Op: verbs.Send, SGL: list})
		var out [1]verbs.Completion
		done := a.cq.Poll(out[:]) == 1
		if done && (out[0].ID != sent || out[0].Status != verbs.OK || out[0].Len != size) {
			t.Fatalf("message %d of %d bytes: %+v", sent, size, out[0])
		}
		calls := counter(t, a.dev, "rc_send_calls") - before
		if calls < sent+1 || sent > 1<<16 {
			t.Fatalf("%d messages of %d bytes took %d calls, and the socket takes whatever it is given", sent+1, size, calls)
		}
		full, ended = !done || calls > sent+1, done
	}
	if sent < 2 {
		t.Fatalf("a first message of %d bytes does not leave in one call", size)
	}
	for i := range sent {
		clear(b.buf)
		b.qp.PostRecv([]verbs.RecvWR{{ID: i, SGL: []verbs.SGE{{Buf: b.buf, LKey: b.mr.LKey()}}}})
		if c := b.await(); c.Status != verbs.OK || c.ID != i || c.Len != size || !bytes.Equal(a.buf, b.buf) {
			t.Fatalf("message %d of %d, %d bytes: %+v", i, sent, size, c)
		}
	}
	if ended {
		return
	}
	if c := a.await(); c.ID != sent-1 || c.Status != verbs.OK || c.Len != size {
		t.Fatalf("the message that was cut off: %+v", c)
	}
}

// rejoin connects b to another queue pair of a.
func rejoin(t *testing.T, a, b *end, qp verbs.QP) {
	t.Helper()
	again := newEnd(t, b.dev, verbs.RC, len(b.buf))
	l, err := b.dev.Listen(verbs.ListenConfig{})
	if err == nil {
		err = qp.Modify(verbs.Init)
	}
	if err == nil {
		err = qp.Connect(l.Addr(), nil)
	}
	if err == nil {
		err = b.event(verbs.ConnectRequest).Request.Accept(again.qp, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Established)
	b.event(verbs.Established)
	a.qp, *b = qp, *again
}

// Inline sends that go the quick way leave from where their bytes are, which need not be registered, and
// which are the caller's again when PostSend returns, also when the socket takes only a part of them, or
// nothing. They come in their turn.
func TestQuickInline(t *testing.T) {
	for name, cfg := range map[string]Config{"nocrc": {Key: []byte("k"), NoCRC: true}, "crc": {Key: []byte("k")}, "stranger": {}} {
		for _, n := range []int{4000, 20_001} {
			for _, late := range []int{0, n - 20, n} {
				t.Run(fmt.Sprintf("%s/%d/%d", name, n, late), func(t *testing.T) { quickInline(t, cfg, n, late) })
			}
		}
	}
}

func quickInline(t *testing.T, cfg Config, n, late int) {
	cfg.ReceiveWait = 60 * second
	x, y := connected(t, cfg, n)
	memory := make([]byte, n) // not registered
	list := []verbs.SGE{{Buf: memory[:n-late]}, {Buf: memory[n-late:]}}
	fill := func(i int) {
		for k := range memory {
			memory[k] = byte(k*3 + i)
		}
	}
	sent := 0
	for ; sent < 1<<16; sent++ { // until the socket and the queue are full: the peer has no receives
		fill(sent)
		k, err := x.qp.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Inline, SGL: list}})
		clear(memory)
		if errors.Is(err, verbs.ErrFull) {
			break
		}
		if k != 1 || err != nil {
			t.Fatal(err)
		}
	}
	for i := range sent {
		if _, err := y.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf, LKey: y.mr.LKey()}}}}); err != nil {
			t.Fatal(err)
		}
		fill(i)
		if c := y.await(); c.Status != verbs.OK || c.Len != n || !bytes.Equal(y.buf, memory) {
			t.Fatalf("message %d of %d: %+v", i, sent, c)
		}
	}
	if err := x.qp.Modify(verbs.Error); err != nil {
		t.Fatal(err)
	}
	if _, err := x.qp.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Inline, SGL: list}}); err != nil || x.await().Status != verbs.Flushed {
		t.Errorf("in Error: %v", err)
	}
}

// sendsInline tells whether e takes a Send to a queue pair at an address.
func sendsInline(e *end, to verbs.AH, num uint32, b []byte) bool {
	n, _ := e.qp.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Inline, SGL: []verbs.SGE{{Buf: b}}, AH: to, DestQP: num}})
	return n == 1
}
