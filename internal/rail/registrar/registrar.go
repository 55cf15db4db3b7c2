// Package registrar owns the memory that a link's device and peers may touch: registrations of the
// program's buffers, which are kept for the next message (package regcache), pieces that peers may
// read or write, windows that all of them may, and the count of buffers that are used often enough
// to be sent from where they are (package reuse).
//
// It promises that a key is good from Expose to the last Hide and from Share to Unshare, and no
// longer. Whose memory it is, and until when, its owner says. It knows no peer, no stream and no
// frame, starts no goroutine and has no lock: the link calls it under its own.
package registrar

import (
	"errors"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Config is what a registrar is made of.
type Config struct {
	PD    verbs.PD
	Clock clock.Clock // the rank's time
	Meter clock.Clock // the same where work has a price, nil on a host
	Pages *pages.Huge // told of memory that the device copies from and to; nil: nobody is
	// KeepKeys: peers' keys last as long as a registration is kept, because another key would cost as much
	// as registering the memory again.
	KeepKeys bool
	Options
}

// Entry is the registration of a buffer, from Acquire to Release.
type Entry = regcache.Entry

// Registrar registers memory for one link.
type Registrar struct {
	Cache   *regcache.Cache
	Table   *reuse.Table // nil: no buffer is worth sending from where it is
	cfg     Config
	probe   verbs.MR
	exposed map[wire.Key]exposure
	windows map[wire.Key]verbs.MR
}

// exposure is memory that peers may read or write.
type exposure struct {
	entry *Entry
	refs  int
}

// New makes the registrar of a link.
func New(cfg Config) (r *Registrar, err error) {
	if cfg.RegBytes == tune.Auto {
		cfg.RegBytes = regcache.DefaultBytes
	}
	r = &Registrar{cfg: cfg, exposed: map[wire.Key]exposure{}, windows: map[wire.Key]verbs.MR{}}
	if r.probe, err = cfg.PD.Register(make([]byte, 8), verbs.RemoteRead); err != nil {
		return nil, err
	}
	r.Cache, err = regcache.New(regcache.Config{Registrar: cfg.PD, Entries: cfg.RegEntries, Bytes: cfg.RegBytes,
		FreshKeys: !cfg.KeepKeys, Steady: cfg.Meter != nil, Now: cfg.Clock.Now})
	if err == nil {
		r.Table, err = r.newTable()
	}
	return r, err
}

// Close gives back what is kept.
func (r *Registrar) Close() { _ = r.Cache.Close() }

// spend charges the rank's processor with work; on a host that takes what it takes.
func (r *Registrar) spend(w clock.Work, n int) {
	if r.cfg.Meter != nil {
		r.cfg.Meter.Spend(w, n)
	}
}

// Acquire finds or makes the registration of a buffer, which its owner keeps alive until Release.
func (r *Registrar) Acquire(b []byte, access verbs.Access) (*Entry, error) {
	r.spend(clock.Search, 1)
	r.cfg.Pages.Used(b)
	return r.Cache.Acquire(b, access)
}

// Release ends what Acquire began.
func (r *Registrar) Release(e *Entry) { r.Cache.Release(e) }

// Probe is memory that every peer may always read.
func (r *Registrar) Probe() wire.Key { return keyOf(r.probe) }

func keyOf(mr verbs.MR) wire.Key { return wire.Key{Addr: mr.Addr(), Slot: mr.RKey()} }

// Expose lets whoever has the key read b, or write it, until Hide; with the zero key nobody can.
func (r *Registrar) Expose(b []byte, forWrite bool) wire.Key {
	access := verbs.RemoteRead
	if forWrite {
		access = verbs.LocalWrite | verbs.RemoteWrite
	}
	e, err := r.Acquire(b, access)
	if err != nil {
		return wire.Key{}
	}
	k := wire.Key{Addr: e.Addr(b), Slot: e.RKey()}
	x, again := r.exposed[k]
	if again {
		r.Release(e)
	} else {
		x.entry = e
	}
	x.refs++
	r.exposed[k] = x
	return k
}

// Hide takes back what one Expose gave, and tells whether there was such.
func (r *Registrar) Hide(k wire.Key) bool {
	x, ok := r.exposed[k]
	if !ok {
		return false
	}
	if x.refs--; x.refs > 0 {
		r.exposed[k] = x
		return true
	}
	delete(r.exposed, k)
	r.Release(x.entry)
	return true
}

// RailKeys appends the keys of what was exposed by rails from 1 on, where these have others than k.
func (r *Registrar) RailKeys(to []uint32, k wire.Key, rails int) []uint32 {
	for rail := 1; rail < rails; rail++ {
		to = append(to, r.exposed[k].entry.RailKey(rail))
	}
	return to
}

// Exposed is how many pieces of memory are exposed.
func (r *Registrar) Exposed() int { return len(r.exposed) }

// Register makes memory known that the cache has nothing to do with, until its owner closes the region: if
// the device has no room, what is kept without use goes.
func (r *Registrar) Register(b []byte, access verbs.Access) (verbs.MR, error) {
	mr, err := r.cfg.PD.Register(b, access)
	for errors.Is(err, verbs.ErrFull) && r.Cache.Evict() {
		mr, err = r.cfg.PD.Register(b, access)
	}
	return mr, err
}

// Share lets every peer read and write b until Unshare. The registration is the window's own: the
// cache's limits are for memory that comes and goes. Its owner keeps b alive.
func (r *Registrar) Share(b []byte) (wire.Key, error) {
	mr, err := r.Register(b, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite)
	if err != nil {
		return wire.Key{}, err
	}
	k := keyOf(mr)
	r.windows[k] = mr
	return k, nil
}

// Unshare takes it back: no peer touches the memory after it has returned.
func (r *Registrar) Unshare(k wire.Key) error {
	mr := r.windows[k]
	if mr == nil {
		return nil
	}
	delete(r.windows, k)
	return mr.Close()
}

// Windows is how many pieces of memory are shared.
func (r *Registrar) Windows() int { return len(r.windows) }
