package regcache

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// fake is a registrar that remembers what is open, and can be made to refuse.
type fake struct {
	t     fataler
	open  map[*region]bool
	most  int   // regions; 0 is no limit
	err   error // of the next Register
	calls int
	time  int64 // advances with every call
	keys  uint32
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

type region struct {
	owner  *fake
	buf    []byte
	access verbs.Access
	key    uint32
	failed error // what Close answers
}

func newFake(t fataler) *fake { return &fake{t: t, open: map[*region]bool{}} }

func (f *fake) now() int64 { return f.time }

func (f *fake) Register(buf []byte, access verbs.Access) (verbs.MR, error) {
	f.time += 100
	f.calls++
	if f.most > 0 && len(f.open) >= f.most {
		return nil, verbs.ErrFull
	}
	if f.err != nil {
		return nil, f.err
	}
	f.keys += 2
	r := &region{owner: f, buf: buf, access: access, key: f.keys}
	f.open[r] = true
	return r, nil
}

func (r *region) LKey() uint32  { return 1000 + r.key }
func (r *region) RKey() uint32  { return r.key }
func (r *region) Addr() uint64  { return 1 << 40 } // not the address in memory: some devices count from elsewhere
func (r *region) Bytes() []byte { return r.buf }

func (r *region) Rekey() error {
	if !r.owner.open[r] {
		return verbs.ErrClosed
	}
	r.owner.keys += 2
	r.key = r.owner.keys
	return nil
}

func (r *region) Close() error {
	r.owner.time += 10
	if !r.owner.open[r] {
		r.owner.t.Fatalf("a region is closed twice")
	}
	delete(r.owner.open, r)
	return r.failed
}

// make one of either, and fail the test if that fails.

func newCache(t fataler, f *fake, cfg Config) *Cache {
	t.Helper()
	cfg.Registrar = f
	c, err := New(cfg)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return c
}

func acquire(t fataler, c *Cache, buf []byte, access verbs.Access) *Entry {
	t.Helper()
	e, err := c.Acquire(buf, access)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return e
}

// slab is memory that begins on a page.
func slab(pages int) []byte {
	b := make([]byte, (pages+1)*DefaultPage)
	skip := int(-addressOf(b) & (DefaultPage - 1))
	return b[skip : skip+pages*DefaultPage : skip+pages*DefaultPage]
}

// collected has the cache believe that the garbage was collected.
func collected(c *Cache) { c.cycles.canary = (&cycles{}).canary }

var errBroken = errors.New("broken")

// use acquires and releases.
func use(t testing.TB, c *Cache, buf []byte, access verbs.Access) {
	t.Helper()
	c.Release(acquire(t, c, buf, access))
}

func (r *region) RailKey(int) uint32 { return r.key }
