package measure

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Access is a one-sided operation.
type Access uint8

// The operations.
const (
	Put Access = iota
	Get
)

func (a Access) String() string { return [...]string{"Put", "Get"}[a] }

// OneSided is a process that puts into, or gets from, the memory of its partner at user level, as libraries
// did it: a short message passes through memory that the interface knows, one copy, unless its buffer is
// used so often that the interface gets to know it. A fence ends each: both tell the other by a remote
// write that they are done, and wait for the other's. It needs wires with two slots: one for data, one for
// words between fences.
type OneSided struct {
	w      *Wires
	table  *reuse.Table // nil: everything is copied
	cache  *regcache.Cache
	epoch  byte
	Slow   bool // the other side is told of a Get when its data is here, not behind it
	Copies int  // operations with a copy
	Lent   int  // without
}

// NewOneSided makes a side ready. lend has it look for buffers that are used often.
func NewOneSided(w *Wires, lend bool) (o *OneSided, err error) {
	if len(w.QPs) < 2 || w.Slot < 1 {
		return nil, fmt.Errorf("one-sided operations over %d slots: there must be two", len(w.QPs))
	}
	o = &OneSided{w: w}
	if !lend {
		return o, nil
	}
	if o.table, err = reuse.New(reuse.Original()); err != nil {
		return nil, err
	}
	o.cache, err = regcache.New(regcache.Config{Registrar: w.PD, Entries: regcache.DefaultEntries, Bytes: regcache.DefaultBytes})
	return o, err
}

// Close gives registrations back.
func (o *OneSided) Close() error {
	if o.cache == nil {
		return nil
	}
	return o.cache.Close()
}

// Latency returns the microseconds of one operation with its fence. Both sides call it; the leading side
// operates, and its value counts.
func (o *OneSided) Latency(a Access, size int, l Loops) (float64, error) {
	buf := buffer(size)
	if size < 1 || size > o.w.Slot {
		return 0, fmt.Errorf("%s of %d bytes: the slots have %d", a, size, o.w.Slot)
	}
	var start int64
	for i := range l.Warmup + l.Timed {
		if i == l.Warmup {
			start = o.w.Clock.Now()
		}
		if err := o.step(a, buf); err != nil {
			return 0, err
		}
	}
	return float64(o.w.Clock.Now()-start) / 1e3 / float64(max(l.Timed, 1)), o.w.drain()
}

// step is one operation of the leading side, and a fence of both.
func (o *OneSided) step(a Access, buf []byte) error {
	if !o.w.Lead {
		return o.fence(nil)
	}
	mem, key := o.w.Out.Bytes()[:len(buf)], o.w.Out.LKey()
	lent, err := o.borrow(buf)
	if err != nil {
		return err
	}
	if lent != nil {
		mem, key = buf, lent.LKey()
		defer o.cache.Release(lent)
	}
	if a == Get {
		return o.get(buf, mem, key, lent != nil)
	}
	if lent == nil {
		o.copy(mem, buf)
	}
	if err := o.post(verbs.SendWR{Op: verbs.Write, SGL: []verbs.SGE{{Buf: mem, LKey: key}}, RemoteAddr: o.w.Addr, RKey: o.w.Key}); err != nil {
		return err
	}
	return o.fence(nil)
}

// get reads, and has the other side told behind the read: it carries out both in their order. What came
// through our own memory is copied when it is here, while the word is on its way.
func (o *OneSided) get(buf, mem []byte, key uint32, lent bool) error {
	err := o.post(verbs.SendWR{Op: verbs.Read, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: mem, LKey: key}}, RemoteAddr: o.w.Addr, RKey: o.w.Key})
	if err == nil && o.Slow {
		err = o.w.drain()
	}
	if err != nil {
		return err
	}
	return o.fence(func() error {
		if err := o.w.drainTo(1); err != nil || lent { // the word may be under way
			return err
		}
		o.copy(buf, mem)
		return nil
	})
}

// fence tells the other side that all is done, does something meanwhile, and waits until the other says so too.
func (o *OneSided) fence(meanwhile func() error) error {
	o.epoch = following(o.epoch)
	w := o.w
	word := w.Out.Bytes()[w.Slot : w.Slot+1]
	word[0] = o.epoch
	err := o.post(verbs.SendWR{Op: verbs.Write, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: word, LKey: w.Out.LKey()}},
		RemoteAddr: w.Addr + uint64(w.Slot), RKey: w.Key})
	if err != nil {
		return err
	}
	if meanwhile != nil {
		if err := meanwhile(); err != nil {
			return err
		}
	}
	for w.In.Bytes()[w.Slot] != o.epoch && w.In.Bytes()[w.Slot] != following(o.epoch) { // the other may be in its next fence
		w.Clock.Compute(lookEvery)
	}
	return w.drain() // what was sent has left its buffer
}

// following is the number of the next fence; no fence has number 0.
func following(epoch byte) byte { return epoch%255 + 1 }

func (o *OneSided) post(wr verbs.SendWR) error {
	if wr.Flags&verbs.Signaled != 0 {
		o.w.open++
	}
	_, err := o.w.QPs[0].PostSend([]verbs.SendWR{wr})
	return err
}

// borrow registers the buffer if it is used often; nil if it is to be copied.
func (o *OneSided) borrow(buf []byte) (*regcache.Entry, error) {
	if o.table == nil {
		return nil, nil
	}
	o.work(clock.Search, 1)
	if !o.table.Use(buf, reuse.OneSided) {
		return nil, nil
	}
	o.work(clock.Search, 1)
	o.Lent++
	return o.cache.Acquire(buf, verbs.LocalWrite)
}

func (o *OneSided) copy(to, from []byte) {
	o.work(clock.Copy, copy(to, from))
	o.Copies++
}

// work tells the clock of work, where that has a price.
func (o *OneSided) work(kind clock.Work, n int) {
	if c, ok := o.w.Clock.(interface{ Spend(clock.Work, int) }); ok {
		c.Spend(kind, n)
	}
}
