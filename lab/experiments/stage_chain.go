package experiments

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab/measure"
)

// chained are plans in which the interface begins a send that waits for receives: the host hands it over as
// soon as everything else is there that it waits for. A receive that several sends wait for is the host's
// affair: an event is good for one.
type chained struct {
	plans  []*plan.Plan
	after  []map[int][]int // per rank and send: the receives that it waits for
	marked []map[int]bool  // per rank: those receives
}

// chainAll makes such plans of others.
func chainAll(plans []*plan.Plan) (chained, error) {
	var c chained
	for _, p := range plans {
		loose, after, err := loosen(p)
		if err != nil {
			return c, err
		}
		marked := map[int]bool{}
		for _, receives := range after {
			for _, step := range receives {
				marked[step] = true
			}
		}
		c.plans, c.after, c.marked = append(c.plans, loose), append(c.after, after), append(c.marked, marked)
	}
	return c, nil
}

// waited counts for each step the sends that wait for it.
func waited(p *plan.Plan) []int {
	sends := make([]int, len(p.Steps))
	for i, s := range p.Steps {
		for _, d := range p.Deps(i) {
			if s.Kind == plan.Send {
				sends[d]++
			}
		}
	}
	return sends
}

// loosen takes from sends that they wait for receives, and tells for which they did.
func loosen(p *plan.Plan) (*plan.Plan, map[int][]int, error) {
	b, after := plan.NewBuilder(p.Name, p.Rank, p.Ranks), map[int][]int{}
	b.Tmp(p.TmpLen)
	sends := waited(p)
	if p.Shares() {
		b.OnNode(p.Group, p.NodeLen, p.Flags)
	}
	for i, s := range p.Steps {
		var deps []int
		for _, d := range p.Deps(i) {
			if s.Kind == plan.Send && p.Steps[d].Kind == plan.Recv && sends[d] == 1 {
				after[i] = append(after[i], int(d))
			} else {
				deps = append(deps, int(d))
			}
		}
		b.Travel(s.Way, int(s.Rail))
		switch s.Kind {
		case plan.Send:
			b.Send(int(s.Peer), s.Src, deps...)
		case plan.Recv:
			b.Recv(int(s.Peer), s.Dst, deps...)
		case plan.Copy:
			b.Copy(s.Dst, s.Src, deps...)
		case plan.Gate:
			b.Gate(deps...)
		case plan.Set:
			b.Set(int(s.Flag), deps...)
		case plan.Await:
			b.Await(int(s.Peer), int(s.Flag), deps...)
		default:
			return nil, nil, fmt.Errorf("%s: a %v cannot be part of a chain", p.Name, s.Kind)
		}
	}
	return b.Build(), after, nil
}

// post begins a write, or hands it over to the interface, which begins it when what it waits for has come.
func (p *player) post(w measure.WriteTo, step int) error {
	if p.stage.chain.after == nil {
		return p.puts.Write(w)
	}
	peer, to := w.To, p.stage.targets[p.rank][step].step
	if p.stage.chain.marked[peer][to] {
		w.Event |= sim.ChainEvent
	}
	var events []uint32
	for _, receive := range p.stage.chain.after[p.rank][step] {
		events = append(events, p.event(receive)|sim.ChainEvent)
	}
	if events == nil {
		return p.puts.Write(w)
	}
	return p.puts.Chain(w, events...)
}
