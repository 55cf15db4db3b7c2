package engine

import (
	"testing"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// unmet has n messages of size bytes arrive before their receives, and receives them.
func unmet(t *testing.T, e *Engine, n, size int) {
	t.Helper()
	payload, buf := make([]byte, size), make([]byte, size)
	for i := range n {
		payload[0] = byte(i)
		e.Arrive(1, &wire.Header{Kind: wire.Eager, Ctx: 2, Tag: int32(i), Len: size}, payload)
	}
	e.Clear()
	for i := range n {
		var r Req
		r.Envelope, r.Buf = match.Envelope{Ctx: 2, Peer: 1, Tag: int32(i)}, buf
		if e.PostRecv(&r); !r.Done() || buf[0] != byte(i) || r.Status.Len != size {
			t.Fatalf("message %d of %d bytes: %+v", i, size, r.Status)
		}
		e.Clear()
	}
}

// TestKeptBytes: the memory of messages that came before their receives is used again, up to a
// bound, whatever their lengths.
func TestKeptBytes(t *testing.T) {
	e := New(Config{})
	unmet(t, e, 1, 8<<10)
	m := e.freeMsg
	if m == nil || cap(m.buf) < 8<<10 {
		t.Fatal("the memory of one message is not kept")
	}
	place := &m.buf[:1][0]
	for range 10 {
		unmet(t, e, 1, 8<<10)
	}
	if e.kept != 1 || &e.freeMsg.buf[:1][0] != place {
		t.Error("the next message has fresh memory")
	}
	for _, size := range []int{100, 100 << 10, 3 << 20, 1000, 40 << 10} {
		unmet(t, e, min(keptMessages+50, 32<<20/size), size)
		messages, room := 0, 0
		for m := e.freeMsg; m != nil; m = m.next {
			messages++
			room += cap(m.buf)
		}
		if messages != e.kept || room != e.keptBytes || messages > keptMessages || room > keptBytes {
			t.Errorf("after messages of %d bytes: %d messages with %d bytes are kept, counted %d with %d", size, messages, room, e.kept, e.keptBytes)
		}
	}
}
