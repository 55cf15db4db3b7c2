package regcache

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/weft-mpi/weft/internal/rail/tree"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Registrar registers memory; every verbs.PD does.
type Registrar interface {
	Register(buf []byte, access verbs.Access) (verbs.MR, error)
}

// Defaults for Config.
const (
	DefaultEntries = 1024
	DefaultBytes   = 64 << 20
	DefaultPage    = 4096
)

// unionMost is how long a union becomes at most that is longer than either part.
const unionMost = DefaultBytes / 4

// Config says what to keep, and how long.
type Config struct {
	Registrar Registrar
	Entries   int          // most registrations to keep; 0 keeps none: each Acquire registers, each Release closes
	Bytes     int          // most bytes of them; 0 keeps none
	Page      int          // bytes of a page, a power of two; 0 is DefaultPage, 1 is exact ranges
	FreshKeys bool         // a remote key is void after the last Release
	Steady    bool         // nothing depends on where memory lies, nor on collections of garbage: for virtual time
	Now       func() int64 // nanoseconds, to time registrations; nil does not
}

// Cache keeps registrations. All its methods, and those of its entries, are called under one lock.
type Cache struct {
	cfg    Config
	kept   tree.Map[*Entry] // by first address; ranges do not overlap
	bytes  int              // of the kept
	idle   list             // kept and not in use, in the order of their last Release
	cycles cycles
	count  Counters
	failed error // the first deregistration that went wrong
}

// New makes an empty cache.
func New(cfg Config) (*Cache, error) {
	if cfg.Page == 0 {
		cfg.Page = DefaultPage
	}
	if cfg.Registrar == nil || cfg.Entries < 0 || cfg.Bytes < 0 || cfg.Page < 0 || cfg.Page&(cfg.Page-1) != 0 {
		return nil, fmt.Errorf("registration cache: %w: %d entries, %d bytes, pages of %d bytes; want a registrar, no negative number "+
			"and a power of two", verbs.ErrArgument, cfg.Entries, cfg.Bytes, cfg.Page)
	}
	return &Cache{cfg: cfg}, nil
}

// Acquire returns a registration that covers buf and allows access, until Release. The caller keeps buf
// alive until then; afterwards the cache may, for a while. An error is the device's: the cache is none the
// worse, and the caller can copy through memory of its own.
func (c *Cache) Acquire(buf []byte, access verbs.Access) (*Entry, error) {
	if len(buf) == 0 || c.cfg.Entries == 0 {
		return c.loose(buf, access)
	}
	at := addressOf(buf)
	if _, e, ok := c.kept.Floor(at); ok && e.covers(at, len(buf)) && e.access&access == access {
		c.count.Hits++
		if e.refs++; e.refs == 1 {
			c.idle.remove(e)
		}
		return e, nil
	}
	return c.miss(buf, access)
}

// Release ends what Acquire began.
func (c *Cache) Release(e *Entry) {
	if e.refs--; e.refs > 0 {
		return
	}
	if e.refs < 0 {
		panic("regcache: Release without Acquire")
	}
	if !e.kept {
		c.deregister(e)
		return
	}
	if c.cfg.FreshKeys && e.access&remote != 0 {
		c.note(e.mr.Rekey())
	}
	e.cycle = c.cycles.seen
	c.idle.push(e)
}

const remote = verbs.RemoteRead | verbs.RemoteWrite | verbs.RemoteAtomic

// miss registers buf, together with what is kept of the same memory, and keeps that if there is room.
func (c *Cache) miss(buf []byte, access verbs.Access) (*Entry, error) {
	c.Trim()
	span, rights := c.extend(buf), access
	if len(span) > c.cfg.Bytes {
		return c.loose(buf, access)
	}
	for e := c.overlapping(span); e != nil; e = c.overlapping(span) {
		if u := union(span, e.buf); len(u) <= max(len(span), len(e.buf), min(c.cfg.Bytes/4, unionMost)) {
			span, rights = u, rights|e.access
		}
		c.count.Replaced++
		c.drop(e)
	}
	for !c.room(len(span)) {
		if !c.Evict() {
			return c.loose(buf, access)
		}
	}
	e, err := c.register(span, rights)
	if err != nil {
		return nil, err
	}
	e.kept = true
	c.kept.Set(addressOf(span), e)
	c.bytes += len(span)
	return e, nil
}

// loose registers buf for one Acquire only.
func (c *Cache) loose(buf []byte, access verbs.Access) (*Entry, error) {
	e, err := c.register(buf, access)
	if err == nil {
		c.count.Loose++
	}
	return e, err
}

// extend is buf up to the end of its last page, as far as its capacity reaches.
func (c *Cache) extend(buf []byte) []byte {
	end := uintptr(len(buf))
	if !c.cfg.Steady { // else as if it began a page
		end += addressOf(buf)
	}
	if rest := int(-end & uintptr(c.cfg.Page-1)); rest <= cap(buf)-len(buf) {
		return buf[:len(buf)+rest]
	}
	return buf[:cap(buf)]
}

// overlapping finds a kept entry with a byte in common with span, or nil.
func (c *Cache) overlapping(span []byte) *Entry {
	at := addressOf(span)
	last := at + uintptr(len(span)) - 1
	if _, e, ok := c.kept.Floor(last); ok && at < addressOf(e.buf)+uintptr(len(e.buf)) {
		return e
	}
	return nil
}

// union is the memory from the first to the last byte of two ranges that overlap, and so are parts of one allocation.
func union(a, b []byte) []byte {
	if addressOf(b) < addressOf(a) {
		a, b = b, a
	}
	reach := int(addressOf(b)-addressOf(a)) + len(b)
	return unsafe.Slice(unsafe.SliceData(a), max(len(a), reach))
}

// room tells whether n more bytes may be kept.
func (c *Cache) room(n int) bool { return c.kept.Len() < c.cfg.Entries && c.bytes+n <= c.cfg.Bytes }

// register asks the device. If that has no room, idle entries go, the longest unused first, until it has or none is
// left.
func (c *Cache) register(buf []byte, access verbs.Access) (*Entry, error) {
	start := c.now()
	mr, err := c.cfg.Registrar.Register(buf, access)
	for errors.Is(err, verbs.ErrFull) && c.Evict() {
		mr, err = c.cfg.Registrar.Register(buf, access)
	}
	c.count.RegisterTime += uint64(c.now() - start)
	if err != nil {
		c.count.Refused++
		return nil, fmt.Errorf("registration cache: %w", err)
	}
	c.count.Misses++
	c.count.Bytes += uint64(len(buf))
	c.count.Entries++
	return &Entry{mr: mr, buf: buf, access: access, refs: 1}, nil
}

// deregister closes what is neither kept nor in use.
func (c *Cache) deregister(e *Entry) {
	start := c.now()
	c.note(e.mr.Close())
	c.count.DeregisterTime += uint64(c.now() - start)
	c.count.Bytes -= uint64(len(e.buf))
	c.count.Entries--
	*e = Entry{} // whoever still has it keeps no memory alive, and a second Release is noticed
}

func (c *Cache) now() int64 {
	if c.cfg.Now == nil {
		return 0
	}
	return c.cfg.Now()
}

// note remembers the first failure, for Close.
func (c *Cache) note(err error) {
	if c.failed == nil && err != nil {
		c.failed = err
	}
}
