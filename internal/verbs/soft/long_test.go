package soft

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Writes of both ends to each other, each followed by a message and a Read of nothing as links do it, are
// received where they belong: what is short between them must not make a stream forget that long payloads
// come.
func TestLongWritesAreNotCopied(t *testing.T) {
	const size, rounds = 1 << 20, 8
	a, b := connected(t, Config{Key: []byte("secret"), NoCRC: true}, 2*size)
	for i := range size {
		a.buf[i], b.buf[i] = byte(i*7/3), byte(i*5/3)
	}
	before := uint64(0)
	for round := range rounds {
		for _, e := range []*end{a, b} {
			e.qp.PostRecv([]verbs.RecvWR{{ID: 1}})
		}
		a.write(b, size)
		b.write(a, size)
		for _, e := range []*end{a, b} {
			e.awaitAll(4) // the Write, the message, the Read and the peer's message
		}
		if !bytes.Equal(a.buf[size:], b.buf[:size]) || !bytes.Equal(b.buf[size:], a.buf[:size]) {
			t.Fatalf("round %d: other bytes came than were written", round)
		}
		if round == 0 { // nothing was known of the stream
			before = copied(a) + copied(b)
		}
	}
	// Beginnings of segments come with their headers, and the short ends of messages whole.
	if n := copied(a) + copied(b) - before; n > 2*(rounds-1)*size/64 {
		t.Errorf("%d of %d bytes were copied", n, 2*(rounds-1)*size)
	}
}

// write puts the first size bytes of e's memory behind those of to's.
func (e *end) write(to *end, size int) {
	e.t.Helper()
	post(e.t, e, verbs.SendWR{ID: 2, Op: verbs.Write, RemoteAddr: to.mr.Addr() + uint64(size), RKey: to.mr.RKey(),
		SGL: []verbs.SGE{{Buf: e.buf[:size], LKey: e.mr.LKey()}}})
	post(e.t, e, verbs.SendWR{ID: 3, Op: verbs.Send})
	post(e.t, e, verbs.SendWR{ID: 4, Op: verbs.Read, RemoteAddr: to.mr.Addr(), RKey: to.mr.RKey()})
}

// awaitAll takes n completions.
func (e *end) awaitAll(n int) {
	e.t.Helper()
	for range n {
		if c := e.await(); c.Status != verbs.OK {
			e.t.Fatalf("%+v", c)
		}
	}
}

// copied is how many bytes an end has placed by a copy.
func copied(e *end) uint64 { return counter(e.t, e.dev, "rc_bytes_placed_by_copy") }
