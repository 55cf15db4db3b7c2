package regcache

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/verbs"
)

// model drives a cache at random over a few allocations and, after each step, holds everything it promises against
// what the registrar saw.
type model struct {
	t     *rapid.T
	f     *fake
	c     *Cache
	slabs [3][]byte
	held  []holding
}

type holding struct {
	e      *Entry
	buf    []byte
	access verbs.Access
	key    uint32
}

func TestModel(t *testing.T) {
	slabs := [3][]byte{slab(3), slab(1), slab(2)}
	rapid.Check(t, func(t *rapid.T) {
		f := newFake(t)
		m := &model{t: t, f: f, slabs: slabs, c: newCache(t, f, Config{
			Entries:   rapid.IntRange(0, 5).Draw(t, "entries"),
			Bytes:     rapid.IntRange(1, 6*4096).Draw(t, "bytes"),
			Page:      rapid.SampledFrom([]int{1, 512, 4096}).Draw(t, "page"),
			FreshKeys: rapid.Bool().Draw(t, "fresh"),
		})}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			m.step()
			m.check()
		}
		m.finish()
	})
}

// buffer draws a part of a slab whose capacity may end before the slab does.
func (m *model) buffer() []byte {
	s := rapid.SampledFrom(m.slabs[:]).Draw(m.t, "slab")
	from := rapid.IntRange(0, len(s)-1).Draw(m.t, "from")
	to := rapid.IntRange(from, min(len(s), from+5000)).Draw(m.t, "to")
	return s[from:to:rapid.IntRange(to, len(s)).Draw(m.t, "cap")]
}

func (m *model) step() {
	switch op := rapid.IntRange(0, 9).Draw(m.t, "op"); {
	case op < 5:
		m.acquire(m.buffer(), verbs.Access(rapid.IntRange(0, 3).Draw(m.t, "access")))
	case op < 8 && len(m.held) > 0:
		i := rapid.IntRange(0, len(m.held)-1).Draw(m.t, "which")
		m.c.Release(m.held[i].e)
		m.held = append(m.held[:i], m.held[i+1:]...)
	case op == 8:
		m.c.Invalidate(m.buffer())
	default:
		collected(m.c)
		m.c.Trim()
	}
}

// acquire knows by looking at all entries whether it must be a hit.
func (m *model) acquire(buf []byte, access verbs.Access) {
	hit := false
	m.each(func(e *Entry) {
		if at := addressOf(buf); len(buf) > 0 && at >= addressOf(e.buf) && e.covers(at, len(buf)) && e.access&access == access {
			hit = true
		}
	})
	if m.c.cfg.Entries == 0 {
		hit = false
	}
	before := m.c.Counters()
	e := acquire(m.t, m.c, buf, access)
	after := m.c.Counters()
	if (after.Hits > before.Hits) != hit || after.Hits+after.Misses != before.Hits+before.Misses+1 {
		m.t.Fatalf("hit expected %v; counters %+v, then %+v", hit, before, after)
	}
	m.held = append(m.held, holding{e, buf, access, e.RKey()})
}

// each visits the kept entries, from the greatest address down.
func (m *model) each(f func(*Entry)) {
	for from := ^uintptr(0); ; {
		at, e, ok := m.c.kept.Floor(from)
		if !ok {
			return
		}
		f(e)
		from = at - 1
	}
}

func (m *model) check() {
	t, c := m.t, m.c
	kept, bytes, idle, above := 0, 0, 0, ^uintptr(0)
	open := map[*region]bool{}
	m.each(func(e *Entry) {
		end := addressOf(e.buf) + uintptr(len(e.buf))
		if end > above || !e.kept {
			t.Fatalf("entries overlap, or one is not kept")
		}
		above = addressOf(e.buf)
		kept, bytes, open[e.mr.(*region)] = kept+1, bytes+len(e.buf), true
		if e.refs == 0 {
			idle++
		}
	})
	if kept > c.cfg.Entries || bytes > c.cfg.Bytes || bytes != c.bytes {
		t.Fatalf("%d entries, %d bytes (counted %d) with capacity %+v", kept, bytes, c.bytes, c.cfg)
	}
	for _, h := range m.held {
		r := h.e.mr.(*region)
		open[r] = true
		if !m.f.open[r] || r.access&h.access != h.access || h.e.RKey() != h.key {
			t.Fatalf("an entry in use is closed, lacks rights or has another key")
		}
		if at := addressOf(h.buf); len(h.buf) > 0 && (at < addressOf(r.buf) || !h.e.covers(at, len(h.buf))) {
			t.Fatalf("an entry does not cover its buffer")
		}
	}
	if len(open) != len(m.f.open) || uint64(len(open)) != c.count.Entries {
		t.Fatalf("%d regions are kept or in use, %d are open, %d counted", len(open), len(m.f.open), c.count.Entries)
	}
	for e := c.idle.oldest; e != nil; e = e.newer {
		idle--
	}
	if idle != 0 {
		t.Fatalf("%d more entries idle than in the list", idle)
	}
	for r := range m.f.open {
		m.within(r.buf)
	}
}

// within fails unless a registered range lies in one allocation.
func (m *model) within(b []byte) {
	if len(b) == 0 {
		return
	}
	for _, s := range m.slabs {
		if off := addressOf(b) - addressOf(s); off < uintptr(len(s)) && off+uintptr(len(b)) <= uintptr(len(s)) {
			return
		}
	}
	m.t.Fatalf("%d bytes at %#x are registered beyond their allocation", len(b), addressOf(b))
}

// finish closes the cache and lets all go.
func (m *model) finish() {
	if err := m.c.Close(); err != nil {
		m.t.Fatalf("%v", err)
	}
	for _, h := range m.held {
		m.c.Release(h.e)
	}
	if n := m.c.Counters(); len(m.f.open) != 0 || n.Entries != 0 || n.Bytes != 0 {
		m.t.Fatalf("%d regions are open, counters %+v", len(m.f.open), n)
	}
}
