package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// rival is an algorithm of a figure: its name there, that of this library, and the settings that it runs with.
type rival struct {
	name, algorithm string
	settings        []string
	least, most     int    // shortest and longest block that it is used for; most 0: any
	cast            string // what goes before a broadcast of the hardware, where the network has one
	castMost        int    // longest block that is broadcast like that; algorithm takes the others; 0: any
	puts            bool   // it writes to where blocks belong, where the network's memory is global; else it sends messages
	putMost         int    // longest block that is written like that; 0: any
	syncs           bool   // all wait for each other when blocks have been written, by the network's barrier, where it has one
	chains          bool   // interfaces begin writes that wait for others, where they can; else hosts do
	told            bool   // it writes also where memory is not global: to buffers that everybody was told of before
}

// way is how a rival moves blocks of some lengths.
type way struct{ casts, puts bool }

// wayOf is how a rival moves blocks of a length, on a network that can do what of has.
func (v rival) wayOf(size int, of way) way {
	return way{
		casts: of.casts && v.cast != "" && (v.castMost == 0 || size <= v.castMost),
		puts:  (of.puts || v.told) && v.puts && (v.putMost == 0 || size <= v.putMost),
	}
}

// The document's own algorithms write over the network also within a node. Those of the library of Quadrics
// use shared memory there, and one rail only: the document measured that (F3.4). Where they send tagged
// messages, these are cut over both.
var (
	onlyNetwork = []string{"links=rail"}
	oneRail     = []string{"rails=1"}
	tagged      []string
)

// forced are the settings that have an algorithm used.
func forced(settings []string, algorithm string) []string {
	return slices.Concat(settings, []string{"coll=" + strings.Replace(algorithm, "/", "=", 1)})
}

// placed is ranks on the four nodes of a platform, evenly.
func placed(on lab.Setup, ranks int) lab.Job {
	return lab.Job{On: on, Ranks: ranks, PerNode: max(ranks/4, 1)}
}

// collectiveLine measures an operation with one algorithm over sizes.
func collectiveLine(ctx context.Context, b *lab.Bench, job lab.Job, op measure.Collective, v rival, sizes []int, add func(size, us float64)) error {
	sizes = slices.DeleteFunc(slices.Clone(sizes), func(size int) bool { return size < v.least || v.most > 0 && size > v.most })
	of, given := way{casts: b.Casts(job.On.On), puts: b.Global(job.On.On)}, job.Settings
	for len(sizes) > 0 {
		w := v.wayOf(sizes[0], of)
		same := slices.IndexFunc(sizes, func(size int) bool { return v.wayOf(size, of) != w })
		if same < 0 {
			same = len(sizes)
		}
		algorithm := v.algorithm
		if w.casts {
			algorithm = v.cast
		}
		job.Casts, job.Puts, job.Lines, job.Syncs = w.casts, w.puts, v.told, v.syncs && b.Syncs(job.On.On)
		job.Settings = slices.Concat(given, forced(v.settings, algorithm))
		if err := runLine(ctx, b, job, op, makerOf(job, algorithm, v.chains && b.Chains(job.On.On)), sizes[:same], add); err != nil {
			return err
		}
		sizes = sizes[same:]
	}
	return nil
}

// makerOf is who makes the operation of a job.
func makerOf(job lab.Job, algorithm string, chains bool) maker {
	switch {
	case job.Puts:
		t := algorithmTheatre(job, algorithm)
		t.chains = chains
		return t.group
	case job.Casts:
		return measure.NewCastGroup
	}
	return measure.NewGroup
}

// callsOf is how often a collective is called: first until connections, rings and registrations stand, then
// until its mean moves by less than 1% when there are twice as many calls. Who writes below MPI has them
// standing from the beginning.
func callsOf(job lab.Job) measure.Loops {
	if job.Puts {
		return measure.Loops{Warmup: 8, Timed: 48}
	}
	return measure.Loops{Warmup: 60, Timed: 16}
}

// runLine measures one job over sizes.
func runLine(ctx context.Context, b *lab.Bench, job lab.Job, op measure.Collective, group maker, sizes []int, add func(size, us float64)) error {
	if len(sizes) == 0 {
		return nil
	}
	return b.Run(ctx, job, func(k *measure.Rank) error {
		if err := k.Acquaint(); err != nil {
			return err
		}
		return measure.Sweep(k, sizes, add, func(size int) (float64, error) {
			g, err := group(k, op, size)
			if err != nil {
				return 0, err
			}
			return g.Slowest(b.Longer(callsOf(job)))
		})
	})
}

// contest draws an operation with several algorithms, over sizes on 16 processes and over processes at some sizes.
type contest struct {
	id, machine string
	op          measure.Collective
	rivals      []rival
	sizes       []int // all, and those that the bars need
	quick       []int
	scaled      []int // sizes of the panels over processes
	bars        func(r *lab.Result, p *lab.Panel)
}

// run measures everything.
func (c contest) run(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(c.id)
	on := b.Setups(c.machine)[0]
	p := r.AddPanel(fmt.Sprintf("%s on 16 processes", c.op), lab.Bytes, lab.Microseconds)
	sizes := c.sizes
	if b.Quick() {
		sizes = c.quick
	}
	for _, v := range c.rivals {
		if err := collectiveLine(ctx, b, placed(on, 16), c.op, v, sizes, p.Line(v.name).Add); err != nil {
			return nil, err
		}
	}
	if err := c.scale(ctx, b, r, on); err != nil {
		return nil, err
	}
	c.bars(r, p)
	return r, nil
}

// scale adds the panels over processes.
func (c contest) scale(ctx context.Context, b *lab.Bench, r *lab.Result, on lab.Setup) error {
	panels := map[float64]*lab.Panel{}
	for _, size := range c.scaled {
		panels[float64(size)] = r.AddPanel(fmt.Sprintf("%s of %s", c.op, sizeName(size)), processAxis, lab.Microseconds)
	}
	for _, v := range c.rivals {
		for _, ranks := range []int{4, 8, 16} {
			add := func(size, us float64) { panels[size].Line(v.name).Add(float64(ranks), us) }
			if len(c.scaled) > 0 {
				if err := collectiveLine(ctx, b, placed(on, ranks), c.op, v, c.scaled, add); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

var processAxis = lab.Axis{Label: "processes"}

// fastest names the line that is lowest at a place.
func fastest(p *lab.Panel, x float64) string {
	var all []string
	for _, s := range p.Series {
		all = append(all, s.Name)
	}
	return fastestOf(p, x, all...)
}

// fastestOf is fastest among some lines. One that ends before the place has no value there.
func fastestOf(p *lab.Panel, x float64, names ...string) string {
	best, least := "", math.Inf(1)
	for _, name := range names {
		if us := p.Line(name).At(x); us < least {
			best, least = name, us
		}
	}
	return best
}
