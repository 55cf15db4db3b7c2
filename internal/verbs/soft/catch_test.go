package soft

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// catchFunc is a catcher that is a function.
type catchFunc func(message []byte, from netip.AddrPort) bool

func (f catchFunc) Catch(message []byte, from netip.AddrPort) bool { return f(message, from) }

// Messages that whoever polls does not catch go to the receives, and all come in the order in which they were sent. Those that are
// caught take no receive.
func TestCatch(t *testing.T) {
	for name, cfg := range map[string]Config{"nocrc": {Key: []byte("k"), NoCRC: true}, "crc": {Key: []byte("k")}, "stranger": {}, "markers": {Markers: true}} {
		t.Run(name, func(t *testing.T) {
			x, y := connected(t, cfg, 1<<20)
			const n, count = 1000, 60
			var got []byte
			caught, odd := 0, 0
			y.qp.(*rc).Catch(catchFunc(func(b []byte, _ netip.AddrPort) bool {
				if len(b) != n || !bytes.Equal(b, bytes.Repeat(b[:1], n)) {
					t.Errorf("shown %d bytes, of %x", len(b), b[:1])
				}
				if b[0]%3 == 2 {
					return false
				}
				got = append(got, b[0])
				caught++
				return true
			}))
			for round := 0; caught == 0 && round < 200 && !cfg.Markers || round < 3; round++ { // the device's own goroutine, which shows nobody, may be there first
				got = got[:0]
				before := caught
				sendAll(t, x, y, n, count)
				for len(got) < count {
					var out [1]verbs.Completion
					if y.cq.Poll(out[:]) == 0 {
						continue
					}
					if out[0].Status != verbs.OK || out[0].Len != n {
						t.Fatalf("%+v", out[0])
					}
					got = append(got, y.buf[odd*n])
					odd = (odd + 1) % count
				}
				y.allInTurn(t, got, caught-before)
				odd = 0
				x.cq.Poll(make([]verbs.Completion, 1)) // its device is done with what was sent
			}
			if markers := cfg.Markers; (caught == 0) != markers {
				t.Errorf("%d caught", caught)
			}
		})
	}
}

// steeredCatcher catches messages that have been steered to its memory, as it likes.
type steeredCatcher struct {
	catchFunc
	placed func(head []byte, size int) (bool, verbs.Next)
}

func (c steeredCatcher) CatchPlaced(head []byte, size int) (bool, verbs.Next) {
	return c.placed(head, size)
}

// Messages that were steered and are caught complete nothing and leave their receives where they were; those that are not complete. All
// come in order, and while all are caught whoever polls is asked about each.
func TestCatchPlaced(t *testing.T) {
	for name, cfg := range map[string]Config{"nocrc": {Key: []byte("k"), NoCRC: true}, "crc": {Key: []byte("k")}} {
		t.Run(name, func(t *testing.T) {
			const n, count, at = 32 << 10, 24, 20
			x, y := connected(t, cfg, n*count)
			aside := make([]byte, n)
			var got []byte
			var caught, paused, inARow, most int
			y.cq.(*cq).Steer(func(uint32, []byte, int) (int, []byte, verbs.Next) { return at, aside[:n-at], verbs.Fetch })
			y.qp.(*rc).Catch(steeredCatcher{never, func(head []byte, size int) (bool, verbs.Next) {
				if len(head) != at || size != n || !bytes.Equal(head, bytes.Repeat(head[:1], at)) || !bytes.Equal(aside[:n-at], bytes.Repeat(head[:1], n-at)) {
					t.Errorf("message %d: %d bytes of %d in the receive", head[0], len(head), size)
				}
				if head[0]%8 == 7 {
					return false, verbs.Fetch
				}
				got = append(got, head[0])
				caught++
				if head[0]%8 == 5 {
					paused++
					return true, verbs.Pause
				}
				return true, verbs.Fetch
			}})
			for round := 0; round < 3 || most < 2 && round < 500; round++ { // the device's own goroutine, which asks nobody, may be there first
				got = got[:0]
				before := caught
				sendAll(t, x, y, n, count)
				for completed := 0; len(got) < count; {
					var out [1]verbs.Completion
					inARow = caught
					k := y.cq.Poll(out[:])
					most = max(most, caught-inARow)
					if k == 0 {
						continue
					}
					if out[0].Status != verbs.OK || out[0].Len != n {
						t.Fatalf("%+v", out[0])
					}
					got = append(got, y.buf[completed*n]) // the oldest receive was used; those that were caught used it before
					completed++
				}
				y.allInTurn(t, got, caught-before)
				x.cq.Poll(make([]verbs.Completion, 1)) // its device is done with what was sent
			}
			if caught == 0 || paused == 0 || most < 2 {
				t.Errorf("%d caught, %d of them ended the poll, at most %d in one", caught, paused, most)
			}
		})
	}
}

// clearReceives takes the receives back that nobody used.
// allInTurn checks that messages came in the order of their first bytes and that those which were caught took no receive, and takes the
// receives that are left away.
func (e *end) allInTurn(t *testing.T, got []byte, caught int) {
	t.Helper()
	for i, b := range got {
		if int(b) != i {
			t.Fatalf("got %v", got)
		}
	}
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	q := e.qp.(*rc)
	if left := q.recvs.Len(); left != caught {
		t.Fatalf("%d caught, and %d receives left", caught, left)
	}
	q.clearReceives()
}

func clearReceives(e *end) {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	e.qp.(*rc).clearReceives()
}

// Datagrams that are caught take no receive, and others, which go the usual way, do.
func TestCatchDatagrams(t *testing.T) {
	for name, cfg := range map[string]Config{"plain": {}, "keyed": {Key: []byte("k"), KeyedDatagrams: true}, "shared": {ShareSockets: true}} {
		t.Run(name, func(t *testing.T) {
			const n = 500
			x, y, xy, _ := readied(t, cfg, verbs.UD, 1<<16)
			caught := 0
			y.qp.(*dgram).Catch(catchFunc(func(b []byte, from netip.AddrPort) bool {
				if from != x.qp.Addr() || !bytes.Equal(b, x.buf[:n]) {
					t.Errorf("shown %d bytes from %v", len(b), from)
				}
				if b[0]%2 == 1 {
					return false
				}
				caught++
				return true
			}))
			for i := range 400 {
				x.buf[0], y.buf[0] = byte(i), 255
				if _, err := y.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf, LKey: y.mr.LKey()}}}}); err != nil {
					t.Fatal(err)
				}
				before := caught
				var out [1]verbs.Completion
				y.cq.Poll(out[:]) // else the device's goroutine may be the faster one each time, for which nobody catches
				if !sendsInline(x, xy, y.qp.Num(), x.buf[:n]) {
					t.Fatal("not taken")
				}
				for caught == before && y.cq.Poll(out[:]) == 0 {
				}
				if c := out[0]; caught == before && (c.Status != verbs.OK || c.Len != n || !bytes.Equal(y.buf[:n], x.buf[:n])) {
					t.Fatalf("%+v", c)
				}
				y.dev.mu.Lock()
				if left := y.qp.(*dgram).recvs.Len(); left != caught-before {
					t.Errorf("%d caught, %d receives left", caught-before, left)
				}
				y.qp.(*dgram).clearReceives()
				y.dev.mu.Unlock()
			}
			if caught == 0 {
				t.Error("nothing was caught")
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
