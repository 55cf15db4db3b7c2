package cluster

import (
	"context"
	"errors"
	"fmt"
)

// change does something to a host's wires: all of them, or that of one rail.
func (c *Cluster) change(name string, rail int, each func(i, rail int) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.index(name)
	switch {
	case err != nil:
		return err
	case c.down:
		return errors.New("the cluster is down")
	case rail != AllRails && (rail < 0 || rail >= c.config.Rails):
		return fmt.Errorf("there is no rail %d, only 0 to %d", rail, c.config.Rails-1)
	}
	for r := range c.config.Rails {
		if rail != AllRails && r != rail {
			continue
		}
		if err := each(i, r); err != nil {
			return err
		}
	}
	return nil
}

// Cut unplugs a host from a rail: its interface loses its carrier, packets vanish, nobody is told.
func (c *Cluster) Cut(host string, rail int) error {
	return c.change(host, rail, func(i, r int) error { return c.fabric.plug(i, r, false) })
}

// Heal plugs a host in again.
func (c *Cluster) Heal(host string, rail int) error {
	return c.change(host, rail, func(i, r int) error { return c.fabric.plug(i, r, true) })
}

// Loss makes a wire lose a share of the packets, each way; 0 ends it. The interfaces keep their carrier.
func (c *Cluster) Loss(host string, rail int, share Percent) error {
	if err := share.check(); err != nil {
		return err
	}
	return c.change(host, rail, func(i, r int) error {
		c.fabric.wires[i][r].loss = share
		return c.fabric.drop()
	})
}

// Rate limits the speed of a wire, each way; 0 ends it.
func (c *Cluster) Rate(host string, rail int, rate BitRate) error {
	if err := rate.check(); err != nil {
		return err
	}
	return c.change(host, rail, func(i, r int) error { return c.fabric.shape(i, r, rate) })
}

// Kill ends all processes of a host at once. Its kernel lives on, so its peers see their connections closed.
func (c *Cluster) Kill(host string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.index(host)
	if err == nil {
		c.hosts[i].kill()
	}
	return err
}

// Crash takes a host away without a word, as a power failure does: it is cut from all rails, then its processes end.
func (c *Cluster) Crash(host string) error {
	if err := c.Cut(host, AllRails); err != nil {
		return err
	}
	return c.Kill(host)
}

// Boot starts a host that was killed or crashed, and plugs it in. It returns when its ssh server answers.
func (c *Cluster) Boot(ctx context.Context, host string) error {
	if err := c.Heal(host, AllRails); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.index(host)
	if err != nil {
		return err
	}
	if c.down {
		return errors.New("the cluster is down")
	}
	ctx, cancel := context.WithTimeout(ctx, bootLimit)
	defer cancel()
	return c.hosts[i].boot(ctx, c.papers)
}
