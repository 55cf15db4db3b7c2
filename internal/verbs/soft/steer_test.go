package soft

import (
	"bytes"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// A part of a long message goes where whoever polls says, the rest to its receive; short ones are not asked about.
func TestSteer(t *testing.T) {
	for _, cfg := range []Config{{Key: []byte("k"), NoCRC: true}, {Key: []byte("k")}} {
		x, y := connected(t, cfg, 64<<10)
		aside := make([]byte, 40<<10)
		var asked []int
		steered := 0
		y.cq.(*cq).Steer(func(qp uint32, head []byte, size int) (int, []byte, verbs.Next) {
			if asked = append(asked, size); qp != y.qp.Num() || len(head) < 20 {
				t.Errorf("asked about queue pair %d with %d bytes", qp, len(head))
			}
			next := verbs.Fetch
			if size == 17<<10 {
				next = verbs.Pause
			}
			return 20, aside[:size-20-6], next
		})
		sizes := []int{100, 3000, 5000, 16 << 10, 17 << 10, 30 << 10, 17 << 10, 2000, 5000}
		for i := 0; i < 5*len(sizes) || steered == 0 && i < 500*len(sizes); i++ { // a busy machine leaves it to the goroutine longer
			n := sizes[i%len(sizes)]
			clear(y.buf)
			clear(aside)
			asked = asked[:0]
			if _, err := y.qp.PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: []verbs.SGE{{Buf: y.buf, LKey: y.mr.LKey()}}}}); err != nil {
				t.Fatal(err)
			}
			for k := range x.buf {
				x.buf[k] = byte(k*7 + i)
			}
			post(t, x, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: x.buf[:n], LKey: x.mr.LKey()}}})
			if c := y.await(); c.Status != verbs.OK || c.Len != n || c.ID != uint64(i) {
				t.Fatalf("message of %d bytes: %+v", n, c)
			}
			got := slices.Clone(y.buf[:n])
			if len(asked) > 0 { // not if the device's own goroutine has taken it, which asks nobody
				if steered++; n < steerMin || !slices.Equal(asked, []int{n}) {
					t.Errorf("message of %d bytes: asked about %v", n, asked)
				}
				if copy(got[20:n-6], aside); slices.ContainsFunc(y.buf[20:n-6], func(b byte) bool { return b != 0 }) {
					t.Errorf("message of %d bytes: its receive was written where it has a hole", n)
				}
			}
			if !bytes.Equal(got, x.buf[:n]) {
				t.Fatalf("message of %d bytes is not what was sent", n)
			}
		}
		if steered == 0 {
			t.Error("nobody was ever asked")
		}
	}
}

// Nobody is asked about a message while one that came before it has not been taken.
func TestSteerInOrder(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 512<<10)
	const n, count = 16 << 10, 16
	aside := make([]byte, n)
	taken, asked := 0, 0
	y.cq.(*cq).Steer(func(_ uint32, head []byte, size int) (int, []byte, verbs.Next) {
		if asked++; int(head[0]) != taken {
			t.Errorf("asked about message %d when %d were taken", head[0], taken)
		}
		return 8, aside[:size-8], verbs.Fetch
	})
	for round := 0; asked == 0; round++ { // the device's own goroutine, which asks nobody, may have been there first
		if round == 100 {
			t.Fatal("nobody was asked")
		}
		taken = 0
		sendAll(t, x, y, n, count)
		for i := range count {
			before := asked
			if c := y.await(); c.Status != verbs.OK || c.Len != n {
				t.Fatalf("message %d: %+v", i, c)
			}
			if taken++; asked > before && !bytes.Equal(aside[:n-8], bytes.Repeat([]byte{byte(i)}, n-8)) {
				t.Errorf("message %d is not where it should be", i)
			}
		}
	}
}

// Whoever wants to do something when the beginning of a message is there gets its turn before the rest is fetched.
func TestSteerPauses(t *testing.T) {
	x, y := connected(t, Config{Key: []byte("k"), NoCRC: true}, 64<<10)
	const n = 16 << 10
	aside := make([]byte, n)
	asked, paused := 0, 0
	y.cq.(*cq).Steer(func(uint32, []byte, int) (int, []byte, verbs.Next) {
		asked++
		return 8, aside, verbs.Pause
	})
	var done [1]verbs.Completion
	for range 50 { // the device's own goroutine, which asks nobody, may be there first
		sendAll(t, x, y, n, 1)
		for before := asked; y.cq.Poll(done[:]) == 0; before = asked {
			if asked > before {
				paused++
			}
		}
		if done[0].Status != verbs.OK || done[0].Len != n {
			t.Fatalf("%+v", done[0])
		}
	}
	if asked == 0 || paused == 0 {
		t.Errorf("asked %d times, of which %d polls returned before the message was whole", asked, paused)
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
