package soft

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// TestMarkedTogether: with markers, FPDUs that fill their TCP segments leave in one call, and all others alone.
func TestMarkedTogether(t *testing.T) {
	const size = 60 << 10
	x, y := connected(t, Config{Markers: true}, size)
	x.qp.(*rc).stream.aligned = 1448
	fill(x.buf, 1)
	before := x.dev.count
	exchange(t, x, y, size)
	if !bytes.Equal(x.buf, y.buf) {
		t.Error("other bytes arrived")
	}
	calls, frames := x.dev.count.sendCalls-before.sendCalls, x.dev.count.fpdusOut-before.fpdusOut
	if full := uint64(size / 1448); frames < full || calls > frames/4 {
		t.Errorf("%d calls for %d FPDUs", calls, frames)
	}
}

// TestMarkedLong sends messages of many long FPDUs, which come in parts, more than the sockets hold: what these do not
// take is sent later.
func TestMarkedLong(t *testing.T) {
	for _, crc := range []bool{true, false} {
		t.Run(fmt.Sprintf("crc=%v", crc), func(t *testing.T) {
			const size = 16 << 20
			x, y := connected(t, Config{Key: []byte("k"), Markers: true, NoCRC: !crc}, size)
			for round := range 3 {
				n := size - round*12345
				fill(x.buf, byte(round))
				exchange(t, x, y, n)
				if !bytes.Equal(x.buf[:n], y.buf[:n]) {
					t.Fatalf("round %d: other bytes arrived", round)
				}
			}
			x.dev.mu.Lock()
			defer x.dev.mu.Unlock()
			if s := x.qp.(*rc).stream; len(s.marked) > 0 || s.begun > 0 {
				t.Errorf("%d bytes are left to send", len(s.marked))
			}
		})
	}
}

func fill(b []byte, seed byte) {
	for i := range b {
		b[i] = byte(i) ^ byte(i>>8) ^ byte(i>>16) ^ seed
	}
}

// exchange sends n bytes from x to y and waits for both completions.
func exchange(t *testing.T, x, y *end, n int) {
	t.Helper()
	if _, err := y.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf[:n], LKey: y.mr.LKey()}}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := x.qp.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:n], LKey: x.mr.LKey()}}, Flags: verbs.Signaled}}); err != nil {
		t.Fatal(err)
	}
	var out [1]verbs.Completion
	for _, e := range []*end{x, y} {
		for e.cq.Poll(out[:]) == 0 {
			if e == x {
				y.cq.Poll(nil)
			}
		}
		if out[0].Status != verbs.OK {
			t.Fatalf("%v", out[0].Status)
		}
	}
}
