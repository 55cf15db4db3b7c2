package registrar

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
)

// newTable makes the table of buffers that are used often; nil if there shall be none.
func (r *Registrar) newTable() (*reuse.Table, error) {
	c := &r.cfg.Reuse
	if !c.On {
		return nil, nil
	}
	cfg := reuse.Config{Thresholds: c.Thresholds, Buckets: c.Buckets, Index: c.Index, Adapt: c.Adapt,
		Speculate: max(c.Spec, 1e-9)} // of the second use on
	if c.Adapt == 0 {
		cfg.Adapt = -1 // always
	}
	if c.Thresholds == nil {
		cfg.Thresholds = r.Measure
	}
	if r.cfg.Meter != nil { // nothing may depend on where memory lies, nor on which is used again
		cfg.Index, cfg.Entries, cfg.Keep = reuse.Tree, virtualEntries, true
	}
	return reuse.New(cfg)
}

// virtualEntries is how many buffers are counted in virtual time, where they are kept alive to be
// told apart.
const virtualEntries = 1024

// Frequent counts a use of b, and tells whether it is used often enough to be worth registering.
func (r *Registrar) Frequent(b []byte, path reuse.Path) bool {
	if r.Table == nil {
		return false
	}
	r.spend(clock.Search, 1)
	return r.Table.Use(b, path)
}

// Shortest is the length from which on it is of use to ask Frequent. In virtual time it is 0, since
// every look at the table has its price.
func (r *Registrar) Shortest() int {
	if r.cfg.Meter != nil {
		return 0
	}
	return r.Table.Min()
}

// Measure finds out from which use on a buffer is worth registering with this device. If that
// fails, none ever is.
func (r *Registrar) Measure() (never reuse.Thresholds) {
	trial, err := regcache.New(regcache.Config{Registrar: r.cfg.PD, Entries: r.cfg.RegEntries, Bytes: r.cfg.RegBytes})
	if err != nil {
		return never
	}
	costs, err := reuse.Measure(reuse.Meter{
		Now:  r.cfg.Clock.Now,
		Copy: func(n int) { r.spend(clock.Copy, n) },
		Register: func(b []byte) error {
			mr, err := r.cfg.PD.Register(b, 0)
			if err != nil {
				return err
			}
			return mr.Close()
		},
		Search: func(b []byte) {
			r.spend(clock.Search, 2)
			if e, err := trial.Acquire(b, 0); err == nil {
				trial.Release(e)
			}
		},
	})
	if trial.Close() != nil || err != nil {
		return never
	}
	return costs.Thresholds()
}
