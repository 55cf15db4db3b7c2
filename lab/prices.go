package lab

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// Prices finds out, as the library does with its first message, what it takes on a platform to register a
// buffer, to copy it, and to look it up. As in the documents the end of a registration costs nothing; with
// it, it is part of the price.
func (b *Bench) Prices(ctx context.Context, on Setup, withEnd bool) (costs reuse.Costs, err error) {
	if err := ctx.Err(); err != nil {
		return costs, err
	}
	b.use(on.On)
	if !on.On.Virtual() {
		dev, err := soft.Open(soft.Config{})
		if err != nil {
			return costs, fmt.Errorf("no software device: %w", err)
		}
		defer dev.Close()
		return prices(dev, clock.Real, withEnd)
	}
	s, fabric, err := b.cluster(on.On, 1)
	if err != nil {
		return costs, err
	}
	dev, err := fabric.Open(0)
	if err != nil {
		return costs, err
	}
	defer dev.Close()
	return pricesSim(s, fabric, dev, withEnd)
}

func pricesSim(s *clock.Scheduler, fabric *sim.Fabric, dev verbs.Device, withEnd bool) (costs reuse.Costs, err error) {
	host, failed := fabric.Host(0, 0)
	if failed != nil {
		return costs, failed
	}
	s.Go("prices", func() { costs, err = prices(dev, host, withEnd) })
	if failed := s.Run(); failed != nil {
		return costs, failed
	}
	return costs, err
}

// prices measures on one device.
func prices(dev verbs.Device, c clock.Clock, withEnd bool) (reuse.Costs, error) {
	pd, err := dev.NewPD()
	if err != nil {
		return reuse.Costs{}, err
	}
	cache, err := regcache.New(regcache.Config{Registrar: pd, Entries: 1024, Bytes: regcache.DefaultBytes})
	if err != nil {
		return reuse.Costs{}, err
	}
	forgotten := int64(0) // time that does not count
	costs, err := reuse.Measure(reuse.Meter{
		Now:  func() int64 { return c.Now() - forgotten },
		Copy: func(n int) { c.Spend(clock.Copy, n) },
		Register: func(buf []byte) error {
			mr, err := pd.Register(buf, verbs.LocalWrite)
			if err != nil {
				return err
			}
			start := c.Now()
			err = mr.Close()
			if !withEnd {
				forgotten += c.Now() - start
			}
			return err
		},
		Search: func(buf []byte) {
			c.Spend(clock.Search, 2) // in the table, and in the cache
			if e, err := cache.Acquire(buf, 0); err == nil {
				cache.Release(e)
			}
		},
	})
	if err == nil {
		err = cache.Close()
	}
	return costs, err
}
