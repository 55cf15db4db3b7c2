package soft

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// readied are two ends that can send datagrams to each other.
func readied(t testing.TB, cfg Config, typ verbs.Type, size int) (a, b *end, ab, ba verbs.AH) {
	t.Helper()
	da, db := open(t, cfg), open(t, cfg)
	a, b = newEnd(t, da, typ, size), newEnd(t, db, typ, size)
	for _, e := range []*end{a, b} {
		if err := e.qp.Modify(verbs.RTS); err != nil {
			t.Fatal(err)
		}
	}
	ab, err := a.pd.NewAH(b.qp.Addr())
	if err != nil {
		t.Fatal(err)
	}
	ba, err = b.pd.NewAH(a.qp.Addr())
	if err != nil {
		t.Fatal(err)
	}
	return a, b, ab, ba
}

func TestDatagrams(t *testing.T) {
	v6 := Config{Rails: []netip.Addr{netip.IPv6Loopback()}}
	for name, cfg := range map[string]Config{"plain": {}, "plainwire": {NoOffload: true}, "keyed": {Key: []byte("k"), KeyedDatagrams: true},
		"shared": {ShareSockets: true}, "v6": v6, "mtu": {Datagram: 1472}, "keyedmtu": {Key: []byte("k"), KeyedDatagrams: true, Datagram: 1472}} {
		for _, typ := range []verbs.Type{verbs.UD, verbs.RD} {
			t.Run(name+"/"+typ.String(), func(t *testing.T) {
				const size = 1 << 20
				a, b, ab, _ := readied(t, cfg, typ, size)
				for i := range a.buf {
					a.buf[i] = byte(i * 7 / 3)
				}
				dest := b.qp.Num()
				for _, n := range []int{0, 1, 64, 1400, 4000, 65000, size} {
					if n <= a.dev.Caps().MaxDatagram || typ == verbs.RD {
						clear(b.buf)
						b.qp.PostRecv([]verbs.RecvWR{{ID: 5, SGL: []verbs.SGE{{Buf: b.buf, LKey: b.mr.LKey()}}}})
						post(t, a, verbs.SendWR{ID: 1, Op: verbs.Send, SGL: []verbs.SGE{{Buf: a.buf[:n], LKey: a.mr.LKey()}}, AH: ab, DestQP: dest})
						if c := b.await(); c.Status != verbs.OK || c.ID != 5 || c.Len != n || !bytes.Equal(b.buf[:n], a.buf[:n]) || c.Src != a.qp.Addr() {
							t.Fatalf("%d: %+v", n, c)
						}
						if c := a.await(); c.Status != verbs.OK || c.ID != 1 {
							t.Fatalf("%d: %+v", n, c)
						}
					}
					clear(b.buf)
					if typ == verbs.RD {
						b.qp.PostRecv([]verbs.RecvWR{{ID: 6}})
						post(t, a, verbs.SendWR{ID: 2, Op: verbs.WriteImm, Imm: 77, RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey(),
							SGL: []verbs.SGE{{Buf: a.buf[:n], LKey: a.mr.LKey()}}, AH: ab, DestQP: dest})
						if c := b.await(); c.Status != verbs.OK || c.ID != 6 || c.Imm != 77 || c.Len != n || !bytes.Equal(b.buf[:n], a.buf[:n]) {
							t.Fatalf("%d: %+v", n, c)
						}
						if c := a.await(); c.Status != verbs.OK || c.ID != 2 {
							t.Fatalf("%d: %+v", n, c)
						}
					} else {
						copy(b.buf, a.buf)
					}
					old := append([]byte(nil), a.buf...)
					clear(a.buf)
					post(t, a, verbs.SendWR{ID: 3, Op: verbs.Read, RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey(),
						SGL: []verbs.SGE{{Buf: a.buf[:n], LKey: a.mr.LKey()}}, AH: ab, DestQP: dest})
					var done [1]verbs.Completion
					for a.cq.Poll(done[:]) == 0 {
						b.cq.Poll(nil)
					}
					b.cq.Poll(nil) // b's own goroutine may have read b.buf: the race detector sees the lock, not the datagrams
					if c := done[0]; c.Status != verbs.OK || c.ID != 3 || !bytes.Equal(old[:n], a.buf[:n]) {
						t.Fatalf("%d: %+v", n, c)
					}
					copy(a.buf, old)
				}
			})
		}
	}
}

// TestReadOfTheDead: a peer that acknowledges a Read and then falls silent fails the Read, not the queue pair.
func TestReadOfTheDead(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds: a peer is given up after many attempts")
	}
	a, b, ab, _ := readied(t, Config{}, verbs.RD, 4096)
	answers := 0
	b.dev.Tap(func(d verbs.Datagram) verbs.Fate {
		if d.Size > 100 {
			answers++
		}
		return verbs.Fate{Drop: answers > 0}
	})
	post(t, a, verbs.SendWR{ID: 3, Op: verbs.Read, RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey(),
		SGL: []verbs.SGE{{Buf: a.buf, LKey: a.mr.LKey()}}, AH: ab})
	if !a.cq.Wait(30 * second) {
		t.Fatal("the Read hangs")
	}
	if c := a.await(); c.Status != verbs.Unreachable || a.qp.State() != verbs.RTS {
		t.Errorf("%+v, %v", c, a.qp.State())
	}
	b.dev.Tap(nil)
	post(t, a, verbs.SendWR{ID: 4, Op: verbs.Read, RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey(),
		SGL: []verbs.SGE{{Buf: a.buf, LKey: a.mr.LKey()}}, AH: ab})
	if c := a.await(); c.Status != verbs.OK || c.ID != 4 {
		t.Errorf("after it is back: %+v", c)
	}
}
