package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/weft-mpi/weft/internal/cluster"
)

// Network is what a gremlin plays with. Every host is joined to every rail by a wire.
type Network interface {
	Hosts() []string
	Cut(host string, rail int) error
	Heal(host string, rail int) error
	Loss(host string, rail int, share cluster.Percent) error
	Rate(host string, rail int, rate cluster.BitRate) error
	// Reset has a host break its TCP connections over a rail with a reset, those of ssh excepted, for as long as on.
	Reset(host string, rail int, on bool) error
}

// Mischief counts what a gremlin did, by name.
type Mischief map[string]int

// Gremlin does random damage to a network and repairs it. Each deed ends after a few seconds, so ranks that wait longer
// than that for each other never lose each other.
type Gremlin struct {
	Network
	Rails int
	Loss  cluster.Percent // that wires have when nothing is done to them

	rng     *rand.Rand
	deeds   []deed
	trouble map[wire]bool // wires with a deed
	done    Mischief
}

// wire is one host on one rail.
type wire struct {
	host string
	rail int
}

// deed is damage that has not been repaired.
type deed struct {
	wires  []wire
	until  time.Time
	repair func(wire) error
}

// step is how often a gremlin looks around, and beat how often on average it does something.
const (
	gremlinStep = 50 * time.Millisecond
	gremlinBeat = 20 // steps
)

// Play does mischief until ctx ends, then repairs everything. It tells what it did.
func (g *Gremlin) Play(ctx context.Context, seed uint64) (Mischief, error) {
	g.rng, g.trouble, g.done = rand.New(rand.NewPCG(seed, 13)), map[wire]bool{}, Mischief{}
	ticker := time.NewTicker(gremlinStep)
	defer ticker.Stop()
	for number := 0; ; {
		select {
		case <-ctx.Done():
			return g.done, g.repair(time.Now().Add(time.Hour))
		case now := <-ticker.C:
			if err := g.repair(now); err != nil {
				return g.done, errors.Join(err, g.repair(now.Add(time.Hour)))
			}
			if number >= len(opening) && g.rng.IntN(gremlinBeat) != 0 {
				continue
			}
			if err := g.act(number, now); err != nil {
				return g.done, errors.Join(err, g.repair(now.Add(time.Hour)))
			}
			number++
		}
	}
}

// kindOfDeed is one thing that a gremlin knows.
type kindOfDeed struct {
	name     string
	host     bool // all wires of a host at once
	least    time.Duration
	most     time.Duration
	damage   func(g *Gremlin, w wire) error
	repaired func(g *Gremlin, w wire) error
}

func cut(g *Gremlin, w wire) error   { return g.Cut(w.host, w.rail) }
func heal(g *Gremlin, w wire) error  { return g.Heal(w.host, w.rail) }
func reset(g *Gremlin, w wire) error { return g.Reset(w.host, w.rail, true) }
func peace(g *Gremlin, w wire) error { return g.Reset(w.host, w.rail, false) }
func lose(g *Gremlin, w wire) error {
	return g.Network.Loss(w.host, w.rail, cluster.Percent(1+g.rng.IntN(15)))
}
func carryAll(g *Gremlin, w wire) error { return g.Network.Loss(w.host, w.rail, g.Loss) }
func slow(g *Gremlin, w wire) error {
	return g.Rate(w.host, w.rail, cluster.BitRate(5+g.rng.IntN(200))*cluster.Mbit)
}
func fast(g *Gremlin, w wire) error { return g.Rate(w.host, w.rail, 0) }

var (
	cutRail   = kindOfDeed{"cut of a wire", false, 300 * time.Millisecond, 4 * time.Second, cut, heal}
	cutHost   = kindOfDeed{"cut of a host", true, 100 * time.Millisecond, 2 * time.Second, cut, heal}
	resetRail = kindOfDeed{"resets on a wire", false, 20 * time.Millisecond, 200 * time.Millisecond, reset, peace}
	resetHost = kindOfDeed{"resets on a host", true, 20 * time.Millisecond, 200 * time.Millisecond, reset, peace}
	lossRail  = kindOfDeed{"loss", false, 300 * time.Millisecond, 2 * time.Second, lose, carryAll}
	rateRail  = kindOfDeed{"slow wire", false, 300 * time.Millisecond, 3 * time.Second, slow, fast}

	// opening is how every gremlin begins, so that even a short game shows something; after it come more at random.
	opening = []kindOfDeed{resetHost, rateRail, cutRail, rateRail, resetRail, cutRail}
	more    = []kindOfDeed{cutRail, cutRail, cutHost, resetRail, resetRail, resetHost, lossRail, rateRail, rateRail}
)

// act does the next thing, unless it would meddle with another deed.
func (g *Gremlin) act(number int, now time.Time) error {
	hosts := g.Hosts()
	kind := more[g.rng.IntN(len(more))]
	if number < len(opening) {
		kind = opening[number]
	}
	host := hosts[g.rng.IntN(len(hosts))]
	wires := []wire{{host, g.rng.IntN(g.Rails)}}
	if kind.host {
		wires = nil
		for rail := range g.Rails {
			wires = append(wires, wire{host, rail})
		}
	}
	for rail := range g.Rails { // one deed per host at a time, so that the last of its wires is not cut by chance
		if g.trouble[wire{host, rail}] {
			return nil
		}
	}
	d := deed{wires: wires, until: now.Add(kind.least + time.Duration(g.rng.Int64N(int64(kind.most-kind.least))))}
	d.repair = func(w wire) error { return kind.repaired(g, w) }
	g.deeds = append(g.deeds, d)
	g.done[kind.name]++
	for _, w := range wires {
		g.trouble[w] = true
		if err := kind.damage(g, w); err != nil {
			return fmt.Errorf("%s %s rail %d: %w", kind.name, w.host, w.rail, err)
		}
	}
	return nil
}

// repair ends the deeds whose time is over.
func (g *Gremlin) repair(now time.Time) error {
	var left []deed
	var errs []error
	for _, d := range g.deeds {
		if d.until.After(now) {
			left = append(left, d)
			continue
		}
		for _, w := range d.wires {
			delete(g.trouble, w)
			errs = append(errs, d.repair(w))
		}
	}
	g.deeds = left
	return errors.Join(errs...)
}
