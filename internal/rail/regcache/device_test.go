package regcache_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

const peers = verbs.LocalWrite | verbs.RemoteRead | verbs.RemoteWrite

func open(t testing.TB, cfg regcache.Config) (verbs.Device, verbs.PD, *regcache.Cache) {
	t.Helper()
	dev, err := soft.Open(soft.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	pd, err := dev.NewPD()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Registrar = pd
	cache, err := regcache.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return dev, pd, cache
}

// writer writes from one queue pair to another, both of one device.
type writer struct {
	t    *testing.T
	qp   verbs.QP
	cq   verbs.CQ
	ah   verbs.AH
	dest uint32
}

func newWriter(t *testing.T, dev verbs.Device, pd verbs.PD) *writer {
	t.Helper()
	cq, err := dev.NewCQ(verbs.CQConfig{Depth: 64})
	if err != nil {
		t.Fatal(err)
	}
	var qps [2]verbs.QP
	for i := range qps {
		if qps[i], err = pd.NewQP(verbs.QPConfig{Type: verbs.RD, SendCQ: cq, RecvCQ: cq, SendDepth: 8, RecvDepth: 8}); err != nil {
			t.Fatal(err)
		}
		for _, s := range []verbs.State{verbs.Init, verbs.RTS} {
			if err := qps[i].Modify(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	ah, err := pd.NewAH(qps[1].Addr())
	if err != nil {
		t.Fatal(err)
	}
	return &writer{t, qps[0], cq, ah, qps[1].Num()}
}

// write writes src to what is at an address behind a key, and returns how it ended.
func (w *writer) write(src []byte, lkey uint32, addr uint64, rkey uint32) verbs.Status {
	w.t.Helper()
	_, err := w.qp.PostSend([]verbs.SendWR{{Op: verbs.Write, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: src, LKey: lkey}}, AH: w.ah,
		DestQP: w.dest, RemoteAddr: addr, RKey: rkey}})
	if err != nil {
		w.t.Fatal(err)
	}
	var done [1]verbs.Completion
	for w.cq.Poll(done[:]) == 0 {
		w.cq.Wait(1e9)
	}
	return done[0].Status
}

// TestDevice: keys and addresses of buffers that share an entry lead to the right bytes, and a key is void
// after the last Release.
func TestDevice(t *testing.T) {
	dev, pd, cache := open(t, regcache.Config{Entries: 16, Bytes: 1 << 20, FreshKeys: true})
	w := newWriter(t, dev, pd)
	from, to := make([]byte, 1000, 4096), make([]byte, 8192)
	for i := range from {
		from[i] = byte(i)
	}
	a, err := cache.Acquire(to[:100], peers) // the whole first page
	if err != nil {
		t.Fatal(err)
	}
	b, err := cache.Acquire(to[200:1200], peers)
	if err != nil || a != b {
		t.Fatalf("%v; want one entry for neighbours", err)
	}
	src, err := cache.Acquire(from, 0)
	if err != nil {
		t.Fatal(err)
	}
	cache.Release(a)
	if s := w.write(from, src.LKey(), b.Addr(to[200:]), b.RKey()); s != verbs.OK || !bytes.Equal(to[200:1200], from) || to[199] != 0 || to[1200] != 0 {
		t.Fatalf("%v, or the wrong bytes", s)
	}
	addr, key := b.Addr(to[200:]), b.RKey()
	cache.Release(b)
	if s := w.write(from, src.LKey(), addr, key); s != verbs.RemoteAccess {
		t.Errorf("a write after the last Release: %v", s)
	}
	if n := cache.Counters(); n.Hits != 1 || n.Misses != 2 || n.Entries != 2 {
		t.Errorf("counters %+v", n)
	}
	cache.Release(src)
	if err := cache.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkAcquire: a hit among so many entries in random order, a miss that evicts, and what the device takes alone.
func BenchmarkAcquire(b *testing.B) {
	for _, entries := range []int{1, 16, 1024} {
		b.Run(fmt.Sprintf("hit/%d", entries), func(b *testing.B) { cycle(b, entries, entries, 512) })
	}
	b.Run("miss", func(b *testing.B) { cycle(b, 1024, 2048, 4096) })
	b.Run("off", func(b *testing.B) { cycle(b, 0, 1024, 4096) })
	for _, size := range []int{512, 1 << 20} {
		b.Run(fmt.Sprintf("device/%d", size), func(b *testing.B) {
			_, pd, _ := open(b, regcache.Config{})
			buf := make([]byte, size)
			b.ReportAllocs()
			for b.Loop() {
				mr, err := pd.Register(buf, verbs.LocalWrite)
				if err != nil {
					b.Fatal(err)
				}
				mr.Close()
			}
		})
	}
}

// cycle acquires and releases buffers of a size, over and over, in an order that looks random.
func cycle(b *testing.B, entries, buffers, size int) {
	_, _, cache := open(b, regcache.Config{Entries: entries, Bytes: regcache.DefaultBytes})
	bufs := make([][]byte, buffers)
	for i := range bufs {
		bufs[i] = make([]byte, size)
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i = (i*5 + 1021) % buffers
		e, err := cache.Acquire(bufs[i], verbs.LocalWrite)
		if err != nil {
			b.Fatal(err)
		}
		cache.Release(e)
	}
	b.ReportMetric(float64(cache.Counters().Hits)/float64(b.N), "hits/op")
}
