package soft

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// A message that goes the quick way takes no memory, copied next to its header or gathered.
func TestQuickAllocatesNothing(t *testing.T) {
	for _, size := range []int{100, 16 << 10} {
		a, b := connected(t, Config{Key: []byte("secret"), NoCRC: true}, size)
		allocatesNothing(t, a, b, nil, size)
	}
}

// Nor does a datagram that is sealed, handed to the socket at once or put into a box.
func TestSealedAllocatesNothing(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.UD, verbs.RD} {
		for _, size := range []int{100, 16 << 10} {
			a, b, to, _ := readied(t, Config{Key: []byte("secret"), KeyedDatagrams: true}, typ, size)
			allocatesNothing(t, a, b, to, size)
		}
	}
}

// allocatesNothing fails if Sends of whole buffers take memory.
func allocatesNothing(t *testing.T, a, b *end, to verbs.AH, size int) {
	t.Helper()
	recv := []verbs.RecvWR{{ID: 1, SGL: []verbs.SGE{{Buf: b.buf, LKey: b.mr.LKey()}}}}
	send := []verbs.SendWR{{ID: 2, Op: verbs.Send, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: a.buf, LKey: a.mr.LKey()}}, AH: to}}
	out := make([]verbs.Completion, 1)
	ends := [2]*end{a, b}
	once := func() {
		b.qp.PostRecv(recv)
		a.qp.PostSend(send)
		for _, e := range ends {
			for e.cq.Poll(out) == 0 {
			}
			if out[0].Status != verbs.OK || out[0].Len != size {
				t.Fatalf("%d bytes: %+v", size, out[0])
			}
		}
	}
	for range 20 {
		once()
	}
	if n := testing.AllocsPerRun(60, once); n >= 1 {
		t.Errorf("a message of %d bytes allocates %v times", size, n)
	}
}
