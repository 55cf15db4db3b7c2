package regcache

import (
	"errors"
	"runtime"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/verbs"
)

const rw = verbs.LocalWrite | verbs.RemoteRead | verbs.RemoteWrite

func expect(t *testing.T, c *Cache, want Counters) {
	t.Helper()
	got := c.Counters()
	got.RegisterTime, got.DeregisterTime = 0, 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
}

// TestFullReuse: misses are the buffers, all else are hits.
func TestFullReuse(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 8, Bytes: DefaultBytes})
	var bufs [8][]byte
	for i := range bufs {
		bufs[i] = slab(1)
	}
	for range 10 {
		for _, b := range bufs {
			use(t, c, b, 0)
		}
	}
	expect(t, c, Counters{Hits: 72, Misses: 8, Entries: 8, Bytes: 8 * 4096})
}

// TestNoReuse: beyond capacity every miss evicts one entry, the one unused for longest.
func TestNoReuse(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 4, Bytes: DefaultBytes})
	var bufs [10][]byte
	for i := range bufs {
		bufs[i] = slab(1)
		use(t, c, bufs[i], 0)
		use(t, c, bufs[0], 0) // always the youngest but one
	}
	expect(t, c, Counters{Hits: 10, Misses: 10, Evictions: 6, Entries: 4, Bytes: 4 * 4096})
	for _, i := range []int{0, 7, 8, 9} {
		use(t, c, bufs[i], 0)
	}
	expect(t, c, Counters{Hits: 14, Misses: 10, Evictions: 6, Entries: 4, Bytes: 4 * 4096})
}

// TestBytes: capacity is also counted in bytes, to the last one.
func TestBytes(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: 4 * 4096})
	use(t, c, slab(2), 0)
	use(t, c, slab(2), 0)
	expect(t, c, Counters{Misses: 2, Entries: 2, Bytes: 4 * 4096})
	use(t, c, slab(1), 0)
	expect(t, c, Counters{Misses: 3, Evictions: 1, Entries: 2, Bytes: 3 * 4096})
	use(t, c, slab(4), 0)
	expect(t, c, Counters{Misses: 4, Evictions: 3, Entries: 1, Bytes: 4 * 4096})
	use(t, c, slab(5), 0) // never fits, so evicts nobody
	expect(t, c, Counters{Misses: 5, Loose: 1, Evictions: 3, Entries: 1, Bytes: 4 * 4096})
}

// TestInUse: entries in use are not evicted; what does not fit beside them is registered for once.
func TestInUse(t *testing.T) {
	f := newFake(t)
	c := newCache(t, f, Config{Entries: 2, Bytes: DefaultBytes})
	x, y, z := slab(1), slab(1), slab(1)
	ex, ey := acquire(t, c, x, 0), acquire(t, c, y, 0)
	ez := acquire(t, c, z, rw)
	if again := acquire(t, c, x, 0); again != ex {
		t.Error("the same buffer has two entries")
	}
	if got := ez.mr.(*region); got.access != rw || len(f.open) != 3 {
		t.Errorf("access %v, %d open", got.access, len(f.open))
	}
	c.Release(ez)
	expect(t, c, Counters{Hits: 1, Misses: 3, Loose: 1, Entries: 2, Bytes: 2 * 4096})
	c.Release(ex)
	use(t, c, z, 0) // x is held once more, y once
	expect(t, c, Counters{Hits: 1, Misses: 4, Loose: 2, Entries: 2, Bytes: 2 * 4096})
	c.Release(ex)
	use(t, c, z, 0) // x goes
	c.Release(ey)
	expect(t, c, Counters{Hits: 1, Misses: 5, Loose: 2, Evictions: 1, Entries: 2, Bytes: 2 * 4096})
}

// TestOff: without capacity every Acquire registers exactly its buffer and every Release closes.
func TestOff(t *testing.T) {
	for _, cfg := range []Config{{}, {Entries: 5}, {Bytes: 1 << 20}} {
		f := newFake(t)
		c := newCache(t, f, cfg)
		b := slab(1)[:100]
		for i := range 3 {
			e := acquire(t, c, b, 0)
			if len(e.mr.Bytes()) != 100 || f.calls != i+1 || len(f.open) != 1 {
				t.Errorf("%+v: %d bytes, %d calls, %d open", cfg, len(e.mr.Bytes()), f.calls, len(f.open))
			}
			if c.Release(e); e.buf != nil || e.mr != nil {
				t.Error("a closed entry keeps memory alive")
			}
		}
		expect(t, c, Counters{Misses: 3, Loose: 3})
	}
}

// TestNeighbours: buffers of one slab share a registration per page; buffers allocated apart, or whose capacity ends
// with them, do not.
func TestNeighbours(t *testing.T) {
	f := newFake(t)
	c := newCache(t, f, Config{Entries: 100, Bytes: DefaultBytes})
	s := slab(2)
	for i := range 16 {
		use(t, c, s[i*512:(i+1)*512], 0)
	}
	expect(t, c, Counters{Hits: 14, Misses: 2, Entries: 2, Bytes: 2 * 4096})

	own := slab(2)
	for i := range 16 {
		use(t, c, own[i*512:(i+1)*512:(i+1)*512], 0)
	}
	expect(t, c, Counters{Hits: 14, Misses: 18, Entries: 18, Bytes: 4 * 4096})

	exact := newCache(t, f, Config{Entries: 100, Bytes: DefaultBytes, Page: 1})
	use(t, exact, s[:512], 0)
	use(t, exact, s[512:1024], 0)
	expect(t, exact, Counters{Misses: 2, Entries: 2, Bytes: 1024})
}

// TestOverlap: what has a byte in common with an entry is registered together with it; an entry in use lives on beside
// it until its Release.
func TestOverlap(t *testing.T) {
	f := newFake(t)
	c := newCache(t, f, Config{Entries: 100, Bytes: DefaultBytes, Page: 1})
	s := slab(4)
	low := acquire(t, c, s[1000:3000], verbs.RemoteRead)
	key := low.RKey()
	use(t, c, s[5000:7000], verbs.LocalWrite)
	use(t, c, s[2999:5001], 0) // joins both
	if low.RKey() != key || !f.open[low.mr.(*region)] {
		t.Error("the key of an entry in use has changed")
	}
	expect(t, c, Counters{Misses: 3, Replaced: 2, Entries: 2, Bytes: 2000 + 6000})
	c.Release(low)
	expect(t, c, Counters{Misses: 3, Replaced: 2, Entries: 1, Bytes: 6000})
	use(t, c, s[1000:7000], verbs.RemoteRead|verbs.LocalWrite) // the rights of both
	expect(t, c, Counters{Hits: 1, Misses: 3, Replaced: 2, Entries: 1, Bytes: 6000})
	use(t, c, s[999:1000], 0)  // touches
	use(t, c, s[7000:7001], 0) // touches
	expect(t, c, Counters{Hits: 1, Misses: 5, Replaced: 2, Entries: 3, Bytes: 6002})
}

// TestRights: an entry without the right rights is replaced by one with all of them.
func TestRights(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes})
	s := slab(1)
	use(t, c, s, verbs.RemoteRead)
	use(t, c, s[100:200], verbs.LocalWrite)
	use(t, c, s, verbs.RemoteRead|verbs.LocalWrite)
	expect(t, c, Counters{Hits: 1, Misses: 2, Replaced: 1, Entries: 1, Bytes: 4096})
}

// TestSliding: a window that slides over a large array does not make ever longer registrations, however
// much may be kept.
func TestSliding(t *testing.T) {
	for _, x := range []struct{ bytes, step, want int }{{64 * 4096, 4096, 16 * 4096}, {1 << 40, 1 << 20, 16 << 20}} {
		c := newCache(t, newFake(t), Config{Entries: 100, Bytes: x.bytes})
		s := slab(66 * x.step / 4096)
		longest := 0
		for i := range 64 {
			e := acquire(t, c, s[i*x.step:(i+2)*x.step], 0)
			longest = max(longest, len(e.buf))
			c.Release(e)
		}
		if longest != x.want {
			t.Errorf("the longest registration of a cache for %d bytes has %d, want %d", x.bytes, longest, x.want)
		}
	}
}

// TestAddr: remote addresses count from the registration's, wherever the device says that is.
func TestAddr(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes})
	s := slab(1)
	e := acquire(t, c, s[256:], 0)
	if again := acquire(t, c, s[300:400], 0); again != e || e.Addr(s[300:400]) != 1<<40+44 || e.Addr(s[256:]) != 1<<40 {
		t.Errorf("address %#x", e.Addr(s[300:400]))
	}
	if e.LKey() != e.mr.LKey() {
		t.Error("another local key")
	}
}

// TestKeys: with FreshKeys a remote key is void after the last Release and not before; a key that a peer
// made invalid is replaced when somebody asks for it.
func TestKeys(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes, FreshKeys: fresh})
		s := slab(1)
		e := acquire(t, c, s, rw)
		key := e.RKey()
		acquire(t, c, s[:10], rw)
		c.Release(e)
		if e.RKey() != key {
			t.Error("the key changed under a user")
		}
		c.Release(e)
		if e = acquire(t, c, s, rw); (e.RKey() != key) != fresh {
			t.Errorf("fresh keys %v: key %d after %d", fresh, e.RKey(), key)
		}
		e.mr.(*region).key = 0
		if e.RKey() == 0 {
			t.Error("no new key")
		}
	}
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes, FreshKeys: true})
	e := acquire(t, c, slab(1), verbs.LocalWrite)
	key := e.RKey()
	c.Release(e)
	if e.RKey() != key {
		t.Error("a new key for memory that no peer can reach")
	}
}

// TestInvalidate: whatever touches the range goes, also from the middle of an entry; entries in use go with their
// Release and serve nobody else.
func TestInvalidate(t *testing.T) {
	f := newFake(t)
	c := newCache(t, f, Config{Entries: 100, Bytes: DefaultBytes, Page: 1})
	s := slab(4)
	for i := range 4 {
		use(t, c, s[i*4096:(i+1)*4096], 0)
	}
	held := acquire(t, c, s[4096:4097], 0)
	c.Invalidate(nil)
	c.Invalidate(s[5000:8193]) // the second and the third
	expect(t, c, Counters{Hits: 1, Misses: 4, Invalidated: 2, Entries: 3, Bytes: 3 * 4096})
	fresh := acquire(t, c, s[4096:4097], 0)
	if fresh == held {
		t.Error("an invalidated entry is handed out")
	}
	c.Release(held)
	expect(t, c, Counters{Hits: 1, Misses: 5, Invalidated: 2, Entries: 3, Bytes: 2*4096 + 1})
}

// TestRefused: a full device has idle entries evicted, any other refusal is passed on and costs nobody anything.
func TestRefused(t *testing.T) {
	f := newFake(t)
	c := newCache(t, f, Config{Entries: 100, Bytes: DefaultBytes})
	held := acquire(t, c, slab(1), 0)
	f.most = 3
	use(t, c, slab(1), 0)
	use(t, c, slab(1), 0)
	use(t, c, slab(1), 0)
	expect(t, c, Counters{Misses: 4, Evictions: 1, Entries: 3, Bytes: 3 * 4096})
	f.most = 1
	if _, err := c.Acquire(slab(1), 0); !errors.Is(err, verbs.ErrFull) {
		t.Errorf("error %v", err)
	}
	expect(t, c, Counters{Misses: 4, Refused: 1, Evictions: 3, Entries: 1, Bytes: 4096})
	f.most, f.err = 0, errBroken
	c.Release(held)
	if _, err := c.Acquire(slab(1), 0); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	expect(t, c, Counters{Misses: 4, Refused: 2, Evictions: 3, Entries: 1, Bytes: 4096})
}

// TestClose: nothing is left open, users finish in peace, and a failed deregistration is told.
func TestClose(t *testing.T) {
	f := newFake(t)
	c := newCache(t, f, Config{Entries: 100, Bytes: DefaultBytes})
	held := acquire(t, c, slab(1), 0)
	bad := acquire(t, c, slab(1), 0)
	bad.mr.(*region).failed = errBroken
	c.Release(bad)
	c.Invalidate(bad.buf)
	worse := acquire(t, c, slab(1), 0)
	worse.mr.(*region).failed = errors.New("broken later")
	c.Release(worse)
	if err := c.Close(); !errors.Is(err, errBroken) || len(f.open) != 1 {
		t.Errorf("error %v, %d open", err, len(f.open))
	}
	use(t, c, slab(1), 0)
	c.Release(held)
	if len(f.open) != 0 {
		t.Errorf("%d open", len(f.open))
	}
	defer func() {
		if recover() == nil {
			t.Error("a second Release was not noticed")
		}
	}()
	c.Release(held)
}

// TestTimes: registrations and deregistrations are timed, hits are not.
func TestTimes(t *testing.T) {
	f := newFake(t)
	c := newCache(t, f, Config{Entries: 1, Bytes: DefaultBytes, Now: f.now})
	b := slab(1)
	for range 5 {
		use(t, c, b, 0)
	}
	use(t, c, slab(1), 0)
	if n := c.Counters(); n.RegisterTime != 200 || n.DeregisterTime != 10 {
		t.Errorf("%d ns to register, %d to deregister", n.RegisterTime, n.DeregisterTime)
	}
}

// TestEmpty: an empty buffer has an entry as well, which is not kept.
func TestEmpty(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes})
	use(t, c, nil, 0)
	use(t, c, slab(1)[:0], 0)
	expect(t, c, Counters{Misses: 2, Loose: 2})
}

func TestConfig(t *testing.T) {
	f := newFake(t)
	for _, cfg := range []Config{{Entries: 1, Bytes: 1}, {Registrar: f, Entries: -1}, {Registrar: f, Bytes: -1}, {Registrar: f, Page: -4096},
		{Registrar: f, Page: 100}} {
		if _, err := New(cfg); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestAge: what was not used from one collection to the next but one goes; what was used in between, or is
// in use, stays.
func TestAge(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes})
	x, y, z := slab(1), slab(1), slab(1)
	use(t, c, x, 0)
	use(t, c, y, 0)
	acquire(t, c, z, 0)
	collected(c)
	c.Trim()
	c.Trim()
	expect(t, c, Counters{Misses: 3, Entries: 3, Bytes: 3 * 4096})
	use(t, c, y, 0)
	collected(c)
	c.Trim()
	expect(t, c, Counters{Hits: 1, Misses: 3, Aged: 1, Entries: 2, Bytes: 2 * 4096})
	collected(c)
	use(t, c, x, 0) // a miss looks, too
	expect(t, c, Counters{Hits: 1, Misses: 4, Aged: 2, Entries: 2, Bytes: 2 * 4096})
}

// TestForgotten: the collector gets a large allocation back of which a small part was sent.
func TestForgotten(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes})
	big := new([1 << 20]byte)
	alive := weak.Make(big)
	use(t, c, big[5000:5100], 0)
	big = nil
	for range 2 {
		runtime.GC()
		if alive.Value() == nil {
			t.Fatal("an entry was kept without its memory")
		}
		c.Trim()
	}
	runtime.GC()
	if alive.Value() != nil {
		t.Error("the cache keeps memory alive that nobody used for two collections")
	}
	expect(t, c, Counters{Misses: 1, Aged: 1})
}

// TestHitAllocatesNothing holds the hot path to its promise.
func TestHitAllocatesNothing(t *testing.T) {
	c := newCache(t, newFake(t), Config{Entries: 100, Bytes: DefaultBytes, FreshKeys: true})
	b := slab(1)
	use(t, c, b, rw)
	n := testing.AllocsPerRun(100, func() {
		e, _ := c.Acquire(b, rw)
		_ = e.RKey() + e.LKey() + uint32(e.Addr(b))
		c.Release(e)
		c.Trim()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
