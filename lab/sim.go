package lab

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// simClock is the virtual time of one rank. Computing is letting time pass.
type simClock struct{ clock.Clock }

func (c simClock) Compute(nano int64) { c.Sleep(nano) }

// Copied charges the rank with a copy of its program's.
func (c simClock) Copied(bytes int) { c.Spend(clock.Copy, bytes) }

// cluster makes a simulated cluster in a time of its own.
func (b *Bench) cluster(on Platform, nodes int) (*clock.Scheduler, *sim.Fabric, error) {
	profile, err := b.profile(on)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrPlatform, err)
	}
	s := clock.NewScheduler(b.o.Seed)
	f, err := sim.New(s, sim.Cluster{Nodes: nodes, Profile: profile, Seed: b.o.Seed})
	if err == nil && b.o.Looked != nil {
		b.tellLooked()
		b.last = f
	}
	return s, f, err
}

// tellLooked tells what the last run depended on, which has ended when the next one begins.
func (b *Bench) tellLooked() {
	if b.last != nil {
		b.o.Looked(b.last.Cluster().Profile.Name, b.last.Looked())
	}
	b.last = nil
}

// profile is the one that a platform is named after, or what the options have in its place.
func (b *Bench) profile(on Platform) (*sim.Profile, error) {
	if p := b.o.Profiles[on.Profile()]; p != nil {
		return p, nil
	}
	return sim.LoadProfile(on.Profile())
}

// runSim runs ranks on a simulated fabric.
func (b *Bench) runSim(ctx context.Context, job Job, env []string, body func(k *measure.Rank) error) error {
	names, err := namedIn(env)
	if err != nil {
		return err
	}
	each, apart := max(job.PerNode, 1), max(job.Apart, 1)
	place := func(rank int) (node, core int) { return rank / each, rank % each * apart }
	s, fabric, err := b.cluster(job.On.On, (job.Ranks+each-1)/each)
	if err != nil {
		return err
	}
	cfg := boot.SimConfig{Scheduler: s, Fabric: fabric, Ranks: job.Ranks, Env: env, Seed: b.o.Seed, Device: job.Device, Place: place}
	if job.Watch != nil {
		if each == 1 { // nodes are ranks
			fabric.Watch(job.Watch.landed)
		}
		cfg.Link = func(rank int, l *progress.Link) { job.Watch.link(rank, s.Now, l) }
	}
	if job.Census != nil {
		cfg.Link = func(_ int, l *progress.Link) { job.Census.link(l) }
	}
	crew, err := boot.NewSimCrew(cfg)
	if err != nil {
		return err
	}
	defer crew.Close()
	casters := make([]*measure.Caster, job.Ranks)
	for rank := 0; rank < job.Ranks && job.Casts; rank++ {
		node, _ := place(rank)
		if casters[rank], err = newCaster(fabric, node, rank == 0); err != nil {
			return err
		}
	}
	var gate measure.Barrier
	if nodes := (job.Ranks + each - 1) / each; job.Syncs && nodes > 1 {
		if gate, err = fabric.NewBarrier(nodes); err != nil {
			return err
		}
	}
	var ends []*putEnd
	if job.Puts {
		if ends, err = (putting{s: s, f: fabric, ranks: job.Ranks, place: place, lines: job.Lines}).ends(); err != nil {
			return err
		}
	}
	err = boot.Run(crew, func(world *mpi.Comm) error {
		host, err := fabric.Host(place(world.Rank()))
		if err != nil {
			return err
		}
		k := measure.NewRank(world, simClock{host})
		k.Stopped = ctx.Err // a context would need goroutines of its own
		k.Counted, k.Named = func() measure.Counted { return measure.Counted(crew.Ranks[world.Rank()].Plans()) }, names.single()
		k.Cast, k.Gate = casters[world.Rank()], gate
		if job.Puts {
			e := ends[world.Rank()]
			if err := e.connect(ends); err != nil {
				return err
			}
			k.Puts = e.puts
		}
		job.Watch.attach(k)
		return body(k)
	})
	for i, rank := range crew.Ranks {
		if err == nil {
			err = names.check(i, rank.Plans().Runs)
		}
	}
	if err == nil && job.Report != nil {
		for i, rank := range crew.Ranks {
			e, l := rank.Counters()
			job.Report(i, e, l)
		}
	}
	return err
}

// Casts tells whether the network there has a broadcast of the hardware: one that loses nothing.
func (b *Bench) Casts(on Platform) bool {
	profile, err := b.profile(on)
	return on.Virtual() && err == nil && profile.Broadcasts()
}

// Global tells whether memory of the network there is global: everybody knows where everybody's memory is.
func (b *Bench) Global(on Platform) bool {
	profile, err := b.profile(on)
	return on.Virtual() && err == nil && profile.Global()
}

// Syncs tells whether the network there has a barrier of the hardware.
func (b *Bench) Syncs(on Platform) bool {
	profile, err := b.profile(on)
	return on.Virtual() && err == nil && profile.Syncs()
}

// Chains tells whether interfaces there begin writes by themselves when events come.
func (b *Bench) Chains(on Platform) bool {
	profile, err := b.profile(on)
	return on.Virtual() && err == nil && profile.Chains()
}

// castGroup is where broadcasts of the hardware go.
var castGroup = netip.MustParseAddrPort("239.0.0.1:1")

// newCaster opens the interface of a node for broadcasts of the hardware, which use one rail.
func newCaster(f *sim.Fabric, node int, root bool) (*measure.Caster, error) {
	dev, err := f.Open(node)
	if err != nil {
		return nil, err
	}
	pd, err := dev.NewPD()
	if err != nil {
		return nil, err
	}
	cq, err := dev.NewCQ(verbs.CQConfig{Depth: 2 * measure.CastSlots})
	if err != nil {
		return nil, err
	}
	qp, err := pd.NewQP(verbs.QPConfig{Type: verbs.UD, SendCQ: cq, RecvCQ: cq, SendDepth: measure.CastSlots, RecvDepth: measure.CastSlots})
	if err == nil {
		err = errors.Join(qp.Modify(verbs.Init), qp.Modify(verbs.RTS))
	}
	if err != nil {
		return nil, err
	}
	piece := min(dev.Rails()[0].MTU, dev.Caps().MaxDatagram) // one packet, so that copies and packets overlap
	if !root {
		if err := qp.Attach(castGroup); err != nil {
			return nil, err
		}
		return measure.NewCaster(pd, cq, qp, nil, piece)
	}
	group, err := pd.NewAH(castGroup)
	if err != nil {
		return nil, err
	}
	return measure.NewCaster(pd, cq, qp, group, piece)
}
