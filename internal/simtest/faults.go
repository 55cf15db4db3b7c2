package simtest

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Faults are the kinds of misfortune, "none" first. There are mixtures, too: "mixed", of some that nobody
// dies of, and "soak".
var Faults = []string{"none", "loss", "duplicate", "reorder", "delay", "stall", "break", "rail", "crash", "node"}

// faults chooses what goes wrong.
func (g *generator) faults(o Options) []Fault {
	kind := one(g, append([]string{"none", "loss", "mixed", "mixed"}, Faults...)...)
	if o.Faults != "" {
		kind = o.Faults
	}
	switch kind {
	case "none":
		return nil
	case "soak":
		return g.weather()
	}
	if kind != "mixed" {
		var all []Fault
		n := 1
		if kind != "crash" && kind != "node" {
			n += g.up(4)
		}
		for range n {
			all = append(all, g.fault(kind))
		}
		return all
	}
	var all []Fault
	for range 1 + g.up(6) {
		all = append(all, g.fault(one(g, Faults[1:len(Faults)-2]...)))
	}
	return all
}

// weather is a network that is bad all the time and worse now and then: some datagrams are lost, doubled and held back
// throughout, and connections and interfaces come and go.
func (g *generator) weather() []Fault {
	all := []Fault{{Kind: "loss", Share: 0.02}, {Kind: "duplicate", Share: 0.01}, {Kind: "reorder", Share: 0.05}}
	for range 3 + g.up(8) {
		f := g.fault(one(g, "break", "break", "rail", "stall"))
		if g.chance(50) {
			f.At += int64(g.up(300_000_000))
		}
		all = append(all, f)
	}
	return all
}

// fault makes one misfortune. Times are short against a run at first and against time-outs always, unless a rank dies.
func (g *generator) fault(kind string) Fault {
	s := &g.c.Shape
	f := Fault{Kind: kind, At: 1 + int64(g.up(3_000_000)), For: 1 + int64(g.up(2_000_000))}
	f.Rank, f.Node, f.Other, f.Rail = g.rng.IntN(s.Ranks), g.rng.IntN(s.Nodes), g.rng.IntN(s.Nodes), g.rng.IntN(s.Rails)
	switch kind {
	case "loss", "duplicate", "reorder":
		f.Share = one(g, 0.01, 0.05, 0.2, 0.4)
		if g.chance(50) {
			f.At, f.For = 0, 0
		}
	case "delay":
		f.Share = float64(g.up(1_000_000)) // nanoseconds
	case "rail":
		f.For += int64(g.up(20_000_000))
	case "crash", "node":
		f.For = one(g, int64(100_000), 10_000_000, 30_000_000_000)
	}
	return f
}

// misfortunes has everything happen that the case says. What happens at time 0 holds from the start.
func (j *job) misfortunes() error {
	for _, f := range j.Faults {
		happen, end, err := j.fault(f)
		if err != nil {
			return err
		}
		begin := func() {
			if f.Kind != "break" { // which counts what it breaks
				j.begun[f.Kind]++
			}
			happen()
		}
		switch {
		case f.At == 0:
			begin()
		case f.Kind == "crash" || f.Kind == "node": // an event may run on the stack of the rank that it ends
			j.scheduler.Daemon("fate", func() { j.scheduler.Sleep(f.At); begin() })
		default:
			j.scheduler.At(f.At, begin)
		}
		if end != nil && f.For > 0 {
			j.scheduler.At(f.At+f.For, end)
		}
	}
	return nil
}

// fault returns what begins a misfortune and what ends it.
func (j *job) fault(f Fault) (begin, end func(), err error) {
	if f.Rank < 0 || f.Rank >= j.Shape.Ranks || f.Node < 0 || f.Node >= j.Shape.Nodes || f.Rail < 0 || f.Rail >= j.Shape.Rails {
		return nil, nil, fmt.Errorf("%+v is out of range of the job", f)
	}
	fabric, tell := j.fabric, j.tell
	own, err := fabric.Node(f.Node)
	if err != nil {
		return nil, nil, err
	}
	f.Rail %= own.Rails // a node may have fewer than others
	share := func(dst *float64) (func(), func()) {
		return func() {
				tell("%s of %v of the datagrams", f.Kind, f.Share)
				*dst = f.Share
				must(fabric.Datagrams(j.chance))
			},
			func() { tell("%s ends", f.Kind); *dst = 0; must(fabric.Datagrams(j.chance)) }
	}
	switch f.Kind {
	case "loss":
		begin, end = share(&j.chance.Loss)
	case "duplicate":
		begin, end = share(&j.chance.Duplicate)
	case "reorder":
		begin, end = share(&j.chance.Reorder)
	case "delay":
		begin = func() {
			tell("datagrams take %v ns longer", f.Share)
			j.chance.Delay = int64(f.Share)
			must(fabric.Datagrams(j.chance))
		}
		end = func() { tell("delay ends"); j.chance.Delay = 0; must(fabric.Datagrams(j.chance)) }
	case "stall":
		begin = func() {
			tell("the interface of node %d rail %d stalls for %d ns", f.Node, f.Rail, f.For)
			must(fabric.Stall(f.Node, f.Rail, f.For))
		}
	case "break":
		begin = func() {
			n := fabric.Break(f.Node, f.Other, -1)
			j.begun[f.Kind] += n
			tell("%d connections of nodes %d and %d break", n, f.Node, f.Other)
		}
	case "rail":
		begin = func() { tell("rail %d of node %d is down", f.Rail, f.Node); must(fabric.RailDown(f.Node, f.Rail)) }
		end = func() { tell("rail %d of node %d is up", f.Rail, f.Node); must(fabric.RailUp(f.Node, f.Rail)) }
	case "crash":
		begin = func() { tell("rank %d dies", f.Rank); j.kill(f, f.Rank) }
	case "node":
		begin = func() { j.nodeDies(f) }
	default:
		return nil, nil, fmt.Errorf("there is no fault %q", f.Kind)
	}
	return begin, end, nil
}

// tell adds a line about a misfortune to the trace.
func (j *job) tell(format string, a ...any) {
	if j.stage.out != nil {
		fmt.Fprintf(j.stage.out, "%14.3f us  fault    %s\n", float64(j.scheduler.Now())/1e3, fmt.Sprintf(format, a...))
	}
}

// nodeDies is the end of a node with all its ranks: nobody says good-bye.
func (j *job) nodeDies(f Fault) {
	j.tell("node %d dies", f.Node)
	must(j.fabric.Crash(f.Node))
	for r := range j.Shape.Ranks {
		if n, _ := j.place(r); n == f.Node {
			j.kill(f, r)
		}
	}
}

// kill ends a rank. If it had not left yet the launcher ends the others a while later, as that of a job
// does when a process ends before its time, unless they have seen it themselves. Who only waits for a
// message of the dead has nothing to notice it by: one that was sent, even, as the last thing that its
// program did, may not have come.
func (j *job) kill(f Fault, rank int) {
	early := !j.crew.Left(rank)
	j.died = j.died || early
	j.crew.Kill(rank)
	if !early {
		return
	}
	j.scheduler.Daemon("launcher", func() {
		j.scheduler.Sleep(f.For)
		j.tell("the launcher ends the job")
		j.crew.Fail(fmt.Errorf("the launcher has seen rank %d die: %w", rank, mpi.ErrProcFailed))
	})
}

// must is for calls that cannot fail, since the case was checked.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
